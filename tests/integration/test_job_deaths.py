"""Jobs and workers that come to a bad end: the job is done by another or found among the dead letters, never lost."""

import asyncio
import signal
import time

import msgspec
import pytest
from nats.aio.client import Client
from nats.js.api import ConsumerInfo

from services.solver_worker.app import FINISH_SECONDS
from services.solver_worker.kinds import Search, work_out
from shared import subjects
from shared.bus.job_queue import IDLE_SECONDS, JobQueue
from shared.bus.jobs import JobDesk, job_id
from shared.bus.streams import (
    JOB_ACK_WAIT_SECONDS,
    JOB_ATTEMPTS_MAX,
    JOB_BYTES_MAX,
    JOB_DELIVERIES_MAX,
    job_consumer_config,
)
from shared.clock import now_ms
from shared.logs import Log
from shared.messages.codec import encode
from shared.messages.jobs import (
    BUDGET_MS_MAX,
    AnyQuestion,
    AnyResult,
    HintResult,
    Job,
    JobRefused,
    KnownColumn,
    ProbeQuestion,
    ProbeResult,
)
from tests.conftest import ConnectAs
from tests.integration.work import (
    ACK_WAIT_SECONDS,
    PATIENCE_SECONDS,
    STUCK,
    dead_letter,
    opened,
    player,
    question,
    queue_job,
    says,
    set_ack_wait,
    take,
    until,
    until_queued,
    worker_process,
    working,
)
from tests.jobs import INSTANCE, job
from tests.servers import Servers

TRUE = question()
KNOWN = TRUE.known
SHOWN = KNOWN.columns[6]


def known(**fields: object) -> AnyQuestion:
    return msgspec.structs.replace(TRUE, known=msgspec.structs.replace(KNOWN, **fields))


BAD: dict[str, tuple[AnyQuestion, str]] = {
    "an unknown variant": (msgspec.structs.replace(TRUE, variant="draw7"), "variant: there is none called 'draw7'"),
    "a budget of zero": (msgspec.structs.replace(TRUE, budget_ms=0), "budget_ms: 0 is no budget"),
    "a probe without a budget": (ProbeQuestion(player=player(1), states=5, budget_ms=0), "budget_ms: 0 is no budget"),
    "a budget without end": (
        msgspec.structs.replace(TRUE, budget_ms=BUDGET_MS_MAX + 1),
        f"budget_ms: {BUDGET_MS_MAX + 1} is no budget",
    ),
    "a legal move too few": (msgspec.structs.replace(TRUE, legal=TRUE.legal[1:]), "legal: differs from the rules in"),
    "a legal move too many": (
        msgspec.structs.replace(TRUE, legal=(*TRUE.legal, "F1>F2")),
        "legal: differs from the rules in F1>F2",
    ),
    "no legal move": (msgspec.structs.replace(TRUE, legal=()), "legal: differs from the rules in"),
    "no columns": (known(columns=()), "known.columns: 7 are needed, there are 0"),
    "a card that is there twice": (
        known(waste=(SHOWN.up[0],), stock=KNOWN.stock[1:]),
        f"known: {SHOWN.up[0]} is there 2",
    ),
    "a card too many": (known(stock=(None, *KNOWN.stock)), "known: 52 cards are in play, there are 53"),
    "a column with its top face down": (
        known(columns=(*KNOWN.columns[:6], KnownColumn(down=(*SHOWN.down, None), up=()))),
        "known.columns[6]: the topmost card lies face up",
    ),
    "a pass before the first": (known(pass_number=0), "known.pass_number: 0 is no pass"),
}


@pytest.mark.parametrize("what", BAD)
async def test_a_bad_job_is_refused_to_its_asker_and_buried_with_the_reason_and_the_worker_lives(
    what: str, desk: JobDesk, asker: Client, connect_as: ConnectAs, log: Log
) -> None:
    bad, reason = BAD[what]
    async with working(await connect_as("solver-worker"), log):
        result = await desk.ask(bad)
        assert isinstance(result, JobRefused)
        assert result.reason.startswith(reason)
        assert (await dead_letter(asker))[2] == result.reason
        assert isinstance(await desk.ask(question(2)), HintResult)
        await until_queued(asker, 0)


GOOD = msgspec.to_builtins(job(TRUE, deadline=1))


def spoilt(**fields: object) -> bytes:
    """A job whose question has other fields."""
    return msgspec.msgpack.encode(GOOD | {"question": GOOD["question"] | fields})


