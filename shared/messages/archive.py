"""The archive: games that are over, many in a segment, each bit for bit as it lay in the log.

A segment is `SEGMENT_MAGIC`, a byte with its format, and a zlib stream for each game, one after the other. Its name is
the SHA-256 of its bytes. A zlib stream holds a `Frame`: the sealed deal, and of each record the bytes without what the
record before gives: its own hash and the hash of the one before. Both are computed again when the game is read, and the
last hash must be the one that the manifest names. `docs/archive.md` describes all of it for readers without this code.

A stored schema: fields are only added, with defaults.
"""

import hashlib
import zlib
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, TypeVar

import msgspec

from shared.messages.base import GAME_ID, MILLISECONDS, VERSION, GameId
from shared.messages.base import Stored as StoredSchema
from shared.messages.codec import HASH_BYTES, CorruptRecordError, encode, link

SEGMENT_MAGIC: Final = b"klondike-segment"
SEGMENT_FORMAT: Final = 1
HEAD_BYTES: Final = len(SEGMENT_MAGIC) + 1
MANIFEST_SCHEMA: Final = 1
COMPRESSION_LEVEL: Final = 9
FRAME_BYTES_MAX: Final = 256 * 1024 * 1024
"""A frame that unpacks to more is refused: no game has so many records."""

T = TypeVar("T")


class Message(msgspec.Struct, frozen=True, array_like=True):
    """A message of the log as it was stored."""

    sequence: int
    """In the stream of the log."""
    at_ns: int
    """When the server stored it, nanoseconds since 1970-01-01 UTC."""
    data: bytes


class Archived(msgspec.Struct, frozen=True):
    """All messages of a game that is over."""

    game: GameId
    deal: Message
    records: tuple[Message, ...]


class ArchivedGame(StoredSchema, frozen=True, kw_only=True, tag="archived-game"):
    """Where in a segment a game is, and what it must be."""

    game: GAME_ID
    offset: int
    """Of its zlib stream, from the segment's first byte."""
    length: int
    """Of its zlib stream."""
    versions: VERSION
    """How many records it has."""
    hash: bytes
    """Of its newest record."""
    first_sequence: int
    """Of its sealed deal in the log."""
    last_sequence: int
    """Of its newest record in the log."""
    live_bytes: int
    """Bytes of its messages in the log, without what the server adds."""
    ended_at: MILLISECONDS


class Segment(msgspec.Struct, frozen=True, kw_only=True):
    """How a segment is stored."""

    name: str
    """The SHA-256 of its bytes, hexadecimal."""
    format: int = SEGMENT_FORMAT
    length: int
    chunk_bytes: int
    """It lies in messages of this size, the last one as long as is left."""


class Manifest(StoredSchema, frozen=True, kw_only=True, tag="manifest"):
    """One segment, and the games in it, by the sequence of their newest record."""

    schema: int = MANIFEST_SCHEMA
    number: int
    """1, 2, 3 … without gaps."""
    previous: bytes
    """SHA-256 of the manifest before as it is stored; empty for the first."""
    at: MILLISECONDS
    segment: Segment
    games: tuple[ArchivedGame, ...]
    through_sequence: int
    """The greatest sequence of a record in this segment and all before it."""
    through_mark: bytes
    """SHA-256 of that record as it is stored."""
    games_so_far: int
    """In this segment and all before it."""
    messages_so_far: int


class Place(StoredSchema, frozen=True, kw_only=True, tag="place"):
    """Where one game is: found by its id, without the manifests."""

    schema: int = MANIFEST_SCHEMA
    segment: Segment
    entry: ArchivedGame


class Frame(msgspec.Struct, frozen=True, array_like=True):
    """What the zlib stream of a game holds: MessagePack, an array. Sequences and times are differences to the one
    before; the deal's are to 0.
    """

    game: GameId
    deal: bytes
    sequences: tuple[int, ...]
    times_ns: tuple[int, ...]
    tails: tuple[int, ...]
    """How many bytes of each record follow the hash of the one before, which is cut out."""
    bodies: tuple[bytes, ...]
    """The records without their two hashes."""


class DamagedArchiveError(CorruptRecordError):
    """A part of the archive that is not what was once written. The message names the segment and the place in it."""


class UnfitGameError(Exception):
    """A game that cannot be archived: its records do not follow each other. The message says which does not."""


_frames: Final = msgspec.msgpack.Decoder(Frame)
_manifests: Final = msgspec.msgpack.Decoder(Manifest)
_places: Final = msgspec.msgpack.Decoder(Place)


class _Header(msgspec.Struct):
    schema: int = 1


_headers: Final = msgspec.msgpack.Decoder(_Header)


