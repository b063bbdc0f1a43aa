"""A table as lines of text."""

from itertools import zip_longest
from typing import Final

from shared.game.state import Game
from shared.rules.cards import Card
from shared.rules.piles import column, foundation

HIDDEN: Final = "##"
SHOWN_WASTE_MAX: Final = 8


def board_lines(game: Game, *, reveal: bool) -> tuple[str, ...]:
    """The piles of a game: foundations, stock and waste in the first line, then the columns.

    Args:
        game: at any version.
        reveal: whether face-down cards are shown, in lower case, or as `##`.

    """
    table = game.seat.table
    ups = " ".join(f"{foundation(index)}:{pile[-1] if pile else '--'}" for index, pile in enumerate(table.foundations))
    waste = " ".join(table.waste[-SHOWN_WASTE_MAX:]) or "--"
    more = "... " if len(table.waste) > SHOWN_WASTE_MAX else ""
    piles = f"{ups}  stock:{len(table.stock)}  waste:{more}{waste}  pass:{table.pass_number}"
    hidden = [f"stock, next card first: {_down(table.stock[::-1], reveal=True)}"] if reveal and table.stock else []
    heads = [f"{column(index):<3}" for index in range(len(table.columns))]
    columns = [
        [*(_one_down(card, reveal=reveal) for card in pile.down), *(f"{card:<3}" for card in pile.up)]
        for pile in table.columns
    ]
    rows = zip_longest(*columns, fillvalue="   ")
    return (piles, *hidden, " ".join(heads).rstrip(), *(" ".join(row).rstrip() for row in rows))


def _one_down(card: Card, *, reveal: bool) -> str:
    return f"{card.lower() if reveal else HIDDEN:<3}"


def _down(cards: tuple[Card, ...], *, reveal: bool) -> str:
    return " ".join(_one_down(card, reveal=reveal).strip() for card in cards)
