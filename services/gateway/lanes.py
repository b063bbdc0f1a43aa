"""The order of one connection's questions about one game: the next is asked when the one before has its answer.

Two commands in flight could reach two game-states and be decided in the wrong order. A hint takes long and changes
nothing by itself, so it waits for its turn but holds nobody up.
"""

from collections import deque

import msgspec

from services.gateway.effects import Ask
from shared.messages.base import CommandId
from shared.messages.commands import AskChances, AskHint, FetchGame, JoinGame, StartGame


class Lane(msgspec.Struct):
    """Questions about one game."""

    waiting: deque[Ask] = msgspec.field(default_factory=deque)
    busy: CommandId | None = None
    """Whose answer is waited for."""

    @property
    def empty(self) -> bool:
        return self.busy is None and not self.waiting

    def add(self, ask: Ask) -> list[Ask]:
        """Returns what is to be asked now."""
        self.waiting.append(ask)
        return self._advance()

    def hurry(self, ask: Ask) -> list[Ask]:
        """The same, before all that wait already."""
        self.waiting.appendleft(ask)
        return self._advance()

    def answered(self, command: CommandId) -> list[Ask]:
        """The client has the answer to a command. Returns what is to be asked now."""
        if self.busy == command:
            self.busy = None
        return self._advance()

    def _advance(self) -> list[Ask]:
        asks: list[Ask] = []
        while self.waiting and self.busy is None:
            ask = self.waiting.popleft()
            if not isinstance(ask.question, AskHint | AskChances):
                self.busy = ask.command
            asks.append(ask)
        return asks


def opens(ask: Ask) -> bool:
    """Whether the answer can begin the following of a game."""
    return isinstance(ask.question, StartGame | FetchGame | JoinGame)
