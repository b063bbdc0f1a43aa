"""The asking side of the work queue: publish a job, await its result."""

import asyncio
import hashlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Literal, TypeVar

import msgspec
import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.js.errors import Error as JetStreamError
from nats.js.errors import ServiceUnavailableError

from shared import subjects
from shared.logs import correlation_id
from shared.messages.base import GameId
from shared.messages.codec import encode
from shared.messages.jobs import AnyQuestion, AnyResult, GameQuestion, Job

ANSWER_TIMEOUT_SECONDS: Final = 8.0
"""Long enough for a second worker to answer when the first one died with the job (`JOB_ACK_WAIT_SECONDS`)."""
PUBLISH_TIMEOUT_SECONDS: Final = 2.0
WAITING_MAX: Final = 128
"""Askers that wait for a result in one process; one more is told so at once. Half of the requests that may run at the
same time: moves find a place however many hints are waited for."""
BURIAL_SECONDS: Final = 12.0
"""A job stays in the queue for so long after its deadline: two more ack waits, so that one which ends its workers is
taken once more, and found among the dead letters."""
PER_SUBJECT: Final = "per subject"
"""What the server's refusal says when it is the player who has too many. The code is that of a full queue, too."""

Key = TypeVar("Key", bound=str)

_result_decoder: Final = msgspec.msgpack.Decoder(AnyResult)
_log: Final = structlog.stdlib.get_logger(__name__)


class Unanswered(msgspec.Struct, frozen=True):
    """No result: nobody answered in time; the job could not be queued, or one of its player too many; too many askers
    wait already; or the game has moved on.
    """

    reason: Literal["timeout", "not-queued", "too-many-jobs", "too-many-waiting", "overtaken"]
    version: int | None = None
    """The game's, when it has moved on."""


@dataclass(slots=True, eq=False)
class _Asking:
    """One who waits."""

    question: AnyQuestion
    answer: "asyncio.Future[AnyResult | Unanswered]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    def tell(self, answer: AnyResult | Unanswered) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)


def job_id(question: AnyQuestion) -> str:
    """The key of a job: the same question has the same id, so that a result answers all who asked it."""
    return hashlib.sha256(encode(question)).hexdigest()[:32]


def kind_of(question: AnyQuestion) -> str:
    """The kind of job that a question makes."""
    return str(type(question).__struct_config__.tag)


class JobDesk:
    """Asks workers questions and hands each result to those who wait for it. One for each asking process."""

    def __init__(self, client: Client, instance: str, now_ms: Callable[[], int]) -> None:
        self._client = client
        self._instance = instance
        self._now_ms = now_ms
        self._jetstream = client.jetstream(timeout=PUBLISH_TIMEOUT_SECONDS)
        self._subscription: Subscription | None = None
        self._waiting: dict[str, set[_Asking]] = {}
        self._games: dict[GameId, set[_Asking]] = {}
        self._askers = 0

    async def open(self) -> None:
        """Listen for results. To be awaited before the first `ask`."""
        self._subscription = await self._client.subscribe(subjects.results(self._instance), cb=self._take)

    async def close(self) -> None:
        """Stop listening. Whoever still waits gets its time-out."""
        if self._subscription is not None and self._client.is_connected:
            await self._subscription.unsubscribe()

    async def ask(
        self,
        question: AnyQuestion,
        *,
        priority: subjects.Priority | None = None,
        timeout_seconds: float = ANSWER_TIMEOUT_SECONDS,
    ) -> AnyResult | Unanswered:
        """A worker's answer. The correlation id of the running command goes along with the job.

        `priority` is that of the question's kind where none is given.
        """
        if self._askers >= WAITING_MAX:
            return Unanswered("too-many-waiting")
        job = self._job(question, timeout_seconds)
        asking = _Asking(question)
        self._enter(job, asking)
        sequence: int | None = None
        try:
            async with asyncio.timeout(timeout_seconds):
                match await self._queue(job, priority or question.priority, timeout_seconds):
                    case Unanswered() as refusal:
                        return refusal
                    case sequence:
                        return await asking.answer
        except TimeoutError:
            sequence = None  # it stays: a worker may have it, and what ends workers is to be found
            return Unanswered("timeout")
        finally:
            self._leave(job, asking)
            if sequence is not None and not _answered(asking):
                await self._withdraw(job, sequence)

    def overtaken(self, game: GameId, version: int) -> None:
        """The game has a newer version: who asked about an older one is told, and its job leaves the queue."""
        for asking in self._games.get(game, ()):
            if isinstance(asking.question, GameQuestion) and asking.question.version < version:
                asking.tell(Unanswered("overtaken", version))

    def _enter(self, job: Job, asking: _Asking) -> None:
        self._askers += 1
        self._waiting.setdefault(job.id, set()).add(asking)
        if isinstance(asking.question, GameQuestion):
            self._games.setdefault(asking.question.game, set()).add(asking)

    def _leave(self, job: Job, asking: _Asking) -> None:
        self._askers -= 1
        _remove(self._waiting, job.id, asking)
        if isinstance(asking.question, GameQuestion):
            _remove(self._games, asking.question.game, asking)

    def _job(self, question: AnyQuestion, timeout_seconds: float) -> Job:
        key = job_id(question)
        return Job(
            id=key,
            reply_to=subjects.result(self._instance, key),
            deadline=self._now_ms() + round(timeout_seconds * 1000),
            question=question,
        )

    async def _queue(self, job: Job, priority: subjects.Priority, timeout_seconds: float) -> int | Unanswered | None:
        """Its place in the queue; None when it may be there: a lost answer leaves it there, and its result counts."""
        subject = subjects.job(priority, kind_of(job.question), job.question.player)
        headers = {subjects.CORRELATION_HEADER: correlation_id() or job.id}
        ttl = timeout_seconds + BURIAL_SECONDS
        try:
            return (await self._jetstream.publish(subject, encode(job), headers=headers, msg_ttl=ttl)).seq
        except nats.errors.TimeoutError:
            return None
        except (nats.errors.Error, JetStreamError) as error:
            if isinstance(error, ServiceUnavailableError) and PER_SUBJECT in (error.description or ""):
                return Unanswered("too-many-jobs")
            _log.warning("job not queued", job=job.id, error=str(error) or type(error).__name__)
            return Unanswered("not-queued")

    async def _withdraw(self, job: Job, sequence: int) -> None:
        """Takes a job off the queue that nobody waits for, unless others ask the same."""
        if job.id not in self._waiting:
            with suppress(nats.errors.Error, JetStreamError):  # done, or gone: or it leaves by its time to live
                await self._jetstream.delete_msg(subjects.JOB_STREAM, sequence)

    async def _take(self, message: Msg) -> None:
        try:
            result = _result_decoder.decode(message.data)
        except msgspec.DecodeError as error:
            _log.warning("result cannot be decoded", subject=message.subject, error=str(error))
            return
        for asking in self._waiting.get(result.id, ()):
            asking.tell(result)


def _answered(asking: _Asking) -> bool:
    """Whether a worker's answer came. An asker who was cancelled has none."""
    answer = asking.answer
    return answer.done() and not answer.cancelled() and not isinstance(answer.result(), Unanswered)


def _remove(askers: dict[Key, set[_Asking]], key: Key, asking: _Asking) -> None:
    askers[key].discard(asking)
    if not askers[key]:
        del askers[key]
