"""How cards look: what stands on them, and in which colours."""

import functools
from typing import Final

from rich.style import Style

from services.cli.playing.profile import Look
from shared.rules.cards import Card

FELT: Final = "#17613f"
PAPER: Final = "#fbf8ef"
INK: Final = {"C": "#1c1c22", "D": "#c41e2a", "H": "#c41e2a", "S": "#1c1c22"}
INK_OF_FOUR: Final = {**INK, "C": "#0b7434", "D": "#1552c0"}
SYMBOLS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

BACK: Final = Style(color="#c4707b", bgcolor="#8f1f2d")
BACK_COUNT: Final = Style(color="#f4dfd2", bgcolor="#8f1f2d", bold=True)
TABLE: Final = Style(color="#7fae97", bgcolor=FELT)
NOTE: Final = Style(color="#f3f7f4", bgcolor=FELT)
MARK: Final = Style(color="#ffd34d", bgcolor=FELT, bold=True)
POINTED: Final = "#ffd34d"
PICKED: Final = "#ffe08a"
HINTED: Final = "#bfe7ff"


@functools.cache
def edge_on(paper: str) -> Style:
    """Of the line around a card."""
    return Style(color="#a9a294", bgcolor=paper)


@functools.cache
def _ink(colour: str, paper: str) -> Style:
    return Style(color=colour, bgcolor=paper, bold=True)


class Signs:
    """The characters that tables are drawn with."""

    def __init__(self, look: Look) -> None:
        self.plain = look.signs == "ascii"
        self.cursor = ">" if self.plain else "▸"
        self.hint = "!" if self.plain else "●"
        self.edge = "-" if self.plain else "▔"
        self.side = "|" if self.plain else "▏"
        self.weave = ":" if self.plain else "▒"
        self.recycle = "(o)" if self.plain else "↻"
        self.never = "x" if self.plain else "✕"
        self._suits = {suit: suit.lower() for suit in SYMBOLS} if self.plain else SYMBOLS
        self._inks = INK_OF_FOUR if look.colours == "four" else INK

    def suit(self, suit: str) -> str:
        return self._suits[suit]

    def name(self, card: Card) -> str:
        """A card in two or three cells: `10♥`."""
        return f"{'10' if card[0] == 'T' else card[0]}{self._suits[card[1]]}"

    def ink(self, card: Card, paper: str) -> Style:
        return _ink(self._inks[card[1]], paper)
