"""Moves a player can choose, and their text: `draw`, `recycle`, `W>F2`, `T3>T5*4` (four cards)."""

import re
from typing import cast, get_args

import msgspec

from shared.rules.piles import Pile


class MoveCards(msgspec.Struct, frozen=True, kw_only=True, tag="move", tag_field="type"):
    """Move the `count` topmost cards of a pile onto another."""

    source: Pile
    target: Pile
    count: int = 1


class Draw(msgspec.Struct, frozen=True, tag="draw", tag_field="type"):
    """Turn cards from the stock, as many as the variant says."""


class Recycle(msgspec.Struct, frozen=True, tag="recycle", tag_field="type"):
    """Turn the waste over as the new stock."""


Move = MoveCards | Draw | Recycle

_TEXT = re.compile(r"(?P<source>[A-Z][0-9]*)>(?P<target>[A-Z][0-9]*)(?:\*(?P<count>[1-9][0-9]{0,2}))?")
_PILES = frozenset(get_args(Pile))


def move_text(move: Move) -> str:
    """The text of a move: what `parse_move` reads back as the same move."""
    match move:
        case MoveCards(source=source, target=target, count=1):
            return f"{source}>{target}"
        case MoveCards(source=source, target=target, count=count):
            return f"{source}>{target}*{count}"
        case Draw():
            return "draw"
        case Recycle():
            return "recycle"


def parse_move(text: str) -> Move:
    """The move that a text names.

    Raises:
        ValueError: the text names no move.
    """
    if text == "draw":
        return Draw()
    if text == "recycle":
        return Recycle()
    found = _TEXT.fullmatch(text)
    if not found or not {found["source"], found["target"]} <= _PILES:
        raise ValueError(f"{text!r} is no move: draw, recycle, or piles and a count such as W>F2 or T3>T5*4")
    return MoveCards(
        source=cast(Pile, found["source"]), target=cast(Pile, found["target"]), count=int(found["count"] or 1)
    )
