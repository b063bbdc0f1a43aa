"""The streams on a real server: made once, kept as they must be."""

import asyncio
from dataclasses import replace

import nats.js.errors
import pytest
from nats.js import JetStreamContext

from shared import subjects
from shared.bus import streams
from shared.bus.streams import ensure_streams, job_consumer_config, stream_configs
from shared.messages.base import GameId
from tests.conftest import ConnectAs

GAME = GameId("a" * 26)


@pytest.fixture
async def context(connect_as: ConnectAs) -> JetStreamContext:
    return (await connect_as("game-state")).jetstream()


async def test_streams_are_made_by_many_at_once_and_again_without_losing_anything(
    context: JetStreamContext,
) -> None:
    await asyncio.gather(*(ensure_streams(context) for _ in range(5)))
    await context.publish(subjects.game_log(GAME), b"record")
    await context.publish(subjects.job("hint"), b"job")
    await ensure_streams(context)
    assert (await context.stream_info(subjects.EVENT_STREAM)).state.messages == 1
    assert (await context.stream_info(subjects.JOB_STREAM)).state.messages == 1


async def test_a_stream_of_an_older_release_is_brought_up_to_date(context: JetStreamContext) -> None:
    await ensure_streams(context)
    jobs = next(config for config in stream_configs(1) if config.name == subjects.JOB_STREAM)
    await context.update_stream(replace(jobs, max_msgs=7))
    await context.add_consumer(subjects.JOB_STREAM, replace(job_consumer_config(), max_deliver=9))
    await ensure_streams(context)
    assert (await context.stream_info(subjects.JOB_STREAM)).config.max_msgs == streams.JOBS_WAITING_MAX
    consumer = await context.consumer_info(subjects.JOB_STREAM, subjects.JOB_CONSUMER)
    assert consumer.config.max_deliver == streams.JOB_DELIVERIES_MAX


async def test_nothing_in_the_log_can_be_deleted_or_purged(context: JetStreamContext) -> None:
    await ensure_streams(context)
    ack = await context.publish(subjects.game_log(GAME), b"record")
    with pytest.raises(nats.js.errors.APIError):
        await context.delete_msg(subjects.EVENT_STREAM, ack.seq)
    with pytest.raises(nats.js.errors.APIError):
        await context.purge_stream(subjects.EVENT_STREAM)
    assert (await context.get_msg(subjects.EVENT_STREAM, ack.seq)).data == b"record"


async def test_a_record_that_is_too_large_is_refused_and_not_stored(context: JetStreamContext) -> None:
    await ensure_streams(context)
    await context.publish(subjects.game_log(GAME), b"x" * streams.RECORD_BYTES_MAX)
    with pytest.raises(nats.js.errors.APIError):
        await context.publish(subjects.game_log(GAME), b"x" * (streams.RECORD_BYTES_MAX + 1))
    assert (await context.stream_info(subjects.EVENT_STREAM)).state.messages == 1


async def test_a_full_queue_refuses_the_new_job_and_keeps_the_old_ones(
    context: JetStreamContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "JOBS_WAITING_MAX", 2)
    await ensure_streams(context)
    for number in range(2):
        await context.publish(subjects.job("hint"), b"%d" % number)
    with pytest.raises(nats.js.errors.APIError):
        await context.publish(subjects.job("hint"), b"one too many")
    waiting = await context.pull_subscribe_bind(subjects.JOB_CONSUMER, subjects.JOB_STREAM)
    assert [message.data for message in await waiting.fetch(2, timeout=5)] == [b"0", b"1"]
