"""Whether a question about a game can be true: it comes from another process, and nothing in it is taken on trust."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, cast

from shared.messages.jobs import GameQuestion, Knowledge
from shared.rules.cards import DECK, SUITS, Card, is_run, rank, suit
from shared.rules.legal import legal_moves
from shared.rules.moves import move_text
from shared.rules.table import Column, Table
from shared.rules.variants import VARIANTS, Variant

_UNSEEN: Final = cast(Card, "??")
"""Stands for a card that was never seen, where only the number of cards counts. No function of the rules knows it."""


def question_fault(asked: GameQuestion) -> str | None:
    """What is wrong with a question, as one sentence that names the field; None when it can be worked on."""
    variant = VARIANTS.get(asked.variant)
    if variant is None:
        return f"variant: there is none called {asked.variant!r}; known are {', '.join(VARIANTS)}"
    faults = (fault for check in _CHECKS if (fault := check(asked.known, variant)) is not None)
    return next(faults, None) or _fault_in_legal(asked, variant)


def as_table(known: Knowledge) -> Table:
    """The table that the rules see: legal moves depend on no card that was never seen."""
    return Table(
        columns=tuple(Column(tuple(card or _UNSEEN for card in column.down), column.up) for column in known.columns),
        foundations=known.foundations,
        stock=tuple(card or _UNSEEN for card in known.stock),
        waste=known.waste,
        pass_number=known.pass_number,
    )


def _fault_in_shape(known: Knowledge, variant: Variant) -> str | None:
    if len(known.columns) != len(variant.columns):
        return f"known.columns: {len(variant.columns)} are needed, there are {len(known.columns)}"
    if len(known.foundations) != variant.foundations:
        return f"known.foundations: {variant.foundations} are needed, there are {len(known.foundations)}"
    number = sum(1 for _ in _cards(known))
    if number != variant.cards:
        return f"known: {variant.cards} cards are in play, there are {number}"
    return None


def _fault_in_cards(known: Knowledge, variant: Variant) -> str | None:
    seen = Counter(card for card in _cards(known) if card is not None)
    card, times = max(seen.items(), key=lambda entry: entry[1], default=(DECK[0], 0))
    return f"known: {card} is there {times} times" if times > variant.decks else None


def _fault_in_piles(known: Knowledge, variant: Variant) -> str | None:
    for index, column in enumerate(known.columns):
        if column.down and not column.up:
            return f"known.columns[{index}]: the topmost card lies face up, always"
        if variant.faces == "top" and variant.draws_to == "waste" and not is_run(column.up):
            return f"known.columns[{index}].up: face-up cards are a run, these are not"
    for index, pile in enumerate(known.foundations):
        if any(suit(card) != index % len(SUITS) or rank(card) != height for height, card in enumerate(pile, 1)):
            return f"known.foundations[{index}]: its cards are not ace upwards in its suit"
    return None


def _fault_in_pass(known: Knowledge, variant: Variant) -> str | None:
    if known.pass_number < 1 or (variant.passes is not None and known.pass_number > variant.passes):
        return f"known.pass_number: {known.pass_number} is no pass of {variant.id}"
    return None


_CHECKS: Final[tuple[Callable[[Knowledge, Variant], str | None], ...]] = (
    _fault_in_shape,
    _fault_in_cards,
    _fault_in_piles,
    _fault_in_pass,
)


def _fault_in_legal(asked: GameQuestion, variant: Variant) -> str | None:
    legal = {move_text(move) for move in legal_moves(as_table(asked.known), variant)}
    wrong = sorted(legal.symmetric_difference(asked.legal))
    return f"legal: differs from the rules in {', '.join(wrong[:5])}" if wrong else None


def _cards(known: Knowledge) -> Iterator[Card | None]:
    for column in known.columns:
        yield from column.down
        yield from column.up
    for pile in known.foundations:
        yield from pile
    yield from known.stock
    yield from known.waste
