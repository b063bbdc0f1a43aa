"""Files that hold secrets."""

import fcntl
import os
import stat
import tempfile
from pathlib import Path


def write_private(path: Path, content: bytes) -> None:
    """Whole or not at all, and never readable by others, not even for an instant. Several may write it at once.

    Raises:
        OSError: it cannot be written. What was there stays.
    """
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # mode 0600 from the start
    unfinished = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def write_private_once(path: Path, content: bytes) -> bool:
    """The same, where the file is not there or empty: of several that try at once, one writes. Whether this one did.

    Raises:
        OSError: it cannot be written, and may be left empty; or it is no regular file.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        held = os.fstat(descriptor)
        if not stat.S_ISREG(held.st_mode):
            raise OSError("it is no regular file")
        if held.st_size or not os.path.samestat(held, path.stat()):  # another has put its own there meanwhile
            return False
        write_private(path, content)
        return True
    finally:
        os.close(descriptor)
