"""The work queue between game-state and the workers, on a real server, with each side's own credentials."""

import asyncio
import signal
from functools import partial

import pytest
import structlog
from nats.aio.client import Client

from services.solver_worker.app import run
from services.solver_worker.kinds import Search, work_out
from shared import subjects
from shared.bus.jobs import JobDesk, Unanswered, job_id
from shared.bus.streams import ensure_streams
from shared.clock import now_ms
from shared.logs import Log, correlated
from shared.messages.codec import encode
from shared.messages.jobs import AnyResult, Hint, HintResult, Job, ProbeQuestion, ProbeResult
from shared.settings import SolverWorkerSettings
from tests.conftest import ConnectAs
from tests.integration.services import compiled_in_time, serving
from tests.integration.work import (
    PATIENCE_SECONDS,
    player,
    question,
    queue_job,
    says,
    until,
    until_queued,
    worker_process,
    working,
)
from tests.jobs import INSTANCE, job
from tests.servers import Servers


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


async def test_a_result_tells_waiting_from_searching(desk: JobDesk, connect_as: ConnectAs, log: Log) -> None:
    """The time in the queue is in one and not in the other."""
    asking = asyncio.ensure_future(desk.ask(ProbeQuestion(player=player(1), states=20_000)))
    held_up_seconds = 0.3
    await asyncio.sleep(held_up_seconds)  # this is what is measured
    async with working(await connect_as("solver-worker"), log):
        result = await asking
    assert isinstance(result, ProbeResult)
    assert 20_000 <= result.states < 21_000, "one look may go a little further"
    assert result.waited_micros >= held_up_seconds * 0.9e6
    assert result.micros > 0
    empty = ProbeQuestion(player=player(1), states=0)
    async with working(await connect_as("solver-worker"), log):
        nothing = await desk.ask(empty)
    assert isinstance(nothing, ProbeResult)
    assert nothing.micros < result.micros


async def test_a_job_is_off_the_queue_when_it_is_done(
    desk: JobDesk, asker: Client, connect_as: ConnectAs, log: Log
) -> None:
    async with working(await connect_as("solver-worker"), log):
        assert isinstance(await desk.ask(question()), HintResult)
        await until_queued(asker, 0)


async def test_two_askers_of_one_question_get_one_answer_each(desk: JobDesk, connect_as: ConnectAs, log: Log) -> None:
    async with working(await connect_as("solver-worker"), log):
        first, second = await asyncio.gather(desk.ask(question()), desk.ask(question()))
    assert isinstance(first, HintResult)
    assert isinstance(second, HintResult)
    assert first.hint == second.hint


async def test_the_correlation_id_goes_with_the_job_to_the_result(
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
        await until_queued(asker, 0)
    assert begun == []
    assert (await asker.jetstream().stream_info(subjects.DEAD_STREAM)).state.messages == 0


async def test_what_nobody_waits_for_leaves_the_queue_though_there_is_no_worker(
    desk: JobDesk, asker: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At its time to live, of whole seconds: not at its deadline, when a worker may still have it."""
    monkeypatch.setattr("shared.bus.jobs.BURIAL_SECONDS", 1.0)
    assert await desk.ask(question(), timeout_seconds=0.05) == Unanswered("timeout")
    await until_queued(asker, 0)
    assert (await asker.jetstream().stream_info(subjects.JOB_STREAM)).state.last_seq == 1


async def test_a_job_about_a_version_that_is_overtaken_leaves_the_queue_and_its_asker_is_told(
    desk: JobDesk, asker: Client
) -> None:
    asked = question(version=7)
    asking = asyncio.ensure_future(desk.ask(asked))
    await until_queued(asker, 1)
    desk.overtaken(asked.game, 7)
    assert not asking.done(), "the version that was asked about overtakes nothing"
    desk.overtaken(asked.game, 8)
    assert await asking == Unanswered("overtaken", 8)
    await until_queued(asker, 0)


async def test_a_job_whose_asker_goes_away_leaves_the_queue_unless_others_ask_the_same(
    desk: JobDesk, asker: Client
) -> None:
    first, second = asyncio.ensure_future(desk.ask(question())), asyncio.ensure_future(desk.ask(question()))
    await until_queued(asker, 2)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    await until_queued(asker, 2)
    second.cancel()
    await asyncio.gather(second, return_exceptions=True)
    await until_queued(asker, 1)


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
        assert b'"level": "info"' in await says(process, b"waiting for the job queue")
        client = await connect_as("game-state")
        await ensure_streams(client.jetstream())
        await says(process, b'"ready"')
        desk = JobDesk(client, INSTANCE, now_ms)
        await desk.open()
        assert isinstance(await desk.ask(question()), HintResult)


async def test_a_queue_that_stays_away_is_told_once_and_then_warned_of(
    connect_as: ConnectAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = structlog.testing.CapturingLogger()
    log = structlog.stdlib.BoundLogger(said, [], {})
    monkeypatch.setattr("services.solver_worker.app.PATIENCE_SECONDS", 0.2)

    async def work() -> None:
        worker = partial(run, warm=compiled_in_time)
        async with serving(worker, "solver-worker", SolverWorkerSettings(), await connect_as("solver-worker"), log):
            pass

    def levels() -> list[str]:
        return [call.method_name for call in said.calls if call.kwargs["event"] == "waiting for the job queue"]

    async def warned() -> bool:
        return "warning" in levels()

    working = asyncio.ensure_future(work())
    await until(warned, "a warning")
    await ensure_streams((await connect_as("game-state")).jetstream())
    await working
    assert levels()[0] == "info"
    assert set(levels()[1:]) == {"warning"}


async def test_workers_recover_from_a_restart_of_the_server(servers: Servers, desk: JobDesk) -> None:
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
