"""Who is served first: priorities, and players among each other. Real server, real workers."""

import asyncio

import msgspec
import pytest
from nats.aio.client import Client

from services.solver_worker.kinds import Search, work_out
from shared import subjects
from shared.bus import job_turns
from shared.bus.jobs import JobDesk, Unanswered, job_id
from shared.bus.streams import JOBS_PER_PLAYER_MAX
from shared.clock import now_ms
from shared.logs import Log
from shared.messages.jobs import AnyQuestion, AnyResult, HintQuestion, HintResult, Job, ProbeQuestion, ProbeResult
from shared.subjects import PRIORITIES, Priority
from tests.conftest import ConnectAs
from tests.integration.work import opened, player, question, until_queued, working


def of_player(number: int, version: int = 1) -> HintQuestion:
    return msgspec.structs.replace(question(version, version), player=player(number))


def empty(of: int, number: int = 0) -> ProbeQuestion:
    """The empty job, of a player."""
    return ProbeQuestion(player=player(of), states=0, number=number)


async def ask(
    desk: JobDesk, asker: Client, asked: AnyQuestion, priority: Priority = "waiting"
) -> "asyncio.Task[AnyResult | Unanswered]":
    """Asks, and waits until the job is in the queue."""
    before = (await asker.jetstream().stream_info(subjects.JOB_STREAM)).state.messages
    asking = asyncio.ensure_future(desk.ask(asked, priority=priority))
    await until_queued(asker, before + 1)
    return asking


async def test_a_waiting_players_hint_comes_before_analysis_and_that_before_pools(
    desk: JobDesk, asker: Client, connect_as: ConnectAs, log: Log
) -> None:
    """Asked the other way round, while nobody works."""
    asked = {priority: empty(1, number) for number, priority in enumerate(PRIORITIES)}
    asking = [await ask(desk, asker, asked[priority], priority) for priority in reversed(PRIORITIES)]
    async with working(await connect_as("solver-worker"), log) as begun:
        await asyncio.gather(*asking)
    assert begun == [job_id(asked[priority]) for priority in PRIORITIES]


async def test_hints_without_end_do_not_starve_analysis_and_pools(
    desk: JobDesk, asker: Client, connect_as: ConnectAs, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hints wait all the time; each takes long enough for the others' time to come in between."""
    hints, neglect = 30, 0.02
    monkeypatch.setattr(job_turns, "NEGLECT_SECONDS", {"waiting": 0.0, "analysis": neglect, "pool": neglect})
    done: list[int] = []

    def slow(job: Job, search: Search) -> AnyResult:
        over = search.clock() + neglect / 2
        while search.clock() < over:
            pass
        assert isinstance(job.question, ProbeQuestion)
        done.append(job.question.number)
        return work_out(job, search)

    asking = [asyncio.ensure_future(desk.ask(empty(number, number))) for number in range(1, hints + 1)]
    asking += [asyncio.ensure_future(desk.ask(empty(0, -1), priority="analysis"))]
    asking += [asyncio.ensure_future(desk.ask(empty(0, -2), priority="pool"))]
    await until_queued(asker, len(asking))
    async with working(await connect_as("solver-worker"), log, slow):
        await asyncio.gather(*asking)
    assert max(done.index(-1), done.index(-2)) < hints / 2


async def test_a_worker_for_waiting_players_takes_nothing_else(
    desk: JobDesk, asker: Client, connect_as: ConnectAs, log: Log
) -> None:
    analysis = await ask(desk, asker, empty(1), "analysis")
    async with working(await connect_as("solver-worker"), log, priorities=("waiting",)):
        assert isinstance(await desk.ask(question()), HintResult)
        assert not analysis.done()
    async with working(await connect_as("solver-worker"), log, priorities=("analysis", "pool")):
        assert isinstance(await analysis, ProbeResult)


async def test_a_player_may_have_so_many_jobs_and_no_more_until_one_is_done(
    desk: JobDesk, asker: Client, connect_as: ConnectAs, log: Log
) -> None:
    asking = [await ask(desk, asker, of_player(1, version)) for version in range(1, JOBS_PER_PLAYER_MAX + 1)]
    one_more = of_player(1, JOBS_PER_PLAYER_MAX + 1)
    assert await desk.ask(one_more) == Unanswered("too-many-jobs")
    other = await ask(desk, asker, of_player(2))
    async with working(await connect_as("solver-worker"), log):
        assert all(isinstance(result, HintResult) for result in await asyncio.gather(*asking, other))
        await until_queued(asker, 0)
        assert isinstance(await desk.ask(one_more), HintResult)


async def test_the_limit_of_a_player_holds_over_all_who_ask_for_it(
    desk: JobDesk, asker: Client, connect_as: ConnectAs
) -> None:
    """Any game-state may get a player's commands: the queue itself counts."""
    asking = [await ask(desk, asker, of_player(1, version)) for version in range(1, JOBS_PER_PLAYER_MAX + 1)]
    other_desk = JobDesk(await connect_as("game-state"), "game1", now_ms)
    await other_desk.open()
    assert await other_desk.ask(of_player(1, 9)) == Unanswered("too-many-jobs")
    for one in asking:
        one.cancel()


async def test_a_job_that_is_taken_counts_for_its_player_until_it_is_settled(
    desk: JobDesk, asker: Client, connect_as: ConnectAs
) -> None:
    asking = [await ask(desk, asker, of_player(1, version)) for version in range(1, JOBS_PER_PLAYER_MAX + 1)]
    queue = await opened(await connect_as("solver-worker"))
    taken = await queue.take()
    assert taken is not None
    assert await desk.ask(of_player(1, 9)) == Unanswered("too-many-jobs")
    await taken.done()
    await until_queued(asker, JOBS_PER_PLAYER_MAX - 1)
    assert await desk.ask(of_player(1, 9), timeout_seconds=0.05) == Unanswered("timeout")
    for one in asking:
        one.cancel()


async def test_one_who_floods_the_queue_holds_up_another_by_at_most_its_limit(
    desk: JobDesk, asker: Client, connect_as: ConnectAs, log: Log
) -> None:
    """The flood goes on: each answer is followed by the next question at once."""
    done: list[str] = []

    def noting(job: Job, search: Search) -> AnyResult:
        done.append(job.question.player)
        return work_out(job, search)

    over = asyncio.Event()

    async def flood(first: int) -> None:
        number = first
        while not over.is_set():
            await desk.ask(empty(1, number))
            number += 10

    flooding = [asyncio.ensure_future(flood(first)) for first in range(10)]
    await until_queued(asker, JOBS_PER_PLAYER_MAX)
    async with working(await connect_as("solver-worker"), log, noting):
        for number in range(5):
            before = len(done)
            await desk.ask(empty(2, number))
            mine = done.index(player(2), before)
            assert mine - before <= JOBS_PER_PLAYER_MAX + 1  # one more may have been done while it was queued
        over.set()
        await asyncio.gather(*flooding)
    assert done.count(player(1)) > 5
