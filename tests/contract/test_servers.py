"""The test servers themselves: empty for each test, killed and brought back with their data."""

import pytest

from shared.bus.redis_connection import Redis
from tests.conftest import ConnectAs, RedisAs
from tests.servers import Servers


@pytest.mark.parametrize("round_number", [1, 2])
async def test_every_test_starts_with_empty_servers(
    connect_as: ConnectAs, redis_as: RedisAs, round_number: int
) -> None:
    context = (await connect_as("game-state")).jetstream()
    store: Redis = await redis_as("default")
    assert await context.streams_info() == []
    assert await store.dbsize() == 0
    await context.add_stream(name=f"LEFT_{round_number}", subjects=["klondike.game.*"])
    await store.set("left", round_number)


async def test_a_killed_nats_server_comes_back_on_its_port_with_its_data(
    servers: Servers, connect_as: ConnectAs
) -> None:
    context = (await connect_as("game-state")).jetstream()
    await context.add_stream(name="KEPT", subjects=["klondike.game.*"])
    await context.publish("klondike.game.a", b"record")
    before = servers.nats_url("game-state")
    servers.restart_nats()
    assert servers.nats_url("game-state") == before
    again = (await connect_as("game-state")).jetstream()
    assert (await again.get_last_msg("KEPT", "klondike.game.a")).data == b"record"


async def test_a_killed_redis_server_comes_back_on_its_port(servers: Servers, redis_as: RedisAs) -> None:
    store = await redis_as("default")
    servers.restart_redis()
    assert await store.ping()
