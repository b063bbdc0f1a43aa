"""One player's table, immutable, and the two things that happen to it: a move is applied, or reverted.

Nothing here asks whether a move is allowed; `legal` does.
"""

from typing import Final, TypeVar, assert_never

import msgspec

from shared.rules.cards import KING, Card
from shared.rules.moves import Draw, Move, MoveCards, Recycle
from shared.rules.piles import Pile, PileKind, parts
from shared.rules.variants import DrawsTo, Variant

T = TypeVar("T")

EMPTY: Final[tuple[Card, ...]] = ()


class Column(msgspec.Struct, frozen=True, array_like=True):
    """A column of the tableau. In both parts the topmost card is last; `up` lies on `down`."""

    down: tuple[Card, ...] = EMPTY
    up: tuple[Card, ...] = EMPTY


class Table(msgspec.Struct, frozen=True, array_like=True):
    """All piles of one player. The topmost card, the one played or drawn next, is always last."""

    columns: tuple[Column, ...]
    foundations: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    waste: tuple[Card, ...] = EMPTY
    pass_number: int = 1
    """1 for the first time through the stock."""


class Applied(msgspec.Struct, frozen=True):
    """A table after a move, and what the move did."""

    table: Table
    cards: tuple[Card, ...]
    """The cards that were moved, drawn, or turned over, in the order they lie on their new pile."""
    turned_up: Card | None = None


def lay_out(deck: tuple[Card, ...], variant: Variant) -> Table:
    """Deal a deck in dealing order: row by row, a card to each column that is not full yet; the rest is the stock.

    The first card of the rest is drawn first.
    """
    piles: list[list[Card]] = [[] for _ in variant.columns]
    cards = iter(deck)
    for row in range(max(variant.columns)):
        for pile, size in zip(piles, variant.columns, strict=True):
            if row < size:
                pile.append(next(cards))
    stock = tuple(cards)[::-1]
    face_up = 1 if variant.faces == "top" else variant.cards
    columns = tuple(Column(tuple(pile[:-face_up]), tuple(pile[-face_up:])) for pile in piles)
    return Table(columns, (EMPTY,) * variant.foundations, stock)


def apply(table: Table, move: Move, variant: Variant) -> Applied:
    """The table after a legal move. A face-down card that comes to lie on top of its column is turned up with it."""
    match move:
        case MoveCards(source=source, target=target, count=count):
            lifted, cards, turned_up = _lift(table, source, count)
            return Applied(_lay(lifted, target, cards), cards, turned_up)
        case Draw():
            drawn = table.stock[: -variant.draw - 1 : -1]
            left = msgspec.structs.replace(table, stock=table.stock[: -len(drawn)])
            return Applied(_DRAWS[variant.draws_to].lay(left, drawn), drawn)
        case Recycle():
            turned = table.waste[::-1]
            renewed = msgspec.structs.replace(table, stock=turned, waste=EMPTY, pass_number=table.pass_number + 1)
            return Applied(renewed, turned)
    assert_never(move)


def revert(table: Table, move: Move, variant: Variant, *, count: int, turned_up: bool) -> Table:
    """The table before a move that moved `count` cards: the exact inverse of `apply`."""
    match move:
        case MoveCards(source=source, target=target):
            cards = pile_cards(table, target)[-count:]
            covered = _turn_down(table, source) if turned_up else table
            return _lay(_without(covered, target, count), source, cards)
        case Draw():
            without, drawn = _DRAWS[variant.draws_to].take_back(table, count)
            return msgspec.structs.replace(without, stock=without.stock + drawn[::-1])
        case Recycle():
            waste = table.stock[::-1]
            return msgspec.structs.replace(table, stock=EMPTY, waste=waste, pass_number=table.pass_number - 1)
    assert_never(move)


def pile_cards(table: Table, pile: Pile) -> tuple[Card, ...]:
    """The face-up cards of a pile, topmost last.

    Raises:
        IndexError: the variant has no such pile.
    """
    kind, index = parts(pile)
    if kind is PileKind.TABLEAU:
        return table.columns[index].up
    return table.foundations[index] if kind is PileKind.FOUNDATION else table.waste


def is_won(table: Table, variant: Variant) -> bool:
    """Whether all cards of the player are on the foundations."""
    if variant.players == 1 and len(table.foundations[0]) < KING:
        return False  # what is mostly so, and quickly seen
    return cards_up(table, variant) == variant.cards


