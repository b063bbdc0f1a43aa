"""The games in memory: a bounded cache over the log, which alone is true."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Final

import structlog
from redis.exceptions import RedisError

from shared.bus.direct_get import Stored
from shared.bus.event_log import EventLog
from shared.bus.redis_connection import Redis
from shared.bus.snapshots import Head, SnapshotError, load_head, load_snapshot, unpack_snapshot
from shared.game.evolve import BrokenHistoryError
from shared.game.rebuild import Logged, Read, advance, begin
from shared.messages.base import CommandId, GameId
from shared.messages.codec import CorruptRecordError, open_deal, open_record
from shared.messages.events import Record

RECENT_MAX: Final = 64
"""Records kept beside a game, to recognise repeated commands and to answer reconnecting clients without the log."""

HEAD_LOOKS: Final = 5
HEAD_PAUSE_SECONDS: Final = 0.05

_log: Final = structlog.stdlib.get_logger(__name__)


class BrokenGameError(Exception):
    """A game whose log does not hold together. It is left as it is, for the audit."""


@dataclass(slots=True)
class Entry:
    """A game in memory with its newest records, which are without gaps and end in the game's version."""

    logged: Logged
    recent: deque[Record] = field(default_factory=lambda: deque(maxlen=RECENT_MAX))

    def record(self, version: int) -> Record | None:
        """The record of a version, if it is among the newest."""
        place = version - (self.logged.game.version - len(self.recent) + 1)
        return self.recent[place] if 0 <= place < len(self.recent) else None

    def made_by(self, command: CommandId) -> Record | None:
        """The record of a command, if it is among the newest, whatever version the command now claims."""
        return next((record for record in reversed(self.recent) if record.command == command), None)

    def since(self, version: int) -> list[Record] | None:
        """All records after a version, if they are among the newest."""
        missed = self.logged.game.version - version
        if not 0 <= missed <= len(self.recent):
            return None
        return list(self.recent)[len(self.recent) - missed :]

    def advance(self, stored: Iterable[Stored]) -> None:
        """Follows the log."""
        for message in stored:
            read = read_record(message)
            self.logged = advance(self.logged, read)
            self.recent.append(read.record)