UNREADABLE: dict[str, tuple[bytes, str]] = {
    "no MessagePack": (b"\xc1 no job", "cannot be decoded"),
    "nothing": (b"", "cannot be decoded"),
    "half a job": (encode(job(TRUE, deadline=1))[:-40], "cannot be decoded"),
    "no card": (
        spoilt(known=GOOD["question"]["known"] | {"waste": ["1X"]}),
        "cannot be decoded: Invalid enum value '1X'",
    ),
    "a budget below zero": (
        spoilt(budget_ms=-1),
        "cannot be decoded: Expected `int` >= 0 - at `$.question.budget_ms`",
    ),
    "a kind that is none": (spoilt(type="oracle"), "cannot be decoded: Invalid value 'oracle'"),
    "a field for hidden cards": (
        spoilt(deal=["AS"]),
        "cannot be decoded: Object contains unknown field `deal`",
    ),
}


@pytest.mark.parametrize("what", UNREADABLE)
async def test_what_cannot_be_read_is_buried_as_it_is_and_the_worker_lives(
    what: str, desk: JobDesk, asker: Client, connect_as: ConnectAs, log: Log
) -> None:
    payload, reason = UNREADABLE[what]
    await queue_job(asker, payload)
    async with working(await connect_as("solver-worker"), log) as begun:
        subject, buried, said = await dead_letter(asker)
        assert (subject, buried) == (subjects.dead_letter("hint"), payload)
        assert said.startswith(reason)
        assert begun == []
        assert isinstance(await desk.ask(question(2)), HintResult)
        await until_queued(asker, 0)


async def test_the_asker_of_a_job_that_cannot_be_read_is_told_where_its_address_can(
    asker: Client, connect_as: ConnectAs, log: Log
) -> None:
    results = await asker.subscribe(subjects.results(INSTANCE))
    await queue_job(asker, msgspec.msgpack.encode(GOOD | {"question": "which move?"}))
    async with working(await connect_as("solver-worker"), log):
        told = msgspec.msgpack.decode((await results.next_msg(PATIENCE_SECONDS)).data, type=JobRefused)
    assert told.id == GOOD["id"]
    assert told.reason.startswith("cannot be decoded")


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


