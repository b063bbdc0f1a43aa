"""The compiled search over layers and components. `docs/solver.md` says what they are, and why it is right.

Its entrances are `begin`, `search` and `restart`. numba compiles the functions of other modules into them, but its
cache on disk only sees changes of this file: hence CALLEES.
"""

from typing import Final

from shared.solver.components import explore, forget, index_of, key_of, mix, seen
from shared.solver.intrinsics import Ints, compiled, kernel, lowest, prefetch
from shared.solver.layers import USE_DEAD_ENDS, USE_LAZY, Deal, Layer, any_order, dead_end, reach, settle, take, won
from shared.solver.lazy import is_promise, kept, tops, useful, wanted
from shared.solver.memory import (
    ALIVE,
    CARD,
    ENTRY,
    EXIT,
    FIELDS,
    KEY,
    NOISE,
    OPEN,
    PARENT,
    PROMISE,
    RISE,
    SCORE,
    SEED,
    STAMP,
    STATES,
    TOP,
    USED,
    WASTE,
    Memory,
)

__all__ = [
    "CARD",
    "ENTRY",
    "EXIT",
    "NOISE",
    "PARENT",
    "RISE",
    "RUNNING",
    "SEED",
    "SOLVABLE",
    "STACK_FULL",
    "STATES",
    "TABLE_FULL",
    "TOP",
    "UNSOLVABLE",
    "USED",
    "Memory",
    "begin",
    "expand",
    "layer_at",
    "push",
    "restart",
    "search",
]

CALLEES: Final = "1858228454c9db1b"
"""A digest of the modules that are compiled into this one. A test says what it has to be."""

RUNNING, SOLVABLE, UNSOLVABLE, TABLE_FULL, STACK_FULL = range(5)
"""Answers of `search`."""


@compiled
def noise(counters: Ints) -> int:
    """A number from 0 to less than NOISE. Knuth's linear congruential generator, MMIX."""
    counters[SEED] = counters[SEED] * 6364136223846793005 + 1442695040888963407
    number: int = (((counters[SEED] >> 40) & 0xFFFF) * counters[NOISE]) >> 16
    return number


@compiled
def score(layer: Layer, card: int, rise: int, memory: Memory, deal: Deal) -> int:
    """How promising it is to free a card: what led to a win before, then roots, of the highest column first."""
    value: int = noise(memory.counters) + memory.guide[lowest(card)]
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
    frames[at, PROMISE] = 0
    frames[at, ALIVE] = 0
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
        if frames[at, PROMISE] == 0 and seen(frames[at, KEY], frames[at, WASTE], memory, deal):
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
def promised(layer: Layer, card: int, size: int, lazy: int, memory: Memory, deal: Deal) -> int:
    """The card, if it leaves the stock for what has to follow at once, from whichever member; else 0."""
    if not card & lazy:
        return 0
    put, raised = 0, 0
    for member in range(size):
        put |= memory.puts[member] & card
        raised |= memory.rises[0, member] & card
    if put and raised:
        return 0
    for member in range(size):
        if (memory.puts[member] | memory.rises[0, member]) & card:
            up, fits = memory.members[0, member], memory.fits[0, member]
            if not is_promise(layer, lazy, up, fits, card, raised != 0, deal):
                return 0
    return card


@compiled
def add_child(layer: Layer, at: int, card: int, size: int, lazy: int, memory: Memory, deal: Deal) -> bool:
    """Push the components that freeing a card leads to: mostly one. Whether one of them is won.

    `lazy` are the cards that stay in the stock until they are of use; with 0 nothing is promised.
    """
    frames, puts, rises = memory.frames, memory.puts, memory.rises
    child, forced = settle(take(layer, card, deal), deal)
    promise = promised(layer, card, size, lazy, memory, deal)
    last, strides, stamp = -1, 0, 0
    for member in range(size):
        if not (puts[member] | rises[0, member]) & card:
            continue
        up = memory.members[0, member]
        rise = 0 if puts[member] & card else card
        entry = up | rise | forced
        if entry == last or (stamp and memory.stamps[index_of(entry, child, strides)] == stamp):
            continue
        last = entry
        number, highest, strides = explore(child, entry, 0, 1, memory, deal)
        stamp = memory.counters[STAMP] if number > 1 else 0
        place = push(child, entry, memory)
        key = key_of(child, highest)
        prefetch(memory.table, mix(key, memory.table))
        frames[place, PARENT] = at
        frames[place, CARD] = card
        frames[place, EXIT] = up
        frames[place, RISE] = rise
        frames[place, KEY] = key
        frames[place, SCORE] = score(layer, card, rise, memory, deal)
        frames[place, PROMISE] = promise
        if won(child, deal):
            return True
    return False


