"""What a command causes: events, or a refusal. Pure: clock and secret are passed in."""

from typing import assert_never, cast

import msgspec
from msgspec import UNSET

from shared.game.advice import chances_fit, hint_fault
from shared.game.duel import claim_at, ending, is_abandoned, was_legal
from shared.game.evolve import (
    dealt_seats,
    dealt_table,
    end_of,
    end_on,
    evolve_event,
    faces_of,
)
from shared.game.points import end_points, move_points
from shared.game.refusals import illegal, not_certified, other_mode, other_scoring, refused, unknown
from shared.game.state import Done, Game, Seat, play_ms_at
from shared.game.view import stuck
from shared.messages.base import CommandId, GameId, PlayerId
from shared.messages.chances import Chances
from shared.messages.commands import (
    AskChances,
    AskHint,
    ClaimAbsence,
    ContinueGame,
    DrawCards,
    JoinGame,
    Mode,
    MoveCards,
    NumberedDeal,
    PauseGame,
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
    PlayerJoined,
    PlayerLeft,
    PlayerResigned,
    PlayerReturned,
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


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What a game for two states at its start."""

    expires_at: int = 0
    absence_ms: int = 0


class RecordChances(msgspec.Struct, frozen=True, kw_only=True):
    """The second half of `AskChances`."""

    id: CommandId
    game: GameId
    player: PlayerId
    version: int
    chances: Chances


SeatCommand = (
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
    | ClaimAbsence
)
"""Commands of somebody who plays already."""
PlayCommand = SeatCommand | JoinGame
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
    return None if VARIANTS[command.variant].players == 1 else _fault_for_two(command)


def _fault_for_two(command: StartGame) -> Error | None:
    if command.mode != "ranked":
        return other_mode(command.variant, ("ranked",))
    return not_certified() if isinstance(command.deal, WinnableDeal) else None


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


def decide_start(command: StartGame, sealed: SealedDeal, terms: Terms = Terms()) -> Events:  # noqa: B008 - frozen
    """The events of a new game, whose command has passed `check_start`. `terms`: of a game for two.

    Raises:
        BrokenHistoryError: no game can be dealt from the sealed deal.

    """
    variant = VARIANTS[command.variant]
    table, alone = dealt_table(sealed, variant), variant.players == 1
    started = GameStarted(
        player=command.player,
        variant=command.variant,
        variant_version=variant.version,
        scoring=command.scoring,
        mode=cast(Mode, command.mode),
        deal=sealed.deal,
        shuffle=sealed.shuffle,
        commitment=deal.commitment(bytes.fromhex(sealed.secret)) if sealed.secret else "",
        faces=faces_of(table) if alone else (),
        points=SCORINGS[command.scoring].at_deal,
        expires_at=UNSET if alone else terms.expires_at,
        absence_ms=UNSET if alone else terms.absence_ms,
    )
    return (started,)


def decide(game: Game, command: PlayCommand, *, at: int) -> Events | Error:
    """The events that a command causes in a running game, or why it is refused. `at`: now, milliseconds since 1970."""
    if isinstance(command, JoinGame):
        return _join(game, command, at)
    who = game.seat_of(command.player)
    if who is None:
        return refused("not-your-game")
    if isinstance(command, ClaimAbsence) and game.variant.players == 1:
        return refused("not-for-two")
    return _closed(game, who, command, at) or _effects(game, who, command, at)


def _closed(game: Game, who: int, command: SeatCommand, at: int) -> Error | None:
    if not _oldest(game, who, command) <= command.version <= game.version:
        return refused("stale-version")
    if game.over:
        return refused("game-ended")
    if game.paused is not None and not isinstance(command, ContinueGame | Resign):
        return refused("game-paused")
    return None if game.variant.players == 1 else _closed_for_two(game, who, command, at)


def _oldest(game: Game, who: int, command: SeatCommand) -> int:
    """The oldest version that a command may have been decided on: with two, the other may have moved since; alone,
    pauses since then changed nothing on the table.
    """
    if game.variant.players > 1:
        return game.seats[who].changed
    return game.version if isinstance(command, PauseGame | ContinueGame) else game.pauses_from


def _closed_for_two(game: Game, who: int, command: SeatCommand, at: int) -> Error | None:
    if game.status == "waiting":
        early = isinstance(command, Resign | PauseGame | ContinueGame)
        return None if early else refused("waiting-for-player")
    seat = game.seats[who]
    if isinstance(command, ClaimAbsence) and (seat.status == "resigned" or is_abandoned(game, at)):
        return None
    if seat.status == "resigned":
        return refused("seat-resigned")
    if isinstance(command, AskHint | AskChances | RecordHint | RecordChances):
        return refused("help-not-allowed")
    away = seat.away_since is not None and not isinstance(command, ContinueGame | Resign)
    return refused("game-paused") if away else None


def _effects(game: Game, who: int, command: SeatCommand, at: int) -> Events | Error:
    match command:
        case MoveCards() | DrawCards() | RecycleStock():
            return _make(game, who, command, at)
        case UndoMove():
            return _undo(game)
        case RedoMove():
            return _redo(game, at)
        case Resign():
            return _resign(game, who, at)
        case PauseGame():
            return _pause(game, who, command, at)
        case ContinueGame():
            return _continue(game, who)
        case ClaimAbsence():
            return _claim(game, who, at)
        case AskHint() | AskChances():
            return refused("stuck") if isinstance(command, AskHint) and stuck(game) else ()
        case RecordHint() | RecordChances():
            return _record(game, command)
    assert_never(command)


def _record(game: Game, command: RecordHint | RecordChances) -> Events | Error:
    match command:
        case RecordHint(hint=hint):
            return (_given(hint),) if hint_fault(game, hint) is None else refused("unavailable")
        case RecordChances(chances=told):
            return (ChancesGiven(chances=told),) if chances_fit(told) else refused("unavailable")
    assert_never(command)


def _resign(game: Game, who: int, at: int) -> Events:
    if len(game.seats) == 1:
        return (_ended(game, "resigned", at),)
    return _with_end_for_two(game, who, PlayerResigned(seat=who), at)


def _pause(game: Game, who: int, command: PauseGame, at: int) -> Events | Error:
    since = at if command.since is None else min(command.since, at)
    if game.variant.players > 1:
        return _leave(game, who, command, since)
    if game.first_move_at is None:
        return refused("nothing-to-pause")
    return (GamePaused(reason=command.reason, since=max(since, game.at)),)


def _leave(game: Game, who: int, command: PauseGame, since: int) -> Events | Error:
    if command.reason != "absence":
        return refused("pause-not-offered")
    return (PlayerLeft(seat=who, since=since),) if game.seats[who].away_since is None else refused("game-paused")


def _continue(game: Game, who: int) -> Events | Error:
    if game.variant.players == 1:
        return refused("not-paused") if game.paused is None else (GameContinued(),)
    return refused("not-paused") if game.seats[who].away_since is None else (PlayerReturned(seat=who),)


def _join(game: Game, command: JoinGame, at: int) -> Events | Error:
    if game.variant.players == 1:
        return refused("not-for-two")
    if game.seat.player == command.player:
        return refused("own-game")
    if len(game.seats) > 1:
        return refused("already-joined")
    if game.over:
        return refused("game-ended")
    if game.expires_at < at:
        return refused("invitation-expired")
    return (PlayerJoined(player=command.player, faces=tuple(map(faces_of, dealt_seats(game)))),)


def _claim(game: Game, who: int, at: int) -> Events | Error:
    other = len(game.seats) - 1 - who
    since = claim_at(game, game.seats[other]) if other != who else None
    if since is None or since > at:
        return refused("not-absent")
    return _with_end_for_two(game, who, PlayerResigned(seat=other, absent=True), at)


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


def _make(game: Game, who: int, command: MoveCards | DrawCards | RecycleStock, at: int) -> Events | Error:
    table, move = game.seats[who].table, chosen_move(command)
    broken = breach(table, move, game.variant)
    if broken is not None:
        late = command.version < game.version and was_legal(game, who, move, command.version)
        return refused("overtaken") if late else illegal(broken)
    applied = apply(table, move, game.variant)
    made = _made(game, move, applied)
    if game.variant.players > 1:
        return _with_end_for_two(game, who, made, at)
    return _with_end(game, made, applied.table, at)


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


def _with_end_for_two(game: Game, who: int, event: AnyEvent, at: int) -> Events:
    after = evolve_event(game, event, at=at, who=who)
    return (event,) if end_of(after) is None else (event, ending(after, play_ms=play_ms_at(after, at)))


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
