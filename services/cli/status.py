"""`klondike status`: what waits, who works, what was buried."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Final

import click
import msgspec
from nats import errors as nats_errors
from nats.js.errors import Error as JetStreamError

from services.cli.addresses import data_option, nats_option
from services.cli.auditing.reach import nats_as_auditor
from services.cli.auditing.reading import UnreadableError
from services.cli.data_directory import RefusedError, default_directory
from services.cli.data_secrets import secrets_in
from services.cli.reporting import text
from services.cli.reporting.gather import gathered
from services.cli.reporting.overview import Overview
from shared.embedded import CREDENTIALS_FILE, NatsServer

EXIT_UNREACHABLE: Final = 2
TIMEOUT_SECONDS: Final = 15.0


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
@click.option(
    "--letters", type=click.IntRange(0, 1000), default=5, show_default=True, help="Newest dead letters to show."
)
@data_option("Directory of a running `klondike up`.")
@nats_option("Ask this NATS server instead.")
def status(*, as_json: bool, letters: int, data: Path | None, nats: str | None) -> None:
    """Show the services, the jobs that wait and are in progress, the workers with their speed, and dead letters.

    Exit status: 0, or 2 when the server cannot be asked. The password of a server given by --nats is in the URL, or
    in the variable NATS_PASSWORD_AUDITOR.
    """
    try:
        seen = asyncio.run(_seen(nats or _address((data or default_directory()).resolve()), letters))
    except (UnreadableError, RefusedError) as error:
        click.echo(f"klondike status: {error}", err=True)
        sys.exit(EXIT_UNREACHABLE)
    except (nats_errors.Error, JetStreamError, TimeoutError) as error:
        click.echo(f"klondike status: NATS does not answer: {str(error) or type(error).__name__}", err=True)
        sys.exit(EXIT_UNREACHABLE)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(seen)).decode())
    else:
        for line in text.lines(seen):
            click.echo(line)


async def _seen(url: str, letters: int) -> Overview:
    async with nats_as_auditor(url) as client:
        return await gathered(client, letters_max=letters, timeout_seconds=TIMEOUT_SECONDS)


def _address(data: Path) -> str:
    """Of the server that `klondike up` runs on a data directory.

    Raises:
        UnreadableError: none runs there.
    """
    fix = "Start `klondike up`, or give its --data directory, or --nats."
    if not (data / CREDENTIALS_FILE).exists():
        raise UnreadableError(f"nothing has run in {data}. {fix}")
    server = NatsServer(data / "nats", secrets_in(data), "fast", subprocess.DEVNULL)
    if not server.ready():
        raise UnreadableError(f"nothing runs in {data}. {fix}")
    return server.url("auditor")
