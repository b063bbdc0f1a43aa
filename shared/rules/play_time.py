"""How much of the time between two commands counts as play time."""

from typing import Final

IDLE_MS_MAX: Final = 60_000
"""A longer pause between two commands counts as this long: nobody's time grows while they are away."""


def counted_ms(pause: int) -> int:
    """The play time of a pause, both in milliseconds. A clock that ran backwards takes nothing away."""
    return min(max(pause, 0), IDLE_MS_MAX)