def pack_game(archived: Archived) -> bytes:
    """The zlib stream of a game.

    Raises:
        UnfitGameError: a record does not follow the one before.
    """
    previous, tails, bodies = link(b"", archived.deal.data), [], []
    for version, message in enumerate(archived.records, start=1):
        digest, body = message.data[:HASH_BYTES], message.data[HASH_BYTES:]
        place = body.rfind(previous)
        if place < 0 or link(previous, body) != digest:
            raise UnfitGameError(f"version {version} does not follow: the hash chain is broken")
        bodies.append(body[:place] + body[place + HASH_BYTES :])
        tails.append(len(body) - place - HASH_BYTES)
        previous = digest
    messages = (archived.deal, *archived.records)
    frame = Frame(
        game=archived.game,
        deal=archived.deal.data,
        sequences=_differences([message.sequence for message in messages]),
        times_ns=_differences([message.at_ns for message in messages]),
        tails=tuple(tails),
        bodies=tuple(bodies),
    )
    return zlib.compress(encode(frame), COMPRESSION_LEVEL)


def unpack_game(packed: bytes, entry: ArchivedGame, segment: str) -> Archived:
    """A game from its zlib stream, held against what the manifest says of it.

    Raises:
        DamagedArchiveError: it is not that game as it was archived.
    """
    frame = _frame(packed, entry, segment)
    sequences, times = _sums(frame.sequences), _sums(frame.times_ns)
    if not len(frame.bodies) == len(frame.tails) == len(sequences) - 1 == len(times) - 1 == entry.versions:
        raise damaged(segment, f"it holds {len(frame.bodies)} records", entry)
    previous, records = link(b"", frame.deal), []
    for body, tail, sequence, at in zip(frame.bodies, frame.tails, sequences[1:], times[1:], strict=True):
        cut = len(body) - tail
        whole = body[:cut] + previous + body[cut:]
        previous = link(previous, whole)
        records.append(Message(sequence, at, previous + whole))
    if frame.game != entry.game or previous != entry.hash or records[-1].sequence != entry.last_sequence:
        raise damaged(segment, "it does not lead to the newest record that the manifest names", entry)
    return Archived(frame.game, Message(sequences[0], times[0], frame.deal), tuple(records))


def pack_segment(packed: Sequence[bytes]) -> bytes:
    """A segment of games that are packed."""
    return b"".join((SEGMENT_MAGIC, bytes((SEGMENT_FORMAT,)), *packed))


def segment_name(segment: bytes) -> str:
    """The SHA-256 of a segment's bytes."""
    return hashlib.sha256(segment).hexdigest()


def check_head(segment: bytes, name: str) -> None:
    """Looks at the first bytes of a segment, before anything of it is read.

    Raises:
        DamagedArchiveError: it is no segment, or of a format that is not known.
    """
    if segment[: len(SEGMENT_MAGIC)] != SEGMENT_MAGIC or len(segment) < HEAD_BYTES:
        raise damaged(name, "it does not begin as a segment does")
    check_format(segment[len(SEGMENT_MAGIC)], name)


def check_format(number: int, name: str) -> None:
    """Whether segments of a format can be read.

    Raises:
        DamagedArchiveError: they cannot.
    """
    if number > SEGMENT_FORMAT:
        raise damaged(name, f"it has format {number}, newer than {SEGMENT_FORMAT}: read it with a newer release")
    if number < 1:
        raise damaged(name, f"it has format {number}, which never was")


def damaged(segment: str, what: str, entry: ArchivedGame | None = None) -> DamagedArchiveError:
    """The error that says what is wrong with a segment, or with one game in it."""
    where = "" if entry is None else f", game {entry.game}, versions 1 to {entry.versions}, offset {entry.offset}"
    return DamagedArchiveError(f"archive segment {segment[:16]}{where}: {what}")


def open_manifest(stored: bytes) -> Manifest:
    """A manifest from its stored form.

    Raises:
        DamagedArchiveError: it is none, or of a schema that is not known.
    """
    return _opened(_manifests, stored, "an archive manifest")


def open_place(stored: bytes) -> Place:
    """A place from its stored form.

    Raises:
        DamagedArchiveError: it is none, or of a schema that is not known.
    """
    return _opened(_places, stored, "a game's place in the archive")


def _opened(decoder: "msgspec.msgpack.Decoder[T]", stored: bytes, what: str) -> T:
    try:
        schema = _headers.decode(stored).schema
        if schema > MANIFEST_SCHEMA:
            raise DamagedArchiveError(
                f"{what} has schema {schema}, newer than {MANIFEST_SCHEMA}: read it with a newer release"
            )
        return decoder.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DamagedArchiveError(f"{what} cannot be decoded: {error}") from None


def _frame(packed: bytes, entry: ArchivedGame, segment: str) -> Frame:
    if len(packed) != entry.length:
        raise damaged(segment, f"it is cut off: {len(packed)} of {entry.length} bytes are there", entry)
    unpacking = zlib.decompressobj()
    try:
        body = unpacking.decompress(packed, FRAME_BYTES_MAX)
        if not unpacking.eof or unpacking.unused_data:
            raise damaged(segment, "its zlib stream does not end where it should", entry)
        return _frames.decode(body)
    except (zlib.error, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise damaged(segment, f"its bytes are not what was written ({error})", entry) from None


def _differences(numbers: Sequence[int]) -> tuple[int, ...]:
    return (numbers[0], *(after - before for before, after in pairwise(numbers)))


def _sums(differences: Sequence[int]) -> list[int]:
    sums, so_far = [], 0
    for difference in differences:
        so_far += difference
        sums.append(so_far)
    return sums
