"""The compiled search over layers and components. `docs/solver.md` says what they are, and why it is right.

Its entrances are `start`, `search`, `restart` and `rehash`. numba compiles the functions of `bits` and `layers` into
them, but its cache on disk only sees changes of this file: hence CALLEES.
"""

from typing import Final, NamedTuple

from shared.solver.bits import ALL, KINGS, SUIT, bare, next_up, other_colour, room, twins
from shared.solver.intrinsics import Ints, compiled, lowest, popcount, prefetch
from shared.solver.layers import (
    GIVE_BACK,
    USE_DEAD_ENDS,
    USE_LAZY,
    USE_PHASES,
    Deal,
    Layer,
    any_order,
    dead_end,
    reach,
    settle,
    take,
    won,
)

CALLEES: Final = "9b86a8d5d55d3570"
"""A digest of the files that are compiled into this one. A test says what it has to be."""

RUNNING, SOLVABLE, UNSOLVABLE, TABLE_FULL, STACK_FULL = range(5)
"""Answers of `search`."""

TOP, STATES, USED, STAMP, SEED, NOISE, COUNTERS = range(7)
"""Places of `Memory.counters`: the stack's top, states expanded, slots used, explorations, randomness."""

FORGOTTEN: Final = 128
"""Marks a table entry in `restart`. Phases never have all 8 bits set, exact wastes never the highest."""
PHASES: Final = 255


ENTRY, PARENT, CARD, EXIT, RISE, OPEN, KEY, SCORE, FIELDS = range(9, 18)
"""Fields of a frame after the nine of its layer. EXIT: what was up in the parent when CARD left; RISE: CARD or 0."""
WASTE: Final = 3


class Memory(NamedTuple):
    """Where a search works. All of it is there before it starts."""

    frames: Ints
    """[depth, field]"""
    members: Ints
    """[0 the expanded component, 1 its child; member]: what is up."""
    fits: Ints
    """[the same]: cards that have room in the tableau."""
    rises: Ints
    """[the same]: cards that can be freed by going up."""
    indices: Ints
    stamps: Ints
    table: Ints
    """Open addressing. An entry is a component's key, with the wastes it was met with in the lowest eight bits."""
    counters: Ints


@compiled
def strides_of(layer: Layer) -> int:
    """Number the cards that can be up above the floor: what a card of each suit but the first counts for."""
    top = layer.floor
    more = next_up(top) & layer.loose
    while more:
        top |= more
        more = next_up(top) & layer.loose
    top ^= layer.floor
    second = popcount(top & SUIT) + 1
    third = second * (popcount(top & (SUIT << 1)) + 1)
    return second | third << 16 | (third * (popcount(top & (SUIT << 2)) + 1)) << 32


@compiled
def index_of(up: int, layer: Layer, strides: int) -> int:
    up &= ~layer.floor
    return (
        popcount(up & SUIT)
        + popcount(up & (SUIT << 1)) * (strides & 0xFFFF)
        + popcount(up & (SUIT << 2)) * ((strides >> 16) & 0xFFFF)
        + popcount(up & (SUIT << 3)) * (strides >> 32)
    )


@compiled
def explore(layer: Layer, entry: int, stock: int, which: int, memory: Memory, deal: Deal) -> tuple[int, int, int]:
    """List the component of an entry: all that can be up without freeing a card.

    Returns the number of members, the highest of them, and the strides of their indices. Members are stamped only
    when there is more than one.
    """
    members, indices, stamps = memory.members, memory.indices, memory.stamps
    visible = layer.roots | layer.loose
    members[which, 0] = entry
    size, at, highest, strides, stamp = 1, 0, entry, 0, 0
    while at < size:
        up = members[which, at]
        highest = max(highest, up)
        fits = room(visible & ~up, layer.loose & ~up, layer.free)
        leaves = next_up(up) & bare(fits)
        memory.fits[which, at] = fits
        memory.rises[which, at] = (leaves & layer.roots) | (next_up(up) & stock)
        steps = leaves & layer.loose
        if deal.rules & GIVE_BACK:
            steps |= up & ~layer.floor & ~(up >> 4) & fits
        if steps and stamp == 0:
            memory.counters[STAMP] += 1
            stamp = memory.counters[STAMP]
            strides = strides_of(layer)
            indices[0] = index_of(entry, layer, strides)
            stamps[indices[0]] = stamp
        while steps:
            step = steps & -steps
            steps ^= step
            index = index_of(up ^ step, layer, strides)
            if stamps[index] != stamp:
                stamps[index] = stamp
                members[which, size] = up ^ step
                size += 1
        at += 1
    return size, highest if deal.rules & GIVE_BACK else entry, strides


