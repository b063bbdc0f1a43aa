"""The socket, kept alive: it reconnects with growing, jittered pauses for as long as the program runs."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, Literal, TypeAlias

import msgspec
import websockets
from websockets.exceptions import WebSocketException

from services.cli.playing.address import Address
from services.cli.playing.decoding import Newer, decode
from services.cli.playing.link import TRIES_UNTOLD, Answer, Asked, Heard, Link, Pending
from shared import clock
from shared.messages.frames import PROTOCOL_JSON, ClientFrame, Ping, ServerFrame

State: TypeAlias = Literal["connecting", "online", "busy", "offline"]
Outbox: TypeAlias = "asyncio.Queue[ClientFrame]"

OPEN_SECONDS: Final = 8.0
PAUSE_SECONDS_MIN: Final = 0.25
PAUSE_SECONDS_MAX: Final = 8.0
PAUSE_GROWTH: Final = 1.5
FIRST_PING_MS: Final = 5_000
"""Until the server says how often it wants to be asked."""
FRAME_BYTES_MAX: Final = 8 * 1024 * 1024
"""A whole game's missed steps fit."""
OUTBOX_FRAMES_MAX: Final = 256
"""More than the commander lets wait, with pings."""


class Client:
    """Asks, and tells what was heard."""

    def __init__(
        self, address: Address, link: Link, heard: Callable[[Heard], None], changed: Callable[[], None]
    ) -> None:
        self.address = address
        self.link = link
        self.state: State = "connecting"
        self._heard = heard
        self._changed = changed
        self._answers: dict[str, asyncio.Future[Answer]] = {}
        self._outbox: Outbox | None = None
        self._hurried = asyncio.Event()
        self._later: set[asyncio.Task[None]] = set()
        self._ping_seconds = FIRST_PING_MS / 1_000

    async def run(self) -> None:
        """Connects, and connects again, until it is cancelled."""
        failures = 0
        while True:
            try:
                async with websockets.connect(
                    self.address.socket,
                    subprotocols=[websockets.Subprotocol(PROTOCOL_JSON)],
                    compression=None,
                    open_timeout=OPEN_SECONDS,
                    ping_interval=None,  # the protocol has its own
                    max_size=FRAME_BYTES_MAX,
                ) as socket:
                    await self._talk(socket)
            except (OSError, WebSocketException, TimeoutError, msgspec.DecodeError):
                pass
            failures = 0 if self.link.signed_in else failures + 1
            self.link.lost()
            self._outbox = None
            self._become("offline")
            await self._rest(_pause(failures))

    async def ask(self, frame: Asked) -> Answer:
        """The answer to a command, over as many connections as that takes."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._answers[frame.id] = answer
        self._post(self.link.ask(frame))
        return await answer

    def hurry(self) -> None:
        """The player is there: does not wait for the pause to end."""
        self._hurried.set()

    async def _rest(self, seconds: float) -> None:
        await asyncio.sleep(min(seconds, PAUSE_SECONDS_MIN))  # a key held down does not storm the server
        self._hurried.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._hurried.wait()

    async def _talk(self, socket: websockets.ClientConnection) -> None:
        outbox: Outbox = asyncio.Queue(OUTBOX_FRAMES_MAX)
        self._outbox = outbox
        await _send(socket, self.link.hello())
        async with _beside(_deliver(socket, outbox), self._ping(socket)):
            while True:
                async with asyncio.timeout(2 * self._ping_seconds):
                    data = await socket.recv()
                self._take(decode(data))

    def _take(self, frame: ServerFrame | Newer) -> None:
        if isinstance(frame, Newer):
            self._heard(Heard(newer=frame.matters))
            return
        heard = self.link.hear(frame)
        if heard.welcome:
            self._ping_seconds = heard.welcome.ping_ms / 1_000
            self._become("online")
        if heard.again:
            if heard.again.tries > TRIES_UNTOLD:
                self._become("busy")
            self._try_later(heard.again)
        elif heard.answer or heard.change:
            self._become("online")
        self._post(heard.send)
        self._heard(heard)
        if heard.answer and heard.answered:
            answer = self._answers.pop(heard.answered.id, None)
            if answer and not answer.done():
                answer.set_result(heard.answer)

    def _post(self, frames: Iterable[ClientFrame]) -> None:
        for frame in frames:
            if self._outbox is not None:
                self._outbox.put_nowait(frame)

    def _try_later(self, pending: Pending) -> None:
        async def later() -> None:
            await asyncio.sleep(_pause(pending.tries))
            self._post(self.link.still_asked(pending))

        task = asyncio.create_task(later())
        self._later.add(task)
        task.add_done_callback(self._later.discard)

    async def _ping(self, socket: websockets.ClientConnection) -> None:
        while True:
            await asyncio.sleep(self._ping_seconds)
            await _send(socket, Ping())

    def _become(self, state: State) -> None:
        if state != self.state:
            self.state = state
            self._changed()


async def _deliver(socket: websockets.ClientConnection, outbox: Outbox) -> None:
    while True:
        await _send(socket, await outbox.get())


async def _send(socket: websockets.ClientConnection, frame: ClientFrame) -> None:
    await socket.send(msgspec.json.encode(frame).decode())


class _beside:  # noqa: N801 - used as a statement
    """Runs tasks for as long as a block does. They end by themselves only with the connection, which ends the block."""

    def __init__(self, *work: Awaitable[None]) -> None:
        self._work = work

    async def __aenter__(self) -> None:
        self._tasks = [asyncio.ensure_future(one) for one in self._work]

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _pause(failures: int) -> float:
    longest: float = min(PAUSE_SECONDS_MAX, PAUSE_SECONDS_MIN * PAUSE_GROWTH**failures)
    return longest * (0.5 + clock.jitter())
