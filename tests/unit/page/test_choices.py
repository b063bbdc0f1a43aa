"""What the page offers is what the rules have."""

import re
from pathlib import Path

from services import gateway
from shared.rules.scoring import SCORINGS
from shared.rules.variants import VARIANTS
from shared.solver.flat import unplayable

JS = Path(gateway.__file__).parent / "web" / "js"


def listed(text: str) -> list[str]:
    return re.findall(r'"([a-z0-9-]+)"', text)


def test_every_variant_is_offered_with_its_scorings_in_the_rules_order() -> None:
    source = (JS / "choices.js").read_text()
    (points,) = re.findall(r"^const POINTS = (.*);$", source, re.MULTILINE)
    rows = re.findall(r'^  "([a-z0-9-]+)": (POINTS|\[.*\]),$', source, re.MULTILINE)
    offered = {name: listed(points if scorings == "POINTS" else scorings) for name, scorings in rows}
    assert list(offered.items()) == [(name, [*variant.scorings]) for name, variant in VARIANTS.items()]


def test_what_needs_the_solver_is_offered_where_it_plays() -> None:
    (unsolved,) = re.findall(r"^const UNSOLVED = (.*);$", (JS / "choices.js").read_text(), re.MULTILINE)
    assert listed(unsolved) == [name for name, variant in VARIANTS.items() if unplayable(variant) is not None]


def test_dollars_are_written_where_a_scoring_counts_in_them() -> None:
    (dollars,) = re.findall(r"^const IN_DOLLARS = (.*);$", (JS / "score.js").read_text(), re.MULTILINE)
    assert listed(dollars) == [name for name, scoring in SCORINGS.items() if scoring.unit == "dollars"]


def test_what_two_play_is_told_from_what_one_plays() -> None:
    """Those have no mode, deal or help to choose."""
    source = (JS / "choices.js").read_text()
    (duels,) = re.findall(r"^export const DUELS = \{(.*?)\};", source, re.MULTILINE | re.DOTALL)
    assert listed(duels) == [name for name, variant in VARIANTS.items() if variant.players == 2]
