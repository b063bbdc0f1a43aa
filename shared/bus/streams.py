"""The streams and the workers' consumers, as they must be. game-state ensures them at every start."""

from contextlib import suppress
from dataclasses import replace
from typing import Final

import structlog
from nats.js import JetStreamContext
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DiscardPolicy,
    RetentionPolicy,
    StorageType,
    StreamConfig,
)
from nats.js.errors import BadRequestError, NotFoundError

from shared import subjects

ERROR_STREAM_DIFFERS: Final = 10058
"""The server's code for: there is a stream of that name with another configuration."""
ERROR_NO_ROOM: Final = 10047
"""There is too little storage for what the streams may hold."""
DUPLICATE_WINDOW_SECONDS: Final = 120.0
"""How long a repeated message id is recognised. A help only: the expected sequence is the guarantee."""
RECORD_BYTES_MAX: Final = 64 * 1024
ARCHIVE_MESSAGE_BYTES_MAX: Final = 256 * 1024
"""Of a segment's chunk, and of a manifest."""
JOB_BYTES_MAX: Final = 64 * 1024
JOBS_WAITING_MAX: Final = 10_000
"""A job more is refused when it is published, so that its asker is told at once."""
JOBS_BYTES_MAX: Final = 64 * 1024 * 1024
JOBS_PER_PLAYER_MAX: Final = 2
"""Of one kind and priority, waiting or under way. One more is refused: who asks more gets no further ahead."""
JOB_AGE_SECONDS_MAX: Final = 3600.0
"""An older job is gone, whoever waits for it. Each leaves earlier by its own time to live."""
JOB_ACK_WAIT_SECONDS: Final = 5.0
"""A worker that is silent for that long has died; the job goes to another."""
JOB_ATTEMPTS_MAX: Final = 3
"""A job that so many workers took and none finished is buried by the next that gets it."""
JOB_DELIVERIES_MAX: Final = JOB_ATTEMPTS_MAX + 2
"""The last are for burying, one more for when a worker ends in the middle of that."""
JOBS_UNDER_WAY_MAX: Final = 1_000
"""Jobs that all workers together may have taken and not finished."""
DEAD_LETTER_BYTES_MAX: Final = JOB_BYTES_MAX + 1024
"""A job of any size and the reason beside it."""
DEAD_LETTERS_MAX: Final = 10_000
DEAD_LETTERS_BYTES_MAX: Final = 64 * 1024 * 1024
DEAD_LETTER_AGE_SECONDS_MAX: Final = 30 * 24 * 3600.0
SHARE_BYTES_MAX: Final = 1024
SETTINGS_BYTES_MAX: Final = 24 * 1024
"""More than as many settings as there may be, each as long as it may be."""

_log: Final = structlog.stdlib.get_logger(__name__)


def stream_configs(num_replicas: int) -> tuple[StreamConfig, ...]:
    """All streams, each in `num_replicas` copies.

    Of the log no message can be deleted, and when the disk is full a write fails instead of the oldest record being
    dropped. A whole game can be purged, by the archivist alone (`shared.access`), once it is in the archive.
    """
    return (*_kept(num_replicas), *_passing(num_replicas))


def _kept(num_replicas: int) -> tuple[StreamConfig, ...]:
    """What stays for good."""
    kept = StreamConfig(
        retention=RetentionPolicy.LIMITS,
        storage=StorageType.FILE,
        discard=DiscardPolicy.NEW,
        duplicate_window=DUPLICATE_WINDOW_SECONDS,
        num_replicas=num_replicas,
        allow_direct=True,
    )
    return (
        replace(
            kept,
            name=subjects.EVENT_STREAM,
            description="Every game: its sealed deal and its records",
            subjects=[subjects.GAME_LOGS, subjects.SEALED_DEALS],
            max_msg_size=RECORD_BYTES_MAX,
            deny_delete=True,
        ),
        replace(
            kept,
            name=subjects.CHECKPOINT_STREAM,
            description="Signed checkpoints over all games",
            subjects=[subjects.CHECKPOINTS],
            deny_delete=True,
            deny_purge=True,
        ),
        replace(
            kept,
            name=subjects.ARCHIVE_STREAM,
            description="Games that left the log: segments, their manifests, and where each game is",
            subjects=[subjects.ARCHIVE],
            max_msg_size=ARCHIVE_MESSAGE_BYTES_MAX,
            deny_delete=True,
        ),
        replace(
            kept,
            name=subjects.SHARE_STREAM,
            description="Links to games that are over: of each game the newest word",
            subjects=[subjects.SHARES],
            max_msgs_per_subject=1,
            max_msg_size=SHARE_BYTES_MAX,
        ),
        replace(
            kept,
            name=subjects.SETTINGS_STREAM,
            description="Settings of players: of each player the newest word",
            subjects=[subjects.SETTINGS],
            max_msgs_per_subject=1,
            max_msg_size=SETTINGS_BYTES_MAX,
        ),
        replace(
            kept,
            name=subjects.FORGOTTEN_STREAM,
            description="Players that were forgotten: their id, and when",
            subjects=[subjects.FORGOTTEN],
            max_msgs_per_subject=1,
            max_msg_size=SHARE_BYTES_MAX,
            deny_delete=True,
            deny_purge=True,
        ),
    )


