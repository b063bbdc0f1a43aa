"""How fast processes read games from JetStream, and how fast they prove them, in processor time and memory."""

import gc
import multiprocessing
import resource
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import starmap
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

import msgspec

from services.cli.auditing.reach import nats_as_auditor
from services.cli.auditing.whole.crew import rare_garbage
from services.cli.auditing.whole.fetch import Found, kept_of, read_messages
from services.cli.auditing.whole.one import judge
from services.cli.auditing.whole.store import Game
from services.cli.benching.stack import BenchError
from shared import subjects
from shared.messages.codec import HASH_BYTES, decode_record

GAMES_AT_ONCE: Final = 32
MARKS: Final = 10
"""So many times memory is looked at."""
KIBIBYTE: Final = 1024


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """What one process did. It does both kinds of work in turns, so that a busy machine slows both alike."""

    records: int
    """So many were read and decoded, and so many, the same, were read and verified."""
    read_s: float
    """Processor time."""
    verify_s: float
    wall_s: float
    memory_mb: tuple[float, ...]
    """Resident, after each tenth of the games."""
    peak_mb: float
    faults: int


_games: Final = msgspec.msgpack.Decoder(list[Game])
_shares: Final = msgspec.msgpack.Decoder(Share)
_encode: Final = msgspec.msgpack.Encoder().encode


def measure(url: str, games: Sequence[Game], processes: int) -> list[Share]:
    """So many processes share the games out, and begin at the same time.

    Raises:
        BenchError: one of them failed.

    """
    context = multiprocessing.get_context("spawn")
    with ExitStack() as running:
        pipes: list[Connection] = []
        for number in range(processes):
            ours, theirs = context.Pipe()
            process = context.Process(target=_run, args=(theirs, url), daemon=True)
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


def _run(pipe: Connection, url: str) -> None:
    import uvloop  # not on Windows

    rare_garbage()
    with pipe:
        games = _games.decode(pipe.recv_bytes())
        uvloop.run(_measured(pipe, url, games))


async def _measured(pipe: Connection, url: str, games: list[Game]) -> None:
    memory: list[float] = []
    records, faults, spent = 0, 0, [0.0, 0.0]
    chunks = [games[at : at + GAMES_AT_ONCE] for at in range(0, len(games), GAMES_AT_ONCE)]
    async with nats_as_auditor(url) as nc:
        pipe.send_bytes(b"ready")
        pipe.recv_bytes()
        wall = time.perf_counter()
        for number, some in enumerate(chunks, 1):
            began = time.process_time()
            records += sum(starmap(_decoded, zip(some, await read_messages(nc, None, some), strict=True)))
            between = time.process_time()
            faults += sum(starmap(_verified, zip(some, await read_messages(nc, None, some), strict=True)))
            spent[0] += between - began
            gc.collect()
            spent[1] += time.process_time() - between
            if number * MARKS // len(chunks) > len(memory):
                memory.append(_resident_mb())
        took = time.perf_counter() - wall
    share = Share(
        records=records,
        read_s=spent[0],
        verify_s=spent[1],
        wall_s=took,
        memory_mb=tuple(memory),
        peak_mb=_peak_mb(),
        faults=faults,
    )
    pipe.send_bytes(_encode(share))


def _decoded(game: Game, found: Found) -> int:
    """How many records there were. What is merely read is decoded, as whoever uses it would."""
    log = subjects.game_log(game.game)
    records = [decode_record(message.data[HASH_BYTES:]) for message in found.messages if message.subject == log]
    return len(records)


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
