"""Where everything lies, in the cells of a terminal: piles from a view, cards of a size that fits.

Cards grow with the terminal. What lies face down under a long column is folded into one row before a table is taller
than there is room for; only a column that is longer even so makes the table scroll.
"""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from services.cli.playing.choosing import Place
from shared.messages.views import ColumnView, View
from shared.rules.cards import Card
from shared.rules.piles import Pile, column, foundation

Spot: TypeAlias = Pile | Literal["S"]
"""A pile, or the stock."""


class Size(NamedTuple):
    """A card's cells."""

    width: int
    height: int


SIZES: Final = (Size(9, 6), Size(7, 5), Size(7, 4), Size(6, 3), Size(5, 3))
"""The largest that fits is taken."""
GAP: Final = 1
"""Between columns. The cell left of a card is for the marks of cursor and hint."""
MARGIN: Final = 1
ROWS_BETWEEN: Final = 1
"""Between the upper row and the tableau."""
FAN: Final = 3
"""Cells that each card of a drawn three shows beside the next."""
FACES_USUAL: Final = 7
"""The length of a column that has to fit with its top card whole, for a size to be taken."""


class Slip(msgspec.Struct, frozen=True):
    """A card, a back, or an empty place, as far as it is seen."""

    spot: Spot
    kind: Literal["face", "back", "empty"]
    x: int
    y: int
    size: Size
    rows: int
    """How many of its rows are seen: all of the topmost card."""
    card: Card | None = None
    index: int = 0
    """Among the face-up cards of the pile."""
    beside: bool = False
    """Whether it lies on another one that is seen at its left."""
    count: int = 0
    """How many cards a back stands for, where that is worth telling."""

    @property
    def place(self) -> Place | None:
        """The face-up card."""
        return None if self.card is None or self.spot == "S" else Place(self.spot, self.index, self.card)

    def covers(self, x: int, y: int) -> bool:
        return self.x <= x < self.x + self.size.width and self.y <= y < self.y + self.rows


class Layout(msgspec.Struct, frozen=True):
    """A table laid out."""

    slips: tuple[Slip, ...]
    """In the order they are painted."""
    width: int
    height: int

    def at(self, x: int, y: int) -> Slip | None:
        """What lies at a cell; below a column, its topmost card."""
        found = [slip for slip in self.slips if slip.covers(x, y)]
        if found:
            return found[-1]
        below = [slip for slip in self.slips if slip.x <= x < slip.x + slip.size.width and slip.y <= y]
        return below[-1] if below and below[-1].spot[0] == "T" else None

    def top(self, spot: Spot) -> Slip:
        """The slip that is uppermost on a pile."""
        return next(slip for slip in reversed(self.slips) if slip.spot == spot)

    def of(self, place: Place) -> Slip:
        """The slip of a card; where it is not seen, what is uppermost on its pile."""
        return next((slip for slip in self.slips if slip.place == place), None) or self.top(place.pile)

    def row(self, *, upper: bool) -> list[Spot]:
        """The piles of the upper row, or the columns, from the left."""
        tops = {slip.spot: slip.x for slip in self.slips if (slip.spot[0] != "T") == upper}
        return sorted(tops, key=lambda spot: tops[spot])


def least(view: View) -> Size:
    """The cells that a table of this kind needs at least."""
    smallest = SIZES[-1]
    return Size(_width(smallest, len(view.columns)), _height(smallest, folded=True))


def lay_out(view: View, room: Size) -> Layout:
    """The table in a room of so many cells, which is no smaller than `least`."""
    size = next((one for one in SIZES if _fits(one, view, room)), SIZES[-1])
    step = size.width + GAP
    left = max(MARGIN, (room.width - _width(size, len(view.columns))) // 2 + MARGIN)
    xs = [left + index * step for index in range(len(view.columns))]
    upper = 1 if _height(size, folded=False) < room.height else 0
    tableau = upper + size.height + ROWS_BETWEEN
    slips = [*_upper(view, size, xs, upper)]
    for index, one in enumerate(view.columns):
        fold = _length(one, size, folded=False) > room.height - tableau
        slips += _column(one, column(index), size, xs[index], tableau, folded=fold)
    height = max(slip.y + slip.rows for slip in slips)
    return Layout(tuple(slips), xs[-1] + size.width, height)


def _fits(size: Size, view: View, room: Size) -> bool:
    return _width(size, len(view.columns)) <= room.width and _height(size, folded=False) <= room.height


def _width(size: Size, columns: int) -> int:
    return MARGIN + columns * (size.width + GAP)


def _height(size: Size, *, folded: bool) -> int:
    """What a usual column needs below the upper row."""
    down = 1 if folded else 4
    return size.height + ROWS_BETWEEN + down + FACES_USUAL - 1 + size.height


def _upper(view: View, size: Size, xs: list[int], y: int) -> Iterator[Slip]:
    """Stock and waste on the left, foundations on the right."""
    kind: Literal["back", "empty"] = "back" if view.stock else "empty"
    yield Slip("S", kind, xs[0], y, size, size.height, count=view.stock)
    if view.draws_to == "waste":
        yield from _waste(view, size, xs[1], y)
    first = len(xs) - len(view.foundations)
    for index, cards in enumerate(view.foundations):
        x = xs[first + index]
        if cards:
            yield Slip(foundation(index), "face", x, y, size, size.height, cards[-1], len(cards) - 1)
        else:
            yield Slip(foundation(index), "empty", x, y, size, size.height)


def _waste(view: View, size: Size, x: int, y: int) -> Iterator[Slip]:
    if not view.waste:
        yield Slip("W", "empty", x, y, size, size.height)
    first = max(0, len(view.waste) - max(1, min(view.draw, 3)))
    for index, card in enumerate(view.waste[first:]):
        yield Slip("W", "face", x + index * FAN, y, size, size.height, card, first + index, beside=index > 0)


def _column(one: ColumnView, pile: Pile, size: Size, x: int, y: int, *, folded: bool) -> Iterator[Slip]:
    if not one.up and not one.down:
        yield Slip(pile, "empty", x, y, size, size.height)
        return
    backs = min(one.down, 1) if folded else one.down
    for index in range(backs):
        whole = not one.up and index == backs - 1
        count = one.down if folded and one.down > 1 else 0
        yield Slip(pile, "back", x, y + index, size, size.height if whole else 1, count=count)
    for index, card in enumerate(one.up):
        rows = size.height if index == len(one.up) - 1 else 1
        yield Slip(pile, "face", x, y + backs + index, size, rows, card, index)


def _length(one: ColumnView, size: Size, *, folded: bool) -> int:
    backs = min(one.down, 1) if folded else one.down
    return backs + max(0, len(one.up) - 1) + size.height
