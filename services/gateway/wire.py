"""The two subprotocols: bytes to frames and back."""

from collections.abc import Callable
from typing import Final, Literal

import msgspec

from services.gateway import refusals
from services.gateway.session import Unreadable
from shared.messages import codec
from shared.messages.base import COMMAND_ID, GAME_ID, CommandId, GameId
from shared.messages.frames import (
    FRAME_BYTES_MAX,
    PROTOCOL_JSON,
    PROTOCOL_MSGPACK,
    ClientFrame,
    ServerFrame,
)

Kind = Literal["text", "bytes"]


class _Loose(msgspec.Struct):
    """What any frame may carry, of any type: enough to answer a frame that is not its schema."""

    id: object = None
    game: object = None


class Wire(msgspec.Struct, frozen=True, kw_only=True):
    """A subprotocol."""

    name: str
    kind: Kind
    """The kind of WebSocket message that carries its frames."""
    encode: Callable[[ServerFrame], bytes]
    strict: Callable[[bytes | str], ClientFrame]
    loose: Callable[[bytes | str], _Loose]

    def decode(self, data: bytes | str | None) -> ClientFrame | Unreadable:
        """A frame from a message of the right kind (None: it was of the other kind)."""
        if data is None:
            return Unreadable(error=refusals.WRONG_FRAME_KIND)
        try:
            return self.strict(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            return self._unreadable(data, error)

    def _unreadable(self, data: bytes | str, error: Exception) -> Unreadable:
        refusal = codec.bad_input(error, what="frame")
        try:
            loose = self.loose(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return Unreadable(error=refusal)
        return Unreadable(error=refusal, command=_command_id(loose.id), game=_game_id(loose.game))


def _command_id(value: object) -> CommandId | None:
    try:
        return msgspec.convert(value, type=COMMAND_ID)
    except msgspec.ValidationError:
        return None


def _game_id(value: object) -> GameId | None:
    try:
        return msgspec.convert(value, type=GAME_ID)
    except msgspec.ValidationError:
        return None


def _bytes(data: bytes | str) -> bytes:
    return data if isinstance(data, bytes) else data.encode()


def too_large(data: bytes | str) -> bool:
    """Whether a message has more than `FRAME_BYTES_MAX` bytes."""
    if len(data) > FRAME_BYTES_MAX:
        return True
    return isinstance(data, str) and 4 * len(data) > FRAME_BYTES_MAX and len(data.encode()) > FRAME_BYTES_MAX


_strict_msgpack: Final = msgspec.msgpack.Decoder(ClientFrame)
_loose_msgpack: Final = msgspec.msgpack.Decoder(_Loose)

WIRES: Final = {
    wire.name: wire
    for wire in (
        Wire(
            name=PROTOCOL_JSON,
            kind="text",
            encode=msgspec.json.Encoder().encode,
            strict=msgspec.json.Decoder(ClientFrame).decode,
            loose=msgspec.json.Decoder(_Loose).decode,
        ),
        Wire(
            name=PROTOCOL_MSGPACK,
            kind="bytes",
            encode=msgspec.msgpack.Encoder().encode,
            strict=lambda data: _strict_msgpack.decode(_bytes(data)),
            loose=lambda data: _loose_msgpack.decode(_bytes(data)),
        ),
    )
}
"""The subprotocols by name, the preferred one first."""
