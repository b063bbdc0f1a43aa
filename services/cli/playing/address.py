"""The address of a server, as the player types it."""

from typing import Final
from urllib.parse import SplitResult, urlsplit

import msgspec

DEFAULT_ADDRESS: Final = "http://127.0.0.1:8000"
"""Where `klondike up` serves unless it is told otherwise."""
_SOCKETS: Final = {"http": "ws", "https": "wss"}


class BadAddressError(ValueError):
    """The text is no address of a server."""


class Address(msgspec.Struct, frozen=True):
    """A server's page, without a slash at its end. It names the server among those that the player has tokens of."""

    page: str

    @property
    def socket(self) -> str:
        scheme, rest = self.page.split(":", 1)
        return f"{_SOCKETS[scheme]}:{rest}/ws"

    def path(self, name: str) -> str:
        """The URL of something beside the page."""
        return f"{self.page}/{name}"


def parse_address(text: str) -> Address:
    """The server that a text names; `host:port` is taken as its http address.

    Raises:
        BadAddressError: no server can have that address.

    """
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        port = parts.port
    except ValueError:
        raise BadAddressError(text) from None
    if not _is_plain(parts):
        raise BadAddressError(text)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    place = host if port is None else f"{host}:{port}"
    return Address(f"{parts.scheme}://{place}{parts.path.rstrip('/')}")


def _is_plain(parts: SplitResult) -> bool:
    """Whether it has a host and a scheme that can be spoken, and nothing that would be dropped in silence."""
    dropped = parts.query or parts.fragment or parts.username or parts.password
    named = parts.hostname and not any(one.isspace() for one in parts.netloc)
    return parts.scheme in _SOCKETS and bool(named) and not dropped and parts.port != 0
