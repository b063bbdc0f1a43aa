"""What a player knows of every card, and worlds drawn evenly from all that agree with it.

**What is known.** Every pile's size is public and every move is, so a player can follow each *place* of the deal,
whatever lies in it. `Knowledge` is the card in each place if it ever lay face up, wherever that place has gone since:
through draws, recycling, undo and redo. All cards that a draw turns lie face up on the waste, with draw three all
three. So after one pass the whole stock is known.

**The worlds that agree with it** are all ways to lay the cards never seen into the places never seen: any of them,
dealt from the start, would have answered the same commands with the same messages, and no other would. What a player
may choose, and whether it is legal, depends on face-up cards alone, so the commands tell nothing more. Deals are
equally likely, hence so are these worlds: `count` of them. A commitment or a deal's number is not used.

**In kernels** a player's knowledge is a `decide.World` with UNSEEN in the places never seen. Once a position::

    known, world, chance = new_world(), new_world(), new_chance(number)
    lay_known(knowledge, known)

and then as often as wanted, in Python or in a kernel, without allocation and without the interpreter's lock::

    sample(known, chance, world)           # world: one of the worlds, each equally likely
    answer = decide(world, desk, states)

A caller that plays on inside its kernel keeps `known` by itself: a card that is turned up replaces an UNSEEN.

For whole games outside the service: `seen_at_deal`, `seen_after` and `knowledge` say what a player knows, with
`stock_known` as if the whole stock had been seen at the deal, which is how published figures are mostly meant.
"""

import itertools
import math
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from shared.messages.jobs import Knowledge
from shared.rules.cards import DECK, Card
from shared.rules.table import Column, Table
from shared.solver.bits import ALL
from shared.solver.decide import PASS, STOCK, UP, WASTE, World
from shared.solver.flat import BITS, CARDS
from shared.solver.intrinsics import Ints, compiled, kernel, lowest

CALLEES: Final = "d651f8fdfa3bca2d"
"""A digest of the modules that are compiled into this one. A test says what it has to be."""

UNSEEN: Final = -1
"""In a world's place of a card: which one it is was never seen."""

_NUMBERS: Final[dict[Card, int]] = {card: bit.bit_length() - 1 for card, bit in BITS.items()}
WORD: Final = 0xFFFFFFFF


def seen_at_deal(table: Table, *, stock_known: bool = False) -> frozenset[Card]:
    """The cards that a player has seen when a table is dealt."""
    faces = frozenset(card for column in table.columns for card in column.up)
    return faces.union(*table.foundations, table.waste, table.stock if stock_known else ())


def seen_after(seen: frozenset[Card], table: Table) -> frozenset[Card]:
    """The cards that a player has seen once the table is this one. Each table on the way has to be looked at."""
    return seen.union(table.waste, *(column.up for column in table.columns))


def unseen(known: Knowledge) -> tuple[Card, ...]:
    """The cards of one deck that were never seen."""
    seen = {card for column in known.columns for card in column.down + column.up}.union(known.stock, known.waste)
    return tuple(card for card in DECK if card not in seen.union(*known.foundations))


def count(known: Knowledge) -> int:
    """How many worlds agree with what is known."""
    return math.factorial(len(unseen(known)))


def worlds(known: Knowledge) -> Iterator[Table]:
    """Every world that agrees with what is known, each once."""
    return (fill(known, cards) for cards in itertools.permutations(unseen(known)))


def fill(known: Knowledge, cards: tuple[Card, ...]) -> Table:
    """The table in which these cards, all that were never seen, lie in the places that were not.

    Their order: columns from the left, each from its bottom, then the stock, the next to be drawn last.
    """
    rest = iter(cards)
    columns = tuple(Column(_filled(column.down, rest), column.up) for column in known.columns)
    return Table(columns, known.foundations, _filled(known.stock, rest), known.waste, known.pass_number)


def lay_known(known: Knowledge, world: World) -> None:
    """Put what is known into a world, with UNSEEN for what is not. For one deck, and what `flat.unsupported` allows."""
    world.columns[:] = 0
    world.downs[:] = 0
    world.stock[:] = 0
    for index, column in enumerate(known.columns):
        pile = column.down + column.up
        world.columns[index, : len(pile)] = [_number(card) for card in pile]
        world.sizes[index], world.downs[index] = len(pile), len(column.down)
    world.sizes[len(known.columns) :] = -1
    stock = known.waste + known.stock[::-1]
    world.stock[: len(stock)] = [_number(card) for card in stock]
    world.counts[STOCK], world.counts[WASTE] = len(stock), len(known.waste)
    world.counts[UP] = sum(BITS[card] for pile in known.foundations for card in pile)
    world.counts[PASS] = known.pass_number - 1


