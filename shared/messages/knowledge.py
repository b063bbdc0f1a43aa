"""What a player may know of a table, from the cards that were ever seen: the others are left out here, in one place."""

from shared.messages.jobs import Knowledge, KnownColumn
from shared.rules.cards import Card
from shared.rules.table import Table


def knowledge(table: Table, seen: frozenset[Card]) -> Knowledge:
    """Where the cards are that lie face up, and those of `seen` that lie face down."""
    return Knowledge(
        columns=tuple(KnownColumn(down=_known(column.down, seen), up=column.up) for column in table.columns),
        foundations=table.foundations,
        stock=_known(table.stock, seen),
        waste=table.waste,
        pass_number=table.pass_number,
    )


def _known(cards: tuple[Card, ...], seen: frozenset[Card]) -> tuple[Card | None, ...]:
    return tuple(card if card in seen else None for card in cards)
