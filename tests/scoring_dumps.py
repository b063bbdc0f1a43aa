"""All bytes of a generation of projections: as Redis has them, and as one fold over the whole log gives them."""

import time
from collections.abc import Iterable

from services.scoring.ended import member
from services.scoring.reading import LogMessage, read
from services.scoring.rows import PlayerRow
from services.scoring.store import raw
from services.scoring.working import Working
from shared import subjects
from shared.bus.redis_connection import Redis
from shared.messages.codec import encode

Dump = dict[str, object]
"""Key without its generation, and its whole value."""


async def keys_of(redis: Redis, generation: str) -> list[str]:
    found = [key async for key in redis.scan_iter(match=subjects.SCORING_KEYS, count=1000)]
    names = [key.decode() if isinstance(key, bytes) else str(key) for key in found]
    return sorted(name for name in names if subjects.scoring_generation(name) == generation)


async def dump(redis: Redis, generation: str) -> Dump:
    return {
        key.removeprefix(f"klondike:scoring:{generation}:"): await _value(redis, key)
        for key in await keys_of(redis, generation)
    }


async def _value(redis: Redis, key: str) -> object:
    match raw(await redis.type(key)):
        case b"string":
            return raw(await redis.get(key))
        case b"hash":
            return await redis.hgetall(key)
        case b"zset":
            return await redis.zrange(key, 0, -1, withscores=True)
        case b"none":  # deleted since it was listed
            return None
        case other:
            raise AssertionError(f"{key} is a {other!r}")


def folded_dump(log: Iterable[LogMessage]) -> Dump:
    log = list(log)
    working = Working({}, {}, {})
    for message in log:
        working.apply(read(message))
    found: Dump = {
        "games": {game.encode(): encode(row) for game, row in working.games.items()},
        "players": {player.encode(): encode(row) for player, row in working.players.items() if row != PlayerRow()},
        "faults": {game.encode(): encode(fault) for game, fault in working.faults.items()},
        "over": {one.game.encode(): encode(one) for ended in working.over.values() for one in ended},
        "cursor": encode(log[-1].cursor) if log else None,
    }
    sets: dict[str, dict[bytes, float]] = {}
    for game, row in working.games.items():
        sets.setdefault(f"player:{row.player}", {})[game.encode()] = row.started_at
    for player, ended in working.over.items():
        for key in (f"ended:{player}", "ended"):
            sets.setdefault(key, {}).update({member(one): 0 for one in ended})
    for ranking, numbers in working.rankings.items():
        if ranking.gone_at is None or ranking.gone_at > time.time() * 1000:
            key = f"ranking:{ranking.period}:{ranking.variant}:{ranking.scoring}"
            sets[key] = {player.encode(): number for player, number in numbers.items()}
    for day, number in working.days.items():
        sets.setdefault(f"daily:{day.player}:{day.variant}", {})[day.day.encode()] = number
    for key, members in sets.items():
        found[key] = [(member, score) for score, member in sorted((score, member) for member, score in members.items())]
    return {key: value for key, value in found.items() if value}
