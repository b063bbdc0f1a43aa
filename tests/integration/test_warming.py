"""Kernels that are not compiled yet hold up nothing that needs none."""

import asyncio
import os
import signal
import sys
from functools import partial
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from services.cli.reporting.text import lines
from services.solver_worker.app import run
from shared import subjects, warming
from shared.bus.jobs import JobDesk
from shared.compiled import NOTE_FILE, note
from shared.logs import Log
from shared.messages.dealer import WinnableSecret
from shared.messages.jobs import HintResult
from shared.settings import SolverWorkerSettings
from shared.warming import warmed
from tests.conftest import ConnectAs
from tests.integration.dealer import code_of, dealer, take
from tests.integration.services import serving
from tests.integration.test_status import seen
from tests.integration.work import PATIENCE_SECONDS, question, says, until, worker_process
from tests.servers import Servers


class Gate:
    """Kernels that are loaded when the test says so."""

    def __init__(self) -> None:
        self.opened = asyncio.Event()

    async def __call__(self, _log: Log) -> None:
        await self.opened.wait()


async def test_a_worker_gives_instant_hints_before_its_kernels_are_loaded_and_the_rest_after(
    desk: JobDesk, connect_as: ConnectAs, log: Log
) -> None:
    gate = Gate()
    worker = partial(run, warm=gate)
    async with serving(worker, "solver-worker", SolverWorkerSettings(), await connect_as("solver-worker"), log):
        long = asyncio.ensure_future(desk.ask(question(1), priority="analysis", timeout_seconds=PATIENCE_SECONDS))
        for seed in range(2, 6):
            assert isinstance(await desk.ask(question(seed)), HintResult)
        assert not long.done()
        overview = await seen(connect_as)
        assert [report.warm for report in overview.workers] == [False]
        assert any("instant hints only" in line for line in lines(overview))
        gate.opened.set()
        assert isinstance(await long, HintResult)
        (report,) = (await seen(connect_as)).workers
        assert (report.warm, report.priorities, report.done) == (True, subjects.PRIORITIES, 5)


async def test_a_worker_for_long_jobs_alone_takes_them_once_its_kernels_are_loaded(
    desk: JobDesk, connect_as: ConnectAs, log: Log
) -> None:
    gate = Gate()
    settings = SolverWorkerSettings(takes="background")
    asking = asyncio.ensure_future(desk.ask(question(), priority="pool", timeout_seconds=PATIENCE_SECONDS))
    asyncio.get_running_loop().call_later(0.1, gate.opened.set)
    async with serving(partial(run, warm=gate), "solver-worker", settings, await connect_as("solver-worker"), log):
        assert gate.opened.is_set(), "it is not ready before"
        assert isinstance(await asking, HintResult)


async def test_a_dealer_refuses_at_once_until_its_kernels_are_loaded(connect_as: ConnectAs, log: Log) -> None:
    gate = Gate()
    client = await connect_as("dealer")
    asker = await connect_as("game-state")
    async with dealer(client, log, warm=gate):
        assert code_of(await take(asker)) == "no-winnable-deal"
        gate.opened.set()

        async def dealt() -> bool:
            return isinstance(await take(asker), WinnableSecret)

        await until(dealt, "a deal")


def children() -> set[int]:
    """Processes that this one has started."""
    listing = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    if not listing.exists():
        pytest.skip("this system does not list processes")
    return set(map(int, listing.read_text().split()))


async def test_compiling_that_is_not_wanted_any_more_ends(
    log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    before = children()
    compiled = asyncio.ensure_future(warmed(log))

    async def compiling() -> bool:
        return bool(children() - before)

    await until(compiling, "the compiling process")
    compiled.cancel()
    await asyncio.gather(compiled, return_exceptions=True)

    async def ended() -> bool:
        return not children() - before

    await until(ended, "its end")


@pytest.mark.parametrize("known", [True, False], ids=["compiled", "unknown"])
async def test_a_process_compiles_only_where_the_kernels_are_not_known_to_be_compiled(
    log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(warming, "load", lambda: None)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-such-program"))
    if known:
        note()
    with capture_logs() as lines:
        await warmed(log)
    tried = any(line["event"] == "no process to compile the kernels in" for line in lines)
    assert tried is not known
    assert lines[-1]["event"] == "kernels loaded"


async def test_a_worker_that_has_to_compile_gives_hints_meanwhile_and_ends_at_once(
    servers: Servers, desk: JobDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    async with worker_process(servers) as process:
        _ = await says(process, b"compiling the kernels")
        assert isinstance(await desk.ask(question()), HintResult)
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert await process.wait() == 0
        assert not (tmp_path / NOTE_FILE).exists(), "it has not waited until all is compiled"
