"""Frames to commands: the player comes from the token, never from the frame."""

from collections.abc import Callable, Mapping
from typing import Final

from shared.messages.base import PlayerId
from shared.messages.codec import new_game_id
from shared.messages.commands import (
    AnyCommand,
    AskChances,
    AskHint,
    ClaimAbsence,
    ContinueGame,
    DrawCards,
    JoinGame,
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
    ClaimFrame,
    CommandFrame,
    ContinueFrame,
    DrawFrame,
    HintFrame,
    Join,
    MoveFrame,
    NewGame,
    PauseFrame,
    RecycleFrame,
    RedoFrame,
    ResignFrame,
    UndoFrame,
)

PlainFrame = DrawFrame | RecycleFrame | UndoFrame | RedoFrame | ResignFrame | ChancesFrame | ContinueFrame | ClaimFrame
"""Frames that say nothing more than what they are."""

_PLAIN: Final[Mapping[type[PlainFrame], Callable[..., AnyCommand]]] = {
    DrawFrame: DrawCards,
    RecycleFrame: RecycleStock,
    UndoFrame: UndoMove,
    RedoFrame: RedoMove,
    ResignFrame: Resign,
    ChancesFrame: AskChances,
    ContinueFrame: ContinueGame,
    ClaimFrame: ClaimAbsence,
}


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


def join_game(frame: Join, player: PlayerId) -> JoinGame:
    """The command of a `join` frame."""
    return JoinGame(id=frame.id, game=frame.game, player=player, version=1)


def command(frame: CommandFrame, player: PlayerId) -> AnyCommand:
    id, game, version = frame.id, frame.game, frame.version  # noqa: A001 - the field's name
    match frame:
        case MoveFrame(source=source, target=target, count=count):
            return MoveCards(
                id=id, game=game, player=player, version=version, source=source, target=target, count=count
            )
        case HintFrame(strength=strength):
            return AskHint(id=id, game=game, player=player, version=version, strength=strength)
        case PauseFrame():
            return PauseGame(id=id, game=game, player=player, version=version, reason="player")
        case _:
            return _PLAIN[type(frame)](id=id, game=game, player=player, version=version)
