"""`klondike history`: games that are over, found, shown, saved, and taken from files."""

import asyncio
import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeVar, get_args

import click
import msgspec

from services.cli import histories
from services.cli.addresses import data_option, nats_option, redis_option
from services.cli.auditing.reach import Where
from services.cli.auditing.reading import UnreadableError
from services.cli.auditing.verdict import verdict_text
from services.cli.data_directory import RefusedError, default_directory
from services.gateway.history.exports import Form, written
from services.gateway.history.faults import BadFileError
from shared.messages.answers import CURSOR, FindGames
from shared.messages.base import PLAYER_ID, GameId
from shared.messages.events import Result
from shared.rules.scoring import SCORINGS
from shared.rules.variants import VARIANTS

EXIT_BAD, EXIT_UNREADABLE = 1, 2
GAME_ID: Final = re.compile("[a-z2-7]{26}")
Command = TypeVar("Command", bound=Callable[..., None])


class Instant(click.ParamType[int]):
    """A day or a time, UTC unless it says otherwise, as milliseconds since 1970."""

    name = "TIME"

    def convert(self, value: str | int, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        try:
            at = datetime.fromisoformat(value)
            return max(0, round((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1000))
        except (ValueError, OverflowError):
            self.fail(f"{value!r} is no time such as 2026-01-31 or 2026-01-31T12:00:00", param, ctx)


class Checked(click.ParamType[str]):
    """Text that a schema allows."""

    name = "TEXT"

    def __init__(self, schema: Any, what: str) -> None:  # noqa: ANN401 - an annotated type is no type of its own
        self._schema = schema
        self._what = what

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return str(msgspec.convert(value, self._schema))
        except msgspec.ValidationError:
            self.fail(f"{value!r} is no {self._what}", param, ctx)


def on_servers(command: Command) -> Command:
    """The options that say which servers are read."""
    for option in (
        redis_option("Read this Redis."),
        nats_option("Read this NATS server."),
        data_option(),
    ):
        command = option(command)
    return command


@click.group()
def history() -> None:
    """Find, show and save games that are over, and take games from files.

    Exit status: 0 done; 1 a file is no game as it was played; 2 nothing could be read. Passwords of servers given by
    --nats and --redis are in the URL, or in the variables NATS_PASSWORD_AUDITOR and REDIS_PASSWORD_AUDITOR.
    """


@history.command("list")
@click.option("--player", type=Checked(PLAYER_ID, "player id"), help="Of this player.")
@click.option("--variant", type=click.Choice(list(VARIANTS)))
@click.option("--scoring", type=click.Choice(list(SCORINGS)))
@click.option("--result", type=click.Choice(get_args(Result)))
@click.option("--assisted/--unassisted", default=None, help="With help, or without.  [default: both]")
@click.option("--from", "ended_from", type=Instant(), help="Ended at this time or later.")
@click.option("--before", "ended_before", type=Instant(), help="Ended before this time.")
@click.option("--min-moves", "moves_min", type=click.IntRange(0, 1_000_000), help="So many moves, or more.")
@click.option("--max-moves", "moves_max", type=click.IntRange(0, 1_000_000), help="So many moves, or fewer.")
@click.option("--after", type=Checked(CURSOR, "place that a page ended with"), help="Go on behind an earlier page.")
@click.option("--limit", type=click.IntRange(1, 100), default=20, show_default=True, help="Games of a page.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
@on_servers
def list_games(*, as_json: bool, data: Path | None, nats: str | None, redis: str | None, **asked: object) -> None:
    """List games that are over, the last to end first. All that is asked for must fit.

    The index is scoring's, made from the log. A page may be short and still have a next one, which is named.
    """
    request = msgspec.convert({"type": "find-games", **asked}, FindGames)
    page = _done(lambda: asyncio.run(histories.found(_where(data, nats, redis), request)))
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(page)).decode())
        return
    click.echo(histories.HEAD)
    for summary in page.games:
        click.echo(histories.line(summary))
    if page.next:
        click.echo(f"there may be more: --after {page.next}")


@history.command()
@click.argument("game_id")
@on_servers
def show(*, game_id: str, data: Path | None, nats: str | None, redis: str | None) -> None:
    """Print a game that is over as a list of moves."""
    game = _done(lambda: _game(game_id))
    told = _done(lambda: asyncio.run(histories.told(_where(data, nats, redis), game)))
    click.echo(written(told, "text").decode(), nl=False)


@history.command()
@click.argument("game_id")
@click.option("--format", "form", type=click.Choice(get_args(Form)), default="json", show_default=True)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write this file, which must not be there yet.  [default: standard output]",
)
@on_servers
def export(
    *, game_id: str, form: Form, output: Path | None, data: Path | None, nats: str | None, redis: str | None
) -> None:
    """Save a game that is over: JSON (docs/schema/histories.json), CSV with a row a version, or a list of moves."""
    game = _done(lambda: _game(game_id))
    told = _done(lambda: asyncio.run(histories.told(_where(data, nats, redis), game)))
    if output is None:
        sys.stdout.buffer.write(written(told, form))
        return
    try:
        with output.open("xb") as file:
            file.write(written(told, form))
    except OSError as error:
        _end(f"{output} cannot be written: {error.strerror or error}.", EXIT_UNREADABLE)


@history.command("import")
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the history as JSON instead of a list of moves.")
@click.option(
    "--verdict/--no-verdict",
    default=True,
    help="Say until when the game could be won; it may take half a minute.  [default: verdict]",
)
def import_file(*, file: Path, as_json: bool, verdict: bool) -> None:
    """Play a game from FILE again, move by move, by the rules: a list of moves or JSON (`-`: standard input).

    Whatever the file says that came of the moves must be what the rules make of them; the first line that is otherwise
    is named. Then the game is printed, and what the solver says of it.
    """
    read, told = _done(lambda: histories.imported(file))
    found = histories.judged(read) if verdict else None
    if as_json:
        whole = {"history": told, "verdict": found}
        click.echo(msgspec.json.format(msgspec.json.encode(whole)).decode())
        return
    click.echo(written(told, "text").decode(), nl=False)
    if found is not None:
        click.echo(f"\nVerdict  {verdict_text(found)}")


Done = TypeVar("Done")


def _done(work: Callable[[], Done]) -> Done:
    """What some work gives; what it cannot do ends the command with one line."""
    try:
        return work()
    except BadFileError as error:
        _end(str(error), EXIT_BAD)
    except (UnreadableError, RefusedError) as error:
        _end(str(error), EXIT_UNREADABLE)
    raise AssertionError("the command has ended")


def _end(why: str, status: int) -> None:
    click.echo(f"klondike history: {why}", err=True)
    sys.exit(status)


def _where(data: Path | None, nats: str | None, redis: str | None) -> Where:
    return Where(data=(data or default_directory()).resolve(), nats=nats, redis=redis)


def _game(game_id: str) -> GameId:
    if not GAME_ID.fullmatch(game_id):
        raise UnreadableError(f"{game_id!r} is no game id: 26 of the letters a to z and digits 2 to 7 are needed.")
    return GameId(game_id)
