"""Frames to commands: the player comes from the token, never from the frame."""

from typing import assert_never

from shared.messages.base import PlayerId
from shared.messages.codec import new_game_id
from shared.messages.commands import (
    AnyCommand,
    AskChances,
    AskHint,
    DrawCards,
    MoveCards,
    RecycleStock,
    RedoMove,
    Resign,
    StartGame,
    UndoMove,
)
from shared.messages.frames import (
    ChancesFrame,
    CommandFrame,
    DrawFrame,
    HintFrame,
    MoveFrame,
    NewGame,
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
        case _:
            assert_never(frame)
