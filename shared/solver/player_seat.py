"""The strong player's seat, compiled: what it knows, the worlds it imagines, and the choices it has.

A *choice* is to free one card (see `docs/solver.md`): all moves up to that belong to it, and nothing new is seen before
its end. With limited passes it may also be to draw on.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from shared.rules.cards import DECK
from shared.rules.variants import Variant
from shared.solver.belief import below
from shared.solver.components import explore
from shared.solver.decide import World, lay_stock, lay_tableau
from shared.solver.flat import empty_deal
from shared.solver.intrinsics import Ints, compiled, kernel, lowest, popcount
from shared.solver.kernels import expand, layer_at, push
from shared.solver.layers import Deal, Layer, settle, take
from shared.solver.memory import CARD, EXIT, NOISE, RISE, TOP, USED, Memory, new_memory

CALLEES: Final = "f9e7aa403272e3fc"
"""A digest of the modules that are compiled into this one. A test says what it has to be."""

Floats = npt.NDArray[np.float64]

DRAW_ON: Final = 0
"""Stands for a card where the choice is to draw on."""
IN_STOCK: Final = -1
"""The column of a place that is in the stock."""
CHOICES_MAX: Final = 256


class Seat(NamedTuple):
    """What a player knows, worlds that agree with it, and the choices there are."""

    known: Deal
    """0 where a card was never seen."""
    world: Deal
    hand: Ints
    """The cards never seen, and beside them the places never seen."""
    columns: Ints
    places: Ints
    """The block in its column, or the place in the stock."""
    cards: Ints
    """[choice]: the card that is freed, or DRAW_ON."""
    exits: Ints
    """[choice]: what is up when it leaves."""
    rises: Ints
    """[choice]: the card itself if it goes up, else 0."""
    values: Floats
    """[choice]: what it was worth in all worlds together."""
    results: Floats
    """[choice]: in the last world."""
    answers: Ints
    """[choice]: how its search ended in the last world: see `kernels`."""
    order: Ints
    """Choices, the best first."""
    drawn: Ints
    """One number: in how many worlds the first of `order` was weighed."""
    chance: Ints
    """The random generator's state."""
    memory: Memory


def new_seat(variant: Variant, rules: int, slots: int) -> Seat:
    """A seat where nothing is known. `slots`, a power of two, bound its table: two for every component met."""
    return Seat(
        known=empty_deal(variant, rules),
        world=empty_deal(variant, rules),
        hand=np.zeros(len(DECK), np.int64),
        columns=np.zeros(len(DECK), np.int64),
        places=np.zeros(len(DECK), np.int64),
        cards=np.zeros(CHOICES_MAX, np.int64),
        exits=np.zeros(CHOICES_MAX, np.int64),
        rises=np.zeros(CHOICES_MAX, np.int64),
        values=np.zeros(CHOICES_MAX, np.float64),
        results=np.zeros(CHOICES_MAX, np.float64),
        answers=np.zeros(CHOICES_MAX, np.int64),
        order=np.zeros(CHOICES_MAX, np.int64),
        drawn=np.zeros(1, np.int64),
        chance=np.zeros(1, np.int64),
        memory=new_memory(slots),
    )


@compiled
def blocks_left(layer: Layer, column: int) -> int:
    return (layer.counts >> (4 * column)) & 15


@compiled
def with_hidden(layer: Layer, hidden: int, waste: int) -> Layer:
    return Layer(
        layer.counts, layer.number, layer.stock, waste, layer.roots, layer.loose, hidden, layer.free, layer.floor
    )


@kernel
def lay(world: World, deal: Deal, first: Ints) -> None:
    """A world as a deal and the first frame of a search."""
    lay_tableau(world, deal, first)
    lay_stock(world, deal, first)


@kernel
def first_layer(first: Ints, unseen: int) -> Layer:
    """The layer of a first frame as the player knows it: a card never seen counts as face down."""
    layer = layer_at(first.reshape(1, first.size), 0)
    return with_hidden(layer, layer.hidden | unseen, layer.waste)


@kernel
def settled(layer: Layer, entry: int, known: Deal) -> tuple[Layer, int]:
    """A position with all done that is safe, as far as can be seen, and what is up then."""
    layer, forced = settle(layer, known)
    return layer, entry | forced


@kernel
def observe(truth: Deal, layer: Layer, unseen: int, seat: Seat) -> int:
    """Put what is known at a layer into a seat: all of `truth` but the cards never seen. Returns how many these are.

    The hand is sorted, so that nothing of where the unseen cards lie goes into what the player does.
    """
    number, cards = 0, 0
    for column in range(truth.roots.shape[0]):
        seat.known.strides[column] = seat.world.strides[column] = truth.strides[column]
        for block in range(truth.roots.shape[1]):
            root, rest = truth.roots[column, block], truth.rests[column, block]
            hidden = block < blocks_left(layer, column) and root & unseen
            seat.known.roots[column, block] = seat.world.roots[column, block] = 0 if hidden else root
            seat.known.rests[column, block] = seat.world.rests[column, block] = rest
            if hidden:
                cards |= root
                seat.columns[number], seat.places[number] = column, block
                number += 1
    for place in range(truth.stock.size):
        hidden = (layer.stock >> place) & 1 and truth.stock[place] & unseen
        seat.known.stock[place] = seat.world.stock[place] = 0 if hidden else truth.stock[place]
        if hidden:
            cards |= truth.stock[place]
            seat.columns[number], seat.places[number] = IN_STOCK, place
            number += 1
    for card in range(truth.places.size):
        seat.known.places[card] = seat.world.places[card] = truth.places[card]
    for place in range(number):
        seat.hand[place] = cards & -cards
        cards &= cards - 1
    return number


