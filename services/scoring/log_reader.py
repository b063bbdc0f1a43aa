"""Reads the log of all games from a place on, in order and without gaps.

The consumer is an ephemeral one whose filter is in the subject of its creation, where the server's permissions see it.
It needs no acknowledgements, since the place in the log is kept with the projections. Messages are pulled, not pushed:
a server that sends each record on at once takes time from the moves that wait for it. When anything is amiss (a gap,
silence, a lost connection) the reader ends, and another is opened at the cursor.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import msgspec
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
WAIT_SECONDS: Final = 30.0
"""How long the server keeps a request for the next message."""
HEARTBEAT_SECONDS: Final = 0.5
SILENCE_SECONDS_MAX: Final = 3 * HEARTBEAT_SECONDS
INACTIVE_SECONDS: Final = 10.0
"""How long the server keeps the consumer of a reader that is gone."""

REQUEST_ENDED: Final = frozenset({StatusCode.NO_MESSAGES, StatusCode.REQUEST_TIMEOUT})


class LogLostError(Exception):
    """The messages stopped or do not follow each other any more. Open another reader."""


class LogReader:
    """An open consumer. What has arrived and is not taken is what was asked for, at most `BATCH_MAX` messages."""

    def __init__(self, client: Client) -> None:
        self.pending = 0
        """How many messages the log held from the starting place on when this was opened."""
        self._client = client
        self._next = ""
        self._inbox = ""
        self._arrived: deque[Msg] = deque()
        self._wake = asyncio.Event()
        self._delivered = 0

    async def open(self, inbox: str, start: int) -> None:
        """Makes the consumer, which delivers to `inbox`.

        Raises:
            LogLostError: there is no log (yet).
        """
        name = f"scoring-{inbox.rsplit('.', 1)[-1]}"
        self.pending = await _create_consumer(self._client, name, start)
        self._inbox, self._next = inbox, subjects.next_of_log(name)

    async def batch(self) -> list[LogMessage]:
        """The next messages, at least one. Waits for it, then takes what else there is.

        Raises:
            LogLostError: the reader is of no more use.
        """
        taken: list[LogMessage] = []
        while not taken:
            taken = await self._pull(
                batch=1, expires=_nanoseconds(WAIT_SECONDS), idle_heartbeat=_nanoseconds(HEARTBEAT_SECONDS)
            )
        more = min(taken[-1].pending, BATCH_MAX - 1)
        return taken + await self._pull(batch=more, no_wait=True) if more else taken

    async def take(self, message: Msg) -> None:
        """The subscription's callback."""
        self._arrived.append(message)
        self._wake.set()

    async def _pull(self, *, batch: int, **how: int) -> list[LogMessage]:
        """Asks for some messages. Fewer come when the server ends the request before."""
        await self._client.publish(self._next, msgspec.json.encode({"batch": batch, **how}), reply=self._inbox)
        taken: list[LogMessage] = []
        while len(taken) < batch:
            await self._wait()
            message = self._arrived.popleft()
            status = (message.headers or {}).get(Header.STATUS)
            if status is None:
                taken.append(self._follow(message))
            elif status in REQUEST_ENDED:
                break
            elif status != StatusCode.CONTROL_MESSAGE:  # that is a heartbeat
                raise LogLostError((message.headers or {}).get(Header.DESCRIPTION, "the server ended the consumer"))
        return taken

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
        await reader.open(inbox, start)
        yield reader
    finally:
        await _close(subscription)


async def _create_consumer(client: Client, name: str, start: int) -> int:
    """How many messages it has to deliver."""
    config = ConsumerConfig(
        name=name,
        deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
        opt_start_seq=start,
        filter_subject=subjects.GAME_LOGS,
        ack_policy=AckPolicy.NONE,
        max_deliver=1,
        inactive_threshold=INACTIVE_SECONDS,
        num_replicas=1,
        mem_storage=True,
    )
    try:
        created = await client.jetstream().add_consumer(subjects.EVENT_STREAM, config)
    except NotFoundError:
        raise LogLostError(f"there is no stream {subjects.EVENT_STREAM}: game-state makes it") from None
    return created.num_pending or 0


def _nanoseconds(seconds: float) -> int:
    """As the server has its durations."""
    return int(seconds * 1_000_000_000)


async def _close(subscription: Subscription) -> None:
    """The server removes the consumer by itself once nobody listens."""
    with suppress(nats.errors.Error):
        await subscription.unsubscribe()
