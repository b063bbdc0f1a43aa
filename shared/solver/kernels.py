"""The compiled search. `docs/solver.md` says what a layer, a component and a floor are, and proves each rule used here.

A card is a bit: four bits a rank, ace first; in a rank diamonds, hearts, clubs, spades. A set of cards is an int64.
All functions that call each other are in this file, because numba's cache does not see a change in another one.
"""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar, cast

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

Ints = npt.NDArray[np.int64]
F = TypeVar("F", bound=Callable[..., object])

ALL: Final = (1 << 52) - 1
EVEN: Final = 0x5555555555555
REDS: Final = 0x3333333333333
BLACKS: Final = ALL ^ REDS
KINGS: Final = 0xF << 48
ACES: Final = 0xF
SUIT: Final = 0x1111111111111

# Answers of `search`.
RUNNING, SOLVABLE, UNSOLVABLE, TABLE_FULL, STACK_FULL = range(5)

# Rules that can be switched off, for tests.
USE_FLOOR, USE_DEAD_ENDS, USE_PHASES, USE_LAZY, USE_FORCE = 1, 2, 4, 8, 16

# Counters
STATES, EDGES, MEMBERS, DEAD, TOP, USED, STAMP, HITS, COUNTERS = range(9)


class Layer(NamedTuple):
    counts: int
    number: int
    stock: int
    waste: int
    roots: int
    loose: int
    hidden: int
    free: int
    floor: int


# Fields of a frame on the search stack, after those of its layer.
ENTRY, PARENT, CARD, EXIT, UP, OPEN, FIELDS = range(9, 16)


class Deal(NamedTuple):
    """What stays the same during a search."""

    roots: Ints
    """[column, blocks left]: the lowest card of the topmost block."""
    rests: Ints
    """[column, blocks left]: the other cards of that block."""
    strides: Ints
    """What a block of each column counts for in a layer's number."""
    homes: Ints
    """The column that each card was dealt to."""
    places: Ints
    """The place of each card in the stock."""
    stock: Ints
    """The card at each place of the stock."""
    draw: int
    rules: int


class Memory(NamedTuple):
    """Where a search works: all of it is taken before it starts."""

    frames: Ints
    """[depth, field]"""
    members: Ints
    """[component, member]: foundations"""
    fits: Ints
    rises: Ints
    indices: Ints
    stamps: Ints
    table: Ints
    counters: Ints


def compiled(function: F) -> F:
    """A function that numba compiles, without the interpreter's lock, and keeps on disk."""
    return cast(F, njit(cache=True, nogil=True, forceinline=True, error_model="numpy")(function))


@intrinsic
def popcount(typing_context, value):
    def codegen(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])
    return types.int64(types.int64), codegen


@intrinsic
def lowest(typing_context, value):
    """Index of the lowest bit set."""
    def codegen(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))
    return types.int64(types.int64), codegen


@compiled
def other_colour(cards: int) -> int:
    """Each pair of a colour moved to the place of the other colour in its rank."""
    return ((cards & REDS) << 2) | ((cards & BLACKS) >> 2)


@compiled
def twins(cards: int) -> int:
    """Each card moved to the other card of its rank and colour."""
    return ((cards & EVEN) << 1) | ((cards >> 1) & EVEN)


@compiled
def next_up(up: int) -> int:
    """The next card of each foundation."""
    return ((up << 4) | ACES) & ~up & ALL


@compiled
def room(visible: int, loose: int, free: int) -> int:
    """The cards whose rank and colour has a parent, or for kings a column, that carries nothing."""
    parents = other_colour(visible >> 4)
    odd = (parents ^ (parents >> 1)) ^ (loose ^ (loose >> 1))
    some = (parents | (parents >> 1)) & ~(loose | (loose >> 1))
    pairs = (odd | some) & EVEN & ~KINGS
    fits = pairs | (pairs << 1)
    if popcount(loose & KINGS) < free:
        fits |= KINGS
    return fits


@compiled
def bare(fits: int) -> int:
    """The cards that can be made the last of their column, given what `room` tells."""
    return other_colour((fits & ~KINGS) << 4) | ACES


@compiled
def safe_next(floor: int) -> int:
    """The next cards above a floor that never need to come back down once they are up."""
    below = (floor << 8) | 0xFF
    both = other_colour(below & twins(below))
    return next_up(floor) & both & twins((floor << 12) | 0xFFF)


