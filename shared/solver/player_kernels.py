"""The strong player's thinking, compiled. `docs/player.md` says why it is done this way.

A *choice* is to free one card (see `docs/solver.md`): all moves up to that belong to it, and nothing new is seen before
its end. With limited passes it may also be to draw on. What a choice is worth is found out in worlds that agree with
all that was seen: each is searched on from the choice by the exact solver's kernels, within few states.

Its entrances are `observe`, `branch`, `weigh` and `rehearse`. A *seat* is what one player knows and imagines.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from shared.rules.cards import DECK
from shared.rules.variants import Variant
from shared.solver.belief import below
from shared.solver.bits import ALL
from shared.solver.components import explore, forget
from shared.solver.decide import LOOK_EVERY, NEVER, NOISE_MAX, World, lay_stock, lay_tableau
from shared.solver.easier import helps, look
from shared.solver.flat import empty_deal
from shared.solver.intrinsics import Ints, compiled, kernel, lowest, popcount
from shared.solver.kernels import (
    RUNNING,
    SOLVABLE,
    UNSOLVABLE,
    begin,
    expand,
    layer_at,
    push,
    restart,
    search,
)
from shared.solver.layers import Deal, Layer, settle, take, won
from shared.solver.memory import (
    CARD,
    EXIT,
    KEY,
    NOISE,
    RISE,
    STATES,
    TOP,
    USED,
    Memory,
    new_memory,
)

CALLEES: Final = "e6449ec7bafe6d7a"
"""A digest of the files that are compiled into this one. A test says what it has to be."""

Floats = npt.NDArray[np.float64]

DRAW_ON: Final = 0
"""Stands for a card where the choice is to draw on."""
IN_STOCK: Final = -1
"""The column of a place that is in the stock."""
CHOICES_MAX: Final = 256
HEIGHTS_SHIFT: Final = 32
"""Where a component's key has the heights of its foundations: see `kernels.key_of`."""
ALL_CARDS: Final = 52
RUN_GROWTH: Final = 125
"""Per cent, from one restart to the next."""


class Scale(NamedTuple):
    """What a world is worth, searched on from a choice. Measured on games of this player: see `docs/player.md`."""

    states: int
    """How far a world is searched."""
    run: int
    """States until the search begins again in another order."""
    unknown: float
    """Not decided within `states`."""
    hidden: float
    """What each face-down card takes off a win."""
    cards: bool
    """Whether it is not the win that counts, but every card that goes up, as in Vegas."""


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
    order: Ints
    """Choices, the best first."""
    drawn: Ints
    """One number: in how many worlds the first of `order` was weighed."""
    chance: Ints
    """The random generator's state."""
    memory: Memory
    scrap: Memory
    """For the easier game."""


def new_seat(variant: Variant, rules: int, slots: int) -> Seat:
    """A seat where nothing is known. `slots`, a power of two, bound each table: two for every component met."""
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
        order=np.zeros(CHOICES_MAX, np.int64),
        drawn=np.zeros(1, np.int64),
        chance=np.zeros(1, np.int64),
        memory=new_memory(slots),
        scrap=new_memory(slots),
    )


@compiled
def blocks_left(layer: Layer, column: int) -> int:
    return (layer.counts >> (4 * column)) & 15


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
def imagine(seat: Seat, number: int) -> None:
    """Lay the unseen cards in their places in any order: Fisher and Yates' shuffle, as Durstenfeld has it."""
    for last in range(number - 1, -1, -1):
        place = below(last + 1, seat.chance)
        card = seat.hand[place]
        seat.hand[place] = seat.hand[last]
        seat.hand[last] = card
        column, place = seat.columns[last], seat.places[last]
        if column == IN_STOCK:
            seat.world.stock[place] = card
            seat.world.places[lowest(card)] = place
        else:
            seat.world.roots[column, place] = card
            seat.world.places[lowest(card)] = column


@compiled
def with_hidden(layer: Layer, hidden: int, waste: int) -> Layer:
    return Layer(
        layer.counts, layer.number, layer.stock, waste, layer.roots, layer.loose, hidden, layer.free, layer.floor
    )


