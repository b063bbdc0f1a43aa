"""Whole games as text, and the number of ways a game can begin: written once, true for years."""

from collections.abc import Callable
from pathlib import Path

import pytest

from shared.game.view import view_of
from shared.messages.codec import encode
from shared.rules.deal import numbered_deck
from shared.rules.legal import legal_moves
from shared.rules.table import Table, apply, lay_out
from shared.rules.variants import VARIANTS, Variant
from tests.laws.naive_rules import NaiveRules, NaiveTable
from tests.play import new_play, rebuilt

HERE = Path(__file__).parent
POINTS = 52 * 10 + 21 * 5
"""Every card up, every card of the tableau turned up, none taken back."""
NAIVE_DEPTH_MAX = 3
"""The naive rules have made all of the golden counts; to make the deep ones again takes them too long."""


def game_in(name: str) -> tuple[int, list[str]]:
    """A deal number and moves, from `deal 1673` and a move a line."""
    first, *texts = (HERE / f"{name}.txt").read_text().splitlines()
    return int(first.removeprefix("deal ")), texts


@pytest.mark.parametrize(("variant", "moves"), [("draw1", 109), ("draw3", 88)])
@pytest.mark.parametrize("mode", ["ranked", "relaxed"])
def test_a_won_game_stays_won(variant: str, moves: int, mode: str) -> None:
    """Every move is legal by both statements of the rules; the last one wins at once, in its own record."""
    number, texts = game_in(f"{variant}-win")
    rules = VARIANTS[variant]
    naive = NaiveTable(list(numbered_deck(number, decks=1)), NaiveRules(draw=rules.draw))
    play = new_play(variant=variant, mode=mode, deal=number)
    for text in texts:
        assert play.game.status == "running"
        assert set(play.legal()) == naive.legal()
        _ = play.must(text)
        naive.do(text)
    assert play.game.status == "won"
    assert play.ended is not None
    assert (play.ended.result, play.ended.moves, play.ended.points) == ("won", moves, POINTS)
    assert (play.ended.assisted, play.ended.bonus) == (False, 0)
    assert view_of(play.game).legal == ()
    assert encode(rebuilt(play.deal, play.stored)) == encode(play.logged)


@pytest.mark.parametrize("row", (HERE / "perft.txt").read_text().splitlines())
def test_a_game_can_begin_in_so_many_ways(row: str) -> None:
    """The number of different sequences of so many moves: `variant deal depth number`."""
    variant, deal, depth, number = row.split()
    rules, deck = VARIANTS[variant], numbered_deck(int(deal), decks=1)
    assert sequences(lay_out(deck, rules), rules, int(depth)) == int(number)
    if int(depth) <= NAIVE_DEPTH_MAX:
        again = naive_sequences(lambda: NaiveTable(list(deck), NaiveRules(draw=rules.draw)), (), int(depth))
        assert again == int(number)


def sequences(table: Table, variant: Variant, depth: int) -> int:
    legal = legal_moves(table, variant)
    if depth == 1:
        return len(legal)
    return sum(sequences(apply(table, move, variant).table, variant, depth - 1) for move in legal)


def naive_sequences(deal: Callable[[], NaiveTable], made: tuple[str, ...], depth: int) -> int:
    """The same by the naive rules, which cannot take a move back and so deal anew."""
    table = deal()
    for text in made:
        table.do(text)
    legal = table.legal()
    if depth == 1:
        return len(legal)
    return sum(naive_sequences(deal, (*made, text), depth - 1) for text in legal)


def test_the_texts_of_a_golden_game_are_those_of_its_moves() -> None:
    for name in ("draw1-win", "draw3-win"):
        _, texts = game_in(name)
        assert "recycle" in texts
        assert any("*" in text for text in texts), "runs are moved"
