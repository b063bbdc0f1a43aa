"""A second opinion on a table that is called lost: a plain search of another kind, slower, and easier to believe."""

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from shared.rules.table import Table
from shared.rules.variants import Variant
from shared.solver import certify_kernels as kernels
from shared.solver.certify_kernels import COUNTERS, STATES, Dealt, Memory
from shared.solver.flat import BITS, unsupported
from shared.solver.solve import Budget, Reason

_TABLE_FIRST: Final = 1 << 14
_STACK_FIRST: Final = 1 << 14
_GROWTH: Final = 2
_STACK_SHARE: Final = 4
"""The stack may take a fourth of what the table may."""
_RUN: Final = 10_000
"""States between two looks at the clock: a few milliseconds."""
_COLUMN_MAX: Final = 20
"""Six cards face down, and a run from king to ace."""


class Opinion(NamedTuple):
    """What the plain search found."""

    winnable: bool | None
    """None: the budget ended first."""
    states: int
    reason: Reason | None = None
    """Why it is not known."""


def certify(
    table: Table,
    variant: Variant,
    budget: Budget,
    clock: Callable[[], float],
    cancelled: Callable[[], bool] = lambda: False,
) -> Opinion:
    """Whether a table that holds each card once can be won. `cancelled` is asked every few milliseconds.

    Raises:
        ValueError: the solver cannot work on such a table: `flat.unsupported` says why.
    """
    if problem := unsupported(table, variant):
        raise ValueError(problem)
    deadline = clock() + budget.seconds
    dealt, memory = _dealt(table, variant), _memory()
    answer = kernels.begin(_heights(table), len(table.waste), table.pass_number - 1, memory, dealt)
    reason: Reason | None = None
    while reason is None and answer not in {kernels.WON, kernels.LOST}:
        states = int(memory.counters[STATES])
        answer = kernels.search(min(_RUN, budget.states - states), memory, dealt)
        if answer in {kernels.TABLE_FULL, kernels.STACK_FULL}:
            if _too_large(memory, answer, budget):
                reason = "memory"
            else:
                memory = _grown(memory, answer)
        elif answer == kernels.RUNNING:
            if memory.counters[STATES] >= budget.states:
                reason = "states"
            elif cancelled():
                reason = "cancelled"
            elif clock() >= deadline:
                reason = "time"
    return Opinion(None if reason else answer == kernels.WON, int(memory.counters[STATES]), reason)


def _dealt(table: Table, variant: Variant) -> Dealt:
    shape = len(table.columns), _COLUMN_MAX
    cards, shown = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for index, column in enumerate(table.columns):
        for place, card in enumerate(column.down + column.up):
            cards[index, place] = BITS[card].bit_length() - 1
            shown[index, place] = place >= len(column.down)
    stock = [BITS[card].bit_length() - 1 for card in table.waste + table.stock[::-1]]
    return Dealt(
        cards=cards,
        shown=shown,
        sizes=np.array([len(column.down) + len(column.up) for column in table.columns], np.int64),
        stock=np.array(stock, np.int64),
        draw=variant.draw,
        passes=variant.passes or 0,
        give_back=int(variant.foundation_give_back),
    )


def _heights(table: Table) -> int:
    """Four bits a foundation, in the kernels' order of suits."""
    heights = 0
    for pile in table.foundations:
        if pile:
            suit = (BITS[pile[0]].bit_length() - 1) & 3
            heights |= len(pile) << (4 * suit)
    return heights


def _memory() -> Memory:
    return Memory(
        table=np.zeros((_TABLE_FIRST, 2), np.int64),
        stack=np.zeros((_STACK_FIRST, 2), np.int64),
        counters=np.zeros(COUNTERS, np.int64),
    )


def _too_large(memory: Memory, full: int, budget: Budget) -> bool:
    """Whether what is full may not grow any more."""
    if full == kernels.STACK_FULL:
        return memory.stack.nbytes * _GROWTH > budget.table_bytes // _STACK_SHARE
    return memory.table.nbytes * _GROWTH > budget.table_bytes


def _grown(memory: Memory, full: int) -> Memory:
    if full == kernels.STACK_FULL:
        stack = np.zeros((memory.stack.shape[0] * _GROWTH, 2), np.int64)
        stack[: memory.stack.shape[0]] = memory.stack
        return memory._replace(stack=stack)
    table = np.zeros((memory.table.shape[0] * _GROWTH, 2), np.int64)
    kernels.rehash(memory.table, table)
    return memory._replace(table=table)
