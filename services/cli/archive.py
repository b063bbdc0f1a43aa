"""`klondike archive`: one run of the archivist, or what the archive has brought."""

import asyncio
import sys
from pathlib import Path
from typing import Final

import click
import msgspec
import nats.errors
from nats.aio.client import Client
from nats.js.errors import Error as JetStreamError

from services.archivist.archivist import Archivist, OtherArchivistError, Outcome, PurgeRefusedError
from services.cli.addresses import data_option, nats_option
from services.cli.backups.reach import Place, opened
from services.cli.data_directory import RefusedError, default_directory
from services.cli.nats_client import one_line
from shared import clock, subjects
from shared.bus.archive import Archive, Listed
from shared.bus.direct_get import LogUnavailableError
from shared.bus.event_log import LogRefusedError
from shared.messages.archive import DamagedArchiveError

DAY_MS: Final = 24 * 3600 * 1000
EXIT_REFUSED: Final = 2
FAILURES: Final = (
    RefusedError,
    OtherArchivistError,
    PurgeRefusedError,
    DamagedArchiveError,
    LogUnavailableError,
    LogRefusedError,
    JetStreamError,
    nats.errors.Error,
    TimeoutError,
    OSError,
)


class Stats(msgspec.Struct, frozen=True, kw_only=True):
    """What the archive holds, and what that took in the log. A record is a move, or what counts as one."""

    segments: int = 0
    damaged_manifests: int = 0
    games: int = 0
    records: int = 0
    log_bytes: int = 0
    """Of these games in the log, without what the server adds to each message."""
    archive_bytes: int = 0
    """Of all that the archive holds, with what the server adds."""
    log_bytes_per_record: float = 0.0
    archive_bytes_per_record: float = 0.0
    share: float = 0.0
    """The second divided by the first."""
    live_messages: int = 0
    """That the log still holds."""
    live_bytes: int = 0


@click.command()
@click.option("--after-days", type=click.FloatRange(min=0), default=30.0, show_default=True, help="Since a game's end.")
@click.option("--stats", is_flag=True, help="Change nothing; say what the archive holds, and in how many bytes.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@data_option()
@nats_option("This NATS server instead.")
def archive(*, after_days: float, stats: bool, as_json: bool, data: Path | None, nats: str | None) -> None:
    """Move games that ended long ago from the log to the archive, once. The service archivist does so by itself.

    Ctrl-C is safe at any moment; the next run goes on from there. Exit status: 0, or 2 when nothing can be archived.
    The password for --nats is in the URL, or in the variable NATS_PASSWORD_ARCHIVIST.
    """
    place = Place(data=(data or default_directory()).resolve(), nats=nats)
    try:
        found = asyncio.run(_found(place, None if stats else round(after_days * DAY_MS)))
    except FAILURES as error:
        click.echo(f"klondike archive: {one_line(error)}", err=True)
        sys.exit(EXIT_REFUSED)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
    elif isinstance(found, Stats):
        _say(found)
    else:
        for game, reason in found.kept.items():
            click.echo(f"klondike archive: game {game} stays in the log: {reason}. Audit it.", err=True)
        click.echo(f"{found.games} games with {found.records} records left the log, in {found.segments} segments")


def _say(stats: Stats) -> None:
    click.echo(f"archive     {stats.games} games, {stats.records} records, {stats.segments} segments")
    click.echo(f"bytes       {stats.archive_bytes} instead of {stats.log_bytes} in the log")
    click.echo(
        f"per record  {stats.archive_bytes_per_record} instead of {stats.log_bytes_per_record}: {stats.share:.1%}"
    )
    click.echo(f"log         {stats.live_messages} messages, {stats.live_bytes} bytes")
    if stats.damaged_manifests:
        click.echo(f"damaged     {stats.damaged_manifests} manifests")


async def _found(place: Place, after_ms: int | None) -> Stats | Outcome:
    return await _stats(place) if after_ms is None else await _archived(place, after_ms)


async def _archived(place: Place, after_ms: int) -> Outcome:
    async with opened(place, "archivist") as client:
        name = f"archivist-{clock.random_bytes(6).hex()}"
        return await Archivist(client, jitter=clock.jitter, now_ms=clock.now_ms, name=name).run(after_ms=after_ms)


async def _stats(place: Place) -> Stats:
    async with opened(place, "archivist") as client:
        return await stats_of(client)


async def stats_of(client: Client) -> Stats:
    """What the archive holds, and what that took in the log."""
    segments, damaged, games, records, log_bytes = 0, 0, 0, 0, 0
    async for listed in Archive(client).manifests():
        if not isinstance(listed, Listed):
            damaged += 1
            continue
        segments += 1
        games += len(listed.manifest.games)
        records += sum(entry.versions for entry in listed.manifest.games)
        log_bytes += sum(entry.live_bytes for entry in listed.manifest.games)
    js = client.jetstream()
    archive_bytes = (await js.stream_info(subjects.ARCHIVE_STREAM)).state.bytes
    live = (await js.stream_info(subjects.EVENT_STREAM)).state
    return Stats(
        segments=segments,
        damaged_manifests=damaged,
        games=games,
        records=records,
        log_bytes=log_bytes,
        archive_bytes=archive_bytes,
        log_bytes_per_record=round(log_bytes / max(records, 1), 1),
        archive_bytes_per_record=round(archive_bytes / max(records, 1), 1),
        share=round(archive_bytes / max(log_bytes, 1), 3),
        live_messages=live.messages,
        live_bytes=live.bytes,
    )