@compiled
def reach(stock: int, waste: int, deal: Deal) -> int:
    """The cards of the stock that can be brought to the top of the waste."""
    found = 0
    number = popcount(stock)
    index = 0
    while stock:
        place = lowest(stock)
        stock &= stock - 1
        index += 1
        if index % deal.draw == 0 or index == number or (index >= waste and (index - waste) % deal.draw == 0):
            found |= deal.stock[place]
    return found


@compiled
def strides_of(floor, loose):
    top = floor
    more = next_up(top) & loose
    while more:
        top |= more
        more = next_up(top) & loose
    top ^= floor
    first = popcount(top & SUIT) + 1
    second = first * (popcount(top & (SUIT << 1)) + 1)
    third = second * (popcount(top & (SUIT << 2)) + 1)
    return first | second << 16 | third << 32


@compiled
def stride(strides, card):
    suit = lowest(card) & 3
    return 1 if suit == 0 else (strides >> (16 * suit - 16)) & 0xFFFF


@compiled
def index_of(up: int, floor: int, strides: int) -> int:
    up &= ~floor
    return (
        popcount(up & SUIT)
        + popcount(up & (SUIT << 1)) * (strides & 0xFFFF)
        + popcount(up & (SUIT << 2)) * ((strides >> 16) & 0xFFFF)
        + popcount(up & (SUIT << 3)) * (strides >> 32)
    )


@compiled
def explore(layer: Layer, entry, stock: int, memory: Memory, which: int) -> tuple[int, int, int]:
    """List all foundations that can be reached from a frame's entry without freeing a card.

    Writes for each member what has room and what can leave upwards. Returns the number of members and the highest.
    """
    members, fits, rises, indices, stamps = memory.members, memory.fits, memory.rises, memory.indices, memory.stamps
    strides = 0
    stamp = 0
    members[which, 0] = entry
    size = 1
    highest = entry
    at = 0
    visible = layer.roots | layer.loose
    while at < size:
        up = members[which, at]
        highest = max(highest, up)
        down = layer.loose & ~up
        space = room(visible & ~up, down, layer.free)
        last = bare(space)
        coming = next_up(up)
        fits[which, at] = space
        rises[which, at] = coming & ((layer.roots & last) | stock)
        steps = (coming & down & last) | (up & ~layer.floor & ~(up >> 4) & space)
        if steps and stamp == 0:
            memory.counters[STAMP] += 1
            stamp = memory.counters[STAMP]
            strides = strides_of(layer.floor, layer.loose)
            indices[0] = index_of(entry, layer.floor, strides)
            stamps[indices[0]] = stamp
        while steps:
            step = steps & -steps
            steps ^= step
            index = indices[at]
            if up & step:
                index -= stride(strides, step)
            else:
                index += stride(strides, step)
            if stamps[index] != stamp:
                stamps[index] = stamp
                indices[size] = index
                members[which, size] = up ^ step
                size += 1
        at += 1
    return size, highest, strides


@compiled
def take_root(layer: Layer, column: int, deal: Deal) -> Layer:
    """Free the lowest face-up card of a column, and turn up what it lay on."""
    left = (layer.counts >> (4 * column)) & 15
    card = deal.roots[column, left]
    left -= 1
    root = deal.roots[column, left]
    rest = deal.rests[column, left]
    counts = layer.counts - (1 << (4 * column))
    number = layer.number - deal.strides[column]
    free = layer.free + (left == 0)
    loose = layer.loose | card | rest
    roots = layer.roots ^ card
    if left == 1 and root & KINGS:
        counts -= 1 << (4 * column)
        number -= deal.strides[column]
        loose |= root
        free += 1
    else:
        roots |= root
    hidden = layer.hidden & ~(root | rest)
    return Layer(counts, number, layer.stock, layer.waste, roots, loose, hidden, free, layer.floor)


@compiled
def take_stock(layer: Layer, card: int, deal: Deal) -> Layer:
    """Free a card of the stock."""
    place = deal.places[lowest(card)]
    stock = layer.stock & ~(1 << place)
    waste = 0
    if deal.draw > 1:
        waste = popcount(stock & ((1 << place) - 1))
        waste = 0 if waste % deal.draw == 0 or waste == popcount(stock) else waste
    return Layer(
        layer.counts, layer.number, stock, waste, layer.roots, layer.loose | card, layer.hidden, layer.free, layer.floor
    )


@compiled
def take(layer: Layer, card: int, deal: Deal) -> Layer:
    if card & layer.roots:
        return take_root(layer, deal.homes[lowest(card)], deal)
    return take_stock(layer, card, deal)


