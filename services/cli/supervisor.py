"""Keeps processes running: starts them in stages, restarts what dies, ends them in the reverse order."""

import asyncio
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from shared.backoff import Backoff

POLL_SECONDS = 0.02
STEADY_SECONDS = 10.0
"""A child that ran for so long starts its back-off anew when it dies."""
FRUITLESS_STARTS_MAX = 5
"""A child that dies for this many times in a row without being ready is given up."""
SAY_AFTER_SECONDS = 1.0
BACKOFF = Backoff(first_seconds=0.1, most_seconds=5.0)
EXIT_SETTINGS = 2


class Child(Protocol):
    """A process that can be started again."""

    @property
    def name(self) -> str: ...

    def start(self) -> None: ...

    def ready(self) -> bool:
        """Whether it does its work."""
        ...

    def exited(self) -> int | None:
        """Its exit status once it has ended, negative for a signal."""
        ...

    def send_signal(self, number: signal.Signals) -> None: ...

    @property
    def doing(self) -> str:
        """What it says it is doing or waiting for; empty when it says nothing."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Stage:
    """Children that start and end together."""

    children: Sequence[Child]
    awaited: bool = False
    """The next stage starts when these are ready, else at once. Stages always end one after the other."""
    background: bool = False
    """Nobody waits for these: they start when all others are ready, and all others go on without them."""


class GaveUpError(Exception):
    """A child that is needed cannot be kept running. The text says which and why."""


class Supervisor:
    """Runs stages of children."""

    def __init__(
        self,
        stages: Sequence[Stage],
        tell: Callable[[str], None],
        jitter: Callable[[], float],
        *,
        drain_seconds: float,
        backoff: Backoff = BACKOFF,
    ) -> None:
        """`tell` takes lines for the operator; `jitter` gives numbers from 0 to 1, at random."""
        self._stages = stages
        self._tell = tell
        self._jitter = jitter
        self._drain_seconds = drain_seconds
        self._backoff = backoff
        self._started: list[Stage] = []
        self._keepers: list[asyncio.Task[None]] = []
        self.restarts = 0

    async def run(self, stopping: asyncio.Event, on_ready: Callable[[], None]) -> None:
        """Until `stopping` is set. A second request to stop is the caller's to act on: see `kill`.

        Raises:
            GaveUpError: a child that is needed cannot be kept running. All have ended by then.
        """
        stop = asyncio.ensure_future(stopping.wait())
        work = asyncio.ensure_future(self._work(on_ready))
        try:
            await asyncio.wait({stop, work}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                work.result()
        finally:
            for task in (stop, work, *self._keepers):
                task.cancel()
            await asyncio.gather(stop, work, *self._keepers, return_exceptions=True)
            await self._end_all()

    def kill(self) -> None:
        """Ends all at once, for an operator who does not want to wait."""
        for stage in self._started:
            for child in stage.children:
                _send(child, signal.SIGKILL)

    async def _work(self, on_ready: Callable[[], None]) -> None:
        begun: list[Child] = []
        needed = [stage for stage in self._stages if not stage.background]
        for stage in needed:
            self._begin(stage)
            begun += stage.children
            if stage.awaited or stage is needed[-1]:
                await self._unless_given_up({asyncio.ensure_future(self._all_ready(begun))})
        on_ready()
        for stage in self._stages:
            if stage.background:
                self._begin(stage)
        await self._unless_given_up(set())

    def _begin(self, stage: Stage) -> None:
        self._started.append(stage)
        keep = self._keep_if_possible if stage.background else self._keep
        self._keepers += [asyncio.ensure_future(keep(child)) for child in stage.children]

    async def _unless_given_up(self, wanted: set[asyncio.Task[None]]) -> None:
        """Waits for what is wanted, or for ever, as long as every child that is needed is kept."""
        while True:
            kept = [keeper for keeper in self._keepers if not keeper.done()]
            await asyncio.wait({*wanted, *kept}, return_when=asyncio.FIRST_COMPLETED)
            for keeper in kept:
                if keeper.done() and keeper.exception() is not None:
                    for task in wanted:
                        task.cancel()
                    keeper.result()
            if wanted and all(task.done() for task in wanted):
                return

    async def _all_ready(self, children: Sequence[Child]) -> None:
        loop = asyncio.get_running_loop()
        say_at, said = loop.time() + SAY_AFTER_SECONDS, ""
        while missing := [child for child in children if not child.ready()]:
            text = ", ".join(f"{child.name} ({child.doing})" if child.doing else child.name for child in missing)
            if loop.time() >= say_at and text != said:
                self._tell(f"waiting for {text}")
                said = text
            await asyncio.sleep(POLL_SECONDS)

    async def _keep_if_possible(self, child: Child) -> None:
        try:
            await self._keep(child)
        except GaveUpError as error:
            self._tell(f"{error}. All else goes on without it")

    async def _keep(self, child: Child) -> None:
        """Ends by giving up only: at once where the settings do not do, unless they did before."""
        loop = asyncio.get_running_loop()
        failures, fruitless, served = 0, 0, False
        while True:
            started_at, was_ready = loop.time(), False
            child.start()
            while (status := child.exited()) is None:
                was_ready = was_ready or child.ready()
                await asyncio.sleep(POLL_SECONDS)
            steady = loop.time() - started_at > STEADY_SECONDS
            failures = 1 if steady else failures + 1
            fruitless = 0 if was_ready else fruitless + 1
            served = served or was_ready
            if (status == EXIT_SETTINGS and not served) or fruitless >= FRUITLESS_STARTS_MAX:
                raise GaveUpError(f"{child.name} does not start ({_ending(status)}); its last lines say why")
            seconds = self._backoff.delay(failures, self._jitter())
            self._tell(f"{child.name} died ({_ending(status)}), starting it again in {seconds:.1f} s")
            self.restarts += 1
            await asyncio.sleep(seconds)

    async def _end_all(self) -> None:
        for stage in reversed(self._started):
            await asyncio.gather(*(self._end(child) for child in stage.children))

    async def _end(self, child: Child) -> None:
        """Asks, waits, and kills what does not end in time."""
        _send(child, signal.SIGTERM)
        with suppress(TimeoutError):
            await asyncio.wait_for(_ended(child), self._drain_seconds)
            return
        self._tell(f"{child.name} did not end within {self._drain_seconds:g} s, killing it")
        _send(child, signal.SIGKILL)
        await _ended(child)


def _send(child: Child, number: signal.Signals) -> None:
    if child.exited() is None:
        with suppress(ProcessLookupError):
            child.send_signal(number)


async def _ended(child: Child) -> None:
    while child.exited() is None:  # noqa: ASYNC110 - another process has no event to await
        await asyncio.sleep(POLL_SECONDS)


def _ending(status: int) -> str:
    return signal.Signals(-status).name if status < 0 else f"exit status {status}"
