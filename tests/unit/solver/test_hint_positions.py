"""Positions with the hint that the rules' order of preference asks for: `hint_positions.txt` beside this file."""

import re
from pathlib import Path
from typing import Final, NamedTuple, get_args

import msgspec
import pytest

from shared.messages.jobs import Hint, HintReason, Suggestion
from shared.rules.variants import VARIANTS, Variant
from shared.solver.hints import best_hint
from tests.boards import board, legal_texts

FILE: Final = (Path(__file__).parent / "hint_positions.txt").read_text(encoding="utf-8")


class Case(NamedTuple):
    """A position of the file."""

    says: str
    by: list[str]
    board: str
    variant: Variant
    hint: str
    alternatives: list[str]
    """Empty: the position says nothing of them."""


FIELDS = ("by", "variant", "passes", "hint", "or")


def cases() -> list[Case]:
    return [case_of(block.splitlines()) for block in FILE.split("\n\n") if block.startswith("# ")]


def case_of(lines: list[str]) -> Case:
    named = [line.split(": ", 1) for line in lines[1:]]
    fields = {name: text for name, text in named if name in FIELDS}
    passes = fields.get("passes")
    return Case(
        says=lines[0].removeprefix("# "),
        by=fields["by"].split(", "),
        board="\n".join(f"{name}: {text}" for name, text in named if name not in FIELDS),
        variant=msgspec.structs.replace(VARIANTS[fields.get("variant", "draw1")], passes=passes and int(passes)),
        hint=fields["hint"],
        alternatives=[text for name, text in named if name == "or"],
    )


def text(told: Hint | Suggestion) -> str:
    return " ".join((told.move, told.reason, *told.cards))


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.says.replace(" ", "-"))
def test_the_hint_is_the_first_preference_that_applies(case: Case) -> None:
    """And the alternatives are those that come after it, all of them and in order, where the position names any."""
    known, variant = board(case.board), case.variant
    hint = best_hint(known, legal_texts(known, variant), variant)
    assert ("none" if hint is None else text(hint)) == case.hint
    if case.alternatives:
        assert hint is not None
        assert [text(other) for other in hint.alternatives] == case.alternatives


def test_every_position_cites_what_it_is_made_from_and_everything_is_used() -> None:
    listed = set(re.findall(r"^\[([\w ]+)\]", FILE, re.MULTILINE))
    assert listed == {source for case in cases() for source in case.by}


def test_the_file_has_positions() -> None:
    found = cases()
    assert len(found) >= 60
    assert len({case.says for case in found}) == len({(case.board, case.variant) for case in found}) == len(found)
    assert sum(bool(case.alternatives) for case in found) >= 8
    reasons = {case.hint.split()[1] for case in found if case.hint != "none"}
    assert reasons == set(get_args(HintReason))
