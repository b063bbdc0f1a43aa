"""The solver against plain exhaustive search: small tables, every kind of rules, every pruning rule alone and all."""

import time
from random import Random

import msgspec
import pytest

from shared.rules.cards import DECK, KING, Card, parse_card
from shared.rules.legal import breach
from shared.rules.table import Column, Table, apply, is_won
from shared.rules.variants import Variant
from shared.solver.flat import ALL_RULES, unsupported
from shared.solver.layers import USE_DEAD_ENDS, USE_EASIER, USE_FLOOR, USE_FORCE, USE_LAZY, USE_PHASES
from shared.solver.solve import Budget, Solvable, Solver, Unknown, Unsolvable
from tests.unit.solver import exhaustive

TABLES = 80
STATES_MAX = 1000
BUDGET = Budget(states=200_000, seconds=60)
RULES = {
    "all": ALL_RULES,
    "none": 0,
    "floor": USE_FLOOR,
    "dead ends": USE_DEAD_ENDS,
    "phases": USE_PHASES,
    "lazy": USE_LAZY,
    "lazy above the floor": USE_FLOOR | USE_LAZY,
    "force": USE_FLOOR | USE_FORCE,
    "easier": USE_EASIER,
    "easier without order": USE_EASIER | USE_PHASES | USE_LAZY | USE_FLOOR | USE_FORCE,
}


def _variant(random: Random) -> Variant:
    return Variant(
        id="small",
        columns=random.choice([(1, 2, 3), (2, 3, 4), (1, 1, 2, 3), (3, 3), (2, 2, 2, 2, 2), (1, 2, 3, 3, 3)]),
        draw=random.choice([1, 3]),
        passes=random.choice([None, None, 1, 2, 3]),
        foundation_give_back=random.random() < 0.75,
        faces=random.choice(["top", "top", "top", "all"]),
    )


def _decided_tables(seeds: range) -> list[tuple[int, Table, Variant, bool]]:
    found = []
    for seed in seeds:
        random = Random(seed)
        variant = _variant(random)
        table = exhaustive.small_table(random, variant, random.choice([10, 11, 11]))
        if (winnable := exhaustive.winnable(table, variant, STATES_MAX)) is not None:
            found.append((seed, table, variant, winnable))
    return found


@pytest.fixture(scope="module")
def decided() -> list[tuple[int, Table, Variant, bool]]:
    """Tables that exhaustive search decides."""
    return _decided_tables(range(TABLES))


@pytest.mark.parametrize("name", RULES)
def test_each_rule_alone_and_all_agree_with_exhaustive_search(
    name: str, decided: list[tuple[int, Table, Variant, bool]]
) -> None:
    """No pruning rule changes a verdict."""
    solver = Solver(time.perf_counter, RULES[name])
    assert {winnable for *_, winnable in decided} == {True, False}
    for seed, table, variant, winnable in decided:
        verdict = solver.solve(table, variant, BUDGET)
        assert isinstance(verdict, Solvable if winnable else Unsolvable), seed


def test_every_solution_wins_by_the_rules(decided: list[tuple[int, Table, Variant, bool]]) -> None:
    """The moves of a verdict are legal one after the other, and the last one wins."""
    solver = Solver(time.perf_counter)
    for seed, table, variant, winnable in decided:
        if not winnable:
            continue
        verdict = solver.solve(table, variant, BUDGET)
        assert isinstance(verdict, Solvable), seed
        end = table
        for move in verdict.moves:
            assert breach(end, move, variant) is None, seed
            end = apply(end, move, variant).table
        assert is_won(end, variant), seed


def test_a_king_at_the_bottom_of_a_column_may_go_up() -> None:
    """A dead-end test that forgot it called this table lost."""
    variant = Variant(id="small", columns=(3, 3), passes=1, foundation_give_back=False)
    columns = (Column(("QC", "KC"), ("9D",)), Column(("KH", "QH"), ("JS",)))
    foundations = tuple(DECK[KING * suit : KING * suit + 8] for suit in range(4))
    drawn = "9H TD JC QS TH TC JD JH KD 9C QD 9S KS TS"
    table = Table(columns, foundations, tuple(map(parse_card, drawn.split()))[::-1])
    assert exhaustive.winnable(table, variant, 100_000)
    assert isinstance(Solver(time.perf_counter).solve(table, variant, BUDGET), Solvable)


