"""`klondike status` shows what is there: jobs by priority, workers with their speed, dead letters with the reason."""

import asyncio
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from nats.aio.client import Client

from services.cli.reporting import text
from services.cli.reporting.gather import gathered
from services.cli.reporting.overview import Dead, Overview
from services.cli.status import status
from services.solver_worker.app import run
from shared import subjects
from shared.bus.jobs import JobDesk
from shared.logs import Log
from shared.messages.jobs import HintResult, JobRefused
from shared.messages.workers import DealerReport
from shared.rules.variants import VARIANTS
from shared.settings import SolverWorkerSettings, Takes
from shared.solver.winnable import certifiable
from tests.conftest import ConnectAs
from tests.integration.dealer import dealer
from tests.integration.game_state import soon
from tests.integration.services import compiled_in_time, serving
from tests.integration.work import PATIENCE_SECONDS, opened, question, until_queued
from tests.servers import Servers

work = partial(run, warm=compiled_in_time)

VARIABLES = ("KLONDIKE_NATS", "KLONDIKE_DATA")
NO_DEAD = Dead(count=0, newest=())


async def shown(servers: Servers, *arguments: str) -> str:
    """What the command prints, as a process of its own."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.cli", "status", "--nats", servers.nats_url("auditor"), *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    printed, said = await process.communicate()
    assert (process.returncode, said) == (0, b"")
    return printed.decode()


async def seen(connect_as: ConnectAs, letters: int = 5) -> Overview:
    """What it would print, asked as the auditor."""
    return await gathered(await connect_as("auditor"), letters_max=letters, timeout_seconds=PATIENCE_SECONDS)


def counts(overview: Overview) -> dict[str, Sequence[int]]:
    return {line.priority: (line.waiting, line.in_progress, line.redelivered) for line in overview.queue}


async def test_waiting_and_taken_jobs_are_counted_by_priority(
    desk: JobDesk, asker: Client, connect_as: ConnectAs
) -> None:
    waiting = [asyncio.ensure_future(desk.ask(question(seed))) for seed in range(3)]
    pool = asyncio.ensure_future(desk.ask(question(9), priority="pool"))
    await until_queued(asker, 4)
    queue = await opened(await connect_as("solver-worker"))
    assert await queue.take() is not None
    assert counts(await seen(connect_as)) == {"waiting": (2, 1, 0), "analysis": (0, 0, 0), "pool": (1, 0, 0)}
    for one in (*waiting, pool):
        one.cancel()


async def test_a_worker_tells_its_capacity_and_what_it_did(
    servers: Servers, desk: JobDesk, connect_as: ConnectAs, log: Log
) -> None:
    client = await connect_as("solver-worker")
    async with serving(work, "solver-worker", SolverWorkerSettings(jobs_at_once=3), client, log):
        assert isinstance(await desk.ask(question(1)), HintResult)
        assert isinstance(await desk.ask(msgspec.structs.replace(question(2), variant="draw9")), JobRefused)
        overview = await seen(connect_as)
        (report,) = overview.workers
        assert (report.capacity, report.priorities) == (3, subjects.PRIORITIES)
        assert (report.done, report.refused, report.dropped, report.busy) == (1, 1, 0, 0)
        assert 0 < report.search_ms_mean < 1_000
        assert report.jobs_per_second > 0
        (service,) = (service for service in overview.services if service.name == "solver-worker")
        assert service.instances == 1
        table = await shown(servers)
        assert "0/3" in table
        assert report.instance in table
        assert "variant: there is none called 'draw9'" in table


@pytest.mark.parametrize(
    ("takes", "priorities"),
    [("all", subjects.PRIORITIES), ("waiting", ("waiting",)), ("background", ("analysis", "pool"))],
)
async def test_a_worker_takes_what_its_settings_say_and_tells_so(
    takes: Takes,
    priorities: tuple[subjects.Priority, ...],
    desk: JobDesk,
    connect_as: ConnectAs,
    log: Log,
) -> None:
    asking = {
        priority: asyncio.ensure_future(desk.ask(question(number), priority=priority))
        for number, priority in enumerate(subjects.PRIORITIES)
    }
    settings = SolverWorkerSettings(takes=takes)
    async with serving(work, "solver-worker", settings, await connect_as("solver-worker"), log):
        for priority in priorities:
            assert isinstance(await asking[priority], HintResult)
        overview = await seen(connect_as)
    assert [report.priorities for report in overview.workers] == [priorities]
    others = set(subjects.PRIORITIES) - set(priorities)
    assert {priority: count[0] for priority, count in counts(overview).items() if count[0]} == dict.fromkeys(others, 1)
    for one in asking.values():
        one.cancel()


async def test_a_worker_answers_the_request_for_its_report(
    desk: JobDesk, asker: Client, connect_as: ConnectAs, log: Log
) -> None:
    """By the subject that its micro service names."""
    async with serving(work, "solver-worker", SolverWorkerSettings(), await connect_as("solver-worker"), log):
        auditor = await connect_as("auditor")
        described = msgspec.json.decode((await auditor.request("$SRV.INFO.solver-worker", timeout=5)).data)
        (endpoint,) = described["endpoints"]
        answer = msgspec.json.decode((await asker.request(endpoint["subject"], timeout=5)).data)
        stats = msgspec.json.decode((await auditor.request("$SRV.STATS.solver-worker", timeout=5)).data)
        assert answer == stats["endpoints"][0]["data"]
        assert await desk.ask(question()) is not None


async def test_a_dealer_tells_what_it_has_ready_and_what_it_looks_for(
    servers: Servers, connect_as: ConnectAs, log: Log
) -> None:
    async with dealer(await connect_as("dealer"), log, pool_deals=1):

        async def full() -> bool:
            (report,) = (await seen(connect_as)).dealers
            return set(report.ready.values()) == {1}

        await soon(full, 6 * PATIENCE_SECONDS)
        (report,) = (await seen(connect_as)).dealers
        assert report.warm
        assert set(report.ready) == {variant.id for variant in VARIANTS.values() if certifiable(variant)}
        assert (report.pool, set(report.searches.values())) == (1, {0})
        table = await shown(servers)
        assert f"{len(report.ready)}/{len(report.ready)}" in table
        assert report.instance in table


def test_a_dealer_that_lacks_deals_is_shown_with_those_that_it_lacks() -> None:
    report = DealerReport(
        instance="dealer-1",
        warm=False,
        ready={"draw1": 2, "draw3": 1},
        pool=2,
        searches={"filling": 1, "asked": 0, "judging": 3},
    )
    shown = "\n".join(text.lines(Overview(services=(), queue=(), workers=(), dealers=(report,), dead=NO_DEAD)))
    assert "dealer-1          3/4         4  filling 1, judging 3 (none yet: compiling" in shown
    assert "of 2 each: draw3 1" in shown


async def test_dead_letters_are_counted_and_the_newest_shown_first(
    servers: Servers, asker: Client, connect_as: ConnectAs
) -> None:
    for number in range(4):
        headers = {subjects.REASON_HEADER: f"reason {number}", subjects.CORRELATION_HEADER: f"command {number}"}
        await asker.jetstream().publish(subjects.dead_letter("hint"), b"job", headers=headers)
    dead = (await seen(connect_as, 2)).dead
    assert (dead.count, [letter.reason for letter in dead.newest]) == (4, ["reason 3", "reason 2"])
    assert (dead.newest[0].kind, dead.newest[0].correlation) == ("hint", "command 3")
    assert (await seen(connect_as, 0)).dead.newest == ()
    assert "dead letters: 4" in await shown(servers)


async def test_a_server_where_nothing_has_started_yet_is_shown_as_such(servers: Servers, connect_as: ConnectAs) -> None:
    overview = await seen(connect_as)
    assert (overview.queue, overview.workers, overview.services, overview.dead.count) == ((), (), (), 0)
    assert "none answers" in await shown(servers)
    assert all(line == line.rstrip() for line in text.lines(overview))


async def test_the_json_form_is_the_same_overview(servers: Servers, desk: JobDesk, asker: Client) -> None:
    asking = [asyncio.ensure_future(desk.ask(question(seed))) for seed in range(20)]
    await until_queued(asker, 20)
    overview = msgspec.json.decode(await shown(servers, "--json"), type=Overview)
    assert overview.kind == "status"
    assert counts(overview)["waiting"] == (20, 0, 0)
    for one in asking:
        one.cancel()


def test_where_nothing_runs_it_says_so_and_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    result = CliRunner().invoke(status, ["--data", str(tmp_path)])
    assert result.exit_code == 2
    assert "nothing has run" in result.output
    assert "klondike up" in result.output


def test_a_server_that_cannot_be_reached_is_named_without_its_password() -> None:
    result = CliRunner().invoke(status, ["--nats", "nats://auditor:secret@127.0.0.1:1"])
    assert result.exit_code == 2
    assert "127.0.0.1:1" in result.output
    assert "secret" not in result.output
