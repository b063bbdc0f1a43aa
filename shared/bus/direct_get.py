"""Reads of one subject of a stream, by the server's direct get: one request, all messages from a sequence on.

It may be answered by a replica that lags behind, so a reader that has lost a race reads again until it sees what beat
it.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

import msgspec
import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from shared.bus.api_error import ApiError
from shared.bus.cancelling import request

READ_SECONDS: Final = 2.0
READ_BATCH: Final = 256
"""Messages asked for at a time."""

_END_OF_BATCH, _NOT_FOUND = "204", "404"
_NO_SUCH_MESSAGE: Final = 10037


class LogUnavailableError(Exception):
    """The log cannot be read now. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A message of the log as it is stored."""

    subject: str
    sequence: int
    data: bytes
    stamp: str = ""
    """When the server stored it, as the server writes it (RFC 3339 in UTC, up to nanoseconds)."""


class _Message(msgspec.Struct):
    subject: str
    seq: int
    data: bytes = b""
    time: str = ""


class _Answer(msgspec.Struct):
    message: _Message | None = None
    error: ApiError | None = None


_answers: Final = msgspec.json.Decoder(_Answer)


async def read_subject(nc: Client, stream: str, subject: str, *, start: int = 1) -> list[Stored]:
    """All messages of a subject from a sequence of the stream on, oldest first.

    Raises:
        LogUnavailableError: the stream cannot be read now.

    """
    return [message async for batch in batches(nc, stream, subject, start=start) for message in batch]


async def batches(nc: Client, stream: str, subject: str, *, start: int = 1) -> AsyncIterator[list[Stored]]:
    """The same, some at a time.

    Raises:
        LogUnavailableError: the stream cannot be read now.

    """
    more = True
    while more:
        batch, more = await _batch(nc, stream, subject, start)
        if batch:
            yield batch
            start = batch[-1].sequence + 1


async def read_newest(nc: Client, stream: str, subject: str) -> Stored | None:
    """The newest message of a subject, asked of the stream's leader, which lags behind nobody.

    Raises:
        LogUnavailableError: the stream cannot be read now.

    """
    question = msgspec.json.encode({"last_by_subj": subject})
    try:
        answered = await request(nc, f"$JS.API.STREAM.MSG.GET.{stream}", question, seconds=READ_SECONDS)
        answer = _answers.decode(answered.data)
    except (nats.errors.Error, TimeoutError, OSError, msgspec.DecodeError) as error:
        raise LogUnavailableError(f"reading {subject}: {str(error) or type(error).__name__}") from error
    if answer.error is not None and answer.error.err_code != _NO_SUCH_MESSAGE:
        raise LogUnavailableError(f"reading {subject}: {answer.error.description}")
    found = answer.message
    return None if found is None else Stored(found.subject, found.seq, found.data, found.time)


async def _batch(nc: Client, stream: str, subject: str, start: int) -> tuple[list[Stored], bool]:
    """Some messages from `start` on, and whether there are more."""
    request = msgspec.json.encode({"seq": start, "next_by_subj": subject, "batch": READ_BATCH})
    inbox, collected = nc.new_inbox(), _Collected()
    try:
        answers = await nc.subscribe(inbox, cb=collected.take)
        try:
            await nc.publish(f"$JS.API.DIRECT.GET.{stream}", request, reply=inbox)
            async with asyncio.timeout(READ_SECONDS):
                return collected.found, await collected.more
        finally:
            await answers.unsubscribe()
    except (nats.errors.Error, TimeoutError, OSError) as error:
        raise LogUnavailableError(f"reading {subject}: {str(error) or type(error).__name__}") from error


class _Collected:
    """The messages of one answer, taken as they come: waiting for each of them costs more than all else."""

    def __init__(self) -> None:
        self.found: list[Stored] = []
        self.more: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        """Whether there are more behind these, as soon as that is known."""

    async def take(self, message: Msg) -> None:
        """The subscription's callback."""
        headers = message.headers or {}
        status = headers.get("Status")
        if status is None:
            stamp = headers.get("Nats-Time-Stamp", "")
            self.found.append(Stored(headers["Nats-Subject"], int(headers["Nats-Sequence"]), message.data, stamp))
        elif self.more.done():
            return
        elif status in {_NOT_FOUND, _END_OF_BATCH}:
            self.more.set_result(status == _END_OF_BATCH and headers.get("Nats-Num-Pending", "0") != "0")
        else:
            description = f"direct get answered {status} {headers.get('Description', '')}"
            self.more.set_exception(LogUnavailableError(description))
