"""The asking side of request/reply: the same bytes again until there is an answer or the deadline has passed.

Only requests that are safe to repeat may be asked: reads, and commands with an id.
"""

import asyncio
from collections.abc import Callable
from enum import Enum
from typing import Final, TypeVar

import nats.errors
from nats.aio.client import Client

from shared.backoff import Backoff
from shared.bus.cancelling import request
from shared.messages.answers import Refused, RequestRefused
from shared.subjects import CORRELATION_HEADER

Answer = TypeVar("Answer")

LEAST_SECONDS: Final = 0.2
"""An attempt with less time is not made: cut short, it would leave in doubt what was certain."""
BACKOFF: Final = Backoff(first_seconds=0.05, most_seconds=1.0)


class Unanswered(Enum):
    """How a request ended that has no answer."""

    NOT_SENT = 1
    """It reached nobody: nothing was done."""
    UNKNOWN = 2
    """It may have reached somebody: it may be done, or be done yet."""


def unless(*codes: str) -> Callable[[object], bool]:
    """For `settled`: every answer is final but refusals with these codes."""

    def settled(answer: object) -> bool:
        return not (isinstance(answer, Refused | RequestRefused) and answer.error.code in codes)

    return settled


class Requests:
    """Requests over one connection, whose publish must raise while the connection is lost."""

    def __init__(self, client: Client, jitter: Callable[[], float], backoff: Backoff = BACKOFF) -> None:
        """`jitter` gives numbers from 0 to 1, at random."""
        self._client = client
        self._jitter = jitter
        self._backoff = backoff

    async def ask(
        self,
        subject: str,
        message: bytes,
        *,
        decode: Callable[[bytes], Answer],
        settled: Callable[[Answer], bool] = lambda _: True,
        correlation: str | None = None,
        attempt_seconds: float,
        deadline_seconds: float,
    ) -> Answer | Unanswered:
        """Ask until there is a settled answer.

        Args:
            subject: who is asked.
            message: sent unchanged at every attempt.
            decode: from the answer's bytes. What it raises ends the asking.
            settled: whether an answer is final, as any is by default; one that is not is asked for again, and given
                when time is up.
            correlation: the id of the command that this is done for, if there is one.
            attempt_seconds: how long one attempt waits.
            deadline_seconds: how long all of them may take.
        """
        headers = {CORRELATION_HEADER: correlation} if correlation else None
        loop = asyncio.get_running_loop()
        deadline = loop.time() + deadline_seconds
        last: Answer | Unanswered = Unanswered.NOT_SENT
        doubtful = False
        attempt = 0
        while True:
            seconds = min(attempt_seconds, deadline - loop.time())
            answer = await self._attempt(subject, message, headers, seconds, decode)
            if not isinstance(answer, Unanswered) and settled(answer):
                return answer
            doubtful = doubtful or answer is Unanswered.UNKNOWN
            last = Unanswered.UNKNOWN if doubtful else answer
            attempt += 1
            pause = self._backoff.delay(attempt, self._jitter())
            if loop.time() + pause + LEAST_SECONDS > deadline:
                return last
            await asyncio.sleep(pause)

    async def _attempt(
        self,
        subject: str,
        message: bytes,
        headers: dict[str, str] | None,
        seconds: float,
        decode: Callable[[bytes], Answer],
    ) -> Answer | Unanswered:
        try:
            reply = await request(self._client, subject, message, seconds=seconds, headers=headers)
        except (nats.errors.NoRespondersError, nats.errors.OutboundBufferLimitError):
            return Unanswered.NOT_SENT
        except (nats.errors.ConnectionClosedError, nats.errors.ConnectionDrainingError):
            return Unanswered.NOT_SENT
        except (nats.errors.Error, TimeoutError, OSError):
            return Unanswered.UNKNOWN
        return decode(reply.data)
