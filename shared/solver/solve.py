"""Whether a table can be won when every card is known: `solve` proves either answer, or says that it does not know."""

import itertools
from collections.abc import Callable, Iterator
from typing import Final, Literal, NamedTuple

import msgspec
import numpy as np

from shared.rules.moves import Move
from shared.rules.table import Table
from shared.rules.variants import Variant
from shared.solver import kernels
from shared.solver.components import rehash
from shared.solver.decide import Desk, advance, fill, new_desk, new_world
from shared.solver.flat import ALL_RULES, Flat, empty_deal, unsupported
from shared.solver.kernels import layer_at
from shared.solver.memory import CARD, ENTRY, EXIT, PARENT, RISE, RUN, STATES, TOP, USED, Memory
from shared.solver.replay import Freed, play_out

_TABLE_FIRST: Final = 1 << 12
_TABLE_GROWTH: Final = 4
_SCRAP_PART: Final = 4
"""The easier game's table may take one part in so many of the room that is left."""
_REHASHED_AT_ONCE: Final = 1 << 16
"""Slots between two looks whether the search is cancelled: a millisecond or two."""
_SLICE: Final = 3_000
"""States between two looks at the clock: a millisecond or two."""

Reason = Literal["states", "time", "memory", "cancelled"]


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """When to give up."""

    states: int = 1 << 62
    seconds: float = 10.0
    table_bytes: int = 1 << 30
    """The most that the table of components may take."""


class Solvable(msgspec.Struct, frozen=True):
    """The moves win; the rules accepted each."""

    moves: tuple[Move, ...]
    states: int


class Unsolvable(msgspec.Struct, frozen=True):
    """No moves win: everything that could was searched."""

    states: int


class Unknown(msgspec.Struct, frozen=True):
    """The budget ended first."""

    reason: Reason
    states: int


Verdict = Solvable | Unsolvable | Unknown


class Outcome(NamedTuple):
    """What a search found: an answer of the kernels, or why it ended without one."""

    answer: int
    reason: Reason
    flat: Flat
    memory: Memory
    states: int
    """All that were searched."""


class Solver:
    """Keeps the memory of its searches from one to the next. One thread at a time may use it."""

    def __init__(self, clock: Callable[[], float], rules: int = ALL_RULES) -> None:
        self._clock = clock
        self._rules = rules
        self._world = new_world()
        self._desks: dict[Variant, Desk] = {}

    def solve(
        self, table: Table, variant: Variant, budget: Budget, cancelled: Callable[[], bool] = lambda: False
    ) -> Verdict:
        """The verdict on a table that holds each card once. `cancelled` is asked every few milliseconds.

        Raises:
            ValueError: the solver cannot work on such a table: `flat.unsupported` says why.
        """
        return verdict(table, variant, self.search(table, variant, budget, cancelled))

    def search(
        self, table: Table, variant: Variant, budget: Budget, cancelled: Callable[[], bool] = lambda: False
    ) -> Outcome:
        """The first half of `solve`: decides, but does not play. Valid until the next search.

        Raises:
            ValueError: as `solve`.
        """
        if problem := unsupported(table, variant):
            raise ValueError(problem)
        deadline = self._clock() + budget.seconds
        fill(self._world, table)
        desk = self._desk(variant)
        desk.memory.counters[RUN] = 0  # As `decide.vacate` does: that would be another kernel to load.
        answer = advance(self._world, desk, min(_SLICE, budget.states))
        reason: Reason = "memory"  # Unless said otherwise below: no room on the stack.
        while answer in {kernels.RUNNING, kernels.TABLE_FULL}:
            states = _searched(desk)
            if stop := self._stop(budget, states, deadline, cancelled):
                reason = stop
                break
            if (grown := _grown(desk, budget.table_bytes, cancelled)) is None:
                reason = "cancelled" if cancelled() else "memory"
                break
            desk = grown
            answer = advance(self._world, desk, min(_SLICE, budget.states - states))
        return Outcome(answer, reason, Flat(desk.deal, desk.first), desk.memory, _searched(desk))

    def _desk(self, variant: Variant) -> Desk:
        """A desk with small tables."""
        if variant not in self._desks:
            if not self._desks:
                self._desks[variant] = new_desk(variant, _TABLE_FIRST, self._rules)
            else:
                other = next(iter(self._desks.values()))
                self._desks[variant] = other._replace(deal=empty_deal(variant, self._rules))
        return self._desks[variant]

    def _stop(self, budget: Budget, states: int, deadline: float, cancelled: Callable[[], bool]) -> Reason | None:
        if states >= budget.states:
            return "states"
        if cancelled():
            return "cancelled"
        return "time" if self._clock() >= deadline else None


def verdict(table: Table, variant: Variant, outcome: Outcome) -> Verdict:
    """What a search found, and when it is a win, its moves."""
    if outcome.answer == kernels.SOLVABLE:
        freed = _freed(outcome.memory)
        return Solvable(play_out(table, variant, outcome.flat, freed), outcome.states)
    if outcome.answer == kernels.UNSOLVABLE:
        return Unsolvable(outcome.states)
    return Unknown(outcome.reason, outcome.states)


def _freed(memory: Memory) -> Iterator[Freed]:
    """The way from the first frame to the top one."""
    frames = memory.frames
    path = [int(memory.counters[TOP])]
    while (parent := int(frames[path[-1], PARENT])) >= 0:
        path.append(parent)
    path.reverse()
    for at, child in itertools.pairwise(path):
        layer = layer_at(frames, at)
        yield Freed(
            roots=int(layer.roots),
            loose=int(layer.loose),
            free=int(layer.free),
            floor=int(layer.floor),
            entry=int(frames[at, ENTRY]),
            exit=int(frames[child, EXIT]),
            card=int(frames[child, CARD]),
            rise=bool(frames[child, RISE]),
            target=int(frames[child, ENTRY]),
        )


def _searched(desk: Desk) -> int:
    return int(desk.memory.counters[STATES] + desk.scrap.counters[STATES])


def _grown(desk: Desk, table_bytes: int, cancelled: Callable[[], bool]) -> Desk | None:
    """The desk with a larger table in place of one that is half full; None when that may not be, or was cancelled.

    When the easier game's table may not grow, the search goes on without asking it.
    """
    memory, scrap = desk.memory, desk.scrap
    room = table_bytes - memory.table.nbytes - scrap.table.nbytes
    if _is_full(memory):
        fits = memory.table.nbytes * _TABLE_GROWTH <= room
        larger = _with_larger_table(memory, cancelled) if fits else None
        return desk._replace(memory=larger) if larger else None
    if _is_full(scrap) and scrap.table.nbytes * _TABLE_GROWTH * _SCRAP_PART <= room:
        larger = _with_larger_table(scrap, cancelled)
        return desk._replace(scrap=larger) if larger else None
    return desk


def _is_full(memory: Memory) -> bool:
    return bool(2 * memory.counters[USED] > memory.table.size)


def _with_larger_table(memory: Memory, cancelled: Callable[[], bool]) -> Memory | None:
    larger = np.zeros(memory.table.size * _TABLE_GROWTH, np.int64)
    for first in range(0, memory.table.size, _REHASHED_AT_ONCE):
        if first and cancelled():
            return None
        rehash(memory.table[first : first + _REHASHED_AT_ONCE], larger)
    return memory._replace(table=larger)
