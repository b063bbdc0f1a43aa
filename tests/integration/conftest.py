"""Gateways with a game-state behind them."""

from collections.abc import AsyncIterator

import pytest

from shared.logs import Log
from tests.conftest import ConnectAs, RedisAs
from tests.integration.game_state import game_state
from tests.integration.gateway import Running, gateway


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
