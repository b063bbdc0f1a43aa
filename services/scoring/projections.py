"""The folds: a game's row, its player's row and a record give the rows after it. Pure, and the same for live and
rebuilt projections.

A game counts from its first move, as unassisted until it is assisted; then it changes over. Its end closes it, and its
row goes. A game that ends without a move leaves no trace.
"""

from collections.abc import Callable
from typing import assert_never

from msgspec.structs import replace

from services.scoring.rows import GameRow, PlayerRow, Standing
from shared.messages.answers import GameEnd, GameSummary, Statistics
from shared.messages.base import GameId
from shared.messages.commands import SecretDeal
from shared.messages.events import (
    AnyEvent,
    CardsDrawn,
    CardsMoved,
    ChancesGiven,
    GameEnded,
    GameStarted,
    HintGiven,
    MoveRedone,
    MoveUndone,
    Record,
    StockRecycled,
)

Made = CardsMoved | CardsDrawn | StockRecycled
"""Events of moves that count."""
Rows = tuple[GameRow | None, PlayerRow]
"""The row of a game, none when it is over, and the row of its player."""


class UnfitRecordError(Exception):
    """A record that does not follow from those before it. The message says why."""


def start(record: Record, digest: bytes) -> GameRow:
    """The row of a game before the events that follow its start.

    Raises:
        UnfitRecordError: it is not a game's first record.
    """
    started = record.events[0] if record.events else None
    if record.version != 1 or not isinstance(started, GameStarted):
        raise UnfitRecordError(f"version {record.version} without the records before it")
    return GameRow(
        player=started.player,
        variant=started.variant,
        scoring=started.scoring,
        mode=started.mode,
        secret_deal=isinstance(started.deal, SecretDeal),
        started_at=record.at,
        version=1,
        hash=digest,
    )


def fold(game: GameRow | None, player: PlayerRow, record: Record, digest: bytes) -> Rows:
    """The rows after a record. `player` is the row of the game's player; `digest` is the record's hash.

    Raises:
        UnfitRecordError: the record does not follow from the game's row.
    """
    if game is None:
        row, events = start(record, digest), record.events[1:]
    else:
        row, events = _follow(game, record, digest), record.events
    rows: Rows = row, player
    for event in events:
        rows = _advance(rows, event)
    return rows


def summary(game: GameId, row: GameRow) -> GameSummary:
    """A game's row as lists show it."""
    return GameSummary(
        game=game,
        variant=row.variant,
        scoring=row.scoring,
        mode=row.mode,
        player=row.player,
        started_at=row.started_at,
        version=row.version,
    )


def summary_of_end(before: GameRow, record: Record) -> GameSummary | None:
    """What lists show of a game since the record that ended it; none when it ended without a move."""
    ended = record.events[-1]
    counted = before.counted or any(isinstance(event, Made) for event in record.events)
    if not counted or not isinstance(ended, GameEnded):
        return None
    end = GameEnd(
        at=record.at,
        result=ended.result,
        points=ended.points,
        moves=ended.moves,
        play_ms=ended.play_ms,
        assisted=ended.assisted,
    )
    return replace(summary(record.game, before), version=record.version, end=end)


def leave_out(game: GameRow | None, player: PlayerRow) -> PlayerRow:
    """The player's row without a running game that turned out faulty."""
    if game is None or not game.counted:
        return player
    return _with_bucket(player, game, lambda bucket: replace(bucket, games=bucket.games - 1))


def _follow(game: GameRow, record: Record, digest: bytes) -> GameRow:
    if record.version != game.version + 1:
        raise UnfitRecordError(f"version {record.version} after version {game.version}")
    if record.previous != game.hash:
        raise UnfitRecordError("the hash of the record before it is another")
    return replace(game, version=record.version, hash=digest)


def _advance(rows: Rows, event: AnyEvent) -> Rows:
    game, player = rows
    if game is None:
        raise UnfitRecordError("an event after the game's end")
    match event:
        case CardsMoved() | CardsDrawn() | StockRecycled():
            return _count(game, player)
        case MoveUndone() | HintGiven() | ChancesGiven():
            return _assist(game, player)
        case MoveRedone():  # an undo came before it
            return game, player
        case GameEnded():
            return None, _end(game, player, event)
        case GameStarted():
            raise UnfitRecordError("the game is started a second time")
        case _:
            assert_never(event)


def _count(game: GameRow, player: PlayerRow) -> Rows:
    if game.counted:
        return game, player
    counted = replace(game, counted=True)
    return counted, _with_bucket(player, counted, lambda bucket: replace(bucket, games=bucket.games + 1))


def _assist(game: GameRow, player: PlayerRow) -> Rows:
    if game.assisted:
        return game, player
    assisted = replace(game, assisted=True)
    if not game.counted:
        return assisted, player
    without = leave_out(game, player)
    return assisted, _with_bucket(without, assisted, lambda bucket: replace(bucket, games=bucket.games + 1))


def _end(game: GameRow, player: PlayerRow, ended: GameEnded) -> PlayerRow:
    if not game.counted:
        return player
    if ended.assisted and not game.assisted:
        game, player = replace(game, assisted=True), _assist(game, player)[1]
    player = _with_bucket(player, game, lambda bucket: _close(bucket, ended))
    if ended.result == "won" and game.secret_deal and not game.assisted:
        player = _with_win(player, game, ended)
    return player


def _close(bucket: Statistics, ended: GameEnded) -> Statistics:
    bucket = replace(bucket, points=bucket.points + ended.points)
    if ended.result != "won":
        return replace(bucket, losses=bucket.losses + 1, streak=min(bucket.streak, 0) - 1)
    streak = max(bucket.streak, 0) + 1
    return replace(
        bucket,
        wins=bucket.wins + 1,
        best_points=_best(max, bucket.best_points, ended.points),
        best_play_ms=_best(min, bucket.best_play_ms, ended.play_ms),
        fewest_moves=_best(min, bucket.fewest_moves, ended.moves),
        play_ms=bucket.play_ms + ended.play_ms,
        streak=streak,
        longest_streak=max(bucket.longest_streak, streak),
    )


def _best(better: Callable[[int, int], int], old: int | None, new: int) -> int:
    return new if old is None else better(old, new)


def _with_bucket(player: PlayerRow, game: GameRow, change: Callable[[Statistics], Statistics]) -> PlayerRow:
    """The row with a change of the statistics that the game belongs to. Statistics of no game are left out."""
    buckets = {_bucket_key(bucket): bucket for bucket in player.statistics}
    key = (game.variant, game.scoring, game.assisted)
    empty = Statistics(variant=game.variant, scoring=game.scoring, assisted=game.assisted)
    buckets[key] = change(buckets.get(key, empty))
    return replace(player, statistics=tuple(buckets[key] for key in sorted(buckets) if buckets[key].games))


def _bucket_key(bucket: Statistics) -> tuple[str, str, bool]:
    return bucket.variant, bucket.scoring, bucket.assisted


def _with_win(player: PlayerRow, game: GameRow, ended: GameEnded) -> PlayerRow:
    standings = {(standing.variant, standing.scoring): standing for standing in player.standings}
    key = (game.variant, game.scoring)
    old = standings.get(key)
    best = (-ended.points, ended.play_ms)
    if old:
        best = min(best, (-old.points, old.play_ms))
    standings[key] = Standing(
        variant=game.variant,
        scoring=game.scoring,
        wins=old.wins + 1 if old else 1,
        points=-best[0],
        play_ms=best[1],
    )
    return replace(player, standings=tuple(standings[key] for key in sorted(standings)))
