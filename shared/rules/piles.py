"""The names of piles: `T1` … `T10` the tableau's columns from the left, `F1` … `F8` the foundations, `W` waste.

Foundation `Fn` takes one suit: clubs, diamonds, hearts, spades for F1 to F4, and again for F5 to F8.
"""

from enum import Enum
from typing import Final, Literal, get_args

Pile = Literal[
    "T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9", "T10",
    "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8",
    "W",
]  # fmt: skip


class PileKind(Enum):
    """The kinds of pile that cards are moved between."""

    TABLEAU = "T"
    FOUNDATION = "F"
    WASTE = "W"


_PARTS: Final[dict[Pile, tuple[PileKind, int]]] = {
    pile: (PileKind(pile[0]), int(pile[1:] or 1) - 1) for pile in get_args(Pile)
}

_COLUMNS: Final = tuple(pile for pile, (kind, _) in _PARTS.items() if kind is PileKind.TABLEAU)
_FOUNDATIONS: Final = tuple(pile for pile, (kind, _) in _PARTS.items() if kind is PileKind.FOUNDATION)


def parts(pile: Pile) -> tuple[PileKind, int]:
    """A pile's kind and its index from 0."""
    return _PARTS[pile]


def column(index: int) -> Pile:
    """The name of a column, counted from 0 at the left."""
    return _COLUMNS[index]


def foundation(index: int) -> Pile:
    """The name of a foundation, counted from 0."""
    return _FOUNDATIONS[index]
