"""What the computer remembers of its own side: the order of the stock, once it has been drawn through. Pure."""

import msgspec

from shared.messages.jobs import Knowledge, KnownColumn
from shared.messages.views import View
from shared.rules.cards import Card


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """The stock as far as it was seen, the card drawn next last, and what the next view is compared with."""

    stock: tuple[Card | None, ...]
    waste: tuple[Card, ...]
    pass_number: int


def first(view: View) -> Memory:
    """Of a game that is seen for the first time, or again after it was lost sight of."""
    return Memory(stock=(None,) * view.stock, waste=view.waste, pass_number=view.pass_number)


def after(memory: Memory, view: View) -> Memory:
    """After one move of the own side: only that changes stock and waste."""
    stock: tuple[Card | None, ...] = memory.stock
    if view.pass_number == memory.pass_number + 1:
        stock = memory.waste[::-1]
    elif view.pass_number != memory.pass_number or view.stock > len(stock):
        return first(view)
    return Memory(stock=stock[: view.stock], waste=view.waste, pass_number=view.pass_number)


def knowledge(memory: Memory, view: View) -> Knowledge:
    """What is known of the own side. A card that lies face down in a column was never seen: nothing is taken back."""
    return Knowledge(
        columns=tuple(KnownColumn(down=(None,) * column.down, up=column.up) for column in view.columns),
        foundations=view.foundations,
        stock=memory.stock,
        waste=view.waste,
        pass_number=view.pass_number,
    )
