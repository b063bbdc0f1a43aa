"""Cards stay in the stock until they are of use at once. Only where every card of the stock can be played at any time.

`docs/solver.md`, "No card before it is of use", has the argument. A *promise* is a card that has just left the stock
for something that has to follow at once.
"""

from typing import Final

from shared.solver.bits import KINGS, bare, next_up, other_colour, twins
from shared.solver.intrinsics import compiled
from shared.solver.layers import GIVE_BACK, Deal, Layer

CALLEES: Final = "3ecc6fb7585554af"
"""A digest of the modules that are compiled into this one. A test says what it has to be."""


@compiled
def parents(cards: int) -> int:
    """All that any of the cards may lie on."""
    one = other_colour((cards & ~KINGS) << 4)
    return one | twins(one)


@compiled
def children(cards: int) -> int:
    """All that may lie on any of the cards."""
    one = other_colour(cards >> 4)
    return one | twins(one)


@compiled
def returnable(up: int, floor: int, deal: Deal) -> int:
    """The cards that may come down from the foundations, sooner or later."""
    return up & ~floor if deal.rules & GIVE_BACK else 0


@compiled
def tops(up: int, floor: int, deal: Deal) -> int:
    """The cards that may come down from the foundations now."""
    return returnable(up, floor, deal) & ~(up >> 4)


@compiled
def leaving(layer: Layer, up: int) -> int:
    """The cards of the tableau that are next on their foundation."""
    return next_up(up) & ~up & (layer.roots | layer.loose)


@compiled
def wanted(layer: Layer, stock: int, up: int, fits: int, deal: Deal) -> int:
    """The cards to be put down: a seat on them is missing to a root, to the children of a twin that is leaving, or to
    another such card. Those that lie above one on its foundation are wanted, too.
    """
    full = ~bare(fits)
    back = returnable(up, layer.floor, deal)
    found = (parents(layer.roots) | twins(leaving(layer, up))) & full
    more = found & (stock | back)
    while more:
        above = ((more & back) << 4) & back
        more = ((parents(more) & full) | above) & ~found
        found |= more
        more &= stock | back
    return found


@compiled
def rising(stock: int, follows: int) -> int:
    """The cards of the stock from which a foundation grows on, by others of the stock, to one of those that follow."""
    found = 0
    more = (follows >> 4) & stock
    while more:
        found |= more
        more = (more >> 4) & stock
    return found


@compiled
def useful(layer: Layer, stock: int, up: int, fits: int, deal: Deal) -> int:
    """The cards of the stock that may go up: one of the tableau follows that is bare, or whose twin may be put down."""
    tableau = (layer.roots | layer.loose) & ~up
    soon = twins(stock | returnable(up, layer.floor, deal))
    return rising(stock, tableau & (bare(fits) | soon))


@compiled
def carriers(card: int, down: int) -> int:
    """A card, and those of some others that can lie on it and on each other."""
    found = card
    more = children(card) & down
    while more:
        found |= more
        more = children(more) & down & ~found
    return found


@compiled
def is_promise(layer: Layer, stock: int, up: int, fits: int, card: int, rise: bool, deal: Deal) -> bool:
    """Whether all that a card can leave the stock for frees another card at once."""
    if rise:
        tableau = (layer.roots | layer.loose) & ~up
        return not ((card << 4) & layer.loose or card & rising(stock, tableau & ~bare(fits)))
    found = carriers(card, tops(up, layer.floor, deal))
    if leaving(layer, up) & layer.loose & twins(found):
        return False
    exposed = ((found & ~card) >> 4) & returnable(up, layer.floor, deal)
    return not (exposed and exposed & wanted(layer, stock, up, fits, deal))


@compiled
def kept(layer: Layer, down: int, card: int, rise: bool) -> tuple[int, int]:
    """What may follow on a promise, by being put down and by going up, if some cards may come down in between."""
    if rise:
        return 0, card << 4
    found = carriers(card, down)
    return children(found), twins(found) & layer.roots
