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

from shared.rules.table import Table
from shared.rules.variants import Variant
from shared.solver.bits import KINGS, other_colour, twins
from shared.solver.easier import helps, look
from shared.solver.flat import ALL_RULES, BITS, COLUMNS_MAX, NUMBERS, STOCK_MAX, empty_deal
from shared.solver.intrinsics import Ints, compiled, kernel
from shared.solver.kernels import RUNNING, UNSOLVABLE, begin, layer_at, restart, search
from shared.solver.layers import Deal
from shared.solver.memory import (
    COUNTERS,
    ENTRY,
    LOOK,
    NOISE,
    RUN,
    RUN_END,
    SEED,
    STAMP,
    STATES,
    USED,
    Memory,
    new_memory,
)

CALLEES: Final = "9f3fef1dd1cffa08"
"""A digest of the modules that are compiled into this one. A test says what it has to be."""

STOCK, WASTE, UP, PASS, COUNTS = range(5)
"""Places of `World.counts`."""

COLUMN_MAX: Final = 20
"""More cards than a column ever holds: six face down and a run of thirteen."""
RUN_FIRST: Final = 100
"""States until the first restart."""
RUN_GROWTH: Final = 115
"""Per cent, from one restart to the next."""
NOISE_MAX: Final = 4000
"""In the order of search, after the first run."""
LOOK_FIRST: Final = 300
"""States until the first look at the easier game: most is decided by then."""
LOOK_EVERY: Final = 100
"""States from one look to the next."""
NEVER: Final = 1 << 62


class World(NamedTuple):
    """Where all cards are."""

    columns: Ints
    """[column, place]: cards, the lowest first."""
    sizes: Ints
    """[column]; -1 for a column that the variant does not have."""
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
    scrap: Memory
    """For the easier game."""


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
    """A desk for a variant's worlds. `slots`, a power of two, bound each table: two for every component met.

    Raises:
        ValueError: the solver does not play the variant.
    """
    return Desk(empty_deal(variant, rules), np.zeros(ENTRY + 1, np.int64), new_memory(slots), new_memory(slots))


def fill(world: World, table: Table) -> None:
    """Put a table's cards into a world."""
    for index, column in enumerate(table.columns):
        cards = column.down + column.up
        world.columns[index, : len(cards)] = [NUMBERS[card] for card in cards]
        world.sizes[index], world.downs[index] = len(cards), len(column.down)
    world.sizes[len(table.columns) :] = -1
    cards = table.waste + table.stock[::-1]
    world.stock[: len(cards)] = [NUMBERS[card] for card in cards]
    up = sum(BITS[card] for pile in table.foundations for card in pile)
    world.counts[:] = (len(cards), len(table.waste), up, table.pass_number - 1)


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
        if world.sizes[column] == 0 or (blocks == 1 and root & KINGS):
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
    counters = memory.counters
    if counters[USED]:
        memory.table[:] = 0
    stamp = counters[STAMP]
    for counter in range(COUNTERS):
        counters[counter] = 0
    counters[STAMP] = stamp
    counters[SEED] = 1


@kernel
def lay(world: World, desk: Desk) -> int:
    """Put a world on a desk, where `advance` can decide it: what was searched before on this desk is lost."""
    deal, first, memory, scrap = desk
    lay_tableau(world, deal, first)
    lay_stock(world, deal, first)
    clear(memory)
    clear(scrap)
    counters = memory.counters
    counters[RUN] = counters[RUN_END] = RUN_FIRST
    counters[LOOK] = LOOK_FIRST if helps(deal) else NEVER
    for field in range(first.size):
        memory.frames[0, field] = first[field]
    return begin(layer_at(memory.frames, 0), first[ENTRY], memory, deal)


@compiled
def begin_again(deal: Deal, memory: Memory) -> None:
    """Start the next run, a little longer and in another order."""
    counters = memory.counters
    counters[RUN] = counters[RUN] * RUN_GROWTH // 100 + 1
    counters[RUN_END] = counters[STATES] + counters[RUN]
    counters[NOISE] = NOISE_MAX
    restart(memory, deal)


@compiled
def searched(desk: Desk) -> int:
    """The states of this search, those of the easier game included."""
    states: int = desk.memory.counters[STATES] + desk.scrap.counters[STATES]
    return states


@compiled
def vacate(desk: Desk) -> None:
    """Let `advance` begin with another world."""
    desk.memory.counters[RUN] = 0


@kernel
def advance(world: World, desk: Desk, states: int) -> int:
    """Search on for so many states or a few more: in runs that each begin again, with looks at the easier game between.

    Begins with the world if the desk was vacated. Answers RUNNING when that was not enough, TABLE_FULL or STACK_FULL
    when there is no room to go on.
    """
    deal, _, memory, scrap = desk
    counters = memory.counters
    if counters[RUN] == 0:
        answer = lay(world, desk)
        if answer != RUNNING:
            return answer
    end = searched(desk) + states
    while searched(desk) < end:
        due = min(end - searched(desk) + counters[STATES], counters[RUN_END], counters[LOOK])
        answer = search(deal, memory, due - counters[STATES])
        if answer != RUNNING:
            return answer
        if counters[STATES] >= counters[LOOK]:
            counters[LOOK] += LOOK_EVERY
            if look(deal, memory, scrap) == UNSOLVABLE:
                return UNSOLVABLE
        if counters[STATES] >= counters[RUN_END]:
            begin_again(deal, memory)
    return RUNNING


@kernel
def decide(world: World, desk: Desk, states: int) -> int:
    """Whether a world can be won: SOLVABLE, UNSOLVABLE, or else not known after so many states."""
    vacate(desk)
    return advance(world, desk, states)
