"""Reads the archive: one game by its id, or segment after segment as the manifests name them."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

from nats.aio.client import Client

from shared import subjects
from shared.bus.direct_get import Stored, batches, read_newest
from shared.messages.archive import (
    Archived,
    ArchivedGame,
    DamagedArchiveError,
    Manifest,
    Message,
    Place,
    Segment,
    check_format,
    check_head,
    damaged,
    open_manifest,
    open_place,
    segment_name,
    unpack_game,
)
from shared.messages.base import GameId

SECOND_NS: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Listed:
    """A manifest where it lies."""

    manifest: Manifest
    stored: Stored


@dataclass(frozen=True, slots=True)
class Archive:
    """The archive on one connection."""

    nc: Client

    async def game(self, game: GameId) -> Archived | None:
        """A game that was archived; None when it was not.

        Raises:
            LogUnavailableError: the archive cannot be read now.
            DamagedArchiveError: it is not any more what was written.
        """
        place = await self.place(game)
        return None if place is None else await self.game_at(place)

    async def place(self, game: GameId) -> Place | None:
        """Where a game is; None when it was not archived.

        Raises:
            LogUnavailableError: the archive cannot be read now.
            DamagedArchiveError: its place cannot be read.
        """
        found = await self.newest_place(game)
        if found is None:
            return None
        place = open_place(found.data)
        if place.entry.game != game:
            raise damaged(place.segment.name, f"its place is kept as that of game {game}", place.entry)
        return place

    async def newest_place(self, game: GameId) -> Stored | None:
        """A game's place as it is stored.

        Raises:
            LogUnavailableError: the archive cannot be read now.
        """
        return await read_newest(self.nc, subjects.ARCHIVE_STREAM, subjects.archived_game(game))

    async def game_at(self, place: Place) -> Archived:
        """A game from its place, without the rest of the segment.

        Raises:
            LogUnavailableError, DamagedArchiveError: as for `game`.
        """
        segment, entry = place.segment, place.entry
        check_format(segment.format, segment.name)
        first, last = entry.offset // segment.chunk_bytes, (entry.offset + entry.length - 1) // segment.chunk_bytes
        joined = b"".join([await self._chunk(place, number) for number in range(first, last + 1)])
        begin = entry.offset - first * segment.chunk_bytes
        return unpack_game(joined[begin : begin + entry.length], entry, segment.name)

    async def newest(self) -> Listed | None:
        """The newest manifest; None of an empty archive.

        Raises:
            LogUnavailableError, DamagedArchiveError: as for `game`.
        """
        found = await read_newest(self.nc, subjects.ARCHIVE_STREAM, subjects.ARCHIVE_MANIFESTS)
        return None if found is None else Listed(open_manifest(found.data), found)

    async def manifests(self, *, after: int = 0) -> AsyncIterator[Listed | DamagedArchiveError]:
        """All manifests after a sequence of the archive's stream, the oldest first; of one that cannot be read the
        reason, and the rest all the same.

        Raises:
            LogUnavailableError: the archive cannot be read now.
        """
        found = batches(self.nc, subjects.ARCHIVE_STREAM, subjects.ARCHIVE_MANIFESTS, start=after + 1)
        async for batch in found:
            for stored in batch:
                try:
                    yield Listed(open_manifest(stored.data), stored)
                except DamagedArchiveError as error:
                    yield DamagedArchiveError(f"sequence {stored.sequence} of the archive: {error}")

    async def manifest(self, sequence: int) -> Listed:
        """The manifest with a sequence of the archive's stream.

        Raises:
            LogUnavailableError, DamagedArchiveError: as for `game`.
        """
        async for listed in self.manifests(after=sequence - 1):
            if isinstance(listed, DamagedArchiveError):
                raise listed
            return listed
        raise DamagedArchiveError(f"the archive has no manifest at sequence {sequence}")

    async def segment(self, segment: Segment) -> bytes:
        """A whole segment, with its hash verified.

        Raises:
            LogUnavailableError, DamagedArchiveError: as for `game`.
        """
        check_format(segment.format, segment.name)
        numbers = range(-(-segment.length // segment.chunk_bytes))
        found: list[bytes] = []
        for number in numbers:
            chunk = await self._read_chunk(segment, number)
            if chunk is None:
                raise damaged(segment.name, f"its bytes from {number * segment.chunk_bytes} on are missing")
            found.append(chunk)
        whole = b"".join(found)
        check_head(whole, segment.name)
        if len(whole) != segment.length:
            raise damaged(segment.name, f"it has {len(whole)} bytes instead of {segment.length}")
        if segment_name(whole) != segment.name:
            raise damaged(segment.name, "its bytes are not those that it is named after")
        return whole

    async def games(self, manifest: Manifest) -> AsyncIterator[Archived | DamagedArchiveError]:
        """All games of a segment. What is wrong with the segment comes first; then of each game that cannot be read the
        reason, and the rest all the same.

        Raises:
            LogUnavailableError: the archive cannot be read now.
        """
        whole, name = None, manifest.segment.name
        try:
            whole = await self.segment(manifest.segment)
        except DamagedArchiveError as error:
            yield error
        for entry in manifest.games:
            try:
                if whole is None:
                    yield await self.game_at(Place(segment=manifest.segment, entry=entry))
                else:
                    yield unpack_game(whole[entry.offset : entry.offset + entry.length], entry, name)
            except DamagedArchiveError as error:
                yield error

    async def _chunk(self, place: Place, number: int) -> bytes:
        chunk = await self._read_chunk(place.segment, number)
        if chunk is None:
            missing = f"the segment's bytes from {number * place.segment.chunk_bytes} on are missing"
            raise damaged(place.segment.name, missing, place.entry)
        return chunk

    async def _read_chunk(self, segment: Segment, number: int) -> bytes | None:
        subject = subjects.archive_chunk(segment.name, number)
        found = await read_newest(self.nc, subjects.ARCHIVE_STREAM, subject)
        return None if found is None else found.data


def unpacked(segment: bytes, manifest: Manifest) -> Iterator[tuple[ArchivedGame, Archived]]:
    """The games of a segment that was read as a whole.

    Raises:
        DamagedArchiveError: one of them is not what the manifest says.
    """
    for entry in manifest.games:
        packed = segment[entry.offset : entry.offset + entry.length]
        yield entry, unpack_game(packed, entry, manifest.segment.name)


def check_chain(manifests: list[Listed]) -> Iterator[DamagedArchiveError]:
    """What does not fit between manifests that should follow each other from the first on."""
    for before, after in pairwise((None, *manifests)):
        assert after is not None, "only the first has none before it"
        yield from check_link(before, after)


def check_link(before: Listed | None, after: Listed) -> Iterator[DamagedArchiveError]:
    """What does not fit between a manifest and the one before it; none before the first."""
    number = after.manifest.number
    if before is None:
        if number != 1:
            yield DamagedArchiveError(f"the archive begins with manifest {number}: some are missing")
    elif number != before.manifest.number + 1:
        yield DamagedArchiveError(f"manifest {number} follows manifest {before.manifest.number}")
    elif after.manifest.previous != mark_of(before.stored.data):
        yield DamagedArchiveError(f"manifest {number} follows another manifest {number - 1}: it was replaced")


def mark_of(stored: bytes) -> bytes:
    """The SHA-256 of stored bytes."""
    return bytes.fromhex(segment_name(stored))


def message_of(stored: Stored) -> Message:
    """A message of the log as the archive keeps it."""
    return Message(stored.sequence, nanoseconds(stored.stamp), stored.data)


def stored_of(subject: str, message: Message) -> Stored:
    """A message of the archive as it lay in the log."""
    return Stored(subject, message.sequence, message.data, stamp_of(message.at_ns))


def nanoseconds(stamp: str) -> int:
    """A server's time as nanoseconds since 1970-01-01 UTC, exactly: Python's own types end at microseconds."""
    seconds, _, fraction = stamp.removesuffix("Z").partition(".")
    whole = datetime.fromisoformat(seconds).replace(tzinfo=UTC)
    return int(whole.timestamp()) * SECOND_NS + int(fraction.ljust(9, "0") or 0)


def stamp_of(at_ns: int) -> str:
    """The inverse of `nanoseconds`, as the server writes it: without zeros at the end."""
    seconds, fraction = divmod(at_ns, SECOND_NS)
    text = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{text}.{fraction:09d}".rstrip("0").rstrip(".") + "Z"
