"""HTTP, for what does not go over the socket."""

import asyncio
import http.client
import urllib.error
import urllib.request
from typing import Final

TIMEOUT_SECONDS: Final = 10.0
BYTES_MAX: Final = 4 * 1024 * 1024


class UnreachableError(Exception):
    """No server answers there. The text is the reason that the system gave."""


class NotServedError(Exception):
    """A server answers, but not with this. The text is its status."""


async def fetch(url: str) -> bytes:
    """What a server has at an address.

    Raises:
        UnreachableError: there is none, or it does not answer in time.
        NotServedError: it refuses.

    """
    return await asyncio.to_thread(_fetch, url)


def _fetch(url: str) -> bytes:
    try:
        # An `Address` is http or https.
        with urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310 - see above
            body: bytes = answer.read(BYTES_MAX)
            return body
    except urllib.error.HTTPError as error:
        with error:
            raise NotServedError(str(error.code)) from None
    except urllib.error.URLError as error:
        raise UnreachableError(_reason(error.reason)) from None
    except OSError as error:  # cut off in the middle
        raise UnreachableError(_reason(error)) from None
    except http.client.HTTPException:
        raise NotServedError("no HTTP") from None


def _reason(error: object) -> str:
    strerror = getattr(error, "strerror", None)
    return str(strerror or error or type(error).__name__)
