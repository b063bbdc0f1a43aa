"""The client's side of the protocol, without a socket: what to send, what a frame means, what is not answered yet.

Nothing is lost and nothing done twice: a command stays until it is answered, and after a break it is sent again with
the same id, behind a `resume` from the version that is on the table.
"""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from shared import clock
from shared.messages.base import CommandId, PlayerId
from shared.messages.errors import Error
from shared.messages.events import AnyEvent
from shared.messages.frames import (
    Bye,
    ChancesFrame,
    ClientFrame,
    CommandFrame,
    Hello,
    HintFrame,
    Leave,
    NewGame,
    Pong,
    RefusedFrame,
    Repeated,
    Resume,
    Resumed,
    ServerFrame,
    StepFrame,
    Welcome,
)
from shared.messages.views import View

Asked: TypeAlias = NewGame | Resume | CommandFrame
Answer: TypeAlias = StepFrame | Repeated | Resumed | RefusedFrame

TRIES_MAX: Final = 8
"""How often a command is sent again after an answer that says "not now" or "nobody knows"."""
TRIES_UNTOLD: Final = 2
"""After more tries than these the player is told that the server is busy."""
_NOT_NOW: Final = frozenset({"unavailable", "outcome-unknown", "too-many-requests", "going-away", "not-signed-in"})


@dataclass
class Pending:
    """A command without an answer."""

    frame: Asked
    tries: int = 0


@dataclass(frozen=True)
class Change:
    """Another position on the table."""

    view: View
    before: View | None
    """The one before, of the same game."""
    events: tuple[AnyEvent, ...]


@dataclass
class Heard:
    """What came of a frame."""

    send: list[ClientFrame] = field(default_factory=list)
    """To be sent now, in this order."""
    again: Pending | None = None
    """To be sent once more after a pause."""
    answered: Asked | None = None
    """The command that `answer` answers."""
    answer: Answer | None = None
    change: Change | None = None
    welcome: Welcome | None = None
    bye: Error | None = None
    newer: bool = False
    """There was something that only a newer client knows, and it matters."""
    stranger: bool = False
    """The server does not know the token. The next `hello` makes a new guest."""


class Link:
    """One player on one server, over as many connections as it takes."""

    def __init__(self, token: str | None) -> None:
        self.token = token
        self.player: PlayerId | None = None
        self.view: View | None = None
        """The newest of the game that is on the table."""
        self.signed_in = False
        self._pending: dict[CommandId, Pending] = {}

    @property
    def waits(self) -> int:
        """How many commands have no answer yet."""
        return len(self._pending)

    def hello(self) -> Hello:
        """The first frame of a connection."""
        self.signed_in = False
        return Hello(token=self.token)

    def lost(self) -> None:
        """The connection is gone."""
        self.signed_in = False

    def ask(self, frame: Asked) -> list[ClientFrame]:
        """Takes a command. Gives what to send now: nothing while there is no connection."""
        self._pending[frame.id] = Pending(frame)
        return [frame] if self.signed_in else []

    def still_asked(self, pending: Pending) -> list[ClientFrame]:
        """What to send when the pause before another try is over."""
        return [pending.frame] if self.signed_in and pending.frame.id in self._pending else []

    def hear(self, frame: ServerFrame) -> Heard:
        """Takes a frame of the server."""
        match frame:
            case Welcome():
                return self._welcomed(frame)
            case Pong():
                return Heard()
            case Bye(error=error) | RefusedFrame(error=error) if error.code == "bad-token":
                self.token = None
                return Heard(bye=error, stranger=True)
            case Bye(error=error):
                return Heard(bye=error)
            case StepFrame() | Repeated() | Resumed() | RefusedFrame():
                return self._answered(frame)

    def _welcomed(self, frame: Welcome) -> Heard:
        self.signed_in, self.token, self.player = True, frame.token, frame.player
        unanswered: list[ClientFrame] = [pending.frame for pending in self._pending.values()]
        if self.view is None:
            return Heard(send=unanswered, welcome=frame)
        return Heard(send=[self._resume(self.view), *unanswered], welcome=frame)

    def _answered(self, frame: Answer) -> Heard:
        pending = self._pending.get(frame.command) if frame.command else None
        if pending and isinstance(frame, RefusedFrame) and _not_now(pending, frame.error):
            pending.tries += 1
            return Heard(again=pending)
        heard = Heard()
        if pending:
            del self._pending[pending.frame.id]
            heard.answered, heard.answer = pending.frame, frame
        if not isinstance(frame, RefusedFrame):
            self._take(frame, heard)
        return heard

    def _take(self, frame: StepFrame | Repeated | Resumed, heard: Heard) -> None:
        """A game's view: the next one of what is on the table, or the first of what was asked for."""
        current = self.view
        if current is None or current.game != frame.game:
            if isinstance(heard.answered, NewGame | Resume):
                self._begin(frame, heard)
        elif isinstance(frame, Repeated) or frame.version <= current.version:
            pass  # what it made has come, or comes, with a step or with the answer to `resume`
        elif isinstance(frame, StepFrame) and frame.version > current.version + 1:
            heard.send.append(self._resume(current))
        else:
            events = frame.events if isinstance(frame, StepFrame) else _missed(frame)
            self._change(frame.view, current, events, heard)

    def _begin(self, frame: StepFrame | Repeated | Resumed, heard: Heard) -> None:
        if self.view is not None:
            heard.send.append(Leave(game=self.view.game))
        if isinstance(frame, Repeated):  # this connection does not follow the game yet
            heard.send.append(self._resume(frame.view))
        events = frame.events if isinstance(frame, StepFrame) else ()
        self._change(frame.view, None, events, heard)

    def _change(self, view: View, before: View | None, events: tuple[AnyEvent, ...], heard: Heard) -> None:
        self.view = view
        heard.change = Change(view, before, events)

    def _resume(self, view: View) -> Resume:
        frame = Resume(id=clock.new_command_id(), game=view.game, version=view.version)
        self._pending[frame.id] = Pending(frame)
        return frame


def _missed(frame: Resumed) -> tuple[AnyEvent, ...]:
    return tuple(event for step in frame.steps or () for event in step.events)


def _not_now(pending: Pending, error: Error) -> bool:
    """Whether to try again. What needs a worker is not tried: it is quicker to play on than to wait for it."""
    in_vain = isinstance(pending.frame, HintFrame | ChancesFrame) and error.code == "unavailable"
    return error.code in _NOT_NOW and not in_vain and pending.tries < TRIES_MAX
