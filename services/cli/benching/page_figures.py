"""What a player feels at the page, in figures, and as text."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

import msgspec

from services.cli.benching.figures import Machine, percentile
from services.cli.benching.page import Weight

INPUT_P95_MS_MAX: Final = 50.0
LONG_TASK_MS: Final = 50.0
SETTLED_SHARE: Final = 0.1
"""The first part of the games, in which caches fill; growth is counted from its end on."""


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """Percentiles of a sample, in milliseconds."""

    samples: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    max_ms: float


class Tasks(msgspec.Struct, frozen=True, kw_only=True):
    """Tasks of the page that the browser calls long."""

    count: int
    longest_ms: float
    """0 when there is none."""


class Growth(msgspec.Struct, frozen=True, kw_only=True):
    """What the page weighs after a collection of garbage, from the first weighing after the settling on to the last."""

    first_games: int
    last_games: int
    first_heap_bytes: int
    last_heap_bytes: int
    heap_bytes_per_game: float
    """The slope of the line that fits all weighings best."""
    first_nodes: int
    last_nodes: int
    first_listeners: int
    last_listeners: int


class PageReport(msgspec.Struct, frozen=True, kw_only=True):
    """The whole benchmark."""

    kind: Literal["page"] = "page"
    machine: Machine
    versions: dict[str, str]
    seed: int
    games: int
    hasty_moves: int
    """Of each of these games."""
    moves: int
    """Of the games of the inputs that are measured, at most."""
    inputs: dict[str, int]
    load_before: float
    first_frame: Spread
    frame: Spread | None
    """Between two frames while cards fly."""
    long_tasks: Tasks
    """In the games of the inputs that are measured, their deals included."""
    hasty_long_tasks: Tasks
    """In the games that are played as fast as the page takes inputs."""
    growth: Growth | None
    """None: the page was weighed fewer than three times."""


def spread(sample: Sequence[float]) -> Spread:
    """The percentiles of a sample that is not empty, in milliseconds."""
    ordered = sorted(sample)
    return Spread(
        samples=len(ordered),
        p50_ms=round(percentile(ordered, 0.50), 1),
        p95_ms=round(percentile(ordered, 0.95), 1),
        p99_ms=round(percentile(ordered, 0.99), 1),
        max_ms=round(ordered[-1], 1),
    )


def tasks(durations_ms: Sequence[float]) -> Tasks:
    """How many there were, and how long the longest took."""
    return Tasks(count=len(durations_ms), longest_ms=round(max(durations_ms, default=0.0), 1))


def growth(weights: Sequence[Weight], games: int) -> Growth | None:
    """What the page has grown by; the weighings of the settling are left out."""
    counted = [weight for weight in weights if weight.games > games * SETTLED_SHARE]
    if len(counted) < 2:
        return None
    first, last = counted[0], counted[-1]
    mean_games = sum(weight.games for weight in counted) / len(counted)
    mean_heap = sum(weight.heap_bytes for weight in counted) / len(counted)
    rise = sum((weight.games - mean_games) * (weight.heap_bytes - mean_heap) for weight in counted)
    run = sum((weight.games - mean_games) ** 2 for weight in counted)
    return Growth(
        first_games=first.games,
        last_games=last.games,
        first_heap_bytes=first.heap_bytes,
        last_heap_bytes=last.heap_bytes,
        heap_bytes_per_game=round(rise / run, 1),
        first_nodes=first.nodes,
        last_nodes=last.nodes,
        first_listeners=first.listeners,
        last_listeners=last.listeners,
    )


def _tasks(tasks: Tasks) -> str:
    return f"{tasks.count}, the longest {tasks.longest_ms:.0f} ms" if tasks.count else "0"


def lines(report: PageReport) -> Iterator[str]:
    """The whole report, line by line."""
    yield f"machine   {report.machine.cpu}, {report.machine.cores} cores, {report.machine.system}"
    yield f"load      {report.load_before:.2f} in the minute before"
    yield "versions  " + ", ".join(f"{name} {version}" for name, version in report.versions.items())
    inputs = ", ".join(f"{count} by {kind}" for kind, count in report.inputs.items())
    yield f"sample    seed {report.seed}; {report.games} games of {report.hasty_moves} hasty inputs"
    yield f"          then inputs one by one, {inputs}, in games of at most {report.moves} moves"
    yield ""
    yield f"{'':<34}{'p50 ms':>9}{'p95 ms':>9}{'p99 ms':>9}{'max ms':>9}{'samples':>9}"
    limit = f"   (p95 is to be below {INPUT_P95_MS_MAX:.0f})"
    yield _row("input to the first changed frame", report.first_frame) + limit
    if report.frame is not None:
        yield _row("between frames while cards fly", report.frame)
    yield f"tasks over {LONG_TASK_MS:.0f} ms, inputs one by one: {_tasks(report.long_tasks)}   (none is wanted)"
    yield f"tasks over {LONG_TASK_MS:.0f} ms, hasty inputs: {_tasks(report.hasty_long_tasks)}"
    yield from _growth(report.growth)


def _growth(found: Growth | None) -> Iterator[str]:
    if found is None:
        yield "memory: too few games to say"
        return
    yield (
        f"heap after {found.first_games} games {found.first_heap_bytes / 1e6:.2f} MB, after {found.last_games} "
        f"{found.last_heap_bytes / 1e6:.2f} MB: {found.heap_bytes_per_game:.0f} bytes a game   (none is wanted)"
    )
    yield (
        f"DOM nodes {found.first_nodes}, then {found.last_nodes}; "
        f"listeners {found.first_listeners}, then {found.last_listeners}"
    )


def _row(name: str, one: Spread) -> str:
    return f"{name:<34}{one.p50_ms:>9.1f}{one.p95_ms:>9.1f}{one.p99_ms:>9.1f}{one.max_ms:>9.1f}{one.samples:>9}"
