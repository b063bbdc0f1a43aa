"""Keeps the projections up with the log, and rebuilds them.

Any number of instances may do this at once. Each change is based on a position and written only while that holds, so
every record is folded in exactly once, whoever does it and wherever it is stopped.
"""

import asyncio
import time
from typing import Final

import nats.errors
from nats.aio.client import Client
from redis.exceptions import RedisError

from services.scoring.archived import ArchivedGames, archived_through
from services.scoring.forgetting import forgotten_players
from services.scoring.log_reader import BATCH_MAX, LogLostError, LogReader, open_log
from services.scoring.reading import Entry, LogMessage, Opened, read
from services.scoring.rows import FORMAT, Cursor
from services.scoring.store import MovedError, Position, Store, format_of
from shared import subjects
from shared.backoff import Backoff
from shared.bus.archive import Archive
from shared.bus.direct_get import LogUnavailableError
from shared.logs import Log
from shared.messages.base import GameId
from shared.messages.events import GameEnded

BACKOFF: Final = Backoff(first_seconds=0.05, most_seconds=2.0)
CANCEL_AGAIN_SECONDS: Final = 0.1
GATHER_SECONDS: Final = 0.05
"""Pause between two updates: records that come meanwhile are folded in together. An update costs a hundred times more
than a record, and would cost the players' moves their time."""
NEWER_FORMAT_SECONDS: Final = 5.0
"""How often an instance of an older release looks whether it can work again."""

OUTAGE = (RedisError, OSError, TimeoutError, nats.errors.Error, LogLostError, LogUnavailableError)
"""What passes by itself: a server is away, or the reader has to be opened anew."""


async def end(task: asyncio.Task[None]) -> None:
    """Cancel a task until it has ended. Once is not enough: `asyncio.wait_for` of Python 3.11, which nats-py uses,
    loses a cancellation that comes together with the result that it waits for.
    """
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=CANCEL_AGAIN_SECONDS)


