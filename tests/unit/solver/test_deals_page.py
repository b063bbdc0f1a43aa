"""docs/deals.md: its examples are read, and its table is that of the program."""

import re
from pathlib import Path

from shared.rules.variants import VARIANTS
from shared.solver.formats import FORMATS, detect, parse_table, table_text

PAGE = (Path(__file__).parents[3] / "docs" / "deals.md").read_text()
EXAMPLES = re.findall(r"```\n(.*?)\n```", PAGE, re.DOTALL)
DRAW1 = VARIANTS["draw1"]


def test_the_examples_are_what_the_program_writes() -> None:
    """A deal, and a position in both of its forms."""
    deal, board, position = EXAMPLES
    assert [detect(text) for text in EXAMPLES] == ["list", "board", "position"]
    assert table_text(parse_table(deal, DRAW1), DRAW1, "list") == deal
    assert table_text(parse_table(position, DRAW1), DRAW1, "board") == board
    assert table_text(parse_table(board, DRAW1), DRAW1, "position") == position


def test_the_table_has_every_format() -> None:
    """With what it is, and whether it can be written."""
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", PAGE, re.MULTILINE))
    for form in FORMATS.values():
        written = "yes, any position" if form.write_table else "yes" if form.write_deal else "no"
        assert rows.pop(form.name) == f"{form.about} | {written}"
    assert not rows
