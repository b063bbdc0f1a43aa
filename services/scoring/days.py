"""What becomes of a player's deals of the day: the best of each day as one number, and days in a row.

A number has, the greater the better: won in time, won without help, won at all, and the shorter time. A day that was
played and not won is 0. So whatever order games come in, the greatest is kept, and nothing is read to write it.
"""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

import msgspec

from services.scoring.periods import DAY_SECONDS, MILLISECONDS, begin_of
from shared.messages.answers import DayResult
from shared.messages.base import PlayerId

GRACE_MS: Final = 12 * 3_600 * MILLISECONDS
"""A day is over everywhere on Earth so long after it is over in UTC. Until then its deal is won in time."""
_TIME_BITS: Final = 36
_TIME_MAX: Final = 2**_TIME_BITS - 1
_WON, _ALONE, _IN_TIME = 1, 2, 4

NOT_WON: Final = 0


class DayKey(msgspec.Struct, frozen=True):
    """One day's deal of a player."""

    player: PlayerId
    variant: str
    day: str


def valid_day(text: str) -> bool:
    """Whether a day of the log is one of the calendar."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def over_at(day: date) -> int:
    """When a day is over everywhere on Earth."""
    return begin_of(day) + DAY_SECONDS * MILLISECONDS + GRACE_MS


def number_of_win(day: str, at: int, play_ms: int, *, assisted: bool) -> int:
    """The number of a win."""
    in_time = _IN_TIME if at < over_at(date.fromisoformat(day)) else 0
    kind = _WON | in_time | (0 if assisted else _ALONE)
    return (kind << _TIME_BITS) + _TIME_MAX - min(play_ms, _TIME_MAX)


def result_of(day: str, number: int) -> DayResult:
    """What a number says."""
    if number == NOT_WON:
        return DayResult(day=day, won=False)
    kind, rest = number >> _TIME_BITS, number & _TIME_MAX
    return DayResult(
        day=day, won=True, in_time=bool(kind & _IN_TIME), assisted=not kind & _ALONE, play_ms=_TIME_MAX - rest
    )


def streaks(results: Sequence[DayResult], now: int) -> tuple[int, int]:
    """How many days in a row were won in time: up to now, and at most."""
    won = sorted(date.fromisoformat(result.day) for result in results if result.in_time)
    lengths: list[int] = []
    for index, day in enumerate(won):
        follows = index > 0 and day - won[index - 1] == timedelta(days=1)
        lengths.append(lengths[-1] + 1 if follows else 1)
    if not won:
        return 0, 0
    still_runs = now < over_at(won[-1] + timedelta(days=1))
    return (lengths[-1] if still_runs else 0), max(lengths)
