"""One accepted WebSocket: gives the session its frames, and does what the session wants done."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Final, assert_never

from litestar.types import Receive, WebSocketDisconnectEvent
from litestar.types import Send as AsgiSend

from services.gateway import refusals
from services.gateway.backend import Backend
from services.gateway.credits import Credits
from services.gateway.effects import Ask, Close, Effect, Follow, Look, Reply, Send, Unfollow
from services.gateway.fanout import Fanout
from services.gateway.metrics import Metrics
from services.gateway.presence import Presence, Seat
from services.gateway.session import Session, SignIn, Unreadable
from services.gateway.wire import Wire, too_large
from shared.logs import Log
from shared.messages.answers import Refused, RequestRefused
from shared.messages.base import GameId
from shared.messages.frames import Bye, Hello, Leave, Ping, RefusedFrame, ServerFrame
from shared.messages.views import Step, View

HELLO_SECONDS: Final = 5.0
OUTGOING_FRAMES_MAX: Final = 256
OUTGOING_BYTES_MAX: Final = 1024 * 1024
GRACE_SECONDS: Final = 2.0
"""How long a reader that is too slow may take to read why it is disconnected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one connection may do."""

    burst: int
    frames_per_second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What all connections of one gateway share."""

    backend: Backend
    fanout: Fanout
    presence: Presence
    sign_in: SignIn
    metrics: Metrics
    log: Log
    limits: Limits
    server: str
    page: str
    """Version of the page's files."""
    clock: Callable[[], float]
    """Seconds that never go back."""
    now_ms: Callable[[], int]
    """Milliseconds since 1970."""