def _passing(num_replicas: int) -> tuple[StreamConfig, ...]:
    """What is done or forgotten some day."""
    return (
        StreamConfig(
            name=subjects.JOB_STREAM,
            description="Jobs for solver workers",
            subjects=[subjects.JOBS],
            retention=RetentionPolicy.WORK_QUEUE,
            storage=StorageType.FILE,
            discard=DiscardPolicy.NEW,
            discard_new_per_subject=True,
            max_msgs=JOBS_WAITING_MAX,
            max_bytes=JOBS_BYTES_MAX,
            max_msgs_per_subject=JOBS_PER_PLAYER_MAX,
            allow_msg_ttl=True,
            max_msg_size=JOB_BYTES_MAX,
            max_age=JOB_AGE_SECONDS_MAX,
            duplicate_window=DUPLICATE_WINDOW_SECONDS,
            num_replicas=num_replicas,
        ),
        StreamConfig(
            name=subjects.DEAD_STREAM,
            description="Jobs that no worker could do",
            subjects=[subjects.DEAD_LETTERS],
            retention=RetentionPolicy.LIMITS,
            storage=StorageType.FILE,
            discard=DiscardPolicy.OLD,
            max_msgs=DEAD_LETTERS_MAX,
            max_bytes=DEAD_LETTERS_BYTES_MAX,
            max_msg_size=DEAD_LETTER_BYTES_MAX,
            max_age=DEAD_LETTER_AGE_SECONDS_MAX,
            duplicate_window=DUPLICATE_WINDOW_SECONDS,
            num_replicas=num_replicas,
        ),
    )


def job_consumer_config(priority: subjects.Priority) -> ConsumerConfig:
    """The consumer that all solver workers pull jobs of one priority from."""
    return ConsumerConfig(
        durable_name=subjects.job_consumer(priority),
        description=f"Solver workers: {priority}",
        ack_policy=AckPolicy.EXPLICIT,
        ack_wait=JOB_ACK_WAIT_SECONDS,
        max_deliver=JOB_DELIVERIES_MAX,
        max_ack_pending=JOBS_UNDER_WAY_MAX,
        filter_subject=subjects.jobs_of(priority),
    )


async def _ensure_stream(js: JetStreamContext, config: StreamConfig) -> None:
    try:
        await js.add_stream(config)
    except BadRequestError as error:
        if error.err_code != ERROR_STREAM_DIFFERS:
            raise
        await js.update_stream(await _as_far_as_possible(js, config))
        _log.info("stream brought up to date", stream=config.name)


async def _as_far_as_possible(js: JetStreamContext, config: StreamConfig) -> StreamConfig:
    """A stream that was made so that nothing can be purged stays so: the server does not take that back."""
    existing = (await js.stream_info(config.name or "")).config
    if not existing.deny_purge or config.deny_purge:
        return config
    _log.warning("no game can move from this log to the archive: an earlier release made it", stream=config.name)
    return replace(config, deny_purge=True)


async def ensure_streams(js: JetStreamContext, *, num_replicas: int = 1) -> None:
    """Make the streams and the consumers, or bring existing ones up to date. May be repeated, by several at once.

    Raises:
        nats.js.errors.APIError: the server refuses, for instance since there are too few servers for the replicas.
        nats.errors.Error: the server cannot be reached.
    """
    for config in stream_configs(num_replicas):
        await _ensure_stream(js, config)
    with suppress(NotFoundError):
        await js.delete_consumer(subjects.JOB_STREAM, subjects.OLD_JOB_CONSUMER)
    for priority in subjects.PRIORITIES:
        await js.add_consumer(subjects.JOB_STREAM, job_consumer_config(priority))
