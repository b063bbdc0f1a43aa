"""The event log: conditional appends whose outcome is always known or named unknown, and reads of one game.

Reads use the server's batched direct get: one request, all of a subject's messages from a sequence on. It may be
answered by a replica that lags behind, so a reader that has lost a race reads again until it sees what beat it.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final, Literal

import msgspec
import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg

from shared import subjects
from shared.backoff import Backoff
from shared.bus.api_error import ApiError
from shared.messages.base import GameId

ATTEMPT_SECONDS: Final = 2.0
READ_SECONDS: Final = 2.0
READ_BATCH: Final = 256
"""Messages asked for at a time."""
BACKOFF: Final = Backoff(first_seconds=0.05, most_seconds=1.0)

_WRONG_LAST_SEQUENCE: Final = frozenset({10071, 10164})
"""The server's codes for: the subject's newest message is another one than expected."""
_END_OF_BATCH, _NOT_FOUND, _NO_RESPONDERS = "204", "404", "503"

_log: Final = structlog.stdlib.get_logger(__name__)


class LogUnavailableError(Exception):
    """The log cannot be read now. Nothing was changed."""


class LogRefusedError(Exception):
    """The server answered that it stores nothing, for another reason than a conflict. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class Appended:
    """Stored, as the message with this sequence of the stream."""

    sequence: int


Append = Appended | Literal["conflict", "unknown"]
"""`conflict`: something else is the newest message of the subject, or this very message is, from an attempt before."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A message of the log as it is stored."""

    subject: str
    sequence: int
    data: bytes


class _PublishAnswer(msgspec.Struct):
    seq: int = 0
    error: ApiError | None = None


_answers: Final = msgspec.json.Decoder(_PublishAnswer)


@dataclass(frozen=True, slots=True)
class EventLog:
    """One stream's log on one connection."""

    nc: Client
    jitter: Callable[[], float]
    """0 to 1 at random, for the back-off."""
    stream: str = subjects.EVENT_STREAM

    async def append(self, subject: str, data: bytes, *, expected: int, deadline: float) -> Append:
        """Stores a message if the subject's newest one has the sequence `expected` (0: if there is none).

        A write whose acknowledgement is lost is repeated as it is until it is stored or refused: the repetition
        settles it, since of the two only one can be stored.

        Args:
            subject: the log or deal of one game.
            data: the message.
            expected: sequence in the stream.
            deadline: when to give up, on the event loop's clock.

        Raises:
            LogRefusedError: the server stores nothing, for instance since the disk is full.

        """
        headers = {"Nats-Expected-Last-Subject-Sequence": str(expected)}
        correlation = structlog.contextvars.get_contextvars().get("correlation_id")
        if isinstance(correlation, str):
            headers[subjects.CORRELATION_HEADER] = correlation
        attempt = 0
        while True:
            outcome = await self._attempt(subject, data, headers, deadline)
            if outcome is not None:
                return outcome
            attempt += 1
            pause = BACKOFF.delay(attempt, self.jitter())
            if asyncio.get_running_loop().time() + pause >= deadline:
                return "unknown"
            _log.warning("append unsettled, repeating", subject=subject, attempt=attempt)
            await asyncio.sleep(pause)

    async def _attempt(self, subject: str, data: bytes, headers: dict[str, str], deadline: float) -> Append | None:
        """One publish; None when its outcome is not known."""
        seconds = min(ATTEMPT_SECONDS, max(deadline - asyncio.get_running_loop().time(), 0.01))
        try:
            message = await self.nc.request(subject, data, timeout=seconds, headers=headers)
        except (nats.errors.Error, TimeoutError, OSError):
            return None
        answer = _answers.decode(message.data)
        if answer.error is None:
            return Appended(answer.seq)
        if answer.error.err_code in _WRONG_LAST_SEQUENCE:
            return "conflict"
        if answer.error.code == int(_NO_RESPONDERS):
            return None
        raise LogRefusedError(f"{answer.error.description} ({answer.error.err_code})")

    async def read(self, subject: str, *, start: int = 1) -> list[Stored]:
        """All messages of a subject from a sequence of the stream on, oldest first.

        Raises:
            LogUnavailableError: the log cannot be read now.

        """
        found: list[Stored] = []
        while True:
            batch, more = await self._batch(subject, start)
            found += batch
            if not more:
                return found
            start = batch[-1].sequence + 1

    async def read_game(self, game: GameId, *, start: int = 1) -> list[Stored]:
        """A game's records as they are stored."""
        return await self.read(subjects.game_log(game), start=start)

    async def read_deal(self, game: GameId) -> Stored | None:
        """A game's sealed deal as it is stored."""
        found = await self.read(subjects.sealed_deal(game))
        return found[0] if found else None

    async def _batch(self, subject: str, start: int) -> tuple[list[Stored], bool]:
        """Some messages from `start` on, and whether there are more."""
        request = msgspec.json.encode({"seq": start, "next_by_subj": subject, "batch": READ_BATCH})
        inbox = self.nc.new_inbox()
        try:
            answers = await self.nc.subscribe(inbox)
            try:
                await self.nc.publish(f"$JS.API.DIRECT.GET.{self.stream}", request, reply=inbox)
                async with asyncio.timeout(READ_SECONDS):
                    return await _collect(answers.next_msg)
            finally:
                await answers.unsubscribe()
        except (nats.errors.Error, TimeoutError, OSError) as error:
            raise LogUnavailableError(f"reading {subject}: {str(error) or type(error).__name__}") from error


async def _collect(next_message: Callable[[float], Coroutine[Any, Any, Msg]]) -> tuple[list[Stored], bool]:
    found: list[Stored] = []
    while True:
        message = await next_message(READ_SECONDS)
        headers = message.headers or {}
        status = headers.get("Status")
        if status == _NOT_FOUND:
            return found, False
        if status == _END_OF_BATCH:
            return found, headers.get("Nats-Num-Pending", "0") != "0"
        if status is not None:
            raise LogUnavailableError(f"direct get answered {status} {headers.get('Description', '')}")
        found.append(Stored(headers["Nats-Subject"], int(headers["Nats-Sequence"]), message.data))
