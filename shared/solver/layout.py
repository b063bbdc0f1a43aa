"""A position on small integers, for search: what the player knows of the tableau, the foundations and the waste.

A card is its place in `DECK`. A pile is a number too: columns from 0, foundations from `FOUNDATION`, and `WASTE`.
`steps` leaves out what can never help, and is otherwise held to the rules' `legal_moves` by a property test.
"""

from itertools import pairwise
from typing import Final, NamedTuple

from shared.messages.jobs import Knowledge
from shared.rules import piles
from shared.rules.cards import DECK, KING, SUITS, Card, builds_down, is_red, rank, suit
from shared.rules.moves import MoveCards
from shared.rules.piles import Pile
from shared.rules.variants import Variant

FOUNDATION: Final = 32
WASTE: Final = 64

INDEX: Final[dict[Card, int]] = {card: index for index, card in enumerate(DECK)}
RANK: Final = tuple(rank(card) for card in DECK)
SUIT: Final = tuple(suit(card) for card in DECK)
RED: Final = tuple(is_red(card) for card in DECK)
HOSTS: Final = tuple(tuple(INDEX[lower] for lower in DECK if builds_down(lower, upper)) for upper in DECK)
"""Which cards may lie on a card in the tableau."""

KINGS: Final = tuple(index for index, card in enumerate(DECK) if rank(card) == KING)

FIRST_GIVEN_BACK: Final = 3
"""The lowest rank that may be taken back from a foundation: aces and twos are never useful in the tableau."""


class Column(NamedTuple):
    """How many cards lie face down, and the face-up ones on them, topmost last."""

    down: int
    up: tuple[int, ...]


class Position(NamedTuple):
    """What search moves about in. `heights` are the foundations' numbers of cards."""

    columns: tuple[Column, ...]
    heights: tuple[int, ...]
    waste: tuple[int, ...]


class Step(NamedTuple):
    """A move of the `size` topmost cards of a pile."""

    source: int
    target: int
    size: int = 1


def position_of(known: Knowledge) -> Position:
    """The part of a player's knowledge that search works on."""
    return Position(
        columns=tuple(Column(len(column.down), numbers(column.up)) for column in known.columns),
        heights=tuple(len(pile) for pile in known.foundations),
        waste=numbers(known.waste),
    )


def numbers(cards: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple(INDEX[card] for card in cards)


def move_of(step: Step) -> MoveCards:
    """The rules' form of a step."""
    return MoveCards(source=_pile(step.source), target=_pile(step.target), count=step.size)


def _pile(number: int) -> Pile:
    if number == WASTE:
        return "W"
    return piles.foundation(number - FOUNDATION) if number >= FOUNDATION else piles.column(number)


def lifted(position: Position, step: Step) -> int:
    """The lowest of the cards that a step moves."""
    if step.source == WASTE:
        return position.waste[-1]
    if step.source >= FOUNDATION:
        index = step.source - FOUNDATION
        return index % len(SUITS) * KING + position.heights[index] - 1
    return position.columns[step.source].up[-step.size]


def turns_up(position: Position, step: Step) -> bool:
    """Whether a step turns a face-down card up."""
    if step.source >= FOUNDATION:
        return False
    column = position.columns[step.source]
    return column.down > 0 and step.size == len(column.up)


def empties(position: Position, step: Step) -> bool:
    """Whether a step leaves an empty column."""
    if step.source >= FOUNDATION:
        return False
    column = position.columns[step.source]
    return not column.down and step.size == len(column.up)


def joins(position: Position, step: Step) -> bool:
    """Whether a step takes a run off a face-up card that it does not fit, to one that it does."""
    if step.source >= FOUNDATION or step.target >= FOUNDATION or not position.columns[step.target].up:
        return False
    up = position.columns[step.source].up
    return step.size < len(up) and up[-step.size] not in HOSTS[up[-step.size - 1]]


def breaks(position: Position) -> int:
    """How many face-up cards lie on one that they do not fit."""
    return sum(lower not in HOSTS[upper] for _, up in position.columns for upper, lower in pairwise(up))


def goes_to_empty(position: Position, step: Step) -> bool:
    """Whether a step takes an empty column."""
    return step.target < FOUNDATION and not position.columns[step.target].up


def steps(position: Position, variant: Variant) -> list[Step]:
    """All steps that may help, to foundations first.

    Left out: a King that lies at the bottom of its column to an empty one; empty columns after the first; aces and
    twos back from a foundation.
    """
    found: list[Step] = []
    places = _places(position, variant)
    if position.waste:
        _add_up(found, position, WASTE, position.waste[-1])
    empty_seen = False
    for index, column in enumerate(position.columns):
        if column.up:
            _add_up(found, position, index, column.up[-1])
            for card in HOSTS[column.up[-1]]:
                found += [Step(source, index, size) for source, size in places.get(card, ())]
        elif not empty_seen:
            empty_seen = True
            _add_kings(found, position, index, places)
    return found


def apply(position: Position, step: Step) -> Position:
    """The position after a step. A card that it turns up is not known: its column then shows none."""
    columns, heights = list(position.columns), list(position.heights)
    waste = position.waste
    if step.source == WASTE:
        cards, waste = waste[-1:], waste[:-1]
    elif step.source >= FOUNDATION:
        cards = (lifted(position, step),)
        heights[step.source - FOUNDATION] -= 1
    else:
        down, up = columns[step.source]
        cards = up[-step.size :]
        columns[step.source] = Column(down, up[: -step.size])
    if step.target >= FOUNDATION:
        heights[step.target - FOUNDATION] += 1
    else:
        down, up = columns[step.target]
        columns[step.target] = Column(down, up + cards)
    return Position(tuple(columns), tuple(heights), waste)


def run_length(up: tuple[int, ...]) -> int:
    """How many cards at the top of a column are a run."""
    length = min(1, len(up))
    while length < len(up) and up[-length] in HOSTS[up[-length - 1]]:
        length += 1
    return length


def _add_up(found: list[Step], position: Position, source: int, card: int) -> None:
    for index in range(SUIT[card], len(position.heights), len(SUITS)):
        if position.heights[index] == RANK[card] - 1:
            found.append(Step(source, FOUNDATION + index))
            return  # Foundations of the same suit are alike.


def _places(position: Position, variant: Variant) -> dict[int, list[tuple[int, int]]]:
    """Where each card lies that can go to a column: source, and how many cards move with it, itself included."""
    places: dict[int, list[tuple[int, int]]] = {}
    if position.waste:
        places[position.waste[-1]] = [(WASTE, 1)]
    for source, (_, up) in enumerate(position.columns):
        for size in range(1, run_length(up) + 1):
            places.setdefault(up[-size], []).append((source, size))
    if variant.foundation_give_back:
        for index, height in enumerate(position.heights):
            if height >= FIRST_GIVEN_BACK:
                card = index % len(SUITS) * KING + height - 1
                places.setdefault(card, []).append((FOUNDATION + index, 1))
    return places


def _add_kings(found: list[Step], position: Position, target: int, places: dict[int, list[tuple[int, int]]]) -> None:
    for king in KINGS:
        for source, size in places.get(king, ()):
            if source >= FOUNDATION or position.columns[source].down or size < len(position.columns[source].up):
                found.append(Step(source, target, size))
