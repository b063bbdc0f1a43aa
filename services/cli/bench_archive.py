"""`klondike bench archive`: the bytes of a move in the log and in the archive, and the time of its way there."""

import asyncio
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import click
import msgspec
from nats.aio.client import Client

from services.archivist.archivist import Archivist
from services.cli.archive import Stats, stats_of
from services.cli.backups.reach import Place, opened
from services.cli.benching.figures import Machine
from services.cli.benching.machine import machine
from services.cli.benching.written import messages, played, write
from shared import clock, subjects
from shared.bus.archive import Archive
from shared.bus.event_log import EventLog
from shared.bus.streams import ensure_streams
from shared.embedded import NatsServer, credentials
from shared.messages.base import GameId
from shared.settings import Role

TEMPLATES: Final = 200
READS: Final = 200
START_SECONDS: Final = 10.0
SHARE_MAX: Final = 0.6


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured."""

    machine: Machine
    stats: Stats
    stored_bytes_per_record: float
    """In the log, with what the server adds to each message: what the disk had to hold."""
    stored_share: float
    """Of that, what the archive takes."""
    archiving_micros_per_record: float
    """Processor time of the archivist alone."""
    live_read_micros: float
    """Processor time to read a whole game from the log."""
    archived_read_micros: float


@click.command()
@click.option("--games", type=click.IntRange(min=1), default=1_000, show_default=True)
@click.option("--moves", type=click.IntRange(min=1), default=100, show_default=True, help="Of each game, at most.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def archive(*, games: int, moves: int, as_json: bool) -> None:
    """Write whole games to a nats-server of its own, archive them, and compare. Exit status 1 above 60 %."""
    found = asyncio.run(_measured(games, moves))
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
    else:
        _say(found)
    raise SystemExit(found.stats.share > SHARE_MAX)


def _say(found: Figures) -> None:
    stats = found.stats
    click.echo(f"{found.machine.cpu}, {found.machine.cores} cores")
    click.echo(f"{stats.games} games with {stats.records} records, in {stats.segments} segments")
    click.echo(f"bytes a record in the log      {stats.log_bytes_per_record:8.1f}  the messages alone")
    click.echo(f"                               {found.stored_bytes_per_record:8.1f}  with what the server adds")
    click.echo(
        f"bytes a record in the archive  {stats.archive_bytes_per_record:8.1f}  all of it, places and manifests too"
    )
    click.echo(
        f"share                          {stats.share:8.1%}  of the messages alone, at most {SHARE_MAX:.0%} wanted"
    )
    click.echo(f"                               {found.stored_share:8.1%}  of what the disk had to hold")
    click.echo(f"archiving a record             {found.archiving_micros_per_record:8.1f}  µs of processor time")
    click.echo(f"reading a game from the log    {found.live_read_micros:8.0f}  µs of processor time")
    click.echo(f"reading it from the archive    {found.archived_read_micros:8.0f}  µs of processor time")


async def _measured(games: int, moves: int) -> Figures:
    with tempfile.TemporaryDirectory(prefix="klondike-bench-") as folder:
        server = NatsServer(Path(folder) / "nats", credentials(Path(folder)), "fast", subprocess.DEVNULL)
        async with _running(server), opened(_at(server, "game-state"), "game-state") as owner:
            await ensure_streams(owner.jetstream())
            templates = tuple(played(seed, moves) for seed in range(min(TEMPLATES, games)))
            await write(owner, messages(games, templates))
            stored = (await owner.jetstream().stream_info(subjects.EVENT_STREAM)).state.bytes
            some = [subjects.game_of(subject) for subject, _ in messages(min(READS, games), templates)]
            read = list(dict.fromkeys(some))
            live = await _reading(owner, read)
            async with opened(_at(server, "archivist"), "archivist") as client:
                before = time.process_time()
                name = f"archivist-{clock.random_bytes(6).hex()}"
                archivist = Archivist(client, jitter=clock.jitter, now_ms=clock.now_ms, name=name)
                outcome = await archivist.run(after_ms=0)
                spent = time.process_time() - before
                stats = await stats_of(client)
            archived = await _reading(owner, read)
    assert outcome.games == stats.games == games, "all games are over"
    return Figures(
        machine=machine(),
        stats=stats,
        stored_bytes_per_record=round(stored / stats.records, 1),
        stored_share=round(stats.archive_bytes / stored, 3),
        archiving_micros_per_record=round(spent * 1e6 / stats.records, 1),
        live_read_micros=round(live),
        archived_read_micros=round(archived),
    )


@asynccontextmanager
async def _running(server: NatsServer) -> AsyncIterator[None]:
    server.start()
    try:
        async with asyncio.timeout(START_SECONDS):
            while not server.ready():  # noqa: ASYNC110 - another process is waited for
                await asyncio.sleep(0.01)
        yield
    finally:
        server.kill()


def _at(server: NatsServer, role: Role) -> Place:
    return Place(data=server.directory, nats=server.url(role))


async def _reading(client: Client, games: list[GameId]) -> float:
    """Microseconds of processor time for a whole game."""
    log = EventLog(client, clock.jitter, archive=Archive(client))
    before = time.process_time()
    for game in games:
        assert await log.read_game(game), "it is there"
    return (time.process_time() - before) * 1e6 / len(games)
