"""scoring against the real servers: from the log to the projections, and through every loss."""

import asyncio
from contextlib import AsyncExitStack, suppress
from dataclasses import replace

import msgspec
import pytest
from nats.aio.client import Client
from structlog.testing import capture_logs

from services.scoring import projector, store
from services.scoring.log_reader import BATCH_MAX, LogLostError, open_log
from services.scoring.reading import LogMessage
from services.scoring.rows import FORMAT
from services.scoring.store import format_of
from shared import subjects
from shared.bus.streams import ensure_streams
from shared.logs import Log
from tests.conftest import ConnectAs, RedisAs
from tests.integration.scoring import (
    GAMES,
    INTERLEAVED,
    Scoring,
    caught_up,
    eventually,
    instance,
    publish,
)
from tests.scoring_dumps import dump, folded_dump
from tests.scoring_logs import Script, Writer, game_id, write
from tests.servers import Servers


async def test_records_are_counted_as_they_come(scoring: Scoring, log_writer: Client) -> None:
    log: list[LogMessage] = []
    for message in write(GAMES, INTERLEAVED):
        log += await publish(log_writer, [message])
    await caught_up(scoring, log)


async def test_sealed_deals_lie_between_the_records_and_are_not_read(scoring: Scoring, log_writer: Client) -> None:
    await log_writer.jetstream().publish(subjects.sealed_deal(game_id(0)), b"sealed")
    log = await publish(log_writer, write(GAMES[:1]))
    await log_writer.jetstream().publish(subjects.sealed_deal(game_id(1)), b"sealed")
    await caught_up(scoring, log)


async def test_a_log_of_many_batches_is_counted_whole(scoring: Scoring, log_writer: Client) -> None:
    games = [Script(player=number % 9, acts=("move", "draw", "won"), points=number) for number in range(BATCH_MAX)]
    log = write(games, range(len(games)))
    assert len(log) > 2 * BATCH_MAX
    context = log_writer.jetstream()
    acks = [await context.publish_async(message.subject, message.payload) for message in log]
    await context.publish_async_completed()
    stored = [
        msgspec.structs.replace(message, sequence=(await ack).seq) for message, ack in zip(log, acks, strict=True)
    ]
    await caught_up(scoring, stored)


async def test_a_record_that_cannot_be_used_leaves_its_game_out_and_holds_up_no_other(
    scoring: Scoring, log_writer: Client
) -> None:
    log = write(GAMES, INTERLEAVED)
    writer = Writer(game_id(5), GAMES[5])
    writer.record(writer.started())
    newer = writer.record(writer.event("move"), schema=2)
    broken = next(index for index, message in enumerate(log) if message.subject == subjects.game_log(game_id(5)))
    log[broken + 7] = msgspec.structs.replace(log[broken + 7], payload=newer)
    log[1] = msgspec.structs.replace(log[1], payload=b"\x00" + log[1].payload[1:])
    with capture_logs() as lines:
        stored = await publish(log_writer, log)
        await caught_up(scoring, stored)
    said = [line for line in lines if line["event"].startswith("game left out")]
    assert [(line["game"], line["version"], line["sequence"]) for line in said] == [
        (game_id(1), 1, stored[1].sequence),
        (game_id(5), 2, stored[broken + 7].sequence),
    ]
    assert "newer" in said[1]["reason"]


async def test_a_restarted_instance_goes_on_at_its_cursor(
    connect_as: ConnectAs, redis_as: RedisAs, log: Log, log_writer: Client
) -> None:
    records = write(GAMES, INTERLEAVED)
    stored: list[LogMessage] = []
    for start in range(0, len(records), 5):
        async with instance(await connect_as("scoring"), await redis_as("scoring"), log) as one:
            stored += await publish(log_writer, records[start : start + 5])
            await caught_up(one, stored)


