"""Projections in Redis, and the one way to change them: all of a batch together with the place in the log, or nothing.

A *generation* is a whole set of projections under a name of its own, `<format>-<number>`. One is live: answers come
from it. A rebuild fills another and makes it live in one step.
"""

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Final, TypeVar

import msgspec
from redis.asyncio import Redis
from redis.asyncio.client import Pipeline
from redis.exceptions import WatchError

from services.scoring.ended import member
from services.scoring.forgetting import remember
from services.scoring.ranking import RankingId, by_wins
from services.scoring.reading import Entry
from services.scoring.rows import FORMAT, Cursor, Fault, GameRow, PlayerRow
from services.scoring.working import EMPTY, Changes, Working, games_of, players_of
from shared import subjects
from shared.messages.answers import GameSummary
from shared.messages.base import GameId, PlayerId
from shared.messages.codec import encode

Row = TypeVar("Row")
Id = TypeVar("Id", bound=str)
Command = tuple[str | bytes | int, ...]
"""A Redis command."""

SCAN_KEYS: Final = 1000
"""Keys that are looked at, or deleted, in one step."""

cursor_decoder: Final = msgspec.msgpack.Decoder(Cursor)
game_decoder: Final = msgspec.msgpack.Decoder(GameRow)
player_decoder: Final = msgspec.msgpack.Decoder(PlayerRow)
fault_decoder: Final = msgspec.msgpack.Decoder(Fault)


class MovedError(Exception):
    """Somebody else changed what this update was based on. Nothing was written; read the cursor again."""


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """What an update is based on, and holds only if it still is so."""

    generation: str
    """The projections that are changed."""
    live: str | None
    """The generation that answers come from."""
    cursor: Cursor


def format_of(generation: str) -> tuple[int, ...]:
    """The format that a generation's rows are in."""
    return tuple(int(number) for number in generation.partition("-")[0].split("."))


def number_of(generation: str) -> int:
    """Generations are numbered in the order in which they are begun."""
    return int(generation.partition("-")[2])


def raw(reply: bytes | str | None) -> bytes | None:
    """What the client gives when it decodes nothing, as ours does: redis-py's types leave that open."""
    assert not isinstance(reply, str), "the Redis client must not decode replies"
    return reply


def _name(stored: bytes | None) -> str | None:
    return None if stored is None else stored.decode()


def _cursor(stored: bytes | None) -> Cursor:
    return Cursor() if stored is None else cursor_decoder.decode(stored)


