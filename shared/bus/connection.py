"""The connection to NATS: waits, says what for, and recovers by itself."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from nats.aio.client import Client, Server

from shared import subjects
from shared.backoff import Backoff
from shared.logs import Log
from shared.settings import Role, ServiceSettings

Tell = Callable[[str], None]
"""Told what is being waited for, in words for the operator."""

BACKOFF = Backoff(first_seconds=0.05, most_seconds=2.0)
CONNECT_TIMEOUT_SECONDS = 2
PING_INTERVAL_SECONDS = 10


def public(urls: str) -> str:
    """Addresses without user and password, fit for logs."""
    parts = [urlsplit(url.strip()) for url in urls.split(",")]
    return ",".join(f"{part.scheme}://{part.netloc.rsplit('@', 1)[-1]}" for part in parts)


class _Reporter:
    """nats-py's callbacks: says what is waited for, and paces the attempts of the first connect."""

    def __init__(self, client: Client, address: str, log: Log, tell: Tell) -> None:
        self._client = client
        self._address = address
        self._log = log
        self._tell = tell
        self._attempt = 0
        self._connected = False

    async def failed(self, error: Exception) -> None:
        """nats-py awaits this after each error; before the first connect that is between two attempts."""
        if self._attempt == 0 and self._connected:
            self._log.error("NATS error", error=str(error) or type(error).__name__)
            return
        self._let_go_of_socket()
        self._attempt += 1
        seconds = BACKOFF.delay(self._attempt, random.random())  # noqa: S311 - jitter, not a secret
        self._tell(f"waiting for NATS at {self._address}")
        self._log.warning(
            "waiting for NATS",
            address=self._address,
            attempt=self._attempt,
            error=str(error) or type(error).__name__,
            retry_seconds=round(seconds, 2),
        )
        await asyncio.sleep(seconds)

    def _let_go_of_socket(self) -> None:
        """nats-py forgets, open, the socket of a reconnect that failed after the server had taken it."""
        transport = self._client._transport  # noqa: SLF001 - there is no other way to it
        if transport is not None and not self._client.is_connected:
            transport.close()  # type: ignore[no-untyped-call] # as nats-py has it

    async def disconnected(self) -> None:
        if self._connected and not self._client.is_closed:
            self._attempt = 1
            self._tell(f"waiting for NATS at {self._address}")
            self._log.warning("lost NATS, reconnecting", address=self._address)

    async def reconnected(self) -> None:
        self._log.info("NATS is back", address=self._address, attempts=self._attempt)
        self.arrived()

    def arrived(self) -> None:
        self._attempt = 0
        self._connected = True


def say_nothing(_text: str) -> None:
    pass


def _any_server(servers: list[Server], _info: dict[str, object]) -> tuple[Server, float]:
    """The server to try next when the connection is lost, at once: `_Reporter.failed` has the pauses."""
    return min(servers, key=lambda server: server.reconnects), 0.0


async def connect(
    settings: ServiceSettings,
    role: Role,
    log: Log,
    *,
    tell: Tell = say_nothing,
    closed: Callable[[], Awaitable[None]] | None = None,
) -> Client:
    """A NATS connection as `role`. Waits until there is one, however long that takes; cancel it to give up.

    While the connection is lost every publish and request fails at once: with a pending buffer, a message whose
    publish raised would still be sent after the reconnect, behind the caller's back.

    Args:
        settings: where, and the password; the user is the role.
        role: who.
        log: told of every loss, attempt and return.
        tell: told what is waited for.
        closed: called when the connection is closed for good, by us or because the server refused it.
    """
    client = Client()
    reporter = _Reporter(client, public(settings.nats), log, tell)
    await client.connect(
        servers=[url.strip() for url in settings.nats.split(",")],
        name=role,
        user=role if settings.nats_password else None,
        password=settings.nats_password or None,
        inbox_prefix=subjects.inbox(role),
        pending_size=-1,
        connect_timeout=CONNECT_TIMEOUT_SECONDS,
        ping_interval=PING_INTERVAL_SECONDS,
        reconnect_time_wait=0,
        max_reconnect_attempts=-1,
        reconnect_to_server_handler=_any_server,
        drain_timeout=max(1, round(settings.drain_seconds)),
        error_cb=reporter.failed,
        disconnected_cb=reporter.disconnected,
        reconnected_cb=reporter.reconnected,
        closed_cb=closed,
    )
    reporter.arrived()
    log.info("connected to NATS", address=public(settings.nats))
    return client
