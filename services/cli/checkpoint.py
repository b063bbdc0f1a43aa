"""`klondike checkpoint`: the newest signed checkpoint over all games, to be kept elsewhere."""

import asyncio
import sys
from pathlib import Path

import click
import msgspec

from services.cli.addresses import data_option, nats_option, redis_option
from services.cli.auditing.reach import Where, reached
from services.cli.auditing.reading import UnreadableError
from services.cli.data_directory import RefusedError, default_directory
from services.cli.nats_client import clause
from shared import subjects
from shared.bus.direct_get import LogUnavailableError, batches
from shared.checkpoints import BadCheckpointError, published
from shared.messages.checkpoint import PublishedCheckpoint

EXIT_UNREADABLE = 2


@click.command()
@click.option("--number", type=click.IntRange(min=1), help="Of an older one.  [default: the newest]")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Write it to a file.  [default: standard output]"
)
@data_option()
@nats_option()
@redis_option()
def checkpoint(*, number: int | None, out: Path | None, data: Path | None, nats: str | None, redis: str | None) -> None:
    """Print the newest checkpoint as JSON. Keep it where nobody who may write the games can change it.

    `klondike audit --since FILE` proves later that nothing before it was changed, replaced, added or removed.
    """
    where = Where(data=(data or default_directory()).resolve(), nats=nats, redis=redis)
    try:
        found = asyncio.run(_found(where, number))
        _write(msgspec.json.format(msgspec.json.encode(found)).decode() + "\n", out)
    except (UnreadableError, RefusedError) as error:
        click.echo(f"klondike checkpoint: {error}", err=True)
        sys.exit(EXIT_UNREADABLE)


def _write(text: str, out: Path | None) -> None:
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        out.write_text(text)
    except OSError as error:
        raise UnreadableError(f"{out} cannot be written: {error.strerror or error}.") from None


async def _found(where: Where, number: int | None) -> PublishedCheckpoint:
    newest: PublishedCheckpoint | None = None
    async with reached(where) as (nc, _):
        try:
            async for batch in batches(nc, subjects.CHECKPOINT_STREAM, subjects.CHECKPOINTS):
                for stored in batch:
                    newest = published(stored.data)
                    if newest.number == number:
                        return newest
        except LogUnavailableError as error:
            raise UnreadableError(f"the checkpoints cannot be read: {clause(error)}. Is there a notary?") from None
        except BadCheckpointError as error:
            raise UnreadableError(f"the checkpoint is damaged: {error}. Audit the log.") from None
    if newest is None:
        raise UnreadableError("there is no checkpoint yet: the notary makes one some minutes after the first move.")
    if number is not None:
        raise UnreadableError(f"there is no checkpoint {number}: the newest is number {newest.number}.")
    return newest