@compiled
def mix(key: int, table: Ints) -> int:
    key ^= key >> 31
    key *= -7046029254386353131
    return (key ^ (key >> 29)) & (table.size - 1)


@compiled
def key_of(layer: Layer, highest: int) -> int:
    """16 bits of columns, 16 of foundations, 24 of stock; eight more are left to the waste."""
    key = layer.number
    for suit in range(4):
        key = (key << 4) | popcount(highest & (SUIT << suit))
    return ((key << 24) | layer.stock) << 8


@compiled
def slot_of(table: Ints, key: int, waste: int, deal: Deal) -> int:
    """The slot of a component, or the empty one where it belongs."""
    compared = ~PHASES if deal.rules & USE_PHASES else ~FORGOTTEN
    wanted = key if deal.rules & USE_PHASES else key | waste
    slot = mix(key, table)
    while table[slot] != 0 and (table[slot] & compared) != wanted:
        slot = (slot + 1) & (table.size - 1)
    return slot


@compiled
def seen(key: int, waste: int, memory: Memory, deal: Deal) -> bool:
    """Whether the component was met before with a waste that is as good. If not, note it."""
    table = memory.table
    slot = slot_of(table, key, waste, deal)
    entry = table[slot]
    memory.counters[USED] += entry == 0
    if not deal.rules & USE_PHASES:
        table[slot] = key | waste
        return bool(entry == key | waste)
    shift, mine = 0, 0
    if waste:
        # Wastes that differ by whole draws: the smaller one can be drawn on to the larger one.
        shift = 4 * (waste % deal.draw - 1)
        mine = waste // deal.draw + 1
    if entry == 0 or entry & PHASES == PHASES:
        table[slot] = key | mine << shift
        return False
    theirs = (entry >> shift) & 15
    if mine == 0 or 0 < theirs <= mine:
        return True
    table[slot] = (entry & ~(15 << shift)) | (mine << shift)
    return False


@compiled
def restart(memory: Memory, deal: Deal) -> None:
    """Begin again at the bottom of the stack. What was searched to its end stays known, what is on the stack not."""
    table, frames = memory.table, memory.frames
    for at in range(1, memory.counters[TOP] + 1):
        slot = slot_of(table, frames[at, KEY], frames[at, WASTE], deal)
        table[slot] |= PHASES if deal.rules & USE_PHASES else FORGOTTEN
    memory.counters[TOP] = 0
    frames[0, OPEN] = 0


@compiled
def noise(counters: Ints) -> int:
    """A number from 0 to less than NOISE. Knuth's linear congruential generator, MMIX."""
    counters[SEED] = counters[SEED] * 6364136223846793005 + 1442695040888963407
    number: int = (((counters[SEED] >> 40) & 0xFFFF) * counters[NOISE]) >> 16
    return number


@compiled
def score(layer: Layer, card: int, rise: int, memory: Memory, deal: Deal) -> int:
    """How promising it is to free a card: roots first, of the highest column first."""
    value = noise(memory.counters)
    if card & layer.roots:
        left: int = (layer.counts >> (4 * deal.places[lowest(card)])) & 15
        return value + 1000 + 20 * left + (50 if rise else 0)
    return value + (600 if rise else 0)


@compiled
def push(layer: Layer, entry: int, memory: Memory) -> int:
    """A new frame's place. On a full stack it is the last one's, again and again, and `search` gives up."""
    frames = memory.frames
    at: int = min(memory.counters[TOP] + 1, frames.shape[0] - 1)
    memory.counters[TOP] = at
    frames[at, 0] = layer.counts
    frames[at, 1] = layer.number
    frames[at, 2] = layer.stock
    frames[at, 3] = layer.waste
    frames[at, 4] = layer.roots
    frames[at, 5] = layer.loose
    frames[at, 6] = layer.hidden
    frames[at, 7] = layer.free
    frames[at, 8] = layer.floor
    frames[at, ENTRY] = entry
    frames[at, OPEN] = 0
    return at


@compiled
def layer_at(frames: Ints, at: int) -> Layer:
    return Layer(
        frames[at, 0], frames[at, 1], frames[at, 2], frames[at, 3], frames[at, 4],
        frames[at, 5], frames[at, 6], frames[at, 7], frames[at, 8],
    )  # fmt: skip


@compiled
def weed(first: int, memory: Memory, deal: Deal) -> None:
    """Of the frames from a place on, drop what was met before and sort the others, the most promising on top."""
    frames, counters = memory.frames, memory.counters
    kept = first
    for at in range(first, counters[TOP] + 1):
        if seen(frames[at, KEY], frames[at, WASTE], memory, deal):
            continue
        for field in range(FIELDS):
            frames[kept, field] = frames[at, field]
        place = kept
        while place > first and frames[place - 1, SCORE] > frames[place, SCORE]:
            for field in range(FIELDS):
                held = frames[place, field]
                frames[place, field] = frames[place - 1, field]
                frames[place - 1, field] = held
            place -= 1
        kept += 1
    counters[TOP] = kept - 1


