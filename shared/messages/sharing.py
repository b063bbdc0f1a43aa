"""Links to games that are over: made and withdrawn by the player, good for anybody who has one."""

from typing import Annotated, Final

import msgspec

from shared.messages.answers import Answer, RequestRefused
from shared.messages.base import GAME_ID, MILLISECONDS, PLAYER_ID, Input, Stored

KEY_BYTES: Final = 20
KEY_PATTERN: Final = "^[a-z2-7]{32}$"
KEY = Annotated[str, msgspec.Meta(pattern=KEY_PATTERN)]
"""160 random bits in lower-case base 32: nobody guesses it."""


class ShareGame(Input, frozen=True, kw_only=True, tag="share-game"):
    """Make a link to a game that is over. Where there is one, it is given again."""

    game: GAME_ID
    player: PLAYER_ID


class WithdrawShare(Input, frozen=True, kw_only=True, tag="withdraw-share"):
    """Make the link to a game good for nothing, for ever."""

    game: GAME_ID
    player: PLAYER_ID


class FetchShare(Input, frozen=True, kw_only=True, tag="fetch-share"):
    """Ask for the link to an own game."""

    game: GAME_ID
    player: PLAYER_ID


class OpenShare(Input, frozen=True, kw_only=True, tag="open-share"):
    """Ask whose game a link lets one see."""

    game: GAME_ID
    key: KEY


ShareRequest = ShareGame | WithdrawShare | FetchShare | OpenShare


class GameLink(Answer, frozen=True, kw_only=True, tag="game-link"):
    """The link to a game."""

    game: GAME_ID
    key: KEY | None
    """None: there is no link."""


class OpenedShare(Answer, frozen=True, kw_only=True, tag="opened-share"):
    """The link is good. For the gateway alone, which reads the game as its player and names nobody."""

    game: GAME_ID
    player: PLAYER_ID


ShareAnswer = GameLink | OpenedShare | RequestRefused


class Share(Stored, frozen=True, kw_only=True, tag="share"):
    """What is kept of a link: the newest message of its game in the stream of links, and only that one."""

    schema: int = 1
    game: GAME_ID
    key: str
    """Empty once it is withdrawn."""
    at: MILLISECONDS
