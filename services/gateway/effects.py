"""What a session wants done. The session decides, `sockets` does."""

import msgspec

from shared.messages.answers import Accepted, Fetched, Refused
from shared.messages.base import CommandId, GameId
from shared.messages.commands import AnyCommand, FetchGame
from shared.messages.errors import Error
from shared.messages.frames import ServerFrame
from shared.messages.lobby import LobbyRequest
from shared.messages.views import View

Question = AnyCommand | FetchGame
Reply = Accepted | Refused | Fetched


class Send(msgspec.Struct, frozen=True):
    """Send a frame to the client, after all that were sent before."""

    frame: ServerFrame


class Ask(msgspec.Struct, frozen=True):
    """Ask game-state and give the answer to `Session.answered`, whatever it is, exactly once."""

    question: Question
    command: CommandId | None = None
    """The client's command (or `resume`) that waits for this. None: the gateway itself closes a gap."""


class Look(msgspec.Struct, frozen=True):
    """Ask game-state for a game that waits, and give the answer to `Session.looked`, exactly once."""

    question: LobbyRequest
    command: CommandId
    """The client's frame that waits for it."""
    after_seconds: float = 0.0


class Follow(msgspec.Struct, frozen=True):
    """Give the steps of a game to `Session.stepped` from now on; before the next question about it is asked."""

    game: GameId


class Unfollow(msgspec.Struct, frozen=True):
    """The steps of a game are not needed any more."""

    game: GameId
    view: View | None = None
    """The game as it is now, if that is known."""


class Close(msgspec.Struct, frozen=True):
    """Say `bye` and close with this code."""

    error: Error
    code: int


Effect = Send | Ask | Look | Follow | Unfollow | Close
