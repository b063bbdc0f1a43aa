"""A backup on disk: a file for each stream as the server gave it out, and `backup.json`, which holds their hashes."""

import hashlib
import os
import shutil
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from services.cli.data_directory import RefusedError

INDEX: Final = "backup.json"
FORMAT: Final = 1
UNFINISHED: Final = ".unfinished"
READ_BYTES: Final = 1024 * 1024


class StreamFile(msgspec.Struct, frozen=True, kw_only=True):
    """One stream."""

    stream: str
    file: str
    bytes: int
    sha256: str
    messages: int
    first_sequence: int
    last_sequence: int
    config: dict[str, Any]
    """As the server gave it, and wants it again."""
    state: dict[str, Any]


class Backup(msgspec.Struct, frozen=True, kw_only=True):
    """What `backup.json` says."""

    kind: str = "klondike-backup"
    format: int = FORMAT
    made_at: str
    streams: tuple[StreamFile, ...]
    token_secret: str | None = None
    """The key of the players' tokens, of a data directory that was backed up: without it they lose their games."""


class _Head(msgspec.Struct):
    kind: str
    format: int


class Unfinished:
    """A backup in the making, beside its place until it is whole."""

    def __init__(self, place: Path) -> None:
        """Raises RefusedError: the place is taken, or cannot be written."""
        if place.exists() and (not place.is_dir() or any(place.iterdir())):
            raise RefusedError(f"{place} is not empty. Give a directory that is empty or does not exist yet.")
        self._place = place
        self.folder = place.with_name(place.name + UNFINISHED)
        try:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True, mode=0o700)
        except OSError as error:
            raise RefusedError(f"cannot write {self.folder}: {error.strerror}. Give another directory.") from None

    def create(self, name: str) -> IO[bytes]:
        """A file of it, its owner's alone to read."""
        return os.fdopen(os.open(self.folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")

    def finish(self, backup: Backup) -> None:
        """Writes the index, verifies all of it as a restore would, and puts it in its place."""
        with self.create(INDEX) as file:
            file.write(msgspec.json.format(msgspec.json.encode(backup)))
        verified(self.folder)
        if self._place.exists():
            self._place.rmdir()
        self.folder.rename(self._place)

    def drop(self) -> None:
        """Removes what there is of it."""
        shutil.rmtree(self.folder, ignore_errors=True)


def verified(folder: Path) -> Backup:
    """A backup whose every byte is as it was written.

    Raises:
        RefusedError: it is damaged, of another kind, or of a newer release; the text names the file.
    """
    backup = _index(folder / INDEX)
    for one in backup.streams:
        _verify(folder / one.file, one)
    return backup


def _index(path: Path) -> Backup:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise RefusedError(f"there is no backup: {path} cannot be read ({error.strerror}).") from None
    try:
        head = msgspec.json.decode(content, type=_Head)
        if head.kind != "klondike-backup":
            raise RefusedError(f"{path} is not the index of a backup of klondike.")
        if head.format > FORMAT:
            raise RefusedError(f"{path} has format {head.format}, newer than {FORMAT}: use a newer release.")
        return msgspec.json.decode(content, type=Backup)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RefusedError(f"{path} is damaged: {error}. Use another backup.") from None


def _verify(path: Path, one: StreamFile) -> None:
    if Path(one.file).name != one.file:
        raise RefusedError(f"{INDEX} names the file {one.file!r}, which lies elsewhere. Use another backup.")
    digest, length = hashlib.sha256(), 0
    try:
        with path.open("rb") as file:
            while piece := file.read(READ_BYTES):
                digest.update(piece)
                length += len(piece)
    except OSError as error:
        raise RefusedError(f"{path} cannot be read ({error.strerror}). Use another backup.") from None
    if length != one.bytes:
        raise RefusedError(f"{path} is damaged: it has {length} bytes instead of {one.bytes}. Use another backup.")
    if digest.hexdigest() != one.sha256:
        raise RefusedError(f"{path} is damaged: its bytes are not those that were written. Use another backup.")
