"""The work queue between game-state and the workers, on a real server, with each side's own credentials."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import msgspec
import pytest
from nats.aio.client import Client

from services.solver_worker.kinds import Search, Solve, work_out
from services.solver_worker.worker import Worker
from shared import subjects
from shared.bus.job_queue import ATTEMPTS_MAX, FETCH_SECONDS, JobQueue, TakenJob
from shared.bus.jobs import JobDesk, Unanswered, job_id
from shared.bus.streams import JOB_BYTES_MAX, ensure_streams, job_consumer_config
from shared.clock import now_ms
from shared.logs import Log, correlated
from shared.messages.codec import encode
from shared.messages.jobs import AnyResult, Hint, HintQuestion, HintResult, Job, JobRefused
from tests.boards import DRAW1, random_game
from tests.conftest import ConnectAs
from tests.jobs import INSTANCE, job
from tests.servers import Servers

ACK_WAIT_SECONDS = 0.5
PATIENCE_SECONDS = 10.0


def question(seed: int = 1, version: int = 1) -> HintQuestion:
    return random_game(random.Random(seed), DRAW1).question(version)


@pytest.fixture
async def asker(connect_as: ConnectAs) -> Client:
    """game-state's connection, with the streams made and a short ack wait."""
    client = await connect_as("game-state")
    await ensure_streams(client.jetstream())
    await set_ack_wait(client, ACK_WAIT_SECONDS)
    return client


async def set_ack_wait(asker: Client, seconds: float) -> None:
    config = job_consumer_config()
    config.ack_wait = seconds
    await asker.jetstream().add_consumer(subjects.JOB_STREAM, config)


@pytest.fixture
async def desk(asker: Client) -> AsyncIterator[JobDesk]:
    opened = JobDesk(asker, INSTANCE, now_ms)
    await opened.open()
    yield opened
    await opened.close()


async def queue_job(asker: Client, payload: bytes, kind: str = "hint") -> None:
    await asker.jetstream().publish(subjects.job(kind), payload, headers={subjects.CORRELATION_HEADER: "the-command"})


async def take(client: Client) -> TakenJob:
    """The next job, taken by a worker that has not begun to work."""
    queue = JobQueue(client)
    await queue.open()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (taken := await queue.take()) is None:
            pass
    return taken


async def dead_letter(asker: Client) -> tuple[str, bytes, str]:
    """Subject, payload and reason of the next dead letter."""
    subscription = await asker.jetstream().subscribe(subjects.DEAD_LETTERS, ordered_consumer=True)
    message = await subscription.next_msg(PATIENCE_SECONDS)
    await subscription.unsubscribe()
    return message.subject, message.data, (message.headers or {})[subjects.REASON_HEADER]


async def jobs_left(asker: Client) -> int:
    return (await asker.jetstream().stream_info(subjects.JOB_STREAM)).state.messages


