"""A table as text that people read and edit, and back.

```
F1:AC F2:-- F3:2H F4:3S  stock:13  waste:9C 5C 6C QD KS 6D 7D  pass:3
stock, next card first: 6s 9s 8c tc 4h 8d jh 7s 5h 9h td 7h 4d
T1  T2  T3  T4  T5  T6  T7
KD  5s  4s  js  8h  qs  jc
    5D  6H  3d  qc  4c  7c
            ts  2c  qh  kc
            9D  JD  3h  3c
                    th  ad
                    KH  2d
                        8S
```

F1 to F4 show their top card: all lower ones of its suit lie under it. The waste's top card is its last. In the columns
the lowest card is first; lower case lies face down. Where hidden cards are not shown they are `##`, and only the end of
the waste is; such a board is to be looked at, and cannot be read back.
"""

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from shared.rules.cards import DECK, KING, SUITS, Card, parse_card, rank, suit
from shared.rules.piles import column, foundation
from shared.rules.table import Column, Table

HIDDEN: Final = "##"
NONE: Final = "--"
FIRST_PILE: Final = "F1:"
"""What a board's first line begins with."""
_SHOWN_WASTE_MAX: Final = 8
_MORE: Final = "..."
_STOCK: Final = "stock, next card first:"
_OFF_MAX: Final = 1
"""How far a card may stand from its column's head, in letters."""

_FIRST: Final = re.compile(
    r"(?P<ups>F1:[^\s:]+(?:\s+F\d+:[^\s:]+)*)\s+stock:(?P<stock>\d{1,3})\s+waste:(?P<waste>.*?)\s+pass:(?P<pass>\d{1,9})"
)


class DealError(ValueError):
    """A text is no deal or no table. The message names the card and what is wrong with it."""

    def __init__(self, message: str, row: int = 0) -> None:
        super().__init__(message)
        self.row = row
        """Which line of the text is meant, from 0."""


def board_lines(table: Table, *, reveal: bool) -> tuple[str, ...]:
    """The piles of a table: foundations, stock and waste in the first line, then the columns.

    Args:
        table: any.
        reveal: whether face-down cards are shown, in lower case, or as `##`.

    """
    ups = " ".join(f"{foundation(index)}:{pile[-1] if pile else NONE}" for index, pile in enumerate(table.foundations))
    waste = " ".join(table.waste if reveal else table.waste[-_SHOWN_WASTE_MAX:]) or NONE
    more = f"{_MORE} " if len(table.waste) > _SHOWN_WASTE_MAX and not reveal else ""
    first = f"{ups}  stock:{len(table.stock)}  waste:{more}{waste}  pass:{table.pass_number}"
    stock = [f"{_STOCK} {' '.join(table.stock[::-1]).lower()}"] if reveal and table.stock else []
    heads = [f"{column(index):<3}" for index in range(len(table.columns))]
    columns = [
        [*(f"{card.lower() if reveal else HIDDEN:<3}" for card in pile.down), *(f"{card:<3}" for card in pile.up)]
        for pile in table.columns
    ]
    rows = zip_longest(*columns, fillvalue="   ")
    return (first, *stock, " ".join(heads).rstrip(), *(" ".join(row).rstrip() for row in rows))


def parse_board(text: str) -> Table:
    """The table that a board shows. Whether it can be a table of a game is for `positions` to say.

    Raises:
        DealError: it cannot be read; the row is the line of the text.
    """
    lines = text.split("\n")
    found = _FIRST.fullmatch(lines[0].strip())
    if not found:
        raise DealError(
            f"no board: the first line is like {FIRST_PILE}-- F2:-- F3:-- F4:--  stock:24  waste:--  pass:1"
        )
    stock, heads = _parse_stock(lines, int(found["stock"]))
    return Table(
        columns=tuple(_parse_columns(lines, heads)),
        foundations=tuple(_parse_foundations(found["ups"].split())),
        stock=stock,
        waste=() if found["waste"] == NONE else cards_of(found["waste"], "waste"),
        pass_number=int(found["pass"]),
    )


def cards_of(text: str, where: str, row: int = 0) -> tuple[Card, ...]:
    """The cards that a text names, separated by blanks.

    Raises:
        DealError: a word is no card.
    """
    return tuple(_card(word, where, row) for word in text.split())


def pile_under(top: Card, where: str) -> tuple[Card, ...]:
    """A foundation's cards, of which the top one is known.

    Raises:
        DealError: the suit belongs on another foundation.
    """
    index = int(where[1:]) - 1
    if suit(top) != index % len(SUITS):
        raise DealError(f"{where}: {top} is of another suit, {foundation(suit(top))} takes it")
    start = suit(top) * KING
    return DECK[start : start + rank(top)]


def _card(word: str, where: str, row: int) -> Card:
    if word in {HIDDEN, _MORE}:
        raise DealError(f"{where}: {word} stands for cards that are not known, and all have to be", row)
    try:
        return parse_card(word)
    except ValueError as error:
        raise DealError(f"{where}: {error}", row) from None


def _parse_foundations(words: list[str]) -> Iterator[tuple[Card, ...]]:
    for index, word in enumerate(words):
        name, top = word.split(":")
        if name != f"F{index + 1}":
            raise DealError(f"{name}: F{index + 1} has to come here")
        yield () if top == NONE else pile_under(_card(top, name, 0), name)


def _parse_stock(lines: list[str], number: int) -> tuple[tuple[Card, ...], int]:
    """The stock, and the line of the columns' heads."""
    if len(lines) > 1 and lines[1].strip().startswith(_STOCK):
        stock = cards_of(lines[1].strip().removeprefix(_STOCK), "stock", 1)
        if len(stock) != number:
            raise DealError(f"stock: the line above counts {number} cards, here are {len(stock)}", 1)
        return stock[::-1], 2
    if number:
        raise DealError(f"stock: which cards it has is missing, in a line that begins with {_STOCK!r}", 1)
    return (), 1


def _parse_columns(lines: list[str], heads: int) -> Iterator[Column]:
    places = _heads(lines, heads)
    piles: list[list[tuple[int, str]]] = [[] for _ in places]
    for row, line in enumerate(lines[heads + 1 :], heads + 1):
        for word in re.finditer(r"\S+", line):
            under = [index for index, place in enumerate(places) if abs(place - word.start()) <= _OFF_MAX]
            if not under:
                raise DealError(f"{word[0]} stands under no column's name", row)
            piles[under[0]].append((row, word[0]))
    for index, pile in enumerate(piles):
        yield _column(f"T{index + 1}", pile, heads)


def _heads(lines: list[str], heads: int) -> list[int]:
    """Where the names of the columns begin in their line."""
    line = lines[heads] if heads < len(lines) else ""
    words = line.split()
    if not words or words != [f"T{number}" for number in range(1, len(words) + 1)]:
        raise DealError("the names of the columns have to come here: T1  T2  T3 ...", heads)
    return [word.start() for word in re.finditer(r"\S+", line)]


def _column(name: str, pile: list[tuple[int, str]], heads: int) -> Column:
    down: list[Card] = []
    up: list[Card] = []
    for place, (row, word) in enumerate(pile, 1):
        card = _card(word, name, row)
        if row != heads + place:
            raise DealError(f"{name}: nothing lies under {card}", row)
        if not word.islower():
            up.append(card)
        elif up:
            raise DealError(f"{name}: {card} lies face down above {up[-1]}, which lies face up", row)
        else:
            down.append(card)
    return Column(tuple(down), tuple(up))
