"""What one move leads to, for shortest solutions. `docs/solver.md` says which moves are left out.

Children are written to an array: the two numbers of a position, and what it costs. It holds their number in the first
place of its last row.
"""

from typing import Final

from shared.solver.bits import KINGS, next_up, other_colour, room, twins
from shared.solver.intrinsics import Ints, compiled, lowest, popcount
from shared.solver.layers import GIVE_BACK
from shared.solver.minimal_sheet import (
    COLUMN_BITS,
    DRAW,
    GIVEN_AT,
    HEIGHTS_AT,
    NEVER,
    PASS_AT,
    PASSES,
    RULES,
    STOCK_AT,
    WASTE_AT,
    Sheet,
    View,
    bared,
    bits_of,
    goes,
    leaves,
    left_in,
    lies_down,
    put,
    talon_cards,
    view_of,
)

CALLEES: Final = "46fac47baae19d53"
"""A digest of the modules that are compiled into this one. A test says what it has to be."""


@compiled
def add(first: int, second: int, cost: int, children: Ints) -> None:
    last = children.shape[0] - 1
    at = children[last, 0]
    children[at, 0] = first
    children[at, 1] = second
    children[at, 2] = cost
    children[last, 0] = at + 1


@compiled
def raised(first: int, card: int) -> int:
    """The position with a card up, given by its place."""
    return first + (1 << (HEIGHTS_AT + 4 * (card & 3)))


@compiled
def never_needed(up: int) -> int:
    """Cards that are never needed in the tableau once they can go up."""
    below = (up << 8) | 0xFF
    return other_colour(below & twins(below)) & twins((up << 12) | 0xFFF)


@compiled
def children_of(card: int) -> int:
    """The two cards that may lie on one, given by its place."""
    return 0 if card < 4 else 3 << (2 * (((card >> 1) ^ 1) - 2))


@compiled
def uncover(first: int, codes: int, column: int, lying: int, sheet: Sheet) -> tuple[int, int]:
    """The position, and how cards lie, once a root left its column."""
    left = left_in(first, column)
    after = sheet.nexts[column, left]
    first ^= (left ^ after) << (COLUMN_BITS * column)
    block = sheet.loose[column, after] & ~sheet.loose[column, left] & ~sheet.roots[column, left]
    parents = block | sheet.roots[column, after]
    rest = block & ~KINGS
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        pair = card >> 1
        parent = bits_of(parents, (pair + 2) ^ 1)
        code = 1 + ((card & 1) ^ (parent >> 1)) if bits_of(lying, pair) else parent
        codes = put(pair, code, codes)
    return first, codes


@compiled
def go_up(first: int, second: int, card: int, cost: int, view: View, children: Ints, sheet: Sheet) -> None:
    """Add what a card of the tableau leads to by going up."""
    second = goes(card, second, view.lying)
    if (view.roots >> card) & 1:
        first, second = uncover(first, second, sheet.places[card], view.lying, sheet)
    else:
        second = leaves(card, second, view.lying)
    add(raised(first, card), second, cost, children)


@compiled
def safe_move(first: int, second: int, cost: int, view: View, children: Ints, sheet: Sheet) -> bool:
    """Add the one child that is as good as any other, if there is one."""
    safe = next_up(view.up) & never_needed(view.up)
    here = safe & view.visible
    while here:
        card = lowest(here)
        here &= here - 1
        if bared(card, second, view.lying, view.visible) == 0:
            go_up(first, second, card, cost + 1, view, children, sheet)
            return True
    if view.waste and sheet.constants[DRAW] == 1:
        place = top_place(view.stock, view.waste)
        if sheet.stock[place] & safe:
            talon_move(first, with_waste(second, view.waste - 1, view.passes), place, cost, 0, view, children, sheet)
            return True
    return False


@compiled
def root_moves(first: int, second: int, cost: int, fits: int, view: View, children: Ints, sheet: Sheet) -> None:
    """Add what putting roots on other columns leads to."""
    down = view.roots & fits
    while down:
        card = lowest(down)
        down &= down - 1
        after = lies_down(card, second, view.lying, view.visible)
        child, after = uncover(first, after, sheet.places[card], view.lying | 1 << card, sheet)
        add(child, after, cost + 1, children)


