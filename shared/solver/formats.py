"""Deals and positions as text: `FORMATS` is the table of all forms that are read and written.

A **deal** is 52 cards in dealing order: row by row, the first row one card to each of the seven columns, the next row
from column two on, and so on; the last 24 are the stock, the first of them drawn first. A **position** is a table in
the middle of a game. `docs/deals.md` shows each form.
"""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from shared.rules.board import FIRST_PILE, DealError, board_lines, parse_board
from shared.rules.cards import DECK, RANKS, SUITS, Card
from shared.rules.positions import position_fault
from shared.rules.table import Table, lay_out
from shared.rules.variants import Variant
from shared.solver import deal_forms, position_form
from shared.solver.deal_forms import NUMBER_DIGITS_MAX, Deck

__all__ = ["FORMATS", "DealError", "Format", "deal_text", "detect", "parse_deal", "parse_table", "table_text"]

_ONE_DECK: Final = Variant(id="one deck")
_CARD: Final = re.compile(rf"\b[{RANKS}][{SUITS}]\b")


class Format(NamedTuple):
    """A form of text."""

    name: str
    about: str
    looks: Callable[[str], bool]
    """Whether a text, without blanks around it, looks like it."""
    read: Callable[[str], Deck | Table]
    """Raises DealError."""
    write_deal: Callable[[Deck], str] | None = None
    write_table: Callable[[Table], str] | None = None


def _board_text(table: Table) -> str:
    return "\n".join(board_lines(table, reveal=True))


def _begins(name: str) -> Callable[[str], bool]:
    return lambda text: text.lower().startswith(name)


FORMATS: Final[dict[str, Format]] = {
    form.name: form
    for form in (
        Format(
            "board",
            "several lines, as `klondike audit --boards` prints them",
            looks=lambda text: text.startswith(FIRST_PILE),
            read=parse_board,
            write_table=_board_text,
        ),
        Format(
            "position",
            "the same as one line of JSON",
            looks=lambda text: text.startswith("{") and '"columns"' in text,
            read=position_form.from_position,
            write_table=position_form.to_position,
        ),
        Format(
            "solvitaire",
            "Solvitaire's JSON, on one line",
            looks=_begins("{"),
            read=deal_forms.from_solvitaire,
            write_deal=deal_forms.to_solvitaire,
        ),
        Format(
            "digits",
            "three digits a card: Klondike-Solver, MinimalKlondike, KSolve, pyksolve",
            looks=str.isdecimal,
            read=deal_forms.from_digits,
            write_deal=deal_forms.to_digits,
        ),
        Format(
            "pysolfc",
            "a game number of PySolFC: pysolfc:12345",
            looks=_begins("pysolfc"),
            read=deal_forms.from_pysolfc,
        ),
        Format(
            "ms",
            "a number of Microsoft's shuffle, dealt as PySolFC does: ms:12345",
            looks=_begins("ms"),
            read=deal_forms.from_microsoft,
        ),
        Format(
            "klondike",
            "a deal number of this project: klondike:12345",
            looks=_begins("klondike"),
            read=deal_forms.from_number,
        ),
        Format(
            "list",
            "52 cards in dealing order: 7D 9C … TS",
            looks=lambda _: True,
            read=deal_forms.from_list,
            write_deal=deal_forms.to_list,
        ),
    )
}
"""Every format by name. What a text looks like is tried in this order."""


def parse_table(text: str, variant: Variant, form: str | None = None) -> Table:
    """The table that a text names: a deal is laid out, a position is checked.

    Args:
        text: a deal or position.
        variant: its rules.
        form: the name of its format; None to tell it from the text.

    Raises:
        DealError: it is neither, or belongs to no game of this variant.
    """
    stripped = text.strip()
    found = FORMATS[form or detect(stripped)].read(stripped)
    if not isinstance(found, Table):
        return lay_out(_whole(found, variant), variant)
    if fault := position_fault(found, variant):
        raise DealError(fault, _row_of(fault, stripped))
    return found


def table_text(table: Table, variant: Variant, form: str) -> str:
    """The text of a table: what `parse_table` reads back as the same one.

    Raises:
        DealError: the format has no way to write it.
    """
    found = FORMATS[form]
    if found.write_table:
        return found.write_table(table)
    if not found.write_deal:
        raise DealError(f"{form}: a number tells the cards, but the cards tell no number")
    return found.write_deal(dealt(table, variant))


def parse_deal(text: str, form: str | None = None) -> Deck:
    """The cards of a deal in dealing order, 52.

    Raises:
        DealError: no deal can be read from it.
    """
    return dealt(parse_table(text, _ONE_DECK, form), _ONE_DECK)


def deal_text(deck: Deck, form: str) -> str:
    """The text of a deal: what `parse_deal` reads back as the same cards.

    Raises:
        DealError: the format has no way to write it.
    """
    return table_text(lay_out(deck, _ONE_DECK), _ONE_DECK, form)


def detect(text: str) -> str:
    """The name of the format that a text looks like.

    Raises:
        DealError: it is a number that several programs have a deal for.
    """
    stripped = text.strip()
    if stripped.isdecimal() and len(stripped) <= NUMBER_DIGITS_MAX:
        raise DealError(
            f"{stripped} is a deal of several programs: write pysolfc:{stripped}, ms:{stripped} or "
            f"klondike:{stripped}, or name the format"
        )
    return next(form.name for form in FORMATS.values() if form.looks(stripped))


def dealt(table: Table, variant: Variant) -> Deck:
    """The deal of a table on which nothing was moved yet.

    Raises:
        DealError: something was.
    """
    piles = [column.down + column.up for column in table.columns]
    if tuple(map(len, piles)) == variant.columns:
        rows = [pile[row] for row in range(max(variant.columns)) for pile in piles if row < len(pile)]
        deck = (*rows, *table.stock[::-1])
        if lay_out(deck, variant) == table:
            return deck
    raise DealError("this is a position in the middle of a game: only board and position can write it")


def _row_of(fault: str, text: str) -> int:
    """The last line of a text in which the card that a fault names is."""
    found = _CARD.search(fault)
    rows = [row for row, line in enumerate(text.split("\n")) if found and found[0] in line.upper()]
    return rows[-1] if rows else 0


def _whole(cards: Deck, variant: Variant) -> Deck:
    places: dict[Card, int] = {}
    if len(cards) == 2 * variant.cards:
        raise DealError(f"{len(cards)} cards: this is a deal of two decks, and {variant.id} is played with one")
    for place, card in enumerate(cards, 1):
        if card in places and variant.decks == 1:
            raise DealError(f"card {place}: {card} is there already, as card {places[card]}")
        places[card] = place
    if missing := [card for card in DECK if card not in places]:
        more = " …" if len(missing) > 5 else ""
        raise DealError(f"{len(cards)} cards, not {variant.cards}: {' '.join(missing[:5])}{more} missing")
    if len(cards) != variant.cards:
        raise DealError(f"{len(cards)} cards, not {variant.cards}: this is no deal of {variant.id}")
    return cards
