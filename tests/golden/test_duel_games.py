"""Whole games for two as text, to each end: a deal number or decks, then the seat and what it does, a line each."""

from pathlib import Path

import pytest

from services.cli.auditing.report import build
from shared import subjects
from shared.game.view import view_of
from shared.messages.codec import encode
from shared.messages.events import Result
from tests.duels import DuelPlay, new_duel
from tests.laid import script
from tests.play import rebuilt
from tests.tampering import Copy, kept

HERE = Path(__file__).parent
ENDS: dict[str, tuple[str, Result, tuple[Result, Result], tuple[int, int]]] = {
    "double-win": ("double", "won", ("won", "lost"), (52, 48)),
    "double-resigned": ("double", "won", ("won", "resigned"), (41, 33)),
    "double-drawn": ("double", "drawn", ("drawn", "drawn"), (5, 5)),
    "double-out-won": ("double", "won", ("won", "lost"), (24, 19)),
    "double-out-drawn": ("double", "drawn", ("drawn", "drawn"), (24, 24)),
    "double-mini-win": ("double-mini", "won", ("won", "lost"), (52, 51)),
    "double-mini-lost": ("double-mini", "lost", ("resigned", "resigned"), (2, 2)),
    "double-mini-out": ("double-mini", "lost", ("lost", "lost"), (24, 24)),
}
"""By file: the variant, how the game ends, how for each, and how many own cards each has up."""
OUT = [name for name in ENDS if "-out" in name]
"""Neither can move any more; nobody gave up."""


def played(name: str, monkeypatch: pytest.MonkeyPatch, *, without: int = 0) -> DuelPlay:
    """The game, but for so many commands at its end."""
    number, lines = script(HERE / f"{name}.txt", monkeypatch)
    duel = new_duel(ENDS[name][0], deal=number)
    for line in lines[: len(lines) - without]:
        who, text = line.split(" ", 1)
        duel.must(int(who), text)
    return duel


@pytest.mark.parametrize("name", ENDS)
def test_a_whole_game_for_two_ends_as_it_did_when_it_was_written_down(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, result, each, ups = ENDS[name]
    duel = played(name, monkeypatch)
    assert duel.ended
    assert duel.ended.seats
    assert duel.ended.result == duel.game.status == result
    assert tuple(seat.result for seat in duel.ended.seats) == each
    assert tuple(seat.cards_up for seat in duel.ended.seats) == ups
    assert tuple(view_of(duel.game, who).status for who in (0, 1)) == each


@pytest.mark.parametrize("name", ENDS)
def test_a_whole_game_for_two_rebuilds_to_the_same_bytes_and_audits_clean(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    duel = played(name, monkeypatch)
    assert encode(rebuilt(duel.deal, duel.stored)) == encode(duel.logged)
    game = duel.game.game
    messages = ((subjects.sealed_deal(game), duel.deal), *((subjects.game_log(game), one) for one in duel.stored))
    assert build(game, kept(Copy(game, messages, None, None)), boards=True, reveal=False).findings == ()


@pytest.mark.parametrize("name", OUT)
def test_a_game_for_two_goes_on_while_one_of_them_can_move(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends with the last move that either had; who had none before it waited, and is not told to be stuck: the other
    may still help out.
    """
    _, lines = script(HERE / f"{name}.txt", monkeypatch)
    who, text = lines[-1].split(" ", 1)
    duel = played(name, monkeypatch, without=1)
    assert (duel.game.status, who, duel.legal(0)) == ("running", "1", ())
    assert text in duel.legal(1)
    assert not view_of(duel.game, 0).stuck
    duel.must(1, text)
    assert duel.ended
    assert (duel.legal(0), duel.legal(1)) == ((), ())


@pytest.mark.parametrize("name", OUT)
def test_a_card_up_brings_its_points_also_where_nobody_gets_all_up(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten each by the standard table; no card was turned up."""
    duel = played(name, monkeypatch)
    assert duel.ended
    assert duel.ended.seats
    assert [(seat.points, seat.moves) for seat in duel.ended.seats] == [(10 * up, 48) for up in ENDS[name][3]]


def test_a_whole_game_brings_the_points_of_its_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten for each card up, five for each card turned up, by the rules' table of standard points."""
    duel = played("double-win", monkeypatch)
    assert duel.ended
    assert duel.ended.seats
    assert duel.ended.seats[0].points == 52 * 10 + 21 * 5
