"""What the dealer is asked: for deals that are proved winnable, and what the solver says of a game that is over."""

from typing import Annotated, Literal

import msgspec

from shared.messages.answers import Answer, RequestRefused
from shared.messages.base import DAY, GAME_ID, PLAYER_ID, VERSION, Input
from shared.messages.events import Result
from shared.messages.imports import ImportedGame, Misplayed, PlayedAgain

SECRET_TEXT = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
"""32 bytes, hexadecimal."""


class TakeWinnable(Input, frozen=True, kw_only=True, tag="take-winnable"):
    """Take a secret whose deal can be won. Each answer is another one, so a repeated request costs a deal."""

    variant: str
    player_seed: Annotated[str, msgspec.Meta(max_length=64)] = ""


class WinnableSecret(Answer, frozen=True, kw_only=True, tag="winnable-secret"):
    """A secret that nobody else was given. With the seed it was asked for, its deal can be won."""

    secret: SECRET_TEXT


WinnableAnswer = WinnableSecret | RequestRefused


class FetchDaily(Input, frozen=True, kw_only=True, tag="fetch-daily"):
    """Ask for the deal of a day. Without a day: today, UTC."""

    variant: str
    day: DAY | None = None


class DailyDeal(Answer, frozen=True, kw_only=True, tag="daily-deal"):
    """The number of the deal that everybody plays on a day."""

    variant: str
    day: DAY
    number: int
    certified: bool = True
    """It is proved that it can be won. False for variants that the solver does not play: any deal."""


DailyAnswer = DailyDeal | RequestRefused


class FetchVerdict(Input, frozen=True, kw_only=True, tag="fetch-verdict"):
    """Ask what the solver says of a player's game that is over."""

    game: GAME_ID
    player: PLAYER_ID


class LosingMove(msgspec.Struct, frozen=True, kw_only=True):
    """The move after which a game could not be won any more."""

    number: int
    """Of the moves that stand at the end, from 1."""
    version: VERSION
    """The version of the game that it made."""
    move: str
    """In text form, such as `T3>T5`."""


class GameVerdict(Answer, frozen=True, kw_only=True, tag="game-verdict"):
    """Until when a game that is over could be won, had all cards been known.

    The line of play that counts is made of the moves that stand at the end: what was taken back and not made again is
    left out. Positions are counted by the moves made: 0 is the deal, `moves` the end. Once a position cannot be won,
    none after it can. Both bounds are proved; what lies between them could not be decided.
    """

    game: GAME_ID
    version: VERSION
    """The game's last."""
    result: Result
    moves: int
    winnable_through: int | None
    """The last position that can be won; none: not even of the deal it is proved that it can."""
    lost_from: int | None
    """The first position that cannot be won; none: it is proved of none."""
    lost_by: LosingMove | None = None
    """The move between the two, when nothing lies between them."""
    way_out: tuple[str, ...] = ()
    """Moves that win from the position `winnable_through`, where the player did not."""
    undecided: Literal["budget", "variant"] | None = None
    """Why there is something between the bounds: the search had to end, or the solver does not play this variant."""


VerdictAnswer = GameVerdict | RequestRefused


class PlayAgain(Input, frozen=True, kw_only=True, tag="play-again"):
    """Ask for a game from a file to be played again by the rules."""

    game: ImportedGame


class JudgeImported(Input, frozen=True, kw_only=True, tag="judge-imported"):
    """Ask what the solver says of a game from a file, which was played again before."""

    game: ImportedGame


ImportRequest = PlayAgain | JudgeImported
ImportAnswer = PlayedAgain | Misplayed | GameVerdict | RequestRefused
