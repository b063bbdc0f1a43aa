"""Reads some games at once, with what Redis holds of them: several requests under way."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec
import nats.errors
from nats.aio.client import Client
from redis.exceptions import RedisError
from typing_extensions import override

from services.cli.auditing.reading import Kept, UnreadableError, difference_of, from_archive
from services.cli.auditing.whole.store import Game
from services.cli.nats_client import clause
from shared import clock, subjects
from shared.bus.archive import Archive, stored_of
from shared.bus.direct_get import LogUnavailableError, Stored
from shared.bus.event_log import EventLog
from shared.bus.redis_connection import Redis
from shared.game.audit import Message
from shared.messages.archive import Segment
from shared.messages.base import GameId

GAMES_AT_ONCE: Final = 16
CHUNKS_KEPT_MAX: Final = 16
"""Chunks of the archive, of a quarter of a mebibyte each."""
TRIES_MAX: Final = 3
AGAIN_SECONDS: Final = 0.5

Caches = tuple[bytes | None, bytes | None]


@dataclass(frozen=True, slots=True)
class NearArchive(Archive):
    """The archive with the bytes that were read last: games that lie beside each other are asked for together."""

    kept: dict[tuple[str, int], "asyncio.Future[bytes | None]"] = field(default_factory=dict)

    @override
    async def _read_chunk(self, segment: Segment, number: int) -> bytes | None:
        place = segment.name, number
        if place not in self.kept:
            if len(self.kept) >= CHUNKS_KEPT_MAX:
                _ = self.kept.pop(next(iter(self.kept)))
            self.kept[place] = asyncio.ensure_future(super(NearArchive, self)._read_chunk(segment, number))
        try:
            return await self.kept[place]
        except LogUnavailableError:
            _ = self.kept.pop(place, None)
            raise


class Found(msgspec.Struct, frozen=True):
    """A game's messages, in the order of the stream, wherever they lie."""

    messages: list[Stored]
    archived: bool = False
    damage: str | None = None
    """What of the archive cannot be read that should hold the game."""


async def read_messages(nc: Client, archive: Archive | None, games: Sequence[Game]) -> list[Found]:
    """All messages of games. What has left the log since they were counted is in the archive.

    Raises:
        UnreadableError: the log or the archive cannot be read.

    """
    log = EventLog(nc, clock.jitter)
    turns = asyncio.Semaphore(GAMES_AT_ONCE)

    async def one(game: Game) -> Found:
        async with turns:
            return await _patiently(lambda: _read(log, archive, game))

    return await asyncio.gather(*map(one, games))


async def read_some(nc: Client, redis: Redis, archive: Archive | None, games: Sequence[Game]) -> list[Kept]:
    """Everything that is stored of games. Redis is read first: the log then holds at least what the heads name.

    Raises:
        UnreadableError: a server cannot be asked.

    """
    caches = await _caches(redis, games)
    found = await read_messages(nc, archive, games)
    return [kept_of(*one) for one in zip(games, found, caches, strict=True)]


async def _read(log: EventLog, archive: Archive | None, game: Game) -> Found:
    live = await _live(log, game.game)
    if archive is None or not (game.archived or len(live) < game.logs + game.deals):
        return Found(live)
    archived, damage = await from_archive(archive, game.game)
    if archived is None:
        return Found(live, damage=damage)
    records = [stored_of(subjects.game_log(game.game), message) for message in archived.records]
    deal = stored_of(subjects.sealed_deal(game.game), archived.deal)
    return Found([deal, *records], archived=True, damage=difference_of(archived, live))


async def _live(log: EventLog, game: GameId) -> list[Stored]:
    """What the log holds of a game. Each subject is asked for by its name: for a pattern that takes in both the server
    searches all messages, those of other games too.
    """
    deals = await log.read(subjects.sealed_deal(game))
    return sorted([*deals, *await log.read(subjects.game_log(game))], key=lambda one: one.sequence)


async def _patiently(read: Callable[[], Awaitable[Found]]) -> Found:
    failures = 0
    while True:
        try:
            return await read()
        except (LogUnavailableError, nats.errors.Error, OSError) as error:
            failures += 1
            if failures >= TRIES_MAX:
                raise UnreadableError(f"the log cannot be read: {clause(error)}. Go on with it later.") from None
        await asyncio.sleep(AGAIN_SECONDS)


async def _caches(redis: Redis, games: Sequence[Game]) -> list[Caches]:
    try:
        async with redis.pipeline(transaction=False) as asked:
            for one in games:
                _ = asked.hmget(subjects.snapshot_key(one.game), ["head", "snapshot"])
            return [(head, snapshot) for head, snapshot in await asked.execute()]
    except (RedisError, OSError) as error:
        raise UnreadableError(f"Redis cannot be read: {clause(error)}. Go on with it later.") from None


def kept_of(game: Game, found: Found, caches: Caches) -> Kept:
    """What an audit looks at, from what was read."""
    log, deal = subjects.game_log(game.game), subjects.sealed_deal(game.game)
    return Kept(
        deals=[Message(one.subject, one.sequence, one.data) for one in found.messages if one.subject == deal],
        records=[Message(one.subject, one.sequence, one.data) for one in found.messages if one.subject == log],
        counted={log: game.logs, deal: game.deals},
        holes=0,
        archived=found.archived,
        damage=found.damage,
        head=caches[0],
        snapshot=caches[1],
    )
