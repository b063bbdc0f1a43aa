"""`klondike bench page`: how long a player waits for the first changed frame, and what the page costs the browser."""

import asyncio
import os
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Final

import click
import msgspec

from services.cli.benching import page_figures
from services.cli.benching.machine import machine, versions
from services.cli.benching.page import Watch, chromium, play
from services.cli.benching.page_figures import PageReport, growth, spread
from services.cli.benching.stack import BenchError, system

WEIGHED: Final = 20


@click.command()
@click.option("--games", type=click.IntRange(1, 100_000), default=500, show_default=True, help="Games, one by one.")
@click.option("--moves", type=click.IntRange(1, 1000), default=40, show_default=True, help="Moves of a game, at most.")
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
def page(*, games: int, moves: int, seed: int, address: str | None, program: Path | None, as_json: bool) -> None:
    """Play games at the page in Chromium, by mouse and keyboard, and watch it.

    Measured are the time from an input to the first frame in which a card has another place, the time between frames
    while cards fly, tasks of more than 50 ms, and what the page weighs after every twentieth part of the games.
    """
    load = os.getloadavg()[0]
    try:
        watch = asyncio.run(_watched(games=games, moves=moves, seed=seed, address=address, program=program))
    except (BenchError, OSError) as error:
        click.echo(f"klondike bench: {error}", err=True)
        sys.exit(1)
    report = PageReport(
        machine=machine(),
        versions={**versions(), "Chromium": watch.browser, "playwright": version("playwright")},
        seed=seed,
        games=games,
        moves=moves,
        inputs=dict(watch.inputs.items()),
        load_before=load,
        first_frame=spread(watch.latencies_ms),
        frame=spread(watch.frames_ms) if watch.frames_ms else None,
        long_tasks=len(watch.long_tasks_ms),
        longest_task_ms=round(max(watch.long_tasks_ms, default=0.0), 1),
        growth=growth(watch.weights, games),
    )
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(report)).decode())
    else:
        for line in page_figures.lines(report):
            click.echo(line)


async def _watched(*, games: int, moves: int, seed: int, address: str | None, program: Path | None) -> Watch:
    async with chromium(program) as browser:
        if address is not None:
            return await play(browser, address, games=games, moves=moves, seed=seed, weighed=WEIGHED)
        with tempfile.TemporaryDirectory(prefix="klondike-bench-") as folder:
            async with system(Path(folder), "fast") as socket:
                served = socket.replace("ws", "http", 1).removesuffix("ws")
                return await play(browser, served, games=games, moves=moves, seed=seed, weighed=WEIGHED)
