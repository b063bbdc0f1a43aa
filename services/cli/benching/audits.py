"""How fast processes read games from JetStream, and how fast they prove them, in processor time and memory."""

import asyncio
import multiprocessing
import resource
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final, Literal

import msgspec

from services.cli.auditing.reach import nats_as_auditor
from services.cli.auditing.whole.fetch import Found, kept_of, read_messages
from services.cli.auditing.whole.one import judge
from services.cli.auditing.whole.store import Game
from services.cli.benching.stack import BenchError
from shared import subjects
from shared.messages.codec import decode_record

GAMES_AT_ONCE: Final = 32
MARKS: Final = 10
"""So many times memory is looked at."""
KIBIBYTE: Final = 1024

Work = Literal["read", "verify"]
"""`read`: from JetStream, and decoded. `verify`: the same, and replayed and checked in every way that an audit does."""


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """What one process did."""

    records: int
    processor_s: float
    wall_s: float
    memory_mb: tuple[float, ...]
    """Resident, after each tenth of the games."""
    peak_mb: float
    faults: int


_games: Final = msgspec.msgpack.Decoder(list[Game])
_shares: Final = msgspec.msgpack.Decoder(Share)
_encode: Final = msgspec.msgpack.Encoder().encode


def measure(url: str, games: Sequence[Game], processes: int, work: Work) -> list[Share]:
    """So many processes share the games out, and begin at the same time.

    Raises:
        BenchError: one of them failed.

    """
    context = multiprocessing.get_context("spawn")
    with ExitStack() as running:
        pipes: list[Connection] = []
        for number in range(processes):
            ours, theirs = context.Pipe()
            process = context.Process(target=_run, args=(theirs, url, work), daemon=True)
            process.start()
            theirs.close()
            running.callback(process.join)
            running.enter_context(ours)
            ours.send_bytes(_encode(list(games[number::processes])))
            pipes.append(ours)
        try:
            for pipe in pipes:
                pipe.recv_bytes()
            for pipe in pipes:
                pipe.send_bytes(b"go")
            return [_shares.decode(pipe.recv_bytes()) for pipe in pipes]
        except EOFError:
            raise BenchError("a process that was measured has died") from None


def _run(pipe: Connection, url: str, work: Work) -> None:
    import uvloop  # not on Windows

    with pipe:
        games = _games.decode(pipe.recv_bytes())
        uvloop.run(_measured(pipe, url, games, work))


async def _measured(pipe: Connection, url: str, games: list[Game], work: Work) -> None:
    records, faults, memory = 0, 0, []
    async with nats_as_auditor(url) as nc:
        pipe.send_bytes(b"ready")
        pipe.recv_bytes()
        began, wall = time.process_time(), time.perf_counter()
        every = max(len(games) // MARKS // GAMES_AT_ONCE, 1) * GAMES_AT_ONCE
        for at in range(0, len(games), GAMES_AT_ONCE):
            some = games[at : at + GAMES_AT_ONCE]
            for game, found in zip(some, await read_messages(nc, None, some), strict=True):
                records += len(found.messages) - 1
                faults += _verified(game, found) if work == "verify" else _decoded(game, found)
            if at % every == 0:
                memory.append(_resident_mb())
        spent, took = time.process_time() - began, time.perf_counter() - wall
    share = Share(
        records=records,
        processor_s=spent,
        wall_s=took,
        memory_mb=tuple(memory),
        peak_mb=_peak_mb(),
        faults=faults,
    )
    pipe.send_bytes(_encode(share))
    await asyncio.sleep(0)


def _decoded(game: Game, found: Found) -> int:
    log = subjects.game_log(game.game)
    for message in found.messages:
        if message.subject == log:
            decode_record(message.data[32:])
    return 0


def _verified(game: Game, found: Found) -> int:
    return len(judge(game, kept_of(game, found, (None, None))).findings)


def _resident_mb() -> float:
    """Of this process, now; where the system does not tell, its peak."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * resource.getpagesize() / KIBIBYTE**2
    return _peak_mb()


def _peak_mb() -> float:
    unit = 1 if sys.platform == "darwin" else KIBIBYTE
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / KIBIBYTE**2
