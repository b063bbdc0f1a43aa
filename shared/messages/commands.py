"""Commands and requests to game-state. The gateway sets the player from the token; a client never can."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from shared.messages.base import COMMAND_ID, DAY, GAME_ID, MILLISECONDS, PLAYER_ID, VERSION, Input
from shared.rules.piles import Pile

Mode = Literal["ranked", "relaxed"]

DEAL_NUMBER_MAX = 2**53 - 1
"""The largest whole number that every client can hold exactly."""


class SecretDeal(msgspec.Struct, frozen=True, kw_only=True, tag="secret", tag_field="type", forbid_unknown_fields=True):
    """A deal that nobody knows before the end: the server's secret, mixed with the player's own seed."""

    player_seed: Annotated[str, msgspec.Meta(max_length=64)] = ""


class WinnableDeal(
    msgspec.Struct, frozen=True, kw_only=True, tag="winnable", tag_field="type", forbid_unknown_fields=True
):
    """A secret deal that the solver has proved winnable. Deals that are lost are left out, so it enters no ranking."""

    player_seed: Annotated[str, msgspec.Meta(max_length=64)] = ""


class NumberedDeal(
    msgspec.Struct, frozen=True, kw_only=True, tag="number", tag_field="type", forbid_unknown_fields=True
):
    """The same deal for everybody who names the number. Anybody can know its cards, so it enters no ranking."""

    number: Annotated[int, msgspec.Meta(ge=0, le=DEAL_NUMBER_MAX)]
    day: DAY | UnsetType = UNSET
    """It is played as the deal of this day. A game begins so only if it is the day's number."""


Deal = SecretDeal | WinnableDeal | NumberedDeal


class Command(Input, frozen=True, kw_only=True):
    """What every command carries. `version` is the version of the game that the player saw when deciding."""

    id: COMMAND_ID
    game: GAME_ID
    player: PLAYER_ID
    version: VERSION


class StartGame(Command, frozen=True, kw_only=True, tag="start-game"):
    """Deal a new game. `version` is 0; `game` is `new_game_id(player, id)`.

    Variant, scoring and mode are checked against the tables of the rules, not by the schema: an unknown one is
    answered with an error that names it.
    """

    variant: str
    scoring: str
    mode: str
    deal: Deal = SecretDeal()


class MoveCards(Command, frozen=True, kw_only=True, tag="move-cards"):
    """Move the `count` topmost cards of a pile onto another."""

    source: Pile
    target: Pile
    count: Annotated[int, msgspec.Meta(ge=1, le=104)] = 1


class DrawCards(Command, frozen=True, kw_only=True, tag="draw-cards"):
    """Turn cards from the stock onto the waste."""


class RecycleStock(Command, frozen=True, kw_only=True, tag="recycle-stock"):
    """Turn the waste over as the new stock."""


class JoinGame(Command, frozen=True, kw_only=True, tag="join-game"):
    """Take the free seat of a game for two. `version` is 1: a game that waits has no other."""


class ClaimAbsence(Command, frozen=True, kw_only=True, tag="claim-absence"):
    """Have the other player, who has been away for as long as the game states, taken for resigned."""


class UndoMove(Command, frozen=True, kw_only=True, tag="undo-move"):
    """Take the last move back."""


class RedoMove(Command, frozen=True, kw_only=True, tag="redo-move"):
    """Make the move again that was taken back last."""


class Resign(Command, frozen=True, kw_only=True, tag="resign"):
    """Give the game up."""


Strength = Literal["instant", "strong"]
"""How a hint is found: by the preferences of the rules, or by search in worlds that the hidden cards may make."""


class AskHint(Command, frozen=True, kw_only=True, tag="ask-hint"):
    """Ask for a hint. It becomes help, and part of the history, when it is given."""

    strength: Strength = "instant"


class AskChances(Command, frozen=True, kw_only=True, tag="ask-chances"):
    """Ask whether there is still a way to win. The answer is help, and part of the history, like a hint."""


PauseReason = Literal["player", "absence"]
"""Why a clock stands still: the player wished it, or is not there."""


class PauseGame(Command, frozen=True, kw_only=True, tag="pause-game"):
    """Stop the clock. `version` is the newest one: it says from when on nothing was done."""

    reason: PauseReason
    since: MILLISECONDS | None = None
    """From when on no time counts; none: from now on. It is held between the newest record and now."""


class ContinueGame(Command, frozen=True, kw_only=True, tag="continue-game"):
    """Let the clock run on. `version` is the newest one, as for a pause."""


AnyCommand = (
    StartGame
    | MoveCards
    | DrawCards
    | RecycleStock
    | UndoMove
    | RedoMove
    | Resign
    | AskHint
    | AskChances
    | PauseGame
    | ContinueGame
    | JoinGame
    | ClaimAbsence
)


class FetchGame(Input, frozen=True, kw_only=True, omit_defaults=True, tag="fetch-game"):
    """Ask for a game's view. With `since`, also for the steps after that version, up to `upto` if that is given.

    `watch`: a game for two may be seen by anybody who knows its id; who does not play sees what both players may.
    """

    game: GAME_ID
    player: PLAYER_ID
    since: VERSION | None = None
    upto: VERSION | None = None
    watch: bool = False
