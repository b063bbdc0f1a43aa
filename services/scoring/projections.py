"""The folds: a game's row, its player's row and a record give the rows after it. Pure, and the same for live and
rebuilt projections.

A game counts from its first move, as unassisted until it is assisted; then it changes over. Until it ends it is neither
won nor lost, however long that takes: no crash and no lost connection ends a streak. Its end closes it, and its row
goes. A game that ends without a move leaves no trace.
"""

from collections.abc import Callable
from typing import assert_never

import msgspec
from msgspec.structs import replace

from services.scoring.days import valid_day
from services.scoring.formulas import formula_at, formula_of
from services.scoring.rows import GameRow, PlayerRow
from shared.messages.answers import Statistics
from shared.messages.commands import Deal, NumberedDeal, SecretDeal
from shared.messages.events import (
    AnyEvent,
    CardsDrawn,
    CardsMoved,
    ChancesGiven,
    GameContinued,
    GameEnded,
    GamePaused,
    GameStarted,
    HintGiven,
    MoveRedone,
    MoveUndone,
    PlayerJoined,
    PlayerLeft,
    PlayerResigned,
    PlayerReturned,
    Record,
    StockRecycled,
)
from shared.rules.variants import VARIANTS


class Folded(msgspec.Struct, frozen=True):
    """The rows after a record."""

    game: GameRow
    """As it was last known, when the game is over."""
    player: PlayerRow
    ended: GameEnded | None = None


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
        rankable=isinstance(started.deal, SecretDeal) and played_alone(started.variant),
        day=_day(started.deal),
        formula=formula_at(record.at).version,
        started_at=record.at,
        version=1,
        hash=digest,
    )


def fold(game: GameRow | None, player: PlayerRow, record: Record, digest: bytes, *, seat: int = 0) -> Folded:
    """The rows after a record. `player` is the row of the seat's player; `digest` is the record's hash.

    Raises:
        UnfitRecordError: the record does not follow from the game's row.
    """
    if game is None:
        row, events = start(record, digest), record.events[1:]
    else:
        row, events = _follow(game, record, digest), record.events
    folded = Folded(row, player)
    for event in events:
        folded = _advance(folded, for_seat(event, seat) if isinstance(event, GameEnded) else event)
    return folded


def for_seat(ended: GameEnded, seat: int) -> GameEnded:
    """The end of a game as it is for one of its players."""
    if not ended.seats or seat >= len(ended.seats):
        return ended
    own = ended.seats[seat]
    return replace(ended, result=own.result, points=own.points, moves=own.moves, bonus=own.bonus)


def leave_out(game: GameRow | None, player: PlayerRow) -> PlayerRow:
    """The player's row without a running game that turned out faulty."""
    if game is None or not game.counted:
        return player
    return _with_sums(player, game, lambda sums: replace(sums, games=sums.games - 1))


def played_alone(variant: str) -> bool:
    return variant in VARIANTS and VARIANTS[variant].players == 1


def _day(deal: Deal) -> str:
    day = deal.day if isinstance(deal, NumberedDeal) else None
    return day if isinstance(day, str) and valid_day(day) else ""


def _follow(game: GameRow, record: Record, digest: bytes) -> GameRow:
    if record.version != game.version + 1:
        raise UnfitRecordError(f"version {record.version} after version {game.version}")
    if record.previous != game.hash:
        raise UnfitRecordError("the hash of the record before it is another")
    return replace(game, version=record.version, hash=digest)


def _advance(folded: Folded, event: AnyEvent) -> Folded:
    if folded.ended is not None:
        raise UnfitRecordError("an event after the game's end")
    match event:
        case CardsMoved() | CardsDrawn() | StockRecycled():
            return _count(folded)
        case MoveUndone() | HintGiven() | ChancesGiven():
            return _assist(folded)
        case MoveRedone() | GamePaused() | GameContinued():  # an undo came before a redo
            return folded
        case GameEnded():
            return _end(_assist(folded) if event.assisted else folded, event)
        case PlayerJoined(player=guest):
            return Folded(replace(folded.game, guest=guest), folded.player)
        case PlayerResigned() | PlayerLeft() | PlayerReturned():
            return folded
        case GameStarted():
            raise UnfitRecordError("the game is started a second time")
        case _:
            assert_never(event)


def _count(folded: Folded) -> Folded:
    if folded.game.counted:
        return folded
    counted = replace(folded.game, counted=True)
    return Folded(counted, _with_sums(folded.player, counted, lambda sums: replace(sums, games=sums.games + 1)))


def _assist(folded: Folded) -> Folded:
    game, player = folded.game, folded.player
    if game.assisted:
        return folded
    assisted = replace(game, assisted=True)
    if not game.counted:
        return Folded(assisted, player)
    without = leave_out(game, player)
    return Folded(assisted, _with_sums(without, assisted, lambda sums: replace(sums, games=sums.games + 1)))


def _end(folded: Folded, ended: GameEnded) -> Folded:
    game, player = folded.game, folded.player
    if game.counted:
        close = formula_of(game.formula).close
        player = _with_sums(player, game, lambda sums: close(sums, ended))
    return Folded(game, player, ended)


def _with_sums(player: PlayerRow, game: GameRow, change: Callable[[Statistics], Statistics]) -> PlayerRow:
    """The row with a change of the sums that the game belongs to. Sums over no game are left out."""
    rows = {_key(sums): sums for sums in player.statistics}
    key = (game.variant, game.scoring, game.assisted)
    empty = Statistics(variant=game.variant, scoring=game.scoring, assisted=game.assisted)
    rows[key] = change(rows.get(key, empty))
    return replace(player, statistics=tuple(rows[key] for key in sorted(rows) if rows[key].games))


def _key(sums: Statistics) -> tuple[str, str, bool]:
    return sums.variant, sums.scoring, sums.assisted
