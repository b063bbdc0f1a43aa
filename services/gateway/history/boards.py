"""What a board shows after an event. No rule is asked, and no hidden card is known: only how many there are."""

from typing import assert_never

from msgspec.structs import replace

from shared.messages.events import CardsDrawn, CardsMoved, StockRecycled
from shared.messages.history import Board
from shared.messages.moved import Moved
from shared.messages.views import ColumnView
from shared.rules.cards import Card
from shared.rules.piles import Pile, PileKind, column, parts
from shared.rules.variants import Variant

Faces = tuple[tuple[Card, ...], ...]
"""The face-up cards of each column after the deal."""


def bare(variant: Variant) -> Board:
    """The board before cards are dealt."""
    columns = (ColumnView(down=0, up=()),) * len(variant.columns)
    return Board(columns=columns, foundations=((),) * variant.foundations, stock=0, waste=(), pass_number=1)


def dealt(faces: Faces, variant: Variant) -> Board:
    """The board after the deal."""
    sizes = zip(variant.columns, faces, strict=True)
    return replace(
        bare(variant),
        columns=tuple(ColumnView(down=size - len(up), up=up) for size, up in sizes),
        stock=variant.cards - sum(variant.columns),
    )


def after(board: Board, event: Moved, variant: Variant) -> Board:
    """The board after a move.

    Raises:
        IndexError: it has no such piles, or too few cards on them.
    """
    match event:
        case CardsMoved(source=source, target=target, cards=cards, turned_up=turned_up):
            lifted = _changed(board, source, take=len(cards), turned_up=turned_up)
            return _changed(lifted, target, put=cards)
        case CardsDrawn(cards=cards):
            left = replace(board, stock=board.stock - len(cards))
            return _changed(left, "W", put=cards) if variant.draws_to == "waste" else _dealt_on(left, cards)
        case StockRecycled(begins_pass=begins_pass):
            return replace(board, stock=len(board.waste), waste=(), pass_number=begins_pass)
    assert_never(event)


def cards_up(board: Board, variant: Variant) -> int:
    """How many of the player's own cards are on the foundations: once they are dealt, those that lie nowhere else."""
    elsewhere = sum(pile.down + len(pile.up) for pile in board.columns) + board.stock + len(board.waste)
    return variant.cards - elsewhere if elsewhere or any(board.foundations) else 0


def _dealt_on(board: Board, cards: tuple[Card, ...]) -> Board:
    """The board with a card more on each column, from the left."""
    for index, card in enumerate(cards):
        board = _changed(board, column(index), put=(card,))
    return board


def _changed(
    board: Board, pile: Pile, *, take: int = 0, put: tuple[Card, ...] = (), turned_up: Card | None = None
) -> Board:
    """The board with cards taken off a pile, or put on it, and the card below them turned up if there is one."""
    kind, index = parts(pile)
    match kind:
        case PileKind.TABLEAU:
            column = board.columns[index]
            up = _cut(column.up, take) + put + ((turned_up,) if turned_up else ())
            changed = ColumnView(down=column.down - (turned_up is not None), up=up)
            return replace(board, columns=(*board.columns[:index], changed, *board.columns[index + 1 :]))
        case PileKind.FOUNDATION:
            pile_cards = _cut(board.foundations[index], take) + put
            return replace(board, foundations=(*board.foundations[:index], pile_cards, *board.foundations[index + 1 :]))
        case PileKind.WASTE:
            return replace(board, waste=_cut(board.waste, take) + put)
    assert_never(kind)


def _cut(cards: tuple[Card, ...], take: int) -> tuple[Card, ...]:
    if take > len(cards):
        raise IndexError(take)
    return cards[: len(cards) - take]
