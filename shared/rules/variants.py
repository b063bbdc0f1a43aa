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
    """How many play at once, each with a tableau, stock and waste of their own. A game against somebody is in no
    ranking of those who play alone."""
    decks: int = 1
    """Decks in play, those of all players together."""
    own_decks: bool = False
    """Whether each of several players has a shuffle of their own, or all the same."""
    shares_foundations: bool = False
    """Whether all players build on the same foundations."""
    unfinished: Literal["lost", "more-cards-up"] = "lost"
    """What counts where nobody of several players gets all cards up: nobody wins, or who has more up."""
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
        """Four foundations a deck: of all decks where players share them, else of each player's own."""
        return 4 * (self.decks if self.shares_foundations else self.decks_each)

    @property
    def decks_each(self) -> int:
        """How many decks each player plays with."""
        return self.decks // self.players

    @property
    def cards(self) -> int:
        """How many cards each player has in play."""
        return 52 * self.decks_each


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
        Variant(
            id="double",
            players=2,
            decks=2,
            own_decks=True,
            shares_foundations=True,
            foundation_give_back=False,
            unfinished="more-cards-up",
        ),
        Variant(id="double-mini", players=2, decks=2),
    )
}

SOLO: Final[dict[str, Variant]] = {name: variant for name, variant in VARIANTS.items() if variant.players == 1}
"""Those of them that one plays alone."""
