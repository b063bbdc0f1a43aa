"""The file by which a health check sees that a service can work."""

from pathlib import Path

from shared.settings import PREFIX, SettingsError


def check(alive_file: str) -> None:
    """Whether it can be written; empty: there is none. A file that is there already is left alone.

    Raises:
        SettingsError: it cannot.
    """
    if not alive_file:
        return
    path = Path(alive_file)
    try:
        found = path.exists()
        path.open("a").close()
        if not found:
            path.unlink()
    except OSError as error:
        raise SettingsError(
            f"{PREFIX}ALIVE_FILE is {alive_file!r}, which does not do: {error.strerror}. "
            "It must be a file in a directory that exists and may be written; leave it out for none."
        ) from None