def cards_up(table: Table, variant: Variant) -> int:
    """How many of the player's own cards are on the foundations: where others build on them too, those that lie nowhere
    else. Before cards are dealt, none.
    """
    if variant.shares_foundations:
        elsewhere = all_cards(msgspec.structs.replace(table, foundations=EMPTY))
        return variant.cards - len(elsewhere) if elsewhere or any(table.foundations) else 0
    return sum(map(len, table.foundations))


def all_cards(table: Table) -> list[Card]:
    """Every card on the table, hidden ones too, in no order that means anything."""
    piles = [*table.foundations, table.stock, table.waste]
    for column in table.columns:
        piles += [column.down, column.up]
    return [card for pile in piles for card in pile]


class _OntoWaste:
    """A draw lays its cards on the waste."""

    @staticmethod
    def lay(table: Table, drawn: tuple[Card, ...]) -> Table:
        return msgspec.structs.replace(table, waste=table.waste + drawn)

    @staticmethod
    def take_back(table: Table, count: int) -> tuple[Table, tuple[Card, ...]]:
        """The table without the cards, and the cards as they were drawn."""
        return msgspec.structs.replace(table, waste=table.waste[:-count]), table.waste[-count:]


class _OntoColumns:
    """A draw lays a card on each column, from the left."""

    @staticmethod
    def lay(table: Table, drawn: tuple[Card, ...]) -> Table:
        under = table.columns[: len(drawn)]
        columns = tuple(Column(pile.down, (*pile.up, card)) for pile, card in zip(under, drawn, strict=True))
        return msgspec.structs.replace(table, columns=columns + table.columns[len(drawn) :])

    @staticmethod
    def take_back(table: Table, count: int) -> tuple[Table, tuple[Card, ...]]:
        dealt = table.columns[:count]
        columns = tuple(Column(pile.down, pile.up[:-1]) for pile in dealt)
        cards = tuple(pile.up[-1] for pile in dealt)
        return msgspec.structs.replace(table, columns=columns + table.columns[count:]), cards


_DRAWS: Final[dict[DrawsTo, type[_OntoWaste] | type[_OntoColumns]]] = {"waste": _OntoWaste, "columns": _OntoColumns}


def _put(table: Table, pile: Pile, cards: tuple[Card, ...]) -> Table:
    """The table with a pile's face-up cards replaced."""
    kind, index = parts(pile)
    match kind:
        case PileKind.TABLEAU:
            column = Column(table.columns[index].down, cards)
            return msgspec.structs.replace(table, columns=_replaced(table.columns, index, column))
        case PileKind.FOUNDATION:
            return msgspec.structs.replace(table, foundations=_replaced(table.foundations, index, cards))
        case PileKind.WASTE:
            return msgspec.structs.replace(table, waste=cards)
    assert_never(kind)


def _without(table: Table, pile: Pile, count: int) -> Table:
    return _put(table, pile, pile_cards(table, pile)[:-count])


def _lift(table: Table, pile: Pile, count: int) -> tuple[Table, tuple[Card, ...], Card | None]:
    """The table without some cards, these, and the card that is turned up where they lay."""
    kind, index = parts(pile)
    if kind is not PileKind.TABLEAU:
        return _without(table, pile, count), pile_cards(table, pile)[-count:], None
    column, turned_up = table.columns[index], None
    down, up = column.down, column.up[:-count]
    if down and not up:
        down, up, turned_up = down[:-1], down[-1:], down[-1]
    columns = _replaced(table.columns, index, Column(down, up))
    return msgspec.structs.replace(table, columns=columns), column.up[-count:], turned_up


def _lay(table: Table, pile: Pile, cards: tuple[Card, ...]) -> Table:
    """The table with cards on a pile that takes some."""
    kind, index = parts(pile)
    if kind is PileKind.TABLEAU:
        column = table.columns[index]
        laid = Column(column.down, column.up + cards)
        return msgspec.structs.replace(table, columns=_replaced(table.columns, index, laid))
    if kind is PileKind.FOUNDATION:
        built = table.foundations[index] + cards
        return msgspec.structs.replace(table, foundations=_replaced(table.foundations, index, built))
    return msgspec.structs.replace(table, waste=table.waste + cards)


def _turn_down(table: Table, pile: Pile) -> Table:
    _, index = parts(pile)
    column = table.columns[index]
    turned = Column(column.down + column.up, EMPTY)
    return msgspec.structs.replace(table, columns=_replaced(table.columns, index, turned))


def _replaced(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])
