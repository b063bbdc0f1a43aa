"""Ids and the two kinds of struct that all messages are made of."""

from typing import Annotated, Final, NewType

import msgspec

GameId = NewType("GameId", str)
"""26 characters of lower-case base 32: a token of a subject, derived from player and command id."""
PlayerId = NewType("PlayerId", str)
"""A random id. Nothing about a person is in it, or beside it in the log."""
CommandId = NewType("CommandId", str)
"""A UUID, version 7 by choice of the client. It is the correlation id of all that the command causes."""

GAME_ID = Annotated[GameId, msgspec.Meta(pattern="^[a-z2-7]{26}$")]
PLAYER_ID = Annotated[PlayerId, msgspec.Meta(pattern="^[a-z2-7]{26}$")]
COMMAND_ID = Annotated[
    CommandId, msgspec.Meta(pattern="^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
]
VERSION = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
"""A game's version: the number of its records. 0 is a game that has not started."""
SEAT = Annotated[int, msgspec.Meta(ge=0, le=1)]
"""A place at a game for two: 0 who invited, 1 who joined."""
MILLISECONDS = Annotated[int, msgspec.Meta(ge=0)]
"""Since 1970-01-01 UTC for a time, else a length of time."""

DAY_PATTERN: Final = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
DAY = Annotated[str, msgspec.Meta(pattern=DAY_PATTERN)]
"""A day of the calendar, such as 2026-03-01."""
MONTH_PATTERN: Final = "^[0-9]{4}-(0[1-9]|1[0-2])$"
MONTH = Annotated[str, msgspec.Meta(pattern=MONTH_PATTERN)]
"""A month of the calendar, such as 2026-03."""


CODE_LETTERS = 10
"""Of an invitation's short code: 50 bits of the game's id."""
CODE = Annotated[str, msgspec.Meta(pattern=f"^[a-z2-7]{{{CODE_LETTERS}}}$")]


def invitation_code(game: GameId) -> str:
    """The short code of a game for two that waits."""
    return game[:CODE_LETTERS]


class Input(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """A message from somebody else: whatever is not in its schema is refused."""


class Stored(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """A message that lives on: readers skip fields that they do not know yet."""
