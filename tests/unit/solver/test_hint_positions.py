"""Positions with the hint that the rules' order of preference asks for: `hint_positions.txt` beside this file."""

from pathlib import Path
from typing import NamedTuple

import pytest

from shared.rules.variants import VARIANTS
from shared.solver.hints import best_hint
from tests.boards import board, legal_texts


class Case(NamedTuple):
    """A position of the file."""

    says: str
    board: str
    variant: str
    hint: str


def cases() -> list[Case]:
    blocks = (Path(__file__).parent / "hint_positions.txt").read_text().split("\n\n")
    return [case_of(block.splitlines()) for block in blocks if block.startswith("# ")]


def case_of(lines: list[str]) -> Case:
    settings = dict(line.split(": ", 1) for line in lines[1:] if line.startswith(("variant", "hint")))
    rows = [line for line in lines[1:] if not line.startswith(("variant", "hint"))]
    return Case(lines[0].removeprefix("# "), "\n".join(rows), settings.get("variant", "draw1"), settings["hint"])


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.says.replace(" ", "-"))
def test_the_hint_is_the_first_preference_that_applies(case: Case) -> None:
    known, variant = board(case.board), VARIANTS[case.variant]
    hint = best_hint(known, legal_texts(known, variant), variant)
    found = "none" if hint is None else " ".join((hint.move, hint.reason, *hint.cards))
    assert found == case.hint


def test_the_file_has_positions() -> None:
    assert len(cases()) > 40
