"""Snapshots of games in Redis: a cache with a checksum, and the head that shows when a log has lost its end.

One Redis hash a game. `head` is version and hash of the newest record that was acknowledged; `snapshot` is a whole
`Logged` with a checksum. Losing all of it costs time only.
"""

import hashlib
from typing import Final

import msgspec
from redis.exceptions import RedisError

from shared import subjects
from shared.bus.redis_connection import Redis
from shared.game.rebuild import Logged
from shared.messages.base import GameId
from shared.messages.codec import HASH_BYTES, encode

SNAPSHOT_SCHEMA: Final = b"3"
"""Raised with every change of the state's form: a snapshot of another schema is thrown away, not misread."""

_logged: Final = msgspec.msgpack.Decoder(Logged)
_heads: Final = msgspec.msgpack.Decoder(tuple[int, bytes])


class SnapshotError(Exception):
    """A snapshot that cannot be used; the message says why."""


class Head(msgspec.Struct, frozen=True):
    """The newest record that was ever acknowledged, as far as Redis was told."""

    version: int
    hash: bytes


def pack_snapshot(logged: Logged) -> bytes:
    """Schema, checksum, state."""
    body = encode(logged)
    return SNAPSHOT_SCHEMA + hashlib.sha256(SNAPSHOT_SCHEMA + body).digest() + body


def unpack_snapshot(game: GameId, stored: bytes) -> Logged:
    """The game of a stored snapshot.

    Raises:
        SnapshotError: of another schema, damaged, or of another game.

    """
    schema, body = stored[: len(SNAPSHOT_SCHEMA)], stored[len(SNAPSHOT_SCHEMA) + HASH_BYTES :]
    if schema != SNAPSHOT_SCHEMA:
        raise SnapshotError("it has another schema")
    if hashlib.sha256(schema + body).digest() != stored[len(schema) : len(schema) + HASH_BYTES]:
        raise SnapshotError("its checksum does not fit")
    try:
        logged = _logged.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SnapshotError(f"it cannot be decoded: {error}") from None
    if logged.game.game != game:
        raise SnapshotError(f"it is of game {logged.game.game}")
    return logged


async def load_snapshot(redis: Redis, game: GameId) -> bytes | None:
    """The stored snapshot. None also when Redis cannot be reached: the log alone is enough."""
    try:
        return await _field(redis, game, "snapshot")
    except (RedisError, OSError):
        return None


async def load_head(redis: Redis, game: GameId) -> Head | None:
    """The stored head.

    Raises:
        SnapshotError: it cannot be decoded.

    """
    found = await _field(redis, game, "head")
    return None if found is None else unpack_head(found)


def unpack_head(stored: bytes) -> Head:
    """The head of its stored form.

    Raises:
        SnapshotError: it cannot be decoded.

    """
    try:
        return Head(*_heads.decode(stored))
    except msgspec.DecodeError as error:
        raise SnapshotError(f"the head cannot be decoded: {error}") from None


async def load_caches(redis: Redis, game: GameId) -> tuple[bytes | None, bytes | None]:
    """Head and snapshot as they are stored, for the audit.

    Raises:
        RedisError: they cannot be read.

    """
    return await _field(redis, game, "head"), await _field(redis, game, "snapshot")


async def save(redis: Redis, games: list[Logged], whole: frozenset[GameId]) -> None:
    """Writes the heads of games, and snapshots of those in `whole`, in one round trip."""
    async with redis.pipeline(transaction=False) as pipeline:
        for logged in games:
            key = subjects.snapshot_key(logged.game.game)
            _ = pipeline.hset(key, "head", encode((logged.game.version, logged.hash)))
            if logged.game.game in whole:
                _ = pipeline.hset(key, "snapshot", pack_snapshot(logged))
        await pipeline.execute()


async def _field(redis: Redis, game: GameId, name: str) -> bytes | None:
    found = await redis.hget(subjects.snapshot_key(game), name)
    return found.encode() if isinstance(found, str) else found
