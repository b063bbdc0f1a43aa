"""The secrets of a data directory, read with one line for whatever is wrong with their file."""

from pathlib import Path

import msgspec

from services.cli.data_directory import RefusedError
from shared.embedded import CREDENTIALS_FILE, Credentials, credentials


def secrets_in(directory: Path) -> Credentials:
    """The directory's secrets, made at its first use.

    Raises:
        RefusedError: they cannot be read or made.
    """
    path = directory / CREDENTIALS_FILE
    try:
        return credentials(directory)
    except OSError as error:
        raise RefusedError(
            f"cannot read or write {path}: {error.strerror}. Put that right, or give another --data."
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RefusedError(
            f"{path} is damaged: {error}. Restore it from a copy, or move it away: "
            "games stay, but players lose the way to theirs, since new tokens are made."
        ) from None
