"""Makes the solver's kernels ready beside the work that needs none, which nobody is to wait with.

Compiling takes some twenty seconds of processor time, in which the interpreter's lock is held most of the time and
nothing can be stopped. So a process of its own does that, of the lowest priority, and this one only loads what it has
compiled, in a second. Where they are known to be compiled it is not started.

`python -m shared.warming` is that process.
"""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from shared.compiled import note, noted
from shared.logs import Log
from shared.notify import notify
from shared.threads import Threads

Warm = Callable[[Log], Awaitable[None]]
"""Returns once the kernels are loaded, and logs what it does."""

NICENESS: Final = 19
OUTPUT_SHOWN_MAX: Final = 300


async def warmed(log: Log) -> None:
    """Returns when all kernels that services use are loaded. May be cancelled at any time.

    Where they cannot be kept on disk they are compiled here, in a thread: slower for all else, but at last.
    """
    log.info("compiling the kernels, or loading what was compiled before")
    notify("STATUS=compiling the kernels, or loading what was compiled before")
    try:
        await _compiled(log)
    except OSError as error:
        log.warning("no process to compile the kernels in", reason=error.strerror)
    try:
        await Threads().run(load)
    except Exception:
        log.exception("the kernels cannot be loaded")
    else:
        log.info("kernels loaded")
    notify("STATUS=ready")


def load() -> None:
    """Compile or load them, in this thread."""
    from shared.solver.warm import warm, warm_player  # imports the compiler: not before there is time for it

    warm()
    warm_player()


async def _compiled(log: Log) -> None:
    """Has them compiled, unless that was done before, and kept on disk."""
    if noted():
        return
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "shared.warming"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for this process, which ends that one
    )
    try:
        _, written = await process.communicate()
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGKILL)
            await process.wait()  # else its end would be noticed by nobody
    if process.returncode:
        reason = written.decode(errors="replace").strip()[-OUTPUT_SHOWN_MAX:]
        log.warning("compiling the kernels failed", exit_status=process.returncode, reason=reason)


if __name__ == "__main__":
    with suppress(OSError, AttributeError):  # there is no such thing on Windows
        os.nice(NICENESS)
    load()
    note()
