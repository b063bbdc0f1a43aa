"""Gateways with a game-state behind them, desks that ask workers, and a scoring that follows the log."""

from collections.abc import AsyncIterator

import pytest
from nats.aio.client import Client

from shared.bus.jobs import JobDesk
from shared.bus.streams import ensure_streams
from shared.clock import now_ms
from shared.logs import Log
from tests.conftest import ConnectAs, RedisAs
from tests.integration.game_state import game_state
from tests.integration.gateway import Running, gateway
from tests.integration.scoring import Scoring, instance
from tests.integration.work import ACK_WAIT_SECONDS, set_ack_wait
from tests.jobs import INSTANCE


@pytest.fixture
async def at(connect_as: ConnectAs, redis_as: RedisAs, log: Log) -> AsyncIterator[Running]:
    """A gateway with a game-state behind it."""
    async with (
        game_state(await connect_as("game-state"), await redis_as("game-state"), log),
        gateway(await connect_as("gateway"), log) as running,
    ):
        yield running


@pytest.fixture
async def beside(at: Running, connect_as: ConnectAs, log: Log) -> AsyncIterator[Running]:
    """A second gateway with the same key, in front of the same game-state."""
    async with gateway(await connect_as("gateway"), log) as running:
        yield running


@pytest.fixture
async def asker(connect_as: ConnectAs) -> Client:
    """game-state's connection, with the streams made and a short ack wait."""
    client = await connect_as("game-state")
    await ensure_streams(client.jetstream())
    await set_ack_wait(client, ACK_WAIT_SECONDS)
    return client


@pytest.fixture
async def desk(asker: Client) -> AsyncIterator[JobDesk]:
    """Asks as a game-state would."""
    opened = JobDesk(asker, INSTANCE, now_ms)
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
async def log_writer(connect_as: ConnectAs) -> Client:
    """A connection of game-state, with the streams made."""
    client = await connect_as("game-state")
    await ensure_streams(client.jetstream())
    return client


@pytest.fixture
async def scoring(connect_as: ConnectAs, redis_as: RedisAs, log: Log) -> AsyncIterator[Scoring]:
    """One instance that follows the log."""
    async with instance(await connect_as("scoring"), await redis_as("scoring"), log) as one:
        yield one
