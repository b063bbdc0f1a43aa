"""What `klondike history` does: games found in scoring's index, read from the log or the archive, taken from files."""

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click
from redis.exceptions import RedisError

from services.cli.auditing.reach import Where, reached
from services.cli.auditing.reading import Kept, UnreadableError, read_kept
from services.cli.nats_client import clause
from services.gateway.history.files import FILE_BYTES_MAX, GameFile, checked, read_file
from services.gateway.history.replay import UnfitHistoryError, history_of
from services.scoring.queries import Queries
from shared import clock
from shared.game.imported import played_again
from shared.game.view import past_steps
from shared.messages.answers import FindGames, FoundGames, GameSummary, RequestRefused
from shared.messages.base import GameId
from shared.messages.codec import CorruptRecordError, open_record
from shared.messages.dealer import GameVerdict
from shared.messages.events import GameEnded, Record
from shared.messages.history import GameHistory
from shared.messages.imports import Misplayed

HEAD: Final = (
    f"{'ended (UTC)':<19}  {'game':<26}  {'player':<26}  {'kind':<24}  {'result':<8}  {'points':>6}  {'moves':>5}  "
    f"{'time':>8}  help"
)


async def found(where: Where, request: FindGames) -> FoundGames:
    """A page of games that are over.

    Raises:
        UnreadableError: the servers cannot be reached, or statistics are not there.
    """
    async with reached(where) as (_, redis):
        try:
            answer = await Queries(redis, clock.now_ms).find(request)
        except (RedisError, OSError) as error:
            raise UnreadableError(f"Redis cannot be read: {clause(error)}. Try again.") from None
    if isinstance(answer, RequestRefused):
        raise UnreadableError(f"{answer.error.text} {answer.error.fix}")
    assert isinstance(answer, FoundGames)
    return answer


async def told(where: Where, game: GameId) -> GameHistory:
    """A game that is over, from its deal to its end.

    Raises:
        UnreadableError: there is no such game, it runs, or what is stored of it does not hold together.
    """
    async with reached(where) as (client, redis):
        kept = await read_kept(client, redis, game)
    records = _records(game, kept)
    over = records[-1].events[-1] if records and records[-1].events else None
    if not isinstance(over, GameEnded):
        raise UnreadableError(f"game {game} is not over. `klondike audit {game}` shows what there is of it.")
    try:
        return history_of(game, past_steps(records))
    except UnfitHistoryError as error:
        raise UnreadableError(
            f"game {game} does not hold together: {error}. `klondike audit {game}` says why."
        ) from None


def imported(path: Path) -> tuple[GameFile, GameHistory]:
    """A game from a file, played again by the rules; `-` is standard input.

    Raises:
        UnreadableError: there is no such file.
        BadFileError: it is no game as it was played.
    """
    try:
        with click.open_file(str(path), "rb") as stream:
            data = stream.read(FILE_BYTES_MAX + 1)
    except OSError as error:
        raise UnreadableError(f"{path} cannot be read: {error.strerror or error}.") from None
    file = read_file(data)
    return file, checked(file, played_again(file.game))


def judged(file: GameFile) -> GameVerdict:
    """Until when a game from a file, which was played again before, could be won."""
    from shared.solver.solve import Solver
    from shared.solver.verdicts import Patience, ended_import, judge

    again = played_again(file.game)
    assert not isinstance(again, Misplayed), "it was played again before"
    ended = ended_import(file.game, again)
    return judge(ended, Patience(Solver(time.monotonic).solve, ended.variant, time.monotonic))


def line(summary: GameSummary) -> str:
    """A game in one line of a list."""
    end = summary.end
    assert end is not None, "it is over"
    at = datetime.fromtimestamp(end.at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    kind = f"{summary.variant} {summary.scoring} {summary.mode}"
    minutes, seconds = divmod(end.play_ms // 1000, 60)
    sums = f"{end.result:<8}  {end.points:>6}  {end.moves:>5}  {minutes:>5}:{seconds:02}"
    return f"{at}  {summary.game}  {summary.player}  {kind:<24}  {sums}  {'yes' if end.assisted else 'no'}"


def _records(game: GameId, kept: Kept) -> list[Record]:
    records = []
    for version, message in enumerate(kept.records, 1):
        try:
            records.append(open_record(message.data)[0])
        except CorruptRecordError as error:
            place = f"game {game}, version {version}, stream sequence {message.sequence}"
            raise UnreadableError(f"{place}: {error}. `klondike audit {game}` shows all of it.") from None
    return records
