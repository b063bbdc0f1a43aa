"""Until when a game could be won: bisection against the verdict on every single position."""

import math
import random
import time
from collections.abc import Callable, Sequence
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.game.line import Made
from shared.messages.base import GameId
from shared.messages.dealer import GameVerdict, LosingMove
from shared.messages.events import Result
from shared.rules.cards import DECK
from shared.rules.deal import numbered_deck
from shared.rules.legal import breach, legal_moves
from shared.rules.moves import Move, move_text, parse_move
from shared.rules.table import Table, apply, is_won, lay_out
from shared.rules.variants import VARIANTS, Variant
from shared.solver.solve import Budget, Solvable, Solver, Unknown, Unsolvable, Verdict
from shared.solver.verdicts import Ended, bounds, judge, positions

GAME = GameId("a" * 26)
TABLES = positions(lay_out(DECK, VARIANTS["draw1"]), [parse_move("draw")] * 24, VARIANTS["draw1"])
"""25 tables that differ."""


def never(_: Table) -> Verdict:
    raise AssertionError("nothing had to be solved")


def ended(
    moves: Sequence[Move], deal: Table, variant: Variant = VARIANTS["draw1"], result: Result = "resigned"
) -> Ended:
    line = tuple(Made(version, move) for version, move in enumerate(moves, start=2))
    return Ended(game=GAME, version=len(moves) + 2, result=result, variant=variant, deal=deal, line=line)


def careless_play(seed: int, variant: Variant, moves: int) -> tuple[Table, list[Move]]:
    """A deal, and moves as they come, cards before draws."""
    chance = random.Random(seed)
    deal = table = lay_out(numbered_deck(seed, decks=1), variant)
    made: list[Move] = []
    for _ in range(moves):
        legal = legal_moves(table, variant)
        cards = [move for move in legal if ">" in move_text(move)]
        chosen = chance.choice(cards if cards and chance.random() < 0.8 else [*legal])
        made.append(chosen)
        table = apply(table, chosen, variant).table
    return deal, made


@given(last=st.integers(0, 24), cut=st.integers(-1, 24), undecided=st.frozensets(st.integers(0, 24)))
def test_the_bounds_are_proved_and_meet_where_every_position_is_decided(
    last: int, cut: int, undecided: frozenset[int]
) -> None:
    """Whatever the solver does not know, nothing is said that it did not prove."""
    asked: list[int] = []

    def solve(table: Table) -> Verdict:
        position = TABLES.index(table)
        asked.append(position)
        if position in undecided:
            return Unknown("states", 1)
        return Solvable((), 1) if position <= cut else Unsolvable(1)

    found = bounds(TABLES[: last + 1], solve)
    true_cut = min(cut, last)
    assert found.winnable_through <= true_cut < found.lost_from
    assert {found.winnable_through, found.lost_from} - {-1, last + 1} <= {*asked} - undecided
    assert len(asked) == len(set(asked)), "a position was solved twice"
    if not undecided & {*range(last + 1)}:
        assert (found.winnable_through, found.lost_from) == (true_cut, true_cut + 1)
        assert len(asked) <= 1 + math.ceil(math.log2(last + 2))
    assert len(asked) <= 1 + 2 * math.ceil(math.log2(last + 2))


@pytest.mark.parametrize(
    ("name", "seeds"), [("draw1", (0, 1, 3, 9, 11, 18, 23)), ("draw3", (1, 2, 9, 10, 12, 15, 16))], ids=["one", "three"]
)
def test_the_verdict_on_a_game_is_that_of_solving_every_position(name: str, seeds: tuple[int, ...]) -> None:
    """Games that were lost at the deal, on the way, and not at all; of those whose proofs are short."""
    variant = VARIANTS[name]
    solver = Solver(time.monotonic)
    lost = 0
    for seed in seeds:
        deal, moves = careless_play(seed, variant, moves=40)
        solve = partial(solver.solve, variant=variant, budget=Budget(seconds=60))
        winnable = [isinstance(solve(table), Solvable) for table in positions(deal, moves, variant)]
        assert winnable == sorted(winnable, reverse=True), "once lost, lost for good"
        verdict = judge(ended(moves, deal, variant), solve)
        count = sum(winnable)
        assert verdict.undecided is None
        assert verdict.winnable_through == (count - 1 if count else None)
        assert verdict.lost_from == (count if count <= len(moves) else None)
        if 1 <= count <= len(moves):
            losing = LosingMove(number=count, version=count + 1, move=move_text(moves[count - 1]))
            assert verdict.lost_by == losing
            lost += 1
        else:
            assert verdict.lost_by is None
        assert_the_way_out_wins(verdict, deal, moves, variant)
    assert lost >= 2, "careless play loses games that could be won"


def assert_the_way_out_wins(verdict: GameVerdict, deal: Table, moves: Sequence[Move], variant: Variant) -> None:
    if verdict.winnable_through is None:
        assert verdict.way_out == ()
        return
    table = positions(deal, moves, variant)[verdict.winnable_through]
    for text in verdict.way_out:
        assert breach(table, parse_move(text), variant) is None
        table = apply(table, parse_move(text), variant).table
    assert is_won(table, variant)


def test_a_won_game_could_be_won_to_its_end_and_needs_no_search() -> None:
    verdict = judge(ended([parse_move("draw")] * 3, TABLES[0], result="won"), never)
    assert (verdict.winnable_through, verdict.lost_from, verdict.lost_by, verdict.undecided) == (3, None, None, None)
    assert verdict.way_out == ()


def test_of_a_variant_that_the_solver_does_not_play_nothing_is_said_and_why() -> None:
    two_decks = Variant(id="large", decks=2, columns=(6, 6, 6, 6, 5, 5, 5, 5, 5, 5))
    verdict = judge(ended([], lay_out(DECK * 2, two_decks), two_decks), never)
    assert (verdict.winnable_through, verdict.lost_from, verdict.undecided) == (None, None, "variant")


@pytest.mark.parametrize(
    ("solve", "through", "lost_from", "undecided"),
    [
        pytest.param(lambda _: Unknown("time", 1), None, None, "budget", id="nothing decided"),
        pytest.param(lambda _: Unsolvable(1), None, 0, None, id="lost from the deal on"),
        pytest.param(lambda _: Solvable((), 1), 2, None, None, id="not lost at all"),
    ],
)
def test_a_game_is_lost_by_a_move_only_where_one_lies_between(
    solve: Callable[[Table], Verdict], through: int | None, lost_from: int | None, undecided: str | None
) -> None:
    verdict = judge(ended([parse_move("draw")] * 2, TABLES[0]), solve)
    assert (verdict.winnable_through, verdict.lost_from, verdict.undecided) == (through, lost_from, undecided)
    assert verdict.lost_by is None
