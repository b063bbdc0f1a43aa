"""Frames of the server, of a newer one too: what is new is skipped, as the protocol asks of its clients."""

from typing import Any, Final, get_args

import msgspec

from shared.messages.events import AnyEvent
from shared.messages.frames import ServerFrame

_decoder = msgspec.json.Decoder(ServerFrame)
_EVENTS: Final = frozenset(kind.__struct_config__.tag for kind in get_args(AnyEvent))


class Newer(msgspec.Struct, frozen=True):
    """A frame that this client does not know."""

    matters: bool
    """It has a view, so the table cannot be shown as it is now."""


def decode(data: str | bytes) -> ServerFrame | Newer:
    """The frame, without events of unknown types.

    Raises:
        msgspec.DecodeError: it is no JSON object.

    """
    try:
        read: ServerFrame = _decoder.decode(data)
        return read
    except msgspec.ValidationError:
        frame = msgspec.json.decode(data, type=dict[str, Any])
    for one in (frame, *(frame.get("steps") or ())):
        if "events" in one:
            one["events"] = [event for event in one["events"] if event.get("type") in _EVENTS]
    try:
        known: ServerFrame = msgspec.convert(frame, ServerFrame)
        return known
    except msgspec.ValidationError:
        return Newer(matters="view" in frame)
