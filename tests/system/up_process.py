"""`klondike up` as a process of its own, as a user starts it."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import IO

import httpx

from shared.embedded import LOOPBACK, NatsServer, credentials, free_port
from shared.tether import tied

PATIENCE = float(os.environ.get("KLONDIKE_TEST_PATIENCE", "1"))
READY_SECONDS = 40.0 * PATIENCE
WARM_SECONDS = 80.0 * PATIENCE
"""Two processes load the kernels, beside everything else that a busy machine does."""
END_SECONDS = 40.0 * PATIENCE
POLL_SECONDS = 0.02
READY = re.compile(r"Klondike is ready: (http://\S+)")


def klondike(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "services.cli", *arguments]


async def run_klondike(*arguments: str) -> tuple[int, str]:
    """Exit status and output of a command that ends by itself."""
    process = await asyncio.create_subprocess_exec(
        *klondike(*arguments), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    async with asyncio.timeout(END_SECONDS):
        output, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, output.decode()


class Up:
    """One run. What it says goes to a file: it never waits for this process, which may be busy with other tests."""

    def __init__(self, process: asyncio.subprocess.Process, data: Path, output: IO[bytes]) -> None:
        self.process = process
        self.data = data
        self.address = ""
        self._output = output
        self._lines: list[str] = []
        self._begun = b""

    @property
    def lines(self) -> list[str]:
        """What it and its children have said."""
        if not self._output.closed:
            *ended, self._begun = (self._begun + self._output.read()).split(b"\n")
            self._lines += [line.decode().rstrip() for line in ended]
        return self._lines

    def said(self, text: str) -> bool:
        return any(text in line for line in self.lines)

    def entries(self, event: str, service: str | None = None) -> list[dict[str, object]]:
        """Lines of the services' JSON logs."""
        found = [json.loads(line) for line in self.lines if line.startswith("{") and f'"{event}"' in line]
        return [one for one in found if one["event"] == event and service in {None, one["service"]}]

    def pid(self, name: str) -> int:
        """Of the newest process of a service or server."""
        if name in {"nats", "redis"}:
            return int((self.data / name / "server.pid").read_text())
        pid = self.entries("starting", name)[-1]["pid"]
        assert isinstance(pid, int)
        return pid

    def pids(self) -> dict[str, int]:
        """Of everything it runs."""
        return {name: self.pid(name) for name in ("gateway", "game-state", "solver-worker", "scoring", "nats", "redis")}

    async def until(self, condition: Callable[[], bool], what: str, seconds: float = READY_SECONDS) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not condition():
                    assert self.process.returncode is None, f"ended while waiting for {what}:\n" + self.tail()
                    await asyncio.sleep(POLL_SECONDS)
                return
        raise AssertionError(f"waited {seconds:g} s for {what}:\n" + self.tail())

    async def ready(self) -> str:
        """The address, once it says that it is ready."""
        await self.until(lambda: any(READY.search(line) for line in self.lines), "the address")
        self.address = next(found[1] for line in self.lines if (found := READY.search(line)))
        return self.address

    async def warm(self, service: str) -> None:
        """A service's kernels are loaded: only then it searches."""
        await self.until(lambda: bool(self.entries("kernels loaded", service)), "the kernels", WARM_SECONDS)

    async def end(self, number: signal.Signals = signal.SIGINT) -> int:
        """Sends a signal, and gives the exit status."""
        if self.process.returncode is None:
            self.process.send_signal(number)
        return await self.ended()

    async def ended(self) -> int:
        async with asyncio.timeout(END_SECONDS):
            return await self.process.wait()

    def tail(self) -> str:
        return "\n".join(self.lines[-40:])


@asynccontextmanager
async def up(data: Path, *arguments: str, **variables: str) -> AsyncIterator[Up]:
    """Runs until the block ends."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("KLONDIKE_")}
    with written_and_read() as (said, output):
        process = await asyncio.create_subprocess_exec(
            *tied(klondike("up", "--data", str(data), "--port", "0", "--fsync", "fast", *arguments), os.getpid()),
            env=environment | variables,
            stdout=said,
            stderr=said,
        )
        running = Up(process, data, output)
        try:
            yield running
        finally:
            await running.end(signal.SIGINT)
            _ = running.lines  # the last of them, before the file is gone


@contextmanager
def written_and_read() -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """A file for a process to write to, and to read from at a place of its own."""
    with tempfile.NamedTemporaryFile(prefix="klondike-up-") as written, Path(written.name).open("rb") as read:
        yield written, read


@asynccontextmanager
async def gateway_beside(system: Up, **variables: str) -> AsyncIterator[str]:
    """One more gateway of a system, with settings of its own, until the block ends. Gives its address."""
    server = NatsServer(system.data / "nats", credentials(system.data), "fast", subprocess.DEVNULL)
    assert server.ready()
    port = free_port()
    settings = {"KLONDIKE_NATS": server.url("gateway"), "KLONDIKE_PORT": str(port)}
    process = await asyncio.create_subprocess_exec(
        *tied(klondike("service", "gateway"), os.getpid()),
        env=os.environ | settings | variables,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://{LOOPBACK}:{port}"
    try:
        await _answers(f"{address}/readyz")
        yield address
    finally:
        process.terminate()
        async with asyncio.timeout(END_SECONDS):
            await process.wait()


async def _answers(url: str) -> None:
    """Returns once a server is there and ready."""
    async with asyncio.timeout(READY_SECONDS), httpx.AsyncClient() as client:
        while True:
            with suppress(httpx.TransportError):
                if (await client.get(url)).is_success:
                    return
            await asyncio.sleep(POLL_SECONDS)


def runs(pid: int) -> bool:
    """Whether a process exists and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
