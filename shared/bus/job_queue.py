"""The workers' side of the work queue: take a job, and say what became of it.

A job that was taken and not settled is delivered again after the consumer's ack wait, to any worker. So one that kills
its worker comes back; after `ATTEMPTS_MAX` it is buried by the next worker instead of being tried again.
"""

from dataclasses import dataclass
from typing import Final

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError, ServiceUnavailableError

from shared import subjects
from shared.bus.streams import JOB_DELIVERIES_MAX

FETCH_SECONDS: Final = 1.0
"""How long one request for a job stays at the server. After a restart of the server, also how long it is waited out."""
ATTEMPTS_MAX: Final = JOB_DELIVERIES_MAX - 1
"""The last delivery is for burying."""
REASON_LENGTH_MAX: Final = 300
API_TIMEOUT_SECONDS: Final = 2.0
LEFT_OVER_SECONDS: Final = 0.05


class QueueMissingError(Exception):
    """The stream or its consumer is not there. game-state makes both when it starts."""


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
        """Another worker may do it, at once."""
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
            **(self.message.headers or {}),
            subjects.REASON_HEADER: " ".join(reason.split())[:REASON_LENGTH_MAX],
            "Nats-Msg-Id": f"{self.message.metadata.stream}-{place}-{self.message.metadata.timestamp.timestamp()}",
        }
        await self.jetstream.publish(subjects.dead_letter(self.kind), self.payload, headers=headers)
        await self.message.term()


class JobQueue:
    """One taker of jobs. Several share the queue, in one process or in many."""

    def __init__(self, client: Client) -> None:
        self._jetstream = client.jetstream(timeout=API_TIMEOUT_SECONDS)
        self._subscription: JetStreamContext.PullSubscription | None = None

    async def open(self) -> None:
        """Begin to take jobs.

        Raises:
            QueueMissingError: there is no queue yet.
            nats.errors.Error, nats.js.errors.Error: the server does not answer.
        """
        try:
            await self._jetstream.consumer_info(subjects.JOB_STREAM, subjects.JOB_CONSUMER)
        except (NotFoundError, ServiceUnavailableError, nats.errors.NoRespondersError) as error:
            raise QueueMissingError(str(error)) from None
        self._subscription = await self._jetstream.pull_subscribe_bind(
            subjects.JOB_CONSUMER, stream=subjects.JOB_STREAM
        )

    async def take(self) -> TakenJob | None:
        """The next job, the moment there is one; None when there was none for `FETCH_SECONDS`.

        Raises:
            QueueMissingError: the queue is gone.
            nats.errors.Error, nats.js.errors.Error: the connection is lost, or the server cannot serve.
        """
        return await self._fetch(FETCH_SECONDS)

    async def close(self) -> None:
        """Take no more, and hand back what was delivered meanwhile."""
        if self._subscription is None:
            return
        while self._subscription.pending_msgs:
            left_over = await self._fetch(LEFT_OVER_SECONDS)
            if left_over is not None:
                await left_over.hand_back()
        await self._subscription.unsubscribe()

    async def _fetch(self, seconds: float) -> TakenJob | None:
        if self._subscription is None:
            raise QueueMissingError("the queue was not opened")
        try:
            [message] = await self._subscription.fetch(1, timeout=seconds)
        except nats.errors.TimeoutError:
            return None
        except ServiceUnavailableError as error:
            raise QueueMissingError(str(error)) from None
        return TakenJob(message, self._jetstream)