@compiled
def keep(layer: Layer, size: int, at: int, memory: Memory, deal: Deal) -> None:
    """Leave only what keeps a frame's promise."""
    down = 0
    for member in range(size):
        down |= tops(memory.members[0, member], layer.floor, deal)
    put, raised = kept(layer, down, memory.frames[at, PROMISE], memory.frames[at, RISE] != 0)
    for member in range(size):
        memory.puts[member] &= put
        memory.rises[0, member] &= raised


@compiled
def choose(layer: Layer, stock: int, size: int, at: int, memory: Memory, deal: Deal) -> int:
    """Settle which cards to free from which member. Returns the cards that stay in the stock until they are of use."""
    frames, puts, fits, rises = memory.frames, memory.puts, memory.fits, memory.rises
    if not (deal.rules & USE_LAZY and any_order(deal)):
        for member in range(size):
            puts[member] = fits[0, member]
        return 0
    for member in range(size):
        up, room = memory.members[0, member], fits[0, member]
        puts[member] = room & (~stock | wanted(layer, stock, up, room, deal))
        rises[0, member] &= ~stock | useful(layer, stock, up, room, deal)
    if frames[at, PROMISE]:
        keep(layer, size, at, memory, deal)
    return stock


@compiled
def expand(at: int, memory: Memory, deal: Deal) -> bool:
    """Push all that a frame leads to. Whether the last one pushed is won."""
    layer = layer_at(memory.frames, at)
    stock = reach(layer, deal)
    size, _, _ = explore(layer, memory.frames[at, ENTRY], stock, 0, memory, deal)
    lazy = choose(layer, stock, size, at, memory, deal)
    cards = 0
    for member in range(size):
        cards |= memory.puts[member] | memory.rises[0, member]
    cards &= layer.roots | stock
    while cards:
        card = cards & -cards
        cards ^= card
        if add_child(layer, at, card, size, lazy, memory, deal):
            return True
    if memory.counters[TOP] < memory.frames.shape[0] - 1:
        weed(at + 1, memory, deal)
    return False


@compiled
def is_dead(at: int, memory: Memory, deal: Deal) -> bool:
    """Whether a frame needs no expansion. A promise has the card that was freed last still in hand: it is not asked."""
    frames = memory.frames
    asked = deal.rules & USE_DEAD_ENDS and frames[at, PROMISE] == 0
    return bool(asked and dead_end(layer_at(frames, at), deal))


@kernel
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
        if is_dead(at, memory, deal):
            counters[TOP] -= 1
        elif expand(at, memory, deal):
            return SOLVABLE
        elif counters[TOP] >= frames.shape[0] - 1:
            return STACK_FULL
    return UNSOLVABLE


@compiled
def begin(layer: Layer, entry: int, memory: Memory, deal: Deal) -> int:
    """Put a position on the empty stack. UNSOLVABLE: it was searched to its end before."""
    memory.counters[TOP] = -1
    layer, forced = settle(layer, deal)
    entry |= forced
    at = push(layer, entry, memory)
    memory.frames[at, PARENT] = -1
    if won(layer, deal):
        return SOLVABLE
    _, highest, _ = explore(layer, entry, 0, 1, memory, deal)
    memory.frames[at, KEY] = key_of(layer, highest)
    if seen(memory.frames[at, KEY], layer.waste, memory, deal):
        memory.counters[TOP] = -1
        return UNSOLVABLE
    return RUNNING


@compiled
def restart(memory: Memory, deal: Deal) -> None:
    """Begin again at the bottom of the stack. What was searched to its end stays known, what is on the stack not."""
    forget(1, memory.counters[TOP], memory, deal)
    memory.counters[TOP] = 0
    memory.frames[0, OPEN] = 0
