"""One verdict from inside a kernel: `decide(world, desk, states)`, for callers that ask thousands of times a game.

A caller makes a `World` and a `Desk` once (`new_world`, `new_desk`), and then, in Python or in a kernel of its own,
fills the world and asks::

    world.columns[column, place] = card    # place 0 is the lowest card
    world.sizes[column], world.downs[column] = cards in the column, how many of them lie face down
                                           # a size of -1: the table has no such column
    world.stock[place] = card              # the waste from the bottom up, then the stock, the next drawn first
    world.counts[STOCK], world.counts[WASTE] = cards in stock and waste together, in the waste alone
    world.counts[UP] = the cards on the foundations, as a set of bits
    world.counts[PASS] = recycles until now
    answer = decide(world, desk, states)   # kernels.SOLVABLE, kernels.UNSOLVABLE, or else it is not known

A card is a number from 0 to 51: the place of its bit in `bits` (`flat.BITS[card].bit_length() - 1`), four times the
rank less one, plus 0 to 3 for diamonds, hearts, clubs, spades. `decide` does not check the world: each card is to be in
it once, a column that is not empty shows its topmost card, and the limits of `flat.unsupported` hold.

Both answers are proofs, as those of `solve`. The search ends without one after so many states, or when half of the
desk's table is used. Nothing is allocated, no Python object is touched, the interpreter's lock is not held; a desk
serves one thread at a time, and its arrays may be reused for any world of the same variant.

A kernel that calls `decide` has it compiled into its own cache on disk: it needs a digest as `kernels.CALLEES`.
"""

from typing import Final, NamedTuple

import numpy as np

from shared.rules.variants import Variant
from shared.solver.bits import KINGS, other_colour, twins
from shared.solver.flat import ALL_RULES, COLUMNS_MAX, STOCK_MAX, empty_deal
from shared.solver.intrinsics import Ints, compiled, kernel
from shared.solver.kernels import (
    ENTRY,
    NOISE,
    RUNNING,
    SEED,
    STAMP,
    STATES,
    Memory,
    restart,
    search,
    start,
)
from shared.solver.layers import Deal
from shared.solver.memory import new_memory

CALLEES: Final = "63049d8f8fa18eb4"
"""A digest of the files that are compiled into this one. A test says what it has to be."""

STOCK, WASTE, UP, PASS, COUNTS = range(5)
"""Places of `World.counts`."""

COLUMN_MAX: Final = 20
"""More cards than a column ever holds: six face down and a run of thirteen."""
RUN_FIRST: Final = 100
RUN_GROWTH: Final = 115
"""Per cent."""
NOISE_MAX: Final = 4000
"""In the order of search, after the first run."""


class World(NamedTuple):
    """Where all cards are."""

    columns: Ints
    """[column, place]: cards, the lowest first."""
    sizes: Ints
    """[column]"""
    downs: Ints
    """[column]: how many of the cards lie face down."""
    stock: Ints
    """The waste from the bottom up, then the stock, the next drawn first."""
    counts: Ints


class Desk(NamedTuple):
    """What a search works with, its result included: the last frames and counters of `memory`."""

    deal: Deal
    first: Ints
    memory: Memory


def new_world() -> World:
    """A world without cards."""
    return World(
        columns=np.zeros((COLUMNS_MAX, COLUMN_MAX), np.int64),
        sizes=np.zeros(COLUMNS_MAX, np.int64),
        downs=np.zeros(COLUMNS_MAX, np.int64),
        stock=np.zeros(STOCK_MAX, np.int64),
        counts=np.zeros(COUNTS, np.int64),
    )


def new_desk(variant: Variant, slots: int = 1 << 12, rules: int = ALL_RULES) -> Desk:
    """A desk for a variant's worlds. `slots`, a power of two, bound the table: one for every two components met."""
    return Desk(empty_deal(variant, rules), np.zeros(ENTRY + 1, np.int64), new_memory(slots))


@compiled
def lay_column(column: int, world: World, deal: Deal) -> tuple[int, int, int]:
    """Cut a column into blocks, runs that stay together. Returns their number, and root and rest of the topmost."""
    blocks, root, rest, fitting = 0, 0, 0, 0
    for place in range(world.sizes[column]):
        number = world.columns[column, place]
        card = 1 << number
        if place > world.downs[column] and card & fitting:
            rest |= card
        else:
            blocks += 1
            root, rest = card, 0
            deal.places[number] = column
        deal.roots[column, blocks], deal.rests[column, blocks] = root, rest
        fitting = other_colour(card >> 4)
        fitting |= twins(fitting)
    return blocks, root, rest


@compiled
def lay_tableau(world: World, deal: Deal, first: Ints) -> None:
    """Put the columns, and the foundations' cards, into the first frame."""
    counts, number, roots, loose, every, free, stride = 0, 0, 0, world.counts[UP], 0, 0, 1
    for column in range(COLUMNS_MAX):
        blocks, root, rest = lay_column(column, world, deal)
        deal.strides[column] = stride
        stride *= blocks + 1
        for block in range(1, blocks + 1):
            every |= deal.roots[column, block] | deal.rests[column, block]
        loose |= rest
        if world.sizes[column] < 0:
            continue
        if blocks == 0 or (blocks == 1 and root & KINGS):
            free += 1
            loose |= root
        else:
            counts |= blocks << (4 * column)
            number += blocks * deal.strides[column]
            roots |= root
    first[0], first[1], first[4], first[5] = counts, number, roots, loose
    first[6], first[7], first[8], first[ENTRY] = every & ~(roots | loose), free, 0, world.counts[UP]


@compiled
def lay_stock(world: World, deal: Deal, first: Ints) -> None:
    """Put stock and waste into the first frame."""
    cards, waste = world.counts[STOCK], world.counts[WASTE]
    for place in range(cards):
        deal.stock[place] = 1 << world.stock[place]
        deal.places[world.stock[place]] = place
    first[2] = (1 << cards) - 1
    if deal.passes:
        first[3] = world.counts[PASS] << 5 | waste
    else:
        first[3] = 0 if waste % deal.draw == 0 or waste == cards else waste


@compiled
def clear(memory: Memory) -> None:
    """Make ready for the next search. Stamps only grow, so that members need no clearing."""
    stamp = memory.counters[STAMP]
    memory.counters[:] = 0
    memory.counters[STAMP] = stamp
    memory.counters[SEED] = 1
    memory.table[:] = 0


@kernel
def decide(world: World, desk: Desk, states: int) -> int:
    """Whether a world can be won: SOLVABLE, UNSOLVABLE, or else not known after so many states."""
    deal, first, memory = desk
    lay_tableau(world, deal, first)
    lay_stock(world, deal, first)
    clear(memory)
    answer = start(first, deal, memory)
    run = RUN_FIRST
    while answer == RUNNING and memory.counters[STATES] < states:
        answer = search(deal, memory, min(run, states - memory.counters[STATES]))
        if answer == RUNNING:
            run = run * RUN_GROWTH // 100 + 1
            memory.counters[NOISE] = NOISE_MAX
            restart(memory, deal)
    return answer