class Projector:
    """The writing half of the service. Cancel it anywhere: nothing is lost, and nothing is done twice."""

    def __init__(self, client: Client, store: Store, log: Log) -> None:
        self._client = client
        self._archive = Archive(client)
        self._store = store
        self._log = log
        self._failures = 0

    async def run(self) -> None:
        """Follow the log for good."""
        while True:
            try:
                await self.follow()
            except OUTAGE as error:
                await self._pause(error, "reading the log again from the cursor")

    async def rebuild_now(self) -> None:
        """Rebuild at the operator's command. Old answers are given until the new projections are complete."""
        while True:
            try:
                if await self.rebuild("the operator asked for it"):
                    return
            except OUTAGE as error:
                await self._pause(error, "rebuilding again from the start")

    async def follow(self) -> None:
        """Fold records in as they come, until something else has to be done first.

        Raises:
            LogLostError, LogUnavailableError, RedisError, nats.errors.Error, OSError, TimeoutError: an outage.
        """
        position = await self._store.position()
        if position is None:
            await self.rebuild("there are no projections")
        elif format_of(position.generation) < FORMAT:
            await self.rebuild("the projections are of an older release")
        elif format_of(position.generation) > FORMAT:
            self._log.error("projections of a newer release, only answering", generation=position.generation)
            await asyncio.sleep(NEWER_FORMAT_SECONDS)
        else:
            await self._follow_from(position)

    async def rebuild(self, reason: str) -> bool:
        """Fold all games, of archive and log, into a new generation and make it live. False when another instance was
        first.

        Raises:
            LogLostError, LogUnavailableError, RedisError, nats.errors.Error, OSError, TimeoutError: an outage.
        """
        async with open_log(self._client, start=1) as reader:
            await self._store.remember(await forgotten_players(self._client))
            position = await self._store.begin()
            began = time.monotonic()
            self._log.warning("rebuilding", reason=reason, generation=position.generation, records=reader.pending)
            try:
                position = await self._fill(reader, position)
                await self._store.switch(position)
            except MovedError:
                self._log.info("another instance has rebuilt", generation=position.generation)
                return False
            seconds = round(time.monotonic() - began, 3)
            self._log.info("rebuilt", generation=position.generation, to=position.cursor.sequence, seconds=seconds)
        await self._store.clean()
        return True

    async def _fill(self, reader: LogReader, position: Position) -> Position:
        archived = ArchivedGames(self._archive, self._log)
        await archived.begin()
        through = await archived_through(self._archive, self._log)
        ended: set[GameId] = set()
        left = reader.pending
        while left:
            batch = await reader.batch()
            twice = await archived.holds({subjects.game_of(message.subject) for message in batch})
            for part in await _merged(archived, batch, twice):
                position = await self._apply(position, part, batch[-1].cursor)
                ended.update(entry.game for entry in part if _is_end(entry))
            left = batch[-1].pending
        while part := await _rest(archived):
            position = await self._apply(position, part, position.cursor)
        if through.sequence > position.cursor.sequence:
            position = await self._apply(position, [], through)
        if not await archived.since() <= ended:
            raise LogLostError("games left the log while it was read")
        return position

    async def _follow_from(self, position: Position) -> None:
        """From the cursor's own record on: it shows whether this is still the same log."""
        async with open_log(self._client, start=max(position.cursor.sequence, 1)) as reader:
            batch = await reader.batch() if reader.pending else []
            if not await self._is_same_log(position, batch):
                return
            self._log.info("following the log", generation=position.generation, after=position.cursor.sequence)
            while True:
                self._failures = 0
                caught_up = await self._catch_up(position, batch)
                if caught_up is None:
                    return
                position = caught_up
                behind = bool(batch and batch[-1].pending)
                await asyncio.sleep(GATHER_SECONDS)
                batch = await reader.batch()
                if behind and await self._missed(position):
                    return

    async def _is_same_log(self, position: Position, batch: list[LogMessage]) -> bool:
        """Whether the log goes on where the projections are; if not, they are rebuilt."""
        if await self._missed(position):
            return False
        cursor = position.cursor
        if not cursor.sequence or (batch and batch[0].cursor == cursor):
            return True
        if await archived_through(self._archive, self._log) == cursor:
            return True
        await self._rebuild_from_other_log(position)
        return False

    async def _missed(self, position: Position) -> bool:
        """Whether records left the log before they were counted, after a long pause of this service; then rebuilds."""
        through = await archived_through(self._archive, self._log)
        if through.sequence <= position.cursor.sequence:
            return False
        await self.rebuild("games were archived before they were counted")
        return True

    async def _rebuild_from_other_log(self, position: Position) -> None:
        self._log.error(
            "the log does not hold the last record that was counted: it is shorter, or another log",
            sequence=position.cursor.sequence,
            fix="Was an older log restored? Statistics are now rebuilt from the log as it is.",
        )
        await self.rebuild("the log has changed")

    async def _catch_up(self, position: Position, batch: list[LogMessage]) -> Position | None:
        """Fold in what of a batch is new. None when the reader does not fit the projections any more."""
        while new := [message for message in batch if message.sequence > position.cursor.sequence]:
            try:
                return await self._apply(position, [read(message) for message in new], new[-1].cursor)
            except MovedError:
                moved = await self._store.position()
            if moved is None or moved.live != position.live or moved.cursor.sequence < position.cursor.sequence:
                return None
            position = moved
        return position

    async def _apply(self, position: Position, entries: list[Entry], cursor: Cursor) -> Position:
        after, faults = await self._store.apply(position, entries, cursor)
        for entry in entries:
            if entry.game in faults and faults[entry.game].sequence == entry.sequence:
                fault = faults[entry.game]
                self._log.error(
                    "game left out: its record cannot be used",
                    game=entry.game,
                    version=fault.version,
                    sequence=fault.sequence,
                    reason=fault.reason,
                    correlation_id=entry.record.command if isinstance(entry, Opened) else None,
                )
        return after

    async def _pause(self, error: Exception, what: str) -> None:
        self._failures += 1
        seconds = BACKOFF.delay(self._failures, 1.0)
        reason = str(error) or type(error).__name__
        self._log.warning("waiting, then " + what, reason=reason, attempt=self._failures, retry_seconds=seconds)
        await asyncio.sleep(seconds)


async def _rest(archived: ArchivedGames) -> list[Entry]:
    """The next archived games, about as many records as a batch has; nothing at their end."""
    part: list[Entry] = []
    while len(part) < BATCH_MAX and (entries := await archived.ended_before(None)):
        part += entries
    return part


async def _merged(archived: ArchivedGames, batch: list[LogMessage], twice: set[GameId]) -> list[list[Entry]]:
    """Records of the log, and before each the archived games that ended before it, in parts of a batch's size."""
    parts: list[list[Entry]] = [[]]
    for message in batch:
        while entries := await archived.ended_before(message.sequence):
            parts[-1] += entries
            if len(parts[-1]) >= BATCH_MAX:
                parts.append([])
        if subjects.game_of(message.subject) not in twice:
            parts[-1].append(read(message))
    return parts


def _is_end(entry: Entry) -> bool:
    return isinstance(entry, Opened) and bool(entry.record.events) and isinstance(entry.record.events[-1], GameEnded)
