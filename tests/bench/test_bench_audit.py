"""`klondike bench audit`, with few games: that it measures everything and that all games it writes are proved."""

import asyncio
import sys

import msgspec

from services.cli.bench_audit import AuditReport
from services.cli.benching.written import messages, played
from shared import subjects
from tests.system.up_process import PATIENCE

BENCH_SECONDS = 100.0 * PATIENCE


async def test_a_tiny_run_measures_one_process_and_two() -> None:
    arguments = ("audit", "--games", "70", "--moves", "6", "--processes", "2", "--json")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.cli", "bench", *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(BENCH_SECONDS):
        printed, told = await process.communicate()
    assert process.returncode in {0, 1}, told.decode()
    report = msgspec.json.decode(printed, type=AuditReport)
    assert [rate.processes for rate in report.rates] == [1, 2]
    assert report.rates[0].records == report.rates[1].records >= 70 * 7
    assert all(0 < rate.share < 1 and rate.peak_mb > 0 and rate.memory_mb for rate in report.rates)
    assert report.scale is not None


def test_games_that_are_written_take_turns_and_differ() -> None:
    """Each has its own id and chain, and the records of several lie between each other."""
    written = list(messages(10, (played(1, 5), played(2, 5))))
    games = [subjects.game_of(subject) for subject, _ in written]
    assert len(set(games)) == 10
    assert len({data for _, data in written}) == len(written)
    assert games[:10] != [games[0]] * 10
