"""`klondike` starts fast: what a command does not need is not imported."""

import subprocess
import sys

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


def test_a_command_that_is_not_there_is_refused() -> None:
    """With a usage error, not with a traceback."""
    done = subprocess.run([sys.executable, "-m", "services.cli", "sovle"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "No such command 'sovle'" in done.stderr
