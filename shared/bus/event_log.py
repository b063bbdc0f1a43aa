"""The event log: conditional appends whose outcome is always known or named unknown, and reads of one game, be it in
the stream or in the archive.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import msgspec
import nats.errors
import structlog
from nats.aio.client import Client

from shared import subjects
from shared.backoff import Backoff
from shared.bus.api_error import ApiError
from shared.bus.archive import Archive, stored_of
from shared.bus.cancelling import request
from shared.bus.direct_get import Stored, read_subject
from shared.messages.archive import Archived
from shared.messages.base import GameId

ATTEMPT_SECONDS: Final = 2.0
BACKOFF: Final = Backoff(first_seconds=0.05, most_seconds=1.0)

_WRONG_LAST_SEQUENCE: Final = frozenset({10071, 10164})
"""The server's codes for: the subject's newest message is another one than expected."""
_NO_RESPONDERS: Final = 503

_log: Final = structlog.stdlib.get_logger(__name__)


class LogRefusedError(Exception):
    """The server answered that it stores nothing, for another reason than a conflict. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class Appended:
    """Stored, as the message with this sequence of the stream."""

    sequence: int


Append = Appended | Literal["conflict", "unknown"]
"""`conflict`: something else is the newest message of the subject, or this very message is, from an attempt before."""


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
    archive: Archive | None = None
    """Where games are that are not in the stream any more; none where there is no archive."""

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
            message = await request(self.nc, subject, data, seconds=seconds, headers=headers)
        except (nats.errors.Error, TimeoutError, OSError):
            return None
        answer = _answers.decode(message.data)
        if answer.error is None:
            return Appended(answer.seq)
        if answer.error.err_code in _WRONG_LAST_SEQUENCE:
            return "conflict"
        if answer.error.code == _NO_RESPONDERS:
            return None
        raise LogRefusedError(f"{answer.error.description} ({answer.error.err_code})")

    async def read(self, subject: str, *, start: int = 1) -> list[Stored]:
        """All messages of a subject from a sequence of the stream on, oldest first.

        Raises:
            LogUnavailableError: the log cannot be read now.

        """
        return await read_subject(self.nc, self.stream, subject, start=start)

    async def read_news(self, game: GameId, *, start: int) -> list[Stored]:
        """What the stream holds of a game from a sequence on: for who has the game as it was until then."""
        return await self.read(subjects.game_log(game), start=start)

    async def read_game(self, game: GameId, *, start: int = 1) -> list[Stored]:
        """A game's records as they are stored, wherever they are.

        The archive is asked last: a game leaves the stream only after it can be found there, so one that was read
        while it left is whole all the same.

        Raises:
            LogUnavailableError: the log cannot be read now.
            DamagedArchiveError: the game was archived, and cannot be read any more.

        """
        live = await self.read(subjects.game_log(game), start=start)
        archived = await self._archived(game)
        if archived is None:
            return live
        subject = subjects.game_log(game)
        return [stored_of(subject, message) for message in archived.records if message.sequence >= start]

    async def read_deal(self, game: GameId) -> Stored | None:
        """A game's sealed deal as it is stored, wherever it is.

        Raises:
            LogUnavailableError: the log cannot be read now.
            DamagedArchiveError: the game was archived, and cannot be read any more.

        """
        found = await self.read(subjects.sealed_deal(game))
        if found:
            return found[0]
        archived = await self._archived(game)
        return None if archived is None else stored_of(subjects.sealed_deal(game), archived.deal)

    async def _archived(self, game: GameId) -> Archived | None:
        return None if self.archive is None else await self.archive.game(game)
