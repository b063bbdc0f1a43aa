"""What a worker process does: take jobs and do them, a set number at the same time, until it is told to stop."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.metadata import version
from typing import Final, Literal

import msgspec
import nats.micro
from nats.micro.request import Request
from nats.micro.service import EndpointStats

from services.solver_worker.tally import Tally
from services.solver_worker.worker import OUTAGE, Worker
from shared import DISTRIBUTION, clock, subjects
from shared.backoff import Backoff
from shared.bus.job_queue import JobQueue, QueueMissingError, TakenJob
from shared.logs import Log
from shared.messages.workers import WORKER_ENDPOINT, WORKER_SERVICE
from shared.notify import notify
from shared.service import ServiceContext
from shared.settings import SolverWorkerSettings, Takes
from shared.subjects import PRIORITIES, Priority
from shared.warming import Warm, warmed

PATIENCE_SECONDS: Final = 5.0
"""So long the queue may be missing before that is warned of: at a start, game-state makes it meanwhile."""
BACKOFF: Final = Backoff(first_seconds=0.05, most_seconds=1.0)
FINISH_SECONDS: Final = 0.1
"""How long a worker that is told to stop goes on with its job. A hint is done by then; a longer job is handed back."""

Stop = asyncio.Task[Literal[True]]
"""Is done when the worker is told to stop."""

TAKES: Final[Mapping[Takes, Sequence[Priority]]] = {
    "all": PRIORITIES,
    "waiting": ("waiting",),
    "background": ("analysis", "pool"),
}
INSTANT: Final[frozenset[Priority]] = frozenset({"waiting"})
"""What is taken before the kernels are loaded: instant hints need none."""


async def run(context: ServiceContext[SolverWorkerSettings], warm: Warm = warmed) -> None:
    """Work until told to stop: what ends at once is finished, everything else that was taken is handed back."""
    settings = context.settings
    takings = _Takings(TAKES[settings.takes])
    tally = Tally(
        time.monotonic,
        instance=context.instance,
        capacity=settings.jobs_at_once,
        priorities=TAKES[settings.takes],
        warm=takings.warm.is_set,
    )
    await _describe(context, tally)
    worker = Worker(context.nats, context.traffic, context.log, clock.now_ms, tally)
    async with asyncio.TaskGroup() as work:
        warming = work.create_task(takings.widen(warm, context.log))
        async with asyncio.TaskGroup() as lanes:
            for _ in range(settings.jobs_at_once):
                lanes.create_task(_Lane(context, worker, takings).run())
        warming.cancel()


async def _describe(context: ServiceContext[SolverWorkerSettings], tally: Tally) -> None:
    """Answers the micro protocol: `nats micro stats` and `klondike status` show what the worker does, and how fast."""

    def report(stats: EndpointStats) -> object:
        reported = tally.report()
        stats.num_requests = reported.done + reported.refused + reported.dropped
        stats.num_errors = reported.refused
        stats.processing_time = tally.searched_nanoseconds
        stats.average_processing_time = tally.searched_nanoseconds // max(reported.done, 1)
        return msgspec.to_builtins(reported)

    async def answer(request: Request) -> None:
        await request.respond(msgspec.json.encode(tally.report()))

    service = await nats.micro.add_service(
        context.nats,
        name=WORKER_SERVICE,
        version=version(DISTRIBUTION),
        description="Finds good moves",
        stats_handler=report,
    )
    await service.add_endpoint(name=WORKER_ENDPOINT, subject=subjects.worker(context.instance), handler=answer)


class _Takings:
    """The priorities that are taken: until the kernels are loaded, those that need none."""

    def __init__(self, priorities: Sequence[Priority]) -> None:
        self._priorities = tuple(priorities)
        self._instant = tuple(one for one in priorities if one in INSTANT)
        self.warm = asyncio.Event()
        self.serving = asyncio.Event()
        """Set when the first lane takes jobs."""

    @property
    def now(self) -> tuple[Priority, ...]:
        """None are taken yet where none can be."""
        return self._priorities if self.warm.is_set() else self._instant

    async def widen(self, warm: Warm, log: Log) -> None:
        """Not before there are instant hints: what is loaded then is not waited for."""
        if self._instant:
            await self.serving.wait()
        await warm(log)
        self.warm.set()


class _Lane:
    """Does one job after the other."""

    def __init__(self, context: ServiceContext[SolverWorkerSettings], worker: Worker, takings: _Takings) -> None:
        self._context = context
        self._worker = worker
        self._takings = takings
        self._failures = 0
        self._missing_since = 0.0

    async def run(self) -> None:
        stop = asyncio.ensure_future(self._context.stopping.wait())
        warm = asyncio.ensure_future(self._takings.warm.wait())
        if not self._takings.now:
            await asyncio.wait({stop, warm}, return_when=asyncio.FIRST_COMPLETED)
        while not stop.done():
            priorities = self._takings.now
            queue = JobQueue(self._context.nats, time.monotonic, priorities)
            try:
                await queue.open()
                await self._work(queue, stop, priorities)
            except (QueueMissingError, *OUTAGE) as error:
                await self._pause(error)
            finally:
                with suppress(QueueMissingError, *OUTAGE):
                    await queue.close()
        warm.cancel()

    async def _work(self, queue: JobQueue, stop: Stop, priorities: Sequence[Priority]) -> None:
        """Until told to stop, or until other priorities are to be taken.

        The search for a job is not interrupted by a stop: one that is on its way would be lost for a while.
        """
        taken = await queue.look()
        self._context.ready()
        self._takings.serving.set()
        self._failures = 0
        while not stop.done():
            if taken is not None:
                await self._do(taken, stop)
            if stop.done() or priorities != self._takings.now:
                return
            taken = await queue.take()
        if taken is not None:
            await self._worker.hand_back(taken)

    async def _do(self, taken: TakenJob, stop: Stop) -> None:
        """Sees a job through; told to stop, it is handed back unless it ends at once."""
        doing = asyncio.ensure_future(self._worker.do(taken))
        try:
            await asyncio.wait({doing, stop}, return_when=asyncio.FIRST_COMPLETED)
            if not doing.done():
                await asyncio.wait({doing}, timeout=FINISH_SECONDS)
        finally:
            doing.cancel()
        with suppress(asyncio.CancelledError):
            await doing

    async def _pause(self, error: Exception) -> None:
        """Wait before opening the queue anew; not when told to stop."""
        now = time.monotonic()
        if not self._failures:
            self._missing_since = now
        self._failures += 1
        seconds = BACKOFF.delay(self._failures, 1.0)
        reason = str(error) or type(error).__name__
        notify("STATUS=waiting for the job queue")
        late = now - self._missing_since > PATIENCE_SECONDS
        if late or self._failures == 1:
            tell = self._context.log.warning if late else self._context.log.info
            tell("waiting for the job queue", reason=reason, attempt=self._failures)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._context.stopping.wait(), seconds)
