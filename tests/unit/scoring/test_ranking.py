"""Rankings: which wins they hold, in which periods, and the number that they are ordered by."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.scoring.periods import ALL, WEEKS_KEPT, begin_of, day_of, period, periods_of, week_of
from services.scoring.ranking import PLAY_MS_MAX, POINTS_MAX, Win, rank, score
from shared.messages.base import PlayerId
from shared.rules.variants import VARIANTS
from tests.scoring_logs import Script, player_id, scripts, write
from tests.unit.scoring.test_projections import folded

DOUBLE_EXACT_MAX = 2**53
DAY_MS = 86_400_000
POINTS = st.integers(-POINTS_MAX, POINTS_MAX)
PLAY_MS = st.integers(0, PLAY_MS_MAX)
WON = Script(acts=("move", "won"), points=500, play_ms=90)


def win(points: int, play_ms: int) -> Win:
    return Win(player=player_id(1), variant="draw1", scoring="standard", at=0, points=points, play_ms=play_ms)


@given(st.lists(scripts(), max_size=8))
def test_a_ranking_holds_the_best_unassisted_win_on_a_secret_deal_of_each_player_in_its_period(
    games: list[Script],
) -> None:
    expected: dict[tuple[str, str, str, PlayerId], list[Script]] = {}
    for game in games:
        for one in periods_of(game.ended_at) if game.ranked_win else ():
            key = (one.name, game.variant, game.scoring, player_id(game.player))
            expected.setdefault(key, []).append(game)
    found = {
        (ranking.period, ranking.variant, ranking.scoring, player): rank(ranking.scoring, 1, player, number)
        for ranking, numbers in folded(write(games)).rankings.items()
        for player, number in numbers.items()
    }
    assert found.keys() == expected.keys()
    for key, wins in expected.items():
        if key[2] == "win-loss":
            assert found[key].points == len(wins)
        else:
            best = min(wins, key=lambda game: (-game.points, game.play_ms))
            assert (found[key].points, found[key].play_ms) == (best.points, best.play_ms)


@pytest.mark.parametrize(
    "game",
    [
        replace(WON, secret=False),
        replace(WON, day="2026-03-01"),
        replace(WON, acts=("move", "hint", "won")),
        replace(WON, acts=("move", "resigned")),
        replace(WON, variant="of-a-later-release"),
    ],
)
def test_other_games_are_in_no_ranking(game: Script) -> None:
    assert folded(write([WON])).rankings
    assert folded(write([game])).rankings == {}


def test_a_game_of_several_players_is_in_no_ranking(monkeypatch: pytest.MonkeyPatch) -> None:
    """By what the table of variants says of them, whatever they are called."""
    from msgspec.structs import replace as with_field

    monkeypatch.setitem(VARIANTS, "draw1", with_field(VARIANTS["draw1"], players=2))
    assert folded(write([WON])).rankings == {}


@given(st.dates(date(1970, 1, 1), date(2999, 12, 30)), st.integers(0, DAY_MS - 1))
def test_days_and_weeks_begin_at_midnight_utc_and_weeks_on_monday(day: date, ms: int) -> None:
    at = begin_of(day) + ms
    assert datetime.fromtimestamp(begin_of(day) / 1000, UTC) == datetime(day.year, day.month, day.day, tzinfo=UTC)
    everything, its_day, its_week = periods_of(at)
    assert everything == ALL
    for one, days in ((its_day, 1), (its_week, 7)):
        assert one.begins_at is not None
        assert one.ends_at is not None
        assert one.begins_at <= at < one.ends_at == one.begins_at + days * DAY_MS
    assert its_week.begins_at is not None
    assert datetime.fromtimestamp(its_week.begins_at / 1000, UTC).weekday() == 0
    assert (period("day", day), period("week", day), period("all", day)) == (its_day, its_week, ALL)


def test_a_week_that_begins_in_an_old_year_is_named_by_the_calendar_of_weeks() -> None:
    assert week_of(date(2027, 1, 1)).name == week_of(date(2026, 12, 28)).name == "week-2026-W53"
    assert day_of(date(2027, 1, 1)).name == "day-2027-01-01"


def test_how_long_a_period_is_kept_depends_on_nothing_but_itself() -> None:
    week = week_of(date(2026, 3, 1))
    assert week.ends_at is not None
    assert week.gone_at == week.ends_at + WEEKS_KEPT * 7 * DAY_MS
    assert ALL.gone_at is None


@given(POINTS, PLAY_MS, POINTS, PLAY_MS)
def test_more_points_rank_higher_and_among_equal_points_less_time(a: int, a_ms: int, b: int, b_ms: int) -> None:
    assert (score(win(a, a_ms)) > score(win(b, b_ms))) == ((a, -a_ms) > (b, -b_ms))


@given(POINTS, PLAY_MS)
def test_redis_holds_the_number_exactly_and_it_reads_back(points: int, play_ms: int) -> None:
    number = score(win(points, play_ms))
    assert abs(number) <= DOUBLE_EXACT_MAX
    read_back = rank("standard", 3, player_id(1), int(float(number)))
    assert (read_back.place, read_back.points, read_back.play_ms) == (3, points, play_ms)


def test_what_is_beyond_the_range_is_cut_and_not_wrapped_around() -> None:
    assert score(win(10**9, 10**15)) == score(win(POINTS_MAX, PLAY_MS_MAX))
    assert score(win(-(10**9), 0)) == score(win(-POINTS_MAX, 0))


def test_a_clock_of_another_age_holds_up_nothing() -> None:
    assert periods_of(10**18)[1].name == "day-9999-12-31"