@compiled
def stock_cards(stock: int, deal: Deal) -> int:
    found = 0
    while stock:
        found |= deal.stock[lowest(stock)]
        stock &= stock - 1
    return found


@compiled
def with_floor(layer, floor):
    return Layer(
        layer.counts, layer.number, layer.stock, layer.waste, layer.roots, layer.loose, layer.hidden, layer.free, floor
    )


@compiled
def settle(layer: Layer, deal: Deal) -> tuple[Layer, int]:
    """Raise the floor as far as it goes, and free at once what is safe on the foundations."""
    if not deal.rules & USE_FLOOR:
        return layer, layer.floor
    forced = 0
    held = ALL if deal.draw == 1 else ~stock_cards(layer.stock, deal)
    while True:
        safe = safe_next(layer.floor) & ~layer.hidden & held
        other = safe & ~layer.loose
        if other:
            layer = take(layer, other & -other, deal)
            safe &= layer.loose
        elif deal.draw == 1 and deal.rules & USE_FORCE:
            other = next_up(layer.floor) & ~(layer.hidden | layer.loose | layer.roots)
            if other:
                layer = take_stock(layer, other & -other, deal)
                forced |= other & -other
        if not (safe | other):
            return layer, layer.floor | forced
        layer = with_floor(layer, layer.floor | safe)


@compiled
def dead_end(layer: Layer, deal: Deal) -> bool:
    """Whether some face-down card can never be turned up, even if places on cards were never used up by choice."""
    counts, free, loose, hidden = layer.counts, layer.free, layer.loose, layer.hidden
    tableau = (layer.roots | loose) & ~layer.floor
    stock = ALL & ~(layer.roots | loose | hidden)
    top = layer.floor
    moved = True
    while hidden and moved:
        moved = False
        more = next_up(top) & ~hidden
        while more:
            top |= more
            more = next_up(top) & ~hidden
        fits = room(tableau, loose & ~top, free)
        if stock & fits & ~tableau:
            tableau |= stock & fits
            moved = True
        leaves = fits | top
        for column in range(7):
            left = (counts >> (4 * column)) & 15
            while left and deal.roots[column, left] & leaves and not (left == 1 and deal.roots[column, 1] & KINGS):
                moved = True
                counts -= 1 << (4 * column)
                left -= 1
                if left == 0:
                    free += 1
                cards = deal.roots[column, left] | deal.rests[column, left]
                hidden &= ~cards
                tableau |= cards
    return hidden != 0


@compiled
def mix(key, mask):
    key ^= key >> 31
    key *= -7046029254386353131
    return (key ^ (key >> 29)) & mask


@compiled
def seen(layer: Layer, highest: int, memory: Memory, deal: Deal) -> bool:
    """Whether the component was met before, and if not note it."""
    key = layer.number
    for suit in range(4):
        key = (key << 4) | popcount(highest & (SUIT << suit))
    key = ((key << 24) | layer.stock) << 8
    waste = layer.waste
    phases = 0
    shift = 0
    mine = 0
    if deal.rules & USE_PHASES:
        if waste:
            shift = 4 * (waste % deal.draw - 1)
            mine = waste // deal.draw + 1
    else:
        key |= waste
    table = memory.table
    mask = table.size - 1
    slot = mix(key, mask)
    while table[slot] != 0:
        if deal.rules & USE_PHASES:
            if table[slot] & ~255 == key:
                phases = (table[slot] >> shift) & 15
                if mine == 0 or 0 < phases <= mine:
                    return True
                table[slot] = (table[slot] & ~(15 << shift)) | (mine << shift)
                return False
        elif table[slot] == key:
            return True
        slot = (slot + 1) & mask
    table[slot] = key | (mine << shift)
    memory.counters[USED] += 1
    return False


@compiled
def won(layer: Layer, deal: Deal) -> bool:
    return layer.hidden == 0 and (layer.stock == 0 or deal.draw == 1)


@compiled
def push(layer, entry, parent, card, exit_, up, memory):
    memory.counters[TOP] += 1
    at = memory.counters[TOP]
    frames = memory.frames
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
    frames[at, PARENT] = parent
    frames[at, CARD] = card
    frames[at, EXIT] = exit_
    frames[at, UP] = up
    frames[at, OPEN] = 0


@compiled
def layer_at(frames, at):
    return Layer(
        frames[at, 0], frames[at, 1], frames[at, 2], frames[at, 3], frames[at, 4], frames[at, 5], frames[at, 6],
        frames[at, 7], frames[at, 8],
    )


