"""`klondike` starts fast: what a command does not need is not imported."""

import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from services.cli import bench, main
from services.cli.lazy import Lazy

LISTED = list(main.COMMANDS.items()) + list(bench.COMMANDS.items())


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["bench", "path", "--help"], ["bench", "--help"], ["convert", "--help"]]
)
def test_what_solves_nothing_does_not_import_the_compiler(arguments: list[str]) -> None:
    """numba and numpy take longer to import than all else together."""
    command = [sys.executable, "-X", "importtime", "-m", "services.cli", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    imported = {line.rsplit("|", 1)[1].strip().split(".")[0] for line in done.stderr.splitlines() if "|" in line}
    assert "click" in imported
    assert not imported & {"numba", "llvmlite", "numpy"}


@pytest.mark.parametrize(("name", "lazy"), LISTED)
def test_every_command_in_a_list_is_there(name: str, lazy: Lazy) -> None:
    """A name that is listed can be asked for its help, and the list says what it does."""
    group = main.main if name in main.COMMANDS else bench.bench
    command = group.get_command(click.Context(group), name)
    assert command is not None
    assert command.name == name
    assert lazy.help.endswith(".")


@pytest.mark.parametrize("imported", ["click.core", "services.cli.main", "asyncio", "services.cli.supervisor"])
def test_ctrl_c_while_it_is_imported_ends_it_without_a_word(imported: str, tmp_path: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "services.cli", "up", "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.rsplit("|", 1)[-1].strip() == imported:
                process.send_signal(signal.SIGINT)
        assert [line for line in process.stderr if not line.startswith("import time:")] == []
    assert process.returncode == -signal.SIGINT


def test_a_command_that_is_imported_is_interrupted_as_python_programs_are() -> None:
    """So that it can clean up: click says that it was aborted."""
    command = [sys.executable, "-m", "services.cli", "convert", "--to", "list"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("pysolfc:32001\n")
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "Aborted" in said


def test_a_command_that_is_not_there_is_refused() -> None:
    """With a usage error, not with a traceback."""
    done = subprocess.run([sys.executable, "-m", "services.cli", "sovle"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "No such command 'sovle'" in done.stderr
