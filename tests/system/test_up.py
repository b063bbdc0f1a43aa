"""`klondike up`, as a user sees it: one command, one address, clear refusals, an orderly end."""

import asyncio
import json
import os
import signal
import socket
import urllib.request
from pathlib import Path

import pytest

from services.cli.benching.jobs import processor_seconds
from services.cli.up import DRAIN_SECONDS
from shared.embedded import LOOPBACK, NatsServer, RedisServer, credentials
from shared.settings import SERVICES
from tests.servers import start
from tests.system.up_process import END_SECONDS, Up, run_klondike, runs, up

WARM_START_SECONDS = 10.0
"""Of a processor, all together, the kernels that are loaded meanwhile included: two processors have done it in five."""


def fetch(url: str) -> tuple[int, bytes]:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.status, answer.read()


async def test_one_command_serves_the_page_and_ctrl_c_ends_everything_in_order(tmp_path: Path) -> None:
    async with up(tmp_path) as running:
        address = await running.ready()
        assert (await asyncio.to_thread(fetch, f"{address}/healthz"))[0] == 200
        assert (await asyncio.to_thread(fetch, f"{address}/readyz"))[0] == 200
        children = running.pids()
        assert all(runs(pid) for pid in children.values())
        assert await running.end(signal.SIGINT) == 0
        assert [name for name, pid in children.items() if runs(pid)] == []
        stops = [str(entry["service"]) for entry in running.entries("stopped")]
        assert (stops[0], stops[-1]) == ("gateway", "game-state")
        assert [entry["exit_status"] for entry in running.entries("stopped")] == [0, 0, 0, 0]
        assert not running.said("died")
        assert not running.said("killing it")


async def test_a_warm_start_is_ready_within_five_seconds_and_says_what_it_waits_for(tmp_path: Path) -> None:
    async with up(tmp_path) as cold:
        await cold.ready()
    async with up(tmp_path) as warm:
        await warm.ready()
        seconds = processor_seconds([warm.process.pid, *warm.pids().values()])
        assert seconds is not None
        assert seconds < WARM_START_SECONDS


async def test_the_status_shows_every_service_once_and_nobody_is_refused_an_answer(tmp_path: Path) -> None:
    shown: dict[str, int] = {}
    async with up(tmp_path) as running:
        await running.ready()
        async with asyncio.timeout(END_SECONDS):
            while len(shown) < len(SERVICES):
                _, output = await run_klondike("status", "--json", "--data", str(tmp_path))
                shown = {one["name"]: one["instances"] for one in json.loads(output)["services"]}
        assert set(shown.values()) == {1}
        assert not running.said("permissions violation")


async def test_a_second_run_on_the_same_data_is_refused(tmp_path: Path) -> None:
    async with up(tmp_path) as running:
        await running.ready()
        status, output = await run_klondike("up", "--data", str(tmp_path), "--port", "0")
        assert status == 1
        assert f"process {running.process.pid}" in output
        assert "give another --data" in output
        assert len(output.splitlines()) == 1
        assert (await asyncio.to_thread(fetch, f"{running.address}/readyz"))[0] == 200


async def test_a_port_in_use_is_refused(tmp_path: Path) -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
        status, output = await run_klondike("up", "--data", str(tmp_path), "--port", str(port))
    assert status == 1
    assert f"cannot listen on {LOOPBACK}:{port}: Address already in use. " in output
    assert "give another --port" in output
    assert len(output.splitlines()) == 1


async def test_a_data_directory_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    status, output = await run_klondike("up", "--data", str(file / "below"), "--port", "0")
    assert status == 1
    assert "Give another --data" in output
    assert len(output.splitlines()) == 1


async def test_a_setting_that_does_not_do_ends_the_run_with_its_name_and_the_fix(tmp_path: Path) -> None:
    """One line, and nothing was started."""
    async with up(tmp_path / "data", KLONDIKE_SNAPSHOT_EVERY="often") as running:
        assert await running.ended() == 2
        assert len(running.lines) == 1
        assert running.said("klondike up: KLONDIKE_SNAPSHOT_EVERY is 'often'")
        assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
async def test_other_requests_to_stop_end_it_in_order_too(tmp_path: Path, number: signal.Signals) -> None:
    async with up(tmp_path) as running:
        await running.ready()
        assert await running.end(number) == 0
        assert len(running.entries("stopped")) == 4


async def test_a_second_request_to_stop_waits_for_nobody(tmp_path: Path) -> None:
    """Not even for a process that does not hear the first."""
    async with up(tmp_path) as running:
        await running.ready()
        children = running.pids()
        os.kill(children["gateway"], signal.SIGSTOP)
        running.process.send_signal(signal.SIGINT)
        await running.until(lambda: running.said("stopping"), "the first to be heard")
        started = asyncio.get_running_loop().time()
        assert await running.end() == 0
        assert asyncio.get_running_loop().time() - started < DRAIN_SECONDS
        assert running.said("ending everything at once")
        assert [name for name, pid in children.items() if runs(pid)] == []


async def test_children_end_with_a_killed_supervisor_and_the_data_can_be_used_again(tmp_path: Path) -> None:
    async with up(tmp_path) as first:
        await first.ready()
        children = first.pids()
        first.process.send_signal(signal.SIGKILL)
        await first.process.wait()
        async with up(tmp_path) as second:
            await second.ready()
            assert [name for name, pid in children.items() if runs(pid)] == []


async def test_given_servers_are_used_and_an_absent_one_is_waited_for(tmp_path: Path) -> None:
    """NATS is unreachable at first: the run says so, and goes on by itself when it comes."""
    made = credentials(tmp_path / "servers")
    nats = NatsServer(tmp_path / "nats", made, "fast", None)
    redis = RedisServer(tmp_path / "redis", made, "fast", None)
    start(nats)
    start(redis)
    nats.kill()
    passwords = {f"NATS_PASSWORD_{role.upper().replace('-', '_')}": secret for role, secret in made.nats.items()}
    passwords |= {f"REDIS_PASSWORD_{role.upper().replace('-', '_')}": secret for role, secret in made.redis.items()}
    try:
        async with up(
            tmp_path / "data", "--nats", nats.address, "--redis", redis.address, "--workers", "2", **passwords
        ) as running:
            await running.until(lambda: running.said("waiting for NATS at"), "the supervisor to say what is missing")
            assert running.process.returncode is None
            nats.start()
            address = await running.ready()
            assert (await asyncio.to_thread(fetch, f"{address}/readyz"))[0] == 200
            assert len(running.entries("ready", "solver-worker")) == 2
            assert not (running.data / "nats").exists()
            assert _secrets_shown(running, [*made.nats.values(), *made.redis.values()]) == []
    finally:
        nats.stop(END_SECONDS)
        redis.stop(END_SECONDS)


def _secrets_shown(running: Up, secrets: list[str]) -> list[str]:
    return [secret for secret in secrets if running.said(secret)]


async def test_no_password_of_the_embedded_servers_is_shown_or_readable_by_others(tmp_path: Path) -> None:
    async with up(tmp_path, KLONDIKE_LOG_LEVEL="debug") as running:
        await running.ready()
        made = credentials(tmp_path)
        assert _secrets_shown(running, [*made.nats.values(), *made.redis.values(), made.token_secret]) == []
        for path in (tmp_path / "credentials.json", tmp_path / "nats" / "nats.conf", tmp_path / "redis" / "users.acl"):
            assert path.stat().st_mode & 0o077 == 0, path
