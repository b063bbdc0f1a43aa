"""What all tests share: the real servers, and connections to them that are closed at the end.

    async def test_something(connect_as: ConnectAs, redis_as: RedisAs) -> None:
        client = await connect_as("game-state")

A test that asks for `servers`, directly or through these, starts with no stream and no key. It may kill and start the
servers; they run again before the next test.
"""

import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from typing import TypeAlias

import pytest
import structlog
from hypothesis import settings
from nats.aio.client import Client

from shared.access import RedisRole
from shared.bus.connection import connect
from shared.bus.redis_connection import Redis, connect_redis
from shared.logs import Log
from shared.settings import Role, ServiceSettings
from tests.servers import Servers, running

ConnectAs: TypeAlias = Callable[[Role], Awaitable[Client]]
RedisAs: TypeAlias = Callable[[RedisRole], Awaitable[Redis]]

# A property that holds does so on a busy machine too. In CI, hypothesis also tries the same examples each time.
settings.register_profile("klondike", settings(deadline=None))
settings.load_profile("klondike")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what runs in its background like this, and every process of a test would be deaf to Ctrl-C, too.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def running_servers() -> Iterator[Servers]:
    """Both servers, started once."""
    with running() as servers:
        yield servers


@pytest.fixture
def servers(running_servers: Servers) -> Servers:
    """Both servers, empty."""
    running_servers.wipe()
    return running_servers


@pytest.fixture
def log() -> Log:
    """A log for what needs one."""
    bound: Log = structlog.stdlib.get_logger("test")
    return bound


@pytest.fixture
async def connect_as(servers: Servers, log: Log) -> AsyncIterator[ConnectAs]:
    """Connects to NATS as a role, the way the services do."""
    async with AsyncExitStack() as opened:

        async def one(role: Role) -> Client:
            client = await connect(ServiceSettings(nats=servers.nats_url(role)), role, log)
            opened.push_async_callback(client.close)
            return client

        yield one


@pytest.fixture
async def redis_as(servers: Servers, log: Log) -> AsyncIterator[RedisAs]:
    """Connects to Redis as one of its users, the way the services do."""
    async with AsyncExitStack() as opened:

        async def one(role: RedisRole) -> Redis:
            client = await connect_redis(servers.redis_url(role), log)
            opened.push_async_callback(client.aclose)
            return client

        yield one
