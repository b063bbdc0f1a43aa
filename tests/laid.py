"""Games written down as text, and decks laid by hand for ends that no shuffle has come to.

    deal 1673       a deal number; or `deck 9C 7C 8C …` in dealing order, in a game for two a line for each player
    draw            what is done, a line each
    W>F2

Shared by the tests of whole games.
"""

from pathlib import Path
from typing import Final

import pytest

from shared.rules import deal
from shared.rules.cards import Card, parse_card

LAID_DEAL: Final = 0
"""The deal number that stands for the decks of a file, in tests alone."""


def script(path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, list[str]]:
    """The deal number of a game, and what is done in it. The decks that a file lays are dealt for `LAID_DEAL`."""
    lines = path.read_text().splitlines()
    decks = [tuple(map(parse_card, line.split()[1:])) for line in lines if line.startswith("deck ")]
    if not decks:
        return int(lines[0].removeprefix("deal ")), lines[1:]
    _lay(monkeypatch, decks)
    return LAID_DEAL, lines[len(decks) :]


def _lay(monkeypatch: pytest.MonkeyPatch, laid: list[tuple[Card, ...]]) -> None:
    shuffled = deal.numbered_deck

    def dealt(number: int, *, decks: int, seat: int = 0) -> tuple[Card, ...]:
        deck = shuffled(number, decks=decks, seat=seat)
        if number != LAID_DEAL:
            return deck
        assert sorted(laid[seat]) == sorted(deck), "a laid deck has the cards of a shuffled one"
        return laid[seat]

    monkeypatch.setattr(deal, "numbered_deck", dealt)
