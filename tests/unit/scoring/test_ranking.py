"""The number that a ranking is ordered by."""

from hypothesis import given
from hypothesis import strategies as st

from services.scoring.ranking import PLAY_MS_MAX, POINTS_MAX, rank, score
from services.scoring.rows import Standing
from shared.messages.base import PlayerId
from tests.scoring_logs import player_id

DOUBLE_EXACT_MAX = 2**53
POINTS = st.integers(-POINTS_MAX, POINTS_MAX)
PLAY_MS = st.integers(0, PLAY_MS_MAX)


def standing(points: int, play_ms: int, *, scoring: str = "standard", wins: int = 1) -> Standing:
    return Standing(variant="draw1", scoring=scoring, wins=wins, points=points, play_ms=play_ms)


@given(POINTS, PLAY_MS, POINTS, PLAY_MS)
def test_more_points_rank_higher_and_among_equal_points_less_time(a: int, a_ms: int, b: int, b_ms: int) -> None:
    assert (score(standing(a, a_ms)) > score(standing(b, b_ms))) == ((a, -a_ms) > (b, -b_ms))


@given(POINTS, PLAY_MS)
def test_redis_holds_the_number_exactly_and_it_reads_back(points: int, play_ms: int) -> None:
    number = score(standing(points, play_ms))
    assert abs(number) <= DOUBLE_EXACT_MAX
    read_back = rank("standard", 3, player_id(1), int(float(number)))
    assert (read_back.place, read_back.points, read_back.play_ms) == (3, points, play_ms)


def test_what_is_beyond_the_range_is_cut_and_not_wrapped_around() -> None:
    assert score(standing(10**9, 10**15)) == score(standing(POINTS_MAX, PLAY_MS_MAX))
    assert score(standing(-(10**9), 0)) == score(standing(-POINTS_MAX, 0))


@given(st.integers(1, 10**6))
def test_win_loss_ranks_by_wins_alone(wins: int) -> None:
    number = score(standing(5, 17, scoring="win-loss", wins=wins))
    assert number == score(standing(1, 3, scoring="win-loss", wins=wins)) == wins
    assert rank("win-loss", 1, PlayerId("p"), number).points == wins