@compiled
def add_child(layer: Layer, at: int, card: int, size: int, memory: Memory, deal: Deal) -> bool:
    """Push the components that freeing a card leads to: mostly one. Whether one of them is won."""
    child, forced = settle(take(layer, card, deal), deal)
    last, strides, stamp = -1, 0, 0
    for member in range(size):
        if not (memory.fits[0, member] | memory.rises[0, member]) & card:
            continue
        up = memory.members[0, member]
        rise = 0 if memory.fits[0, member] & card else card
        entry = up | rise | forced
        if entry == last or (stamp and memory.stamps[index_of(entry, child, strides)] == stamp):
            continue
        last = entry
        number, highest, strides = explore(child, entry, 0, 1, memory, deal)
        stamp = memory.counters[STAMP] if number > 1 else 0
        place = push(child, entry, memory)
        key = key_of(child, highest)
        prefetch(memory.table, mix(key, memory.table))
        memory.frames[place, PARENT] = at
        memory.frames[place, CARD] = card
        memory.frames[place, EXIT] = up
        memory.frames[place, RISE] = rise
        memory.frames[place, KEY] = key
        memory.frames[place, SCORE] = score(layer, card, rise, memory, deal)
        if won(child, deal):
            return True
    return False


@compiled
def withhold(layer: Layer, stock: int, size: int, memory: Memory) -> None:
    """Leave a card in the stock until what it is good for can follow at once. Only where any order is possible."""
    useless = (layer.hidden >> 4) | KINGS
    more = useless
    while more:
        more = ((useless & stock) >> 4) & ~useless
        useless |= more
    useless &= stock
    for member in range(size):
        up, fits = memory.members[0, member], memory.fits[0, member]
        carried = other_colour((layer.roots | stock | (up & ~layer.floor)) << 4) & ALL
        used = carried | twins(carried) | twins((layer.roots | layer.loose) & ~up)
        memory.fits[0, member] = fits & (~stock | (~bare(fits) & used))
        memory.rises[0, member] &= ~useless


@compiled
def expand(at: int, memory: Memory, deal: Deal) -> bool:
    """Push all that a frame leads to. Whether the last one pushed is won."""
    layer = layer_at(memory.frames, at)
    stock = reach(layer, deal)
    size, _, _ = explore(layer, memory.frames[at, ENTRY], stock, 0, memory, deal)
    if deal.rules & USE_LAZY and any_order(deal):
        withhold(layer, stock, size, memory)
    cards = 0
    for member in range(size):
        cards |= memory.fits[0, member] | memory.rises[0, member]
    cards &= layer.roots | stock
    while cards:
        card = cards & -cards
        cards ^= card
        if add_child(layer, at, card, size, memory, deal):
            return True
    if memory.counters[TOP] < memory.frames.shape[0] - 1:
        weed(at + 1, memory, deal)
    return False


@compiled
def search(deal: Deal, memory: Memory, states: int) -> int:
    """Search on for so many states."""
    frames, counters = memory.frames, memory.counters
    end = counters[STATES] + states
    while counters[TOP] >= 0:
        at = counters[TOP]
        if frames[at, OPEN]:
            counters[TOP] -= 1
            continue
        if counters[STATES] >= end:
            return RUNNING
        if 2 * counters[USED] > memory.table.size:
            return TABLE_FULL
        frames[at, OPEN] = 1
        counters[STATES] += 1
        if deal.rules & USE_DEAD_ENDS and dead_end(layer_at(frames, at), deal):
            counters[TOP] -= 1
        elif expand(at, memory, deal):
            return SOLVABLE
        elif counters[TOP] >= frames.shape[0] - 1:
            return STACK_FULL
    return UNSOLVABLE


@compiled
def start(first: Ints, deal: Deal, memory: Memory) -> int:
    """Put the first frame, a row of layer and entry, on the empty stack."""
    memory.counters[TOP] = -1
    for field in range(first.size):
        memory.frames[0, field] = first[field]
    layer, forced = settle(layer_at(memory.frames, 0), deal)
    at = push(layer, memory.frames[0, ENTRY] | forced, memory)
    memory.frames[at, PARENT] = -1
    return SOLVABLE if won(layer, deal) else RUNNING


@compiled
def rehash(old: Ints, new: Ints) -> None:
    """Put all entries of a table into a larger, empty one."""
    for entry in old:
        if entry:
            slot = mix(entry & ~PHASES, new)
            while new[slot] != 0:
                slot = (slot + 1) & (new.size - 1)
            new[slot] = entry
