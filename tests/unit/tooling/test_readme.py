"""The README and the program say the same."""

import re
from pathlib import Path

from services.cli.main import main

README = Path(__file__).parents[3] / "README.md"


def test_the_readme_names_every_command_and_no_other() -> None:
    row = re.search(r"the `klondike` command: ([a-z, -]+) \|", README.read_text())
    assert row
    assert set(row[1].split(", ")) == set(main.list_commands(main.make_context("klondike", ["docs"])))
