"""The page's files, as they are on disk: kept in memory until the file changes, and sent again only when it has.

They have one version, that of the process's start: the page says it in its head, the server in `welcome`, and the
service worker keeps the files of one version.
"""

import gzip
import hashlib
import mimetypes
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

INDEX: Final = "index.html"
SHELL: Final = "shell.json"
"""The version and the files, for the service worker: made here, not on disk."""
SERVICE_WORKER: Final = "sw.js"
FILE_BYTES_MAX: Final = 4 * 1024 * 1024
VERSION_MARK: Final = b"{page-version}"
"""Stands in `INDEX` for the version."""
VERSION_DIGITS: Final = 16
_TYPES: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
}


class Asset(msgspec.Struct, frozen=True, kw_only=True):
    """A file, ready to be sent."""

    body: bytes
    packed: bytes
    """The same in gzip, for browsers that take it: a first visit loads a third."""
    media_type: str
    etag: str
    """Weak: it is the same for both forms."""
    stamp: tuple[int, int]
    """Size and time of change, by which a later change is noticed."""


class Shell(msgspec.Struct, frozen=True, kw_only=True):
    """What a browser needs to open the page without a server."""

    version: str
    files: tuple[str, ...]
    """Addresses, relative to the page's own, which is `./`."""


class Page:
    """The files of one folder, by their path below it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        names = sorted(file.relative_to(self._folder).as_posix() for file in self._folder.rglob("*") if file.is_file())
        served = [name for name in names if self._file(name) is not None]
        self.version = _digest(self._folder, served)
        kept = ("./" if name == INDEX else name for name in served if name != SERVICE_WORKER)
        shell = msgspec.json.encode(Shell(version=self.version, files=tuple(kept)))
        self._shell = _asset(shell, SHELL, (len(shell), 0))
        self._assets: dict[str, Asset] = {}

    def find(self, path: str) -> Asset | None:
        """The file at a URL path; None when there is none inside the folder."""
        name = path.strip("/") or INDEX
        if name == SHELL:
            return self._shell
        file = self._file(name)
        if file is None:
            self._assets.pop(name, None)
            return None
        status = file.stat()
        stamp = (status.st_size, status.st_mtime_ns)
        asset = self._assets.get(name)
        if asset is None or asset.stamp != stamp:
            asset = self._assets[name] = _asset(self._read(file), file.name, stamp)
        return asset

    def paths(self, folder: str, ending: str) -> list[str]:
        """The URL paths of the files of a folder whose names end so, in their order."""
        return sorted(f"{folder}/{file.name}" for file in (self._folder / folder).glob(f"*{ending}"))

    def _read(self, file: Path) -> bytes:
        body = file.read_bytes()
        return body.replace(VERSION_MARK, self.version.encode()) if file.name == INDEX else body

    def _file(self, name: str) -> Path | None:
        if "\0" in name or any(part.startswith(".") for part in name.split("/")):
            return None
        file = (self._folder / name).resolve()
        if not file.is_relative_to(self._folder) or not file.is_file() or file.stat().st_size > FILE_BYTES_MAX:
            return None
        return file


def _asset(body: bytes, name: str, stamp: tuple[int, int]) -> Asset:
    media_type = _TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    etag = f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'
    packed = gzip.compress(body, mtime=0)
    return Asset(body=body, packed=packed, media_type=media_type, etag=etag, stamp=stamp)


def _digest(folder: Path, names: Iterable[str]) -> str:
    """The same for the same files, whatever machine they are on."""
    whole = hashlib.sha256()
    for name in names:
        whole.update(name.encode() + b"\0" + hashlib.sha256((folder / name).read_bytes()).digest())
    return whole.hexdigest()[:VERSION_DIGITS]
