"""`klondike bench page`: how long a player waits for the first changed frame, and what the page costs the browser."""

import asyncio
import os
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import click
import msgspec

from services.cli.benching import page_figures
from services.cli.benching.machine import machine, versions
from services.cli.benching.page import Plan, Watch, chromium, play
from services.cli.benching.page_figures import PageReport, growth, spread, tasks
from services.cli.benching.stack import BenchError, system


@click.command()
@click.option("--games", type=click.IntRange(1, 100_000), default=500, show_default=True, help="Games, one by one.")
@click.option(
    "--hasty-moves", type=click.IntRange(1, 1000), default=12, show_default=True, help="Inputs of each of them."
)
@click.option(
    "--inputs", type=click.IntRange(20, 1_000_000), default=600, show_default=True, help="Inputs to measure after that."
)
@click.option("--moves", type=click.IntRange(1, 1000), default=40, show_default=True, help="Of those a game, at most.")
@click.option("--seed", type=click.IntRange(0, 2**31), default=1, show_default=True, help="Decides deals and moves.")
@click.option("--address", default=None, metavar="URL", help="A server that runs already, instead of one of its own.")
@click.option(
    "--chromium",
    "program",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    help="The browser's program, where it is not found by name.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
def page(
    *,
    games: int,
    hasty_moves: int,
    inputs: int,
    moves: int,
    seed: int,
    address: str | None,
    program: Path | None,
    as_json: bool,
) -> None:
    """Play games at the page in Chromium, by mouse and keyboard, and watch it.

    First games as fast as the page takes them, after every twentieth part of which it is weighed. Then inputs one by
    one, each when the one before is confirmed: measured are the time from an input to the first frame in which a card
    has another place, and the time between frames while cards fly. Tasks of more than 50 ms are counted in both.
    """
    load = os.getloadavg()[0]
    plan = Plan(games=games, hasty_moves=hasty_moves, inputs=inputs, moves=moves, seed=seed)
    try:
        watch = asyncio.run(_watched(plan, address=address, program=program))
    except (BenchError, OSError) as error:
        click.echo(f"klondike bench: {error}", err=True)
        sys.exit(1)
    report = PageReport(
        machine=machine(),
        versions={**versions(), "Chromium": watch.browser, "playwright": version("playwright")},
        seed=seed,
        games=games,
        hasty_moves=hasty_moves,
        moves=moves,
        inputs=dict(watch.inputs.items()),
        load_before=load,
        first_frame=spread(watch.latencies_ms),
        frame=spread(watch.frames_ms) if watch.frames_ms else None,
        long_tasks=tasks(watch.long_tasks_ms),
        hasty_long_tasks=tasks(watch.hasty_tasks_ms),
        growth=growth(watch.weights, games),
    )
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(report)).decode())
    else:
        for line in page_figures.lines(report):
            click.echo(line)


async def _watched(plan: Plan, *, address: str | None, program: Path | None) -> Watch:
    async with chromium(program) as browser:
        if address is not None:
            return await play(browser, address, plan, _say)
        with tempfile.TemporaryDirectory(prefix="klondike-bench-") as folder:
            async with system(Path(folder), "fast") as socket:
                served = socket.replace("ws", "http", 1).removesuffix("ws")
                return await play(browser, served, plan, _say)


def _say(text: str) -> None:
    click.echo(text, err=True)
