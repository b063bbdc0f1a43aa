"""The folds, against a naive second statement of what statistics are."""

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from services.scoring.reading import LogMessage, Opened, read
from services.scoring.working import Working
from shared.messages.events import GameEnded, GameStarted
from tests.scoring_logs import Act, Script, Writer, game_id, logs, message, player_id, scripts, statistics, write


def folded(log: Iterable[LogMessage]) -> Working:
    working = Working({}, {}, {})
    for one in log:
        working.apply(read(one))
    return working


def of_one(*acts: Act, secret: bool = True) -> Working:
    return folded(write([Script(acts=acts, secret=secret)]))


@given(st.lists(scripts(), max_size=8))
def test_statistics_are_the_sums_over_the_games_from_their_first_move_on(games: list[Script]) -> None:
    working = folded(write(games))
    rows = [(player, row) for player in sorted(working.players) for row in working.players[player].statistics]
    assert rows == statistics(games)
    assert not working.faults


@given(logs())
def test_wins_and_losses_never_exceed_games_after_any_record(log: list[LogMessage]) -> None:
    working = Working({}, {}, {})
    for one in log:
        working.apply(read(one))
        for row in (row for player in working.players.values() for row in player.statistics):
            assert 0 <= row.wins + row.losses <= row.games
            assert row.games > 0


@given(logs(), st.data())
def test_the_games_that_run_are_those_that_started_and_neither_ended_nor_are_left_out(
    log: list[LogMessage], data: st.DataObject
) -> None:
    """Wherever the log is cut."""
    log = log[: data.draw(st.integers(0, len(log)))]
    working = folded(log)
    entries = [read(one) for one in log]
    ended = {
        entry.game
        for entry in entries
        if isinstance(entry, Opened) and any(isinstance(event, GameEnded) for event in entry.record.events)
    }
    assert working.games.keys() == {entry.game for entry in entries} - ended - working.faults.keys()


@given(st.lists(scripts(), max_size=8))
def test_the_games_that_are_over_and_were_touched_are_listed_with_their_end(games: list[Script]) -> None:
    working = folded(write(games))
    found = [(player, one.variant, one.scoring, one.end) for player in working.over for one in working.over[player]]
    assert sorted((player, variant, scoring) for player, variant, scoring, _ in found) == sorted(
        (player_id(game.player), game.variant, game.scoring) for game in games if game.counted and game.result
    )
    ends = [(end.result, end.points, end.moves, end.play_ms, end.assisted) for *_, end in found if end]
    assert sorted(ends) == sorted(
        (game.result, game.points, game.moves, game.play_ms, game.assisted)
        for game in games
        if game.counted and game.result
    )


def test_a_game_that_ends_untouched_leaves_no_trace() -> None:
    working = of_one("hint", "resigned")
    assert working.over == {}
    assert working.players[player_id(1)].statistics == ()
    assert not working.games


def test_a_running_game_changes_over_when_it_is_assisted() -> None:
    (before,) = of_one("move").players[player_id(1)].statistics
    (after,) = of_one("move", "undo").players[player_id(1)].statistics
    assert (before.assisted, before.games) == (False, 1)
    assert (after.assisted, after.games) == (True, 1)


def test_taking_the_first_move_back_does_not_uncount_the_game() -> None:
    (row,) = of_one("draw", "undo", "resigned").players[player_id(1)].statistics
    assert (row.games, row.losses, row.assisted) == (1, 1, True)


def test_a_numbered_deal_counts_and_stands_in_no_ranking() -> None:
    working = of_one("move", "won", secret=False)
    assert working.players[player_id(1)].statistics[0].wins == 1
    assert working.rankings == {}


def test_a_record_after_a_win_changes_nothing_that_counted() -> None:
    log = write([Script(acts=("move", "won"))])
    writer = Writer(game_id(0), Script())
    for _ in log:
        writer.record()
    working = folded([*log, message(99, game_id(0), writer.record(writer.event("undo")))])
    (row,) = working.players[player_id(1)].statistics
    assert (row.games, row.wins, row.assisted) == (1, 1, False)
    assert working.faults[game_id(0)].sequence == 99


def test_a_game_started_twice_is_left_out_and_named() -> None:
    writer = Writer(game_id(0), Script())
    started = writer.started()
    log = [message(2, game_id(0), writer.record(started)), message(4, game_id(0), writer.record(started))]
    assert isinstance(started, GameStarted)
    working = folded(log)
    assert working.faults[game_id(0)].version == 2
    assert not working.games


def test_a_gap_in_the_versions_is_a_fault() -> None:
    log = write([Script(acts=("move", "draw", "draw"))])
    working = folded([log[0], log[1], log[3]])
    assert working.faults[game_id(0)].version == 4
    assert working.players[player_id(1)].statistics == ()


def test_a_record_of_another_history_is_a_fault() -> None:
    log, other = write([Script(acts=("move", "draw"))]), write([Script(acts=("draw", "draw"))])
    working = folded([log[0], log[1], other[2]])
    assert "hash" in working.faults[game_id(0)].reason
