"""The compiled search for shortest solutions. `docs/solver.md` says what it leaves out, and why it may.

Its entrances are `begin`, `search` and `rehash`.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from shared.solver.intrinsics import Ints, compiled, popcount, prefetch
from shared.solver.minimal_bound import moves_left
from shared.solver.minimal_moves import expand
from shared.solver.minimal_sheet import (
    DRAW,
    HEIGHTS_AT,
    PASS_AT,
    PASS_MASK,
    PASSES,
    STOCK_AT,
    WASTE_AT,
    WASTE_MASK,
    Bytes,
    Sheet,
)

CALLEES: Final = "db06d6fbf8a2781c"
"""A digest of the modules that are compiled into this one. A test says what it has to be."""

RUNNING, SOLVED, EXHAUSTED, NODES_FULL, TABLE_FULL = range(5)
"""Answers of `search`."""

NODES, NODES_MAX, STATES, LEAST, FOUND, COUNTERS = range(6)
"""Places of `Memory.counters`: nodes made, nodes the table has room for, states expanded, the least total, the last
node of a solution."""

CHILDREN_MAX: Final = 128
"""More than any position has: each card can go up or down at most."""
TOTALS: Final = 255
"""Totals are below: they fit a byte. A node that costs so much counts no more: there is a better one."""
AHEAD: Final = 2
"""Children whose totals are larger by more than this are left for later: most never become nodes."""
NEVER: Final = 999
ALL_DRAWN: Final = (WASTE_MASK | PASS_MASK << (PASS_AT - WASTE_AT)) << WASTE_AT
"""The bits of a position's second number in which positions differ that drawing may lead from one to the other."""
WON: Final = ((1 << 16) - 1) << HEIGHTS_AT
"""The bits of a position's first number that may be set when no card is in its place or in the stock."""


class Memory(NamedTuple):
    """Where a search works. A node is a position and the cheapest way that was found to it."""

    positions: Ints
    """[node, 0 or 1]"""
    costs: npt.NDArray[np.uint8]
    opened: npt.NDArray[np.uint8]
    """[node]: the largest total of the children that were made nodes; 0 if none were yet."""
    parents: npt.NDArray[np.int32]
    nexts: npt.NDArray[np.int32]
    """[node]: the next one of the same total, plus one: open nodes lie on a stack for each total."""
    heads: Ints
    """[total]: the top of its stack, plus one."""
    table: npt.NDArray[np.int32]
    """Open addressing: nodes, plus one."""
    bounds: Ints
    """The last ones computed, each with what it depends on."""
    children: Ints
    """[child, 0 and 1 its position, 2 its cost]; the last row is for their number."""
    chart: Bytes
    counters: Ints


@compiled
def mix(first: int, second: int) -> int:
    """A number of 44 bits for two of 64."""
    key = first * -7046029254386353131
    key ^= (key >> 32) & 0xFFFFFFFF
    key = (key + second) * -4417276706812531889
    key ^= (key >> 29) & 0x7FFFFFFFF
    key *= -7046029254386353131
    return (key >> 20) & 0xFFFFFFFFFFF


@compiled
def bound(first: int, second: int, memory: Memory, sheet: Sheet) -> int:
    """How many moves a position needs at least."""
    not_up = 52
    for suit in range(4):
        not_up -= (first >> (HEIGHTS_AT + 4 * suit)) & 15
    key = (first & ((1 << HEIGHTS_AT) - 1)) | (first >> STOCK_AT) << HEIGHTS_AT
    key |= ((second & ALL_DRAWN) >> WASTE_AT) << (HEIGHTS_AT + 24)
    bounds = memory.bounds
    slot = mix(key, 0) & (bounds.size - 1)
    if bounds[slot] >> 8 != key + 1:
        bounds[slot] = (key + 1) << 8 | moves_left(first, second, sheet, memory.chart)
    return not_up + int(bounds[slot] & 255)


@compiled
def draws_between(first: int, before: int, after: int, sheet: Sheet) -> int:
    """How many draws lead from one waste to another, NEVER if none do. Given are the second numbers of positions."""
    draw, number = int(sheet.constants[DRAW]), popcount(first >> STOCK_AT)
    start, end = (before >> WASTE_AT) & WASTE_MASK, (after >> WASTE_AT) & WASTE_MASK
    passed, later = (before >> PASS_AT) & PASS_MASK, (after >> PASS_AT) & PASS_MASK
    if start <= end and ((end - start) % draw == 0 or end == number) and passed <= later:
        return (end - start + draw - 1) // draw
    if (sheet.constants[PASSES] == 0 or passed < later) and (end % draw == 0 or end == number):
        return (number - start + draw - 1) // draw + (end + draw - 1) // draw
    return NEVER


