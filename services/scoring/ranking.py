"""A standing as one number that Redis can order by, and back.

By best points: `points * 2^36 + (2^36 - 1 - play_ms)`. Redis holds a score as a double, exact up to 2^53, so points
of up to ±65,535 and play times of up to 2^36 - 1 ms (795 days) order exactly; what lies beyond is cut to that. Players
that are equal in both are ordered by their id, so that a rebuilt ranking is the same.
"""

from typing import Final

from services.scoring.rows import Standing
from shared.messages.answers import Rank
from shared.messages.base import PlayerId
from shared.rules.scoring import SCORINGS

_TIME_BITS: Final = 36
PLAY_MS_MAX: Final = 2**_TIME_BITS - 1
POINTS_MAX: Final = 2**16 - 1


def by_wins(scoring: str) -> bool:
    """Whether a scoring mode ranks by the number of wins."""
    return scoring in SCORINGS and SCORINGS[scoring].ranked_by == "wins"


def score(standing: Standing) -> int:
    """The number that a ranking is ordered by, highest first."""
    if by_wins(standing.scoring):
        return standing.wins
    points = max(-POINTS_MAX, min(standing.points, POINTS_MAX))
    return (points << _TIME_BITS) + PLAY_MS_MAX - min(standing.play_ms, PLAY_MS_MAX)


def rank(scoring: str, place: int, player: PlayerId, score: int) -> Rank:
    """The place of a player, from the number that `score` gave."""
    if by_wins(scoring):
        return Rank(place=place, player=player, points=score, play_ms=0)
    points, rest = score >> _TIME_BITS, score & PLAY_MS_MAX
    return Rank(place=place, player=player, points=points, play_ms=PLAY_MS_MAX - rest)
