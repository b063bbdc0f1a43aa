"""What a figure means nothing without: where it was measured, and with what."""

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Final

from services.cli.benching.figures import Machine
from shared import DISTRIBUTION
from shared.embedded import program, valkey_server

DISTRIBUTIONS: Final = (DISTRIBUTION, "nats-py", "uvicorn", "uvloop", "websockets", "msgspec")


def machine() -> Machine:
    cpu = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        names = [line.split(":", 1)[1].strip() for line in information.read_text().splitlines() if "model name" in line]
        cpu = names[0] if names else cpu
    return Machine(system=platform.platform(terse=True), cpu=cpu, cores=os.cpu_count() or 1)


def versions() -> dict[str, str]:
    return {
        "Python": platform.python_version(),
        "nats-server": _said([program("nats-server"), "--version"]),
        "valkey-server": _said([valkey_server(), "--version"]),
        **{name: version(name) for name in DISTRIBUTIONS},
    }


def _said(argv: list[str]) -> str:
    """The version in what a program says of itself."""
    said = subprocess.run(argv, capture_output=True, text=True, check=False).stdout.split()
    numbers = [word.split("=")[-1].lstrip("v") for word in said]
    return next((word for word in numbers if word[:1].isdigit()), "unknown")
