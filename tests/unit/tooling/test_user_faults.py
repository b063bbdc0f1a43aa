"""docs/user-faults.md names tests that exist, one at least for each line."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
LINES = [
    line
    for line in (ROOT / "docs" / "user-faults.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| Here")
]
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")


def test_every_line_is_held_by_a_test() -> None:
    assert LINES
    assert [line for line in LINES if not NAMED.search(line)] == []


def test_every_test_that_is_named_is_there() -> None:
    def tests_of(file: str) -> set[str]:
        tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
        return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}

    named = {match for line in LINES for match in NAMED.findall(line)}
    assert sorted(f"{file}::{test}" for file, test in named if test not in tests_of(file)) == []