@compiled
def slot_of(first: int, second: int, slots: int) -> int:
    """Where to begin to look for a position, and for those that drawing may lead to from it."""
    return mix(first, second & ~ALL_DRAWN) & (slots - 1)


@compiled
def place_for(first: int, second: int, cost: int, memory: Memory, sheet: Sheet) -> int:
    """The slot for a new node, or -1 if drawing leads to its position from another one at no higher cost.

    Nodes to which drawing from the new one leads at no higher cost count no more.
    """
    table, costs = memory.table, memory.costs
    slot = slot_of(first, second, table.size)
    found = -1
    while table[slot] != 0:
        other = table[slot] - 1
        others = memory.positions[other, 1]
        if memory.positions[other, 0] == first and (others ^ second) & ~ALL_DRAWN == 0:
            if costs[other] + draws_between(first, others, second, sheet) <= cost:
                return -1
            if cost + draws_between(first, second, others, sheet) <= costs[other]:
                costs[other] = TOTALS
                found = slot
        slot = (slot + 1) & (table.size - 1)
    return slot if found < 0 else found


@compiled
def keep(child: int, total: int, parent: int, memory: Memory, sheet: Sheet) -> None:
    """Make a node of a child, unless one that is as good is there."""
    children, counters = memory.children, memory.counters
    first, second, cost = children[child, 0], children[child, 1], children[child, 2]
    slot = place_for(first, second, cost, memory, sheet)
    if slot < 0:
        return
    node = counters[NODES]
    counters[NODES] = node + 1
    memory.positions[node, 0] = first
    memory.positions[node, 1] = second
    memory.costs[node] = cost
    memory.opened[node] = 0
    memory.parents[node] = parent
    memory.table[slot] = node + 1
    lay(node, total, memory)


@compiled
def lay(node: int, total: int, memory: Memory) -> None:
    """Lay a node on its stack."""
    memory.nexts[node] = memory.heads[total]
    memory.heads[total] = node + 1


@compiled
def visit(node: int, memory: Memory, sheet: Sheet) -> None:
    """Make nodes of a node's children, those with large totals left for another time."""
    counters, children = memory.counters, memory.children
    least = counters[LEAST]
    opened, later = memory.opened[node], TOTALS
    cost = int(memory.costs[node])
    number = expand(int(memory.positions[node, 0]), int(memory.positions[node, 1]), cost, children, sheet)
    for child in range(number):
        slot = slot_of(children[child, 0], children[child, 1], memory.table.size)
        prefetch(memory.table, slot)  # type: ignore[arg-type]  # integers of any width will do
    for child in range(number):
        total = children[child, 2] + bound(children[child, 0], children[child, 1], memory, sheet)
        if total > least + AHEAD:
            later = min(later, total)
        elif total > opened:
            keep(child, max(total, least), node, memory, sheet)
    memory.opened[node] = least + AHEAD
    if later < TOTALS:
        lay(node, later, memory)


@compiled
def search(memory: Memory, sheet: Sheet, states: int) -> int:
    """Search on for so many states."""
    counters, heads = memory.counters, memory.heads
    end = counters[STATES] + states
    while True:
        while heads[counters[LEAST]] == 0:
            counters[LEAST] += 1
            if counters[LEAST] >= TOTALS - AHEAD:
                return EXHAUSTED
        if counters[STATES] >= end:
            return RUNNING
        if counters[NODES] >= memory.costs.size - CHILDREN_MAX:
            return NODES_FULL
        if counters[NODES] >= counters[NODES_MAX]:
            return TABLE_FULL
        node = heads[counters[LEAST]] - 1
        heads[counters[LEAST]] = memory.nexts[node]
        if memory.costs[node] == TOTALS:
            continue
        if memory.positions[node, 0] & ~WON == 0:
            counters[FOUND] = node
            return SOLVED
        counters[STATES] += 1
        visit(node, memory, sheet)


@compiled
def begin(first: int, second: int, memory: Memory, sheet: Sheet) -> None:
    """Make the first node of empty memory, once the chart is filled."""
    memory.children[0, 0] = first
    memory.children[0, 1] = second
    memory.children[0, 2] = 0
    keep(0, bound(first, second, memory, sheet), -1, memory, sheet)


@compiled
def rehash(memory: Memory, table: npt.NDArray[np.int32]) -> None:
    """Put all nodes that count into a larger, empty table."""
    for node in range(memory.counters[NODES]):
        if memory.costs[node] != TOTALS:
            slot = slot_of(memory.positions[node, 0], memory.positions[node, 1], table.size)
            while table[slot] != 0:
                slot = (slot + 1) & (table.size - 1)
            table[slot] = node + 1
