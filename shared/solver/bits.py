"""Sets of cards as bits, and what a dozen operations tell about all 52 at once.

A card is a bit: four bits a rank, ace first; in a rank diamonds, hearts, clubs, spades. A set of cards is an int64.
"Up" are the cards on the foundations.
"""

from typing import Final

from shared.solver.intrinsics import compiled, popcount

CALLEES: Final = "e250284956965dff"
"""A digest of the modules that are compiled into this one. A test says what it has to be."""

ALL: Final = (1 << 52) - 1
ACES: Final = 0xF
KINGS: Final = 0xF << 48
SUIT: Final = 0x1111111111111
EVEN: Final = 0x5555555555555
REDS: Final = 0x3333333333333
BLACKS: Final = ALL ^ REDS


@compiled
def other_colour(cards: int) -> int:
    """Each pair of a colour moved to the place of the other colour in its rank."""
    return ((cards & REDS) << 2) | ((cards & BLACKS) >> 2)


@compiled
def twins(cards: int) -> int:
    """The other card of rank and colour, of each card."""
    return ((cards & EVEN) << 1) | ((cards >> 1) & EVEN)


@compiled
def next_up(up: int) -> int:
    """The next card of each foundation."""
    return ((up << 4) | ACES) & ~up & ALL


@compiled
def room(visible: int, lying: int, free: int) -> int:
    """The cards for which the tableau has room: fewer of their rank and colour lie on others than could.

    Two bits count to two: below compares the numbers of possible parents and of cards that lie on them.
    """
    parents = other_colour(visible >> 4)
    odd = (parents ^ (parents >> 1)) ^ (lying ^ (lying >> 1))
    none = (parents | (parents >> 1)) & ~(lying | (lying >> 1))
    pairs = (odd | none) & EVEN & ~KINGS
    fits = pairs | (pairs << 1)
    if popcount(lying & KINGS) < free:
        fits |= KINGS
    return fits


@compiled
def bare(fits: int) -> int:
    """The cards that nothing need lie on, given what has room."""
    return other_colour((fits & ~KINGS) << 4) | ACES


@compiled
def safe_next(floor: int) -> int:
    """The cards next to a floor that are never needed in the tableau once they can go up."""
    below = (floor << 8) | 0xFF
    return next_up(floor) & other_colour(below & twins(below)) & twins((floor << 12) | 0xFFF)