@compiled
def rises(first: int, second: int, cost: int, cards: int, view: View, children: Ints, sheet: Sheet) -> None:
    """Add what cards of the tableau lead to by going up, a child that lies on one moved to its other parent."""
    cards &= next_up(view.up) & view.visible
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        swap = bared(card, second, view.lying, view.visible)
        if swap < NEVER and (view.given == 0 or swap):
            go_up(first, second, card, cost + 1 + swap, view, children, sheet)


@compiled
def returns(first: int, second: int, cost: int, fits: int, view: View, children: Ints, sheet: Sheet) -> None:
    """Add what giving cards back leads to that can be made use of at once."""
    tops = view.up & ~(view.up >> 4)
    cards = tops & fits & ~never_needed(view.up)
    users = view.roots | view.lying | tops | talon_cards(view.stock, sheet)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if children_of(card) & users:
            after = lies_down(card, second, view.lying, view.visible) | (card + 1) << GIVEN_AT
            add(first - (1 << (HEIGHTS_AT + 4 * (card & 3))), after, cost + 1, children)


@compiled
def with_waste(second: int, waste: int, passes: int) -> int:
    """A position's second number with waste and passes replaced, and no card that was given back."""
    return (second & ((1 << WASTE_AT) - 1)) | waste << WASTE_AT | passes << PASS_AT


@compiled
def top_place(stock: int, waste: int) -> int:
    """The place in the stock of the waste's top card."""
    for _ in range(waste - 1):
        stock &= stock - 1
    return lowest(stock)


@compiled
def talon_move(
    first: int, second: int, place: int, cost: int, fits: int, view: View, children: Ints, sheet: Sheet
) -> None:
    """Add what playing a card of the talon leads to. The second number has the waste without it."""
    card = sheet.stock[place]
    first ^= 1 << (STOCK_AT + place)
    if card & fits:
        add(first, lies_down(lowest(card), second, view.lying, view.visible), cost + 1, children)
    if card & next_up(view.up) and view.given == 0:
        add(raised(first, lowest(card)), goes(lowest(card), second, view.lying), cost + 1, children)


@compiled
def talon_moves(first: int, second: int, cost: int, fits: int, view: View, children: Ints, sheet: Sheet) -> None:
    """Add what playing each card of the talon leads to that can be drawn to."""
    draw, passes = sheet.constants[DRAW], sheet.constants[PASSES]
    number = popcount(view.stock)
    recycles = passes == 0 or view.passes + 1 < passes
    later = view.passes + 1 if passes else 0
    to_end = (number - view.waste + draw - 1) // draw
    wanted = fits | next_up(view.up)
    mask, index = view.stock, 0
    while mask:
        place = lowest(mask)
        mask &= mask - 1
        index += 1
        if not sheet.stock[place] & wanted:
            continue
        if index >= view.waste and ((index - view.waste) % draw == 0 or index == number):
            draws, number_of_pass = (index - view.waste + draw - 1) // draw, view.passes
        elif recycles and (index % draw == 0 or index == number):
            draws, number_of_pass = to_end + (index + draw - 1) // draw, later
        else:
            continue
        after = with_waste(second, index - 1, number_of_pass)
        talon_move(first, after, place, cost + draws, fits, view, children, sheet)


@compiled
def expand(first: int, second: int, cost: int, children: Ints, sheet: Sheet) -> int:
    """Write all children of a position. Returns how many."""
    last = children.shape[0] - 1
    children[last, 0] = 0
    view = view_of(first, second, sheet)
    second = with_waste(second, view.waste, view.passes)
    if safe_move(first, second, cost, view, children, sheet):
        return 1
    fits, risers = room(view.visible, view.lying, view.free), -1
    if view.given:
        fits &= children_of(view.given - 1)
        risers = 1 << ((view.given - 1) ^ 1)
    talon_moves(first, second, cost, fits, view, children, sheet)
    if sheet.constants[RULES] & GIVE_BACK:
        returns(first, second, cost, fits, view, children, sheet)
    root_moves(first, second, cost, fits, view, children, sheet)
    rises(first, second, cost, risers, view, children, sheet)
    number: int = children[last, 0]
    return number
