"""docker-compose.yml brought up as a user does it: by `docker compose`, else by podman-compose."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROJECT = "klondike-test"
BUILD_SECONDS = 600.0


def command() -> list[str]:
    """The compose command that this machine has."""
    docker = shutil.which("docker")
    if docker and subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode == 0:
        return [docker, "compose"]
    return [sys.executable, "-m", "podman_compose", "--podman-build-args=--network host --format docker"]


class Compose:
    """One project of the compose file, with a port of its own."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._command = [*command(), "--project-name", PROJECT, "--file", str(ROOT / "docker-compose.yml")]
        self._environment = os.environ | {"KLONDIKE_PUBLISH": f"127.0.0.1:{port}"}

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def run(self, *arguments: str) -> str:
        """One compose command. What it prints is in the failure."""
        done = subprocess.run(
            [*self._command, *arguments],
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=BUILD_SECONDS,
            check=False,
            cwd=ROOT,
        )
        assert done.returncode == 0, f"{arguments}: {done.stdout[-4000:]}\n{done.stderr[-4000:]}"
        return done.stdout + done.stderr
