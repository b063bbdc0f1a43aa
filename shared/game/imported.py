"""Plays a game from a file again, step by step, as game-state would have decided it. Pure."""

import hashlib
from typing import Final

import msgspec

from shared.game.advice import hint_fault, hint_of
from shared.game.decide import (
    Events,
    PlayCommand,
    RecordChances,
    RecordHint,
    check_start,
    decide,
    decide_start,
    seal_deal,
)
from shared.game.evolve import BrokenHistoryError, evolve, start
from shared.game.refusals import refused
from shared.game.state import Game
from shared.messages.base import CommandId, PlayerId
from shared.messages.codec import encode, new_game_id
from shared.messages.commands import (
    ContinueGame,
    DrawCards,
    MoveCards,
    NumberedDeal,
    PauseGame,
    RecycleStock,
    RedoMove,
    Resign,
    StartGame,
    UndoMove,
)
from shared.messages.errors import Error
from shared.messages.events import ChancesGiven, GamePaused, GameStarted, HintGiven, Record, SealedDeal
from shared.messages.imports import ImportedGame, ImportedStep, Misplayed, PlayedAgain
from shared.messages.views import PastStep
from shared.rules import deal, moves
from shared.rules.variants import SOLO

NOBODY: Final = PlayerId("a" * 26)
"""Plays what comes from files."""
_PLAIN: Final[dict[str, type[UndoMove | RedoMove | Resign | ContinueGame]]] = {
    "undo": UndoMove,
    "redo": RedoMove,
    "resign": Resign,
    "continue": ContinueGame,
}


def played_again(game: ImportedGame) -> PlayedAgain | Misplayed:
    """The game from its deal to its end, or the first thing in it that is against the rules."""
    begun = _dealt(game)
    if isinstance(begun, str):
        return Misplayed(step=None, what=begun)
    state, steps = begun
    for index, step in enumerate(game.steps):
        made = _made(state, step)
        if isinstance(made, str):
            return Misplayed(step=index, what=made)
        state, past = made
        steps.append(past)
    if state.status == "running":
        given_up = _made(state, ImportedStep(deed="resign", move=None, at=state.at))
        assert not isinstance(given_up, str), "a running game can be given up"
        steps.append(given_up[1])
    return PlayedAgain(game=state.game, steps=tuple(steps))


def sealed_deal(game: ImportedGame) -> SealedDeal:
    """The deal of a game that could be played again."""
    return seal_deal(_start_command(game), secret=bytes.fromhex(game.secret))


def _dealt(game: ImportedGame) -> tuple[Game, list[PastStep]] | str:
    command = _start_command(game)
    refusal = check_start(command)
    if refusal is not None:
        return f"{_clause(refusal.text)} ({_clause(refusal.fix)})"
    if game.variant not in SOLO:
        return _clause(refused("only-alone").text)
    fault = _fault_of_secret(game)
    if fault is not None:
        return fault
    sealed = sealed_deal(game)
    events = decide_start(command, sealed)
    begun = events[0]
    assert isinstance(begun, GameStarted)
    record = _record(start(begun, sealed), command.id, events, game.started_at, version=1)
    return evolve(start(begun, sealed), record), [_past(record)]


def _fault_of_secret(game: ImportedGame) -> str | None:
    if isinstance(game.deal, NumberedDeal):
        return "a numbered deal has no secret" if game.secret or game.commitment else None
    try:
        secret = bytes.fromhex(game.secret)
    except ValueError:
        secret = b""
    if len(secret) != deal.SECRET_BYTES:
        return f"the secret of the deal is needed, {deal.SECRET_BYTES} bytes in hexadecimal"
    if game.commitment and deal.commitment(secret) != game.commitment:
        return "the secret does not fit the commitment"
    return None


def _start_command(game: ImportedGame) -> StartGame:
    """The command that deals it. Its id, and so the game's, comes from all that was played."""
    digest = hashlib.sha256(encode(game)).hexdigest()
    id_ = CommandId(f"{digest[:8]}-{digest[8:12]}-{digest[12:16]}-{digest[16:20]}-{digest[20:32]}")
    return StartGame(
        id=id_,
        game=new_game_id(NOBODY, id_),
        player=NOBODY,
        version=0,
        variant=game.variant,
        scoring=game.scoring,
        mode=game.mode,
        deal=game.deal,
    )


def _made(game: Game, step: ImportedStep) -> tuple[Game, PastStep] | str:
    """The game after a step, or why it cannot be made."""
    if step.at < game.at:
        return "it is earlier than the step before it"
    command = _command(game, step)
    if isinstance(command, str):
        return command
    events = decide(game, command, at=step.at)
    if isinstance(events, Error):
        hint = hint_fault(game, command.hint) if isinstance(command, RecordHint) else None
        return hint or f"{_clause(events.text)}{f' ({events.rule})' if events.rule else ''}"
    record = _record(game, command.id, events, step.at, version=game.version + 1)
    try:
        return evolve(game, record), _past(record)
    except BrokenHistoryError as error:
        return str(error)


def _command(game: Game, step: ImportedStep) -> PlayCommand | str:
    id_, of, version = _command_id(game.version + 1), game.game, game.version
    about = {"id": id_, "game": of, "player": NOBODY, "version": version}
    match step:
        case ImportedStep(deed="move" | "draw" | "recycle", move=str(text)):
            return _move(about, text)
        case ImportedStep(deed="undo" | "redo" | "resign" | "continue" as deed):
            return msgspec.convert(about, _PLAIN[deed])
        case ImportedStep(deed="hint", told=HintGiven() as told):
            return RecordHint(id=id_, game=of, player=NOBODY, version=version, hint=hint_of(told))
        case ImportedStep(deed="chances", told=ChancesGiven(chances=chances)):
            return RecordChances(id=id_, game=of, player=NOBODY, version=version, chances=chances)
        case ImportedStep(deed="pause", told=GamePaused(reason=reason, since=since)):
            return msgspec.convert(about | {"reason": reason, "since": since}, PauseGame)
        case ImportedStep(deed="deal"):
            return "the game is dealt a second time"
        case _:
            return f"it does not say all that belongs to {step.deed}"


def _move(about: dict[str, object], text: str) -> PlayCommand | str:
    try:
        move = moves.parse_move(text)
    except ValueError as error:
        return str(error)
    match move:
        case moves.Draw():
            return msgspec.convert(about, DrawCards)
        case moves.Recycle():
            return msgspec.convert(about, RecycleStock)
        case moves.MoveCards(source=source, target=target, count=count):
            return msgspec.convert(about | {"source": source, "target": target, "count": count}, MoveCards)


def _clause(sentence: str) -> str:
    """What is wrong is told within a sentence about the file, which has its own full stop."""
    return sentence.removesuffix(".")


def _command_id(version: int) -> CommandId:
    """Any will do: nothing is stored under it."""
    return CommandId(f"00000000-0000-7000-8000-{version:012d}")


def _record(game: Game, command: CommandId, events: Events, at: int, *, version: int) -> Record:
    return Record(game=game.game, version=version, command=command, player=NOBODY, at=at, events=events, previous=b"")


def _past(record: Record) -> PastStep:
    return PastStep(version=record.version, command=record.command, at=record.at, events=record.events)
