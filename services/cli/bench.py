"""`klondike bench`: figures beside their floors, from one run on one machine."""

import os
import resource
import sys
import tempfile
from pathlib import Path
from typing import Final

import click
import msgspec
import nats.errors

from services.cli.benching import text
from services.cli.benching.figures import PathReport, Run
from services.cli.benching.machine import machine, versions
from services.cli.benching.measure import measure_crowd, measure_hints, measure_path
from services.cli.benching.player import UnexpectedError
from services.cli.benching.stack import BenchError, bare, system
from services.cli.lazy import Lazy, lazily
from shared.access import Fsync

MODES: Final[dict[str, tuple[Fsync, ...]]] = {"durable": ("durable",), "fast": ("fast",), "both": ("durable", "fast")}
FILES_PER_GAME, FILES_BESIDES = 2, 200
MOVES_PER_HINT: Final = 5


COMMANDS: Final = {
    "solver": Lazy("services.cli.bench_solver:solver", "Time verdicts, beside pyksolve."),
    "minimal": Lazy("services.cli.bench_minimal:minimal", "Time shortest solutions, and check their counts."),
    "levels": Lazy("services.cli.bench_levels:levels", "Count what the strong player wins at each level."),
    "audit": Lazy("services.cli.bench_audit:audit", "Time proofs of histories, beside merely reading them."),
    "archive": Lazy("services.cli.bench_archive:archive", "Weigh a move in the log and in the archive."),
    "hints": Lazy("services.cli.bench_hints:hints", "Time jobs, with 1, 2, 4 … workers."),
    "page": Lazy("services.cli.bench_page:page", "Time what a player sees, in Chromium, and weigh the page."),
}


@click.group(cls=lazily(COMMANDS))
def bench() -> None:
    """Measure the system."""


@bench.command()
@click.option(
    "--fsync",
    type=click.Choice(list(MODES)),
    default="both",
    show_default=True,
    help="When a write is acknowledged: on disk, within two minutes, or one run of each.",
)
@click.option("--moves", type=click.IntRange(10, 1_000_000), default=8000, show_default=True, help="Moves to measure.")
@click.option(
    "--games", type=click.IntRange(0, 5000), default=1000, show_default=True, help="Games at once; 0 leaves that out."
)
@click.option(
    "--pace",
    type=click.FloatRange(0.01, 60),
    default=4.0,
    show_default=True,
    help="Seconds between two moves of each of these games.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Decides deals and moves.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
def path(*, fsync: str, moves: int, games: int, pace: float, seed: int, as_json: bool) -> None:
    """A move's way from the socket to the log and back, a hint's, and many games at once.

    Runs everything on a temporary directory of this machine. Exit status 1 if a game had an error.
    """
    modes: tuple[Fsync, ...] = (
        ("durable", "fast") if fsync == "both" else ("fast",) if fsync == "fast" else ("durable",)
    )
    _allow_files(games * FILES_PER_GAME + FILES_BESIDES)
    load = os.getloadavg()[0]
    try:
        runs = tuple(_run(mode, moves=moves, games=games, pace=pace, seed=seed) for mode in modes)
    except (BenchError, UnexpectedError, nats.errors.Error, OSError) as error:
        click.echo(f"klondike bench: {str(error) or type(error).__name__}", err=True)
        sys.exit(1)
    report = PathReport(machine=machine(), versions=versions(), seed=seed, runs=runs, load_before=load)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(report)).decode())
    else:
        for line in text.lines(report):
            click.echo(line)
    sys.exit(1 if any(run.crowd is not None and run.crowd.errors for run in runs) else 0)


def _run(fsync: Fsync, *, moves: int, games: int, pace: float, seed: int) -> Run:
    import uvloop  # not on Windows

    click.echo(f"measuring with fsync {fsync} ...", err=True)
    return uvloop.run(_measured(fsync, moves=moves, games=games, pace=pace, seed=seed))


async def _measured(fsync: Fsync, *, moves: int, games: int, pace: float, seed: int) -> Run:
    with tempfile.TemporaryDirectory(prefix="klondike-bench-") as folder:
        async with system(Path(folder), fsync) as address:
            async with bare(Path(folder), fsync) as floor:
                samples = await measure_path(floor, address, moves=moves, seed=seed)
            hint = await measure_hints(address, hints=max(moves // MOVES_PER_HINT, 1), seed=seed)
            crowd = await measure_crowd(address, games=games, pace_seconds=pace, seed=seed) if games else None
    floors, move = samples.floors(), samples.summary()
    return Run(
        fsync=fsync,
        floors=floors,
        sum_of_floors_ms=round(floors.sum_p50_ms, 3),
        move=move,
        ratio=round(move.p50_ms / floors.sum_p50_ms, 2),
        hint=hint,
        crowd=crowd,
    )


def _allow_files(wanted: int) -> None:
    """Each socket is an open file, in this process and in the gateway, which inherits the limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
