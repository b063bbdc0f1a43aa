"""Games whose newest record is an end, the one that ended first before the others."""

from collections.abc import AsyncIterator
from typing import Final

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.api import DeliverPolicy

from services.archivist.soundness import is_over
from shared import subjects
from shared.bus.log_consumer import log_consumer
from shared.messages.base import GameId
from shared.messages.codec import CorruptRecordError, open_record

BATCH: Final = 500
FETCH_SECONDS: Final = 5.0
INACTIVE_SECONDS: Final = 30.0
"""How long the server keeps the consumer of an archivist that is gone."""


async def ended_games(nc: Client, name: str, *, before_ms: int) -> AsyncIterator[GameId]:
    """Games that ended before a time, in the order in which they did. What is no record is left to the audit.

    Raises:
        nats.errors.Error, nats.js.errors.Error: the log cannot be read.
    """
    consumer = log_consumer(nc, name, deliver=DeliverPolicy.LAST_PER_SUBJECT, inactive_seconds=INACTIVE_SECONDS)
    async with consumer as (queue, pending):
        left = pending
        while left:
            for message in await queue.fetch(min(BATCH, left), FETCH_SECONDS):
                left = message.metadata.num_pending
                if message.metadata.timestamp.timestamp() * 1000 > before_ms:
                    return
                if _is_over(message):
                    yield subjects.game_of(message.subject)


def _is_over(message: Msg) -> bool:
    try:
        record, _ = open_record(message.data)
    except CorruptRecordError:
        return False
    return is_over(record)
