"""Which priority a worker asks for a job next: the higher first, and none is left out for long."""

from collections.abc import Mapping, Sequence
from typing import Final

from shared.subjects import PRIORITIES, Priority

NEGLECT_SECONDS: Final[Mapping[Priority, float]] = {"waiting": 0.0, "analysis": 10.0, "pool": 30.0}
"""A priority that was not asked for so long is asked first, once. So it is served though higher ones never end, and
what waits there is held up by at most one of its jobs in that time."""


class Turns:
    """One taker's order. It has no clock: it is told the time, in seconds."""

    def __init__(self, now: float, priorities: Sequence[Priority] = PRIORITIES) -> None:
        """`priorities` are those that are asked at all, the first before the others."""
        self._asked = dict.fromkeys(priorities, now)

    @property
    def first(self) -> Priority:
        """The one that is waited at when there is nothing anywhere."""
        return next(iter(self._asked))

    def order(self, now: float) -> tuple[Priority, ...]:
        """In this order, until there is a job. Each that is asked is to be told to `asked`."""
        neglected = [one for one in self._asked if now - self._asked[one] > NEGLECT_SECONDS[one] > 0]
        return (*reversed(neglected), *(one for one in self._asked if one not in neglected))

    def asked(self, priority: Priority, now: float) -> None:
        """It was asked, whether it had a job or not."""
        self._asked[priority] = now
