"""The easier game: one card a draw, passes without limit, give-back. What cannot be won there cannot be won at all.

It has far fewer positions, as its stock has no order, and its search keeps what it found out from one position to the
next. `look` asks it about the way from the first position to where a search stands, again and again.
"""

from typing import Final

from shared.solver.components import forget
from shared.solver.intrinsics import Ints, compiled, kernel
from shared.solver.kernels import RUNNING, SOLVABLE, UNSOLVABLE, begin, layer_at, search
from shared.solver.layers import GIVE_BACK, USE_EASIER, USE_PHASES, Deal, Layer, any_order
from shared.solver.memory import ALIVE, ENTRY, OPEN, PARENT, TOP, USED, Memory

CALLEES: Final = "c4933b534f28d2b9"
"""A digest of the modules that are compiled into this one. A test says what it has to be."""

STATES_NEAR: Final = 100
"""To spend on a position near the top of the stack."""
STATES_FAR: Final = 1_000
"""To spend on the first position of the way that is not known to be alive: most is won if it is lost."""
SIBLINGS_MAX: Final = 16
"""Positions beside the way to ask about in one look: it is to end within milliseconds."""


@compiled
def helps(deal: Deal) -> bool:
    """Whether there is an easier game than a deal's."""
    return bool(deal.rules & USE_EASIER) and not any_order(deal)


@compiled
def easier(deal: Deal) -> Deal:
    rules = deal.rules | GIVE_BACK | USE_PHASES
    return Deal(deal.roots, deal.rests, deal.strides, deal.places, deal.stock, 1, 0, rules)


@compiled
def any_waste(layer: Layer) -> Layer:
    """The layer in the easier game, where the waste is of no matter."""
    return Layer(
        layer.counts, layer.number, layer.stock, 0, layer.roots, layer.loose, layer.hidden, layer.free, layer.floor
    )


@kernel
def try_easier(frames: Ints, at: int, memory: Memory, deal: Deal, states: int) -> int:
    """The easier game's verdict on a frame, RUNNING when it takes too long. What is proved lost stays known."""
    if frames[at, ALIVE]:
        return SOLVABLE
    answer = begin(any_waste(layer_at(frames, at)), frames[at, ENTRY], memory, easier(deal))
    if answer == RUNNING:
        answer = search(easier(deal), memory, states)
        forget(0, memory.counters[TOP], memory, easier(deal))
    if answer == SOLVABLE:
        frames[at, ALIVE] = 1
    return answer if answer in (SOLVABLE, UNSOLVABLE) else RUNNING


@compiled
def leave_lost_way(at: int, deal: Deal, memory: Memory, scrap: Memory) -> int:
    """Drop the positions at the end of the way that are lost. Returns the last one that is left, or -1."""
    frames, counters = memory.frames, memory.counters
    while at >= 0 and try_easier(frames, at, scrap, deal, STATES_NEAR) == UNSOLVABLE:
        counters[TOP] = at - 1
        at = frames[at, PARENT]
    return at


@compiled
def try_shallow(at: int, deal: Deal, memory: Memory, scrap: Memory) -> None:
    """Ask about the first position on the way to a frame that is not known to be alive, and drop it if it is lost."""
    frames = memory.frames
    shallow = at
    while at >= 0 and not frames[at, ALIVE]:
        shallow = at
        at = frames[at, PARENT]
    if try_easier(frames, shallow, scrap, deal, STATES_FAR) == UNSOLVABLE:
        memory.counters[TOP] = shallow - 1


@compiled
def leave_lost_siblings(deal: Deal, memory: Memory, scrap: Memory) -> None:
    """Drop what lies on top of the stack as long as it is lost, or was searched to its end."""
    frames, counters = memory.frames, memory.counters
    left = SIBLINGS_MAX
    while counters[TOP] >= 0 and left:
        at = counters[TOP]
        if not frames[at, OPEN]:
            left -= 1
            if try_easier(frames, at, scrap, deal, STATES_NEAR) != UNSOLVABLE:
                return
        counters[TOP] -= 1


@kernel
def look(deal: Deal, memory: Memory, scrap: Memory) -> int:
    """Drop what the easier game proves lost from the stack. UNSOLVABLE when nothing is left."""
    frames, counters = memory.frames, memory.counters
    if 2 * scrap.counters[USED] > scrap.table.size:
        return RUNNING
    top = counters[TOP]
    at = top if frames[top, OPEN] else frames[top, PARENT]
    at = leave_lost_way(at, deal, memory, scrap)
    if at >= 0 and not frames[at, ALIVE]:
        try_shallow(at, deal, memory, scrap)
    if counters[TOP] < top:
        leave_lost_siblings(deal, memory, scrap)
    return RUNNING if counters[TOP] >= 0 else UNSOLVABLE
