"""A thread for searches: one after the other, never in the way of the process that answers."""

import asyncio
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, TypeVar

from shared.rules.table import Table
from shared.rules.variants import Variant
from shared.solver.solve import Budget, Solver, Verdict

Found = TypeVar("Found")

WAITING_MAX: Final = 64
"""Searches that wait for a lane's thread; one more is refused."""
NICENESS: Final = 10
"""Behind the services that somebody waits for with every move."""


class BusyError(Exception):
    """Too many searches wait already, or none is possible yet."""


class Lane:
    """One thread and the solver whose memory it reuses. The kernels hold no lock, so lanes search side by side."""

    def __init__(self, name: str, warm: Callable[[], bool] = lambda: True) -> None:
        """`warm` says whether the kernels are loaded: to compile them in a search would hold up all else."""
        self.name = name
        self._warm = warm
        self._stopping = threading.Event()
        self._solver = Solver(time.monotonic)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name, initializer=_step_back)
        self._waiting = 0

    @property
    def searches(self) -> int:
        """Those that wait, and the one that is under way."""
        return self._waiting

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    def solve(self, table: Table, variant: Variant, budget: Budget) -> Verdict:
        """For work that `run` runs. After `close` it is cut short within some milliseconds."""
        return self._solver.solve(table, variant, budget, self._stopping.is_set)

    async def run(self, work: Callable[[], Found]) -> Found:
        """What some work gives, once its turn has come.

        Raises:
            BusyError: too much waits for its turn, or there are no kernels yet.
        """
        if self._waiting >= WAITING_MAX or not self._warm():
            raise BusyError
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        """Cuts the search short that is under way, and drops those that wait."""
        self._stopping.set()
        await asyncio.to_thread(self._thread.shutdown, wait=True, cancel_futures=True)


def _step_back() -> None:
    """On Linux each thread has a priority of its own; elsewhere the system has to do without this."""
    with suppress(OSError, AttributeError):
        own = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, own, max(NICENESS, os.getpriority(os.PRIO_PROCESS, own)))
