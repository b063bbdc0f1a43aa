"""Frames of the WebSocket, both ways: JSON or MessagePack by subprotocol, the same structs.

A client's command is answered by exactly one frame that carries its id as `command`: `step`, `repeated`, `resumed`,
or `refused`.
"""

from typing import Annotated, Final

import msgspec
from msgspec import UNSET, UnsetType

from shared.messages.base import CODE, COMMAND_ID, GAME_ID, PLAYER_ID, SEAT, VERSION, Input
from shared.messages.commands import Deal, SecretDeal, Strength
from shared.messages.errors import Error
from shared.messages.events import AnyEvent
from shared.messages.views import PastStep, View
from shared.rules.piles import Pile

PROTOCOL_JSON: Final = "klondike.v1.json"
PROTOCOL_MSGPACK: Final = "klondike.v1.msgpack"
FRAME_BYTES_MAX: Final = 16 * 1024

NAME = Annotated[str, msgspec.Meta(max_length=32)]


class Hello(Input, frozen=True, kw_only=True, tag="hello"):
    """Always the first frame. Without a token the gateway makes a new guest."""

    token: Annotated[str, msgspec.Meta(max_length=512)] | None = None


class Ping(Input, frozen=True, kw_only=True, tag="ping"):
    """Answered by `pong`, so that a dead connection shows."""

    nonce: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)] = 0


class NewGame(Input, frozen=True, kw_only=True, tag="new-game"):
    """Deal a game and follow it."""

    id: COMMAND_ID
    variant: NAME = "draw1"
    scoring: NAME = "standard"
    mode: NAME = "relaxed"
    deal: Deal = SecretDeal()


class Resume(Input, frozen=True, kw_only=True, tag="resume"):
    """Follow a game, and get what came after `version`; without it, or too long ago, the whole view."""

    id: COMMAND_ID
    game: GAME_ID
    version: VERSION | None = None


class Join(Input, frozen=True, kw_only=True, tag="join"):
    """Take the free seat of a game for two, and follow it. The game is what an invitation's link names."""

    id: COMMAND_ID
    game: GAME_ID


class JoinCode(Input, frozen=True, kw_only=True, tag="join-code"):
    """The same by an invitation's short code."""

    id: COMMAND_ID
    code: CODE


class QuickMatch(Input, frozen=True, kw_only=True, tag="quick-match"):
    """Join whoever has waited longest for the same game for two, or start one that waits for the next."""

    id: COMMAND_ID
    variant: NAME = "double"
    scoring: NAME = "standard"


class Watch(Input, frozen=True, kw_only=True, tag="watch"):
    """Follow a game for two that others play, as `resume` does one's own. A view of it has no legal moves."""

    id: COMMAND_ID
    game: GAME_ID
    version: VERSION | None = None


class Leave(Input, frozen=True, kw_only=True, tag="leave"):
    """Stop following a game. Not answered."""

    game: GAME_ID


class GameFrame(Input, frozen=True, kw_only=True):
    """What every command about a game carries. `version`: the newest that the client has."""

    id: COMMAND_ID
    game: GAME_ID
    version: VERSION


class MoveFrame(GameFrame, frozen=True, kw_only=True, tag="move"):
    """Move the `count` topmost cards of a pile onto another."""

    source: Pile
    target: Pile
    count: Annotated[int, msgspec.Meta(ge=1, le=104)] = 1


class DrawFrame(GameFrame, frozen=True, kw_only=True, tag="draw"):
    """Turn cards from the stock onto the waste."""


class RecycleFrame(GameFrame, frozen=True, kw_only=True, tag="recycle"):
    """Turn the waste over as the new stock."""


class UndoFrame(GameFrame, frozen=True, kw_only=True, tag="undo"):
    """Take the last move back."""


class RedoFrame(GameFrame, frozen=True, kw_only=True, tag="redo"):
    """Make the move again that was taken back last."""


class ResignFrame(GameFrame, frozen=True, kw_only=True, tag="resign"):
    """Give the game up."""


class HintFrame(GameFrame, frozen=True, kw_only=True, tag="hint"):
    """Ask for a hint: it comes as the event `hint-given` of a step."""

    strength: Strength = "instant"


class ChancesFrame(GameFrame, frozen=True, kw_only=True, tag="chances"):
    """Ask whether there is still a way to win: it comes as the event `chances-given` of a step."""


class PauseFrame(GameFrame, frozen=True, kw_only=True, tag="pause"):
    """Stop the clock until `continue`. Nothing but that, and `resign`, can be done meanwhile."""


class ContinueFrame(GameFrame, frozen=True, kw_only=True, tag="continue"):
    """End a pause."""


class ClaimFrame(GameFrame, frozen=True, kw_only=True, tag="claim"):
    """Have the other player, who has been away for as long as the game states, taken for resigned."""


CommandFrame = (
    MoveFrame
    | DrawFrame
    | RecycleFrame
    | UndoFrame
    | RedoFrame
    | ResignFrame
    | HintFrame
    | ChancesFrame
    | PauseFrame
    | ContinueFrame
    | ClaimFrame
)
ClientFrame = Hello | Ping | NewGame | Resume | Join | JoinCode | QuickMatch | Watch | Leave | CommandFrame


class Output(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """A frame of the server. Clients skip fields that they do not know."""


class Welcome(Output, frozen=True, kw_only=True, tag="welcome"):
    """The answer to `hello`. Keep the token: it is the player."""

    player: PLAYER_ID
    token: str
    server: str
    """Version of the server."""
    ping_ms: int
    """A client that heard nothing for twice this long has lost the connection."""
    page: str = ""
    """Version of the page's files that the server has. A page of another one asks to be loaded again."""


class Pong(Output, frozen=True, kw_only=True, tag="pong"):
    """The answer to `ping`."""

    nonce: int


class StepFrame(Output, frozen=True, kw_only=True, tag="step"):
    """The next version of a game: without gaps for every game that is followed. A new game's first frame, too."""

    game: GAME_ID
    version: VERSION
    command: COMMAND_ID
    at: int
    events: tuple[AnyEvent, ...]
    view: View
    seat: SEAT | UnsetType = UNSET
    """Of games for two: whose command it was."""


class Repeated(Output, frozen=True, kw_only=True, tag="repeated"):
    """The command had been accepted before; it was not done twice."""

    game: GAME_ID
    version: VERSION
    """The version that the command made."""
    command: COMMAND_ID
    view: View
    """The game as it is now."""


class Resumed(Output, frozen=True, kw_only=True, tag="resumed"):
    """The game as it is now. `steps`: all versions after the one named, without gaps; none when too long ago.

    Sent without a `command` when the server itself had to close a gap.
    """

    game: GAME_ID
    version: VERSION
    view: View
    command: COMMAND_ID | None = None
    steps: tuple[PastStep, ...] | None = None


class RefusedFrame(Output, frozen=True, kw_only=True, tag="refused", omit_defaults=True):
    """Nothing was done. Without `command` where the frame was not readable enough to have an id."""

    error: Error
    command: COMMAND_ID | None = None
    game: GAME_ID | None = None
    version: VERSION | None = None
    """The game's current version: get it by `resume` when it is not yours."""


class Bye(Output, frozen=True, kw_only=True, tag="bye"):
    """The last frame before the server closes, with the reason."""

    error: Error


ServerFrame = Welcome | Pong | StepFrame | Repeated | Resumed | RefusedFrame | Bye
