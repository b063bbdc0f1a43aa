"""How many roots have to be put on other columns at least, for every number of roots left: a table made once a deal.

`docs/solver.md` says what is taken for granted in it, and why it is right.
"""

from typing import Final, NamedTuple

from shared.solver.bits import bare, next_up, room
from shared.solver.intrinsics import compiled, lowest
from shared.solver.minimal_sheet import (
    COLUMN_BITS,
    COLUMNS,
    DEALT_UP,
    LOST,
    TALON,
    Bytes,
    Sheet,
    bits_of,
    left_in,
)

CALLEES: Final = "46fac47baae19d53"
"""A digest of the modules that are compiled into this one. A test says what it has to be."""


@compiled
def climb(top: int, cards: int) -> int:
    """What can be up once some cards can go up."""
    more = next_up(top) & cards
    while more:
        top |= more
        more = next_up(top) & cards
    return top


@compiled
def number_of(first: int, sheet: Sheet) -> int:
    """The place in the chart."""
    number = 0
    for column in range(sheet.strides.size):
        number += left_in(first, column) * sheet.strides[column]
    return number


class Row(NamedTuple):
    """What the entries for one number of roots left have in common."""

    first: int
    place: int
    roots: int
    visible: int
    """Cards that can be seats without leaving the talon."""
    lying: int
    """Cards that certainly lie on others."""
    up: int
    """Cards that could go up next."""
    free: int


@compiled
def row_of(first: int, place: int, sheet: Sheet) -> Row:
    roots, loose, free = 0, 0, 0
    for column in range(sheet.constants[COLUMNS]):
        left = left_in(first, column)
        roots |= sheet.roots[column, left]
        loose |= sheet.loose[column, left]
        free += left == 0
    freed = loose | sheet.constants[TALON] | sheet.constants[DEALT_UP]
    top = climb(0, freed)
    return Row(first, place, roots, roots | loose | sheet.constants[DEALT_UP], loose & ~top, next_up(top), free)


@compiled
def fewest(row: Row, seats: int, sheet: Sheet, chart: Bytes) -> int:
    """One entry, those of fewer roots and of more seats given."""
    number = sheet.seats.size
    fits = room(row.visible | sheet.seats[seats], row.lying, row.free)
    up = row.up & bare(fits)
    least = LOST if row.roots else 0
    cards = row.roots & (fits | up)
    while cards:
        card = cards & -cards
        cards ^= card
        column = sheet.places[lowest(card)]
        left = left_in(row.first, column)
        after = row.place - (left - sheet.nexts[column, left]) * sheet.strides[column]
        least = min(least, int(chart[after * number + seats]) + (0 if card & up else 1))
    missing = (number - 1) & ~seats
    while missing:
        bit = missing & -missing
        missing ^= bit
        if sheet.seats[bit] & ~sheet.seats[0] & fits:
            least = min(least, int(chart[row.place * number + (seats | bit)]) + 1)
    return least


@compiled
def first_of(place: int, sheet: Sheet) -> int:
    """The roots left at a place, as in a position's first number."""
    first = 0
    for column in range(sheet.strides.size):
        first |= (place // sheet.strides[column] % (sheet.limits[column] + 1)) << (COLUMN_BITS * column)
    return first


@compiled
def fill(start: int, end: int, sheet: Sheet, chart: Bytes) -> None:
    """Fill in the chart's rows from one place to before another, those before given."""
    number = sheet.seats.size
    for place in range(start, min(end, chart.size // number)):
        row = row_of(first_of(place, sheet), place, sheet)
        for seats in range(number - 1, -1, -1):
            chart[place * number + seats] = fewest(row, seats, sheet, chart)


@compiled
def seats_taken(cards: int, sheet: Sheet) -> int:
    """The bits of the chart's pairs that have one of some cards."""
    found = 0
    for bit in range(sheet.pairs.size):
        found |= int(bits_of(cards, sheet.pairs[bit]) != 0) << bit
    return found


@compiled
def roots_to_move(first: int, cards: int, sheet: Sheet, chart: Bytes) -> int:
    """The chart's entry for a position, given the cards of its pairs that cost nothing any more."""
    return int(chart[number_of(first, sheet) * sheet.seats.size + seats_taken(cards & sheet.constants[TALON], sheet)])
