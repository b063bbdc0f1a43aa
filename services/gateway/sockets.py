"""The gateway's WebSocket endpoint: the handshake, and all connections until the gateway stops."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Final

import msgspec
from litestar.types import Receive, WebSocketScope
from litestar.types import Send as AsgiSend

from services.gateway import refusals
from services.gateway.connection import Connection, Surroundings
from services.gateway.effects import Close
from services.gateway.handshake import SOCKET_PATH, agree
from services.gateway.problems import status_of
from services.gateway.wire import Wire
from shared.messages.errors import Error

ANSWERS_SECONDS: Final = 3.0
"""How long a stop waits for the answers of commands that are under way."""
FAREWELL_SECONDS: Final = 1.0


class Sockets:
    """The ASGI application of `/ws`."""

    def __init__(self, around: Surroundings, *, allowed_origins: frozenset[str], sockets_max: int) -> None:
        self._around = around
        self._allowed_origins = allowed_origins
        self._sockets_max = sockets_max
        self._open: set[Connection] = set()
        self._stopping = False

    async def __call__(self, scope: WebSocketScope, receive: Receive, send: AsgiSend) -> None:
        await receive()  # websocket.connect
        wire = self._admit(scope)
        if isinstance(wire, Error):
            self._around.metrics.refused(wire.code)
            await _reject(send, wire)
            return
        await send({"type": "websocket.accept", "subprotocol": wire.name, "headers": []})
        connection = Connection(self._around, wire, send, scope["state"]["abort"])
        self._open.add(connection)
        self._around.metrics.sockets.set(len(self._open))
        try:
            await connection.serve(receive)
        finally:
            self._open.discard(connection)
            self._around.metrics.sockets.set(len(self._open))

    async def stop(self) -> None:
        """Take no more commands, let those under way be answered, say bye, wait for the sockets to close."""
        self._stopping = True
        for connection in self._open:
            connection.drain()
        await _within(ANSWERS_SECONDS, [connection.answered() for connection in self._open])
        for connection in self._open:
            connection.close(Close(refusals.GOING_AWAY, refusals.CLOSE_GOING_AWAY))
        await _within(FAREWELL_SECONDS, [connection.ended.wait() for connection in self._open])

    def _admit(self, scope: WebSocketScope) -> Wire | Error:
        if scope["path"] != SOCKET_PATH:
            return refusals.NOT_FOUND
        if self._stopping:
            return refusals.GOING_AWAY
        if len(self._open) >= self._sockets_max:
            return refusals.TOO_MANY_SOCKETS
        return agree(list(scope["headers"]), scope["subprotocols"], self._allowed_origins)


async def _within(seconds: float, waits: Iterable[Coroutine[None, None, object]]) -> None:
    tasks = [asyncio.create_task(wait) for wait in waits]
    if tasks:
        await asyncio.wait(tasks, timeout=seconds)
    for task in tasks:
        task.cancel()


async def _reject(send: AsgiSend, error: Error) -> None:
    """Refuses the handshake with an HTTP answer that says why."""
    body = msgspec.json.encode(error)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "websocket.http.response.start", "status": status_of(error), "headers": headers})
    await send({"type": "websocket.http.response.body", "body": body, "more_body": False})