MEDIUM_TABLES = 80
MEDIUM_STATES = 20_000
MEDIUM_COLUMNS = [(1, 2, 3, 4, 5), (2, 3, 4, 5), (3, 4, 5, 6), (1, 2, 3, 4, 5, 6), (4, 4, 4, 4), (5, 5, 5)]


def _medium(seed: int) -> tuple[Table, Variant]:
    """A table of 16 to 40 cards with unlimited passes, the rules that most of the pruning is for."""
    random = Random(seed)
    variant = Variant(
        id="medium",
        columns=random.choice(MEDIUM_COLUMNS),
        draw=random.choice([1, 1, 3]),
        foundation_give_back=random.random() < 0.8,
        faces=random.choice(["top", "top", "top", "all"]),
    )
    return exhaustive.small_table(random, variant, random.choice([5, 6, 7, 8, 9])), variant


def test_the_pruned_search_agrees_with_the_unpruned_one_where_the_rules_alone_would_take_too_long() -> None:
    """Layers and components without any pruning decide what exhaustive search by the rules cannot reach."""
    pruned, unpruned = Solver(time.perf_counter), Solver(time.perf_counter, 0)
    verdicts = set()
    for seed in range(MEDIUM_TABLES):
        table, variant = _medium(seed)
        if unsupported(table, variant):
            continue
        truth = unpruned.solve(table, variant, Budget(states=MEDIUM_STATES, seconds=60))
        if isinstance(truth, Unknown):
            continue
        verdicts.add((type(truth), variant.draw))
        assert isinstance(pruned.solve(table, variant, BUDGET), type(truth)), seed
    assert len(verdicts) == 4


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, text.split()))


def test_a_card_of_the_stock_may_go_up_after_others_of_its_component() -> None:
    """It could be put down for a root at once, and only after three others go up for another: both must be tried."""
    variant = Variant(id="small", columns=(3, 4, 5, 6), faces="all")
    ups = ("JD KS TH 9C 8H", "9D 9H KC QH", "QS", "8D KD JS QC JH TC")
    foundations = tuple(DECK[KING * suit : KING * suit + height] for suit, height in enumerate((8, 7, 7, 10)))
    columns = tuple(Column((), _cards(up)) for up in ups)
    table = Table(columns, foundations, _cards("TD QD KH JC"))
    assert isinstance(Solver(time.perf_counter, 0).solve(table, variant, BUDGET), Solvable)
    assert isinstance(Solver(time.perf_counter).solve(table, variant, BUDGET), Solvable)


def test_a_card_of_the_stock_may_be_put_down_or_go_up() -> None:
    """A four could carry a root, but wins only by going up: a promise to carry it must not bar that."""
    variant = Variant(id="whole")
    downs = ("", "", "", "AC 9H", "KC TC 4H JS", "JD KS 5C 7S 4S", "8D AS 7D 6S QH")
    ups = ("JC TD 9C 8H 7C 6H 5S", "KD QS JH", "2C", "TS", "5D", "3S", "8S 7H")
    foundations = ((), DECK[KING : KING + 3], DECK[2 * KING : 2 * KING + 3], ())
    columns = tuple(Column(_cards(down), _cards(up)) for down, up in zip(downs, ups, strict=True))
    table = Table(columns, foundations, _cards("9S 6C TH 3C 4C 2S QC 8C"), _cards("KH QD 9D 6D 5H 4D"))
    assert isinstance(Solver(time.perf_counter).solve(table, variant, BUDGET), Solvable)


def test_what_the_easier_game_cannot_win_is_lost_in_this_one() -> None:
    """With draw one, without limit and with give-back, no lost table becomes winnable by harder rules."""
    solver = Solver(time.perf_counter)
    lost = 0
    for seed in range(MEDIUM_TABLES):
        table, variant = _medium(seed)
        easy = msgspec.structs.replace(variant, draw=1, passes=None, foundation_give_back=True)
        hard = msgspec.structs.replace(variant, draw=3, passes=2, foundation_give_back=False)
        if unsupported(table, variant) or isinstance(solver.solve(table, easy, BUDGET), Solvable):
            continue
        lost += 1
        verdict = Solver(time.perf_counter, 0).solve(table, hard, Budget(states=MEDIUM_STATES, seconds=60))
        assert not isinstance(verdict, Solvable), seed
    assert lost
