"""How fast processes prove games, by the clock and in processor time, from the log and from the archive.

They do nothing but what `klondike audit --all` does: read, decode, replay, check.
"""

import gc
import time
from collections.abc import Sequence
from itertools import chain, starmap
from typing import Final, Literal

import msgspec
from nats.aio.client import Client

from services.cli.auditing.reading import has_archive
from services.cli.auditing.whole.fetch import Found, NearArchive, kept_of, read_messages
from services.cli.auditing.whole.one import judge
from services.cli.auditing.whole.store import Game, Judged
from services.cli.benching.jobs import processor_seconds
from services.cli.benching.stack import BenchError
from services.cli.benching.together import together
from shared.embedded import NatsServer

GAMES_AT_ONCE: Final = 32

Form = Literal["log", "archive"]
"""Where games lie."""


class ProofRate(msgspec.Struct, frozen=True, kw_only=True):
    """So many processes that prove games of one form."""

    form: Form
    processes: int
    games: int
    records: int
    per_second: float
    """Records by the clock, of all processes together, until the last had finished."""
    per_core: float
    """Records in a second of one process's processor time."""
    server_micros: float | None
    """Processor time of nats-server for a record; none where the system does not tell."""


class Scale(msgspec.Struct, frozen=True, kw_only=True):
    """What several processes prove, as a multiple of what one does."""

    form: Form
    wall: float
    """By the clock: the server and whatever else runs take their part of the cores."""
    processor: float
    """In the same processor time of each."""


class _Proved(msgspec.Struct, frozen=True, kw_only=True):
    """What one process did."""

    records: int
    faults: int
    spent_s: float
    """Processor time."""
    wall_s: float


_proved: Final = msgspec.msgpack.Decoder(_Proved)


def prove(server: NatsServer, form: Form, games: Sequence[Game], processes: int) -> ProofRate:
    """So many processes prove the games, of which each takes some by turns, as those of an audit do.

    Raises:
        BenchError: one of them failed, or found a fault.

    """
    chunks = [games[at : at + GAMES_AT_ONCE] for at in range(0, len(games), GAMES_AT_ONCE)]
    shares = [list(chain.from_iterable(chunks[number::processes])) for number in range(processes)]
    before = processor_seconds([server.pid])
    done = [_proved.decode(told) for told in together(_prove, server.url("auditor"), shares)]
    after = processor_seconds([server.pid])
    if any(one.faults for one in done):
        raise BenchError(f"a game that was written by the rules was found faulty in the {form}")
    records = sum(one.records for one in done)
    return ProofRate(
        form=form,
        processes=processes,
        games=len(games),
        records=records,
        per_second=round(records / max(one.wall_s for one in done), 1),
        per_core=round(records / sum(one.spent_s for one in done), 1),
        server_micros=None if before is None or after is None else round((after - before) / records * 1e6, 2),
    )


def scale_of(one: ProofRate, several: ProofRate) -> Scale:
    """Several processes beside one."""
    return Scale(
        form=one.form,
        wall=round(several.per_second / one.per_second, 2),
        processor=round(several.processes * several.per_core / one.per_core, 2),
    )


def judged(game: Game, found: Found) -> Judged:
    """A game proved from its messages alone, without Redis."""
    return judge(game, kept_of(game, found, (None, None)))


async def _prove(nc: Client, games: list[Game]) -> _Proved:
    archive = NearArchive(nc) if await has_archive(nc) else None
    records, faults = 0, 0
    wall, spent = time.perf_counter(), time.process_time()
    for at in range(0, len(games), GAMES_AT_ONCE):
        some = games[at : at + GAMES_AT_ONCE]
        for one in starmap(judged, zip(some, await read_messages(nc, archive, some), strict=True)):
            records += one.records
            faults += len(one.findings)
        gc.collect()
    return _Proved(
        records=records,
        faults=faults,
        spent_s=time.process_time() - spent,
        wall_s=time.perf_counter() - wall,
    )