class Store:
    """All reading and writing of projections, but for the answers to requests."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def position(self) -> Position | None:
        """Where the live projections are in the log; none when there are none."""
        live = await self._live()
        if live is None:
            return None
        stored = raw(await self._redis.get(subjects.scoring_cursor_key(live)))
        return Position(generation=live, live=live, cursor=_cursor(stored))

    async def begin(self) -> Position:
        """A new, empty generation beside the live one."""
        number: int = await self._redis.incr(subjects.SCORING_GENERATIONS_KEY)
        name = f"{FORMAT[0]}.{FORMAT[1]}-{number}"
        return Position(generation=name, live=await self._live(), cursor=Cursor())

    async def apply(
        self, position: Position, entries: list[Entry], cursor: Cursor
    ) -> tuple[Position, dict[GameId, Fault]]:
        """Fold records in and move the cursor to behind them, in one atomic update.

        Returns:
            The position after it, and the games that turned out faulty.

        Raises:
            MovedError: the position does not hold any more, or it is not known whether the update was made.
        """
        async with self._update(position) as update:
            working = await _fetch(update, position.generation, entries)
            for entry in entries:
                working.apply(entry)
            changes = working.changes()
            moved = ("SET", subjects.scoring_cursor_key(position.generation), encode(cursor))
            await _commit(update, (*_writes(position.generation, changes), moved))
        return msgspec.structs.replace(position, cursor=cursor), changes.faults

    async def remember(self, forgotten: list[PlayerId]) -> None:
        """Keeps players from being counted, in a Redis that may have lost who they are."""
        await remember(self._redis, forgotten)

    async def switch(self, position: Position) -> None:
        """Make a generation live in the place of the one that was live when it was begun.

        Raises:
            MovedError: another one became live in the meantime.
        """
        async with self._update(position) as update:
            await _commit(update, [("SET", subjects.SCORING_LIVE_KEY, position.generation)])

    async def clean(self) -> None:
        """Delete generations that are older than the live one. One that is being built is newer."""
        position = await self.position()
        if position is None:
            return
        old: list[bytes | str] = []
        async for key in self._redis.scan_iter(match=subjects.SCORING_KEYS, count=SCAN_KEYS):
            generation = subjects.scoring_generation(str(_name(raw(key))))
            if generation and number_of(generation) < number_of(position.generation):
                old.append(key)
            if len(old) >= SCAN_KEYS:
                await self._redis.unlink(*old)
                old.clear()
        if old:
            await self._redis.unlink(*old)

    async def _live(self) -> str | None:
        return _name(raw(await self._redis.get(subjects.SCORING_LIVE_KEY)))

    @asynccontextmanager
    async def _update(self, position: Position) -> AsyncIterator[Pipeline]:
        """A transaction that is carried out only if the position held from its beginning to its end."""
        cursor_key = subjects.scoring_cursor_key(position.generation)
        async with self._redis.pipeline(transaction=True) as update:
            try:
                await update.watch(subjects.SCORING_LIVE_KEY, cursor_key, subjects.FORGOTTEN_PLAYERS_KEY)
                live, stored = await update.mget(subjects.SCORING_LIVE_KEY, cursor_key)
                if _name(raw(live)) != position.live or _cursor(raw(stored)) != position.cursor:
                    raise MovedError
                yield update
            except WatchError:
                raise MovedError from None


async def _fetch(update: Pipeline, generation: str, entries: list[Entry]) -> Working:
    game_ids = games_of(entries)
    games = await _rows(update, subjects.running_games_key(generation), game_ids, game_decoder)
    faults = await _rows(update, subjects.faults_key(generation), game_ids, fault_decoder)
    player_ids = players_of(entries, games)
    players = await _rows(update, subjects.players_key(generation), player_ids, player_decoder)
    return Working(games, players, faults, await _forgotten(update, player_ids))


async def _forgotten(update: Pipeline, players: list[PlayerId]) -> frozenset[PlayerId]:
    if not players:
        return frozenset()
    flags = await update.smismember(subjects.FORGOTTEN_PLAYERS_KEY, list(players))
    return frozenset(player for player, flag in zip(players, flags, strict=True) if flag)


async def _rows(update: Pipeline, key: str, ids: list[Id], decoder: "msgspec.msgpack.Decoder[Row]") -> dict[Id, Row]:
    if not ids:
        return {}
    stored = [raw(row) for row in await update.hmget(key, ids)]
    return {row_id: decoder.decode(row) for row_id, row in zip(ids, stored, strict=True) if row is not None}


def _writes(generation: str, changes: Changes) -> Iterator[Command]:
    """The Redis commands that write a batch's changes, few and long: each costs more than its arguments."""
    games, players = subjects.running_games_key(generation), subjects.players_key(generation)
    yield from _with_fields("HSET", games, _encoded(changes.games.items()))
    yield from _with_fields("HDEL", games, changes.ended)
    for game, row in changes.started.items():
        yield "ZADD", subjects.player_games_key(generation, row.player), row.started_at, game
    for game, row in changes.joined.items():
        yield "ZADD", subjects.player_games_key(generation, row.guest or row.player), row.started_at, game
    for game, row in changes.ended.items():
        yield "ZREM", subjects.player_games_key(generation, row.player), game
        if row.guest is not None:
            yield "ZREM", subjects.player_games_key(generation, row.guest), game
    yield from _ended_writes(generation, changes.over)
    kept = ((player, row) for player, row in changes.players.items() if row != EMPTY)
    yield from _with_fields("HSET", players, _encoded(kept))
    yield from _with_fields("HDEL", players, (player for player, row in changes.players.items() if row == EMPTY))
    for ranking, numbers in changes.rankings.items():
        yield from _entering(generation, ranking, numbers)
    for day, number in changes.days.items():
        yield "ZADD", subjects.daily_results_key(generation, day.player, day.variant), "GT", number, day.day
    yield from _with_fields("HSET", subjects.faults_key(generation), _encoded(changes.faults.items()))


def _ended_writes(generation: str, over: Mapping[PlayerId, tuple[GameSummary, ...]]) -> Iterator[Command]:
    """A game that is over gets a row, and a place in its player's order and in that of all."""
    everybody = [one for ended in over.values() for one in ended]
    yield from _with_fields("HSET", subjects.summaries_key(generation), _encoded((one.game, one) for one in everybody))
    for player, ended in (*over.items(), (None, everybody)):
        places = (part for one in ended for part in (b"0", member(one)))
        yield from _with_fields("ZADD", subjects.ended_games_key(generation, player), places)


def _entering(generation: str, ranking: RankingId, numbers: dict[PlayerId, int]) -> Iterator[Command]:
    """Wins enter a ranking, which is gone when its time has come: at once, when that is past in a rebuild."""
    key = subjects.ranking_key(generation, ranking.period, ranking.variant, ranking.scoring)
    if by_wins(ranking.scoring):
        for player, wins in numbers.items():
            yield "ZINCRBY", key, wins, player
    else:
        yield "ZADD", key, "GT", *(part for player, number in numbers.items() for part in (number, player))
    if ranking.gone_at is not None:
        yield "PEXPIREAT", key, ranking.gone_at


def _with_fields(command: str, key: str, fields: Iterable[str | bytes]) -> Iterator[Command]:
    """One command for all fields; none when there are none, which Redis would refuse."""
    arguments = tuple(fields)
    if arguments:
        yield (command, key, *arguments)


def _encoded(rows: Iterable[tuple[str, msgspec.Struct]]) -> Iterator[str | bytes]:
    for row_id, row in rows:
        yield row_id
        yield encode(row)


async def _commit(update: Pipeline, commands: Iterable[Command]) -> None:
    """Carry out all commands, or, if a watched key has changed, none."""
    update.multi()  # type: ignore[no-untyped-call] # redis-py annotates a part of its methods
    for command in commands:
        update.pipeline_execute_command(*command)  # type: ignore[no-untyped-call] # as above
    await update.execute()
