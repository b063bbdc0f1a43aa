"""Components: what can be up without freeing a card, and the table of those met. `docs/solver.md` has the argument."""

from typing import Final

from shared.solver.bits import SUIT, bare, next_up, room
from shared.solver.intrinsics import Ints, compiled, kernel, popcount
from shared.solver.layers import GIVE_BACK, USE_PHASES, Deal, Layer
from shared.solver.memory import KEY, PROMISE, STAMP, USED, WASTE, Memory

CALLEES: Final = "d454c36b79c13aa8"
"""A digest of the modules that are compiled into this one. A test says what it has to be."""

FORGOTTEN: Final = 128
"""Marks an entry that `forget` struck. Phases never have all 8 bits set, exact wastes never the highest."""
PHASES: Final = 255


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
def forget(first: int, last: int, memory: Memory, deal: Deal) -> None:
    """Strike what lies on a part of the stack from the table. Promises are not in it."""
    table, frames = memory.table, memory.frames
    for at in range(first, last + 1):
        if frames[at, PROMISE] == 0:
            slot = slot_of(table, frames[at, KEY], frames[at, WASTE], deal)
            if table[slot] != 0:  # The last children of a search that ended are not noted.
                table[slot] |= PHASES if deal.rules & USE_PHASES else FORGOTTEN


@kernel
def rehash(old: Ints, new: Ints) -> None:
    """Put all entries of a table into a larger, empty one."""
    for entry in old:
        if entry:
            slot = mix(entry & ~PHASES, new)
            while new[slot] != 0:
                slot = (slot + 1) & (new.size - 1)
            new[slot] = entry