async def until(condition: Callable[[], Awaitable[bool]], what: str) -> None:
    """Polls the servers' own state, which sends no event."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not await condition():
        assert time.monotonic() < deadline, f"waited for {what}"
        await asyncio.sleep(0.01)


async def queue_is_empty(asker: Client) -> None:
    async def empty() -> bool:
        return await jobs_left(asker) == 0

    await until(empty, "the queue to be empty")


@asynccontextmanager
async def working(client: Client, log: Log, solve: Solve = work_out) -> AsyncIterator[list[str]]:
    """A worker in this process. Gives the ids of the jobs that it began."""
    begun: list[str] = []

    def noting(job: Job, search: Search) -> AnyResult:
        begun.append(job.id)
        return solve(job, search)

    async def loop() -> None:
        queue = JobQueue(client)
        await queue.open()
        worker = Worker(client, log, now_ms, noting)
        while True:
            if (taken := await queue.take()) is not None:
                await worker.do(taken)

    task = asyncio.ensure_future(loop())
    try:
        yield begun
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


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


async def test_a_question_is_answered_with_a_legal_move_and_its_reason(
    desk: JobDesk, connect_as: ConnectAs, log: Log
) -> None:
    asked = question()
    async with working(await connect_as("solver-worker"), log):
        result = await desk.ask(asked)
    assert isinstance(result, HintResult)
    assert isinstance(result.hint, Hint)
    assert result.hint.move in asked.legal
    assert result.id == job_id(asked)


async def test_a_job_is_off_the_queue_when_it_is_done(
    desk: JobDesk, asker: Client, connect_as: ConnectAs, log: Log
) -> None:
    async with working(await connect_as("solver-worker"), log):
        assert isinstance(await desk.ask(question()), HintResult)
        await queue_is_empty(asker)


async def test_two_askers_of_one_question_get_one_answer_each(desk: JobDesk, connect_as: ConnectAs, log: Log) -> None:
    async with working(await connect_as("solver-worker"), log):
        first, second = await asyncio.gather(desk.ask(question()), desk.ask(question()))
    assert isinstance(first, HintResult)
    assert isinstance(second, HintResult)
    assert first.hint == second.hint


async def test_the_correlation_id_goes_with_the_job_to_the_dead_letter_and_the_result(
    desk: JobDesk, asker: Client, connect_as: ConnectAs, log: Log
) -> None:
    results = await asker.subscribe(subjects.results(INSTANCE))
    async with working(await connect_as("solver-worker"), log):
        with correlated("0190aaaa"):
            await desk.ask(question())
    message = await results.next_msg(PATIENCE_SECONDS)
    assert (message.headers or {})[subjects.CORRELATION_HEADER] == "0190aaaa"


async def test_two_workers_share_the_queue_and_no_job_is_done_twice(
    desk: JobDesk, connect_as: ConnectAs, log: Log
) -> None:
    both_have_one = asyncio.Barrier(2)
    loop = asyncio.get_running_loop()

    def together(job: Job, search: Search) -> AnyResult:
        asyncio.run_coroutine_threadsafe(both_have_one.wait(), loop).result(PATIENCE_SECONDS)
        return work_out(job, search)

    async with (
        working(await connect_as("solver-worker"), log, together) as first,
        working(await connect_as("solver-worker"), log, together) as second,
    ):
        results = await asyncio.gather(*(desk.ask(question(seed)) for seed in range(6)))
    assert all(isinstance(result, HintResult) for result in results)
    assert len(first) == len(second) == 3
    assert not set(first) & set(second)


async def test_a_job_whose_deadline_has_passed_is_dropped_unsolved(
    asker: Client, connect_as: ConnectAs, log: Log
) -> None:
    await queue_job(asker, encode(job(question(), deadline=now_ms() - 1)))
    async with working(await connect_as("solver-worker"), log) as begun:
        await queue_is_empty(asker)
    assert begun == []


async def test_a_job_that_cannot_be_decoded_is_buried_with_the_reason_and_the_worker_goes_on(
    desk: JobDesk, asker: Client, connect_as: ConnectAs, log: Log
) -> None:
    await queue_job(asker, b"\xc1 no job")
    async with working(await connect_as("solver-worker"), log):
        subject, payload, reason = await dead_letter(asker)
        assert (subject, payload) == (subjects.dead_letter("hint"), b"\xc1 no job")
        assert reason.startswith("cannot be decoded")
        assert isinstance(await desk.ask(question()), HintResult)
        await queue_is_empty(asker)


async def test_a_job_that_is_buried_twice_is_among_the_dead_letters_once(asker: Client, connect_as: ConnectAs) -> None:
    """As when the first worker was too slow to take it off the queue."""
    await queue_job(asker, b"poison")
    client = await connect_as("solver-worker")
    for _ in range(2):
        taken = await take(client)
        with pytest.MonkeyPatch.context() as patch:
            if taken.attempt == 1:
                patch.setattr(taken.message, "term", taken.hand_back)
            await taken.bury("no job")
    letters = await asker.jetstream().stream_info(subjects.DEAD_STREAM)
    assert letters.state.messages == 1


async def test_the_largest_job_fits_among_the_dead_letters(asker: Client, connect_as: ConnectAs, log: Log) -> None:
    headers_bytes = 100
    await queue_job(asker, b"x" * (JOB_BYTES_MAX - headers_bytes))
    async with working(await connect_as("solver-worker"), log):
        _, payload, _ = await dead_letter(asker)
    assert len(payload) == JOB_BYTES_MAX - headers_bytes


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"variant": "draw7"}, "variant"),
        ({"legal": ("draw",)}, "legal"),
        ({"known": msgspec.structs.replace(question().known, pass_number=0)}, "known.pass_number"),
    ],
)
async def test_a_job_that_is_not_true_is_refused_to_its_asker_and_buried(
    change: dict[str, object], field: str, desk: JobDesk, asker: Client, connect_as: ConnectAs, log: Log
) -> None:
    async with working(await connect_as("solver-worker"), log):
        result = await desk.ask(msgspec.structs.replace(question(), **change))
        assert isinstance(result, JobRefused)
        assert result.reason.startswith(f"{field}:")
        assert (await dead_letter(asker))[2] == result.reason
        assert isinstance(await desk.ask(question()), HintResult)


async def test_a_search_that_fails_is_refused_and_buried_and_the_worker_goes_on(
    desk: JobDesk, asker: Client, connect_as: ConnectAs, log: Log
) -> None:
    poison = question(seed=1)

    def failing(job: Job, search: Search) -> AnyResult:
        if job.id == job_id(poison):
            raise KeyError("a bug")
        return work_out(job, search)

    async with working(await connect_as("solver-worker"), log, failing):
        result = await desk.ask(poison)
        assert isinstance(result, JobRefused)
        assert "a bug" in result.reason
        assert "a bug" in (await dead_letter(asker))[2]
        assert isinstance(await desk.ask(question(seed=2)), HintResult)


async def test_a_long_search_keeps_its_job(
    desk: JobDesk, connect_as: ConnectAs, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ack wait passes while the search goes on, and no other worker is given the job."""
    monkeypatch.setattr("services.solver_worker.worker.STILL_WORKING_SECONDS", ACK_WAIT_SECONDS / 5)
    assert FETCH_SECONDS > ACK_WAIT_SECONDS
    loop = asyncio.get_running_loop()
    began, may_end = asyncio.Event(), asyncio.Event()

    def slow(job: Job, search: Search) -> AnyResult:
        loop.call_soon_threadsafe(began.set)
        asyncio.run_coroutine_threadsafe(may_end.wait(), loop).result(PATIENCE_SECONDS)
        return work_out(job, search)

    other = JobQueue(await connect_as("solver-worker"))
    await other.open()
    async with working(await connect_as("solver-worker"), log, slow):
        asking = asyncio.ensure_future(desk.ask(question()))
        await began.wait()
        assert await other.take() is None
        may_end.set()
        assert isinstance(await asking, HintResult)


