"""Bytes and back. One encoder and one decoder a family, made once.

A record is stored as its SHA-256 link followed by its canonical bytes: `hash(previous ‖ bytes) ‖ bytes`.
"""

import base64
import hashlib
import re
from typing import Final, TypeVar

import msgspec

from shared.messages.base import CommandId, GameId, PlayerId
from shared.messages.errors import Error
from shared.messages.events import Record, SealedDeal
from shared.messages.sharing import Share
from shared.messages.upcast import SCHEMA_NEWEST, Fields, Kind, UpcastError, oldest, upcast

T = TypeVar("T", Record, SealedDeal)

HASH_BYTES: Final = 32
QUOTED_MAX: Final = 300

_encoder: Final = msgspec.msgpack.Encoder()
encode = _encoder.encode
"""Canonical bytes: MessagePack, fields in the order of their declaration, no unordered containers."""

_record_decoder: Final = msgspec.msgpack.Decoder(Record)
_deal_decoder: Final = msgspec.msgpack.Decoder(SealedDeal)
_share_decoder: Final = msgspec.msgpack.Decoder(Share)
_fields_decoder: Final = msgspec.msgpack.Decoder(Fields)


class _Header(msgspec.Struct):
    """What is read of stored bytes before their schema is known."""

    schema: int = 1


_header_decoder: Final = msgspec.msgpack.Decoder(_Header)


class CorruptRecordError(Exception):
    """Stored bytes that are not what was once written."""


def link(previous: bytes, body: bytes) -> bytes:
    """The hash of a record: SHA-256 over the previous hash and the record's canonical bytes."""
    return hashlib.sha256(previous + body).digest()


def seal(record: Record) -> bytes:
    """The stored form of a record."""
    body = encode(record)
    return link(record.previous, body) + body


def open_record(stored: bytes) -> tuple[Record, bytes]:
    """A record and its hash, from its stored form.

    Raises:
        CorruptRecordError: hash, schema or bytes are wrong; the message says which.
    """
    digest, body = stored[:HASH_BYTES], stored[HASH_BYTES:]
    record = _decode_stored(_record_decoder, "record", body)
    if link(record.previous, body) != digest:
        raise CorruptRecordError("the hash does not fit the bytes")
    return record, digest


def open_deal(stored: bytes) -> tuple[SealedDeal, bytes]:
    """A sealed deal and its hash, from its stored form.

    Raises:
        CorruptRecordError: it is not a sealed deal of a known schema.
    """
    return _decode_stored(_deal_decoder, "sealed-deal", stored), link(b"", stored)


def decode_record(body: bytes) -> Record:
    """A record of any schema, lifted to the newest. Its hash is not looked at.

    Raises:
        CorruptRecordError: schema or bytes are wrong; the message says which.
    """
    return _decode_stored(_record_decoder, "record", body)


def decode_deal(stored: bytes) -> SealedDeal:
    """A sealed deal of any schema, lifted to the newest.

    Raises:
        CorruptRecordError: schema or bytes are wrong; the message says which.
    """
    return _decode_stored(_deal_decoder, "sealed-deal", stored)


def decode_share(stored: bytes) -> Share:
    """What is kept of a link.

    Raises:
        CorruptRecordError: it is nothing of the kind, or of another schema.
    """
    try:
        share = _share_decoder.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CorruptRecordError(f"cannot be decoded: {error}") from None
    if share.schema != 1:
        raise CorruptRecordError(f"has schema {share.schema}, which is unknown")
    return share


def is_canonical(message: Record | SealedDeal, body: bytes) -> bool:
    """Whether bytes are the only ones that say this. Of an older schema: whether encoding their fields gives them."""
    if encode(message) == body:
        return True
    older = _header_decoder.decode(body).schema != SCHEMA_NEWEST
    return older and encode(_fields_decoder.decode(body)) == body


def _decode_stored(decoder: "msgspec.msgpack.Decoder[T]", kind: Kind, body: bytes) -> T:
    try:
        found = decoder.decode(body)
        if found.schema == SCHEMA_NEWEST:
            return found
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass  # it is of another schema, or what is wrong is said below
    try:
        schema = _header_decoder.decode(body).schema
        if schema > SCHEMA_NEWEST:
            raise CorruptRecordError(f"has schema {schema}, newer than {SCHEMA_NEWEST}: read it with a newer release")
        if schema < oldest(kind):
            raise CorruptRecordError(f"has schema {schema}, which never was")
        if schema == SCHEMA_NEWEST:
            return decoder.decode(body)
        lifted = upcast(kind, schema, _fields_decoder.decode(body))
        return decoder.decode(encode(lifted))
    except UpcastError as error:
        raise CorruptRecordError(str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CorruptRecordError(f"cannot be decoded: {error}") from None


def new_game_id(player: PlayerId, command: CommandId) -> GameId:
    """The id of the game that a command starts: the same however often it is repeated, another for each player."""
    digest = hashlib.sha256(f"{player}/{command}".encode()).digest()
    return GameId(base64.b32encode(digest).decode().lower()[:26])


def derived_command_id(*parts: str | int) -> CommandId:
    """The id of a command that a service makes by itself: the same whoever makes it (a UUID of version 8, RFC 9562)."""
    digest = bytearray(hashlib.sha256("/".join(map(str, parts)).encode()).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x80
    digest[8] = digest[8] & 0x3F | 0x80
    text = digest.hex()
    return CommandId("-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:])))


def bad_input(error: Exception, *, what: str) -> Error:
    """The error value for input that is not its schema."""
    text = str(error)
    return Error(
        code="bad-frame",
        text=f"The {what} is not valid: {_short(text)}.",
        fix="Send it as docs/schema describes.",
        field=_field(text),
    )


def _short(text: str) -> str:
    """What is quoted of somebody's input has an end."""
    return text if len(text) <= QUOTED_MAX else f"{text[:QUOTED_MAX]}…"


def _field(text: str) -> str | None:
    """The field that a message of msgspec is about, such as `$.deal.number`: its end is the path, unless at the root,
    and a field that is missing or unknown is named before it.
    """
    path = re.search(r" - at `(.+)`$", text)
    name = re.search(r"(?:missing required|unknown) field `(.+?)`", text)
    if name is None:
        # A key that is no text has no name: the path is that of the object it is in, as in "`key` in `$.deal`".
        return path[1].removeprefix("key` in `") if path else None
    return _short(f"{path[1] if path else '$'}.{name[1]}")
