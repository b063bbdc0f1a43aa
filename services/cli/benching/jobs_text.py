"""The figures of `klondike bench hints` as a table for people."""

from collections.abc import Iterator

from services.cli.benching.figures import Latency
from services.cli.benching.job_figures import Alone, JobsReport, Load, Way

TARGET_ABOVE_FLOOR_MS, TARGET_SPEEDUP = 25.0, 1.9
P99_SAMPLES_MIN = 100
"""With fewer, the 99th percentile is nothing but the slowest sample."""
TITLES = {"empty": "empty job", "hint": "hint", "strong": "strong hint", "search": "search-bound job"}


def lines(report: JobsReport) -> Iterator[str]:
    """The whole report, line by line."""
    machine = report.machine
    yield f"machine   {machine.cpu}, {machine.cores} cores, {machine.system}"
    yield f"load      {report.load_before:.2f} in the minute before"
    yield "versions  " + ", ".join(f"{name} {version}" for name, version in report.versions.items())
    yield f"seed      {report.seed}, fsync {report.fsync}, {report.states:,} states a search-bound job"
    yield ""
    yield f"{'one job at a time':<26}{'p50 ms':>10}{'p90 ms':>10}{'p99 ms':>10}{'max ms':>10}{'samples':>10}"
    yield from _way("floor: empty job", report.alone.empty)
    yield from _way("hint", report.alone.hint)
    yield above_floor(report.alone)
    yield ""
    yield (
        f"{'workers busy':<26}{'workers':>8}{'jobs/s':>10}{'speed-up':>10}{'waiting p50':>13}{'p99 ms':>10}"
        f"{'search p50':>12}{'p99 ms':>10}{'cpu ms':>9}"
    )
    for load in report.loads:
        yield _load(load)


def above_floor(alone: Alone) -> str:
    """What a hint costs beyond an empty job, where there are samples enough to say so."""
    samples = min(alone.hint.total.samples, alone.empty.total.samples)
    target = f"(target {TARGET_ABOVE_FLOOR_MS:.0f} ms)"
    if samples < P99_SAMPLES_MIN:
        return f"a hint's p99 above the floor's {target}: too few samples, --jobs {P99_SAMPLES_MIN} is the least"
    if alone.hint_above_floor_p99_ms < 0:
        return f"a hint's p99 is not above the floor's {target}"
    return f"a hint's p99 is {alone.hint_above_floor_p99_ms:.3f} ms above the floor's {target}"


def _way(name: str, way: Way) -> Iterator[str]:
    yield _row(name, way.total)
    yield _row("  in the queue", way.waiting)
    yield _row("  search", way.search)


def _load(load: Load) -> str:
    processor = "" if load.processor_ms is None else f"{load.processor_ms:.3f}"
    target = f"   (target {TARGET_SPEEDUP} on two cores)" if load.kind == "search" and load.workers == 2 else ""
    return (
        f"{TITLES[load.kind]:<26}{load.workers:>8}{load.jobs_per_second:>10.1f}{load.speedup:>10.2f}"
        f"{load.way.waiting.p50_ms:>13.3f}{load.way.waiting.p99_ms:>10.3f}"
        f"{load.way.search.p50_ms:>12.3f}{load.way.search.p99_ms:>10.3f}{processor:>9}{target}"
    )


def _row(name: str, one: Latency) -> str:
    return f"{name:<26}{one.p50_ms:>10.3f}{one.p90_ms:>10.3f}{one.p99_ms:>10.3f}{one.max_ms:>10.3f}{one.samples:>10}"