STUCK = """
import asyncio, os, sys, time
from shared import clock, logs
from shared.bus.connection import connect
from shared.bus.job_queue import JobQueue
from shared.settings import ServiceSettings
from services.solver_worker.worker import Worker

def never(job, search):
    print("took it", file=sys.stderr, flush=True)
    time.sleep(3600)

async def main():
    log = logs.configure("info", "json")
    client = await connect(ServiceSettings(nats=os.environ["KLONDIKE_NATS"]), "solver-worker", log)
    queue = JobQueue(client)
    await queue.open()
    print("waits", file=sys.stderr, flush=True)
    while True:
        taken = await queue.take()
        if taken: await Worker(client, log, clock.now_ms, never).do(taken)

asyncio.run(main())
"""


async def test_when_a_worker_is_killed_in_the_middle_another_does_its_job(
    servers: Servers, desk: JobDesk, connect_as: ConnectAs, log: Log
) -> None:
    async with worker_process(servers, script=STUCK) as stuck:
        await says(stuck, b"waits")
        asking = asyncio.ensure_future(desk.ask(question()))
        await says(stuck, b"took it")
        stuck.kill()
        async with working(await connect_as("solver-worker"), log):
            assert isinstance(await asking, HintResult)


async def test_a_job_that_ends_its_workers_is_buried_by_the_next(
    asker: Client, desk: JobDesk, connect_as: ConnectAs, log: Log
) -> None:
    asking = asyncio.ensure_future(desk.ask(question()))
    for attempt in range(1, ATTEMPTS_MAX + 1):
        client = await connect_as("solver-worker")
        assert (await take(client)).attempt == attempt
        await client.close()
    async with working(await connect_as("solver-worker"), log) as begun:
        result = await asking
        assert isinstance(result, JobRefused)
        assert result.reason.startswith("given up")
        assert (await dead_letter(asker))[2] == result.reason
        await queue_is_empty(asker)
    assert begun == []


