"""Layers: which cards were freed. What follows when one more is, and what never can.

`docs/solver.md` says what a layer, a root and the floor are, and proves each rule.
"""

from typing import Final, NamedTuple

from shared.solver.bits import ALL, KINGS, next_up, room, safe_next
from shared.solver.intrinsics import Ints, compiled, lowest, popcount

CALLEES: Final = "b06a4357ed9bc154"
"""A digest of the modules that are compiled into this one. A test says what it has to be."""

USE_FLOOR, USE_DEAD_ENDS, USE_PHASES, USE_LAZY, USE_FORCE, GIVE_BACK, USE_EASIER = 1, 2, 4, 8, 16, 32, 64
"""Bits of `Deal.rules`: each pruning rule can be switched off, and is in tests."""


class Layer(NamedTuple):
    """What only ever shrinks or grows: which cards were freed. The foundations are not part of it."""

    counts: int
    """Four bits a column: blocks of dealt cards that are still in place."""
    number: int
    """The counts as one number in mixed radix."""
    stock: int
    """A bit for each place of the stock that still holds its card."""
    waste: int
    """Cards in the waste, with 32 for each pass before; 0 for all wastes that are as good as a full stock."""
    roots: int
    """The lowest card of each column's topmost block."""
    loose: int
    """Cards on foundations or on other cards: all that are neither roots, nor face down, nor in the stock."""
    hidden: int
    free: int
    """Columns without a root. Each loose king in the tableau takes one."""
    floor: int
    """Cards that are up for good."""


class Deal(NamedTuple):
    """What stays the same during a search."""

    roots: Ints
    """[column, blocks left]: the lowest card of the topmost block."""
    rests: Ints
    """[column, blocks left]: the other cards of that block."""
    strides: Ints
    """What a block of each column counts for in a layer's number."""
    places: Ints
    """Where each card is: the column of a root, the place in the stock of its cards."""
    stock: Ints
    """The card at each place of the stock, the first one drawn first."""
    draw: int
    passes: int
    """0: without limit."""
    rules: int


@compiled
def any_order(deal: Deal) -> bool:
    """Whether every card of the stock can be played at any time."""
    return deal.draw == 1 and deal.passes == 0


@compiled
def drawn(index: int, number: int, waste: int, draw: int) -> bool:
    """Whether drawing on from a waste brings the card at a place, counted from 1, to the top."""
    return waste <= index and ((index - waste) % draw == 0 or index == number)


@compiled
def reach(layer: Layer, deal: Deal) -> int:
    """The cards of the stock that can be brought to the top of the waste."""
    found = 0
    stock = layer.stock
    number = popcount(stock)
    recycles = deal.passes == 0 or (layer.waste >> 5) + 1 < deal.passes
    index = 0
    while stock:
        card = deal.stock[lowest(stock)]
        stock &= stock - 1
        index += 1
        if drawn(index, number, layer.waste & 31, deal.draw) or (recycles and drawn(index, number, 0, deal.draw)):
            found |= card
    return found


@compiled
def take_root(layer: Layer, column: int, deal: Deal) -> Layer:
    """Free the root of a column, and turn up what it lay on. A king that lies on nothing is loose."""
    left = (layer.counts >> (4 * column)) & 15
    card = deal.roots[column, left]
    taken = 1
    root, rest = deal.roots[column, left - 1], deal.rests[column, left - 1]
    loose = layer.loose | card | rest
    roots = layer.roots ^ card
    if left == 2 and root & KINGS:
        taken = 2
        loose |= root
    else:
        roots |= root
    counts = layer.counts - (taken << (4 * column))
    number = layer.number - taken * deal.strides[column]
    free = layer.free + (left == taken)
    return Layer(
        counts, number, layer.stock, layer.waste, roots, loose, layer.hidden & ~(root | rest), free, layer.floor
    )


@compiled
def take_stock(layer: Layer, card: int, deal: Deal) -> Layer:
    """Free a card of the stock, as early as it can be drawn."""
    place = deal.places[lowest(card)]
    stock = layer.stock & ~(1 << place)
    before = popcount(stock & ((1 << place) - 1))
    waste = before
    if deal.passes:
        in_this_pass = drawn(before + 1, popcount(layer.stock), layer.waste & 31, deal.draw)
        waste += (layer.waste & ~31) + (0 if in_this_pass else 32)
    elif before % deal.draw == 0 or before == popcount(stock):
        waste = 0
    return Layer(
        layer.counts, layer.number, stock, waste, layer.roots, layer.loose | card, layer.hidden, layer.free, layer.floor
    )


@compiled
def take(layer: Layer, card: int, deal: Deal) -> Layer:
    if card & layer.roots:
        return take_root(layer, deal.places[lowest(card)], deal)
    return take_stock(layer, card, deal)


@compiled
def with_floor(layer: Layer, floor: int) -> Layer:
    return Layer(
        layer.counts, layer.number, layer.stock, layer.waste, layer.roots, layer.loose, layer.hidden, layer.free, floor
    )


@compiled
def settle(layer: Layer, deal: Deal) -> tuple[Layer, int]:
    """Raise the floor as far as it goes, and free what that makes safe. Also returns what has to be up for it."""
    if not deal.rules & USE_FLOOR:
        return layer, layer.floor
    free_stock = any_order(deal)
    forced = 0
    while True:
        safe = safe_next(layer.floor) & ~layer.hidden
        if not free_stock:
            safe &= layer.loose | layer.roots
        taken = safe & ~layer.loose
        if taken == 0 and free_stock and deal.rules & USE_FORCE and deal.rules & GIVE_BACK:
            taken = next_up(layer.floor) & ~(layer.hidden | layer.loose | layer.roots)
            forced |= taken & -taken
        if taken:
            layer = take(layer, taken & -taken, deal)
        safe &= layer.loose
        if not (safe | taken):
            return layer, layer.floor | forced
        layer = with_floor(layer, layer.floor | safe)


@compiled
def dead_end(layer: Layer, deal: Deal) -> bool:
    """Whether a face-down card can never be turned up, even if cards to come took no room from each other."""
    counts, free, hidden = layer.counts, layer.free, layer.hidden
    tableau = (layer.roots | layer.loose) & ~layer.floor
    stock = ALL & ~(layer.roots | layer.loose | hidden)
    top = layer.floor
    moved = True
    while hidden and moved:
        moved = False
        more = next_up(top) & ~hidden
        while more:
            top |= more
            more = next_up(top) & ~hidden
        fits = room(tableau, layer.loose & ~top, free)
        if stock & fits & ~tableau:
            tableau |= stock & fits
            moved = True
        for column in range(deal.roots.shape[0]):
            left = (counts >> (4 * column)) & 15
            root = deal.roots[column, left]
            while left and root & ((fits | top) if left > 1 else (fits & ~KINGS | top)):
                moved = True
                counts -= 1 << (4 * column)
                left -= 1
                free += left == 0
                root = deal.roots[column, left]
                hidden &= ~(root | deal.rests[column, left])
                tableau |= root | deal.rests[column, left]
    return bool(hidden != 0)


@compiled
def won(layer: Layer, deal: Deal) -> bool:
    """Whether the rest plays itself: nothing is face down, and the stock is no hindrance."""
    return layer.hidden == 0 and (layer.stock == 0 or any_order(deal))
