"""The variants of Klondike, as data. A variant is a row here; no other module asks for a variant by name."""

from typing import Final, Literal

import msgspec

DrawsTo = Literal["waste", "columns"]
"""Where a draw lays its cards: all onto the waste, or one onto each column, from the left, empty ones included."""


class Variant(msgspec.Struct, frozen=True, kw_only=True):
    """What differs between the games that this system plays."""

    id: str
    version: str = "1.0.0"
    players: int = 1
    """Who plays at once. A game against somebody is in no ranking of those who play alone."""
    decks: int = 1
    columns: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7)
    """Cards dealt to each column, left to right."""
    faces: Literal["top", "all"] = "top"
    """Which cards of a column lie face up after the deal."""
    draw: int = 1
    """Cards that a draw turns up."""
    draws_to: DrawsTo = "waste"
    passes: int | None = None
    """How often the stock may be gone through, the first time included. None: without limit."""
    foundation_give_back: bool = True
    """Whether the top card of a foundation may go back to a column."""
    scorings: tuple[str, ...] = ("standard", "win-loss", "traditional")
    """The scoring modes that the variant may be played under, the usual one first."""

    @property
    def foundations(self) -> int:
        """Four foundations a deck."""
        return 4 * self.decks

    @property
    def cards(self) -> int:
        """How many cards are in play."""
        return 52 * self.decks


VARIANTS: Final[dict[str, Variant]] = {
    variant.id: variant
    for variant in (
        Variant(id="draw1"),
        Variant(id="draw3", draw=3),
        Variant(id="draw1-1pass", passes=1),
        Variant(id="draw1-3pass", passes=3),
        Variant(id="draw3-1pass", draw=3, passes=1),
        Variant(id="draw3-3pass", draw=3, passes=3),
        Variant(id="vegas", draw=3, passes=3, scorings=("vegas",)),
        Variant(id="vegas-draw1", passes=3, scorings=("vegas",)),
        Variant(id="open", faces="all"),
        Variant(
            id="spider-klondike",
            decks=2,
            columns=(6, 6, 6, 6, 5, 5, 5, 5, 5, 5),
            draw=10,
            draws_to="columns",
        ),
    )
}
