"""The directory that holds everything of one installation: found, and held by one process at a time."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import platformdirs


class RefusedError(Exception):
    """A command cannot do its work here and now. The text says why, and what to do."""


class InUseError(RefusedError):
    """A `klondike up` runs on the directory."""


def default_directory() -> Path:
    """`klondike` in the user's data directory."""
    return platformdirs.user_data_path("klondike")


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Holds the data directory for this process alone. The kernel lets go of it however the process ends.

    Raises:
        InUseError: another process holds it.
        RefusedError: it cannot be used.

    """
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = (directory / "lock").open("a+")
    except OSError as error:
        raise RefusedError(f"cannot use {directory}: {error.strerror}. Give another --data.") from None
    with closing(file):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            holder = file.read().strip() or "unknown"
            raise InUseError(
                f"{directory} is in use by another `klondike up` (process {holder}). Stop that, or give another --data."
            ) from None
        try:
            file.truncate(0)
            file.write(str(os.getpid()))
            file.flush()
        except OSError as error:
            os.ftruncate(file.fileno(), 0)
            raise RefusedError(
                f"cannot write in {directory}: {error.strerror}. Make room, or give another --data."
            ) from None
        yield
