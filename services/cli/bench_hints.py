"""`klondike bench hints`: what a job costs beside an empty one, and what more workers bring."""

import os
import sys
import tempfile
from pathlib import Path
from typing import Final

import click
import msgspec
import nats.errors
from nats.js.errors import Error as JetStreamError

from services.cli.benching import jobs_text
from services.cli.benching.job_figures import Alone, JobsReport, Kind, Load
from services.cli.benching.jobs import KINDS, Bench
from services.cli.benching.machine import machine, versions
from services.cli.benching.stack import BARE_ROLE, BenchError, connected, queue, workers
from shared import clock
from shared.access import Fsync
from shared.bus.jobs import JobDesk
from shared.messages.jobs import PROBE_STATES_MAX

INSTANCE: Final = "bench"
WORKERS_MAX: Final = 32
WARM_SECONDS: Final = 0.5
"""Each number of workers works so long on each kind before it is measured: kernels are loaded, caches are warm."""


class Counts(click.ParamType[tuple[int, ...]]):
    """Numbers separated by commas."""

    name = "N,N,..."

    def convert(
        self, value: str | tuple[int, ...], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        parts = value.split(",")
        if not all(part.strip().isdigit() and 0 < int(part) <= WORKERS_MAX for part in parts):
            self.fail(f"numbers from 1 to {WORKERS_MAX} are needed, such as 1,2,4", param, ctx)
        return tuple(sorted({1, *map(int, parts)}))


@click.command()
@click.option(
    "--workers", "counts", type=Counts(), default=(1, 2, 4), show_default=True, help="Numbers of workers; 1 is added."
)
@click.option(
    "--kinds",
    "kinds",
    type=click.Choice(KINDS),
    multiple=True,
    default=KINDS,
    show_default=True,
    help="Jobs to load with.",
)
@click.option("--jobs", type=click.IntRange(5, 100_000), default=1000, show_default=True, help="Jobs one at a time.")
@click.option(
    "--seconds", type=click.FloatRange(0.1, 600), default=10.0, show_default=True, help="Time under load, each."
)
@click.option(
    "--states",
    type=click.IntRange(1, PROBE_STATES_MAX),
    default=150_000,
    show_default=True,
    help="Size of a search-bound job: states of the exact search.",
)
@click.option(
    "--fsync", type=click.Choice(["durable", "fast"]), default="fast", show_default=True, help="Of the job queue."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Decides the positions.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
def hints(
    *,
    counts: tuple[int, ...],
    kinds: tuple[Kind, ...],
    jobs: int,
    seconds: float,
    states: int,
    fsync: Fsync,
    seed: int,
    as_json: bool,
) -> None:
    """Hints and search-bound jobs through the real queue, with 1, 2, 4 … workers, beside the empty job.

    Runs a NATS server and worker processes on a temporary directory of this machine. Exit status 1 if a job failed.
    """
    import uvloop  # not on Windows

    load_before = os.getloadavg()[0]
    plan = Plan(counts=counts, kinds=kinds, jobs=jobs, seconds=seconds, states=states, fsync=fsync, seed=seed)
    try:
        alone, loads = uvloop.run(_measured(plan))
    except (BenchError, nats.errors.Error, JetStreamError, OSError) as error:
        click.echo(f"klondike bench: {str(error) or type(error).__name__}", err=True)
        sys.exit(1)
    report = JobsReport(
        machine=machine(),
        versions=versions(),
        seed=seed,
        fsync=fsync,
        states=states,
        alone=alone,
        loads=loads,
        load_before=load_before,
    )
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(report)).decode())
    else:
        for line in jobs_text.lines(report):
            click.echo(line)
    sys.exit(1 if any(load.refused for load in loads) else 0)


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be measured."""

    counts: tuple[int, ...]
    kinds: tuple[Kind, ...]
    jobs: int
    seconds: float
    states: int
    fsync: Fsync
    seed: int


async def _measured(plan: Plan) -> tuple[Alone, tuple[Load, ...]]:
    alone: Alone | None = None
    loads: list[Load] = []
    with tempfile.TemporaryDirectory(prefix="klondike-bench-") as folder:
        async with queue(Path(folder), plan.fsync) as server:
            client = await connected(server.url(BARE_ROLE), BARE_ROLE)
            desk = JobDesk(client, INSTANCE, clock.now_ms)
            await desk.open()
            bench = Bench(desk, plan.seed, plan.states)
            for count in plan.counts:
                _tell(f"measuring with {count} worker{'s' if count > 1 else ''} ...")
                async with workers(Path(folder), server.url("solver-worker"), count) as processes:
                    for kind in plan.kinds:
                        await bench.load(kind, processes, WARM_SECONDS, None)
                    alone = alone or await bench.alone(plan.jobs)
                    loads += [await _load(bench, plan, kind, processes, loads) for kind in plan.kinds]
            await client.close()
    assert alone is not None, "there is always a run with one worker"
    return alone, tuple(loads)


async def _load(bench: Bench, plan: Plan, kind: Kind, processes: list[int], before: list[Load]) -> Load:
    one = next((load for load in before if load.kind == kind and load.workers == 1), None)
    return await bench.load(kind, processes, plan.seconds, one)


def _tell(text: str) -> None:
    click.echo(text, err=True)