@compiled
def face_down(layer: Layer, deal: Deal) -> int:
    """The cards that lie face down in the columns of a world."""
    cards = 0
    for column in range(deal.roots.shape[0]):
        for block in range(1, blocks_left(layer, column)):
            cards |= deal.roots[column, block] | deal.rests[column, block]
    return cards


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


@compiled
def clear(memory: Memory) -> None:
    """Forget what was met in another world."""
    if memory.counters[USED]:
        memory.table[:] = 0
    memory.counters[USED] = 0


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


@kernel
def appraise(layer: Layer, entry: int, deal: Deal, seat: Seat, scale: Scale) -> float:
    """What a position in a world is worth, from 0 to 1. The tables keep what was proved lost in this world."""
    memory, counters = seat.memory, seat.memory.counters
    if scale.cards:
        return most_cards(layer, entry, deal, memory, scale)
    began, run, ends = counters[STATES], scale.run, scale.run
    asks = LOOK_EVERY if helps(deal) else NEVER
    counters[NOISE] = 0
    answer, states = begin(layer, entry, memory, deal), 0
    if answer == SOLVABLE:
        return 1.0
    while answer == RUNNING and states < scale.states:
        answer = search(deal, memory, min(scale.states, ends, asks) - states)
        states = counters[STATES] - began
        if answer == RUNNING and states >= asks:
            asks += LOOK_EVERY
            answer = look(deal, memory, seat.scrap)
        if answer == RUNNING and states >= ends:
            run = run * RUN_GROWTH // 100
            ends += run
            counters[NOISE] = NOISE_MAX
            restart(memory, deal)
    if answer == UNSOLVABLE:
        return 0.0
    forget(0, counters[TOP], memory, deal)
    return (1.0 - scale.hidden * popcount(layer.hidden)) * (1.0 if answer == SOLVABLE else scale.unknown)


@kernel
def most_cards(layer: Layer, entry: int, deal: Deal, memory: Memory, scale: Scale) -> float:
    """The most cards that a search from a position has had on the foundations, as a share of all."""
    clear(memory)
    most = popcount(entry)
    memory.counters[NOISE] = 0
    answer = begin(layer, entry, memory, deal)
    for _ in range(scale.states):
        if answer != RUNNING:
            break
        heights, up = memory.frames[memory.counters[TOP], KEY] >> HEIGHTS_SHIFT, 0
        for suit in range(4):
            up += (heights >> (4 * suit)) & 15
        most = max(most, up)
        answer = search(deal, memory, 1)
    return 1.0 if answer == SOLVABLE else most / ALL_CARDS


@kernel
def fullest(layer: Layer, entry: int, seat: Seat) -> int:
    """What is up when as many cards are as can be without freeing another."""
    size, _, _ = explore(layer, entry, 0, 0, seat.memory, seat.known)
    best = entry
    for member in range(size):
        if popcount(seat.memory.members[0, member]) > popcount(best):
            best = seat.memory.members[0, member]
    return best


@compiled
def rank_choices(live: int, seat: Seat) -> None:
    """Sort the first choices of `order` by what they were worth."""
    for end in range(1, live):
        place = end
        while place and seat.values[seat.order[place]] > seat.values[seat.order[place - 1]]:
            choice = seat.order[place]
            seat.order[place] = seat.order[place - 1]
            seat.order[place - 1] = choice
            place -= 1


@kernel
def weigh_in_worlds(layer: Layer, seat: Seat, scale: Scale, plan: tuple[int, int, int]) -> None:
    """Add to the values of the first choices of `order` what they are worth in so many worlds, the same for each.

    Args:
        layer: where the choices are.
        seat: whose they are.
        scale: what counts how much.
        plan: how many choices, in how many worlds, and how many cards were never seen.
    """
    live, worlds, unseen = plan
    for _ in range(worlds):
        imagine(seat, unseen)
        clear(seat.memory)
        clear(seat.scrap)
        here = with_hidden(layer, face_down(layer, seat.world), layer.waste)
        for place in range(live):
            choice = seat.order[place]
            child, entry = after(here, choice, seat, seat.world)
            seat.values[choice] += appraise(child, entry, seat.world, seat, scale)
    seat.drawn[0] += worlds


