"""A player's statistics and list of games as files: JSON as the answers have them, or CSV with a row each."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final, Literal, assert_never

import msgspec

from shared.messages.answers import GameSummary, PlayerStatistics, Statistics
from shared.messages.base import MILLISECONDS, PLAYER_ID, PlayerId

Form = Literal["json", "csv"]
MEDIA_TYPES: Final[dict[Form, str]] = {"json": "application/json", "csv": "text/csv; charset=utf-8"}

STATISTICS_COLUMNS: Final = (
    "variant", "scoring", "assisted", "games", "running", "wins", "losses", "draws", "win_rate", "streak",
    "longest_streak", "longest_losses", "points", "best_points", "best_play_ms", "mean_play_ms", "fewest_moves",
)  # fmt: skip
GAMES_COLUMNS: Final = (
    "game", "variant", "scoring", "mode", "started_at", "ended_at", "result", "points", "moves", "play_ms", "assisted",
    "formula",
)  # fmt: skip
RATE_DIGITS: Final = 4

Cell = str | int | float | None


class ExportedStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """All sums of a player."""

    player: PLAYER_ID
    exported_at: MILLISECONDS
    rows: tuple[Statistics, ...]
    bankroll: int | None


class ExportedGames(msgspec.Struct, frozen=True, kw_only=True):
    """All games of a player: those that run and have begun, newest first, then those that are over."""

    player: PLAYER_ID
    exported_at: MILLISECONDS
    games: tuple[GameSummary, ...]
    complete: bool
    """False: there are more than an export holds, and the oldest are not in it."""


def statistics_file(statistics: PlayerStatistics, form: Form, *, at: int) -> bytes:
    """The sums, as a file."""
    match form:
        case "json":
            return msgspec.json.encode(
                ExportedStatistics(
                    player=statistics.player, exported_at=at, rows=statistics.rows, bankroll=statistics.bankroll
                )
            )
        case "csv":
            return _csv(STATISTICS_COLUMNS, map(_statistics_row, statistics.rows))
    assert_never(form)


def games_file(player: PlayerId, games: Sequence[GameSummary], form: Form, *, at: int, complete: bool) -> bytes:
    """The games, as a file."""
    match form:
        case "json":
            return msgspec.json.encode(
                ExportedGames(player=player, exported_at=at, games=tuple(games), complete=complete)
            )
        case "csv":
            return _csv(GAMES_COLUMNS, map(_game_row, games))
    assert_never(form)


def _statistics_row(row: Statistics) -> tuple[Cell, ...]:
    ended = row.wins + row.losses + row.draws
    return (
        row.variant,
        row.scoring,
        _flag(row.assisted),
        row.games,
        row.games - ended,
        row.wins,
        row.losses,
        row.draws,
        round(row.wins / ended, RATE_DIGITS) if ended else None,
        row.streak,
        row.longest_streak,
        row.longest_losses,
        row.points,
        row.best_points,
        row.best_play_ms,
        round(row.play_ms / row.wins) if row.wins else None,
        row.fewest_moves,
    )


def _game_row(game: GameSummary) -> tuple[Cell, ...]:
    kind = (game.game, game.variant, game.scoring, game.mode, _time(game.started_at))
    end = game.end
    if end is None:
        return (*kind, None, "running", None, None, None, None, None)
    sums = (end.points, end.moves, end.play_ms, _flag(end.assisted), end.formula)
    return (*kind, _time(end.at), end.result, *sums)


def _csv(columns: Sequence[str], rows: Iterable[tuple[Cell, ...]]) -> bytes:
    """What is not there is an empty field. Lines end in CR LF, as RFC 4180 has it."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(columns)
    writer.writerows(rows)
    return file.getvalue().encode()


def _flag(value: bool) -> str:
    return "yes" if value else "no"


def _time(at: int) -> str:
    """UTC to the millisecond, as ISO 8601 has it."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
