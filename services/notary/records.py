"""The records of all games after a place of the log, in its order, and none that comes while they are read."""

from collections.abc import AsyncGenerator
from typing import Final

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.api import DeliverPolicy

from shared import subjects
from shared.bus.log_consumer import log_consumer

BATCH: Final = 1_000
FETCH_SECONDS: Final = 5.0
INACTIVE_SECONDS: Final = 10.0
"""How long the server keeps the consumer of a notary that is gone. Until then there is no other."""


class GapError(Exception):
    """Messages did not follow each other. Read again."""


async def records_from(nc: Client, start: int) -> AsyncGenerator[Msg, None]:
    """Messages of game logs with the sequence `start` or a later one.

    Raises:
        nats.errors.Error, nats.js.errors.Error, GapError: the log cannot be read now.

    """
    consumer = log_consumer(
        nc,
        subjects.NOTARY_READER,
        deliver=DeliverPolicy.BY_START_SEQUENCE,
        start=start,
        inactive_seconds=INACTIVE_SECONDS,
    )
    delivered = 0
    async with consumer as (queue, left):
        while delivered < left:
            for message in await queue.fetch(min(BATCH, left - delivered), FETCH_SECONDS):
                delivered += 1
                if message.metadata.sequence.consumer != delivered:
                    raise GapError(f"delivery {message.metadata.sequence.consumer} came as number {delivered}")
                yield message
