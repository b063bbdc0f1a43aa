"""What is measured: the whole system as `klondike up` runs it, and beside it the bare servers of the floors."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import nats
from nats.aio.client import Client

from shared import subjects, tether
from shared.access import Fsync
from shared.bus.streams import ensure_streams
from shared.embedded import NatsServer, credentials
from shared.messages.base import GameId
from shared.settings import Role

START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 20.0
POLL_SECONDS: Final = 0.02
BARE_ROLE: Final[Role] = "game-state"
ECHO_GAME: Final = GameId("echo")
UNLIMITED: Final[Mapping[str, str]] = {"KLONDIKE_FRAMES_BURST": "1000000", "KLONDIKE_FRAMES_PER_SECOND": "1000000"}
"""One connection sends as fast as it is answered, which a player may not."""


class BenchError(Exception):
    """It cannot be measured. The text says why."""


@dataclass(frozen=True)
class Bare:
    """The servers of the floors."""

    socket: str
    client: Client


@asynccontextmanager
async def system(folder: Path, fsync: Fsync) -> AsyncIterator[str]:
    """The whole system on a fresh data directory. Gives the address of its WebSocket.

    Raises:
        BenchError: it does not become ready.

    """
    argv = ["-m", "services.cli", "up", "--data", str(folder / "data"), "--port", "0", "--fsync", fsync]
    with _process(argv, folder / "up.log") as output:
        found = await _line(output, re.compile(r"^Klondike is ready: http(\S+)$", re.MULTILINE))
        yield f"ws{found}/ws"


@asynccontextmanager
async def bare(folder: Path, fsync: Fsync) -> AsyncIterator[Bare]:
    """A WebSocket echo, and a NATS server with the system's streams and a request echo.

    Raises:
        BenchError: one of them does not become ready.

    """
    async with _nats(folder, fsync) as server:
        url = server.url(BARE_ROLE)
        echo = ["-m", "services.cli.benching.echo"]
        with (
            _process([*echo, "websocket"], folder / "websocket.log") as socket_output,
            _process([*echo, "nats", url], folder / "nats.log") as nats_output,
        ):
            port = await _line(socket_output, re.compile(r"^(\d+)$", re.MULTILINE))
            await _line(nats_output, re.compile(r"^(ready)$", re.MULTILINE))
            client = await connected(url, BARE_ROLE)
            await ensure_streams(client.jetstream())
            yield Bare(f"ws://127.0.0.1:{port}", client)
            await client.close()


@asynccontextmanager
async def queue(folder: Path, fsync: Fsync) -> AsyncIterator[NatsServer]:
    """A NATS server with the system's streams, the job queue among them.

    Raises:
        BenchError: it does not become ready.

    """
    async with _nats(folder, fsync) as server:
        client = await connected(server.url(BARE_ROLE), BARE_ROLE)
        await ensure_streams(client.jetstream())
        await client.close()
        yield server


@asynccontextmanager
async def workers(folder: Path, url: str, count: int) -> AsyncIterator[list[int]]:
    """So many solver workers, each a process as `klondike up` starts it. Gives their process ids.

    Raises:
        BenchError: one of them does not become ready.

    """
    settings = {"KLONDIKE_NATS": url, "KLONDIKE_LOG_FORMAT": "json"}
    with ExitStack() as running:
        started = [
            running.enter_context(_process(["-m", "services.solver_worker"], folder / f"worker-{number}.log", settings))
            for number in range(count)
        ]
        for output in started:
            await _line(output, re.compile(r'("ready")'))
        yield [output.process.pid for output in started]


@asynccontextmanager
async def _nats(folder: Path, fsync: Fsync) -> AsyncIterator[NatsServer]:
    server = NatsServer(folder / "nats", credentials(folder), fsync, subprocess.DEVNULL)
    server.start()
    try:
        await _until_ready(server)
        yield server
    finally:
        server.stop(STOP_SECONDS)


async def connected(url: str, role: Role) -> Client:
    """A connection that says at once when it cannot be made."""
    return await nats.connect(url, inbox_prefix=subjects.inbox(role), allow_reconnect=False, max_reconnect_attempts=1)


@contextmanager
def _process(argv: list[str], output: Path, settings: Mapping[str, str] = UNLIMITED) -> "Iterator[_Output]":
    """A Python process that ends with the block, and with us however that comes."""
    with output.open("wb") as file:
        process = _start(argv, file, settings)
        try:
            yield _Output(" ".join(argv[1:4]), process, output)
        finally:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _start(argv: list[str], output: IO[bytes], settings: Mapping[str, str]) -> subprocess.Popen[bytes]:
    environment = {**os.environ, **settings}
    return tether.start([sys.executable, *argv], environment=environment, parent=os.getpid(), output=output)


@dataclass(frozen=True)
class _Output:
    name: str
    process: subprocess.Popen[bytes]
    path: Path


async def _line(output: _Output, wanted: re.Pattern[str]) -> str:
    """Waits until a process has written what is wanted."""
    deadline = asyncio.get_running_loop().time() + START_SECONDS
    while True:
        written = output.path.read_text(errors="replace")
        if found := wanted.search(written):
            return found[1]
        if output.process.poll() is not None or asyncio.get_running_loop().time() > deadline:
            last = written.splitlines()[-1:]
            raise BenchError(f"{output.name} does not become ready: {last}")
        await asyncio.sleep(POLL_SECONDS)


async def _until_ready(server: NatsServer) -> None:
    deadline = asyncio.get_running_loop().time() + START_SECONDS
    while not server.ready():
        if server.exited() is not None or asyncio.get_running_loop().time() > deadline:
            raise BenchError("nats-server does not start")
        await asyncio.sleep(POLL_SECONDS)
