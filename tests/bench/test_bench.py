"""`klondike bench path`, with very few moves: that it measures everything, and that nothing fails. Never how fast."""

import json

import msgspec
import pytest
from click.testing import CliRunner

from services.cli.bench import bench
from services.cli.benching import text
from services.cli.benching.figures import Latency, PathReport, latency
from tests.benches import run_bench


async def test_a_tiny_run_measures_everything_and_has_no_error() -> None:
    sizes = ("--moves", "10", "--games", "5", "--pace", "0.2")
    arguments = ("path", "--fsync", "fast", *sizes, "--seed", "7", "--json")
    printed, _ = await run_bench(*arguments)
    report = msgspec.json.decode(printed, type=PathReport)
    assert report.seed == 7
    assert report.machine.cores >= 1
    assert {"Python", "nats-server", "valkey-server", "nats-py", "klondike-services"} <= report.versions.keys()
    assert "unknown" not in report.versions.values()
    (run,) = report.runs
    assert run.fsync == "fast"
    for measured in (run.floors.websocket, run.floors.request, run.floors.publish, run.move):
        assert measured.samples == 10
        assert 0 < measured.p50_ms <= measured.p90_ms <= measured.p99_ms <= measured.max_ms
    assert run.hint.samples == 2
    assert run.ratio == pytest.approx(run.move.p50_ms / run.floors.sum_p50_ms, abs=0.006)
    assert run.crowd is not None
    assert (run.crowd.games, run.crowd.errors, run.crowd.error_kinds) == (5, 0, {})
    assert run.crowd.move is not None
    assert run.crowd.move.samples == 25
    assert all(line == line.rstrip() for line in text.lines(report) if line)
    assert json.loads(printed)["kind"] == "path"


def test_percentiles_are_values_of_the_sample_by_nearest_rank() -> None:
    hundred = [number / 1000 for number in range(100, 0, -1)]
    assert latency(hundred) == Latency(samples=100, p50_ms=50, p90_ms=90, p99_ms=99, max_ms=100)
    assert latency([0.002]) == Latency(samples=1, p50_ms=2, p90_ms=2, p99_ms=2, max_ms=2)


@pytest.mark.parametrize(
    ("command", "option", "value"),
    [
        ("path", "--moves", "0"),
        ("path", "--fsync", "never"),
        ("path", "--games", "-1"),
        ("path", "--pace", "0"),
        ("hints", "--workers", "0"),
        ("hints", "--workers", "many"),
        ("hints", "--workers", "1,99"),
        ("hints", "--states", "0"),
        ("hints", "--kinds", "oracle"),
        ("hints", "--seconds", "0"),
    ],
)
def test_what_cannot_be_measured_is_refused_with_the_option_named(command: str, option: str, value: str) -> None:
    result = CliRunner().invoke(bench, [command, option, value])
    assert result.exit_code == 2
    assert option in result.output
