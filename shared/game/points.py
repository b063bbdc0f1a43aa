"""The points of one move, and of the end, under a scoring mode."""

from typing import assert_never

from shared.messages.events import Result
from shared.rules.moves import Draw, Move, MoveCards, Recycle
from shared.rules.piles import parts
from shared.rules.scoring import Scoring


def move_points(scoring: Scoring, move: Move, *, turned_up: bool) -> int:
    """What a legal move brings; below zero, what it costs."""
    match move:
        case MoveCards(source=source, target=target):
            return scoring.points(parts(source)[0], parts(target)[0], turned_up=turned_up)
        case Draw():
            return 0
        case Recycle():
            return scoring.later_pass
    assert_never(move)


def end_points(scoring: Scoring, result: Result) -> int:
    """What the end of a game itself brings."""
    return scoring.at_win if result == "won" else 0