@compiled
def add_child(layer: Layer, at: int, card: int, size: int, memory: Memory, deal: Deal) -> bool:
    """Push the components that freeing a card leads to. Whether one of them is won."""
    counters = memory.counters
    child, forced = settle(take(layer, card, deal), deal)
    if child.hidden == 0 and (child.stock == 0 or deal.draw == 1):
        member = 0
        while not (memory.fits[0, member] | memory.rises[0, member]) & card:
            member += 1
        up = memory.members[0, member]
        rise = 0 if memory.fits[0, member] & card else card
        push(child, up | rise | forced, at, card, up, rise, memory)
        return True
    first = -1
    stamp = 0
    strides = 0
    for member in range(size):
        if not (memory.fits[0, member] | memory.rises[0, member]) & card:
            continue
        up = memory.members[0, member]
        rise = 0 if memory.fits[0, member] & card else card
        entry = up | rise | forced
        if entry == first:
            continue
        if stamp and memory.stamps[index_of(entry, child.floor, strides)] == stamp:
            continue
        counters[EDGES] += 1
        number, highest, strides = explore(child, entry, 0, memory, 1)
        first = entry
        if number > 1:
            stamp = counters[STAMP]
        else:
            stamp = 0
        counters[MEMBERS] += number
        if not seen(child, highest, memory, deal):
            push(child, entry, at, card, up, rise, memory)
        else:
            counters[HITS] += 1
    return False


@compiled
def expand(layer: Layer, at: int, memory: Memory, deal: Deal) -> bool:
    """Push all that a frame leads to, the most promising last. Whether one is won."""
    stock = reach(layer.stock, layer.waste, deal)
    size, _, _ = explore(layer, memory.frames[at, ENTRY], stock, memory, 0)
    fits, rises = 0, 0
    lazy = deal.draw == 1 and deal.rules & USE_LAZY
    blocked = 0
    if lazy:
        blocked = (layer.hidden >> 4) | KINGS
        while True:
            more = ((blocked & stock) >> 4) & ~blocked
            if not more:
                break
            blocked |= more
        blocked &= stock
    for member in range(size):
        if lazy:
            up = memory.members[0, member]
            used = other_colour((layer.roots | stock | (up & ~layer.floor)) << 4) & ALL
            used |= twins(used) | twins((layer.roots | layer.loose) & ~up)
            space = memory.fits[0, member]
            memory.fits[0, member] = space & (~stock | (~bare(space) & used))
            memory.rises[0, member] &= ~blocked
        fits |= memory.fits[0, member]
        rises |= memory.rises[0, member]
    roots = layer.roots & (fits | rises)
    for kind in range(3):
        left = roots if kind == 2 else stock & rises if kind == 1 else stock & fits & ~rises
        while left:
            card = left & -left
            left ^= card
            if add_child(layer, at, card, size, memory, deal):
                return True
    return False


@compiled
def search(deal: Deal, memory: Memory, budget: int) -> int:
    """Search on for so many states."""
    frames, counters = memory.frames, memory.counters
    end = counters[STATES] + budget
    while counters[TOP] >= 0:
        at = counters[TOP]
        if frames[at, OPEN]:
            counters[TOP] -= 1
            continue
        if counters[STATES] >= end:
            return RUNNING
        if 2 * counters[USED] > memory.table.size:
            return TABLE_FULL
        if at + 64 > frames.shape[0]:
            return STACK_FULL
        frames[at, OPEN] = 1
        counters[STATES] += 1
        layer = layer_at(frames, at)
        if deal.rules & USE_DEAD_ENDS and dead_end(layer, deal):
            counters[DEAD] += 1
            counters[TOP] -= 1
            continue
        if expand(layer, at, memory, deal):
            return SOLVABLE
    return UNSOLVABLE


@compiled
def start(deal: Deal, memory: Memory) -> int:
    """Settle the first frame."""
    memory.counters[TOP] = -1
    layer, forced = settle(layer_at(memory.frames, 0), deal)
    push(layer, memory.frames[0, ENTRY] | forced, -1, 0, 0, 0, memory)
    return SOLVABLE if won(layer, deal) else RUNNING


@compiled
def rehash(old: Ints, new: Ints) -> None:
    mask = new.size - 1
    for entry in old:
        if entry:
            slot = mix(entry & ~255, mask)
            while new[slot] != 0:
                slot = (slot + 1) & mask
            new[slot] = entry
