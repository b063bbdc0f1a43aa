"""The servers that an audit reads: given by address, those of a running `klondike up`, or a copy of its files.

Where nothing runs on the data directory, its files are copied and servers are started on the copy. nats-server repairs
what it finds damaged, and cuts off what it cannot repair: the evidence must stay as it is.
"""

import asyncio
import os
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit, urlunsplit

import msgspec
import redis.asyncio
from nats.aio.client import Client
from redis.exceptions import RedisError

from services.cli.auditing.reading import UnreadableError
from services.cli.data_directory import InUseError, RefusedError, locked
from services.cli.data_secrets import secrets_in
from services.cli.nats_client import CONNECT_SECONDS, clause, nats_client
from shared.access import variable
from shared.bus.connection import public
from shared.bus.redis_connection import Redis
from shared.embedded import CREDENTIALS_FILE, Credentials, EmbeddedServer, NatsServer, RedisServer

START_SECONDS: Final = 10.0
STOP_SECONDS: Final = 5.0
POLL_SECONDS: Final = 0.02


class Where(msgspec.Struct, frozen=True, kw_only=True):
    """Where the game is looked for: at both addresses, or in the data directory."""

    data: Path
    nats: str | None = None
    redis: str | None = None


@asynccontextmanager
async def reached(where: Where) -> AsyncIterator[tuple[Client, Redis]]:
    """Both servers, connected as the auditor, who may read and nothing else.

    Raises:
        UnreadableError: they cannot be reached.

    """
    async with addressed(where) as found, connected(found) as both:
        yield both


class Addresses(msgspec.Struct, frozen=True):
    """Where the servers are, for the auditor."""

    nats: str
    redis: str


@asynccontextmanager
async def connected(found: Addresses) -> AsyncIterator[tuple[Client, Redis]]:
    """The same, from addresses.

    Raises:
        UnreadableError: they cannot be reached.

    """
    async with nats_as_auditor(found.nats) as client, _redis(found.redis) as cache:
        yield client, cache


@asynccontextmanager
async def addressed(where: Where) -> AsyncIterator[Addresses]:
    """Where the servers are, started on a copy of the files where none runs.

    Raises:
        UnreadableError: there are none.

    """
    if where.nats and where.redis:
        yield Addresses(where.nats, _as_auditor(where.redis, os.environ.get(variable("auditor", "REDIS"))))
        return
    if where.nats or where.redis:
        raise UnreadableError("give both --nats and --redis, or neither.")
    if not (where.data / CREDENTIALS_FILE).exists():
        raise UnreadableError(f"there are no games in {where.data}. Give the --data directory of `klondike up`.")
    with tempfile.TemporaryDirectory(prefix="klondike-audit-") as folder:
        try:
            made = secrets_in(where.data)  # a damaged file is named where it is, not in the copy
        except RefusedError as error:
            raise UnreadableError(str(error)) from None
        copy = _copy(where.data, Path(folder))
        nats_server, redis_server = _servers(copy or where.data, made)
        try:
            if copy is not None:
                nats_server.start()
                redis_server.start()
            await _ready(nats_server, where.data, started=copy is not None)
            await _ready(redis_server, where.data, started=copy is not None)
            yield Addresses(nats_server.url("auditor"), redis_server.url("auditor"))
        finally:
            nats_server.stop(STOP_SECONDS)
            redis_server.stop(STOP_SECONDS)


def _servers(directory: Path, made: Credentials) -> tuple[NatsServer, RedisServer]:
    return (
        NatsServer(directory / "nats", made, "fast", subprocess.DEVNULL),
        RedisServer(directory / "redis", made, "fast", subprocess.DEVNULL),
    )


def _copy(data: Path, folder: Path) -> Path | None:
    """A copy of the data directory's files. None: a running `klondike up` has them open, and is asked instead."""
    copy = folder / "data"
    try:
        with locked(data):
            _copy_files(data / "nats", copy / "nats")
            if (data / "redis").exists():  # a cache: a restored directory has none yet
                _copy_files(data / "redis", copy / "redis")
            shutil.copy2(data / CREDENTIALS_FILE, copy / CREDENTIALS_FILE)
    except InUseError:
        return None
    except OSError as error:
        raise UnreadableError(f"the files in {data} cannot be copied: {error}.") from None
    return copy


def _copy_files(source: Path, target: Path) -> None:
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.ports", "*.pid", "port"))


async def _ready(server: EmbeddedServer, data: Path, *, started: bool) -> None:
    deadline = asyncio.get_running_loop().time() + START_SECONDS
    while not server.ready():
        if server.exited() is not None or asyncio.get_running_loop().time() > deadline:
            why = "does not start on a copy of its files: they may be damaged" if started else "does not answer"
            raise UnreadableError(f"{server.name} of {data} {why}.")
        await asyncio.sleep(POLL_SECONDS)


def nats_as_auditor(urls: str) -> AbstractAsyncContextManager[Client]:
    """NATS, as the one who may read everything.

    Raises:
        UnreadableError: it cannot be reached, when that is tried.

    """

    def failed(why: str) -> UnreadableError:
        return UnreadableError(f"NATS at {public(urls)} cannot be reached: {why}.")

    return nats_client(urls, "auditor", os.environ.get(variable("auditor", "NATS")), failed)


@asynccontextmanager
async def _redis(url: str) -> AsyncIterator[Redis]:
    try:
        client: Redis = redis.asyncio.from_url(
            url, socket_timeout=CONNECT_SECONDS, socket_connect_timeout=CONNECT_SECONDS
        )
    except ValueError as error:
        raise UnreadableError(f"Redis at {public(url)} cannot be reached: {clause(error)}.") from None
    try:
        await _answering(client, url)
        yield client
    finally:
        await client.aclose()


async def _answering(client: Redis, url: str) -> None:
    try:
        await client.ping()
    except (RedisError, OSError) as error:
        raise UnreadableError(f"Redis at {public(url)} cannot be reached: {clause(error)}.") from None


def _as_auditor(url: str, password: str | None) -> str:
    """The address with the auditor's name and password, when there is one in the environment."""
    if not password:
        return url
    parts = urlsplit(url)
    address = parts.netloc.rsplit("@", 1)[-1]
    return urlunsplit(parts._replace(netloc=f"auditor:{quote(password)}@{address}"))
