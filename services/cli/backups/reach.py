"""The NATS server that a command works on, as some role: by address, of a running `klondike up`, or started for it."""

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Final

import msgspec
from nats.aio.client import Client

from services.cli.data_directory import InUseError, RefusedError, locked
from services.cli.data_secrets import secrets_in
from services.cli.nats_client import UNBOUNDED, nats_client
from shared.access import variable
from shared.bus.connection import public
from shared.embedded import CREDENTIALS_FILE, NatsServer
from shared.settings import Role

START_SECONDS: Final = 30.0
STOP_SECONDS: Final = 10.0
POLL_SECONDS: Final = 0.02


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A data directory, or the address of a server."""

    data: Path
    nats: str | None = None


@asynccontextmanager
async def opened(place: Place, role: Role, *, new: bool = False) -> AsyncIterator[Client]:
    """A connection as a role. Where nothing runs on a data directory, its nats-server runs as long as this.

    Args:
        place: where.
        role: who.
        new: whether the data directory may be one that does not exist yet, and must not be in use.

    Raises:
        RefusedError: there is no such server.
    """
    if place.nats is not None:
        async with _connected(place.nats, role, os.environ.get(variable(role, "NATS"))) as client:
            yield client
        return
    if not new and not (place.data / CREDENTIALS_FILE).exists():
        raise RefusedError(f"there are no games in {place.data}. Give the --data directory of `klondike up`.")
    try:
        with locked(place.data):
            async with _started(place.data, role) as client:
                yield client
    except InUseError:
        if new:
            raise
        async with _running(place.data, role) as client:
            yield client


@asynccontextmanager
async def _started(data: Path, role: Role) -> AsyncIterator[Client]:
    server = _server(data)
    server.start()
    try:
        deadline = asyncio.get_running_loop().time() + START_SECONDS
        while not server.ready():
            if server.exited() is not None or asyncio.get_running_loop().time() > deadline:
                raise RefusedError(f"nats-server does not start in {data}. Look into {data / 'nats'}.")
            await asyncio.sleep(POLL_SECONDS)
        async with _connected(server.url(role), role, None) as client:
            yield client
    finally:
        server.stop(STOP_SECONDS)


@asynccontextmanager
async def _running(data: Path, role: Role) -> AsyncIterator[Client]:
    server = _server(data)
    if not server.ready():
        raise RefusedError(f"nats-server of {data} does not answer. Try again.")
    async with _connected(server.url(role), role, None) as client:
        yield client


def _server(data: Path) -> NatsServer:
    return NatsServer(data / "nats", secrets_in(data), "durable", subprocess.DEVNULL)


def _connected(urls: str, role: Role, password: str | None) -> AbstractAsyncContextManager[Client]:
    def failed(why: str) -> RefusedError:
        return RefusedError(f"NATS at {public(urls)} cannot be reached as {role}: {why}.")

    return nats_client(urls, role, password, failed, pending_bytes=UNBOUNDED)
