"""`klondike bench page`, with very few games: that it ends and measures everything. Never how fast."""

import msgspec
import pytest

from services.cli.benching.page_figures import PageReport
from tests.benches import run_bench
from tests.system.up_process import PATIENCE, Up

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

BENCH_SECONDS = 60.0 * PATIENCE
GAMES, INPUTS = 10, 20


async def test_a_tiny_run_ends_with_every_input_measured_and_the_page_weighed(system: Up) -> None:
    sample = ("--games", str(GAMES), "--hasty-moves", "3", "--inputs", str(INPUTS), "--moves", "15", "--seed", "7")
    printed, told = await run_bench("page", "--address", system.address, "--json", *sample, seconds=BENCH_SECONDS)
    report = msgspec.json.decode(printed, type=PageReport)
    assert (report.seed, report.games, sum(report.inputs.values())) == (7, GAMES, INPUTS)
    assert report.first_frame.samples == INPUTS
    assert 0 < report.first_frame.p50_ms <= report.first_frame.p95_ms <= report.first_frame.max_ms
    assert report.frame is not None
    assert report.growth is not None
    assert (report.growth.first_games, report.growth.last_games) == (2, GAMES)
    assert f"{GAMES} of {GAMES} games" in told
