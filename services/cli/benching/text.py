"""The figures as a table for people."""

from collections.abc import Iterator

from services.cli.benching.figures import Crowd, Latency, PathReport, Run

TARGET_RATIO, TARGET_HINT_MS = 2.5, 50.0


def lines(report: PathReport) -> Iterator[str]:
    """The whole report, line by line."""
    machine = report.machine
    yield f"machine   {machine.cpu}, {machine.cores} cores, {machine.system}"
    yield f"load      {report.load_before:.2f} in the minute before"
    yield "versions  " + ", ".join(f"{name} {version}" for name, version in report.versions.items())
    yield f"seed      {report.seed}"
    for run in report.runs:
        yield ""
        yield from _run(run)


def _run(run: Run) -> Iterator[str]:
    yield f"fsync {run.fsync:<20}{'p50 ms':>10}{'p90 ms':>10}{'p99 ms':>10}{'max ms':>10}{'samples':>10}"
    yield _row("floor: WebSocket echo", run.floors.websocket)
    yield _row("floor: NATS request", run.floors.request)
    yield _row("floor: JetStream publish", run.floors.publish)
    yield f"{'sum of the floors':<26}{run.sum_of_floors_ms:>10.3f}"
    yield _row("a move", run.move) + f"   {run.ratio:.2f} x the floors (target {TARGET_RATIO})"
    yield _row("a hint", run.hint) + f"   (target p99 {TARGET_HINT_MS:.0f} ms)"
    if run.crowd is not None:
        yield from _crowd(run.crowd)


def _crowd(crowd: Crowd) -> Iterator[str]:
    if crowd.move is not None:
        yield _row(f"a move, {crowd.games} games", crowd.move)
    kinds = ", ".join(f"{count} {kind}" for kind, count in crowd.error_kinds.items()) or "none"
    yield (
        f"{crowd.games} games at once: {crowd.errors} errors ({kinds}), {crowd.moves_per_second:.0f} moves a second "
        f"for {crowd.seconds:.0f} s, {crowd.late} sent late"
    )


def _row(name: str, one: Latency) -> str:
    return f"{name:<26}{one.p50_ms:>10.3f}{one.p90_ms:>10.3f}{one.p99_ms:>10.3f}{one.max_ms:>10.3f}{one.samples:>10}"
