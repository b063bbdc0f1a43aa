"""A player at a socket: sends a command, waits for its answer, and takes the time between the two."""

import time
from dataclasses import dataclass, field
from random import Random  # noqa: TID251 - seeded: the same moves in every run

import msgspec
import websockets

from shared import clock
from shared.messages.base import CommandId
from shared.messages.commands import NumberedDeal
from shared.messages.frames import (
    PROTOCOL_JSON,
    CommandFrame,
    DrawFrame,
    Hello,
    HintFrame,
    MoveFrame,
    NewGame,
    RecycleFrame,
    ServerFrame,
    StepFrame,
    Welcome,
)
from shared.messages.views import View
from shared.rules.moves import Draw, MoveCards, Recycle, parse_move

_frames = msgspec.json.Decoder(ServerFrame)


class UnexpectedError(Exception):
    """The answer is not the step that the command should have made. The text is its code, or its kind."""


@dataclass
class Player:
    """One socket with one game at a time."""

    socket: websockets.ClientConnection
    chance: Random
    deals: int = 0
    view: View | None = field(default=None)

    async def hello(self) -> None:
        """Becomes a guest."""
        answer, _ = await self._ask(Hello())
        if not isinstance(answer, Welcome):
            raise UnexpectedError(_kind(answer))

    async def new_game(self) -> float:
        """Deals a game whose number comes from the seed. Gives the time it took."""
        self.deals += 1
        deal = NumberedDeal(number=self.chance.randrange(2**31))
        return await self._step(NewGame(id=clock.new_command_id(), deal=deal))

    async def move(self) -> float:
        """Makes a legal move, in a new game when this one is at its end. Gives the time it took."""
        if self.view is None or not self.view.legal:
            await self.new_game()
        assert self.view is not None, "a step has a view"
        return await self.play(self.chance.choice(self.view.legal))

    async def play(self, text: str) -> float:
        """Makes the move of a text."""
        assert self.view is not None, "there is a game"
        return await self._step(_frame(text, clock.new_command_id(), self.view))

    async def hint(self) -> tuple[float, str | None]:
        """Asks for a hint. Gives the time it took, and the move; none when nothing is left to suggest."""
        assert self.view is not None, "there is a game"
        view = self.view
        answer, seconds = await self._ask(HintFrame(id=clock.new_command_id(), game=view.game, version=view.version))
        if not isinstance(answer, StepFrame):
            if _kind(answer) in ("no-hint", "stuck"):
                return seconds, None
            raise UnexpectedError(_kind(answer))
        self.view = answer.view
        given = answer.events[0]
        return seconds, str(getattr(given, "move", ""))

    async def _step(self, frame: NewGame | CommandFrame) -> float:
        answer, seconds = await self._ask(frame)
        if not isinstance(answer, StepFrame) or answer.command != frame.id:
            raise UnexpectedError(_kind(answer))
        self.view = answer.view
        return seconds

    async def _ask(self, frame: Hello | NewGame | CommandFrame) -> tuple[ServerFrame, float]:
        """The time holds what lies between the two sockets: encoding and decoding here are not in it."""
        data = msgspec.json.encode(frame).decode()
        began = time.perf_counter()
        await self.socket.send(data)
        answer = await self.socket.recv()
        seconds = time.perf_counter() - began
        return _frames.decode(answer), seconds


async def connect(address: str, seed: int) -> Player:
    """A player who has said hello. The seed decides deals and moves."""
    # No time-outs of the client's own, and no compression: they would be measured too.
    socket = await websockets.connect(
        address, subprotocols=[websockets.Subprotocol(PROTOCOL_JSON)], compression=None, ping_interval=None
    )
    player = Player(socket, Random(seed))  # noqa: S311 - no secret
    await player.hello()
    return player


def _frame(text: str, id_: CommandId, view: View) -> CommandFrame:
    match parse_move(text):
        case MoveCards(source=source, target=target, count=count):
            return MoveFrame(id=id_, game=view.game, version=view.version, source=source, target=target, count=count)
        case Draw():
            return DrawFrame(id=id_, game=view.game, version=view.version)
        case Recycle():
            return RecycleFrame(id=id_, game=view.game, version=view.version)


def _kind(frame: ServerFrame) -> str:
    error = getattr(frame, "error", None)
    return str(error.code) if error is not None else str(frame.__struct_config__.tag)
