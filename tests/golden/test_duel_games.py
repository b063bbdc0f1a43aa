"""Whole games for two as text, to each end: a deal number, then the seat and what it does, a line each."""

from pathlib import Path

import pytest

from services.cli.auditing.report import build
from shared import subjects
from shared.game.view import view_of
from shared.messages.codec import encode
from shared.messages.events import Result
from tests.duels import DuelPlay, new_duel
from tests.play import rebuilt
from tests.tampering import Copy, kept

HERE = Path(__file__).parent
ENDS: dict[str, tuple[str, Result, tuple[Result, Result], tuple[int, int]]] = {
    "double-win": ("double", "won", ("won", "lost"), (52, 48)),
    "double-resigned": ("double", "won", ("won", "resigned"), (41, 33)),
    "double-drawn": ("double", "drawn", ("drawn", "drawn"), (5, 5)),
    "double-mini-win": ("double-mini", "won", ("won", "lost"), (52, 51)),
    "double-mini-lost": ("double-mini", "lost", ("resigned", "resigned"), (2, 2)),
}
"""By file: the variant, how the game ends, how for each, and how many own cards each has up."""


def played(name: str) -> DuelPlay:
    first, *lines = (HERE / f"{name}.txt").read_text().splitlines()
    duel = new_duel(ENDS[name][0], deal=int(first.removeprefix("deal ")))
    for line in lines:
        who, text = line.split(" ", 1)
        duel.must(int(who), text)
    return duel


@pytest.mark.parametrize("name", ENDS)
def test_a_whole_game_for_two_ends_as_it_did_when_it_was_written_down(name: str) -> None:
    _, result, each, ups = ENDS[name]
    duel = played(name)
    assert duel.ended
    assert duel.ended.seats
    assert duel.ended.result == duel.game.status == result
    assert tuple(seat.result for seat in duel.ended.seats) == each
    assert tuple(seat.cards_up for seat in duel.ended.seats) == ups
    assert tuple(view_of(duel.game, who).status for who in (0, 1)) == each


@pytest.mark.parametrize("name", ENDS)
def test_a_whole_game_for_two_rebuilds_to_the_same_bytes_and_audits_clean(name: str) -> None:
    duel = played(name)
    assert encode(rebuilt(duel.deal, duel.stored)) == encode(duel.logged)
    game = duel.game.game
    messages = ((subjects.sealed_deal(game), duel.deal), *((subjects.game_log(game), one) for one in duel.stored))
    assert build(game, kept(Copy(game, messages, None, None)), boards=True, reveal=False).findings == ()


def test_a_whole_game_brings_the_points_of_its_moves() -> None:
    """Ten for each card up, five for each card turned up, by the rules' table of standard points."""
    duel = played("double-win")
    assert duel.ended
    assert duel.ended.seats
    assert duel.ended.seats[0].points == 52 * 10 + 21 * 5
