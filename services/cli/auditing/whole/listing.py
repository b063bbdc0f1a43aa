"""Which games a log holds, and how many messages the server counts of each."""

from collections.abc import AsyncIterator
from typing import Final

import msgspec
import nats.errors
from nats.aio.client import Client

from services.cli.auditing.reading import ANSWER_SECONDS, NO_SUCH_STREAM, UnreadableError
from services.cli.nats_client import clause
from shared import subjects
from shared.bus.api_error import ApiError

OVERLAP: Final = 1_000
"""So many subjects of a page are asked for again with the next: some may have gone from before them meanwhile."""


class StreamState(msgspec.Struct):
    """As much of a stream's state as is used."""

    messages: int = 0
    last_seq: int = 0
    num_deleted: int = 0
    subjects: dict[str, int] | None = None


class _Info(msgspec.Struct):
    created: str = ""
    total: int = 0
    state: StreamState = msgspec.field(default_factory=StreamState)
    error: ApiError | None = None


_infos: Final = msgspec.json.Decoder(_Info)


async def identity(nc: Client) -> str:
    """What tells this log from another one.

    Raises:
        UnreadableError: there is none.

    """
    return (await _info(nc, {})).created


async def newest_sequence(nc: Client) -> int:
    """Of the log.

    Raises:
        UnreadableError: there is none.

    """
    return (await _info(nc, {})).state.last_seq


async def listed(nc: Client) -> AsyncIterator[list[tuple[str, int, int]]]:
    """The games, a page at a time: the number of messages in a game's log, and as its sealed deal, or 0 where another
    page has it.

    Raises:
        UnreadableError: they cannot be read.

    """
    offset = 0
    while True:
        info = await _info(nc, {"subjects_filter": ">", "offset": offset})
        page = info.state.subjects or {}
        yield [_row(subject, count) for subject, count in page.items()]
        offset += len(page)
        if offset >= info.total or len(page) <= OVERLAP:
            return
        offset -= OVERLAP


def _row(subject: str, count: int) -> tuple[str, int, int]:
    game = subjects.game_of(subject)
    return (game, count, 0) if subject == subjects.game_log(game) else (game, 0, count)


async def _info(nc: Client, asked: dict[str, object]) -> _Info:
    subject = f"$JS.API.STREAM.INFO.{subjects.EVENT_STREAM}"
    try:
        answer = await nc.request(subject, msgspec.json.encode(asked), timeout=ANSWER_SECONDS)
        info = _infos.decode(answer.data)
    except (nats.errors.Error, TimeoutError, OSError, msgspec.DecodeError) as error:
        raise UnreadableError(f"the log cannot be listed: {clause(error)}. Try again.") from None
    if info.error is not None and info.error.err_code == NO_SUCH_STREAM:
        raise UnreadableError("this NATS server holds no games. Check --data or --nats.")
    if info.error is not None:
        raise UnreadableError(f"NATS refuses: {info.error.description}.")
    return info
