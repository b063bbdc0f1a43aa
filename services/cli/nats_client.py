"""A command's own connection to NATS: one attempt at each address, and what is lost is not looked for again."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

import nats.errors
from nats.aio.client import DEFAULT_PENDING_SIZE, Client

from shared import subjects
from shared.settings import Role

CONNECT_SECONDS: Final = 3
UNBOUNDED: Final = -1


@asynccontextmanager
async def nats_client(
    urls: str,
    role: Role,
    password: str | None,
    failed: Callable[[str], Exception],
    *,
    pending_bytes: int = DEFAULT_PENDING_SIZE,
) -> AsyncIterator[Client]:
    """A connection as a role, closed in the end.

    Args:
        urls: one or more, separated by commas.
        role: who.
        password: none where it is in the URL, or none is needed.
        failed: what to raise, from the reason, when there is no connection.
        pending_bytes: how much may wait to be sent; `UNBOUNDED`: any amount.
    """
    client = Client()
    try:
        try:
            await client.connect(
                servers=[url.strip() for url in urls.split(",")],
                name=role,
                user=role if password else None,
                password=password,
                inbox_prefix=subjects.inbox(role),
                pending_size=pending_bytes,
                allow_reconnect=False,
                max_reconnect_attempts=1,
                reconnect_time_wait=0,
                connect_timeout=CONNECT_SECONDS,
                error_cb=_ignore,
            )
        except (nats.errors.Error, OSError, TimeoutError, ValueError) as error:
            raise failed(clause(error)) from None
        yield client
    finally:
        with suppress(nats.errors.Error, OSError):
            await client.close()


def one_line(error: Exception) -> str:
    """What an error says, or its kind when it says nothing."""
    return " ".join(str(error).split()) or type(error).__name__


def clause(error: Exception) -> str:
    """The same within a sentence, which has its own full stop."""
    return one_line(error).removesuffix(".")


async def _ignore(_error: Exception) -> None:
    """What goes wrong is raised too."""
