"""A game over the socket, on real servers."""

from collections.abc import AsyncIterator

import pytest

from shared.logs import Log
from shared.messages.frames import PROTOCOL_JSON, PROTOCOL_MSGPACK
from tests.conftest import ConnectAs, RedisAs
from tests.integration.game_state import game_state
from tests.integration.gateway import Running, gateway, made, player


@pytest.fixture
async def at(connect_as: ConnectAs, redis_as: RedisAs, log: Log) -> AsyncIterator[Running]:
    """A gateway with a game-state behind it."""
    async with (
        game_state(await connect_as("game-state"), await redis_as("game-state"), log),
        gateway(await connect_as("gateway"), log) as running,
    ):
        yield running


@pytest.mark.parametrize("protocol", [PROTOCOL_JSON, PROTOCOL_MSGPACK])
async def test_a_new_game_is_dealt_and_each_move_makes_the_next_version(at: Running, protocol: str) -> None:
    async with player(at, protocol=protocol) as one:
        view = await one.new_game()
        assert view.version == 1
        for version in range(2, 12):
            answer = made(await one.play(one.view.legal[0] if one.view else ""))
            assert answer.version == version
