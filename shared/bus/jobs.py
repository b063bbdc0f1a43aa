"""The asking side of the work queue: publish a job, await its result."""

import asyncio
import hashlib
from collections.abc import Callable
from typing import Final, Literal

import msgspec
import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.js.errors import Error as JetStreamError

from shared import subjects
from shared.logs import correlation_id
from shared.messages.codec import encode
from shared.messages.jobs import AnyQuestion, AnyResult, Job

ANSWER_TIMEOUT_SECONDS: Final = 8.0
"""Long enough for a second worker to answer when the first one died with the job (`JOB_ACK_WAIT_SECONDS`)."""
PUBLISH_TIMEOUT_SECONDS: Final = 2.0
WAITING_MAX: Final = 128
"""Askers that wait for a result in one process; one more is told so at once. Half of the requests that may run at the
same time: moves find a place however many hints are waited for."""

_result_decoder: Final = msgspec.msgpack.Decoder(AnyResult)
_log: Final = structlog.stdlib.get_logger(__name__)


class Unanswered(msgspec.Struct, frozen=True):
    """No result: nobody answered in time, the job could not be queued, or too many askers wait already."""

    reason: Literal["timeout", "not-queued", "too-many-waiting"]


def job_id(question: AnyQuestion) -> str:
    """The key of a job: the same question has the same id, so that a result answers all who asked it."""
    return hashlib.sha256(encode(question)).hexdigest()[:32]


def kind_of(question: AnyQuestion) -> str:
    """The kind of job that a question makes."""
    return str(type(question).__struct_config__.tag)


class JobDesk:
    """Asks workers questions and hands each result to those who wait for it. One for each game-state process."""

    def __init__(self, client: Client, instance: str, now_ms: Callable[[], int]) -> None:
        self._client = client
        self._instance = instance
        self._now_ms = now_ms
        self._jetstream = client.jetstream(timeout=PUBLISH_TIMEOUT_SECONDS)
        self._subscription: Subscription | None = None
        self._waiting: dict[str, set[asyncio.Future[AnyResult]]] = {}
        self._askers = 0

    async def open(self) -> None:
        """Listen for results. To be awaited before the first `ask`."""
        self._subscription = await self._client.subscribe(subjects.results(self._instance), cb=self._take)

    async def close(self) -> None:
        """Stop listening. Whoever still waits gets its time-out."""
        if self._subscription is not None and self._client.is_connected:
            await self._subscription.unsubscribe()

    async def ask(
        self, question: AnyQuestion, *, timeout_seconds: float = ANSWER_TIMEOUT_SECONDS
    ) -> AnyResult | Unanswered:
        """A worker's answer. The correlation id of the running command goes along with the job."""
        if self._askers >= WAITING_MAX:
            return Unanswered("too-many-waiting")
        job = self._job(question, timeout_seconds)
        answer: asyncio.Future[AnyResult] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(job.id, set()).add(answer)
        self._askers += 1
        try:
            async with asyncio.timeout(timeout_seconds):
                if not await self._queue(job):
                    return Unanswered("not-queued")
                return await answer
        except TimeoutError:
            return Unanswered("timeout")
        finally:
            self._leave(job.id, answer)

    def _leave(self, job: str, answer: "asyncio.Future[AnyResult]") -> None:
        self._askers -= 1
        self._waiting[job].discard(answer)
        if not self._waiting[job]:
            del self._waiting[job]

    def _job(self, question: AnyQuestion, timeout_seconds: float) -> Job:
        key = job_id(question)
        return Job(
            id=key,
            reply_to=subjects.result(self._instance, key),
            deadline=self._now_ms() + round(timeout_seconds * 1000),
            question=question,
        )

    async def _queue(self, job: Job) -> bool:
        """Whether the job may be in the queue: a lost answer leaves it there, and its result still counts."""
        headers = {subjects.CORRELATION_HEADER: correlation_id() or job.id}
        try:
            await self._jetstream.publish(subjects.job(kind_of(job.question)), encode(job), headers=headers)
        except nats.errors.TimeoutError:
            return True
        except (nats.errors.Error, JetStreamError) as error:
            _log.warning("job not queued", job=job.id, error=str(error) or type(error).__name__)
            return False
        return True

    async def _take(self, message: Msg) -> None:
        try:
            result = _result_decoder.decode(message.data)
        except msgspec.DecodeError as error:
            _log.warning("result cannot be decoded", subject=message.subject, error=str(error))
            return
        for answer in self._waiting.get(result.id, ()):
            if not answer.done():
                answer.set_result(result)
