"""Scoring modes as data, and the points of one move. A mode is a row; the formula is the same for all."""

from typing import Final, Literal

import msgspec

from shared.rules.piles import PileKind


class Scoring(msgspec.Struct, frozen=True, kw_only=True):
    """Points of a scoring mode. There is no floor at zero, and undo takes points back."""

    id: str
    tableau_to_foundation: int = 0
    waste_to_foundation: int = 0
    waste_to_tableau: int = 0
    foundation_to_tableau: int = 0
    turned_up: int = 0
    """A card of the tableau turned face up."""
    later_pass: int = 0
    """Each pass through the stock after the first."""
    at_deal: int = 0
    at_win: int = 0
    unit: Literal["points", "dollars"] = "points"
    """Dollars add up over a player's games: the bankroll."""
    ranked_by: Literal["best-points", "wins"] = "best-points"
    """What a ranking of this mode orders players by; equal best points by the shorter play time."""

    def points(self, source: PileKind, target: PileKind, *, turned_up: bool) -> int:
        """Points of moving cards from one kind of pile to another."""
        moved = 0
        if target is PileKind.FOUNDATION:
            if source is PileKind.TABLEAU:
                moved = self.tableau_to_foundation
            elif source is PileKind.WASTE:
                moved = self.waste_to_foundation
        elif target is PileKind.TABLEAU:
            if source is PileKind.WASTE:
                moved = self.waste_to_tableau
            elif source is PileKind.FOUNDATION:
                moved = self.foundation_to_tableau
        return moved + (self.turned_up if turned_up else 0)


SCORINGS: Final[dict[str, Scoring]] = {
    scoring.id: scoring
    for scoring in (
        Scoring(
            id="standard",
            tableau_to_foundation=10,
            waste_to_foundation=10,
            foundation_to_tableau=-15,
            turned_up=5,
        ),
        Scoring(id="win-loss", at_win=1, ranked_by="wins"),
        Scoring(
            id="traditional",
            tableau_to_foundation=10,
            waste_to_foundation=3,
            waste_to_tableau=5,
            foundation_to_tableau=-15,
            turned_up=5,
            later_pass=-20,
        ),
        Scoring(
            id="vegas",
            tableau_to_foundation=5,
            waste_to_foundation=5,
            foundation_to_tableau=-5,
            at_deal=-52,
            unit="dollars",
        ),
    )
}
