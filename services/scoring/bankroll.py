"""What a player has won and lost in dollars."""

from collections.abc import Iterable

from shared.messages.answers import Statistics
from shared.rules.scoring import SCORINGS


def bankroll(rows: Iterable[Statistics]) -> int | None:
    """The sum over all ended games that are played for dollars; none where a player has begun no such game.

    A game that was dealt and ended without a move leaves no trace here either, so its stake is not lost.
    """
    dollars = [row.points for row in rows if row.scoring in SCORINGS and SCORINGS[row.scoring].unit == "dollars"]
    return sum(dollars) if dollars else None
