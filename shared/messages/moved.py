"""The events that tell of a move, and the move that each tells of."""

from typing import assert_never

from shared.messages.events import CardsDrawn, CardsMoved, StockRecycled
from shared.rules.moves import Draw, Move, MoveCards, Recycle

Moved = CardsMoved | CardsDrawn | StockRecycled


def move_of(event: Moved) -> Move:
    """The move that a player chose when this happened."""
    match event:
        case CardsMoved(source=source, target=target, cards=cards):
            return MoveCards(source=source, target=target, count=len(cards))
        case CardsDrawn():
            return Draw()
        case StockRecycled():
            return Recycle()
    assert_never(event)
