"""Gateways with a game-state behind them, desks that ask workers, and a scoring that follows the log."""

from collections.abc import AsyncIterator

import httpx
import pytest
from nats.aio.client import Client

from services.scoring.app import run as run_scoring
from shared.bus.jobs import JobDesk
from shared.bus.streams import ensure_streams
from shared.clock import now_ms
from shared.logs import Log
from shared.settings import ScoringSettings
from tests.conftest import ConnectAs, RedisAs
from tests.integration.game_state import game_state, soon
from tests.integration.gateway import Player, Running, gateway, player
from tests.integration.scoring import Scoring, instance
from tests.integration.services import serving
from tests.integration.work import ACK_WAIT_SECONDS, set_ack_wait
from tests.jobs import INSTANCE

HTTP_SECONDS = 30


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


@pytest.fixture
async def one(at: Running) -> AsyncIterator[Player]:
    """A player at the gateway."""
    async with player(at) as owner:
        yield owner


@pytest.fixture
async def web(at: Running) -> AsyncIterator[httpx.AsyncClient]:
    """HTTP at the gateway."""
    async with httpx.AsyncClient(base_url=at.address, timeout=HTTP_SECONDS) as client:
        yield client


@pytest.fixture
async def scored(
    at: Running, web: httpx.AsyncClient, connect_as: ConnectAs, redis_as: RedisAs, log: Log
) -> AsyncIterator[httpx.AsyncClient]:
    """The same, with a scoring beside that answers."""
    scoring, redis = await connect_as("scoring"), await redis_as("scoring")
    async with serving(run_scoring, "scoring", ScoringSettings(), scoring, log, redis):

        async def counts() -> bool:
            return (await web.get("/api/rankings/draw1/standard")).status_code == 200

        await soon(counts)
        yield web
