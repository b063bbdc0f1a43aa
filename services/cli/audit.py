"""`klondike audit GAME_ID`: is the game in the log the one that was played?"""

import asyncio
import re
import sys
from pathlib import Path
from typing import Final

import click
import msgspec

from services.cli.addresses import NATS_ADDRESS, REDIS_ADDRESS
from services.cli.auditing import text
from services.cli.auditing.reach import Where, reached
from services.cli.auditing.reading import UnreadableError, read_kept
from services.cli.auditing.report import Report, build
from services.cli.auditing.verdict import with_verdict
from services.cli.data_directory import RefusedError, default_directory
from shared.messages.base import GameId

EXIT_CLEAN, EXIT_BAD, EXIT_UNREADABLE = 0, 1, 2
GAME_ID: Final = re.compile("[a-z2-7]{26}")


@click.command()
@click.argument("game_id")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
@click.option("--boards", is_flag=True, help="Show the board after each record.")
@click.option("--reveal", is_flag=True, help="Show the secret and the hidden cards of a game that still runs.")
@click.option(
    "--verdict/--no-verdict",
    default=True,
    help="Say until when a game that is over could be won; it may take half a minute.  [default: verdict]",
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    envvar="KLONDIKE_DATA",
    help="Directory of `klondike up`, running or not.  [default: klondike in the user's data directory]",
)
@click.option("--nats", type=NATS_ADDRESS, metavar="URL", envvar="KLONDIKE_NATS", help="Read this NATS server instead.")
@click.option(
    "--redis", type=REDIS_ADDRESS, metavar="URL", envvar="KLONDIKE_REDIS", help="Read this Redis server instead."
)
def audit(
    *,
    game_id: str,
    as_json: bool,
    boards: bool,
    reveal: bool,
    verdict: bool,
    data: Path | None,
    nats: str | None,
    redis: str | None,
) -> None:
    """Print a game move by move from its log and check every byte of it.

    Exit status: 0 clean; 1 something does not fit, and the first bad record is named; 2 the game cannot be read.

    Passwords of servers given by --nats and --redis are in the URL, or in the variables NATS_PASSWORD_AUDITOR and
    REDIS_PASSWORD_AUDITOR.
    """
    where = Where(data=(data or default_directory()).resolve(), nats=nats, redis=redis)
    try:
        report = asyncio.run(_audited(_game(game_id), where, boards=boards, reveal=reveal, verdict=verdict))
    except (UnreadableError, RefusedError) as error:
        click.echo(f"klondike audit: {error}", err=True)
        sys.exit(EXIT_UNREADABLE)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(report)).decode())
    else:
        for line in text.lines(report):
            click.echo(line)
    if report.first_bad is not None:
        click.echo(f"klondike audit: {text.finding_text(report, report.first_bad)}", err=True)
    sys.exit(EXIT_CLEAN if report.clean else EXIT_BAD)


def _game(game_id: str) -> GameId:
    if not GAME_ID.fullmatch(game_id):
        raise UnreadableError(f"{game_id!r} is no game id: 26 of the letters a to z and digits 2 to 7 are needed.")
    return GameId(game_id)


async def _audited(game: GameId, where: Where, *, boards: bool, reveal: bool, verdict: bool) -> Report:
    async with reached(where) as (client, redis):
        kept = await read_kept(client, redis, game)
    report = build(game, kept, boards=boards, reveal=reveal)
    return with_verdict(report, kept) if verdict else report