@compiled
def imagine(seat: Seat, number: int, turn: int) -> None:
    """Lay the unseen cards in their places: each world is as likely as any other.

    With `turn` counting up, a shuffle is followed by worlds in which all cards have moved on by one place, until each
    has been in each place once. So after that many worlds every place has shown what it can show, equally often.
    """
    if number and turn % number:
        turn_hand(seat.hand, number)
    else:
        shuffle_hand(seat, number)
    for at in range(number):
        card, column, place = seat.hand[at], seat.columns[at], seat.places[at]
        if column == IN_STOCK:
            seat.world.stock[place] = card
            seat.world.places[lowest(card)] = place
        else:
            seat.world.roots[column, place] = card
            seat.world.places[lowest(card)] = column


@compiled
def turn_hand(hand: Ints, number: int) -> None:
    """Move each card on by one place, the last one to the first."""
    last = hand[number - 1]
    for at in range(number - 1, 0, -1):
        hand[at] = hand[at - 1]
    hand[0] = last


@compiled
def shuffle_hand(seat: Seat, number: int) -> None:
    """Bring the hand into any order: Fisher and Yates' shuffle, as Durstenfeld has it."""
    for last in range(number - 1, 0, -1):
        at = below(last + 1, seat.chance)
        card = seat.hand[at]
        seat.hand[at] = seat.hand[last]
        seat.hand[last] = card


@compiled
def face_down(layer: Layer, deal: Deal) -> int:
    """The cards that lie face down in the columns of a world."""
    cards = 0
    for column in range(deal.roots.shape[0]):
        for block in range(1, blocks_left(layer, column)):
            cards |= deal.roots[column, block] | deal.rests[column, block]
    return cards


@compiled
def clear(memory: Memory) -> None:
    """Forget what was met in another world."""
    if memory.counters[USED]:
        memory.table[:] = 0
    memory.counters[USED] = 0
    memory.guide[:] = 0


@kernel
def branch(layer: Layer, entry: int, seat: Seat) -> int:
    """List the choices of a position, the ones that look best first. Returns their number."""
    memory = seat.memory
    clear(memory)
    memory.counters[TOP] = -1
    memory.counters[NOISE] = 0
    expand(push(layer, entry, memory), memory, seat.known)
    number: int = min(memory.counters[TOP], CHOICES_MAX - 1)
    for choice in range(number):
        at = memory.counters[TOP] - choice
        seat.cards[choice] = memory.frames[at, CARD]
        seat.exits[choice] = memory.frames[at, EXIT]
        seat.rises[choice] = memory.frames[at, RISE]
    if can_look(layer, seat.known):
        seat.cards[number], seat.exits[number], seat.rises[number] = DRAW_ON, entry, 0
        number += 1
    for choice in range(number):
        seat.order[choice] = choice
    seat.drawn[0] = 0
    return number


@compiled
def drawn_on(layer: Layer, deal: Deal) -> Layer:
    """After one draw, and a recycling before it where the stock is used up."""
    number, turn, waste = popcount(layer.stock), layer.waste >> 5, layer.waste & 31
    if waste == number:
        turn, waste = turn + 1, 0
    return with_hidden(layer, layer.hidden, turn << 5 | min(number, waste + deal.draw))


@compiled
def can_look(layer: Layer, deal: Deal) -> bool:
    """Whether drawing on is a choice of its own: with limited passes, while part of the stock was never seen."""
    if deal.passes == 0:
        return False
    unseen = False
    for place in range(deal.stock.size):
        unseen |= (layer.stock >> place) & 1 != 0 and deal.stock[place] == 0
    in_pass = (layer.waste & 31) < popcount(layer.stock)
    return unseen and (in_pass or (layer.waste >> 5) + 1 < deal.passes)


@compiled
def after(layer: Layer, choice: int, seat: Seat, deal: Deal) -> tuple[Layer, int]:
    """Where a choice leads in a world, with all that is safe done. Also returns what is up."""
    card = seat.cards[choice]
    child, forced = settle(take(layer, card, deal) if card else drawn_on(layer, deal), deal)
    return child, seat.exits[choice] | seat.rises[choice] | forced


@kernel
def fullest(layer: Layer, entry: int, seat: Seat) -> int:
    """What is up when as many cards are as can be without freeing another."""
    size, _, _ = explore(layer, entry, 0, 0, seat.memory, seat.known)
    best = entry
    for member in range(size):
        if popcount(seat.memory.members[0, member]) > popcount(best):
            best = seat.memory.members[0, member]
    return best
