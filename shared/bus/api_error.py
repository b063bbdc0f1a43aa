"""What JetStream's API answers instead of what was asked for."""

import msgspec


class ApiError(msgspec.Struct):
    """The `error` of an answer."""

    code: int
    """As in HTTP."""
    err_code: int = 0
    """The server's own, which says what exactly was wrong."""
    description: str = ""
