"""The records of all games after a place of the log, in its order, and none that comes while they are read."""

from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Final

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

from shared import subjects

BATCH: Final = 1_000
FETCH_SECONDS: Final = 5.0
INACTIVE_SECONDS: Final = 10.0
"""How long the server keeps the consumer of a notary that is gone. Until then there is no other."""


class GapError(Exception):
    """Messages did not follow each other. Read again."""


async def records_from(nc: Client, start: int) -> AsyncGenerator[Msg, None]:
    """Messages of game logs with the sequence `start` or a later one.

    The consumer's filter is in the subject of its creation, where the server's permissions see it: no sealed deal.

    Raises:
        nats.errors.Error, nats.js.errors.Error, GapError: the log cannot be read now.

    """
    js = nc.jetstream()
    config = ConsumerConfig(
        name=subjects.NOTARY_READER,
        deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
        opt_start_seq=start,
        filter_subject=subjects.GAME_LOGS,
        ack_policy=AckPolicy.NONE,
        inactive_threshold=INACTIVE_SECONDS,
        num_replicas=1,
        mem_storage=True,
    )
    left = (await js.add_consumer(subjects.EVENT_STREAM, config)).num_pending or 0
    delivered = 0
    try:
        queue = await js.pull_subscribe_bind(subjects.NOTARY_READER, subjects.EVENT_STREAM)
        while delivered < left:
            for message in await queue.fetch(min(BATCH, left - delivered), FETCH_SECONDS):
                delivered += 1
                if message.metadata.sequence.consumer != delivered:
                    raise GapError(f"delivery {message.metadata.sequence.consumer} came as number {delivered}")
                yield message
    finally:
        await _delete(js)


async def _delete(js: JetStreamContext) -> None:
    with suppress(nats.errors.Error):
        await js.delete_consumer(subjects.EVENT_STREAM, subjects.NOTARY_READER)
