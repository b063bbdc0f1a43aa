"""Games for two count for both: each by the own result, in statistics of their own, and in no ranking."""

import pytest

from services.scoring.outcomes import for_player
from services.scoring.reading import LogMessage, read
from services.scoring.working import Working, players_of
from shared.messages.answers import Statistics
from shared.messages.base import PlayerId
from tests.duels import GUEST, DuelPlay, new_duel, waiting_duel
from tests.play import PLAYER
from tests.scoring_logs import message


def log_of(duel: DuelPlay) -> list[LogMessage]:
    return [message(number, duel.game.game, stored) for number, stored in enumerate(duel.stored, 1)]


def folded(duel: DuelPlay) -> Working:
    working = Working({}, {}, {})
    for one in log_of(duel):
        assert working.apply(read(one)) is None
    return working


def sums(working: Working, player: PlayerId) -> Statistics:
    (row,) = working.players[player].statistics
    return row


@pytest.mark.parametrize("first", [0, 1])
def test_who_won_has_a_win_and_the_other_a_loss(first: int) -> None:
    """Both gave up, one with a card up."""
    duel = new_duel("double", deal=1)
    while not any("F" in text for text in duel.legal(first)):
        duel.must(first, "draw")
    duel.must(first, next(text for text in duel.legal(first) if "F" in text)).must(0, "resign").must(1, "resign")
    working = folded(duel)
    wins = {player: (sums(working, player).games, sums(working, player).wins) for player in (PLAYER, GUEST)}
    assert wins == {PLAYER: (1, 1 - first), GUEST: (1, first)}
    assert sums(working, GUEST).losses == 1 - first
    assert working.rankings == {}
    assert [for_player(one, GUEST).end for one in working.over[GUEST]] != [one.end for one in working.over[PLAYER]]


def test_a_draw_is_neither_won_nor_lost_and_begins_no_streak() -> None:
    working = folded(new_duel("double").must(0, "draw").must(0, "resign").must(1, "resign"))
    for player in (PLAYER, GUEST):
        row = sums(working, player)
        assert (row.games, row.wins, row.losses, row.draws, row.streak) == (1, 0, 0, 1, 0)


def test_a_game_runs_for_both_from_the_first_move_of_either_on() -> None:
    duel = new_duel("double-mini")
    assert all(row.statistics == () for row in folded(duel).players.values())
    working = folded(duel.must(1, "draw"))
    assert [sums(working, player).games for player in (PLAYER, GUEST)] == [1, 1]
    changes = working.changes()
    assert list(changes.joined) == [duel.game.game]
    entries = [read(one) for one in log_of(duel)]
    assert set(players_of(entries, {})) == set(players_of([], changes.games)) == {PLAYER, GUEST}


def test_an_invitation_that_is_taken_back_leaves_no_trace() -> None:
    working = folded(waiting_duel().must(0, "resign"))
    assert (working.games, working.over) == ({}, {})
    assert all(row.statistics == () for row in working.players.values())


@pytest.mark.parametrize(("forgotten", "other"), [(PLAYER, GUEST), (GUEST, PLAYER)], ids=["the host", "the guest"])
def test_where_one_of_two_players_is_forgotten_the_game_counts_for_the_other_as_before(
    forgotten: PlayerId, other: PlayerId
) -> None:
    """Nothing is counted of who was forgotten, and nothing is taken for a fault."""
    duel = new_duel("double").must(0, "draw").must(1, "draw").must(0, "resign").must(1, "resign")
    before = folded(duel).changes()
    working = Working({}, {}, {}, frozenset({forgotten}))
    assert [working.apply(read(one)) for one in log_of(duel)] == [None] * len(duel.stored)
    after = working.changes()
    assert (set(after.players), set(after.over)) == ({other}, {other})
    assert (after.players[other], after.over[other]) == (before.players[other], before.over[other])
    assert (after.faults, after.games) == ({}, {})