def every(known: World) -> Iterator[World]:
    """Every world that agrees with `known`, one after the other in `known` itself, which is as before at the end."""
    holes = [(pile, place) for pile in (*known.columns, known.stock) for place in np.flatnonzero(pile == UNSEEN)]
    hand = np.zeros(len(DECK), np.int64)
    cards = hand[: gather(known, hand)].tolist()
    for order in itertools.permutations(cards):
        for (pile, place), card in zip(holes, order, strict=True):
            pile[place] = card
        yield known
    for pile, place in holes:
        pile[place] = UNSEEN


def table_of(world: World, known: Knowledge) -> Table:
    """A world without UNSEEN as a table of the rules, where `known` tells what the world was made from."""
    columns = tuple(
        Column(cards[: len(column.down)], cards[len(column.down) :])
        for index, column in enumerate(known.columns)
        for cards in [_cards(world.columns[index, : world.sizes[index]])]
    )
    stock = _cards(world.stock[: world.counts[STOCK]])
    drawn = int(world.counts[WASTE])
    return Table(columns, known.foundations, stock[drawn:][::-1], stock[:drawn], int(world.counts[PASS]) + 1)


class Chance(NamedTuple):
    """A random generator, and the cards it deals from. One thread at a time may use it."""

    state: Ints
    """One number."""
    hand: Ints


def new_chance(number: int) -> Chance:
    """A generator. Any number will do; the same one gives the same worlds."""
    state = (number ^ 1 << 63) % (1 << 64) - (1 << 63)
    return Chance(np.array([state], np.int64), np.zeros(len(DECK), np.int64))


@compiled
def below(bound: int, state: Ints) -> int:
    """An even random number from 0 to less than a bound of at most 2³².

    PCG-XSH-RR (O'Neill, HMC-CS-2014-0905), and Lemire's multiplication with rejection (ACM TOMACS 29/1, 2019).
    """
    while True:
        state[0] = state[0] * 6364136223846793005 + 1442695040888963407
        mixed = ((state[0] ^ ((state[0] >> 18) & 0x3FFFFFFFFFFF)) >> 27) & WORD
        turn = (state[0] >> 59) & 31
        product: int = (((mixed >> turn) | (mixed << (32 - turn))) & WORD) * bound
        low = product & WORD
        if low >= bound or low >= (WORD + 1) % bound:
            return product >> 32


@compiled
def gather(known: World, hand: Ints) -> int:
    """Take all cards that are nowhere in a world into the hand. Returns how many."""
    left = ALL & ~known.counts[UP]
    for column in range(known.sizes.size):
        for place in range(known.sizes[column]):
            if known.columns[column, place] != UNSEEN:
                left &= ~(1 << known.columns[column, place])
    for place in range(known.counts[STOCK]):
        if known.stock[place] != UNSEEN:
            left &= ~(1 << known.stock[place])
    number = 0
    while left:
        hand[number] = lowest(left)
        left &= left - 1
        number += 1
    return number


@compiled
def deal(number: int, chance: Chance) -> int:
    """Take any card from a hand of so many."""
    place = below(number, chance.state)
    card = chance.hand[place]
    chance.hand[place] = chance.hand[number - 1]
    return int(card)


@kernel
def sample(known: World, chance: Chance, world: World) -> None:
    """Fill `world` with one of the worlds that agree with `known`, each equally likely."""
    number = gather(known, chance.hand)
    for column in range(known.sizes.size):
        world.sizes[column], world.downs[column] = known.sizes[column], known.downs[column]
        for place in range(known.sizes[column]):
            card = known.columns[column, place]
            if card == UNSEEN:
                card = deal(number, chance)
                number -= 1
            world.columns[column, place] = card
    for place in range(known.counts[STOCK]):
        card = known.stock[place]
        if card == UNSEEN:
            card = deal(number, chance)
            number -= 1
        world.stock[place] = card
    for place in range(known.counts.size):
        world.counts[place] = known.counts[place]


def _filled(cards: tuple[Card | None, ...], rest: Iterator[Card]) -> tuple[Card, ...]:
    return tuple(next(rest) if card is None else card for card in cards)


def _number(card: Card | None) -> int:
    return UNSEEN if card is None else _NUMBERS[card]


def _cards(numbers: Ints) -> tuple[Card, ...]:
    return tuple(CARDS[1 << int(number)] for number in numbers)