async def test_a_long_search_keeps_its_job(
    desk: JobDesk, connect_as: ConnectAs, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ack wait passes while the search goes on, and no other worker is given the job."""
    monkeypatch.setattr("services.solver_worker.worker.STILL_WORKING_SECONDS", ACK_WAIT_SECONDS / 5)
    loop = asyncio.get_running_loop()
    began, may_end = asyncio.Event(), asyncio.Event()

    def slow(job: Job, search: Search) -> AnyResult:
        loop.call_soon_threadsafe(began.set)
        asyncio.run_coroutine_threadsafe(may_end.wait(), loop).result(PATIENCE_SECONDS)
        return work_out(job, search)

    other = await opened(await connect_as("solver-worker"))
    async with working(await connect_as("solver-worker"), log, slow):
        asking = asyncio.ensure_future(desk.ask(question()))
        await began.wait()
        over = time.monotonic() + 2 * ACK_WAIT_SECONDS
        while time.monotonic() < over:
            assert await other.take() is None
        may_end.set()
        assert isinstance(await asking, HintResult)


async def test_a_worker_killed_in_the_middle_costs_the_ack_wait_and_no_job(
    servers: Servers, desk: JobDesk, connect_as: ConnectAs, log: Log
) -> None:
    async with worker_process(servers, script=STUCK) as stuck:
        await says(stuck, b"waits")
        asking = asyncio.ensure_future(desk.ask(question()))
        await says(stuck, b"took it")
        stuck.send_signal(signal.SIGKILL)
        killed_at = time.monotonic()
        async with working(await connect_as("solver-worker"), log):
            assert isinstance(await asking, HintResult)
        assert time.monotonic() - killed_at < JOB_ACK_WAIT_SECONDS, "longer than the ack wait of this queue"


def test_a_killed_worker_leaves_time_for_another_before_the_asker_gives_up() -> None:
    config = job_consumer_config("waiting")
    assert config.ack_wait is not None
    assert config.ack_wait + IDLE_SECONDS < 8.0
    assert (config.max_deliver or 0) > JOB_ATTEMPTS_MAX


async def test_a_job_that_ends_its_workers_is_buried_by_the_next(
    asker: Client, desk: JobDesk, connect_as: ConnectAs, log: Log
) -> None:
    asking = asyncio.ensure_future(desk.ask(question()))
    for attempt in range(1, JOB_ATTEMPTS_MAX + 1):
        client = await connect_as("solver-worker")
        assert (await take(client)).attempt == attempt
        await client.close()
    async with working(await connect_as("solver-worker"), log) as begun:
        result = await asking
        assert isinstance(result, JobRefused)
        assert result.reason.startswith("given up")
        assert (await dead_letter(asker))[2] == result.reason
        await until_queued(asker, 0)
    assert begun == []


async def test_a_worker_that_dies_while_it_buries_a_job_does_not_lose_it(
    asker: Client, connect_as: ConnectAs, log: Log
) -> None:
    await queue_job(asker, encode(job(question(), deadline=now_ms() + 60_000)))
    for _ in range(JOB_DELIVERIES_MAX - 1):
        client = await connect_as("solver-worker")
        await take(client)
        await client.close()
    async with working(await connect_as("solver-worker"), log):
        assert (await dead_letter(asker))[2].startswith("given up")


async def test_a_job_past_its_deadline_that_was_tried_before_is_buried_and_not_dropped(
    asker: Client, connect_as: ConnectAs, log: Log
) -> None:
    await queue_job(asker, encode(job(question(), deadline=now_ms() - 1)))
    client = await connect_as("solver-worker")
    await take(client)
    await client.close()
    async with working(await connect_as("solver-worker"), log) as begun:
        assert (await dead_letter(asker))[2].startswith("late: ")
        await until_queued(asker, 0)
    assert begun == []


async def test_a_worker_process_at_sigterm_hands_its_job_back_at_once_and_ends(
    servers: Servers, desk: JobDesk, asker: Client, connect_as: ConnectAs, log: Log
) -> None:
    """The search would go on for long; the ack wait for longer still. Neither is waited for."""
    await set_ack_wait(asker, 3600)
    asked = ProbeQuestion(player=player(1), states=1_000_000, budget_ms=BUDGET_MS_MAX)
    async with worker_process(servers) as process:
        await says(process, b'"ready"')
        asking = asyncio.ensure_future(desk.ask(asked))

        async def taken() -> bool:
            return (await consumer(asker)).num_ack_pending == 1

        await until(taken, "the job to be taken")
        process.send_signal(signal.SIGTERM)
        await says(process, b'"job handed back"')
        assert await process.wait() == 0

    def at_once(job: Job, search: Search) -> AnyResult:
        return ProbeResult(id=job.id, states=0)

    async with working(await connect_as("solver-worker"), log, at_once):
        assert isinstance(await asking, ProbeResult)
    assert FINISH_SECONDS < 0.5


async def consumer(asker: Client) -> ConsumerInfo:
    found: ConsumerInfo = await asker.jetstream().consumer_info(subjects.JOB_STREAM, subjects.job_consumer("waiting"))
    return found


async def test_a_search_whose_worker_is_told_to_stop_is_told_too_and_its_job_goes_to_another(
    desk: JobDesk, asker: Client, connect_as: ConnectAs, log: Log
) -> None:
    await set_ack_wait(asker, 3600)
    loop = asyncio.get_running_loop()
    began, ended = asyncio.Event(), asyncio.Event()

    def until_stopped(job: Job, search: Search) -> AnyResult:
        loop.call_soon_threadsafe(began.set)
        deadline = search.clock() + PATIENCE_SECONDS
        while not search.stopped() and search.clock() < deadline:
            pass
        loop.call_soon_threadsafe(ended.set)
        return work_out(job, search)

    async with working(await connect_as("solver-worker"), log, until_stopped):
        asking = asyncio.ensure_future(desk.ask(question()))
        await began.wait()
    await ended.wait()
    async with working(await connect_as("solver-worker"), log):
        assert isinstance(await asking, HintResult)


async def test_a_job_that_was_delivered_and_not_begun_is_handed_back_at_once(
    asker: Client, connect_as: ConnectAs
) -> None:
    await set_ack_wait(asker, 3600)
    queue = JobQueue(await connect_as("solver-worker"), time.monotonic, ("waiting",))
    await queue.open()
    assert await queue.take() is None
    taking = asyncio.ensure_future(queue.take())
    await asyncio.sleep(IDLE_SECONDS / 2)
    taking.cancel()
    await asyncio.gather(taking, return_exceptions=True)
    await queue_job(asker, encode(job(question(), deadline=now_ms() + 60_000)))

    async def delivered() -> bool:
        return not queue._arrived.empty()

    await until(delivered, "the job to be delivered")
    await queue.close()
    assert (await take(await connect_as("solver-worker"))).attempt == 2
