"""The services as children of `klondike up`."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from shared import tether
from shared.notify import VARIABLE
from shared.settings import Role

NOTIFICATION_BYTES_MAX = 4096


def package(role: Role) -> str:
    """The service's Python package."""
    return f"services.{role.replace('-', '_')}"


class ServiceProcess:
    """One service process, and what it tells about itself over its own notification socket."""

    def __init__(self, role: Role, name: str, folder: Path, environment: Callable[[], Mapping[str, str]]) -> None:
        """Starts nothing yet.

        Args:
            role: which service.
            name: of this process.
            folder: for its socket; a short path, as a socket's may have about 100 bytes.
            environment: asked at each start.
        """
        self.name = name
        self.doing = ""
        self._role = role
        self._environment = environment
        self._address = folder / name
        self._channel: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False

    def start(self) -> None:
        self.doing, self._ready = "", False
        self._listen()
        environment = {**self._environment(), VARIABLE: str(self._address)}
        argv = [sys.executable, "-m", package(self._role)]
        self._process = tether.start(argv, environment=environment, parent=os.getpid())

    def ready(self) -> bool:
        self._hear()
        return self._ready and self.exited() is None

    def exited(self) -> int | None:
        return self._process.poll() if self._process is not None else None

    def send_signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)

    def close(self) -> None:
        if self._channel is not None:
            self._channel.close()
        self._address.unlink(missing_ok=True)

    def _listen(self) -> None:
        self.close()
        self._channel = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._channel.setblocking(False)
        self._channel.bind(str(self._address))

    def _hear(self) -> None:
        if self._channel is None:
            return
        with suppress(BlockingIOError):
            while True:
                for line in self._channel.recv(NOTIFICATION_BYTES_MAX).decode(errors="replace").splitlines():
                    self._take(*line.partition("=")[::2])

    def _take(self, name: str, value: str) -> None:
        if name == "READY":
            self._ready = value == "1"
        elif name == "STATUS":
            self.doing = value
