"""What a command causes: events, or a refusal. Pure: clock and secret are passed in."""

from typing import assert_never, cast

import msgspec
from msgspec import UNSET

from shared.game.evolve import chances_fit, dealt_table, end_on, evolve_event, hint_fault
from shared.game.points import end_points, move_points
from shared.game.refusals import illegal, other_scoring, refused, unknown
from shared.game.state import Done, Game, Seat, play_ms_at
from shared.messages.base import CommandId, GameId, PlayerId
from shared.messages.chances import Chances
from shared.messages.commands import (
    AskChances,
    AskHint,
    ContinueGame,
    DrawCards,
    Mode,
    MoveCards,
    NumberedDeal,
    PauseGame,
    PauseReason,
    RecycleStock,
    RedoMove,
    Resign,
    SecretDeal,
    StartGame,
    UndoMove,
    WinnableDeal,
)
from shared.messages.errors import Error
from shared.messages.events import (
    Alternative,
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
    Result,
    SealedDeal,
    StockRecycled,
)
from shared.messages.jobs import Hint
from shared.rules import deal, moves
from shared.rules.legal import breach
from shared.rules.scoring import SCORINGS
from shared.rules.table import Applied, Table, apply
from shared.rules.variants import VARIANTS

Events = tuple[AnyEvent, ...]


class RecordHint(msgspec.Struct, frozen=True, kw_only=True):
    """The second half of `AskHint`: a worker has answered, and the hint becomes part of the game."""

    id: CommandId
    game: GameId
    player: PlayerId
    version: int
    hint: Hint


class RecordChances(msgspec.Struct, frozen=True, kw_only=True):
    """The second half of `AskChances`."""

    id: CommandId
    game: GameId
    player: PlayerId
    version: int
    chances: Chances


PlayCommand = (
    MoveCards
    | DrawCards
    | RecycleStock
    | UndoMove
    | RedoMove
    | Resign
    | AskHint
    | RecordHint
    | AskChances
    | RecordChances
    | PauseGame
    | ContinueGame
)
"""Commands for a game that exists."""


def check_start(command: StartGame) -> Error | None:
    """Why a game cannot be dealt so, or None."""
    if command.variant not in VARIANTS:
        return unknown("unknown-variant", "variant", command.variant, VARIANTS)
    if command.scoring not in SCORINGS:
        return unknown("unknown-scoring", "scoring", command.scoring, SCORINGS)
    if command.scoring not in VARIANTS[command.variant].scorings:
        return other_scoring(command.variant, VARIANTS[command.variant].scorings)
    if command.mode not in ("ranked", "relaxed"):
        return unknown("unknown-mode", "mode", command.mode, ("ranked", "relaxed"))
    if command.version != 0:
        return refused("stale-version")
    return None


def seal_deal(command: StartGame, *, secret: bytes) -> SealedDeal:
    """The hidden part of a new game. `secret`: 32 fresh random bytes, unused for a deal with a public origin."""
    match command.deal:
        case SecretDeal() | WinnableDeal():
            kept = secret.hex()
        case NumberedDeal():
            kept = ""
        case _:
            assert_never(command.deal)
    return SealedDeal(game=command.game, deal=command.deal, shuffle=deal.SHUFFLE, secret=kept)


def decide_start(command: StartGame, sealed: SealedDeal) -> Events:
    """The events of a new game, whose command has passed `check_start`.

    Raises:
        BrokenHistoryError: no game can be dealt from the sealed deal.

    """
    variant = VARIANTS[command.variant]
    table = dealt_table(sealed, variant)
    started = GameStarted(
        player=command.player,
        variant=command.variant,
        variant_version=variant.version,
        scoring=command.scoring,
        mode=cast(Mode, command.mode),
        deal=sealed.deal,
        shuffle=sealed.shuffle,
        commitment=deal.commitment(bytes.fromhex(sealed.secret)) if sealed.secret else "",
        faces=tuple(column.up for column in table.columns),
        points=SCORINGS[command.scoring].at_deal,
    )
    return (started,)


def decide(game: Game, command: PlayCommand, *, at: int) -> Events | Error:
    """The events that a command causes in a running game, or why it is refused. `at`: now, milliseconds since 1970."""
    return _closed(game, command) or _effects(game, command, at)


