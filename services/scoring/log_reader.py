"""Reads the log of all games from a place on, in order and without gaps.

The consumer is an ephemeral one that pushes to the own inbox: its filter is in the subject of its creation, where the
server's permissions see it. It needs no acknowledgements, since the place in the log is kept with the projections.
When anything is amiss (a gap, silence, a lost connection) the reader ends, and another is opened at the cursor.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy, Header, StatusCode
from nats.js.errors import NotFoundError

from services.scoring.reading import LogMessage
from shared import subjects

BATCH_MAX: Final = 1000
"""Records that are folded in together."""
HEARTBEAT_SECONDS: Final = 0.5
SILENCE_SECONDS_MAX: Final = 3 * HEARTBEAT_SECONDS
INACTIVE_SECONDS: Final = 10.0
"""How long the server keeps the consumer of a reader that is gone."""


class LogLostError(Exception):
    """The messages stopped or do not follow each other any more. Open another reader."""


class LogReader:
    """An open consumer. What has arrived and is not taken is bounded by the server's flow control (32 MiB)."""

    def __init__(self, client: Client) -> None:
        self.pending = 0
        """How many messages the log held from the starting place on when this was opened."""
        self._client = client
        self._arrived: deque[Msg] = deque()
        self._wake = asyncio.Event()
        self._delivered = 0

    async def batch(self) -> list[LogMessage]:
        """The next messages, at least one. Waits for it.

        Raises:
            LogLostError: the reader is of no more use.
        """
        while True:
            await self._wait()
            taken: list[LogMessage] = []
            while self._arrived and len(taken) < BATCH_MAX:
                message = self._arrived.popleft()
                if message.headers and Header.STATUS in message.headers:
                    await self._obey(message, message.headers)
                else:
                    taken.append(self._follow(message))
            if taken:
                return taken

    async def take(self, message: Msg) -> None:
        """The subscription's callback."""
        self._arrived.append(message)
        self._wake.set()

    async def _wait(self) -> None:
        if self._arrived:
            return
        self._wake.clear()
        try:
            async with asyncio.timeout(SILENCE_SECONDS_MAX):
                await self._wake.wait()
        except TimeoutError:
            raise LogLostError(f"not even a heartbeat for {SILENCE_SECONDS_MAX} s") from None

    def _follow(self, message: Msg) -> LogMessage:
        metadata = message.metadata
        if metadata.sequence.consumer != self._delivered + 1:
            raise LogLostError(f"delivery {metadata.sequence.consumer} came after {self._delivered}")
        self._delivered += 1
        return LogMessage(metadata.sequence.stream, message.subject, message.data, metadata.num_pending)

    async def _obey(self, message: Msg, headers: dict[str, str]) -> None:
        """A heartbeat says what should have been delivered; flow control asks whether all before it was taken."""
        if headers[Header.STATUS] != StatusCode.CONTROL_MESSAGE:
            raise LogLostError(headers.get(Header.DESCRIPTION, "the server ended the consumer"))
        last = headers.get(Header.LAST_CONSUMER)
        if last is not None and int(last) != self._delivered:
            raise LogLostError(f"{last} messages were sent and {self._delivered} arrived")
        answer_to = message.reply or headers.get(Header.CONSUMER_STALLED)
        if answer_to:
            await self._client.publish(answer_to)


@asynccontextmanager
async def open_log(client: Client, *, start: int) -> AsyncIterator[LogReader]:
    """Read from the message with sequence `start` on, or the first one after it.

    Raises:
        LogLostError: there is no log (yet).
        nats.errors.Error: the server cannot be reached, or refuses.
    """
    reader = LogReader(client)
    inbox = client.new_inbox()
    subscription = await client.subscribe(inbox, cb=reader.take)
    try:
        reader.pending = await _create_consumer(client, inbox, start)
        yield reader
    finally:
        await _close(subscription)


async def _create_consumer(client: Client, inbox: str, start: int) -> int:
    config = ConsumerConfig(
        name=f"scoring-{inbox.rsplit('.', 1)[-1]}",
        deliver_subject=inbox,
        deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
        opt_start_seq=start,
        filter_subject=subjects.GAME_LOGS,
        ack_policy=AckPolicy.NONE,
        max_deliver=1,
        flow_control=True,
        idle_heartbeat=HEARTBEAT_SECONDS,
        inactive_threshold=INACTIVE_SECONDS,
        num_replicas=1,
        mem_storage=True,
    )
    try:
        created = await client.jetstream().add_consumer(subjects.EVENT_STREAM, config)
    except NotFoundError:
        raise LogLostError(f"there is no stream {subjects.EVENT_STREAM}: game-state makes it") from None
    return created.num_pending or 0


async def _close(subscription: Subscription) -> None:
    """The server removes the consumer by itself once nobody listens."""
    with suppress(nats.errors.Error):
        await subscription.unsubscribe()
