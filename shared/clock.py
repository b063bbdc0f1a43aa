"""The edge to time and chance: the one place that reads the clock and makes random ids and secrets."""

import random
import secrets
import time
from typing import Final

from shared.messages.base import CommandId

_RANDOM_A_BITS: Final = 12
_RANDOM_B_BITS: Final = 62


def now_ms() -> int:
    """Milliseconds since 1970-01-01 UTC."""
    return time.time_ns() // 1_000_000


def now_micros() -> int:
    """Microseconds since 1970-01-01 UTC."""
    return time.time_ns() // 1_000


def random_bytes(count: int) -> bytes:
    """Bytes from the system's generator, fit for secrets."""
    return secrets.token_bytes(count)


def jitter() -> float:
    """0 to 1 at random, to keep those who wait from coming back in the same instant."""
    return random.random()  # noqa: S311 - no secret


def new_command_id() -> CommandId:
    """A UUID of version 7 (RFC 9562, section 5.7): time first, so that ids sort by it, then chance."""
    value = now_ms() << 80
    value |= 0x7 << 76 | secrets.randbits(_RANDOM_A_BITS) << 64
    value |= 0b10 << 62 | secrets.randbits(_RANDOM_B_BITS)
    text = f"{value:032x}"
    return CommandId("-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:])))
