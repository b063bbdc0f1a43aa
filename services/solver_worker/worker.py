"""One job's way: read, check, search, answer, settle. What cannot be done is buried with the reason."""

import asyncio
import functools
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

import msgspec
import nats.errors
from nats.aio.client import Client
from nats.js.errors import Error as JetStreamError

from services.solver_worker.kinds import Search, Solve, told, work_out
from services.solver_worker.tally import Tally
from shared import subjects
from shared.bus.job_queue import TakenJob
from shared.bus.streams import JOB_ACK_WAIT_SECONDS, JOB_ATTEMPTS_MAX
from shared.logs import Log, correlated
from shared.messages.codec import encode
from shared.messages.jobs import AnyResult, Job, JobAddress, JobRefused
from shared.threads import Threads
from shared.traffic import Traffic

STILL_WORKING_SECONDS: Final = JOB_ACK_WAIT_SECONDS / 3
"""How often a long search says that it goes on."""

_job_decoder: Final = msgspec.msgpack.Decoder(Job)
_address_decoder: Final = msgspec.msgpack.Decoder(JobAddress)

OUTAGE: Final = (nats.errors.Error, JetStreamError, TimeoutError)
"""The server is away: the job comes back by itself."""


class Worker:
    """Does jobs one at a time. A result is published before its job is settled, so a repeated one does no harm."""

    def __init__(
        self,
        client: Client,
        traffic: Traffic,
        log: Log,
        now_ms: Callable[[], int],
        tally: Tally,
        solve: Solve = work_out,
    ) -> None:
        self._client = client
        self._traffic = traffic
        self._log = log
        self._now_ms = now_ms
        self._tally = tally
        self._solve = solve
        self._threads = Threads()

    async def do(self, taken: TakenJob) -> None:
        """See a job through to its end, whatever it holds.

        Raises:
            asyncio.CancelledError: stopped; the job is handed back.
        """
        with correlated(taken.correlation), self._tally.busy():
            try:
                await self._do(taken)
            except OUTAGE as error:
                self._log.warning("job not settled, it will come back", reason=str(error) or type(error).__name__)
            except asyncio.CancelledError:
                await self.hand_back(taken)
                raise

    async def hand_back(self, taken: TakenJob) -> None:
        """Give it to another worker, at once."""
        await taken.hand_back()
        self._tally.handed_back += 1
        self._log.info("job handed back", kind=taken.kind)

    async def _do(self, taken: TakenJob) -> None:
        try:
            job = _job_decoder.decode(taken.payload)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            await self._refuse(taken, _address(taken.payload), f"cannot be decoded: {error}")
            return
        late = self._now_ms() >= job.deadline
        if taken.attempt > JOB_ATTEMPTS_MAX:
            await self._refuse(taken, job, f"given up: {JOB_ATTEMPTS_MAX} workers took it and none finished")
        elif late and taken.attempt > 1:
            await self._refuse(taken, job, "late: a worker took it, and it was not finished before its deadline")
        elif late:
            self._tally.dropped += 1
            self._log.info("job dropped, nobody waits for it", kind=taken.kind, job=job.id)
            await taken.drop()
        else:
            await self._solve_and_answer(taken, job)

    async def _solve_and_answer(self, taken: TakenJob, job: Job) -> None:
        waited_micros = max(self._now_ms() * 1_000 - taken.stored_micros, 0)
        began = time.perf_counter_ns()
        try:
            result = await self._searched(taken, job)
        except Exception as error:  # noqa: BLE001 - a bug in the search must not end the worker
            self._log.exception("job failed", job=job.id, kind=taken.kind)
            await self._refuse(taken, job, f"failed: {error!r}")
            return
        if isinstance(result, JobRefused):
            await self._refuse(taken, job, result.reason)
            return
        micros = (time.perf_counter_ns() - began) // 1_000
        timed = msgspec.structs.replace(result, waited_micros=waited_micros, micros=micros)
        await self._answer(job, timed, taken)
        await taken.done()
        self._tally.done(searched_micros=micros, waited_micros=waited_micros)
        self._traffic.note(
            "job done", kind=taken.kind, job=job.id, waited_micros=waited_micros, micros=micros, **told(timed)
        )

    async def _searched(self, taken: TakenJob, job: Job) -> AnyResult:
        stopped = threading.Event()
        seconds = min(job.question.budget_ms, job.deadline - self._now_ms()) / 1_000
        search = Search(seconds=seconds, clock=time.monotonic, stopped=stopped.is_set)
        try:
            async with _kept(taken):
                return await self._threads.run(functools.partial(self._solve, job, search))
        finally:
            stopped.set()

    async def _refuse(self, taken: TakenJob, job: Job | JobAddress | None, reason: str) -> None:
        if job is not None:
            await self._answer(job, JobRefused(id=job.id, reason=reason), taken)
        await taken.bury(reason)
        self._tally.refused += 1
        self._log.warning("job buried", kind=taken.kind, reason=reason, attempt=taken.attempt)

    async def _answer(self, job: Job | JobAddress, result: AnyResult, taken: TakenJob) -> None:
        headers = {subjects.CORRELATION_HEADER: taken.correlation} if taken.correlation else None
        await self._client.publish(job.reply_to, encode(result), headers=headers)


def _address(payload: bytes) -> JobAddress | None:
    """Whom to answer about a job that cannot be read, where at least that can."""
    with suppress(msgspec.DecodeError, UnicodeDecodeError):
        return _address_decoder.decode(payload)
    return None


@asynccontextmanager
async def _kept(taken: TakenJob) -> AsyncIterator[None]:
    """While inside, the queue is told in time that the job is still being worked on."""

    async def keep() -> None:
        while True:
            await asyncio.sleep(STILL_WORKING_SECONDS)
            with suppress(*OUTAGE):
                await taken.still_working()

    keeping = asyncio.ensure_future(keep())
    try:
        yield
    finally:
        keeping.cancel()
