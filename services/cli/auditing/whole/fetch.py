"""Reads some games at once, with what Redis holds of them: one request a game, several under way."""

import asyncio
from collections.abc import Sequence
from typing import Final

import nats.errors
from nats.aio.client import Client
from redis.exceptions import RedisError

from services.cli.auditing.reading import Kept, UnreadableError
from services.cli.auditing.whole.store import Game
from shared import clock, subjects
from shared.bus.event_log import EventLog, LogUnavailableError, Stored
from shared.bus.redis_connection import Redis
from shared.game.audit import Message
from shared.messages.base import GameId

GAMES_AT_ONCE: Final = 16
TRIES_MAX: Final = 3
AGAIN_SECONDS: Final = 0.5

Caches = tuple[bytes | None, bytes | None]


async def read_messages(nc: Client, games: Sequence[GameId]) -> list[list[Stored]]:
    """All messages of games, in the order of the stream.

    Raises:
        UnreadableError: the log cannot be read.

    """
    log = EventLog(nc, clock.jitter)
    turns = asyncio.Semaphore(GAMES_AT_ONCE)

    async def one(game: GameId) -> list[Stored]:
        async with turns:
            return await _read(log, game)

    return await asyncio.gather(*map(one, games))


async def read_some(nc: Client, redis: Redis, games: Sequence[Game]) -> list[Kept]:
    """Everything that is stored of games. Redis is read first: the log then holds at least what the heads name.

    Raises:
        UnreadableError: a server cannot be asked.

    """
    caches = await _caches(redis, games)
    found = await read_messages(nc, [one.game for one in games])
    return [_kept(*one) for one in zip(games, found, caches, strict=True)]


async def _read(log: EventLog, game: GameId) -> list[Stored]:
    failures = 0
    while True:
        try:
            return await log.read(subjects.all_of_game(game))
        except (LogUnavailableError, nats.errors.Error, OSError) as error:
            failures += 1
            if failures >= TRIES_MAX:
                raise UnreadableError(f"the log cannot be read: {error}. Go on with it later.") from None
        await asyncio.sleep(AGAIN_SECONDS)


async def _caches(redis: Redis, games: Sequence[Game]) -> list[Caches]:
    try:
        async with redis.pipeline(transaction=False) as asked:
            for one in games:
                _ = asked.hmget(subjects.snapshot_key(one.game), ["head", "snapshot"])
            return [(head, snapshot) for head, snapshot in await asked.execute()]
    except (RedisError, OSError) as error:
        raise UnreadableError(f"Redis cannot be read: {error}. Go on with it later.") from None


def _kept(game: Game, found: list[Stored], caches: Caches) -> Kept:
    log, deal = subjects.game_log(game.game), subjects.sealed_deal(game.game)
    return Kept(
        deals=[_message(one) for one in found if one.subject == deal],
        records=[_message(one) for one in found if one.subject == log],
        counted={log: game.logs, deal: game.deals},
        holes=0,
        head=caches[0],
        snapshot=caches[1],
    )


def _message(stored: Stored) -> Message:
    return Message(stored.subject, stored.sequence, stored.data)
