"""`klondike backup DIR` and `klondike restore DIR`."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar

import click
import nats.errors
from nats.aio.client import Client

from services.cli import addresses
from services.cli.addresses import data_option, nats_option
from services.cli.auditing.reach import Where, nats_as_auditor, reached
from services.cli.auditing.reading import UnreadableError
from services.cli.backups import checking, copying
from services.cli.backups.folder import Backup, StreamFile, Unfinished, verified
from services.cli.backups.reach import Place, opened
from services.cli.data_directory import RefusedError, default_directory
from services.cli.data_secrets import secrets_in
from services.cli.nats_client import one_line
from services.cli.progress import progress
from shared import clock, subjects
from shared.bus.direct_get import LogUnavailableError
from shared.embedded import CREDENTIALS_FILE, keep_token_secret
from shared.settings import NotarySettings

EXIT_BAD, EXIT_REFUSED = 1, 2
CHECKPOINT_KEY: Final = NotarySettings().checkpoint_key
MAY_BE_THERE: Final = frozenset({CHECKPOINT_KEY, "lock"})
"""In a data directory that nothing else is in yet."""
FAILURES: Final = (RefusedError, UnreadableError, LogUnavailableError, nats.errors.Error, TimeoutError, OSError)
Done = TypeVar("Done")

FOLDER: Final = click.argument("directory", metavar="DIR", type=addresses.FOLDER)
DATA: Final = data_option("Directory of `klondike up`.")
NATS: Final = nats_option("This server instead.")


@click.command()
@FOLDER
@DATA
@NATS
def backup(*, directory: Path, data: Path | None, nats: str | None) -> None:
    """Write everything that cannot be made again into DIR: log, archive, links, and the key of the players' tokens.

    Games may be played meanwhile. DIR must be empty or not exist; it is there only once it is whole and verified. Keep
    it as private as the data directory: it holds the cards of running games.

    Exit status: 0 done, 2 not. The password for --nats is in the URL, or in the variable NATS_PASSWORD_AUDITOR.
    """
    place = Place(data=(data or default_directory()).resolve(), nats=nats)
    made = _run("backup", lambda: _backup(directory.resolve(), place))
    for one in made.streams:
        click.echo(f"{one.stream}: {one.messages} messages, {one.bytes} bytes")
    click.echo(f"backup of {len(made.streams)} streams in {directory}, verified")


@click.command()
@FOLDER
@DATA
@NATS
def restore(*, directory: Path, data: Path | None, nats: str | None) -> None:
    """Restore the backup in DIR into an empty data directory or an empty server, and audit all of it.

    Nothing is changed when the backup is damaged, or when there are games already. No service may run meanwhile. Where
    Redis held something of another log, empty it first: it is a cache.

    Exit status: 0 restored and clean; 1 restored, and the audit found something; 2 not restored. The password for
    --nats is in the URL, or in the variable NATS_PASSWORD_GAME_STATE.
    """
    place = Place(data=(data or default_directory()).resolve(), nats=nats)
    found = _run("restore", lambda: _restore(directory.resolve(), place))
    for fault in found.faults[: checking.FAULTS_SHOWN_MAX]:
        click.echo(f"klondike restore: {fault}", err=True)
    click.echo(f"restored {found.games} games ({found.archived} of them archived) with {found.records} records")
    if nats is None and not (place.data / CHECKPOINT_KEY).exists():
        click.echo(f"copy your {CHECKPOINT_KEY} into {place.data} before the services start: no backup holds it")
    click.echo("audited: clean" if not found.faults else f"audited: {len(found.faults)} faults")
    sys.exit(EXIT_BAD if found.faults else 0)


def _run(command: str, work: Callable[[], Coroutine[None, None, Done]]) -> Done:
    try:
        return asyncio.run(work())
    except FAILURES as error:
        click.echo(f"klondike {command}: {one_line(error)}", err=True)
        sys.exit(EXIT_REFUSED)


async def _backup(directory: Path, place: Place) -> Backup:
    unfinished = Unfinished(directory)
    try:
        if place.nats is not None:
            async with nats_as_auditor(place.nats) as client:
                streams = [await copying.save(client, stream, unfinished) for stream in subjects.KEPT_STREAMS]
        else:
            async with reached(Where(data=place.data)) as (client, _):
                streams = [await copying.save(client, stream, unfinished) for stream in subjects.KEPT_STREAMS]
        made = Backup(
            made_at=datetime.fromtimestamp(clock.now_ms() / 1000, UTC).isoformat(timespec="seconds"),
            streams=tuple(stream for stream in streams if stream is not None),
            token_secret=None if place.nats else secrets_in(place.data).token_secret,
        )
        if not made.streams:
            raise RefusedError("this NATS server holds no games. Check --data or --nats.")
        unfinished.finish(made)
        return made
    finally:
        unfinished.drop()


def _check_own(data: Path) -> None:
    """Nothing is put among the files of somebody else.

    Raises:
        RefusedError: there are such.
    """
    names = {entry.name for entry in data.iterdir()} if data.is_dir() else set()
    if CREDENTIALS_FILE not in names and names - MAY_BE_THERE:
        raise RefusedError(f"{data} holds other files. Give a --data directory that is empty or does not exist yet.")


async def _restore(directory: Path, place: Place) -> checking.Checked:
    kept = verified(directory)
    if place.nats is None:
        _check_own(place.data)
    if place.nats is None and kept.token_secret is not None and not (place.data / CREDENTIALS_FILE).exists():
        keep_token_secret(place.data, kept.token_secret)
    async with opened(place, "game-state", new=True) as client:
        await copying.check_empty(client, list(subjects.KEPT_STREAMS))
        await _load(client, kept.streams, directory)
        with progress("auditing", None) as shown:
            return await checking.checked(client, shown.advance)


async def _load(client: Client, streams: tuple[StreamFile, ...], directory: Path) -> None:
    """All streams or none."""
    begun: list[str] = []
    try:
        for one in streams:
            begun.append(one.stream)
            await copying.load(client, one, directory)
    except FAILURES:
        for stream in begun:
            await copying.remove(client, stream)
        raise
