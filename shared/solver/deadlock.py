"""Cards that wait for each other for ever, as far as known cards alone show it: lost, whatever lies face down.

A relaxed game, as in the search's own dead-end test (`docs/solver.md`), on what the player knows. What takes a place
off in the real game takes it off here as well:

- Stacks lie on the table: the columns, each with the lowest card of its topmost run on top, and in the last pass the
  waste, of which one card after the other has to leave. What lies below the top of a stack is locked.
- A card that is not locked can go up when all lower ones of its suit can. One that was never seen counts as not locked,
  as soon as a place can be uncovered that holds such a card.
- A card leaves its stack when it can go up, or when there is room: more cards that it fits on than cards of its kind
  that lie on others and cannot go up. Cards that come to lie there take no room from others, and all cards that are
  not locked are there to be lain on; of those in the stock, the ones that had room.
- A place whose card was never seen is off as soon as it is uncovered. A column with no place left is free.

If a stack stays, the position is lost: no win leaves a place occupied.
"""

from typing import Final

from shared.solver.belief import UNSEEN
from shared.solver.bits import ALL, KINGS, next_up, other_colour, room, twins
from shared.solver.decide import STOCK, UP, WASTE, World
from shared.solver.flat import COLUMNS_MAX
from shared.solver.intrinsics import Ints, compiled, kernel

CALLEES: Final = "f9e7aa403272e3fc"
"""A digest of the modules that are compiled into this one. A test says what it has to be."""

WASTE_STACK: Final = COLUMNS_MAX
STACKS: Final = COLUMNS_MAX + 1
NOTHING: Final = -1
"""In a stack's place of its top card: no card is left."""


@compiled
def bit(card: int) -> int:
    """The card as a set; no card, if it was never seen."""
    return 0 if card == UNSEEN else 1 << card


@compiled
def run_from(column: int, top: int, world: World) -> int:
    """The place of the lowest card of the run whose highest place is `top`. Cards that lie face down are no run."""
    place = top
    while place > world.downs[column]:
        fitting = other_colour(bit(world.columns[column, place]) << 4)
        if not (fitting | twins(fitting)) & bit(world.columns[column, place - 1]):
            break
        place -= 1
    return place


@compiled
def lay_stacks(known: World, last_pass: bool, tops: Ints) -> tuple[int, int, int, int]:
    """Find the place of each stack's top. Returns the locked, the loose, the top cards of columns, and free columns."""
    locked, loose, roots, free = 0, 0, 0, 0
    for column in range(COLUMNS_MAX):
        size = known.sizes[column]
        start = run_from(column, size - 1, known) if size > 0 else NOTHING
        for place in range(start + 1, max(size, 0)):
            loose |= bit(known.columns[column, place])
        if start == 0 and bit(known.columns[column, 0]) & KINGS:
            loose |= bit(known.columns[column, 0])
            start = NOTHING
        free += size >= 0 and start == NOTHING
        for place in range(start):
            locked |= bit(known.columns[column, place])
        if start != NOTHING:
            roots |= bit(known.columns[column, start])
        tops[column] = start
    tops[WASTE_STACK] = known.counts[WASTE] - 1 if last_pass else NOTHING
    for place in range(tops[WASTE_STACK]):
        locked |= bit(known.stock[place])
    return locked, loose, roots, free


@compiled
def unseen_cards(known: World) -> tuple[int, bool]:
    """The cards that were never seen, and whether one of them lies in the stock."""
    left, in_stock = ALL & ~known.counts[UP], False
    for column in range(COLUMNS_MAX):
        for place in range(known.sizes[column]):
            left &= ~bit(known.columns[column, place])
    for place in range(known.counts[STOCK]):
        left &= ~bit(known.stock[place])
        in_stock |= known.stock[place] == UNSEEN
    return left, in_stock


@compiled
def highest(top: int, locked: int) -> int:
    """All that can go up on what is up."""
    more = next_up(top) & ~locked
    while more:
        top |= more
        more = next_up(top) & ~locked
    return top


@compiled
def drawable(known: World, tops: Ints) -> int:
    """The known cards of stock and waste that do not lie in the waste's stack."""
    cards = 0
    for place in range(tops[WASTE_STACK] + 1, known.counts[STOCK]):
        cards |= bit(known.stock[place])
    return cards


@compiled
def uncover(column: int, known: World, tops: Ints) -> tuple[int, int, bool]:
    """Take the top off a column, with the places below it whose cards were never seen.

    Returns the run that shows then, a king in it that lies on nothing, and whether there were such places.
    """
    end = tops[column] - 1
    while end >= 0 and known.columns[column, end] == UNSEEN:
        end -= 1
    found = end < tops[column] - 1
    start = run_from(column, end, known) if end >= 0 else NOTHING
    cards, king = 0, 0
    for place in range(max(start, 0), end + 1):
        cards |= bit(known.columns[column, place])
    if start == 0 and bit(known.columns[column, 0]) & KINGS:
        king = bit(known.columns[column, 0])
        start = NOTHING
    tops[column] = start
    return cards, king, found


@compiled
def staying(tops: Ints) -> int:
    """How many stacks are left."""
    stacks = 0
    for stack in range(STACKS):
        stacks += tops[stack] != NOTHING
    return stacks


@kernel
def deadlocked(known: World, last_pass: bool, give_back: bool, tops: Ints) -> bool:
    """Whether a stack stays for ever. `tops`: memory for STACKS numbers."""
    locked, loose, roots, free = lay_stacks(known, last_pass, tops)
    unseen, found = unseen_cards(known)
    stock = drawable(known, tops)
    top = known.counts[UP]
    tableau = roots | loose | (top if give_back else 0)
    moved = True
    while moved:
        moved = False
        top = highest(top, locked if found else locked | unseen)
        fits = room(tableau | (unseen if found else 0), loose & ~top, free)
        if stock & fits & ~tableau:
            tableau |= stock & fits
            moved = True
        place = tops[WASTE_STACK]
        if place >= 0 and bit(known.stock[place]) & (fits | top):
            tableau |= bit(known.stock[place])
            tops[WASTE_STACK] = place - 1
            locked &= ~bit(known.stock[max(place - 1, 0)])
            moved = True
        for column in range(COLUMNS_MAX):
            place = tops[column]
            if place >= 0 and bit(known.columns[column, place]) & (top | (fits if place else fits & ~KINGS)):
                cards, king, hole = uncover(column, known, tops)
                locked &= ~cards
                tableau |= cards
                loose |= king
                free += tops[column] == NOTHING
                found |= hole
                moved = True
    return staying(tops) > 0
