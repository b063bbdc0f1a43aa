"""The page's files, as they are on disk: kept in memory until the file changes, and sent again only when it has."""

import gzip
import hashlib
import mimetypes
from pathlib import Path
from typing import Final

import msgspec

INDEX: Final = "index.html"
FILE_BYTES_MAX: Final = 4 * 1024 * 1024
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


class Page:
    """The files of one folder, by their path below it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._assets: dict[str, Asset] = {}

    def find(self, path: str) -> Asset | None:
        """The file at a URL path; None when there is none inside the folder."""
        name = path.strip("/") or INDEX
        file = self._file(name)
        if file is None:
            self._assets.pop(name, None)
            return None
        status = file.stat()
        stamp = (status.st_size, status.st_mtime_ns)
        asset = self._assets.get(name)
        if asset is None or asset.stamp != stamp:
            asset = self._assets[name] = _read(file, stamp)
        return asset

    def paths(self, folder: str, ending: str) -> list[str]:
        """The URL paths of the files of a folder whose names end so, in their order."""
        return sorted(f"{folder}/{file.name}" for file in (self._folder / folder).glob(f"*{ending}"))

    def _file(self, name: str) -> Path | None:
        if "\0" in name or any(part.startswith(".") for part in name.split("/")):
            return None
        file = (self._folder / name).resolve()
        if not file.is_relative_to(self._folder) or not file.is_file() or file.stat().st_size > FILE_BYTES_MAX:
            return None
        return file


def _read(file: Path, stamp: tuple[int, int]) -> Asset:
    body = file.read_bytes()
    media_type = _TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    etag = f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'
    packed = gzip.compress(body, mtime=0)
    return Asset(body=body, packed=packed, media_type=media_type, etag=etag, stamp=stamp)
