"""A consumer of the game logs for one reading, in their order and without acknowledgements, and gone afterwards."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple

import nats.errors
from nats.aio.client import Client
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy
from nats.js.client import JetStreamContext

from shared import subjects


class LogConsumer(NamedTuple):
    """Where messages are fetched from, and how many there were when it was made."""

    queue: JetStreamContext.PullSubscription
    pending: int


@asynccontextmanager
async def log_consumer(
    nc: Client, name: str, *, deliver: DeliverPolicy, start: int | None = None, inactive_seconds: float
) -> AsyncIterator[LogConsumer]:
    """A consumer of a name of its own.

    Its filter is in the subject of its creation, where the server's permissions see it: no sealed deal.

    Args:
        nc: the connection.
        name: of the consumer, and of nobody else's.
        deliver: which messages.
        start: the first sequence, where `deliver` asks for one.
        inactive_seconds: how long the server keeps it when its reader is gone.

    Raises:
        nats.errors.Error, nats.js.errors.Error: it cannot be made.
    """
    js = nc.jetstream()
    config = ConsumerConfig(
        name=name,
        deliver_policy=deliver,
        opt_start_seq=start,
        filter_subject=subjects.GAME_LOGS,
        ack_policy=AckPolicy.NONE,
        inactive_threshold=inactive_seconds,
        num_replicas=1,
        mem_storage=True,
    )
    pending = (await js.add_consumer(subjects.EVENT_STREAM, config)).num_pending or 0
    try:
        yield LogConsumer(await js.pull_subscribe_bind(name, subjects.EVENT_STREAM), pending)
    finally:
        with suppress(nats.errors.Error):
            await js.delete_consumer(subjects.EVENT_STREAM, name)
