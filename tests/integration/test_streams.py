"""The streams on a real server: made once, kept as they must be."""

import asyncio
from dataclasses import replace

import nats.errors
import nats.js.errors
import pytest
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, DiscardPolicy, RetentionPolicy, StreamConfig

from shared import subjects
from shared.bus import streams
from shared.bus.streams import ensure_streams, job_consumer_config, stream_configs
from shared.messages.base import GameId, PlayerId
from tests.conftest import ConnectAs

GAME = GameId("a" * 26)
JOB = subjects.job("waiting", "hint", PlayerId("b" * 26))
UNANSWERED_SECONDS = 1.0
"""What is not permitted is not answered."""


@pytest.fixture
async def context(connect_as: ConnectAs) -> JetStreamContext:
    return (await connect_as("game-state")).jetstream()


async def test_streams_are_made_by_many_at_once_and_again_without_losing_anything(
    context: JetStreamContext,
) -> None:
    await asyncio.gather(*(ensure_streams(context) for _ in range(5)))
    await context.publish(subjects.game_log(GAME), b"record")
    await context.publish(JOB, b"job")
    await ensure_streams(context)
    assert (await context.stream_info(subjects.EVENT_STREAM)).state.messages == 1
    assert (await context.stream_info(subjects.JOB_STREAM)).state.messages == 1


async def test_a_stream_of_an_older_release_is_brought_up_to_date(context: JetStreamContext) -> None:
    """Of one that had a single consumer for all jobs, and no limits for each player."""
    await context.add_stream(
        StreamConfig(
            name=subjects.JOB_STREAM,
            subjects=["klondike.job.*"],
            retention=RetentionPolicy.WORK_QUEUE,
            discard=DiscardPolicy.NEW,
            max_msgs=7,
        )
    )
    old = ConsumerConfig(durable_name=subjects.OLD_JOB_CONSUMER, ack_policy=AckPolicy.EXPLICIT)
    await context.add_consumer(subjects.JOB_STREAM, old)
    await ensure_streams(context)
    await context.add_consumer(subjects.JOB_STREAM, replace(job_consumer_config("pool"), max_deliver=9))
    await ensure_streams(context)
    config = (await context.stream_info(subjects.JOB_STREAM)).config
    assert (config.max_msgs, config.max_msgs_per_subject) == (streams.JOBS_WAITING_MAX, streams.JOBS_PER_PLAYER_MAX)
    consumers = {one.name: one.config for one in await context.consumers_info(subjects.JOB_STREAM)}
    assert set(consumers) == {subjects.job_consumer(priority) for priority in subjects.PRIORITIES}
    assert {one.max_deliver for one in consumers.values()} == {streams.JOB_DELIVERIES_MAX}


async def test_nothing_in_the_log_can_be_deleted_and_only_the_archivist_purges(
    context: JetStreamContext, connect_as: ConnectAs
) -> None:
    await ensure_streams(context)
    ack = await context.publish(subjects.game_log(GAME), b"record")
    with pytest.raises(nats.js.errors.APIError):
        await context.delete_msg(subjects.EVENT_STREAM, ack.seq)
    hasty = (await connect_as("game-state")).jetstream(timeout=UNANSWERED_SECONDS)
    with pytest.raises(nats.errors.Error):
        await hasty.purge_stream(subjects.EVENT_STREAM)
    assert (await context.get_msg(subjects.EVENT_STREAM, ack.seq)).data == b"record"
    assert await (await connect_as("archivist")).jetstream().purge_stream(subjects.EVENT_STREAM)


async def test_a_log_that_was_made_so_that_nothing_can_be_purged_is_used_as_it_is(context: JetStreamContext) -> None:
    """The server does not take that back; game-state must start all the same."""
    config = stream_configs(1)[0]
    await context.add_stream(replace(config, deny_purge=True, max_msg_size=1024))
    await ensure_streams(context)
    found = (await context.stream_info(subjects.EVENT_STREAM)).config
    assert (found.deny_purge, found.max_msg_size) == (True, streams.RECORD_BYTES_MAX)


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
    places = [subjects.job("waiting", "hint", PlayerId(letter * 26)) for letter in "abc"]
    for place in places[:2]:
        await context.publish(place, place.encode())
    with pytest.raises(nats.js.errors.APIError, match="maximum messages exceeded"):
        await context.publish(places[2], b"one too many")
    waiting = await context.pull_subscribe_bind(subjects.job_consumer("waiting"), subjects.JOB_STREAM)
    assert [message.data.decode() for message in await waiting.fetch(2, timeout=5)] == places[:2]


async def test_dead_letters_make_room_for_newer_ones(
    context: JetStreamContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "DEAD_LETTERS_MAX", 2)
    await ensure_streams(context)
    for number in range(3):
        await context.publish(subjects.dead_letter("hint"), b"%d" % number)
    state = (await context.stream_info(subjects.DEAD_STREAM)).state
    assert (state.messages, state.first_seq, state.last_seq) == (2, 2, 3)


def test_every_stream_of_what_passes_is_bounded_in_number_bytes_and_age() -> None:
    """What cannot be made again stays; of a link, of settings and of who was forgotten, only the newest word does."""
    newest = {subjects.SHARE_STREAM, subjects.SETTINGS_STREAM, subjects.FORGOTTEN_STREAM}
    kept = set(subjects.KEPT_STREAMS)
    for config in stream_configs(1):
        bounds = (config.max_msgs or 0, config.max_bytes or 0, config.max_age or 0)
        assert all(bound > 0 for bound in bounds) == (config.name not in kept)
        assert (config.max_msgs_per_subject == 1) == (config.name in newest)
