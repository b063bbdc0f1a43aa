"""The periods of rankings: all time, days, and weeks from Monday on, all in UTC. Pure: a time is in the same periods
whenever it is asked, so that a ranking of an old period is rebuilt as it was.

A day and a week are kept for a while after their end, which is written with them: Redis forgets them by itself, and a
rebuild makes exactly those again that would still be there.
"""

from datetime import UTC, date, datetime, timedelta
from typing import Final, assert_never

import msgspec

from shared.messages.answers import PeriodKind

DAYS_KEPT: Final = 8
"""Days that are over, of which the ranking is kept."""
WEEKS_KEPT: Final = 5

DAY_SECONDS: Final = 86_400
WEEK_DAYS: Final = 7
MILLISECONDS: Final = 1_000
_LAST: Final = 253_402_214_400_000
"""The last day that a calendar has: no record, whatever its clock, may hold up the others."""
_EPOCH: Final = date(1970, 1, 1).toordinal()


class Period(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of time whose wins are ranked."""

    kind: PeriodKind
    name: str
    """A part of its keys."""
    begins_at: int | None = None
    """Milliseconds since 1970, UTC."""
    ends_at: int | None = None
    """Not a part of it any more."""
    gone_at: int | None = None
    """When its ranking is forgotten."""


ALL: Final = Period(kind="all", name="all")


def day_of(day: date) -> Period:
    """A day as a period."""
    return _dated("day", day.isoformat(), day, days=1, kept=DAYS_KEPT)


def week_of(day: date) -> Period:
    """The week, from Monday on, that a day is in."""
    year, week, weekday = day.isocalendar()
    monday = day - timedelta(days=weekday - 1)
    return _dated("week", f"{year}-W{week:02}", monday, days=WEEK_DAYS, kept=WEEKS_KEPT * WEEK_DAYS)


def periods_of(at: int) -> tuple[Period, Period, Period]:
    """The periods that a time is in."""
    day = date_of(at)
    return ALL, day_of(day), week_of(day)


def period(kind: PeriodKind, day: date) -> Period:
    """The period of a kind that a day is in."""
    match kind:
        case "all":
            return ALL
        case "day":
            return day_of(day)
        case "week":
            return week_of(day)
        case _:
            assert_never(kind)


def date_of(at: int) -> date:
    """The day of a time, UTC."""
    return datetime.fromtimestamp(min(at, _LAST) / MILLISECONDS, UTC).date()


def begin_of(day: date) -> int:
    """When a day begins, UTC."""
    return (day.toordinal() - _EPOCH) * DAY_SECONDS * MILLISECONDS


def _dated(kind: PeriodKind, name: str, first: date, *, days: int, kept: int) -> Period:
    begins_at = begin_of(first)
    ends_at = begins_at + days * DAY_SECONDS * MILLISECONDS
    gone_at = ends_at + kept * DAY_SECONDS * MILLISECONDS
    return Period(kind=kind, name=f"{kind}-{name}", begins_at=begins_at, ends_at=ends_at, gone_at=gone_at)
