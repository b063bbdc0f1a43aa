"""`klondike audit`: is the game in the log the one that was played? Of one game, or of all."""

import asyncio
import os
import re
import sys
from pathlib import Path
from typing import Final

import click
import msgspec

from services.cli.addresses import data_option, nats_option, redis_option
from services.cli.auditing import text
from services.cli.auditing.reach import Where, reached
from services.cli.auditing.reading import UnreadableError, read_kept
from services.cli.auditing.report import Report, build
from services.cli.auditing.verdict import with_verdict
from services.cli.auditing.whole import text as whole_text
from services.cli.auditing.whole.checkpoints import read_published
from services.cli.auditing.whole.page import page
from services.cli.auditing.whole.run import Options, audit_all
from services.cli.auditing.whole.summary import Summary
from services.cli.data_directory import RefusedError, default_directory
from shared import clock
from shared.checkpoints import Opened
from shared.messages.base import GameId

EXIT_CLEAN, EXIT_BAD, EXIT_UNREADABLE = 0, 1, 2
GAME_ID: Final = re.compile("[a-z2-7]{26}")


@click.command()
@click.argument("game_id", required=False)
@click.option(
    "--all", "every", is_flag=True, help="Audit every game, statistics and rankings; print a summary and all faults."
)
@click.option("--jobs", type=click.IntRange(1, 256), help="With --all: so many processes.  [default: one a core]")
@click.option(
    "--state",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --all: a file that remembers what is done, so that the audit goes on where it was interrupted.",
)
@click.option(
    "--since",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="CHECKPOINT",
    help="Audit every game, and prove that nothing before this published checkpoint was changed.",
)
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --all: write a page with the summary and every fault too.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
@click.option("--boards", is_flag=True, help="Show the board after each record.")
@click.option("--reveal", is_flag=True, help="Show the secret and the hidden cards of a game that still runs.")
@click.option(
    "--verdict/--no-verdict",
    default=True,
    help="Say until when a game that is over could be won; it may take half a minute.  [default: verdict]",
)
@data_option()
@nats_option()
@redis_option()
def audit(  # noqa: PLR0913 - click passes every option by its name
    *,
    game_id: str | None,
    every: bool,
    jobs: int | None,
    state: Path | None,
    since: Path | None,
    html: Path | None,
    as_json: bool,
    boards: bool,
    reveal: bool,
    verdict: bool,
    data: Path | None,
    nats: str | None,
    redis: str | None,
) -> None:
    """Print a game move by move from its log and check every byte of it; or, with --all, check every game.

    Exit status: 0 clean; 1 something does not fit, and the first bad record is named; 2 the game cannot be read.

    Passwords of servers given by --nats and --redis are in the URL, or in the variables NATS_PASSWORD_AUDITOR and
    REDIS_PASSWORD_AUDITOR.
    """
    where = Where(data=(data or default_directory()).resolve(), nats=nats, redis=redis)
    try:
        if every or since:
            _check_all(game_id, boards=boards, reveal=reveal)
            options = Options(jobs=jobs or os.cpu_count() or 1, state=state, since=_published(since))
            sys.exit(_tell_all(_all(where, options), html, as_json=as_json))
        _check_one(jobs=jobs, state=state, html=html)
        report = asyncio.run(_audited(_game(game_id), where, boards=boards, reveal=reveal, verdict=verdict))
    except (UnreadableError, RefusedError) as error:
        click.echo(f"klondike audit: {error}", err=True)
        sys.exit(EXIT_UNREADABLE)
    _tell(report, as_json=as_json)
    sys.exit(EXIT_CLEAN if report.clean else EXIT_BAD)


def _check_all(game_id: str | None, *, boards: bool, reveal: bool) -> None:
    if game_id is not None or boards or reveal:
        raise UnreadableError("--all takes no GAME_ID, --boards or --reveal: audit one game for its boards.")


def _published(since: Path | None) -> Opened | None:
    if since is None:
        return None
    try:
        return read_published(since.read_bytes(), str(since))
    except OSError as error:
        raise UnreadableError(f"{since} cannot be read: {error.strerror or error}.") from None


def _check_one(*, jobs: int | None, state: Path | None, html: Path | None) -> None:
    if jobs or state or html:
        raise UnreadableError("--jobs, --state and --html go with --all.")


def _tell(report: Report, *, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(report)).decode())
    else:
        for line in text.lines(report):
            click.echo(line)
    if report.first_bad is not None:
        click.echo(f"klondike audit: {text.finding_text(report, report.first_bad)}", err=True)


def _all(where: Where, options: Options) -> Summary:
    try:
        return asyncio.run(audit_all(where, options))
    except KeyboardInterrupt:
        how = f"go on with --state {options.state}" if options.state else "with --state it could be gone on with"
        raise UnreadableError(f"interrupted; {how}.") from None


def _tell_all(summary: Summary, html: Path | None, *, as_json: bool) -> int:
    """Prints what was found; gives the exit status."""
    if html is not None:
        try:
            html.write_text(page(summary, clock.now_ms()), encoding="utf-8")
        except OSError as error:
            raise UnreadableError(f"{html} cannot be written: {error.strerror or error}.") from None
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(summary)).decode())
    else:
        for line in whole_text.lines(summary):
            click.echo(line)
    if summary.faults:
        click.echo(f"klondike audit: {whole_text.fault_text(summary.faults[0])}", err=True)
    return EXIT_CLEAN if summary.clean else EXIT_BAD


def _game(game_id: str | None) -> GameId:
    if game_id is None:
        raise UnreadableError("give the id of a game, or --all.")
    if not GAME_ID.fullmatch(game_id):
        raise UnreadableError(f"{game_id!r} is no game id: 26 of the letters a to z and digits 2 to 7 are needed.")
    return GameId(game_id)


async def _audited(game: GameId, where: Where, *, boards: bool, reveal: bool, verdict: bool) -> Report:
    async with reached(where) as (client, redis):
        kept = await read_kept(client, redis, game)
    report = build(game, kept, boards=boards, reveal=reveal)
    return with_verdict(report, kept) if verdict else report
