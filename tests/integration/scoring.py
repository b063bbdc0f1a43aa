"""One scoring at work, games to count, and when they are counted."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import msgspec
from nats.aio.client import Client

from services.scoring.projector import Projector, end
from services.scoring.reading import LogMessage
from services.scoring.store import Store
from shared.bus.redis_connection import Redis
from shared.logs import Log
from tests.scoring_dumps import Dump, dump, folded_dump
from tests.scoring_logs import Script

PATIENCE_SECONDS = 20.0

GAMES = (
    Script(acts=("move", "draw", "won"), points=500, play_ms=90_000, moves=2),
    Script(player=2, acts=("move", "won"), points=500, play_ms=80_000, moves=1),
    Script(player=2, acts=("draw", "undo", "redo", "won"), points=700, play_ms=10),
    Script(player=3, variant="draw3", acts=("draw", "won"), points=650, play_ms=50_000),
    Script(player=3, secret=False, acts=("draw", "won"), points=690, play_ms=50_000),
    Script(player=1, acts=("draw", "move")),
    Script(player=1, acts=("hint", "resigned")),
)
INTERLEAVED = tuple(range(7)) * 4


@dataclass
class Scoring:
    """One instance at work, and what a test needs to look at it."""

    client: Client
    redis: Redis
    store: Store
    projector: Projector

    async def dump(self) -> Dump:
        position = await self.store.position()
        return await dump(self.redis, position.generation) if position else {}


async def eventually(condition: Callable[[], Awaitable[bool]], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not await condition():
        assert time.monotonic() < deadline, f"waited {PATIENCE_SECONDS} s for {what}"
        await asyncio.sleep(0.01)


@asynccontextmanager
async def instance(client: Client, redis: Redis, log: Log) -> AsyncIterator[Scoring]:
    one = Scoring(client, redis, Store(redis), Projector(client, Store(redis), log))
    task = asyncio.create_task(one.projector.run())
    try:
        yield one
    finally:
        await end(task)


async def publish(client: Client, log: Sequence[LogMessage]) -> list[LogMessage]:
    """Write records to the real stream; returns them with the sequences that they got there."""
    acks = [await client.jetstream().publish(message.subject, message.payload) for message in log]
    return [msgspec.structs.replace(message, sequence=ack.seq) for message, ack in zip(log, acks, strict=True)]


async def caught_up(scoring: Scoring, log: Sequence[LogMessage]) -> None:
    """Wait until all of the log is counted, then hold it against the fold over the log."""

    async def done() -> bool:
        position = await scoring.store.position()
        return position is not None and position.cursor == log[-1].cursor

    await eventually(done, "the cursor to reach the end of the log")
    assert await scoring.dump() == folded_dump(log)