async def test_instances_that_race_and_die_count_each_record_once(
    connect_as: ConnectAs, redis_as: RedisAs, log: Log, log_writer: Client
) -> None:
    """Three at work, each killed and started again over and over while records come in."""
    games = [Script(player=number % 4, acts=("move", "undo", "draw", "won"), points=number) for number in range(60)]
    records = write(games, list(range(60)) * 5)
    stopping = asyncio.Event()

    async def mortal(life_ms: int) -> None:
        client, redis = await connect_as("scoring"), await redis_as("scoring")
        while not stopping.is_set():
            async with instance(client, redis, log):
                with suppress(TimeoutError):
                    await asyncio.wait_for(stopping.wait(), life_ms / 1000)

    mortals = [asyncio.create_task(mortal(life_ms)) for life_ms in (7, 13, 29)]
    stored = await publish(log_writer, records)
    stopping.set()
    await asyncio.gather(*mortals)
    async with instance(await connect_as("scoring"), await redis_as("scoring"), log) as last:
        await caught_up(last, stored)


async def test_each_reader_has_a_name_of_its_own_and_leaves_it_at_the_end(
    scoring: Scoring, log_writer: Client, connect_as: ConnectAs
) -> None:
    """The instance of the fixture has one; a reader that finds none free says so, and ends no other."""
    client = await connect_as("scoring")
    await caught_up(scoring, await publish(log_writer, write(GAMES[:1])))
    taken: list[str] = []
    async with AsyncExitStack() as open_readers:
        for _ in subjects.LOG_READERS[1:]:
            reader = await open_readers.enter_async_context(open_log(client, start=1))
            assert await reader.batch()
            taken.append(reader.name)
        with pytest.raises(LogLostError, match="all 8 readers are taken"):
            async with open_log(client, start=1):
                pass
    assert len({*taken}) == len(taken) == len(subjects.LOG_READERS) - 1
    async with open_log(client, start=1) as again:
        assert again.name in taken


async def test_a_rebuild_equals_what_was_counted_live(scoring: Scoring, log_writer: Client) -> None:
    stored = await publish(log_writer, write(GAMES, INTERLEAVED))
    await caught_up(scoring, stored)
    live = await scoring.store.position()
    counted = await scoring.dump()
    await scoring.projector.rebuild_now()
    rebuilt = await scoring.store.position()
    assert live is not None
    assert rebuilt is not None
    assert rebuilt.generation != live.generation
    assert await scoring.dump() == counted
    assert await dump(scoring.redis, live.generation) == {}
    stored += await publish(log_writer, write([Script()] * 8 + [Script(acts=("draw", "lost"))])[8:])
    await caught_up(scoring, stored)


async def test_lost_projections_are_rebuilt_byte_for_byte(
    scoring: Scoring, log_writer: Client, redis_as: RedisAs
) -> None:
    stored = await publish(log_writer, write(GAMES, INTERLEAVED))
    await caught_up(scoring, stored)
    await (await redis_as("default")).flushall()
    stored += await publish(log_writer, write([*GAMES, Script(acts=("draw", "lost"))])[-3:])
    await caught_up(scoring, stored)


async def test_projections_that_were_set_back_go_on_from_their_old_cursor(
    scoring: Scoring, log_writer: Client, redis_as: RedisAs
) -> None:
    operator = await redis_as("default")
    records = write(GAMES, INTERLEAVED)
    stored = await publish(log_writer, records[:9])
    await caught_up(scoring, stored)
    backup = {key: await operator.dump(key) async for key in operator.scan_iter()}
    stored += await publish(log_writer, records[9:])
    await caught_up(scoring, stored)
    async with operator.pipeline(transaction=True) as restoring:
        restoring.flushall()  # type: ignore[unused-awaitable] # queued
        for key, value in backup.items():
            assert isinstance(value, bytes)
            restoring.restore(key, 0, value)  # type: ignore[unused-awaitable] # queued
        await restoring.execute()
    stored += await publish(log_writer, write([*GAMES, Script(acts=("draw", "lost"))])[-3:])
    await caught_up(scoring, stored)


