"""Whether a table can be one of a game: what is held to before a table from outside is taken for one."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from shared.rules.cards import DECK, SUITS, Card, builds_down, rank, suit
from shared.rules.piles import column, foundation
from shared.rules.table import Column, Table
from shared.rules.variants import Variant


def position_fault(table: Table, variant: Variant) -> str | None:
    """Why no game of a variant can come to a table, naming pile and card; None when nothing speaks against it."""
    return next((fault for check in _CHECKS for fault in check(table, variant)), None)


def _of_shape(table: Table, variant: Variant) -> Iterator[str]:
    if len(table.columns) != len(variant.columns):
        yield f"{len(table.columns)} columns: {variant.id} has {len(variant.columns)}"
    if len(table.foundations) != variant.foundations:
        yield f"{len(table.foundations)} foundations: {variant.id} has {variant.foundations}"


def _of_cards(table: Table, variant: Variant) -> Iterator[str]:
    places: dict[Card, list[str]] = {card: [] for card in DECK}
    for name, cards in _piles(table):
        for card in cards:
            places[card].append(name)
    for card, found in places.items():
        if len(found) > variant.decks:
            yield f"{card} is there {len(found)} times, in {' and '.join(found)}"
    missing = [card for card, found in places.items() for _ in range(variant.decks - len(found))]
    if missing:
        more = " …" if len(missing) > 5 else ""
        yield f"{variant.cards - len(missing)} cards, not {variant.cards}: {' '.join(missing[:5])}{more} missing"


def _of_foundations(table: Table, _variant: Variant) -> Iterator[str]:
    for index, pile in enumerate(table.foundations):
        for height, card in enumerate(pile, 1):
            if suit(card) != index % len(SUITS):
                yield f"{foundation(index)}: {card} is of another suit, {foundation(suit(card))} takes it"
            if rank(card) != height:
                yield f"{foundation(index)}: {card} cannot be card {height} there, it goes from the ace up by one"


def _of_columns(table: Table, variant: Variant) -> Iterator[str]:
    for index, (pile, dealt) in enumerate(zip(table.columns, variant.columns, strict=True)):
        name = column(index)
        if pile.down and not pile.up:
            yield f"{name}: {pile.down[-1]} lies face down on top, and would have been turned up"
        most = dealt - 1 if variant.faces == "top" else 0
        if len(pile.down) > most:
            yield f"{name}: {len(pile.down)} cards lie face down, {most} at most after the deal of {variant.id}"
        if variant.draws_to == "waste":
            yield from _of_runs(name, pile, dealt if variant.faces == "all" else 0)


def _of_runs(name: str, pile: Column, dealt: int) -> Iterator[str]:
    """A face-up card lies on one that it fits, or as it was dealt."""
    for place, (upper, lower) in enumerate(pairwise(pile.up), 1):
        if not builds_down(lower, upper) and place >= dealt:
            yield f"{name}: {lower} lies on {upper}, both face up, and does not fit there"


def _of_stock(table: Table, variant: Variant) -> Iterator[str]:
    dealt = variant.cards - sum(variant.columns)
    if (number := len(table.stock) + len(table.waste)) > dealt:
        yield f"stock and waste have {number} cards, {dealt} after the deal of {variant.id}"


def _of_pass(table: Table, variant: Variant) -> Iterator[str]:
    if table.pass_number < 1:
        yield f"pass {table.pass_number}: the first one is 1"
    if variant.passes is not None and table.pass_number > variant.passes:
        yield f"pass {table.pass_number}: {variant.id} allows {variant.passes}"


_CHECKS: Final[tuple[Callable[[Table, Variant], Iterator[str]], ...]] = (
    _of_shape,
    _of_foundations,
    _of_cards,
    _of_columns,
    _of_stock,
    _of_pass,
)


def _piles(table: Table) -> Iterator[tuple[str, tuple[Card, ...]]]:
    for index, pile in enumerate(table.columns):
        yield column(index), pile.down + pile.up
    for index, cards in enumerate(table.foundations):
        yield foundation(index), cards
    yield "stock", table.stock
    yield "waste", table.waste
