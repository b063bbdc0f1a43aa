"""The shortest solution of a table when every card is known, or what is known of it when the budget ended first.

Counted: every draw of the stock and every move of cards, one each; turning a card up and recycling are not.
"""

from collections.abc import Callable
from typing import Final, assert_never

import msgspec
import numpy as np

from shared.rules.moves import Move
from shared.rules.table import Table
from shared.rules.variants import Variant
from shared.solver import minimal_kernels as kernels
from shared.solver.layers import GIVE_BACK
from shared.solver.minimal_chart import fill
from shared.solver.minimal_kernels import CHILDREN_MAX, COUNTERS, FOUND, LEAST, NODES_MAX, STATES, TOTALS, Memory
from shared.solver.minimal_replay import counted, play_way
from shared.solver.minimal_sheet import Start, lay_sheet
from shared.solver.solve import Budget, Reason, Solvable, Solver, Unknown, Unsolvable

NODE_BYTES: Final = 26
"""What a node takes, besides its place in the table."""
_TABLE_FIRST: Final = 1 << 16
_TABLE_GROWTH: Final = 8
_SLOT_BYTES: Final = 4
_SLOTS_SHARE: Final = 4
"""The table takes a fourth of the memory at most."""
_BOUNDS: Final = 1 << 18
_ROWS: Final = 2_000
"""Rows of the chart between two looks at the clock: some milliseconds."""
_RUN: Final = 2_000
"""States between two looks at the clock: a few milliseconds."""


class Shortest(msgspec.Struct, frozen=True):
    """The moves win; the rules accepted each."""

    moves: tuple[Move, ...]
    count: int
    """What they count."""
    at_least: int
    """What any solution counts at least. The moves are a shortest solution if they count no more."""
    states: int
    reason: Reason | None = None
    """Why the search for a shorter solution ended without a proof."""

    @property
    def minimal(self) -> bool:
        """Whether no solution is shorter, by proof."""
        return self.count == self.at_least


class MinimalSolver:
    """Decides first, then looks for a shortest solution. One thread at a time may use it."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock

    def solve(
        self, table: Table, variant: Variant, budget: Budget, cancelled: Callable[[], bool] = lambda: False
    ) -> Shortest | Unsolvable | Unknown:
        """A shortest solution of a table that holds each card once. `cancelled` is asked every few milliseconds.

        `budget.table_bytes` holds for all memory of either search; one ends before the other begins.

        Raises:
            ValueError: the solver cannot work on such a table: `flat.unsupported` says why.
        """
        deadline = self._clock() + budget.seconds
        verdict = Solver(self._clock).solve(table, variant, budget, cancelled)
        match verdict:
            case Solvable():
                search = Search(table, variant, budget.table_bytes)
                reason = search.run(budget.states, lambda: self._stop(deadline, cancelled))
                return _result(search, verdict, reason)
            case Unsolvable() | Unknown():
                return verdict
        assert_never(verdict)

    def _stop(self, deadline: float, cancelled: Callable[[], bool]) -> Reason | None:
        if cancelled():
            return "cancelled"
        return "time" if self._clock() >= deadline else None


class Search:
    """One search for a shortest solution of a table that can be won."""

    def __init__(self, table: Table, variant: Variant, memory_bytes: int) -> None:
        self._table = table
        self._variant = variant
        self._start: Start = lay_sheet(table, variant, GIVE_BACK if variant.foundation_give_back else 0)
        self._slots_max = 1 << (memory_bytes // _SLOTS_SHARE // _SLOT_BYTES).bit_length() - 1
        nodes = (memory_bytes - self._slots_max * _SLOT_BYTES) // NODE_BYTES
        self._rows = int((self._start.sheet.limits + 1).prod())
        entries = self._rows * self._start.sheet.seats.size
        self.memory = _memory(nodes, min(_TABLE_FIRST, self._slots_max), entries)

    @property
    def states(self) -> int:
        """States expanded so far."""
        return int(self.memory.counters[STATES])

    @property
    def at_least(self) -> int:
        """What any solution counts at least, as far as is known yet."""
        return int(self.memory.counters[LEAST])

    def run(self, states: int, stop: Callable[[], Reason | None]) -> Reason | None:
        """Search until a shortest solution is found. Otherwise returns why not: one of 253 moves needs more memory.

        Args:
            states: how many may be expanded.
            stop: asked every few milliseconds for a reason to stop.
        """
        for row in range(0, self._rows, _ROWS):
            fill(row, row + _ROWS, self._start.sheet, self.memory.chart)
            if reason := stop():
                return reason
        kernels.begin(self._start.first, self._start.second, self.memory, self._start.sheet)
        while True:
            answer = kernels.search(self.memory, self._start.sheet, min(_RUN, states - self.states))
            if answer == kernels.SOLVED:
                return None
            if answer in {kernels.NODES_FULL, kernels.EXHAUSTED}:
                return "memory"
            if answer == kernels.TABLE_FULL:
                self._grow()
            if self.states >= states:
                return "states"
            if reason := stop():
                return reason

    def moves(self) -> tuple[Move, ...]:
        """The solution that was found."""
        memory = self.memory
        way: list[tuple[int, int]] = []
        node = int(memory.counters[FOUND])
        while node >= 0:
            way.append((int(memory.positions[node, 0]), int(memory.positions[node, 1])))
            node = int(memory.parents[node])
        return play_way(self._table, self._variant, self._start.sheet, way[::-1])

    def _grow(self) -> None:
        """Give the table more slots, or if it has as many as it may, let it become fuller."""
        slots = min(self.memory.table.size * _TABLE_GROWTH, self._slots_max)
        full = slots == self._slots_max
        self.memory.counters[NODES_MAX] = self.memory.costs.size if full else slots // 2
        if slots != self.memory.table.size:
            table = np.zeros(slots, np.int32)
            kernels.rehash(self.memory, table)
            self.memory = self.memory._replace(table=table)


def _result(search: Search, verdict: Solvable, reason: Reason | None) -> Shortest:
    moves = verdict.moves if reason else search.moves()
    count = counted(moves)
    assert reason or count == search.at_least, f"the rules count {count} moves, not {search.at_least}"
    return Shortest(moves, count, search.at_least, verdict.states + search.states, reason)


def _memory(nodes: int, slots: int, entries: int) -> Memory:
    counters = np.zeros(COUNTERS, np.int64)
    counters[NODES_MAX] = slots // 2
    return Memory(
        positions=np.empty((nodes, 2), np.int64),
        costs=np.empty(nodes, np.uint8),
        opened=np.empty(nodes, np.uint8),
        parents=np.empty(nodes, np.int32),
        nexts=np.empty(nodes, np.int32),
        heads=np.zeros(TOTALS + 1, np.int64),
        table=np.zeros(slots, np.int32),
        bounds=np.zeros(_BOUNDS, np.int64),
        children=np.zeros((CHILDREN_MAX + 1, 3), np.int64),
        chart=np.zeros(entries, np.uint8),
        counters=counters,
    )