@kernel
def weigh(layer: Layer, seat: Seat, scale: Scale, plan: tuple[int, int, int]) -> int:
    """The best choice, by sequential halving: so many worlds for all, more for the better half, and so on.

    `plan` holds the number of choices, of searches in all, and of cards never seen. Afterwards the first choices of
    `order` are the best ones. Karnin, Koren and Somekh, Almost Optimal Exploration in Multi-Armed Bandits, ICML 2013.
    """
    live, searches, unseen = plan
    for choice in range(live):
        seat.values[choice] = 0.0
    rounds, halved = 0, live
    while halved > 1:
        rounds, halved = rounds + 1, (halved + 1) // 2
    while live > 1:
        weigh_in_worlds(layer, seat, scale, (live, max(1, searches // (rounds * live)), unseen))
        rank_choices(live, seat)
        live = (live + 1) // 2
    return int(seat.order[0])


class Rehearsal(NamedTuple):
    """How a choice is tried out: in a world, played on by a player who does not see it."""

    plies: int
    """Choices to weigh. What the best one of the last is worth is the result."""
    searches: int
    """For each of its choices, on average."""
    games: int
    choices: int
    """How many of the best choices are tried."""


@kernel
def rehearse(start: tuple[Layer, int], truth: Deal, unseen: int, seat: Seat, scale: Scale, plan: Rehearsal) -> float:
    """What a position in a world is worth to a player who knows all of it but `unseen`, and weighs each choice."""
    layer, entry = start
    left = plan.plies
    while not won(layer, truth):
        unseen &= ~(layer.roots | layer.loose | seen_in_waste(layer, truth))
        hand = observe(truth, layer, unseen, seat)
        number = branch(with_hidden(layer, layer.hidden | unseen, layer.waste), entry, seat)
        if number == 0:
            return 0.0
        choice = 0
        if number > 1:
            choice = weigh(layer, seat, scale, (number, plan.searches * number, hand))
            left -= 1
            if left == 0:
                return float(seat.values[choice] / seat.drawn[0])
        layer, entry = after(layer, choice, seat, truth)
    return 1.0


@compiled
def seen_in_waste(layer: Layer, deal: Deal) -> int:
    """The cards of the stock that lie face up on the waste, or did so in a pass before."""
    stock, cards, left = layer.stock, 0, layer.waste & 31
    if layer.waste >> 5:
        return ALL
    while stock and left:
        cards |= deal.stock[lowest(stock)]
        stock &= stock - 1
        left -= 1
    return cards


@kernel
def rehearse_best(layer: Layer, seat: Seat, inner: Seat, scale: Scale, plan: tuple[Rehearsal, int]) -> None:
    """Try each of the first choices of `order` out in the same worlds, so many more. `begin_rehearsals` comes first.

    `plan` also holds how many cards were never seen.
    """
    rehearsal, hand = plan
    unseen = 0
    for place in range(hand):
        unseen |= seat.hand[place]
    for _ in range(rehearsal.games):
        imagine(seat, hand)
        here = with_hidden(layer, face_down(layer, seat.world), layer.waste)
        for place in range(rehearsal.choices):
            choice = seat.order[place]
            start = after(here, choice, seat, seat.world)
            seat.values[choice] += rehearse(start, seat.world, unseen, inner, scale, rehearsal)
    seat.drawn[0] += rehearsal.games


@kernel
def close_choices(seat: Seat, most: int, margin: float) -> int:
    """How many of the first choices of `order` are nearly as good as the best one."""
    least = seat.values[seat.order[0]] - margin * seat.drawn[0]
    number = 1
    while number < most and seat.values[seat.order[number]] >= least:
        number += 1
    return number


@kernel
def begin_rehearsals(seat: Seat, choices: int) -> None:
    """The values of the first choices begin anew."""
    for place in range(choices):
        seat.values[seat.order[place]] = 0.0
    seat.drawn[0] = 0


@kernel
def best_rehearsed(choices: int, seat: Seat) -> int:
    rank_choices(choices, seat)
    return int(seat.order[0])


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
