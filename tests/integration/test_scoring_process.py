"""scoring as a whole service: started, killed, told to rebuild."""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import msgspec
import pytest
from nats.aio.client import Client

from services.scoring.app import run
from services.scoring.reading import LogMessage
from services.scoring.store import Store
from shared import subjects
from shared.bus.redis_connection import Redis
from shared.bus.streams import ensure_streams
from shared.logs import Log
from shared.messages.answers import FetchStatistics, PlayerStatistics, RequestRefused, StatisticsAnswer
from shared.messages.codec import encode
from shared.settings import ScoringSettings
from tests.conftest import ConnectAs, RedisAs
from tests.integration.services import serving
from tests.scoring_dumps import dump, folded_dump
from tests.scoring_logs import Script, player_id, write
from tests.servers import Servers

PATIENCE_SECONDS = 30.0
WON = Script(acts=("move", "won"), points=10, moves=1)


async def publish(client: Client, log: Sequence[LogMessage]) -> list[LogMessage]:
    acks = [await client.jetstream().publish(message.subject, message.payload) for message in log]
    return [msgspec.structs.replace(message, sequence=ack.seq) for message, ack in zip(log, acks, strict=True)]


async def caught_up(redis: Redis, log: Sequence[LogMessage]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (position := await Store(redis).position()) is None or position.cursor != log[-1].cursor:
        assert time.monotonic() < deadline, f"the log was not counted in {PATIENCE_SECONDS} s"
        await asyncio.sleep(0.01)
    assert await dump(redis, position.generation) == folded_dump(log)


async def ask(gateway: Client, player: int) -> StatisticsAnswer:
    request = encode(FetchStatistics(player=player_id(player)))
    reply = await gateway.request(subjects.STATISTICS, request, timeout=PATIENCE_SECONDS)
    return msgspec.msgpack.decode(reply.data, type=StatisticsAnswer)


@asynccontextmanager
async def process(servers: Servers) -> AsyncIterator[None]:
    """`python -m services.scoring`, killed with -9 at the end of the block."""
    environment = {
        **os.environ,
        "KLONDIKE_NATS": servers.nats_url("scoring"),
        "KLONDIKE_REDIS": servers.redis_url("scoring"),
    }
    quiet = asyncio.subprocess.DEVNULL
    started = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "services.scoring", env=environment, stderr=quiet
    )
    try:
        yield
    finally:
        started.kill()
        await started.wait()


async def test_processes_that_are_killed_count_each_record_once(
    servers: Servers, connect_as: ConnectAs, redis_as: RedisAs
) -> None:
    """Two at work, killed while records come in, and two others, and a last one that goes on."""
    writer, redis = await connect_as("game-state"), await redis_as("scoring")
    await ensure_streams(writer.jetstream())
    games = [Script(player=number % 3, acts=("move", "undo", "draw", "won"), points=number) for number in range(90)]
    records = write(games, list(range(90)) * 5)
    half = len(records) // 2
    stored: list[LogMessage] = []
    for start in range(0, len(records), half):
        async with process(servers), process(servers):
            stored += await publish(writer, records[start : start + half // 2])
            await caught_up(redis, stored)
            stored += await publish(writer, records[start + half // 2 : start + half])
    async with process(servers):
        await caught_up(redis, stored)


async def test_a_win_counts_though_everything_is_closed_right_after(
    servers: Servers, connect_as: ConnectAs, redis_as: RedisAs
) -> None:
    writer, redis, gateway = await connect_as("game-state"), await redis_as("scoring"), await connect_as("gateway")
    await ensure_streams(writer.jetstream())
    stored = await publish(writer, write([WON]))
    servers.restart_nats()
    servers.restart_redis()
    async with process(servers):
        await caught_up(redis, stored)
        answer = await ask(gateway, 1)
    assert isinstance(answer, PlayerStatistics)
    assert [(row.games, row.wins) for row in answer.rows] == [(1, 1)]


async def test_the_rebuild_setting_makes_a_new_generation_while_the_old_one_answers(
    connect_as: ConnectAs, redis_as: RedisAs, log: Log
) -> None:
    writer, redis, gateway = await connect_as("game-state"), await redis_as("scoring"), await connect_as("gateway")
    await ensure_streams(writer.jetstream())
    stored = await publish(writer, write([WON, Script(player=2, acts=("draw",))]))
    async with serving(run, "scoring", ScoringSettings(), await connect_as("scoring"), log, redis):
        await caught_up(redis, stored)
    before = await Store(redis).position()
    assert before is not None
    async with serving(run, "scoring", ScoringSettings(rebuild=True), await connect_as("scoring"), log, redis):
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (position := await Store(redis).position()) is None or position.generation == before.generation:
                answer = await ask(gateway, 1)
                assert isinstance(answer, PlayerStatistics)
                assert [row.wins for row in answer.rows] == [1]
        assert await dump(redis, position.generation) == folded_dump(stored)


@pytest.mark.parametrize("missing", ["log", "store"])
async def test_what_is_missing_is_answered_as_unavailable(
    servers: Servers, connect_as: ConnectAs, redis_as: RedisAs, log: Log, missing: str
) -> None:
    writer, redis, gateway = await connect_as("game-state"), await redis_as("scoring"), await connect_as("gateway")
    if missing == "store":
        await ensure_streams(writer.jetstream())
    async with serving(run, "scoring", ScoringSettings(), await connect_as("scoring"), log, redis):
        if missing == "store":
            servers.kill_redis()
        answer = await ask(gateway, 1)
        if missing == "store":
            servers.start_redis()
    assert isinstance(answer, RequestRefused)
    assert answer.error.code == "unavailable"
    assert answer.error.fix
