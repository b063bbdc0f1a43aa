"""Gateways for tests, on real servers and with real sockets, and a client that plays as any other would."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

import msgspec
import websockets
from nats.aio.client import Client

from services.gateway.app import Gateway
from services.gateway.handshake import SOCKET_PATH
from services.gateway.wire import WIRES
from shared import clock
from shared.logs import Log
from shared.messages.base import CommandId, GameId
from shared.messages.frames import (
    PROTOCOL_JSON,
    Bye,
    ChancesFrame,
    ClientFrame,
    CommandFrame,
    ContinueFrame,
    DrawFrame,
    Hello,
    HintFrame,
    Join,
    JoinCode,
    MoveFrame,
    NewGame,
    PauseFrame,
    QuickMatch,
    RecycleFrame,
    RedoFrame,
    RefusedFrame,
    Repeated,
    ResignFrame,
    Resume,
    Resumed,
    ServerFrame,
    StepFrame,
    UndoFrame,
    Watch,
    Welcome,
)
from shared.messages.views import View
from shared.rules.moves import Draw, MoveCards, Recycle, parse_move
from shared.settings import GatewaySettings
from tests.integration.services import Life

ANSWER_SECONDS = 15.0
SETTINGS = GatewaySettings(port=0, frames_burst=100_000, token_secret="the same on every gateway")
Answered: TypeAlias = NewGame | Resume | Join | JoinCode | QuickMatch | Watch | CommandFrame
Answer: TypeAlias = StepFrame | Repeated | Resumed | RefusedFrame
Frame = TypeVar("Frame", bound=ServerFrame)
_json = msgspec.json.Decoder(ServerFrame)
_msgpack = msgspec.msgpack.Decoder(ServerFrame)


@dataclass(frozen=True)
class Running:
    """A gateway that serves, and the way to stop it."""

    address: str
    stopping: asyncio.Event
    serving: asyncio.Task[None]

    @property
    def socket(self) -> str:
        return self.address.replace("http", "ws", 1) + SOCKET_PATH

    async def stop(self) -> None:
        self.stopping.set()
        await self.serving


@asynccontextmanager
async def gateway(nc: Client, log: Log, settings: GatewaySettings | None = None) -> AsyncIterator[Running]:
    """One instance, serving until the block ends."""
    life = Life()
    made = Gateway(life.context("gateway", settings or SETTINGS, nc, log))
    serving = asyncio.create_task(made.serve())
    await life.ready.wait()
    running = Running(made.address, life.stopping, serving)
    try:
        yield running
    finally:
        await running.stop()


@dataclass
class Player:
    """One socket of one player: sends frames, keeps the newest view, and checks that versions have no gap."""

    socket: websockets.ClientConnection
    token: str = ""
    view: View | None = None
    seen: list[ServerFrame] = field(default_factory=list)

    @property
    def signed(self) -> dict[str, str]:
        """The same player's header over HTTP."""
        return {"Authorization": f"Bearer {self.token}"}

    async def send(self, frame: ClientFrame) -> None:
        assert self.socket.subprotocol is not None
        wire = WIRES[str(self.socket.subprotocol)]
        encode = msgspec.json.encode if wire.kind == "text" else msgspec.msgpack.encode
        data = encode(frame)
        await self.socket.send(data.decode() if wire.kind == "text" else data)

    async def receive(self) -> ServerFrame:
        async with asyncio.timeout(ANSWER_SECONDS):
            data = await self.socket.recv()
        frame = _json.decode(data) if isinstance(data, str) else _msgpack.decode(data)
        self.seen.append(frame)
        match frame:
            case StepFrame(version=version, view=view):
                assert self.view is None or self.view.game != view.game or version == self.view.version + 1
                self.view = view
            case Resumed(view=view):
                self.view = view
            case _:
                pass
        return frame

    async def expect(self, kind: type[Frame]) -> Frame:
        """The next frame, which must be of this kind."""
        frame = await self.receive()
        assert isinstance(frame, kind), frame
        return frame

    async def answer(self, command: CommandId) -> Answer:
        """The frame that answers a command; steps of others may come before."""
        while True:
            frame = await self.receive()
            if isinstance(frame, StepFrame | Repeated | Resumed | RefusedFrame) and frame.command == command:
                return frame

    async def ask(self, frame: Answered) -> Answer:
        """Sends a frame and waits for its answer."""
        await self.send(frame)
        return await self.answer(frame.id)

    async def new_game(self) -> View:
        return made(await self.ask(NewGame(id=clock.new_command_id()))).view

    async def resume(self, game: GameId, version: int | None = None) -> Resumed:
        answer = await self.ask(Resume(id=clock.new_command_id(), game=game, version=version))
        assert isinstance(answer, Resumed), answer
        return answer

    async def play(self, move: str) -> Answer:
        return await self.ask(self.frame(move))

    def frame(self, move: str, version: int | None = None) -> CommandFrame:
        """The frame for a move's text, or for the name of what is no move, on the newest view."""
        assert self.view is not None
        id_, game = clock.new_command_id(), self.view.game
        at = self.view.version if version is None else version
        plain: dict[str, Callable[..., CommandFrame]] = {
            "undo": UndoFrame,
            "redo": RedoFrame,
            "hint": HintFrame,
            "chances": ChancesFrame,
            "pause": PauseFrame,
            "continue": ContinueFrame,
            "resign": ResignFrame,
        }
        if move in plain:
            return plain[move](id=id_, game=game, version=at)
        match parse_move(move):
            case Draw():
                return DrawFrame(id=id_, game=game, version=at)
            case Recycle():
                return RecycleFrame(id=id_, game=game, version=at)
            case MoveCards(source=source, target=target, count=count):
                return MoveFrame(id=id_, game=game, version=at, source=source, target=target, count=count)

    async def bye(self) -> Bye:
        """The last frame, then the closed connection."""
        while True:
            frame = await self.receive()
            if isinstance(frame, Bye):
                await self.socket.wait_closed()
                return frame


def made(frame: ServerFrame) -> StepFrame:
    assert isinstance(frame, StepFrame), frame
    return frame


def code(frame: ServerFrame) -> str:
    assert isinstance(frame, RefusedFrame), frame
    return frame.error.code


@asynccontextmanager
async def player(
    at: Running, token: str | None = None, protocol: str = PROTOCOL_JSON, *, hello: bool = True
) -> AsyncIterator[Player]:
    """A socket that has said hello."""
    async with websockets.connect(
        at.socket, subprotocols=[websockets.Subprotocol(protocol)], max_size=None, compression=None
    ) as socket:
        one = Player(socket)
        if hello:
            await one.send(Hello(token=token))
            one.token = (await one.expect(Welcome)).token
        yield one
