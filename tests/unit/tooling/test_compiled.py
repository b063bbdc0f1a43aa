"""What is noted of compiled kernels: that they are there, until anything changes that they came from."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from shared import compiled

Change = Callable[[Path, pytest.MonkeyPatch], None]
PROCESSOR = "processor\t: 0\nmodel name\t: One\ncpu MHz\t\t: 1000.0\nflags\t\t: sse avx\n\nprocessor\t: 1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A solver of one file on a machine whose processor is known, with nothing noted."""
    (tmp_path / "kernels.py").write_text("FIRST = 1\n")
    (tmp_path / "cpuinfo").write_text(PROCESSOR)
    monkeypatch.setattr(compiled, "SOLVER", tmp_path)
    monkeypatch.setattr(compiled, "CPU_FILE", tmp_path / "cpuinfo")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path


def test_kernels_are_noted_once_they_are_compiled(folder: Path) -> None:
    assert not compiled.noted()
    compiled.note()
    assert compiled.noted()
    assert [path.name for path in folder.iterdir() if path.name.startswith(compiled.NOTE_FILE)] == [compiled.NOTE_FILE]


def source(folder: Path, _patch: pytest.MonkeyPatch) -> None:
    (folder / "kernels.py").write_text("SECOND = 2\n")


def touched(folder: Path, _patch: pytest.MonkeyPatch) -> None:
    os.utime(folder / "kernels.py", (1, 1))


def one_more(folder: Path, _patch: pytest.MonkeyPatch) -> None:
    (folder / "more.py").write_text("")


def processor(folder: Path, _patch: pytest.MonkeyPatch) -> None:
    (folder / "cpuinfo").write_text(PROCESSOR.replace("avx", "avx2"))


def compiler(_folder: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(compiled, "version", lambda _name: "99.0")


def setting(_folder: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("NUMBA_OPT", "0")


def deleted(folder: Path, _patch: pytest.MonkeyPatch) -> None:
    (folder / compiled.NOTE_FILE).unlink()


@pytest.mark.parametrize("change", [source, touched, one_more, processor, compiler, setting, deleted])
def test_a_note_is_good_for_what_it_was_made_of_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch, change: Change
) -> None:
    compiled.note()
    change(folder, monkeypatch)
    assert not compiled.noted()
    compiled.note()
    assert compiled.noted()


def test_how_fast_the_processor_runs_at_the_moment_does_not_matter(folder: Path) -> None:
    compiled.note()
    (folder / "cpuinfo").write_text(PROCESSOR.replace("1000.0", "2500.0"))
    assert compiled.noted()


def test_where_nothing_can_be_written_nothing_is_noted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder / "kernels.py"))
    compiled.note()
    assert not compiled.noted()
