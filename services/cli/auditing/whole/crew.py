"""Several processes that audit: each is given some games at a time, reads them by itself, and tells what it found."""

import asyncio
import contextlib
import gc
import multiprocessing
import signal
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from typing import Final

import msgspec

from services.cli.auditing.reach import Addresses, connected
from services.cli.auditing.reading import UnreadableError, has_archive
from services.cli.auditing.whole.fetch import NearArchive, read_some
from services.cli.auditing.whole.one import judge
from services.cli.auditing.whole.store import Game, Judged

END_SECONDS: Final = 5.0


class Answer(msgspec.Struct, frozen=True):
    """What a process tells of the games that it was given."""

    judged: tuple[Judged, ...] = ()
    seconds: float = 0.0
    """Of its processor time."""
    failure: str | None = None


_tasks: Final = msgspec.msgpack.Decoder(list[Game])
_answers: Final = msgspec.msgpack.Decoder(Answer)
_encode: Final = msgspec.msgpack.Encoder().encode


def answers(addresses: Addresses, chunks: Iterator[list[Game]], jobs: int) -> Iterator[Answer]:
    """What so many processes say of all games. Games that are not answered for were not audited.

    Raises:
        UnreadableError: one of them cannot read, or has died.

    """
    context = multiprocessing.get_context("spawn")
    with contextlib.ExitStack() as open_:
        free: list[Connection] = []
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs, addresses), daemon=True)
            process.start()
            theirs.close()
            open_.callback(process.join, END_SECONDS)
            open_.enter_context(ours)
            free.append(ours)
        yield from _shared_out(free, chunks)


def _shared_out(free: list[Connection], chunks: Iterator[list[Game]]) -> Iterator[Answer]:
    busy: list[Connection] = []
    while True:
        while free and (chunk := next(chunks, None)):
            free[-1].send_bytes(_encode(chunk))
            busy.append(free.pop())
        if not busy:
            return
        for ready in wait(busy):
            assert isinstance(ready, Connection), "nothing else is waited for"
            try:
                answer = _answers.decode(ready.recv_bytes())
            except EOFError:
                raise UnreadableError("a process of the audit has died. Go on with --state.") from None
            if answer.failure is not None:
                raise UnreadableError(answer.failure)
            busy.remove(ready)
            free.append(ready)
            yield answer


def rare_garbage() -> None:
    """From now on cycles are looked for only when `gc.collect` is called: no game is part of one, and going through all
    games again and again, while they are built, takes a tenth of the time.
    """
    gc.freeze()
    gc.disable()


def _work(pipe: Connection, addresses: Addresses) -> None:
    """The process: until its pipe is closed."""
    rare_garbage()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that shares out ends it
    with contextlib.suppress(EOFError, OSError), pipe:
        try:
            asyncio.run(_audit(pipe, addresses))
        except UnreadableError as error:
            pipe.send_bytes(_encode(Answer(failure=str(error))))


async def _audit(pipe: Connection, addresses: Addresses) -> None:
    async with connected(addresses) as (nc, redis):
        archive = NearArchive(nc) if await has_archive(nc) else None
        before = time.process_time()
        while True:
            games = _tasks.decode(await asyncio.to_thread(pipe.recv_bytes))
            kept = await read_some(nc, redis, archive, games)
            judged = tuple(judge(*one) for one in zip(games, kept, strict=True))
            now = time.process_time()
            pipe.send_bytes(_encode(Answer(judged, now - before)))
            before = now
            del games, kept, judged
            gc.collect()
