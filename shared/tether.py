"""Processes that end with the one that started them, however that ends."""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

LINUX: bool = sys.platform == "linux"
SHIM = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
if os.getppid() != int(sys.argv[1]):
    sys.exit(1)
os.execv(sys.argv[2], sys.argv[2:])
"""
"""Runs between fork and the program, keeping the process id: safer than `preexec_fn` where there are threads."""


def tied(argv: Sequence[str], parent: int) -> list[str]:
    """A command line that ends with `parent`, our own process id; unchanged on a system without such a thing."""
    return [sys.executable, "-I", "-S", "-c", SHIM, str(parent), *argv] if LINUX else list(argv)


def start(
    argv: Sequence[str],
    *,
    environment: Mapping[str, str],
    parent: int,
    output: IO[bytes] | int | None = None,
    folder: Path | None = None,
) -> subprocess.Popen[bytes]:
    """Starts a program in a session of its own, so that Ctrl-C reaches its parent only.

    On Linux the kernel sends it SIGTERM when the *thread* that called this ends: call it from the main thread. Other
    systems have no such thing; there `shared.embedded` ends what an earlier run left.

    Args:
        argv: the program's full path, and its arguments.
        environment: its whole environment.
        parent: our own process id.
        output: where its stdout and stderr go.
        folder: where it runs.
    """
    return subprocess.Popen(
        tied(argv, parent),
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        cwd=folder,
        start_new_session=True,
    )
