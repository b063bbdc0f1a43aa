"""The second, plain search: held to the rules alone, and the first search held to it."""

import time
from random import Random

import pytest

from shared.rules.deal import numbered_deck
from shared.rules.legal import legal_moves
from shared.rules.table import apply, lay_out
from shared.rules.variants import VARIANTS, Variant
from shared.solver.certify import certify
from shared.solver.flat import unsupported
from shared.solver.formats import parse_deal
from shared.solver.solve import Budget, Solvable, Solver, Unsolvable
from tests.unit.solver import exhaustive
from tests.unit.solver.test_solver_cases import DEAL_D, HARD

DRAW1, DRAW3 = VARIANTS["draw1"], VARIANTS["draw3"]
BUDGET = Budget(seconds=60)
SMALL = [(1, 2, 3), (2, 3, 4), (1, 1, 2, 3), (3, 3), (2, 2, 2, 2, 2), (1, 2, 3, 3, 3)]
LARGE = [
    (1, 2, 3, 4, 5),
    (2, 3, 4, 5),
    (3, 4, 5, 6),
    (1, 2, 3, 4, 5, 6),
    (4, 4, 4, 4),
    (5, 5, 5),
    (1, 2, 3, 4, 5, 6, 7),
]


def any_variant(random: Random, columns: list[tuple[int, ...]]) -> Variant:
    return Variant(
        id="small",
        columns=random.choice(columns),
        draw=random.choice([1, 3]),
        passes=random.choice([None, None, 1, 2, 3]),
        foundation_give_back=random.random() < 0.75,
        faces=random.choice(["top", "top", "top", "all"]),
    )


def test_it_agrees_with_the_rules_alone_on_small_tables() -> None:
    """Every rule set, lost tables and winnable ones."""
    found = set()
    for seed in range(120):
        random = Random(seed)
        variant = any_variant(random, SMALL)
        table = exhaustive.small_table(random, variant, random.choice([10, 11, 11]))
        winnable = exhaustive.winnable(table, variant, states_max=1000)
        if winnable is not None:
            found.add(winnable)
            assert certify(table, variant, BUDGET, time.perf_counter).winnable is winnable, seed
    assert found == {True, False}


def test_both_searches_agree_on_larger_tables() -> None:
    """Two programs that share no idea come to the same verdict, wherever both finish."""
    solver = Solver(time.perf_counter)
    found = set()
    for seed in range(100):
        random = Random(seed)
        variant = any_variant(random, LARGE)
        table = exhaustive.small_table(random, variant, random.choice([3, 5, 7, 9]))
        if unsupported(table, variant):
            continue
        opinion = certify(table, variant, Budget(states=50_000), time.perf_counter)
        verdict = solver.solve(table, variant, Budget(states=50_000))
        if opinion.winnable is not None and isinstance(verdict, Solvable | Unsolvable):
            found.add((opinion.winnable, variant.draw, variant.passes is None))
            assert opinion.winnable is isinstance(verdict, Solvable), seed
    assert len(found) == 8


@pytest.mark.parametrize("variant", [DRAW1, DRAW3], ids=["draw1", "draw3"])
def test_both_searches_agree_along_whole_games(variant: Variant) -> None:
    """From positions in the middle of a game as well."""
    solver = Solver(time.perf_counter)
    for seed in range(6):
        random = Random(seed)
        table = lay_out(numbered_deck(seed, decks=1), variant)
        for step in range(50):
            if not (moves := legal_moves(table, variant)):
                break
            table = apply(table, random.choice(moves), variant).table
            if step % 10 == 0:
                opinion = certify(table, variant, Budget(states=50_000), time.perf_counter)
                verdict = solver.solve(table, variant, Budget(states=50_000))
                if opinion.winnable is not None and isinstance(verdict, Solvable | Unsolvable):
                    assert opinion.winnable is isinstance(verdict, Solvable), (seed, step)


def test_it_wins_the_deal_that_caught_an_unsound_shortcut() -> None:
    """Deal D, draw three."""
    assert certify(lay_out(parse_deal(DEAL_D), DRAW3), DRAW3, BUDGET, time.perf_counter).winnable


def test_a_budget_ends_it_with_the_reason() -> None:
    """States, time, memory, or a caller who does not wait."""
    table = lay_out(parse_deal(HARD), DRAW3)
    ticks = iter(range(1_000_000))
    opinions = [
        certify(table, DRAW3, Budget(states=100), time.perf_counter),
        certify(table, DRAW3, Budget(seconds=2), lambda: float(next(ticks))),
        certify(table, DRAW3, Budget(table_bytes=1 << 20), time.perf_counter),
        certify(table, DRAW3, BUDGET, time.perf_counter, cancelled=lambda: True),
    ]
    assert [opinion.reason for opinion in opinions] == ["states", "time", "memory", "cancelled"]
    assert {opinion.winnable for opinion in opinions} == {None}
    assert opinions[0].states == 100


def test_what_it_cannot_play_is_refused() -> None:
    """As the first search refuses it."""
    double = Variant(id="double", decks=2)
    with pytest.raises(ValueError, match="one deck"):
        certify(lay_out(parse_deal(HARD), DRAW1), double, BUDGET, time.perf_counter)
