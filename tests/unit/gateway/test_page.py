"""The page's files as they are served: their version, and what installs."""

import json
import struct
from pathlib import Path

import msgspec

from services.gateway.app import WEB_FOLDER
from services.gateway.page import Page, Shell


def shell_of(page: Page) -> Shell:
    found = page.find("/shell.json")
    assert found is not None
    return msgspec.json.decode(found.body, type=Shell)


def test_the_version_changes_with_any_file_and_with_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "js").mkdir()
    (tmp_path / "index.html").write_text('<meta content="{page-version}">')
    (tmp_path / "js" / "main.js").write_text("one")
    first = Page(tmp_path)
    assert Page(tmp_path).version == first.version
    (tmp_path / "js" / "main.js").write_text("two")
    second = Page(tmp_path)
    (tmp_path / "js" / "main.js").rename(tmp_path / "js" / "other.js")
    assert len({first.version, second.version, Page(tmp_path).version}) == 3


def test_the_page_says_its_version_in_its_head(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text('<meta content="{page-version}">')
    page = Page(tmp_path)
    index = page.find("/")
    assert index is not None
    assert index.body.decode() == f'<meta content="{page.version}">'


def test_what_is_kept_of_the_page_is_all_that_is_served_but_the_worker_itself() -> None:
    page = Page(WEB_FOLDER)
    shell = shell_of(page)
    on_disk = {file.relative_to(WEB_FOLDER).as_posix() for file in WEB_FOLDER.rglob("*") if file.is_file()}
    assert set(shell.files) == on_disk - {"index.html", "sw.js"} | {"./"}
    assert shell.version == page.version
    index = page.find("/")
    assert index is not None
    assert page.version.encode() in index.body


def test_the_icons_of_the_manifest_are_there_in_the_sizes_that_it_names() -> None:
    """A browser offers to install only what has these."""
    manifest = json.loads((WEB_FOLDER / "manifest.webmanifest").read_text())
    drawn = [icon for icon in manifest["icons"] if icon["type"] == "image/png"]
    for icon in drawn:
        width, height = struct.unpack(">II", (WEB_FOLDER / icon["src"]).read_bytes()[16:24])
        assert icon["sizes"] == f"{width}x{height}"
    assert {(icon["sizes"], icon["purpose"]) for icon in drawn} == {
        (size, purpose) for size in ("192x192", "512x512") for purpose in ("any", "maskable")
    }
    assert (manifest["display"], manifest["start_url"], manifest["scope"]) == ("standalone", "./", "./")
