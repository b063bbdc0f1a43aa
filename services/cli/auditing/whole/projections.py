"""Statistics and rankings, computed again from the log and held against what Redis has.

They are compared as of one record: what Redis holds is read first, in one step with its place in the log, and of the
log only what lies before that place is counted. So games may go on meanwhile.
"""

from collections.abc import Iterator
from typing import Final

import msgspec
from redis.exceptions import RedisError

from services.cli.auditing.reading import UnreadableError
from services.cli.auditing.report import Finding
from services.cli.auditing.whole.store import Store
from services.cli.auditing.whole.summary import Compared
from services.cli.nats_client import clause
from services.scoring.reading import Opened
from services.scoring.rows import FORMAT, Cursor
from services.scoring.store import format_of
from services.scoring.working import EMPTY, Working
from shared import subjects
from shared.bus.redis_connection import Redis
from shared.messages.base import GameId, PlayerId
from shared.messages.codec import decode_record, encode
from shared.messages.events import Record

TRIES_MAX: Final = 20
EXPIRY_MARGIN_MS: Final = 60_000
"""A ranking that is forgotten about now may be there or not."""

NO_STATISTICS: Final = "Redis holds no statistics: they were not compared"
OTHER_FORMAT: Final = "the statistics are of another release: they were not compared"
MOVING: Final = "the statistics were being rebuilt: they were not compared"

_cursors: Final = msgspec.msgpack.Decoder(Cursor)


async def keep_projections(redis: Redis, store: Store, now_ms: int) -> str | None:
    """Keeps statistics and rankings as they are at one moment. Returns why not, where there is nothing to keep.

    Raises:
        UnreadableError: Redis cannot be read.

    """
    try:
        return await _keep(redis, store, now_ms)
    except (RedisError, OSError) as error:
        raise UnreadableError(f"Redis cannot be read: {clause(error)}. Try again.") from None


async def _keep(redis: Redis, store: Store, now_ms: int) -> str | None:
    for _ in range(TRIES_MAX):
        live = _bytes(await redis.get(subjects.SCORING_LIVE_KEY))
        if live is None:
            return NO_STATISTICS
        generation = live.decode()
        if format_of(generation) != FORMAT:
            return OTHER_FORMAT
        rankings = await _ranking_keys(redis, generation)
        async with redis.pipeline(transaction=True) as asked:
            _ = asked.get(subjects.SCORING_LIVE_KEY)
            _ = asked.get(subjects.scoring_cursor_key(generation))
            _ = asked.hgetall(subjects.players_key(generation))
            _ = asked.hgetall(subjects.faults_key(generation))
            _ = asked.smembers(subjects.FORGOTTEN_PLAYERS_KEY)
            for key in rankings:
                _ = asked.zrange(key, 0, -1, withscores=True)
            still, cursor, players, faults, forgotten, *scores = await asked.execute()
        if still != live or await _ranking_keys(redis, generation) != rankings:
            continue
        store.note("generation", live)
        store.note("kept at", str(now_ms).encode())
        store.note("cursor", str(_cursors.decode(cursor).sequence if cursor else 0).encode())
        store.keep("player", ((name.decode(), row) for name, row in players.items()))
        store.keep("forgotten", ((name.decode(), b"") for name in forgotten))
        store.keep("scoring fault", ((name.decode(), row) for name, row in faults.items()))
        for key, ranking in zip(rankings, scores, strict=True):
            store.keep("ranking", ((f"{key} {name.decode()}", b"%d" % score) for name, score in ranking))
        return None
    return MOVING


async def _ranking_keys(redis: Redis, generation: str) -> list[str]:
    pattern = subjects.ranking_key(generation, "*", "*", "*")
    return sorted([_text(key) async for key in redis.scan_iter(match=pattern, count=1000)])


def compare(store: Store) -> Compared | None:
    """Computes all sums again and notes what differs. None where nothing was kept to compare with."""
    kept_cursor = store.noted("cursor")
    if kept_cursor is None:
        return None
    cursor, left_out, players = int(kept_cursor), store.left_out() | set(store.names("forgotten")), 0
    for kind in ("expected player", "expected ranking"):
        store.drop(kind)
    for player, rows in store.counted():
        if player not in left_out:
            players += 1
            _expect(store, PlayerId(player), folded(rows, cursor))
    store.forget_faults("statistics")
    for fault in (*_player_faults(store, left_out), *_ranking_faults(store, left_out), *_scoring_faults(store)):
        store.add_fault(*fault)
    rankings = len({name.rpartition(" ")[0] for name in store.names("ranking")})
    return Compared(through=cursor, players=players, rankings=rankings, left_out=len(left_out))


def folded(rows: list[tuple[int, bytes]], cursor: int) -> Working:
    """A player's sums, folded by scoring's own rules. Left-out records between them change nothing, so those that are
    there are made to follow each other.
    """
    working = Working({}, {}, {})
    last: dict[GameId, tuple[int, bytes]] = {}
    for sequence, body in rows:
        if sequence > cursor:
            break
        record: Record = decode_record(body)
        version, previous = last.get(record.game, (0, b""))
        digest = b"%d" % sequence
        follows = msgspec.structs.replace(record, version=version + 1, previous=previous)
        last[record.game] = version + 1, digest
        working.apply(Opened(record.game, sequence, follows, digest))
    return working


def _expect(store: Store, player: PlayerId, working: Working) -> None:
    generation, kept_at = (store.noted("generation") or b"").decode(), int(store.noted("kept at") or 0)
    row = working.players.get(player, EMPTY)
    if row != EMPTY:
        store.keep("expected player", [(player, encode(row))])
    numbers = [
        (subjects.ranking_key(generation, one.period, one.variant, one.scoring), some[player])
        for one, some in working.rankings.items()
        if player in some and (one.gone_at is None or one.gone_at > kept_at + EXPIRY_MARGIN_MS)
    ]
    store.keep("expected ranking", ((f"{key} {player}", b"%d" % number) for key, number in numbers))


def _player_faults(store: Store, left_out: set[str]) -> Iterator[tuple[None, Finding]]:
    for player, found, expected in store.differences("player", "expected player"):
        if player not in left_out:
            yield None, _finding(f"the row of sums of player {player} {_how(found, expected)}")


def _ranking_faults(store: Store, left_out: set[str]) -> Iterator[tuple[None, Finding]]:
    dated = (b"-W", b"day-")
    for name, found, expected in store.differences("ranking", "expected ranking"):
        key, _, player = name.rpartition(" ")
        expiring = expected is None and any(mark in key.encode() for mark in dated)
        if player in left_out or expiring:
            continue
        _, _, _, _, period, variant, scoring = key.split(":")
        what = f"the place of player {player} in the ranking {variant} {scoring} ({period}) {_how(found, expected)}"
        yield None, _finding(what)


def _scoring_faults(store: Store) -> Iterator[tuple[GameId, Finding]]:
    """Games that scoring leaves out though they are as they should be."""
    faulty = store.faulty()
    for name in store.names("scoring fault"):
        if name not in faulty:
            yield GameId(name), _finding("scoring leaves the game out as damaged, though nothing is wrong with it")


def _how(found: bytes | None, expected: bytes | None) -> str:
    if found is None:
        return "is missing in Redis"
    return "follows from no game in the log" if expected is None else "is not what the log gives"


def _finding(what: str) -> Finding:
    return Finding(place="statistics", version=None, sequence=None, what=what)


def _bytes(value: bytes | str | None) -> bytes | None:
    return value.encode() if isinstance(value, str) else value


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value