class Games:
    """Loads games, keeps the most recently used, and lets one command at a time work on each."""

    def __init__(self, log: EventLog, redis: Redis, *, games_max: int) -> None:
        self._log = log
        self._redis = redis
        self._games_max = games_max
        self._entries: OrderedDict[GameId, Entry] = OrderedDict()
        self._locks: dict[GameId, tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def locked(self, game: GameId) -> AsyncIterator[None]:
        """One at a time for each game, in order of arrival. A lock lives while somebody has or wants it."""
        lock, users = self._locks.get(game, (asyncio.Lock(), 0))
        self._locks[game] = (lock, users + 1)
        try:
            async with lock:
                yield
        finally:
            lock, users = self._locks[game]
            if users == 1:
                del self._locks[game]
            else:
                self._locks[game] = (lock, users - 1)

    async def load(self, game: GameId) -> Entry | None:
        """The game as last known here, which another instance may have moved on. None: there is no such game.

        Raises:
            LogUnavailableError: the log cannot be read now.
            BrokenGameError: the game's log does not hold together.

        """
        entry = self._entries.get(game)
        if entry is None:
            with _naming(game):
                entry = await self._from_snapshot(game) or await self._from_log(game)
            await self._hold_against_head(game, entry)
            if entry is None:
                return None
            self.keep(entry)
        self._entries.move_to_end(game)
        return entry

    async def catch_up(self, entry: Entry) -> bool:
        """Follows what others have written to the log. Whether there was anything.

        Raises:
            LogUnavailableError: the log cannot be read now.
            BrokenGameError: the game's log does not hold together.

        """
        before = entry.logged
        tail = await self._log.read_news(before.game.game, start=before.sequence + 1)
        with _naming(before.game.game):
            entry.advance(tail)
        return entry.logged is not before

    def keep(self, entry: Entry) -> None:
        """Keeps a game in memory; the one used longest ago leaves."""
        self._entries[entry.logged.game.game] = entry
        while len(self._entries) > self._games_max:
            self._entries.popitem(last=False)

    def forget(self, game: GameId) -> None:
        """Takes a game out of memory."""
        self._entries.pop(game, None)

    async def records_since(self, entry: Entry, version: int) -> list[Record]:
        """All records of a game after a version.

        Raises:
            LogUnavailableError: the log cannot be read now.

        """
        recent = entry.since(version)
        if recent is not None:
            return recent
        game = entry.logged.game
        with _naming(game.game):
            records = [read_record(message).record for message in await self._log.read_game(game.game)]
        return [record for record in records if version < record.version <= game.version]

    async def _hold_against_head(self, game: GameId, entry: Entry | None) -> None:
        """A log that ends before its head has lost records: going on from there would hide that for good."""
        head = await self._head(game)
        if head is None:
            return
        for attempt in range(HEAD_LOOKS):
            if entry is not None and entry.logged.game.version >= head.version:
                break
            # A replica that answers reads may lag behind what was acknowledged.
            await asyncio.sleep(attempt * HEAD_PAUSE_SECONDS)
            if entry is not None:
                await self.catch_up(entry)
        version = 0 if entry is None else entry.logged.game.version
        if version < head.version:
            raise BrokenGameError(f"game {game}: the log ends at version {version}, {head.version} was acknowledged")
        if entry is not None and version == head.version and entry.logged.hash != head.hash:
            raise BrokenGameError(f"game {game}: another record was acknowledged as version {version}")

    async def _head(self, game: GameId) -> Head | None:
        try:
            return await load_head(self._redis, game)
        except (RedisError, OSError):
            return None
        except SnapshotError as error:
            _log.warning("head thrown away", game=game, reason=str(error))
            return None

    async def _from_snapshot(self, game: GameId) -> Entry | None:
        stored = await load_snapshot(self._redis, game)
        if stored is None:
            return None
        try:
            logged = unpack_snapshot(game, stored)
            tail = await self._log.read_game(game, start=logged.sequence)
            return _from_tail(logged, tail)
        except (SnapshotError, CorruptRecordError, BrokenHistoryError) as error:
            _log.warning("snapshot thrown away", game=game, reason=str(error))
            return None

    async def _from_log(self, game: GameId) -> Entry | None:
        records = await self._log.read_game(game)
        if not records:
            return None
        sealed = await self._log.read_deal(game)
        if sealed is None:
            raise BrokenHistoryError("the sealed deal is missing")
        return from_log(sealed, records)


def read_record(message: Stored) -> Read:
    """A stored message as the record that it is.

    Raises:
        CorruptRecordError: it is none.

    """
    record, digest = open_record(message.data)
    return Read(record, digest, message.sequence)


def from_log(sealed: Stored, records: list[Stored]) -> Entry:
    """A game built from its deal and all its records.

    Raises:
        CorruptRecordError: a message cannot be read.
        BrokenHistoryError: the records do not follow from each other.

    """
    deal, deal_hash = open_deal(sealed.data)
    first = read_record(records[0])
    entry = Entry(begin(deal, deal_hash, first), deque([first.record], maxlen=RECENT_MAX))
    entry.advance(records[1:])
    return entry


def _from_tail(logged: Logged, tail: list[Stored]) -> Entry:
    """A game built from a snapshot and the records from the snapshot's own on."""
    if not tail or tail[0].sequence != logged.sequence:
        raise SnapshotError("the log has no such record")
    own = read_record(tail[0])
    if (own.record.version, own.hash) != (logged.game.version, logged.hash):
        raise SnapshotError("the log has another record in its place")
    entry = Entry(logged, deque([own.record], maxlen=RECENT_MAX))
    entry.advance(tail[1:])
    return entry


@contextmanager
def _naming(game: GameId) -> Iterator[None]:
    """Turns what is wrong with a log into an error that names the game."""
    try:
        yield
    except (CorruptRecordError, BrokenHistoryError) as error:
        raise BrokenGameError(f"game {game}: {error}") from error
