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

from services.scoring.reading import LogMessage
from shared import subjects
from shared.bus.api_error import ApiError
from shared.bus.cancelling import request

BATCH_MAX: Final = 1000
"""Records that are folded in together."""
WAIT_SECONDS: Final = 30.0
"""How long the server keeps a request for the next message."""
HEARTBEAT_SECONDS: Final = 0.5
SILENCE_SECONDS_MAX: Final = 3 * HEARTBEAT_SECONDS
INACTIVE_SECONDS: Final = 10.0
"""How long the server keeps the consumer of a reader that is gone."""

CREATE_SECONDS: Final = 5.0
REQUEST_ENDED: Final = frozenset({StatusCode.NO_MESSAGES, StatusCode.REQUEST_TIMEOUT})

_NAME_TAKEN: Final = frozenset({10012, 10013, 10148})
"""The server's codes for: there is a consumer of that name, and it is another one."""


class LogLostError(Exception):
    """The messages stopped or do not follow each other any more. Open another reader."""


class _Created(msgspec.Struct):
    num_pending: int = 0
    error: ApiError | None = None


class LogReader:
    """An open consumer. What has arrived and is not taken is what was asked for, at most `BATCH_MAX` messages."""

    def __init__(self, client: Client) -> None:
        self.pending = 0
        """How many messages the log held from the starting place on when this was opened."""
        self.name = ""
        """Its consumer's, once it is open."""
        self._client = client
        self._inbox = ""
        self._arrived: deque[Msg] = deque()
        self._wake = asyncio.Event()
        self._delivered = 0

    async def open(self, inbox: str, start: int) -> None:
        """Makes the consumer, which delivers to `inbox`.

        Raises:
            LogLostError: there is no log (yet), or too many readers.
        """
        self.name, self.pending = await _create_consumer(self._client, inbox, start)
        self._inbox = inbox

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
        ask = subjects.next_of_log(self.name)
        await self._client.publish(ask, msgspec.json.encode({"batch": batch, **how}), reply=self._inbox)
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
        await _close(client, subscription, reader.name)


async def _create_consumer(client: Client, inbox: str, start: int) -> tuple[str, int]:
    """A consumer of our own, by its name, and how many messages it has to deliver.

    A reader may ask only the consumers of these names for messages, for any other could be one that delivers hidden
    cards. So readers share a few names out among themselves: a name that is taken belongs to another one.
    """
    for name in subjects.LOG_READERS:
        config = ConsumerConfig(
            name=name,
            metadata={"inbox": inbox},  # never equal to another's, which would be given to us as our own
            deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
            opt_start_seq=start,
            filter_subject=subjects.GAME_LOGS,
            ack_policy=AckPolicy.NONE,
            max_deliver=1,
            inactive_threshold=INACTIVE_SECONDS,
            num_replicas=1,
            mem_storage=True,
        )
        wanted = {"stream_name": subjects.EVENT_STREAM, "config": config.as_dict(), "action": "create"}
        message = await request(
            client, subjects.create_log_reader(name), msgspec.json.encode(wanted), seconds=CREATE_SECONDS
        )
        created = msgspec.json.decode(message.data, type=_Created)
        if created.error is None:
            return name, created.num_pending
        if created.error.err_code not in _NAME_TAKEN:
            raise LogLostError(f"cannot be read: {created.error.description}")
    raise LogLostError(f"all {len(subjects.LOG_READERS)} readers are taken; they end when nobody asks them any more")


def _nanoseconds(seconds: float) -> int:
    """As the server has its durations."""
    return int(seconds * 1_000_000_000)


async def _close(client: Client, subscription: Subscription, name: str) -> None:
    """Frees the name at once. Where that fails, the server does it once nobody has asked the consumer for a while."""
    with suppress(nats.errors.Error):
        if name:
            await client.publish(subjects.delete_log_reader(name))
        await subscription.unsubscribe()
