"""Paints a table into cells: felt, empty places, backs, faces, and the marks of cursor, hint and what is picked up."""

import itertools
from collections.abc import Iterator
from typing import Final

import msgspec
from rich.segment import Segment
from rich.style import Style

from services.cli.playing.choosing import Place
from services.cli.playing.faces import BACK, BACK_COUNT, HINTED, MARK, PAPER, PICKED, POINTED, TABLE, Signs, edge_on
from services.cli.playing.layout import Layout, Slip, Spot
from shared.messages.views import View
from shared.rules.cards import SUITS

_EDGES: Final = (("╭", "─", "╮"), ("│", " ", "│"), ("╰", "─", "╯"))
_PLAIN_EDGES: Final = (("+", "-", "+"), ("|", " ", "|"), ("+", "-", "+"))


class Marks(msgspec.Struct, frozen=True):
    """What is told about piles and cards beside where they lie."""

    cursor: Spot | Place | None = None
    picked: Place | None = None
    hinted: Place | None = None
    """The lowest card that a hint moves."""
    target: Spot | None = None
    """Where it moves it to."""


class Canvas:
    """Cells of a character and a style each."""

    def __init__(self, width: int, height: int) -> None:
        self._rows = [[(" ", TABLE)] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: Style) -> None:
        """Writes into a row, as far as there are cells."""
        if not 0 <= y < len(self._rows):
            return
        row = self._rows[y]
        for offset, character in enumerate(text):
            if 0 <= x + offset < len(row):
                row[x + offset] = (character, style)

    def row(self, y: int) -> list[Segment]:
        """A row as runs of one style."""
        cells = self._rows[y] if y < len(self._rows) else []
        runs = itertools.groupby(cells, key=lambda cell: id(cell[1]))
        return [self._run(list(run)) for _, run in runs]

    @staticmethod
    def _run(cells: list[tuple[str, Style]]) -> Segment:
        return Segment("".join(character for character, _ in cells), cells[0][1])


def paint(layout: Layout, view: View, marks: Marks, signs: Signs, width: int, height: int) -> Canvas:
    """The whole table."""
    canvas = Canvas(width, max(height, layout.height))
    painter = _Painter(canvas, view, marks, signs)
    for slip in layout.slips:
        painter.slip(slip)
    for slip, sign in painter.marked(layout):
        canvas.put(slip.x - 1, slip.y, sign, MARK)
    return canvas


class _Painter:
    def __init__(self, canvas: Canvas, view: View, marks: Marks, signs: Signs) -> None:
        self._canvas, self._view, self._marks, self._signs = canvas, view, marks, signs

    def slip(self, slip: Slip) -> None:
        match slip.kind:
            case "face":
                self._face(slip)
            case "back":
                self._back(slip)
            case "empty":
                self._empty(slip)

    def marked(self, layout: Layout) -> Iterator[tuple[Slip, str]]:
        """Where the signs stand that do not need colours."""
        marks = self._marks
        if marks.hinted is not None:
            yield layout.of(marks.hinted), self._signs.hint
        if marks.target is not None:
            yield layout.top(marks.target), self._signs.hint
        if isinstance(marks.cursor, Place):
            yield layout.of(marks.cursor), self._signs.cursor
        elif marks.cursor is not None:
            yield layout.top(marks.cursor), self._signs.cursor

    def _paper(self, slip: Slip) -> str:
        """The colour of a card: what is picked up and what a hint is about stand out, with all that lies on them."""
        for place, colour in ((self._marks.picked, PICKED), (self._marks.hinted, HINTED)):
            if place is not None and place.pile == slip.spot and slip.index >= place.index:
                return colour
        return HINTED if slip.spot == self._marks.target and slip.rows == slip.size.height else PAPER

    def _face(self, slip: Slip) -> None:
        assert slip.card is not None, "a face has a card"
        signs, card, width = self._signs, slip.card, slip.size.width
        paper = self._paper(slip)
        ink, edge = signs.ink(card, paper), edge_on(paper)
        rows = self._frame(slip)
        for number, row in enumerate(rows):
            self._canvas.put(slip.x, slip.y + number, row, edge)
        if slip.beside:
            for number in range(slip.rows):
                self._canvas.put(slip.x, slip.y + number, signs.side, edge)
        name = signs.name(card)
        if slip.place == self._marks.cursor:
            ink = signs.ink(card, POINTED)
            self._canvas.put(slip.x, slip.y, " " * width, ink)
        self._canvas.put(slip.x + 1, slip.y, name, ink)
        ink = signs.ink(card, paper)
        if slip.rows < slip.size.height:
            return
        middle = slip.y + slip.size.height // 2
        self._canvas.put(slip.x + (width - 1) // 2, middle, signs.suit(card[1]), ink)
        if slip.size.height > 3:
            self._canvas.put(slip.x + width - 1 - len(name), slip.y + slip.size.height - 1, name, ink)

    def _back(self, slip: Slip) -> None:
        rows = self._frame(slip)
        inner = slip.size.width - 2
        for number, row in enumerate(rows):
            self._canvas.put(slip.x, slip.y + number, row, BACK)
            if number or slip.rows == 1:
                self._canvas.put(slip.x + 1, slip.y + number, self._signs.weave * inner, BACK)
        if slip.count:
            text = f" {slip.count} "
            x = slip.x + (slip.size.width - len(text) + 1) // 2
            self._canvas.put(x, slip.y + (slip.rows // 2), text, BACK_COUNT)

    def _empty(self, slip: Slip) -> None:
        width, height = slip.size
        top, side, bottom = _PLAIN_EDGES if self._signs.plain else _EDGES
        for number in range(height):
            left, fill, right = top if number == 0 else bottom if number == height - 1 else side
            self._canvas.put(slip.x, slip.y + number, f"{left}{fill * (width - 2)}{right}", TABLE)
        text = self._sign(slip)
        self._canvas.put(slip.x + (width - len(text)) // 2, slip.y + height // 2, text, TABLE)

    def _sign(self, slip: Slip) -> str:
        """What an empty place is for."""
        spot, view = slip.spot, self._view
        if spot == "S":
            return self._signs.recycle if "recycle" in view.legal else self._signs.never
        if spot[0] == "F":
            return self._signs.suit(SUITS[(int(spot[1:]) - 1) % len(SUITS)])
        return "K" if spot[0] == "T" else ""

    def _frame(self, slip: Slip) -> list[str]:
        """A card's rows without what stands on it."""
        width, height = slip.size
        if not self._signs.plain:
            return [self._signs.edge * width, *[" " * width] * (height - 1)][: slip.rows]
        flat = f".{'-' * (width - 2)}."
        return [flat, *[f"|{' ' * (width - 2)}|"] * (height - 2), f"'{'-' * (width - 2)}'"][: slip.rows]
