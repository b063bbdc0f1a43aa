"""Files that hold secrets."""

import os
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
