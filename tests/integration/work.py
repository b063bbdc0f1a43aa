"""Jobs on a real queue: questions to ask, workers in this process and of their own, and what became of the rest."""

import asyncio
import os
import random
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import msgspec
from nats.aio.client import Client

from services.solver_worker.kinds import Search, Solve, work_out
from services.solver_worker.tally import Tally
from services.solver_worker.worker import Worker
from shared import subjects
from shared.bus.job_queue import JobQueue, TakenJob
from shared.bus.streams import job_consumer_config
from shared.clock import now_ms
from shared.logs import Log
from shared.messages.base import PlayerId
from shared.messages.jobs import AnyResult, HintQuestion, Job
from shared.subjects import PRIORITIES, Priority
from shared.traffic import Traffic
from tests.boards import DRAW1, PLAYER, random_game
from tests.servers import Servers

ACK_WAIT_SECONDS = 0.5
PATIENCE_SECONDS = 30.0 * float(os.environ.get("KLONDIKE_TEST_PATIENCE", "1"))


def question(seed: int = 1, version: int = 1) -> HintQuestion:
    """Of a player of its own for each seed: a player may not ask much at the same time."""
    asked = random_game(random.Random(seed), DRAW1).question(version)
    return msgspec.structs.replace(asked, player=player(seed))


def player(number: int) -> PlayerId:
    digits = "".join("abcdefghij"[int(digit)] for digit in f"{number:04}")
    return PlayerId(digits + PLAYER[4:])


async def set_ack_wait(asker: Client, seconds: float) -> None:
    for priority in PRIORITIES:
        config = job_consumer_config(priority)
        config.ack_wait = seconds
        await asker.jetstream().add_consumer(subjects.JOB_STREAM, config)


async def queue_job(asker: Client, payload: bytes, *, kind: str = "hint", priority: Priority = "waiting") -> None:
    headers = {subjects.CORRELATION_HEADER: "the-command"}
    await asker.jetstream().publish(subjects.job(priority, kind, PLAYER), payload, headers=headers)


async def opened(client: Client, priorities: tuple[Priority, ...] = PRIORITIES) -> JobQueue:
    queue = JobQueue(client, time.monotonic, priorities)
    await queue.open()
    return queue


async def take(client: Client) -> TakenJob:
    """The next job, taken by a worker that has not begun to work."""
    queue = await opened(client)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (taken := await queue.take()) is None:
            pass
    return taken


async def dead_letter(asker: Client) -> tuple[str, bytes, str]:
    """Subject, payload and reason of the first dead letter."""
    subscription = await asker.jetstream().subscribe(subjects.DEAD_LETTERS, ordered_consumer=True)
    message = await subscription.next_msg(PATIENCE_SECONDS)
    await subscription.unsubscribe()
    return message.subject, message.data, (message.headers or {})[subjects.REASON_HEADER]


async def until(condition: Callable[[], Awaitable[bool]], what: str) -> None:
    """Polls the servers' own state, which sends no event."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not await condition():
        assert time.monotonic() < deadline, f"waited for {what}"
        await asyncio.sleep(0.01)


async def until_queued(asker: Client, jobs: int) -> None:
    """Waits until the queue holds so many jobs, taken ones included."""

    async def there() -> bool:
        return (await asker.jetstream().stream_info(subjects.JOB_STREAM)).state.messages == jobs

    await until(there, f"the queue to hold {jobs} jobs")


def a_worker(client: Client, log: Log, solve: Solve = work_out) -> Worker:
    tally = Tally(time.monotonic, instance="worker0", capacity=1, priorities=PRIORITIES)
    return Worker(client, Traffic(log), log, now_ms, tally, solve)


@asynccontextmanager
async def working(
    client: Client, log: Log, solve: Solve = work_out, priorities: tuple[Priority, ...] = PRIORITIES
) -> AsyncIterator[list[str]]:
    """A worker in this process. Gives the ids of the jobs that it began."""
    begun: list[str] = []

    def noting(job: Job, search: Search) -> AnyResult:
        begun.append(job.id)
        return solve(job, search)

    async def loop() -> None:
        queue = await opened(client, priorities)
        worker = a_worker(client, log, noting)
        while True:
            if (taken := await queue.take()) is not None:
                await worker.do(taken)

    task = asyncio.ensure_future(loop())
    try:
        yield begun
    finally:
        while not task.done():  # nats-py swallows a cancellation that meets a publish
            task.cancel()
            await asyncio.wait({task}, timeout=0.1)


STUCK = """
import asyncio, os, sys, time
from shared import logs
from shared.bus.connection import connect
from shared.settings import ServiceSettings
from tests.integration.work import a_worker, opened

def never(job, search):
    print("took it", file=sys.stderr, flush=True)
    time.sleep(3600)

async def main():
    log = logs.configure("info", "json")
    client = await connect(ServiceSettings(nats=os.environ["KLONDIKE_NATS"]), "solver-worker", log)
    queue = await opened(client)
    print("waits", file=sys.stderr, flush=True)
    while True:
        taken = await queue.take()
        if taken: await a_worker(client, log, never).do(taken)

asyncio.run(main())
"""
"""A worker that never ends its first job."""


@asynccontextmanager
async def worker_process(servers: Servers, *, script: str | None = None) -> AsyncIterator[asyncio.subprocess.Process]:
    """A worker process as `klondike up` starts it, or a script in its place."""
    how = ["-c", script] if script else ["-m", "services.solver_worker"]
    environment = os.environ | {"KLONDIKE_NATS": servers.nats_url("solver-worker"), "KLONDIKE_LOG_FORMAT": "json"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, *how, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def says(process: asyncio.subprocess.Process, text: bytes) -> bytes:
    """The line of the process's log that holds a text."""
    assert process.stderr is not None
    async with asyncio.timeout(PATIENCE_SECONDS):
        async for line in process.stderr:
            if text in line:
                return line
    raise AssertionError(f"the process ended without saying {text!r}")