async def test_projections_of_an_older_release_are_rebuilt(
    scoring: Scoring, log_writer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as one that did not know the schema of some records yet: their games count after the upgrade."""
    log = write(GAMES, INTERLEAVED)
    stored = await publish(log_writer, log)
    await caught_up(scoring, stored)
    old = await scoring.store.position()
    assert old is not None
    await scoring.redis.hset(subjects.faults_key(old.generation), game_id(0), b"left out by the old release")
    monkeypatch.setattr(projector, "FORMAT", (FORMAT[0], FORMAT[1] + 1))
    monkeypatch.setattr(store, "FORMAT", (FORMAT[0], FORMAT[1] + 1))
    await scoring.projector.follow()
    new = await scoring.store.position()
    assert new is not None
    assert format_of(new.generation) > format_of(old.generation)
    assert await scoring.dump() == folded_dump(stored)


async def test_projections_of_a_newer_release_are_left_alone(
    connect_as: ConnectAs, redis_as: RedisAs, log: Log, log_writer: Client
) -> None:
    """While releases are exchanged one by one, the old one only answers."""
    redis = await redis_as("scoring")
    newer = f"{FORMAT[0]}.{FORMAT[1] + 1}-1"
    await redis.set(subjects.SCORING_LIVE_KEY, newer)
    await publish(log_writer, write(GAMES))
    with capture_logs() as lines:
        async with instance(await connect_as("scoring"), redis, log):

            async def said() -> bool:
                return any("newer release" in line["event"] for line in lines)

            await eventually(said, "the line that says so")
    assert await dump(redis, newer) == {}
    assert await redis.get(subjects.SCORING_LIVE_KEY) == newer.encode()


@pytest.mark.parametrize("kept", [0, 5])
async def test_a_log_that_ends_before_the_cursor_is_said_loudly_and_counted_anew(
    scoring: Scoring, log_writer: Client, kept: int
) -> None:
    records = write(GAMES, INTERLEAVED)
    await caught_up(scoring, await publish(log_writer, records))
    with capture_logs() as lines:
        await log_writer.jetstream().delete_stream(subjects.EVENT_STREAM)
        await ensure_streams(log_writer.jetstream())
        older = await publish(log_writer, records[:kept])

        async def rebuilt() -> bool:
            return await scoring.dump() == folded_dump(older)

        await eventually(rebuilt, "the projections of the older log")
    assert any(line["log_level"] == "error" and "shorter, or another log" in line["event"] for line in lines)
    await caught_up(scoring, older + await publish(log_writer, records[kept:]))


async def test_another_log_of_the_same_length_is_noticed(scoring: Scoring, log_writer: Client) -> None:
    await caught_up(scoring, await publish(log_writer, write(GAMES, INTERLEAVED)))
    await log_writer.jetstream().delete_stream(subjects.EVENT_STREAM)
    await ensure_streams(log_writer.jetstream())
    other = [replace(game, player=1) for game in GAMES]
    await caught_up(scoring, await publish(log_writer, write(other, INTERLEAVED)))


@pytest.mark.parametrize("lost", ["nats", "redis", "both"])
async def test_a_lost_server_is_waited_for_and_nothing_is_lost_or_doubled(
    scoring: Scoring, log_writer: Client, servers: Servers, lost: str
) -> None:
    records = write(GAMES, INTERLEAVED)
    stored = await publish(log_writer, records[:9])
    await caught_up(scoring, stored)
    with capture_logs() as lines:
        if lost in {"redis", "both"}:
            servers.kill_redis()
        if lost in {"nats", "both"}:
            servers.kill_nats()

        async def said() -> bool:
            return any(line["event"].startswith("waiting, then") for line in lines)

        if lost == "redis":
            stored += await publish(log_writer, records[9:12])
        await eventually(said, "a line that says what is waited for")
        if lost in {"redis", "both"}:
            servers.start_redis()
        if lost in {"nats", "both"}:
            servers.start_nats()

    async def connected() -> bool:
        return log_writer.is_connected

    await eventually(connected, "the connection of the writer")
    await caught_up(scoring, stored + await publish(log_writer, records[len(stored) :]))
