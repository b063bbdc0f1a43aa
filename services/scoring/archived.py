"""The games that left the log, as a rebuild counts them: one whole game after the other, in the order of their ends.

Statistics do not depend on how the records of different games lie between each other, but for streaks, and these depend
on the order of the ends. So games need not be taken apart again, and one segment at a time is in memory (more only
where their ends overlap).
"""

import asyncio
import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from services.scoring.reading import Entry, LogMessage, Unreadable, read
from services.scoring.rows import Cursor
from shared import subjects
from shared.bus.archive import Archive, Listed
from shared.logs import Log
from shared.messages.archive import Archived, ArchivedGame, DamagedArchiveError, Manifest, Place, unpack_game
from shared.messages.base import GameId

LOOKUPS_AT_ONCE: Final = 64


async def archived_through(archive: Archive, log: Log) -> Cursor:
    """The newest place of the log that any archived game had.

    Raises:
        LogUnavailableError: the archive cannot be read now.
    """
    damage = ""
    newest = None
    try:
        newest = await archive.newest()
    except DamagedArchiveError as error:
        damage = str(error)
    if damage:
        log.error("the newest manifest of the archive is damaged", reason=damage)
    if newest is None:
        return Cursor()
    return Cursor(sequence=newest.manifest.through_sequence, mark=newest.manifest.through_mark)


@dataclass(frozen=True, slots=True)
class _Closed:
    """A segment that was not opened yet."""

    first_end: int
    manifest_sequence: int


@dataclass(slots=True)
class _Open:
    """A segment with the games that were not taken yet. `bytes` is None of one that is damaged somewhere."""

    manifest: Manifest
    bytes: bytes | None
    games: Iterator[ArchivedGame]


class ArchivedGames:
    """All games of the archive as it was when this was opened."""

    def __init__(self, archive: Archive, log: Log) -> None:
        self._archive = archive
        self._log = log
        self._closed: list[_Closed] = []
        self._open: list[tuple[int, int, ArchivedGame, _Open]] = []
        """A heap by the end of each segment's next game."""
        self._looked: dict[GameId, bool] = {}
        self._listed = 0
        """The newest manifest that is known, by its sequence in the archive's stream."""

    async def begin(self) -> None:
        """Reads the manifests, and keeps of each only where it begins.

        Raises:
            LogUnavailableError: the archive cannot be read now.
        """
        async for listed in self._archive.manifests():
            if isinstance(listed, DamagedArchiveError):
                self._log.error("games of a damaged manifest are left out", reason=str(listed))
                continue
            self._listed = listed.stored.sequence
            # Of the newest one alone, places may not be written yet.
            self._looked = {entry.game: True for entry in listed.manifest.games}
            first_end = min(entry.last_sequence for entry in listed.manifest.games)
            self._closed.append(_Closed(first_end, listed.stored.sequence))
        self._closed.sort(key=lambda closed: -closed.first_end)

    async def ended_before(self, sequence: int | None) -> list[Entry] | None:
        """The entries of the next game, if it ended before a place of the log; None: no limit. None when there is none.

        Raises:
            LogUnavailableError: the archive cannot be read now.
        """
        while self._closed and (not self._open or self._closed[-1].first_end <= self._open[0][0]):
            await self._open_segment(self._closed.pop())
        if not self._open or (sequence is not None and self._open[0][0] >= sequence):
            return None
        end, number, entry, segment = heapq.heappop(self._open)
        self._push_next(number, segment)
        return await self._entries(segment, entry, end)

    async def holds(self, games: set[GameId]) -> set[GameId]:
        """Those of some games of the log that are archived as well: their way there was cut short by a death.

        Raises:
            LogUnavailableError: the archive cannot be read now.
        """
        unknown = [game for game in games if game not in self._looked]
        for at in range(0, len(unknown), LOOKUPS_AT_ONCE):
            some = unknown[at : at + LOOKUPS_AT_ONCE]
            found = await asyncio.gather(*map(self._archive.newest_place, some))
            self._looked.update((game, place is not None) for game, place in zip(some, found, strict=True))
        return {game for game in games if self._looked[game]}

    async def since(self) -> set[GameId]:
        """The games that were archived since the manifests were listed.

        Raises:
            LogUnavailableError: the archive cannot be read now.
        """
        new = [one async for one in self._archive.manifests(after=self._listed) if isinstance(one, Listed)]
        return {entry.game for one in new for entry in one.manifest.games}

    async def _open_segment(self, closed: _Closed) -> None:
        listed = await self._archive.manifest(closed.manifest_sequence)
        manifest = listed.manifest
        try:
            whole: bytes | None = await self._archive.segment(manifest.segment)
        except DamagedArchiveError as error:
            self._log.error("a segment is damaged; what can be read of it is counted", reason=str(error))
            whole = None
        games = iter(sorted(manifest.games, key=lambda entry: entry.last_sequence))
        self._push_next(manifest.number, _Open(manifest, whole, games))

    def _push_next(self, number: int, segment: _Open) -> None:
        entry = next(segment.games, None)
        if entry is not None:
            heapq.heappush(self._open, (entry.last_sequence, number, entry, segment))

    async def _entries(self, segment: _Open, entry: ArchivedGame, end: int) -> list[Entry]:
        try:
            archived = await self._unpacked(segment, entry)
        except DamagedArchiveError as error:
            return [Unreadable(entry.game, end, None, str(error))]
        subject = subjects.game_log(entry.game)
        return [read(LogMessage(record.sequence, subject, record.data, 0)) for record in archived.records]

    async def _unpacked(self, segment: _Open, entry: ArchivedGame) -> Archived:
        described = segment.manifest.segment
        if segment.bytes is None:
            return await self._archive.game_at(Place(segment=described, entry=entry))
        return unpack_game(segment.bytes[entry.offset : entry.offset + entry.length], entry, described.name)
