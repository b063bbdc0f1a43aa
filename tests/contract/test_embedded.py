"""The embedded servers: the same port and data again, private files, durable when asked, nothing left running."""

import os
import socket
import subprocess
from pathlib import Path

import msgspec
import pytest

from shared import embedded
from shared.access import Fsync
from shared.embedded import EmbeddedServer, NatsServer, RedisServer, credentials, end_leftover, free_port
from tests.servers import start, until
from tests.system.up_process import runs

KINDS: tuple[type[NatsServer | RedisServer], ...] = (NatsServer, RedisServer)


def make(kind: type[NatsServer | RedisServer], folder: Path, fsync: Fsync = "fast") -> EmbeddedServer:
    return kind(folder / "server", credentials(folder), fsync, subprocess.DEVNULL)


def test_credentials_are_made_once_and_are_their_owners_alone(tmp_path: Path) -> None:
    made = credentials(tmp_path)
    assert credentials(tmp_path) == made
    assert (tmp_path / "credentials.json").stat().st_mode & 0o777 == 0o600
    secrets = [*made.nats.values(), *made.redis.values(), made.token_secret]
    assert len(set(secrets)) == len(secrets)
    assert credentials(tmp_path / "other") != made


def test_a_role_that_is_new_gets_a_password_and_the_others_keep_theirs(tmp_path: Path) -> None:
    """A data directory of an earlier release goes on."""
    made = credentials(tmp_path)
    earlier = {role: password for role, password in made.nats.items() if role != "dealer"}
    (tmp_path / "credentials.json").write_bytes(msgspec.json.encode(msgspec.structs.replace(made, nats=earlier)))
    upgraded = credentials(tmp_path)
    assert upgraded.nats.keys() == made.nats.keys()
    assert {role: password for role, password in upgraded.nats.items() if role != "dealer"} == earlier
    assert (upgraded.redis, upgraded.token_secret) == (made.redis, made.token_secret)
    assert credentials(tmp_path) == upgraded
    assert (tmp_path / "credentials.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("kind", KINDS)
def test_a_server_takes_a_free_port_and_keeps_it_over_kill_and_start(
    tmp_path: Path, kind: type[NatsServer | RedisServer]
) -> None:
    server = make(kind, tmp_path)
    start(server)
    port, pid = server.port, server.pid
    assert port > 0
    server.kill()
    assert server.exited() == -9
    assert not server.ready()
    start(server)
    assert (server.port, server.pid == pid) == (port, False)
    server.stop(10)
    assert server.exited() in {0, 1, -15}
    assert not runs(server.pid)


def test_a_port_that_another_program_was_faster_to_take_is_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that could never listen takes another port at its next start; one that did keeps its own."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        ports = iter((taken, free_port()))
        monkeypatch.setattr(embedded, "free_port", lambda: next(ports))
        server = make(RedisServer, tmp_path)
        server.start()
        until(lambda: server.exited() is not None, "the server gives up")
        assert not server.ready()
        try:
            start(server)
            assert server.port != taken
        finally:
            server.kill()


@pytest.mark.parametrize("kind", KINDS)
def test_two_servers_at_once_have_ports_of_their_own(tmp_path: Path, kind: type[NatsServer | RedisServer]) -> None:
    one, two = make(kind, tmp_path / "one"), make(kind, tmp_path / "two")
    start(one)
    start(two)
    assert one.port != two.port
    one.kill()
    two.kill()


@pytest.mark.parametrize(
    ("fsync", "nats_syncs", "redis_syncs"), [("durable", "always", "always"), ("fast", "2m", "everysec")]
)
def test_durable_means_that_each_write_is_on_disk(
    tmp_path: Path, fsync: Fsync, nats_syncs: str, redis_syncs: str
) -> None:
    """Read off the running servers' own configuration."""
    nats, store = make(NatsServer, tmp_path / "nats", fsync), make(RedisServer, tmp_path / "redis", fsync)
    start(nats)
    start(store)
    assert f"sync_interval: {nats_syncs}" in (nats.directory / "nats.conf").read_text()
    arguments = Path(f"/proc/{store.pid}/cmdline").read_text().split("\0")
    assert arguments[arguments.index("--appendfsync") + 1] == redis_syncs
    nats.kill()
    store.kill()


@pytest.mark.parametrize("kind", KINDS)
def test_a_server_that_a_killed_run_left_is_ended_before_a_new_one_starts(
    tmp_path: Path, kind: type[NatsServer | RedisServer]
) -> None:
    left = make(kind, tmp_path)
    start(left)
    new = make(kind, tmp_path)
    new.start()
    assert left.exited() is not None, "two servers on the same files"
    until(new.ready, "the new server")
    new.kill()


def test_a_process_that_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    """A process id is used again by the system: what only has the number of our old server is not it."""
    pid_file = tmp_path / "server.pid"
    pid_file.write_text(str(os.getpid()))
    end_leftover(pid_file, tmp_path)
    assert runs(os.getpid())
