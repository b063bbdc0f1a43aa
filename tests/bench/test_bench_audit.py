"""`klondike bench audit`, with few games: that it measures everything and that all games it writes are proved."""

import msgspec

from services.cli.bench_audit import AuditReport
from services.cli.benching.written import messages, played
from shared import subjects
from tests.benches import run_bench


async def test_a_tiny_run_measures_one_process_and_two() -> None:
    arguments = ("audit", "--games", "70", "--moves", "6", "--processes", "2", "--json")
    printed, _ = await run_bench(*arguments, statuses=(0, 1))
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
