"""The sheets that open over the table, as they are written in the page."""

import re
from pathlib import Path

from services import gateway

PAGE = (Path(gateway.__file__).parent / "web" / "index.html").read_text()
SHEETS = dict(re.findall(r'<dialog id="([^"]+)"(.*?)</dialog>', PAGE, re.DOTALL))


def test_every_sheet_has_a_button_of_its_own_that_closes_it() -> None:
    """Who plays by finger or screen reader has no Escape, and need not know that a press beside a sheet closes it."""
    assert {"menu", "new-game", "result", "history"} <= SHEETS.keys()
    assert [sheet for sheet, inside in SHEETS.items() if not re.search(r"<button\b[^>]*\bdata-closes\b", inside)] == []
