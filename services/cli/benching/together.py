"""Processes that begin at the same moment, each with games of its own."""

import multiprocessing
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack
from multiprocessing.connection import Connection
from typing import Final

import msgspec
from nats.aio.client import Client

from services.cli.auditing.reach import nats_as_auditor
from services.cli.auditing.whole.crew import rare_garbage
from services.cli.auditing.whole.store import Game
from services.cli.benching.stack import BenchError

Work = Callable[[Client, list[Game]], Coroutine[None, None, msgspec.Struct]]
"""What a process does with its games: a function of a module. Gives what it tells."""

_games: Final = msgspec.msgpack.Decoder(list[Game])
_encode: Final = msgspec.msgpack.Encoder().encode


def together(work: Work, url: str, games: Sequence[Sequence[Game]]) -> list[bytes]:
    """What the processes tell, one for each share of the games.

    Raises:
        BenchError: one of them failed.

    """
    context = multiprocessing.get_context("spawn")
    with ExitStack() as running:
        pipes: list[Connection] = []
        for some in games:
            ours, theirs = context.Pipe()
            process = context.Process(target=_run, args=(theirs, url, work), daemon=True)
            process.start()
            theirs.close()
            running.callback(process.join)
            running.enter_context(ours)
            ours.send_bytes(_encode(list(some)))
            pipes.append(ours)
        try:
            for pipe in pipes:
                pipe.recv_bytes()
            for pipe in pipes:
                pipe.send_bytes(b"go")
            return [pipe.recv_bytes() for pipe in pipes]
        except EOFError:
            raise BenchError("a process that was measured has died") from None


def _run(pipe: Connection, url: str, work: Work) -> None:
    import uvloop  # not on Windows

    rare_garbage()
    with pipe:
        uvloop.run(_told(pipe, url, work, _games.decode(pipe.recv_bytes())))


async def _told(pipe: Connection, url: str, work: Work, games: list[Game]) -> None:
    async with nats_as_auditor(url) as nc:
        pipe.send_bytes(b"ready")
        pipe.recv_bytes()
        pipe.send_bytes(_encode(await work(nc, games)))