def _closed(game: Game, command: PlayCommand) -> Error | None:
    if command.player != game.seat.player:
        return refused("not-your-game")
    if not _oldest(game, command) <= command.version <= game.version:
        return refused("stale-version")
    if game.status != "running":
        return refused("game-ended")
    if game.paused is not None and not isinstance(command, ContinueGame | Resign):
        return refused("game-paused")
    return None


def _oldest(game: Game, command: PlayCommand) -> int:
    """The oldest version that a command may have been decided on: pauses since then changed nothing on the table."""
    return game.version if isinstance(command, PauseGame | ContinueGame) else game.pauses_from


def _effects(game: Game, command: PlayCommand, at: int) -> Events | Error:
    match command:
        case MoveCards() | DrawCards() | RecycleStock():
            return _make(game, chosen_move(command), at)
        case UndoMove():
            return _undo(game)
        case RedoMove():
            return _redo(game, at)
        case Resign():
            return (_ended(game, "resigned", at),)
        case PauseGame(reason=reason, since=since):
            return _pause(game, reason, at if since is None else since, at)
        case ContinueGame():
            return refused("not-paused") if game.paused is None else (GameContinued(),)
        case AskHint() | AskChances():
            return ()
        case RecordHint(hint=hint):
            return (_given(hint),) if hint_fault(game, hint) is None else refused("unavailable")
        case RecordChances(chances=told):
            return (ChancesGiven(chances=told),) if chances_fit(told) else refused("unavailable")
    assert_never(command)


def _pause(game: Game, reason: PauseReason, since: int, at: int) -> Events | Error:
    if game.first_move_at is None:
        return refused("nothing-to-pause")
    return (GamePaused(reason=reason, since=min(max(since, game.at), at)),)


def _given(hint: Hint) -> HintGiven:
    others = tuple(Alternative(move=one.move, reason=one.reason, cards=one.cards) for one in hint.alternatives)
    then = hint.then or UNSET
    return HintGiven(move=hint.move, reason=hint.reason, cards=hint.cards, alternatives=others or UNSET, then=then)


def chosen_move(command: MoveCards | DrawCards | RecycleStock) -> moves.Move:
    """The move that a command chooses."""
    match command:
        case MoveCards(source=source, target=target, count=count):
            return moves.MoveCards(source=source, target=target, count=count)
        case DrawCards():
            return moves.Draw()
        case RecycleStock():
            return moves.Recycle()
    assert_never(command)


def _make(game: Game, move: moves.Move, at: int) -> Events | Error:
    broken = breach(game.seat.table, move, game.variant)
    if broken is not None:
        return illegal(broken)
    applied = apply(game.seat.table, move, game.variant)
    return _with_end(game, _made(game, move, applied), applied.table, at)


def _made(game: Game, move: moves.Move, applied: Applied) -> AnyEvent:
    points = move_points(game.scoring, move, turned_up=applied.turned_up is not None)
    match move:
        case moves.MoveCards(source=source, target=target):
            return CardsMoved(
                source=source, target=target, cards=applied.cards, turned_up=applied.turned_up, points=points
            )
        case moves.Draw():
            return CardsDrawn(cards=applied.cards)
        case moves.Recycle():
            return StockRecycled(cards=len(applied.cards), begins_pass=applied.table.pass_number, points=points)
    assert_never(move)


def _undo(game: Game) -> Events | Error:
    if game.mode == "ranked":
        return refused("undo-not-allowed")
    if not game.seat.done:
        return refused("nothing-to-undo")
    return (MoveUndone(points=-game.seat.done[-1].points),)


def _redo(game: Game, at: int) -> Events | Error:
    if game.mode == "ranked":
        return refused("undo-not-allowed")
    if not game.seat.undone:
        return refused("nothing-to-redo")
    again: Done = game.seat.undone[-1]
    return _with_end(game, MoveRedone(points=again.points), apply(game.seat.table, again.move, game.variant).table, at)


def _with_end(game: Game, event: AnyEvent, table: Table, at: int) -> Events:
    """The event, and the end of the game if the table that it brings is one."""
    result = end_on(table, game)
    return (event,) if result is None else (event, _ended(evolve_event(game, event, at=at), result, at))


def _ended(game: Game, result: Result, at: int) -> GameEnded:
    seat: Seat = game.seat
    bonus = end_points(game.scoring, result)
    return GameEnded(
        result=result,
        points=seat.points + bonus,
        bonus=bonus,
        moves=seat.moves,
        play_ms=play_ms_at(game, at),
        assisted=game.assisted,
        secret=game.secret,
    )
