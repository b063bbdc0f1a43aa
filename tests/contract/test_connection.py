"""Connections: they wait and say what for, come back by themselves, and send nothing behind the caller's back."""

import asyncio

import pytest
import structlog
from nats.errors import Error as NatsError

from shared.bus.connection import connect, public
from shared.bus.redis_connection import connect_redis
from shared.logs import Log
from shared.settings import ServiceSettings
from tests.conftest import ConnectAs
from tests.servers import Servers

STREAM, SUBJECT = "GHOSTS", "klondike.game.x"
WAIT_SECONDS = 20.0
AT_ONCE_SECONDS = 4.0
"""Less than nats-py waits for an answer that does not come."""


async def until_told(told: list[str], text: str) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while not any(text in one for one in told):  # noqa: ASYNC110 - the callback is synchronous
            await asyncio.sleep(0.01)


async def test_a_publish_while_the_connection_is_lost_fails_at_once_and_is_never_stored_later(
    servers: Servers, connect_as: ConnectAs
) -> None:
    """The ghost write: a pending buffer would be sent after the reconnect, though its publish has raised."""
    client = await connect_as("game-state")
    context = client.jetstream()
    await context.add_stream(name=STREAM, subjects=[SUBJECT])
    await context.publish(SUBJECT, b"stored")
    servers.kill_nats()
    async with asyncio.timeout(WAIT_SECONDS):
        while not client.is_reconnecting:  # noqa: ASYNC110 - nats-py has no event for it
            await asyncio.sleep(0.01)
    for _ in range(3):
        async with asyncio.timeout(AT_ONCE_SECONDS):
            with pytest.raises(NatsError):
                await context.publish(SUBJECT, b"ghost")
    servers.start_nats()
    async with asyncio.timeout(WAIT_SECONDS):
        while not client.stats["reconnects"]:  # noqa: ASYNC110 - nats-py has no event for it
            await asyncio.sleep(0.01)
    await context.publish(SUBJECT, b"stored too")
    stored = [(await context.get_msg(STREAM, sequence)).data for sequence in (1, 2)]
    assert stored == [b"stored", b"stored too"]
    assert (await context.stream_info(STREAM)).state.messages == 2


async def test_a_subscription_lives_on_over_a_restart_of_the_server(servers: Servers, connect_as: ConnectAs) -> None:
    listening, speaking = await connect_as("game-state"), await connect_as("game-state")
    subscription = await listening.subscribe(SUBJECT)
    await listening.flush()
    servers.restart_nats()
    async with asyncio.timeout(WAIT_SECONDS):
        while not all(one.stats["reconnects"] for one in (listening, speaking)):  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0.01)
    await listening.flush()
    await speaking.publish(SUBJECT, b"after")
    assert (await subscription.next_msg(WAIT_SECONDS)).data == b"after"


async def test_attempts_that_fail_after_the_server_has_answered_leave_no_socket_open(
    servers: Servers, connect_as: ConnectAs
) -> None:
    """Something else answers on the port while the server is away."""
    client = await connect_as("game-state")
    left: list[asyncio.StreamReader] = []

    async def answer_nonsense(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n")
        await reader.read()
        left.append(reader)
        writer.close()

    servers.kill_nats()
    port = int(servers.nats_url("game-state").rsplit(":", 1)[1])
    async with await asyncio.start_server(answer_nonsense, "127.0.0.1", port), asyncio.timeout(WAIT_SECONDS):
        while len(left) < 3:  # noqa: ASYNC110 - the callback is all there is
            await asyncio.sleep(0.01)
    servers.start_nats()
    async with asyncio.timeout(WAIT_SECONDS):
        while not client.stats["reconnects"]:  # noqa: ASYNC110 - nats-py has no event for it
            await asyncio.sleep(0.01)
    await client.flush()


async def test_a_first_connect_waits_for_nats_says_so_and_gets_there(servers: Servers, log: Log) -> None:
    servers.kill_nats()
    told: list[str] = []
    settings = ServiceSettings(nats=servers.nats_url("scoring"))
    connecting = asyncio.create_task(connect(settings, "scoring", log, tell=told.append))
    await until_told(told, "waiting for NATS at nats://127.0.0.1:")
    assert not connecting.done()
    servers.start_nats()
    async with asyncio.timeout(WAIT_SECONDS):
        client = await connecting
    assert client.is_connected
    await client.close()


async def test_a_first_connect_waits_for_redis_says_so_and_gets_there(servers: Servers, log: Log) -> None:
    servers.kill_redis()
    told: list[str] = []
    connecting = asyncio.create_task(connect_redis(servers.redis_url("scoring"), log, tell=told.append))
    await until_told(told, "waiting for Redis at redis://127.0.0.1:")
    assert not connecting.done()
    servers.start_redis()
    async with asyncio.timeout(WAIT_SECONDS):
        client = await connecting
    assert await client.ping()
    await client.aclose()


async def test_a_connect_that_waits_can_be_given_up(servers: Servers, log: Log) -> None:
    servers.kill_nats()
    try:
        connecting = asyncio.create_task(connect(ServiceSettings(nats=servers.nats_url("scoring")), "scoring", log))
        await asyncio.sleep(0)
        connecting.cancel()
        async with asyncio.timeout(AT_ONCE_SECONDS):
            with pytest.raises(asyncio.CancelledError):
                await connecting
    finally:
        servers.start_nats()


async def test_no_password_is_logged_or_told(servers: Servers, log: Log) -> None:
    url = servers.nats_url("scoring")
    password = url.split(":")[2].split("@")[0]
    told: list[str] = []
    servers.kill_nats()
    with structlog.testing.capture_logs() as lines:
        connecting = asyncio.create_task(connect(ServiceSettings(nats=url), "scoring", log, tell=told.append))
        await until_told(told, "waiting for NATS")
        servers.start_nats()
        await (await connecting).close()
    assert len(lines) >= 2
    assert password not in repr(lines) + repr(told)


@pytest.mark.parametrize(
    ("urls", "shown"),
    [
        ("nats://user:secret@host:4222", "nats://host:4222"),
        ("nats://a:1, nats://u:p@b:2", "nats://a:1,nats://b:2"),
        ("redis://:secret@host:6379/0", "redis://host:6379"),
    ],
)
def test_addresses_are_shown_without_passwords(urls: str, shown: str) -> None:
    assert public(urls) == shown
