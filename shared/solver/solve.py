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
from shared.solver.flat import ALL_RULES, Flat, flatten
from shared.solver.kernels import ENTRY, NOISE, SEED, STAMP, STATES, TOP, Memory, layer_at
from shared.solver.memory import new_memory
from shared.solver.replay import Freed, play_out

_TABLE_FIRST: Final = 1 << 12
_TABLE_GROWTH: Final = 8
_RUN_FIRST: Final = 100
_RUN_GROWTH: Final = 1.15
_RUN_MAX: Final = 5_000
"""States between two looks at the clock: a few milliseconds."""
_NOISE: Final = 4000

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


class Solver:
    """Keeps the memory of its searches from one to the next. One thread at a time may use it."""

    def __init__(self, clock: Callable[[], float], rules: int = ALL_RULES) -> None:
        self._clock = clock
        self._rules = rules
        self._memory = new_memory(_TABLE_FIRST)

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
        flat = flatten(table, variant, self._rules)
        self._memory = _cleared(self._memory)
        deadline = self._clock() + budget.seconds
        answer = kernels.start(flat.first, flat.deal, self._memory)
        run = float(_RUN_FIRST)
        done = 0
        reason: Reason = "memory"
        while answer in {kernels.RUNNING, kernels.TABLE_FULL}:
            states = self._memory.counters[STATES]
            answer = kernels.search(flat.deal, self._memory, min(int(run) - done, _RUN_MAX, budget.states - states))
            done += int(self._memory.counters[STATES] - states)
            if answer == kernels.TABLE_FULL:
                if self._memory.table.nbytes * _TABLE_GROWTH > budget.table_bytes:
                    break
                self._memory = _grown(self._memory)
            elif answer == kernels.RUNNING:
                if stop := self._stop(budget, deadline, cancelled):
                    reason = stop
                    break
                if done >= int(run):
                    run, done = run * _RUN_GROWTH + 1, 0
                    self._memory.counters[NOISE] = _NOISE
                    kernels.restart(self._memory, flat.deal)
        return Outcome(answer, reason, flat, self._memory)

    def _stop(self, budget: Budget, deadline: float, cancelled: Callable[[], bool]) -> Reason | None:
        if self._memory.counters[STATES] >= budget.states:
            return "states"
        if cancelled():
            return "cancelled"
        return "time" if self._clock() >= deadline else None


def verdict(table: Table, variant: Variant, outcome: Outcome) -> Verdict:
    """What a search found, and when it is a win, its moves."""
    states = int(outcome.memory.counters[STATES])
    if outcome.answer == kernels.SOLVABLE:
        freed = _freed(outcome.memory)
        return Solvable(play_out(table, variant, outcome.flat, freed), states)
    if outcome.answer == kernels.UNSOLVABLE:
        return Unsolvable(states)
    return Unknown(outcome.reason, states)


def _freed(memory: Memory) -> Iterator[Freed]:
    """The way from the first frame to the top one."""
    frames = memory.frames
    path = [int(memory.counters[TOP])]
    while (parent := int(frames[path[-1], kernels.PARENT])) >= 0:
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
            exit=int(frames[child, kernels.EXIT]),
            card=int(frames[child, kernels.CARD]),
            rise=bool(frames[child, kernels.RISE]),
            target=int(frames[child, ENTRY]),
        )


def _cleared(memory: Memory) -> Memory:
    """Ready for the next search: stamps stay, so that they need no clearing."""
    stamp = memory.counters[STAMP]
    memory.counters[:] = 0
    memory.counters[STAMP] = stamp
    memory.counters[SEED] = 1
    return memory._replace(table=np.zeros(_TABLE_FIRST, np.int64))


def _grown(memory: Memory) -> Memory:
    larger = np.zeros(memory.table.size * _TABLE_GROWTH, np.int64)
    kernels.rehash(memory.table, larger)
    return memory._replace(table=larger)
