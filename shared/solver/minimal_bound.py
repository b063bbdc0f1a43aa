"""How many moves a position needs at least. `docs/solver.md` proves it."""

from typing import Final, NamedTuple

from shared.solver.bits import ALL, SUIT, other_colour, room, twins
from shared.solver.intrinsics import compiled, lowest, popcount
from shared.solver.minimal_chart import climb, roots_to_move
from shared.solver.minimal_sheet import (
    COLUMN_BITS,
    COLUMNS,
    DEALT_UP,
    DRAW,
    LOST,
    PASS_AT,
    PASS_MASK,
    PASSES,
    STOCK_AT,
    TALON,
    WASTE_AT,
    WASTE_MASK,
    Bytes,
    Sheet,
    left_in,
    talon_cards,
)

CALLEES: Final = "0360d1cccb0f02fa"
"""A digest of the modules that are compiled into this one. A test says what it has to be."""


@compiled
def lower(card: int) -> int:
    """The lower cards of a card's suit."""
    return (SUIT << (lowest(card) & 3)) & (card - 1)


@compiled
def highest(mask: int) -> int:
    """The place of the highest of at most 24 bits, or -1."""
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    mask |= mask >> 16
    return popcount(mask) - 1


@compiled
def lowest_bits(mask: int, number: int) -> int:
    """The lowest bits that are set, so many of them."""
    rest = mask
    for _ in range(number):
        rest &= rest - 1
    return mask ^ rest


@compiled
def misplaced(mask: int, sheet: Sheet) -> int:
    """The cards of a pile of talon cards, the last one on top, under which a lower card of their suit waits."""
    found, under = 0, 0
    while mask:
        card = sheet.stock[lowest(mask)]
        mask &= mask - 1
        if lower(card) & under:
            found |= card
        under |= card
    return found


@compiled
def seats_of(alone: int, either: int, talon: int) -> tuple[int, int]:
    """The talon cards that have to go to the tableau as seats, directly or for another one.

    Args:
        alone: cards that are the only possible seat of a card that has to go to the tableau.
        either: cards that have to go there and may lie on either parent.
        talon: the cards of the talon.

    Returns:
        the cards that have to, and pairs of which one has to.
    """
    whole = talon & twins(talon)
    singles, pairs, more = alone & talon, 0, other_colour(either << 4)
    while True:
        more |= other_colour((singles | pairs) << 4)
        found = (more | twins(more)) & whole & ~pairs & ALL
        if found == 0:
            return singles, pairs & ~(singles | twins(singles))
        pairs |= found


@compiled
def cards_down(first: int, waste: int, again: int, sheet: Sheet, chart: Bytes) -> int:
    """How many cards cost a move more at least than going up: roots, and cards of the talon.

    Args:
        first: of the position.
        waste: the mask of those places of the waste whose cards wait for the ones on them.
        again: cards that have to be drawn once more, if that costs a move for each.
        sheet: the deal.
        chart: its chart.
    """
    talon = talon_cards(first >> STOCK_AT, sheet)
    alone, either = 0, 0
    for column in range(sheet.limits.size):
        left = left_in(first, column)
        alone |= sheet.alone[column, left]
        either |= sheet.either[column, left]
    singles, pairs = seats_of(alone, either, talon)
    charted = sheet.seats[sheet.seats.size - 1] & ~sheet.seats[0]
    paid = (singles & ~charted) | misplaced(waste, sheet) | again
    pairs &= ~(paid | twins(paid) | charted | twins(charted))
    return roots_to_move(first, ~talon | paid, sheet, chart) + popcount(paid) + popcount(pairs) // 2


class Pass(NamedTuple):
    """How far a pass can go at most, in a game where cards that come to the tableau take no room."""

    first: int
    """A position's first number: what is left in the columns."""
    played: int
    """Cards of the talon that left it, before or in this pass."""
    visible: int
    """Cards that can be seats."""
    top: int
    """Cards that can be up."""


@compiled
def reached(stock: int, waste: int, played: int, draw: int, sheet: Sheet) -> int:
    """The cards of the talon that come to the top of the waste once some were played."""
    number, found, opened, rest = popcount(stock), 0, False, stock
    if draw == 1:
        number, rest = waste, lowest_bits(stock, waste)
        found = talon_cards(stock ^ rest, sheet)
    for index in range(number, 0, -1):
        place = highest(rest)
        rest ^= 1 << place
        opened = opened or index in (number, waste) or (index > waste and (index - waste) % draw == 0)
        if opened:
            found |= sheet.stock[place]
        opened = opened and played & sheet.stock[place] != 0
        if draw == 1 and not opened:
            break
    return found


@compiled
def uncovered(run: Pass, able: int, sheet: Sheet) -> Pass:
    """Free the roots that are able to leave."""
    first, visible = run.first, run.visible
    for column in range(sheet.limits.size):
        left = left_in(first, column)
        before = left
        while sheet.roots[column, left] & able:
            left = sheet.nexts[column, left]
        first ^= (before ^ left) << (COLUMN_BITS * column)
        visible |= sheet.loose[column, left] | sheet.roots[column, left]
    return Pass(first, run.played, visible, run.top)


@compiled
def emptied(first: int, sheet: Sheet) -> int:
    """How many columns have no root left."""
    free = 0
    for column in range(sheet.constants[COLUMNS]):
        free += left_in(first, column) == 0
    return free


@compiled
def left_behind(first: int, waste: int, sheet: Sheet) -> int:
    """Cards of the talon that cannot be played in this pass, whatever else is."""
    stock, draw = first >> STOCK_AT, sheet.constants[DRAW]
    talon = talon_cards(stock, sheet)
    loose = sheet.constants[TALON] & ~talon
    for column in range(sheet.limits.size):
        loose |= sheet.loose[column, left_in(first, column)]
    run = uncovered(Pass(first, 0, loose | sheet.constants[DEALT_UP], 0), 0, sheet)
    while True:
        here = reached(stock, waste, run.played, draw, sheet)
        top = climb(run.top, run.visible | here)
        fits = room(run.visible, loose & ~top, emptied(run.first, sheet))
        played = run.played | (here & (fits | top))
        after = uncovered(Pass(run.first, played, run.visible | (here & fits), top), fits | top, sheet)
        if after.first == run.first and after.visible == run.visible and played == run.played:
            return talon & ~played
        run = after


@compiled
def draws_left(number: int, draw: int) -> int:
    """Draws that bring so many cards to the waste."""
    return (number + draw - 1) // draw


@compiled
def moves_left(first: int, second: int, sheet: Sheet, chart: Bytes) -> int:
    """How many moves are needed at least besides those up, one a card; LOST or more if there is no way."""
    stock, waste = first >> STOCK_AT, (second >> WASTE_AT) & WASTE_MASK
    draw, passes = sheet.constants[DRAW], sheet.constants[PASSES]
    again = left_behind(first, waste, sheet)
    if again and passes and ((second >> PASS_AT) & PASS_MASK) + 1 >= passes:
        return LOST
    draws = draws_left(popcount(stock) - waste, draw)
    if draw == 1:
        return draws + cards_down(first, lowest_bits(stock, waste), again, sheet, chart)
    return draws + draws_left(popcount(again), draw) + cards_down(first, 0, 0, sheet, chart)