class Connection:
    """The shell of a session. All of its methods run on the event loop, none of them waits in the middle."""

    def __init__(self, around: Surroundings, wire: Wire, send: AsgiSend, abort: Callable[[], None]) -> None:
        limits = around.limits
        allowance = Credits.full(burst=limits.burst, per_second=limits.frames_per_second, now=around.clock())
        self._session = Session(sign_in=around.sign_in, allowance=allowance, server=around.server, page=around.page)
        self._around = around
        self._wire = wire
        self._send = send
        self._abort = abort
        self._outgoing: deque[bytes] = deque()
        self._outgoing_bytes = 0
        self._outgoing_changed = asyncio.Event()
        self._closing: Close | None = None
        self._draining = False
        self.ended = asyncio.Event()
        self._asking: set[asyncio.Task[None]] = set()

    async def serve(self, receive: Receive) -> None:
        """Works until the connection is closed by either side."""
        loop = asyncio.get_running_loop()
        writing = asyncio.create_task(self._write())
        hello = loop.call_later(HELLO_SECONDS, lambda: self._perform(self._session.hello_overdue()))
        heard, gone = self._around.now_ms(), None
        try:
            while True:
                message = await receive()
                if message["type"] == "websocket.receive":
                    heard = self._around.now_ms()
                    self._received(message.get(self._wire.kind), message.get("text") or message.get("bytes") or b"")
                    if self._outgoing:
                        await asyncio.sleep(0)  # frames that are here already are read without a pause: let some out
                elif message["type"] == "websocket.disconnect":
                    gone = heard if self._lost(message) else None
                    return
        finally:
            self.ended.set()
            hello.cancel()
            writing.cancel()
            for game in self._session.games:
                self._unfollow(game, self._session.newest(game), gone)

    def _lost(self, message: WebSocketDisconnectEvent) -> bool:
        """Nobody closed the connection: then the client was gone since it was last heard. uvicorn gives a reason, be it
        empty, only when a client has closed.
        """
        return self._closing is None and "reason" not in message

    def stepped(self, step: Step) -> None:
        self._perform(self._session.stepped(step))

    def missed(self) -> None:
        self._perform(self._session.missed())

    def drain(self) -> None:
        """Take no more commands: the gateway stops."""
        self._draining = True

    async def answered(self) -> None:
        """Waits until all commands have their answers."""
        while self._asking:
            await asyncio.wait(set(self._asking))

    def close(self, reason: Close) -> None:
        """Says bye after all frames that were sent before, then closes."""
        if self._closing is None and not self.ended.is_set():
            self._around.metrics.refused(reason.error.code)
            self._closing = reason
            self._append(Bye(error=reason.error))

    def _received(self, data: str | bytes | None, whole: str | bytes) -> None:
        if self._closing is not None:
            return
        if too_large(whole):
            self.close(Close(refusals.FRAME_TOO_LARGE, refusals.CLOSE_TOO_BIG))
            return
        frame = self._wire.decode(data)
        if self._draining and not isinstance(frame, Unreadable | Hello | Ping | Leave):
            self._put(RefusedFrame(error=refusals.GOING_AWAY, command=frame.id))
            return
        self._perform(self._session.received(frame, self._around.clock()))

    def _perform(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(frame=frame):
                    self._put(frame)
                case Ask():
                    self._start(self._ask(effect))
                case Look():
                    self._start(self._look(effect))
                case Follow(game=game):
                    if not self.ended.is_set():
                        self._follow(game)
                case Unfollow(game=game, view=view):
                    self._unfollow(game, view)
                case Close():
                    self.close(effect)
                case _:
                    assert_never(effect)

    def _follow(self, game: GameId) -> None:
        self._around.fanout.follow(game, self)
        if self._session.player is not None:
            self._around.presence.came(Seat(game, self._session.player), self)

    def _unfollow(self, game: GameId, view: View | None, since: int | None = None) -> None:
        self._around.fanout.unfollow(game, self)
        if self._session.player is not None:
            self._around.presence.left(Seat(game, self._session.player), self, view, since)

    async def _ask(self, ask: Ask) -> None:
        backend, loop = self._around.backend, asyncio.get_running_loop()
        await self._around.fanout.subscribed(ask.question.game)
        began = loop.time()
        try:
            reply: Reply = await backend.ask(ask)
        except Exception:
            self._around.log.exception("question failed", correlation_id=ask.command)
            reply = Refused(command=ask.command, error=refusals.INTERNAL)
        self._perform(self._session.answered(ask, reply))
        loop.call_soon(backend.tell, ask, reply, loop.time() - began)  # behind the frame that goes out

    async def _look(self, look: Look) -> None:
        await asyncio.sleep(look.after_seconds)
        try:
            reply = await self._around.backend.lobby(look)
        except Exception:
            self._around.log.exception("question failed", correlation_id=look.command)
            reply = RequestRefused(error=refusals.INTERNAL)
        self._perform(self._session.looked(look, reply))

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    def _put(self, frame: ServerFrame) -> None:
        if self._closing is not None or self.ended.is_set():
            return
        if isinstance(frame, RefusedFrame):
            self._around.metrics.refused(frame.error.code)
        self._append(frame)
        if len(self._outgoing) > OUTGOING_FRAMES_MAX or self._outgoing_bytes > OUTGOING_BYTES_MAX:
            self._too_slow()

    def _append(self, frame: ServerFrame) -> None:
        data = self._wire.encode(frame)
        self._outgoing.append(data)
        self._outgoing_bytes += len(data)
        self._outgoing_changed.set()

    def _too_slow(self) -> None:
        """Nobody reads: what waits is dropped (the client gets it by resuming), and the connection ends."""
        self._outgoing.clear()
        self._outgoing_bytes = 0
        self.close(Close(refusals.TOO_SLOW, refusals.CLOSE_POLICY))
        asyncio.get_running_loop().call_later(GRACE_SECONDS, self._abort)

    async def _write(self) -> None:
        with contextlib.suppress(OSError):  # the client is gone: the reading side sees it too
            while True:
                await self._outgoing_changed.wait()
                self._outgoing_changed.clear()
                while self._outgoing:
                    data = self._outgoing.popleft()
                    self._outgoing_bytes -= len(data)
                    await self._write_one(data)
                if self._closing is not None:
                    await self._send(
                        {"type": "websocket.close", "code": self._closing.code, "reason": self._closing.error.code}
                    )
                    return

    async def _write_one(self, data: bytes) -> None:
        if self._wire.kind == "text":
            await self._send({"type": "websocket.send", "bytes": None, "text": data.decode()})
        else:
            await self._send({"type": "websocket.send", "bytes": data, "text": None})
