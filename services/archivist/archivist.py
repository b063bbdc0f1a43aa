"""Moves games to the archive, in an order in which a death between any two lines loses nothing and does nothing twice.

For a segment: its chunks are written, read back and verified; then its manifest is written, which makes it count; then
segment and manifest are read once more, each game is compared with the log, its place is written, and only then is it
purged from the log. Chunks are named after the segment's hash, so that the same games give the same chunks; a manifest
follows the one before or is refused by the server; a place is written anew with the same content. So a run begins by
settling the newest manifest, which is the only one that can be unsettled.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Final, Literal

import msgspec
import structlog
from nats.aio.client import Client

from services.archivist.candidates import ended_games
from services.archivist.segments import Made, Packed, full, made
from services.archivist.soundness import last_record
from shared import subjects
from shared.bus.api_error import ApiError
from shared.bus.archive import Archive, Listed, message_of, unpacked
from shared.bus.cancelling import request
from shared.bus.direct_get import LogUnavailableError, Stored
from shared.bus.event_log import Appended, EventLog
from shared.messages.archive import (
    Archived,
    ArchivedGame,
    DamagedArchiveError,
    Message,
    Place,
    Segment,
    UnfitGameError,
    open_manifest,
)
from shared.messages.base import GameId
from shared.messages.codec import encode

WRITE_SECONDS: Final = 20.0
"""How long one message is tried to be written."""
PURGE_SECONDS: Final = 10.0

Step = Literal[
    "chunk written",
    "segment verified",
    "manifest written",
    "manifest verified",
    "place written",
    "records purged",
    "deal purged",
]

_log: Final = structlog.stdlib.get_logger(__name__)


class OtherArchivistError(Exception):
    """Another archivist has written a manifest in the meantime. Nothing was purged."""


class PurgeRefusedError(Exception):
    """The server purges nothing: the log was made by a release that had no archive, or the user may not."""


@dataclass
class Outcome:
    """What a run has done."""

    segments: int = 0
    games: int = 0
    """That are in the archive since, or were and left the log now."""
    records: int = 0
    kept: dict[GameId, str] = field(default_factory=dict)
    """Games that are over and stay in the log, and why."""


def no_step(_step: Step) -> None:
    """Hears nothing."""


class _Purged(msgspec.Struct):
    success: bool = False
    error: ApiError | None = None


class Archivist:
    """Archives what is due. One at a time: a second one gives way before it has changed anything that counts."""

    def __init__(
        self,
        nc: Client,
        *,
        jitter: Callable[[], float],
        now_ms: Callable[[], int],
        name: str,
        passed: Callable[[Step], None] = no_step,
    ) -> None:
        """`name` is that of its consumer; `passed` is told each step that is done."""
        self._nc = nc
        self._now_ms = now_ms
        self._name = name
        self._passed = passed
        self._log = EventLog(nc, jitter)
        self._archive = Archive(nc)

    async def run(self, *, after_ms: int) -> Outcome:
        """Archives all games that ended so long ago.

        Raises:
            LogUnavailableError, LogRefusedError, nats.errors.Error, nats.js.errors.Error: an outage. Run it again.
            OtherArchivistError: another one is at work.
            PurgeRefusedError: games cannot leave this log.
            DamagedArchiveError: the newest manifest cannot be read, so none can follow it.
        """
        await self._check_log()
        outcome = Outcome()
        newest = await self._archive.newest()
        if newest is not None:
            await self._settle_or_keep(newest, outcome)
        async for games in self._batches(self._now_ms() - after_ms, outcome):
            newest = await self._write(made(games, newest, self._now_ms()), newest)
            outcome.segments += 1
            await self._settle(newest, outcome)
        return outcome

    async def _check_log(self) -> None:
        config = (await self._nc.jetstream().stream_info(subjects.EVENT_STREAM)).config
        if config.deny_purge:
            raise PurgeRefusedError(
                "this log was made by a release that had no archive, and its server lets no game leave it. "
                "Games are read as before; only the log stays large."
            )

    # Which games

    async def _batches(self, before_ms: int, outcome: Outcome) -> AsyncIterator[list[Packed]]:
        games: list[Packed] = []
        async for game in ended_games(self._nc, self._name, before_ms=before_ms):
            packed = await self._packed(game, outcome)
            if packed is not None:
                games.append(packed)
            if full(games):
                yield games
                games = []
        if games:
            yield games

    async def _packed(self, game: GameId, outcome: Outcome) -> Packed | None:
        """A game ready for a segment; None of one that stays where it is, or is archived already."""
        if await self._left_before(game, outcome):
            return None
        try:
            archived = await self._live(game)
            return Packed.of(archived, last_record(game, archived.deal, archived.records).at)
        except UnfitGameError as error:
            self._keep(game, str(error), outcome)
            return None

    async def _live(self, game: GameId) -> Archived:
        deals = await self._log.read(subjects.sealed_deal(game))
        records = await self._log.read(subjects.game_log(game))
        if len(deals) != 1:
            raise UnfitGameError(f"it has {len(deals)} sealed deals")
        return Archived(game, message_of(deals[0]), tuple(map(message_of, records)))

    async def _left_before(self, game: GameId, outcome: Outcome) -> bool:
        """Whether a game that is still in the log is archived already, as after a restored backup. It leaves then."""
        try:
            place = await self._archive.place(game)
            if place is None:
                return False
            await self._leave(place.segment, place.entry, await self._archive.game_at(place), outcome)
        except DamagedArchiveError as error:
            _log.error("archived again, since its place in the archive is damaged", game=game, reason=str(error))
            return False
        return True

    # Into the archive

    async def _write(self, new: Made, before: Listed | None) -> Listed:
        """A segment and its manifest; the segment is read back in between."""
        segment = new.manifest.segment
        for number, chunk in enumerate(new.chunks()):
            await self._append(subjects.archive_chunk(segment.name, number), chunk, expected=0)
            self._passed("chunk written")
        if await self._archive.segment(segment) != new.segment:
            raise LogUnavailableError(f"archive segment {segment.name} was not read back as it was written")
        self._passed("segment verified")
        stored = encode(new.manifest)
        expected = before.stored.sequence if before else 0
        if not await self._append(subjects.ARCHIVE_MANIFESTS, stored, expected=expected):
            raise OtherArchivistError("another archivist is at work")
        self._passed("manifest written")
        newest = await self._archive.newest()
        if newest is None or newest.stored.data != stored:
            raise OtherArchivistError("another archivist is at work")
        self._passed("manifest verified")
        return Listed(open_manifest(stored), newest.stored)

    async def _append(self, subject: str, data: bytes, *, expected: int) -> bool:
        """Whether a message was stored as the subject's next one; if not, there is another, or it was before."""
        deadline = asyncio.get_running_loop().time() + WRITE_SECONDS
        outcome = await self._log.append(subject, data, expected=expected, deadline=deadline)
        if outcome == "unknown":
            raise LogUnavailableError(f"writing {subject}: the server does not answer")
        return isinstance(outcome, Appended)

    # Out of the log

    async def _settle_or_keep(self, listed: Listed, outcome: Outcome) -> None:
        """What a run before has begun. A segment that was damaged since keeps its games in the log, if they are."""
        try:
            await self._settle(listed, outcome)
        except DamagedArchiveError as error:
            _log.error("a segment is damaged; its games that are in the log are archived again", reason=str(error))

    async def _settle(self, listed: Listed, outcome: Outcome) -> None:
        """Lets the games of a segment leave the log. May be repeated, from the start or after a death anywhere."""
        manifest = listed.manifest
        segment = await self._archive.segment(manifest.segment)
        for entry, archived in unpacked(segment, manifest):
            await self._leave(manifest.segment, entry, archived, outcome)

    async def _leave(self, segment: Segment, entry: ArchivedGame, archived: Archived, outcome: Outcome) -> None:
        records = await self._log.read(subjects.game_log(entry.game))
        deals = await self._log.read(subjects.sealed_deal(entry.game))
        if not _same(records, archived.records) or not _same(deals, (archived.deal,)):
            self._keep(entry.game, "the log holds another game than the archive", outcome)
            return
        if await self._placed(Place(segment=segment, entry=entry)) and not (records or deals):
            return
        await self._purge(subjects.game_log(entry.game), entry.last_sequence)
        self._passed("records purged")
        await self._purge(subjects.sealed_deal(entry.game), entry.first_sequence)
        self._passed("deal purged")
        outcome.games += 1
        outcome.records += entry.versions

    async def _placed(self, place: Place) -> bool:
        """Writes where a game is. Whether it was written before."""
        subject = subjects.archived_game(place.entry.game)
        found = await self._archive.newest_place(place.entry.game)
        body = encode(place)
        if found is not None and found.data == body:
            return True
        if not await self._append(subject, body, expected=found.sequence if found else 0):
            raise OtherArchivistError("another archivist is at work")
        self._passed("place written")
        return False

    async def _purge(self, subject: str, through: int) -> None:
        """Everything of a subject up to a sequence, that included."""
        purge = msgspec.json.encode({"filter": subject, "seq": through + 1})
        asked = f"$JS.API.STREAM.PURGE.{subjects.EVENT_STREAM}"
        answer = await request(self._nc, asked, purge, seconds=PURGE_SECONDS)
        purged = msgspec.json.decode(answer.data, type=_Purged)
        if not purged.success:
            reason = purged.error.description if purged.error else "no reason given"
            raise PurgeRefusedError(f"the server lets no game leave the log: {reason}")

    def _keep(self, game: GameId, reason: str, outcome: Outcome) -> None:
        outcome.kept[game] = reason
        _log.warning("stays in the log", game=game, reason=reason, fix="Audit it.")


def _same(live: list[Stored], archived: tuple[Message, ...]) -> bool:
    """Whether all that the log still holds of a game is in the archive, bit for bit."""
    return set(map(message_of, live)) <= set(archived)
