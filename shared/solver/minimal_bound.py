"""How many moves a position needs at least. `docs/solver.md` proves it."""

from typing import Final, NamedTuple

from shared.solver.bits import ALL, SUIT, next_up, other_colour, twins
from shared.solver.intrinsics import Ints, compiled, lowest, popcount
from shared.solver.minimal_sheet import (
    COLUMN_BITS,
    DEALT_UP,
    DRAW,
    STOCK_AT,
    TALON,
    WASTE_AT,
    WASTE_MASK,
    Sheet,
    left_in,
    talon_cards,
)

CALLEES: Final = "3890b1a612ad749e"
"""A digest of the files that are compiled into this one: numba's cache on disk only sees changes of this file."""

WASTE_PILE: Final = 7
PILES: Final = 8
"""The columns, and the waste."""
SCRATCH: Final = 2 * PILES


class Wait(NamedTuple):
    """Who still waits in the piles, in a game where cards that were paid for take no room."""

    first: int
    """A position's first number: what is left in the columns."""
    waste: int
    """The mask of the waste's places, if its cards wait for the ones on them."""
    freed: int
    top: int
    """Cards that can go up."""
    paid: int
    """Cards that need not go up from their pile."""


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
def doomed_in(mask: int, sheet: Sheet) -> int:
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
def climb(top: int, cards: int) -> int:
    """What can be up once some cards can go up."""
    more = next_up(top) & cards
    while more:
        top |= more
        more = next_up(top) & cards
    return top


@compiled
def release(wait: Wait, sheet: Sheet) -> Wait:
    """Free the top cards of all piles that can go up or are paid for."""
    first, waste, freed = wait.first, wait.waste, wait.freed
    able = wait.top | wait.paid
    for column in range(WASTE_PILE):
        left = left_in(first, column)
        before = left
        while sheet.roots[column, left] & able:
            left = sheet.nexts[column, left]
        first ^= (before ^ left) << (COLUMN_BITS * column)
        freed |= sheet.loose[column, left]
    while waste and sheet.stock[highest(waste)] & (able | freed):
        freed |= sheet.stock[highest(waste)]
        waste ^= 1 << highest(waste)
    return Wait(first, waste, freed, wait.top, wait.paid)


@compiled
def settle(wait: Wait, drawable: int, sheet: Sheet) -> Wait:
    """Free all that can be freed without paying for more."""
    while True:
        top = climb(wait.top, wait.freed | drawable)
        after = release(Wait(wait.first, wait.waste, wait.freed | top, top, wait.paid), sheet)
        if after.first == wait.first and after.waste == wait.waste:
            return after
        wait = after


@compiled
def link(wait: Wait, sheet: Sheet, scratch: Ints) -> int:
    """Note for each pile which piles its top card waits for. Returns the piles that are left."""
    left = 0
    for pile in range(PILES):
        if pile < WASTE_PILE:
            rest = left_in(wait.first, pile)
            top = sheet.roots[pile, rest]
            scratch[PILES + pile] = top | sheet.hidden[pile, rest]
        else:
            top = sheet.stock[highest(wait.waste)] if wait.waste else 0
            scratch[PILES + pile] = talon_cards(wait.waste, sheet)
        scratch[pile] = lower(top) & ~wait.freed if top else 0
        left |= int(top != 0) << pile
    for pile in range(PILES):
        waits, links = scratch[pile], 0
        for other in range(PILES):
            if scratch[PILES + other] & waits:
                links |= 1 << other
        scratch[pile] = links
    return left


@compiled
def followers(piles: int, scratch: Ints) -> int:
    """All that some piles wait for."""
    found = 0
    while piles:
        found |= scratch[lowest(piles)]
        piles &= piles - 1
    return found


@compiled
def waiters(piles: int, scratch: Ints) -> int:
    """All that wait for some piles."""
    found = 0
    for pile in range(PILES):
        if scratch[pile] & piles:
            found |= 1 << pile
    return found


@compiled
def circle(left: int, scratch: Ints) -> int:
    """The piles of a shortest circle of piles that wait for each other; 0 if there is none."""
    start, length = -1, PILES + 1
    while left:
        pile = lowest(left)
        left &= left - 1
        steps, reached = 1, scratch[pile]
        while not (reached >> pile) & 1 and steps < length:
            reached |= followers(reached, scratch)
            steps += 1
        if steps < length:
            start, length = pile, steps
    if start < 0:
        return 0
    found, at = 1 << start, start
    for steps in range(length - 1, 0, -1):
        near = 1 << start
        for _ in range(steps):
            near = waiters(near, scratch)
        at = lowest(scratch[at] & near)
        found |= 1 << at
    return found


@compiled
def tops_of(piles: int, wait: Wait, sheet: Sheet) -> int:
    """The top cards of some piles."""
    found = 0
    while piles:
        pile = lowest(piles)
        piles &= piles - 1
        if pile == WASTE_PILE:
            found |= sheet.stock[highest(wait.waste)]
        else:
            found |= sheet.roots[pile, left_in(wait.first, pile)]
    return found


@compiled
def extra(first: int, waste: int, sheet: Sheet, scratch: Ints) -> int:
    """How many cards cost a move more at least than going up: all disjoint reasons together.

    Args:
        first: of the position.
        waste: the mask of those places of the waste whose cards wait for the ones on them.
        sheet: the deal.
        scratch: SCRATCH numbers to work on.
    """
    stock = first >> STOCK_AT
    talon = talon_cards(stock, sheet)
    freed = (sheet.constants[TALON] & ~talon) | sheet.constants[DEALT_UP]
    doomed, alone, either = 0, 0, 0
    for column in range(WASTE_PILE):
        left = left_in(first, column)
        doomed |= sheet.doomed[column, left]
        alone |= sheet.alone[column, left]
        either |= sheet.either[column, left]
        freed |= sheet.loose[column, left]
    singles, pairs = seats_of(alone, either, talon)
    misplaced = doomed_in(waste, sheet)
    count = popcount(doomed | singles | misplaced) + popcount(pairs & ~(misplaced | twins(misplaced))) // 2
    wait = Wait(first, waste, freed | singles | pairs, 0, doomed | misplaced)
    drawable = talon_cards(stock ^ waste, sheet)
    while True:
        wait = settle(wait, drawable, sheet)
        piles = circle(link(wait, sheet, scratch), scratch)
        if piles == 0:
            return count
        count += 1
        wait = Wait(wait.first, wait.waste, wait.freed, wait.top, wait.paid | tops_of(piles, wait, sheet))


@compiled
def draws_left(stock: int, waste: int, draw: int) -> int:
    """Draws to the end of the pass."""
    return (popcount(stock) - waste + draw - 1) // draw


@compiled
def moves_left(first: int, second: int, sheet: Sheet, scratch: Ints) -> int:
    """How many moves are needed at least besides those up, one a card."""
    stock, waste = first >> STOCK_AT, (second >> WASTE_AT) & WASTE_MASK
    draw = sheet.constants[DRAW]
    held = lowest_bits(stock, waste) if draw == 1 else 0
    return extra(first, held, sheet, scratch) + draws_left(stock, waste, draw)
