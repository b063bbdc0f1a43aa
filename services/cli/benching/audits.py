"""How fast processes read games from JetStream, and how fast they prove them, in processor time and memory."""

import gc
import resource
import sys
import time
from collections.abc import Sequence
from itertools import starmap
from pathlib import Path
from typing import Final

import msgspec
from nats.aio.client import Client

from services.cli.auditing.whole.fetch import Found, read_messages
from services.cli.auditing.whole.store import Game
from services.cli.benching.proofs import GAMES_AT_ONCE, judged
from services.cli.benching.together import together
from shared import subjects
from shared.messages.codec import HASH_BYTES, decode_record

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


_shares: Final = msgspec.msgpack.Decoder(Share)


def measure(url: str, games: Sequence[Game], processes: int) -> list[Share]:
    """So many processes share the games out, and begin at the same time.

    Raises:
        BenchError: one of them failed.

    """
    shares = [games[number::processes] for number in range(processes)]
    return [_shares.decode(told) for told in together(_measured, url, shares)]


async def _measured(nc: Client, games: list[Game]) -> Share:
    memory: list[float] = []
    records, faults, spent = 0, 0, [0.0, 0.0]
    chunks = [games[at : at + GAMES_AT_ONCE] for at in range(0, len(games), GAMES_AT_ONCE)]
    wall = time.perf_counter()
    for number, some in enumerate(chunks, 1):
        began = time.process_time()
        records += sum(starmap(_decoded, zip(some, await read_messages(nc, None, some), strict=True)))
        between = time.process_time()
        proved = starmap(judged, zip(some, await read_messages(nc, None, some), strict=True))
        faults += sum(len(one.findings) for one in proved)
        spent[0] += between - began
        gc.collect()
        spent[1] += time.process_time() - between
        if number * MARKS // len(chunks) > len(memory):
            memory.append(_resident_mb())
    return Share(
        records=records,
        read_s=spent[0],
        verify_s=spent[1],
        wall_s=time.perf_counter() - wall,
        memory_mb=tuple(memory),
        peak_mb=_peak_mb(),
        faults=faults,
    )


def _decoded(game: Game, found: Found) -> int:
    """How many records there were. What is merely read is decoded, as whoever uses it would."""
    log = subjects.game_log(game.game)
    records = [decode_record(message.data[HASH_BYTES:]) for message in found.messages if message.subject == log]
    return len(records)


def _resident_mb() -> float:
    """Of this process, now; where the system does not tell, its peak."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * resource.getpagesize() / KIBIBYTE**2
    return _peak_mb()


def _peak_mb() -> float:
    unit = 1 if sys.platform == "darwin" else KIBIBYTE
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / KIBIBYTE**2
