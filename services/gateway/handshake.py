"""Who may open a WebSocket: the page of this server, allowed origins, and programs, which send no origin."""

from collections.abc import Collection, Sequence
from typing import Final
from urllib.parse import urlsplit

from services.gateway import refusals
from services.gateway.wire import WIRES, Wire
from shared.messages.errors import Error

SOCKET_PATH: Final = "/ws"

Headers = Sequence[tuple[bytes, bytes]]


def agree(headers: Headers, offered: Collection[str], allowed_origins: Collection[str]) -> Wire | Error:
    """The subprotocol to speak, or why the connection is refused."""
    if not _origin_allowed(_header(headers, b"origin"), _header(headers, b"host"), allowed_origins):
        return refusals.ORIGIN_REFUSED
    return next((wire for name, wire in WIRES.items() if name in offered), refusals.PROTOCOL_UNSUPPORTED)


def origins(setting: str) -> frozenset[str]:
    """The allowed origins of a comma-separated setting, such as `https://play.example.org`."""
    return frozenset(part.strip().rstrip("/").lower() for part in setting.split(",") if part.strip())


def _origin_allowed(origin: str | None, host: str | None, allowed: Collection[str]) -> bool:
    if origin is None:
        return True
    if origin.lower() in allowed:
        return True
    return bool(host) and urlsplit(origin.lower()).netloc == (host or "").lower()


def _header(headers: Headers, name: bytes) -> str | None:
    return next((value.decode("latin-1") for key, value in headers if key.lower() == name), None)
