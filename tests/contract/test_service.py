"""The skeleton of every service: ready, drained, and an exit status that says how it ended."""

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.servers import Servers

ROOT = Path(__file__).parents[2]
WAIT_SECONDS = 30.0


class Probe:
    """One process of `probe_service`, and what it told its supervisor."""

    def __init__(self, process: asyncio.subprocess.Process, channel: socket.socket) -> None:
        self.process = process
        self._channel = channel

    async def told(self, text: str) -> None:
        """Waits for a notification that has this in it."""
        async with asyncio.timeout(WAIT_SECONDS):
            while text not in (await asyncio.get_running_loop().sock_recv(self._channel, 4096)).decode():
                pass

    async def ended(self) -> tuple[int, list[dict[str, object]], str]:
        """Exit status, log lines, and all it wrote."""
        async with asyncio.timeout(WAIT_SECONDS):
            _, written = await self.process.communicate()
        text = written.decode()
        assert self.process.returncode is not None
        return self.process.returncode, [json.loads(line) for line in text.splitlines() if line.startswith("{")], text


@asynccontextmanager
async def probe(servers: Servers, folder: Path, behaviour: str, **variables: str) -> AsyncIterator[Probe]:
    environment = os.environ | {
        "PROBE": behaviour,
        "NOTIFY_SOCKET": str(folder / "notify"),
        "KLONDIKE_NATS": servers.nats_url("scoring"),
        "KLONDIKE_REDIS": servers.redis_url("scoring"),
        **variables,
    }
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.setblocking(False)
        channel.bind(str(folder / "notify"))
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.contract.probe_service",
            env=environment,
            cwd=ROOT,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            yield Probe(process, channel)
        finally:
            if process.returncode is None:
                process.kill()
                await process.communicate()


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short path: a socket's may have about 100 bytes."""
    return tmp_path_factory.mktemp("s")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_lets_it_finish_while_connected_and_ends_with_status_0(
    servers: Servers, folder: Path, number: signal.Signals
) -> None:
    async with probe(servers, folder, "serve") as one:
        await one.told("READY=1")
        one.process.send_signal(number)
        await one.told("STOPPING=1")
        status, lines, _ = await one.ended()
    events = [line["event"] for line in lines]
    assert status == 0
    assert events[-4:] == ["stopping", "finishing", "finished", "stopped"]
    assert next(line for line in lines if line["event"] == "finishing")["connected"] is True
    assert {line["service"] for line in lines} == {"scoring"}


async def test_what_does_not_finish_in_time_is_cancelled_and_ends_with_status_1(servers: Servers, folder: Path) -> None:
    async with probe(servers, folder, "hang", KLONDIKE_DRAIN_SECONDS="0.1") as one:
        await one.told("READY=1")
        one.process.send_signal(signal.SIGTERM)
        status, lines, _ = await one.ended()
    assert status == 1
    assert "did not finish in time, cancelled" in [line["event"] for line in lines]


async def test_a_bug_ends_with_status_1_and_its_traceback_in_one_json_line(servers: Servers, folder: Path) -> None:
    async with probe(servers, folder, "crash") as one:
        status, lines, text = await one.ended()
    assert status == 1
    (crash,) = [line for line in lines if line["event"] == "crashed"]
    assert "a bug" in json.dumps(crash["exception"])
    assert text.count("\n") == len(lines)


async def test_a_setting_that_shows_late_that_it_does_not_do_ends_with_status_2(servers: Servers, folder: Path) -> None:
    async with probe(servers, folder, "refuse") as one:
        status, lines, text = await one.ended()
    assert status == 2
    assert "KLONDIKE_PROBE is 'x', which does not do" in [line["event"] for line in lines]
    assert "Traceback" not in text


async def test_without_nats_it_says_what_it_waits_for_and_can_be_stopped(servers: Servers, folder: Path) -> None:
    servers.kill_nats()
    try:
        async with probe(servers, folder, "serve") as one:
            await one.told("STATUS=waiting for NATS at nats://127.0.0.1:")
            one.process.send_signal(signal.SIGTERM)
            status, lines, text = await one.ended()
    finally:
        servers.start_nats()
    assert status == 0
    assert lines[-1]["event"] == "stopped"
    assert "Traceback" not in text


async def test_the_alive_file_is_there_while_it_can_work_and_gone_afterwards(servers: Servers, folder: Path) -> None:
    alive = folder / "alive"
    async with probe(servers, folder, "serve", KLONDIKE_ALIVE_FILE=str(alive)) as one:
        await one.told("READY=1")
        async with asyncio.timeout(WAIT_SECONDS):
            while not alive.exists():  # noqa: ASYNC110 - another process makes it
                await asyncio.sleep(0.02)
        one.process.send_signal(signal.SIGTERM)
        assert (await one.ended())[0] == 0
    assert not alive.exists()


async def test_a_variable_that_is_no_setting_is_warned_of_and_stops_nothing(servers: Servers, folder: Path) -> None:
    async with probe(servers, folder, "serve", KLONDIKE_REBILD="true") as one:
        await one.told("READY=1")
        one.process.send_signal(signal.SIGTERM)
        status, lines, _ = await one.ended()
    assert status == 0
    (warning,) = [line for line in lines if line.get("name") == "KLONDIKE_REBILD"]
    assert (warning["level"], warning["nearest"]) == ("warning", "KLONDIKE_REBUILD")
