"""What is kept of deals of the day, and days in a row."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.scoring.days import NOT_WON, DayKey, number_of_win, over_at, result_of, streaks
from services.scoring.periods import begin_of
from shared.messages.answers import DayResult
from tests.scoring_logs import Act, Script, player_id, write
from tests.unit.scoring.test_projections import folded

DAY = "2026-03-01"
NOON = begin_of(date(2026, 3, 1)) + 43_200_000
DAY_MS = 86_400_000
PLAYED = Script(day=DAY, secret=False, started_at=NOON, acts=("draw",), play_ms=700)
KEY = DayKey(player_id(1), "draw1", DAY)


def result(*games: Script) -> DayResult | None:
    days = folded(write(games)).days
    return result_of(DAY, days[KEY]) if KEY in days else None


def with_acts(*acts: Act, days_later: int = 0, play_ms: int = 700) -> Script:
    return replace(PLAYED, acts=acts, started_at=NOON + days_later * DAY_MS, play_ms=play_ms)


@pytest.mark.parametrize("acts", [("draw",), ("draw", "resigned"), ("draw", "hint", "lost")])
def test_a_day_is_played_from_the_first_move_on_and_won_by_a_win_alone(acts: tuple[Act, ...]) -> None:
    assert result(with_acts(*acts)) == DayResult(day=DAY, won=False)
    assert result(with_acts()) is None
    assert result(with_acts("resigned")) is None


def test_a_win_has_its_time_and_whether_it_came_in_time_and_without_help() -> None:
    won = DayResult(day=DAY, won=True, in_time=True, play_ms=700)
    assert result(with_acts("draw", "won")) == won
    assert result(with_acts("draw", "undo", "won")) == replace_result(won, assisted=True)
    assert result(with_acts("draw", "won", days_later=2)) == replace_result(won, in_time=False)


def replace_result(one: DayResult, *, in_time: bool = True, assisted: bool = False) -> DayResult:
    return DayResult(day=one.day, won=one.won, in_time=in_time, assisted=assisted, play_ms=one.play_ms)


@given(st.permutations([0, 1, 2, 3]))
def test_the_best_of_a_day_is_kept_whatever_order_games_come_in(order: list[int]) -> None:
    """In time before late, without help before with it, then the shorter time."""
    games = [
        with_acts("draw", "lost"),
        with_acts("draw", "won", days_later=3, play_ms=10),
        with_acts("draw", "hint", "won", play_ms=20),
        with_acts("draw", "won", play_ms=900),
    ]
    best = DayResult(day=DAY, won=True, in_time=True, play_ms=900)
    assert result(*(games[index] for index in order)) == best
    assert result(*games, with_acts("move", "won", play_ms=30)) == DayResult(
        day=DAY, won=True, in_time=True, play_ms=30
    )


def test_a_number_that_is_not_played_as_a_day_is_in_no_calendar() -> None:
    assert folded(write([replace(PLAYED, day=""), replace(PLAYED, day="2026-02-30")])).days == {}


def test_a_day_is_over_when_it_is_over_everywhere_on_earth() -> None:
    end = over_at(date(2026, 3, 1))
    assert end == begin_of(date(2026, 3, 2)) + DAY_MS // 2
    assert result_of(DAY, number_of_win(DAY, end - 1, 5, assisted=False)).in_time
    assert not result_of(DAY, number_of_win(DAY, end, 5, assisted=False)).in_time
    assert number_of_win(DAY, end, 10**12, assisted=True) > NOT_WON


def days(*offsets: int) -> list[DayResult]:
    first = date(2026, 3, 1)
    return [DayResult(day=str(first + timedelta(offset)), won=True, in_time=True) for offset in offsets]


@pytest.mark.parametrize(
    ("offsets", "today", "expected"),
    [
        ((), 0, (0, 0)),
        ((0,), 0, (1, 1)),
        ((0, 1, 2), 2, (3, 3)),
        ((0, 1, 2), 3, (3, 3)),
        ((0, 1, 2), 5, (0, 3)),
        ((0, 1, 3), 3, (1, 2)),
        ((30, 31, 32), 32, (3, 3)),
    ],
)
def test_days_in_a_row_end_only_when_a_day_is_over_without_a_win(
    offsets: tuple[int, ...], today: int, expected: tuple[int, int]
) -> None:
    now = begin_of(date(2026, 3, 1)) + today * DAY_MS + DAY_MS - 1
    assert streaks(days(*offsets), now) == expected


def test_the_day_that_runs_still_counts_until_noon_after_it() -> None:
    deadline = over_at(date(2026, 3, 2))
    assert streaks(days(0), deadline - 1) == (1, 1)
    assert streaks(days(0), deadline) == (0, 1)


def test_what_was_won_late_or_not_at_all_makes_no_row() -> None:
    late = DayResult(day="2026-03-02", won=True)
    played = DayResult(day="2026-03-04", won=False)
    assert streaks([*days(0, 2), late, played], begin_of(date(2026, 3, 4))) == (1, 1)
