"""Frames to commands: the player comes from the token, never from the frame."""

from typing import assert_never

from shared.messages.base import PlayerId
from shared.messages.codec import new_game_id
from shared.messages.commands import (
    AnyCommand,
    AskChances,
    AskHint,
    ContinueGame,
    DrawCards,
    MoveCards,
    PauseGame,
    RecycleStock,
    RedoMove,
    Resign,
    StartGame,
    UndoMove,
)
from shared.messages.frames import (
    ChancesFrame,
    CommandFrame,
    ContinueFrame,
    DrawFrame,
    HintFrame,
    MoveFrame,
    NewGame,
    PauseFrame,
    RecycleFrame,
    RedoFrame,
    ResignFrame,
    UndoFrame,
)


def start_game(frame: NewGame, player: PlayerId) -> StartGame:
    """The command of a `new-game` frame. The game's id follows from player and command: repeating makes no second."""
    return StartGame(
        id=frame.id,
        game=new_game_id(player, frame.id),
        player=player,
        version=0,
        variant=frame.variant,
        scoring=frame.scoring,
        mode=frame.mode,
        deal=frame.deal,
    )


def command(frame: CommandFrame, player: PlayerId) -> AnyCommand:
    id, game, version = frame.id, frame.game, frame.version  # noqa: A001 - the field's name
    match frame:
        case MoveFrame(source=source, target=target, count=count):
            return MoveCards(
                id=id, game=game, player=player, version=version, source=source, target=target, count=count
            )
        case DrawFrame():
            return DrawCards(id=id, game=game, player=player, version=version)
        case RecycleFrame():
            return RecycleStock(id=id, game=game, player=player, version=version)
        case UndoFrame():
            return UndoMove(id=id, game=game, player=player, version=version)
        case RedoFrame():
            return RedoMove(id=id, game=game, player=player, version=version)
        case ResignFrame():
            return Resign(id=id, game=game, player=player, version=version)
        case HintFrame():
            return AskHint(id=id, game=game, player=player, version=version, strength=frame.strength)
        case ChancesFrame():
            return AskChances(id=id, game=game, player=player, version=version)
        case PauseFrame() | ContinueFrame():
            return _clock(frame, player)
        case _:
            assert_never(frame)


def _clock(frame: PauseFrame | ContinueFrame, player: PlayerId) -> PauseGame | ContinueGame:
    if isinstance(frame, PauseFrame):
        return PauseGame(id=frame.id, game=frame.game, player=player, version=frame.version, reason="player")
    return ContinueGame(id=frame.id, game=frame.game, player=player, version=frame.version)
