"""Asking the computer to take the free seat of a game for two."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, get_args

from shared.messages.answers import Answer, RequestRefused
from shared.messages.base import GAME_ID, Input, PlayerId

Level = Literal["easy", "hard"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)

_ID_LETTERS: Final = 26
COMPUTERS: Final[Mapping[Level, PlayerId]] = MappingProxyType(
    {level: PlayerId(f"computer{level}".ljust(_ID_LETTERS, "a")) for level in LEVELS}
)
"""Who the computer is in a game, at each level: players that nobody else can be, since tokens are signed."""


class Challenge(Input, frozen=True, kw_only=True, tag="challenge"):
    """Ask the computer to join a game that waits."""

    game: GAME_ID
    level: Level


class Challenged(Answer, frozen=True, kw_only=True, tag="challenged"):
    """It has joined."""

    game: GAME_ID
    level: Level


ChallengeAnswer = Challenged | RequestRefused
