"""Whether the solver's kernels lie compiled on disk, told without the compiler, which takes long to import.

A note beside them names all that they were compiled from and for. Who finds another note, or none, has them compiled;
a note that is wrong costs time alone, since numba looks for itself at what it loads.
"""

import hashlib
import os
import platform
import sys
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Final

SOLVER: Final = Path(__file__).parent / "solver"
FOLDER_SETTING: Final = "NUMBA_CACHE_DIR"
NOTE_FILE: Final = "klondike-kernels"
COMPILER: Final = ("numba", "llvmlite", "numpy")
CPU_FILE: Final = Path("/proc/cpuinfo")
CPU_FIELDS: Final = ("vendor_id", "cpu family", "model", "model name", "stepping", "flags", "CPU part", "Features")
"""What a processor is and can do, by the names on x86 and on ARM; the file's other lines are its present state."""


def noted() -> bool:
    """Whether all kernels that services use were compiled from this source, by this compiler, for this machine."""
    with suppress(OSError):
        return _note().read_text(encoding="utf-8") == _origin()
    return False


def note() -> None:
    """Write down that they are. Where nothing can be written nothing is noted."""
    with suppress(OSError):
        path = _note()
        written = path.with_suffix(f".{os.getpid()}")
        written.write_text(_origin(), encoding="utf-8")
        written.replace(path)


def _note() -> Path:
    """Where numba keeps what it compiles, so that who deletes that deletes the note too."""
    return Path(os.environ.get(FOLDER_SETTING) or SOLVER / "__pycache__") / NOTE_FILE


def _origin() -> str:
    """Files by size and time, which is what numba goes by; who compiles; for which machine, with which settings."""
    files = [(path.name, path.stat()) for path in sorted(SOLVER.glob("*.py"))]
    settings = [(name, value) for name, value in sorted(os.environ.items()) if name.startswith("NUMBA_")]
    told = [
        str(SOLVER),
        *(f"{name} {found.st_size} {found.st_mtime_ns}" for name, found in files),
        *(f"{name} {version(name)}" for name in COMPILER),
        *(f"{name}={value}" for name, value in settings if name != FOLDER_SETTING),
        *(sys.version, platform.system(), platform.machine(), *_processor()),
    ]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


def _processor() -> list[str]:
    """The first of the machine's, which are alike."""
    if not CPU_FILE.exists():
        return [platform.processor()]
    first = CPU_FILE.read_text(encoding="utf-8", errors="replace").split("\n\n", 1)[0]
    return [line for line in first.splitlines() if line.split("\t", 1)[0].strip() in CPU_FIELDS]
