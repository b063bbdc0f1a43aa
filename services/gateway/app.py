"""Puts the gateway together and runs it until it is told to stop."""

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Final

import uvicorn
from typing_extensions import override
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from services.gateway.backend import Backend
from services.gateway.connection import Limits, Surroundings
from services.gateway.fanout import Fanout
from services.gateway.guesses import Guesses
from services.gateway.handshake import origins
from services.gateway.history.imports import Files
from services.gateway.history.reader import Histories
from services.gateway.metrics import Metrics
from services.gateway.page import Page
from services.gateway.presence import Absences, Presence
from services.gateway.readiness import ReadinessProbe
from services.gateway.sockets import Sockets
from services.gateway.tokens import Tokens
from services.gateway.web_app import Parts, WebApp, http_app
from shared import DISTRIBUTION, clock
from shared.bus.requests import Requests
from shared.messages.frames import FRAME_BYTES_MAX
from shared.service import ServiceContext
from shared.settings import GatewaySettings, SettingsError

WEB_FOLDER: Final = Path(__file__).parent / "web"
MESSAGE_BYTES_MAX: Final = 4 * FRAME_BYTES_MAX
"""A frame between `FRAME_BYTES_MAX` and this is told why it closes the connection; a larger one is not even read."""
PING_SECONDS: Final = 20.0
"""The WebSocket's own ping finds dead peers that send nothing."""
BACKLOG: Final = 1024
FINISH_SECONDS: Final = 2


async def run(context: ServiceContext[GatewaySettings]) -> None:
    """The gateway, from its listening socket to the last bye.

    Raises:
        SettingsError: the port is taken, or the address is not this machine's.
    """
    await Gateway(context).serve()


class Gateway:
    """All parts of one gateway, joined. It listens from the start, and answers while `serve` runs."""

    def __init__(self, context: ServiceContext[GatewaySettings]) -> None:
        self._context = context
        settings, log = context.settings, context.log
        self._listening = listen(settings.host, settings.port)
        host, port = self._listening.getsockname()[:2]
        self.address = f"http://{host}:{port}"
        metrics = Metrics()
        backend = Backend(Requests(context.nats, clock.jitter), metrics, log, context.traffic)
        page = Page(WEB_FOLDER)
        tokens = Tokens([settings.token_secret or clock.random_bytes(32).hex()], clock.random_bytes)
        self._fanout = Fanout(context.nats, metrics, log)
        self._probe = ReadinessProbe(context.nats, backend)
        self._presence = Presence(
            grace_seconds=settings.grace_seconds,
            missing=Absences(backend, log),
            clock=asyncio.get_running_loop().time,
            now_ms=clock.now_ms,
        )
        around = Surroundings(
            backend=backend,
            fanout=self._fanout,
            presence=self._presence,
            sign_in=tokens.sign_in,
            metrics=metrics,
            log=log,
            limits=Limits(burst=settings.frames_burst, frames_per_second=settings.frames_per_second),
            server=version(DISTRIBUTION),
            page=page.version,
            clock=asyncio.get_running_loop().time,
            now_ms=clock.now_ms,
        )
        self._sockets = Sockets(around, allowed_origins=origins(settings.origins), sockets_max=settings.sockets_max)
        parts = Parts(
            backend=backend,
            histories=Histories(backend, log),
            files=Files(backend),
            metrics=metrics,
            page=page,
            probe=self._probe,
            tokens=tokens,
            guesses=Guesses(asyncio.get_running_loop().time),
            log=log,
        )
        self._server = _Server(_config(WebApp(http_app(parts, version=version(DISTRIBUTION)), self._sockets)))

    async def serve(self) -> None:
        """Until told to stop: then no new connections, the answers of what is under way, a bye to each socket."""
        serving = asyncio.create_task(self._server.serve(sockets=[self._listening]))
        watching = [asyncio.create_task(self._fanout.watch()), asyncio.create_task(self._presence.watch())]
        await self._server.serves.wait()
        self._context.log.info("listening", address=self.address)
        self._context.ready()
        await self._context.stopping.wait()
        self._probe.stopping = True
        for listener in self._server.servers:
            listener.close()
        await self._sockets.stop()
        await self._presence.stop()
        for watch in watching:
            watch.cancel()
        self._server.should_exit = True
        await serving


def listen(host: str, port: int) -> socket.socket:
    """A listening socket.

    Raises:
        SettingsError: one line that names the setting and the fix.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise SettingsError(
            f"cannot listen on {host} port {port}: {error.strerror}. "
            "Stop what uses the port, or choose another with --port or KLONDIKE_PORT (0: any free one)."
        ) from None
    listening.setblocking(False)
    return listening


class _Protocol(WebSocketsSansIOProtocol):
    """uvicorn's own, which also lets the application cut off a client that does not read."""

    @override
    async def run_asgi(self) -> None:
        self.scope["state"]["abort"] = self.transport.abort
        await super().run_asgi()

    @override
    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # else uvicorn logs a refused handshake as a bug


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.serves = asyncio.Event()

    @override
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.serves.set()

    @override
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are the service skeleton's."""
        yield


def _config(app: WebApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        ws=_Protocol,
        ws_max_size=MESSAGE_BYTES_MAX,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,
        lifespan="off",
        loop="none",
        access_log=False,
        log_config=None,
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=FINISH_SECONDS,
    )