async def test_a_worker_that_is_told_to_stop_hands_the_job_it_works_on_back_at_once(
    desk: JobDesk, asker: Client, connect_as: ConnectAs, log: Log
) -> None:
    await set_ack_wait(asker, 3600)
    loop = asyncio.get_running_loop()
    began, may_end = asyncio.Event(), asyncio.Event()

    def slow(job: Job, search: Search) -> AnyResult:
        loop.call_soon_threadsafe(began.set)
        asyncio.run_coroutine_threadsafe(may_end.wait(), loop).result(PATIENCE_SECONDS)
        return work_out(job, search)

    async with working(await connect_as("solver-worker"), log, slow):
        asking = asyncio.ensure_future(desk.ask(question()))
        await began.wait()
    may_end.set()
    async with working(await connect_as("solver-worker"), log):
        assert isinstance(await asking, HintResult)


async def test_a_job_that_was_delivered_and_not_begun_is_handed_back_at_once(
    asker: Client, connect_as: ConnectAs
) -> None:
    await set_ack_wait(asker, 3600)
    queue = JobQueue(await connect_as("solver-worker"))
    await queue.open()
    assert queue._subscription is not None
    subscription = queue._subscription
    taking = asyncio.ensure_future(queue.take())
    await asyncio.sleep(0)
    taking.cancel()
    await asyncio.gather(taking, return_exceptions=True)
    await queue_job(asker, encode(job(question(), deadline=now_ms() + 60_000)))

    async def delivered() -> bool:
        return subscription.pending_msgs > 0

    await until(delivered, "the job to be delivered")
    await queue.close()
    assert (await take(await connect_as("solver-worker"))).attempt == 2


async def test_a_worker_process_does_jobs_and_ends_cleanly_at_sigterm(servers: Servers, desk: JobDesk) -> None:
    async with worker_process(servers) as process:
        await says(process, b'"ready"')
        with correlated("0190aaaa"):
            assert isinstance(await desk.ask(question()), HintResult)
        assert b'"correlation_id": "0190aaaa"' in await says(process, b'"job done"')
        process.send_signal(signal.SIGTERM)
        line = await says(process, b'"stopped"')
        assert b'"exit_status": 0' in line
        assert await process.wait() == 0


async def test_a_worker_that_starts_before_there_is_a_queue_waits_for_it(
    servers: Servers, connect_as: ConnectAs
) -> None:
    async with worker_process(servers) as process:
        await says(process, b"waiting for the job queue")
        client = await connect_as("game-state")
        await ensure_streams(client.jetstream())
        await says(process, b'"ready"')
        desk = JobDesk(client, INSTANCE, now_ms)
        await desk.open()
        assert isinstance(await desk.ask(question()), HintResult)


async def test_workers_recover_from_a_restart_of_the_server(servers: Servers, desk: JobDesk, asker: Client) -> None:
    async with worker_process(servers) as process:
        await says(process, b'"ready"')
        servers.restart_nats()  # in this thread, since an embedded server ends with the thread that started it
        await says(process, b"NATS is back")

        async def answered() -> bool:
            return isinstance(await desk.ask(question()), HintResult)

        await until(answered, "a hint after the restart")


async def test_a_question_that_nobody_answers_ends_with_its_time(desk: JobDesk) -> None:
    assert await desk.ask(question(), timeout_seconds=0.05) == Unanswered("timeout")


async def test_a_question_that_cannot_be_queued_says_so_at_once(connect_as: ConnectAs) -> None:
    client = await connect_as("game-state")
    desk = JobDesk(client, INSTANCE, now_ms)
    await desk.open()
    assert await desk.ask(question()) == Unanswered("not-queued")


async def test_the_number_of_askers_is_bounded(desk: JobDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.bus.jobs.WAITING_MAX", 1)
    first = asyncio.ensure_future(desk.ask(question(), timeout_seconds=0.2))
    await asyncio.sleep(0)
    assert await desk.ask(question(2)) == Unanswered("too-many-waiting")
    assert await first == Unanswered("timeout")


async def test_a_result_that_cannot_be_decoded_harms_nobody(desk: JobDesk, connect_as: ConnectAs, log: Log) -> None:
    client = await connect_as("solver-worker")
    await client.publish(subjects.result(INSTANCE, "0" * 32), b"\xc1")
    async with working(client, log):
        assert isinstance(await desk.ask(question()), HintResult)
