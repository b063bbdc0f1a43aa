"""The workers' side of the work queue: take a job, and say what became of it.

A job that was taken and not settled is delivered again after the consumer's ack wait, to any worker. So one that kills
its worker comes back; after `JOB_ATTEMPTS_MAX` it is buried by the next worker instead of being tried again.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.js import JetStreamContext

from shared import subjects
from shared.bus.job_turns import Turns

IDLE_SECONDS: Final = 0.25
"""How long a taker that has nothing to do waits at its first priority before it looks at the others again."""
LIVELY_IDLE_SECONDS: Final = 0.05
LIVELY_SECONDS: Final = 10.0
"""For so long after a job of another priority it looks at them more often: where one came, the next is not far."""
REPLY_SECONDS: Final = 1.0
"""How long the server may take to answer beyond that. After its restart, also how long an answer is waited for."""
REASON_LENGTH_MAX: Final = 300
API_TIMEOUT_SECONDS: Final = 2.0
NEXT: Final = f"$JS.API.CONSUMER.MSG.NEXT.{subjects.JOB_STREAM}"
STATUS: Final = "Status"
NOTHING: Final = frozenset({"404", "408"})
"""No job at once; none in time. Any other status says that the queue cannot serve."""


class QueueMissingError(Exception):
    """The stream or a consumer is not there, or does not serve. game-state makes them when it starts."""


@dataclass(frozen=True, slots=True)
class TakenJob:
    """A delivered job. Exactly one of `done`, `drop`, `bury` and `hand_back` is its end."""

    message: Msg
    jetstream: JetStreamContext

    @property
    def kind(self) -> str:
        return subjects.kind_of_job(self.message.subject)

    @property
    def payload(self) -> bytes:
        return self.message.data

    @property
    def correlation(self) -> str:
        """The id of the command that caused the job; empty when its sender gave none."""
        return (self.message.headers or {}).get(subjects.CORRELATION_HEADER, "")

    @property
    def attempt(self) -> int:
        """1 for the first delivery."""
        return self.message.metadata.num_delivered

    @property
    def stored_micros(self) -> int:
        """When it was put into the queue, microseconds since 1970-01-01 UTC, by the server's clock."""
        return round(self.message.metadata.timestamp.timestamp() * 1_000_000)

    async def done(self) -> None:
        """Its result is published."""
        await self.message.ack()

    async def drop(self) -> None:
        """Nobody wants its result any more."""
        await self.message.term()

    async def hand_back(self) -> None:
        """Another worker may do it, at once. Does nothing to a job that is settled."""
        if not self.message.is_acked:
            await self.message.nak()

    async def still_working(self) -> None:
        """Starts the ack wait anew."""
        await self.message.in_progress()

    async def bury(self, reason: str) -> None:
        """Store it among the dead letters with the reason, then take it off the queue. Repeated, it is stored once.

        Raises:
            nats.errors.Error, nats.js.errors.Error: not stored; the job stays on the queue.
        """
        place = self.message.metadata.sequence.stream
        headers = {
            subjects.CORRELATION_HEADER: self.correlation,
            subjects.REASON_HEADER: " ".join(reason.split())[:REASON_LENGTH_MAX],
            "Nats-Msg-Id": f"{self.message.metadata.stream}-{place}-{self.message.metadata.timestamp.timestamp()}",
        }
        await self.jetstream.publish(subjects.dead_letter(self.kind), self.payload, headers=headers)
        await self.message.term()


class JobQueue:
    """One taker of jobs. Several share the queue, in one process or in many."""

    def __init__(
        self,
        client: Client,
        clock: Callable[[], float],
        priorities: Sequence[subjects.Priority] = subjects.PRIORITIES,
    ) -> None:
        """`clock` gives seconds, of which only differences mean anything."""
        self._client = client
        self._jetstream = client.jetstream(timeout=API_TIMEOUT_SECONDS)
        self._clock = clock
        self._turns = Turns(clock(), priorities)
        self._lively_until = clock()
        self._inbox = client.new_inbox()
        self._pulls = 0
        self._arrived: asyncio.Queue[Msg] = asyncio.Queue()
        self._subscription: Subscription | None = None

    async def open(self) -> None:
        """Begin to take jobs.

        Raises:
            nats.errors.Error: the server cannot be reached.
        """
        self._subscription = await self._client.subscribe(f"{self._inbox}.*", cb=self._arrived.put)

    async def take(self) -> TakenJob | None:
        """The next job, the moment there is one; None when there was none for `IDLE_SECONDS`.

        Not to be cancelled: a job that is on its way would be lost until its ack wait is over.

        Raises:
            QueueMissingError: the queue is gone, or was never there.
            nats.errors.Error: the connection is lost, or the server does not answer.
        """
        taken = await self.look()
        if taken is not None:
            return taken
        lively = self._clock() < self._lively_until
        return await self._pull(self._turns.first, seconds=LIVELY_IDLE_SECONDS if lively else IDLE_SECONDS)

    async def look(self) -> TakenJob | None:
        """A job that is there already. Raises as `take`, and is not to be cancelled either."""
        for priority in self._turns.order(self._clock()):
            taken = await self._pull(priority, seconds=0.0)
            self._turns.asked(priority, self._clock())
            if taken is not None:
                if priority != self._turns.first:
                    self._lively_until = self._clock() + LIVELY_SECONDS
                return taken
        return None

    async def close(self) -> None:
        """Take no more, and hand back what was delivered too late."""
        if self._subscription is None:
            return
        while not self._arrived.empty():
            message = self._arrived.get_nowait()
            if _status(message) is None:
                await TakenJob(message, self._jetstream).hand_back()
        await self._subscription.unsubscribe()

    async def _pull(self, priority: subjects.Priority, *, seconds: float) -> TakenJob | None:
        if self._subscription is None:
            raise QueueMissingError("the queue was not opened")
        self._pulls += 1
        reply = f"{self._inbox}.{self._pulls}"
        wait = {"expires": round(seconds * 1e9)} if seconds else {"no_wait": True}
        subject = f"{NEXT}.{subjects.job_consumer(priority)}"
        await self._client.publish(subject, json.dumps({"batch": 1, **wait}).encode(), reply=reply)
        while True:
            message = await self._next(seconds + REPLY_SECONDS)
            status = _status(message)
            if status is None:
                return TakenJob(message, self._jetstream)
            if message.subject != reply:  # about an earlier pull, which was given up
                continue
            if status in NOTHING:
                return None
            raise QueueMissingError(f"{priority}: {status} {(message.headers or {}).get('Description', '').strip()}")

    async def _next(self, seconds: float) -> Msg:
        try:
            async with asyncio.timeout(seconds):
                return await self._arrived.get()
        except TimeoutError:
            raise nats.errors.TimeoutError from None


def _status(message: Msg) -> str | None:
    """What the server says instead of a job; None for a job."""
    return (message.headers or {}).get(STATUS) if message.subject.startswith(subjects.INBOXES) else None
