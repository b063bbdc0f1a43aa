"""A win as one number that Redis can order players by, and back.

By best points: `points * 2^36 + (2^36 - 1 - play_ms)`. Redis holds a score as a double, exact up to 2^53, so points
of up to ±65,535 and play times of up to 2^36 - 1 ms (795 days) order exactly; what lies beyond is cut to that. The
greatest number of a player's wins is the player's. Players that are equal are ordered by their id, so that a rebuilt
ranking is the same. Where a scoring ranks by wins the number is how many there are.
"""

from typing import Final

import msgspec

from services.scoring.periods import periods_of
from shared.messages.answers import Rank
from shared.messages.base import PlayerId
from shared.rules.scoring import SCORINGS

_TIME_BITS: Final = 36
PLAY_MS_MAX: Final = 2**_TIME_BITS - 1
POINTS_MAX: Final = 2**16 - 1


class Win(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was won, alone and without help, on cards that nobody could know."""

    player: PlayerId
    variant: str
    scoring: str
    at: int
    points: int
    play_ms: int


class RankingId(msgspec.Struct, frozen=True):
    """Which ranking."""

    period: str
    gone_at: int | None
    variant: str
    scoring: str


Rankings = dict[RankingId, dict[PlayerId, int]]
"""The numbers that some wins bring to rankings: the greatest of each player, or how many where wins are counted."""


def by_wins(scoring: str) -> bool:
    """Whether a scoring mode ranks by the number of wins."""
    return scoring in SCORINGS and SCORINGS[scoring].ranked_by == "wins"


def enter(rankings: Rankings, win: Win) -> None:
    """Add a win to the rankings of all periods that it is in."""
    for period in periods_of(win.at):
        one = rankings.setdefault(RankingId(period.name, period.gone_at, win.variant, win.scoring), {})
        old = one.get(win.player)
        if by_wins(win.scoring):
            one[win.player] = (old or 0) + 1
        else:
            one[win.player] = score(win) if old is None else max(old, score(win))


def score(win: Win) -> int:
    """The number of a win, the higher the better."""
    points = max(-POINTS_MAX, min(win.points, POINTS_MAX))
    return (points << _TIME_BITS) + PLAY_MS_MAX - min(win.play_ms, PLAY_MS_MAX)


def rank(scoring: str, place: int, player: PlayerId, number: int) -> Rank:
    """The place of a player, from the number that is kept."""
    if by_wins(scoring):
        return Rank(place=place, player=player, points=number, play_ms=0)
    points, rest = number >> _TIME_BITS, number & PLAY_MS_MAX
    return Rank(place=place, player=player, points=points, play_ms=PLAY_MS_MAX - rest)
