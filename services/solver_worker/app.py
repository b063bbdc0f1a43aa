"""What a worker process does: take jobs and do them, a set number at the same time, until it is told to stop."""

import asyncio
from contextlib import suppress
from typing import Final

from services.solver_worker.worker import OUTAGE, Worker
from shared import clock
from shared.backoff import Backoff
from shared.bus.job_queue import JobQueue, QueueMissingError, TakenJob
from shared.notify import notify
from shared.service import ServiceContext
from shared.settings import SolverWorkerSettings

BACKOFF: Final = Backoff(first_seconds=0.05, most_seconds=1.0)


async def run(context: ServiceContext[SolverWorkerSettings]) -> None:
    """Work until told to stop: what was begun is finished, what was delivered and not begun is handed back."""
    worker = Worker(context.nats, context.log, clock.now_ms)
    async with asyncio.TaskGroup() as lanes:
        for _ in range(context.settings.jobs_at_once):
            lanes.create_task(_Lane(context, worker).run())


class _Lane:
    """Does one job after the other."""

    def __init__(self, context: ServiceContext[SolverWorkerSettings], worker: Worker) -> None:
        self._context = context
        self._worker = worker
        self._failures = 0

    async def run(self) -> None:
        while not self._context.stopping.is_set():
            queue = JobQueue(self._context.nats)
            try:
                await queue.open()
                self._context.ready()
                await self._work(queue)
            except (QueueMissingError, *OUTAGE) as error:
                await self._pause(error)
            finally:
                with suppress(QueueMissingError, *OUTAGE):
                    await queue.close()

    async def _work(self, queue: JobQueue) -> None:
        while not self._context.stopping.is_set():
            taken = await self._take(queue)
            self._failures = 0
            if taken is not None:
                await self._worker.do(taken)

    async def _take(self, queue: JobQueue) -> TakenJob | None:
        """The next job; None when there was none, or when told to stop."""
        taking = asyncio.ensure_future(queue.take())
        stop = asyncio.ensure_future(self._context.stopping.wait())
        try:
            await asyncio.wait({taking, stop}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stop.cancel()
            taking.cancel()
        with suppress(asyncio.CancelledError):
            return await taking
        return None

    async def _pause(self, error: Exception) -> None:
        """Wait before opening the queue anew; not when told to stop."""
        self._failures += 1
        seconds = BACKOFF.delay(self._failures, 1.0)
        reason = str(error) or type(error).__name__
        notify("STATUS=waiting for the job queue")
        self._context.log.warning("waiting for the job queue", reason=reason, attempt=self._failures)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._context.stopping.wait(), seconds)
