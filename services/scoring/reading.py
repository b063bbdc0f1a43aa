"""From a message of the log to a record that may be used, or the reason why not."""

import hashlib
from typing import Final

import msgspec

from services.scoring.rows import Cursor
from shared import subjects
from shared.messages.base import GameId
from shared.messages.codec import HASH_BYTES, CorruptRecordError, open_record
from shared.messages.events import Record
from shared.messages.upcast import SCHEMA_NEWEST


class LogMessage(msgspec.Struct, frozen=True):
    """One message as it was delivered."""

    sequence: int
    subject: str
    payload: bytes
    pending: int
    """How many more the log had behind it."""

    @property
    def cursor(self) -> Cursor:
        """The place in the log right after this message."""
        return Cursor(sequence=self.sequence, mark=hashlib.sha256(self.payload).digest())


class Opened(msgspec.Struct, frozen=True):
    """A record whose bytes and schema are right."""

    game: GameId
    sequence: int
    record: Record
    digest: bytes


class Unreadable(msgspec.Struct, frozen=True):
    """A message that is no record, or one that this release cannot know."""

    game: GameId
    sequence: int
    version: int | None
    reason: str


Entry = Opened | Unreadable


class _Envelope(msgspec.Struct, frozen=True):
    """As much of a record as every schema has."""

    schema: int
    version: int


_envelope_decoder: Final = msgspec.msgpack.Decoder(_Envelope)


def read(message: LogMessage) -> Entry:
    """Check a message's bytes. Whether it follows from the record before is for the fold to see."""
    game = subjects.game_of(message.subject)
    envelope = _envelope(message.payload)
    version = envelope.version if envelope else None
    if envelope and envelope.schema > SCHEMA_NEWEST:
        reason = f"schema {envelope.schema} is newer than {SCHEMA_NEWEST}, the newest that this release knows"
        return Unreadable(game, message.sequence, version, reason)
    try:
        record, digest = open_record(message.payload)
    except CorruptRecordError as error:
        return Unreadable(game, message.sequence, version, str(error))
    if record.game != game:
        return Unreadable(game, message.sequence, version, f"the record names another game, {record.game}")
    return Opened(game, message.sequence, record, digest)


def _envelope(payload: bytes) -> _Envelope | None:
    try:
        return _envelope_decoder.decode(payload[HASH_BYTES:])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
