"""The line of play that counts: the moves that stand at the end, each with the version that made it."""

from collections.abc import Iterable
from typing import assert_never

import msgspec

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
    StockRecycled,
)
from shared.messages.moved import move_of
from shared.rules.moves import Move


class Made(msgspec.Struct, frozen=True):
    """A move, and the version of the game in which it was made, or made again, for the last time."""

    version: int
    move: Move


def standing_line(steps: Iterable[tuple[int, tuple[AnyEvent, ...]]]) -> tuple[Made, ...]:
    """The moves that were made and not taken back, in order, from versions and their events.

    These are the moves that the game's counter counts. What was taken back and not made again led nowhere: the game
    was played on as if it had never been.

    Raises:
        IndexError: more was taken back, or made again, than there was.
    """
    done: list[Made] = []
    undone: list[Move] = []
    for version, events in steps:
        for event in events:
            match event:
                case CardsMoved() | CardsDrawn() | StockRecycled():
                    done.append(Made(version, move_of(event)))
                    undone.clear()
                case MoveUndone():
                    undone.append(done.pop().move)
                case MoveRedone():
                    done.append(Made(version, undone.pop()))
                case GameStarted() | HintGiven() | ChancesGiven() | GamePaused() | GameContinued() | GameEnded():
                    pass
                case PlayerJoined() | PlayerResigned() | PlayerLeft() | PlayerReturned():
                    pass
                case _:
                    assert_never(event)
    return tuple(done)
