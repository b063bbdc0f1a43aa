"""Writes heads and snapshots behind the players' backs: never in the way of a move, and at the latest at the end."""

import asyncio
from typing import Final

import structlog
from redis.exceptions import RedisError

from shared.bus.redis_connection import Redis
from shared.bus.snapshots import save
from shared.game.rebuild import Logged
from shared.messages.base import GameId

INTERVAL_SECONDS: Final = 0.05
GAMES_AT_ONCE_MAX: Final = 500
WAITING_MAX: Final = 20_000
"""Games whose head may wait while Redis is away; more are left out, and their heads lag behind."""

_log: Final = structlog.stdlib.get_logger(__name__)


class Snapshotter:
    """Collects the newest state of each game that changed, and writes it a moment later."""

    def __init__(self, redis: Redis, every: int) -> None:
        self._redis = redis
        self._every = every
        self._changed: dict[GameId, Logged] = {}
        self._whole: set[GameId] = set()
        self._wake = asyncio.Event()

    def changed(self, logged: Logged) -> None:
        """A game has a new record."""
        game = logged.game
        if game.game not in self._changed and len(self._changed) >= WAITING_MAX:
            return
        self._changed[game.game] = logged
        if game.version % self._every == 0 or game.over:
            self._whole.add(game.game)
        self._wake.set()

    async def run(self, stopping: asyncio.Event) -> None:
        """Writes until told to stop, then writes what is left."""
        stop = asyncio.ensure_future(stopping.wait())
        while not stop.done():
            wake = asyncio.ensure_future(self._wake.wait())
            await asyncio.wait({wake, stop}, return_when=asyncio.FIRST_COMPLETED)
            wake.cancel()
            await self._write()
            if not stop.done():
                await asyncio.wait({stop}, timeout=INTERVAL_SECONDS)
        await self.flush()

    async def flush(self) -> None:
        """Writes all that waits, once."""
        while self._changed and await self._write():
            pass

    async def _write(self) -> bool:
        self._wake.clear()
        batch = dict(list(self._changed.items())[:GAMES_AT_ONCE_MAX])
        whole = frozenset(self._whole & batch.keys())
        try:
            await save(self._redis, list(batch.values()), whole)
        except (RedisError, OSError) as error:
            _log.warning("snapshots wait for Redis", games=len(self._changed), error=str(error))
            self._wake.set()
            return False
        self._forget(batch, whole)
        return True

    def _forget(self, written: dict[GameId, Logged], whole: frozenset[GameId]) -> None:
        for game, logged in written.items():
            if self._changed.get(game) is logged:
                del self._changed[game]
                self._whole.discard(game)
        if self._changed:
            self._wake.set()
