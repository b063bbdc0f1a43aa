"""The compiled second search: plain states, and only what is proved in print. `docs/solver.md` says what that is.

It shares no idea and, but for single instructions, no code with `kernels`, and is meant to be read and believed. A card
is a number: four times its rank less one, plus 0 to 3 for diamonds, hearts, clubs, spades.

A state is two integers, exact: nothing is hashed away, and each can be read back.

- The first: four bits for the height of each foundation, three bits for each column's cards that are still where they
  were dealt, a bit for each card that is still in stock or waste.
- The second: for each card in the tableau that has left its place, on which of its two parents it lies; then five bits
  for the cards in the waste and two for the recycles until now.

A card that lies neither up, nor in the stock, nor where it was dealt lies on one of the two cards of the next higher
rank and the other colour, or is a king in a column of its own. So the two integers tell every pile, and columns that
differ only by their place are one.
"""

from typing import Final, NamedTuple

from shared.solver.intrinsics import Ints, compiled, kernel, lowest, popcount

CALLEES: Final = "e250284956965dff"
"""A digest of the modules that are compiled into this one. A test says what it has to be."""

RUNNING, WON, LOST, TABLE_FULL, STACK_FULL = range(5)
"""Answers of `search`."""
TOP, STATES, USED, COUNTERS = range(4)
"""Places of `Memory.counters`: states that wait, states looked at, slots used."""
CHILDREN_MAX: Final = 256
"""More than any state has."""

_ALL: Final = (1 << 52) - 1
_KINGS: Final = 0xF << 48
_FIRST_KING: Final = 48
_SUIT: Final = 0x1111111111111
_COUNTS: Final = 16
_STOCK: Final = 37
_TAKEN: Final = 1 << 61
"""Set in every state, so that no slot with one is zero."""
_WASTE: Final = 52
_PASS: Final = 57
_WON_HEIGHTS: Final = 0xDDDD


class Dealt(NamedTuple):
    """What stays the same."""

    cards: Ints
    """[column, place]: the cards of the columns, the lowest first."""
    shown: Ints
    """[column, place]: whether a card lay face up at the start."""
    sizes: Ints
    """How many cards each column has at the start."""
    stock: Ints
    """Waste and stock, the first one drawn first."""
    draw: int
    passes: int
    """0: without limit."""
    give_back: int


class View(NamedTuple):
    """What a state shows: sets of cards, a bit each."""

    roots: int
    """The topmost card of each column that is where it was dealt."""
    loose: int
    """Cards that lie on one that they fit, or are kings that lie on nothing."""
    tops: int
    """Of both, those that nothing lies on."""
    waiting: int
    """Cards in stock and waste."""
    empty: int
    """Columns."""


class Memory(NamedTuple):
    """Where a search works."""

    table: Ints
    """[slot, 0 or 1]: every state that was met. Open addressing."""
    stack: Ints
    """[place, 0 or 1]: the states that wait."""
    counters: Ints


@compiled
def height(a: int, suit: int) -> int:
    return (a >> (4 * suit)) & 15


@compiled
def safe(a: int, card: int) -> bool:
    """Blake and Gent: both foundations of the other colour at its rank - 2, the other of its colour at rank - 3."""
    rank, suit = card // 4 + 1, card & 3
    other = (suit & 2) ^ 2
    return height(a, other) >= rank - 2 and height(a, other + 1) >= rank - 2 and height(a, suit ^ 1) >= rank - 3


@compiled
def is_next(a: int, card: int) -> bool:
    return height(a, card & 3) == card // 4


@compiled
def parent(card: int, which: int) -> int:
    """One of the two cards that a card may lie on; a king has none."""
    return 4 * (card // 4 + 1) + ((card & 2) ^ 2) + which


@compiled
def fits(card: int, under: int) -> bool:
    """Whether a card may lie on another: one rank less, the other colour."""
    return card // 4 + 1 == under // 4 and (card ^ under) & 2 == 2


@compiled
def uncover(a: int, b: int, column: int, left: int, dealt: Dealt) -> tuple[int, int]:
    """The state with so many cards of a column in their place, and none on them.

    A card that was dealt face up on one that it fits has left its place, and so has a king that lies on nothing.
    """
    while left > 0:
        card = dealt.cards[column, left - 1]
        if left > 1:
            under = dealt.cards[column, left - 2]
            if not (
                dealt.shown[column, left - 2] and card < _FIRST_KING and under in (parent(card, 0), parent(card, 1))
            ):
                break
            b |= (under & 1) << card
        elif card < _FIRST_KING:
            break
        left -= 1
    shift = _COUNTS + 3 * column
    return a & ~(7 << shift) | left << shift, b


@compiled
def lift(a: int, b: int, card: int, roots: int, dealt: Dealt) -> tuple[int, int]:
    """The state without a card of the tableau, and what that uncovers."""
    if not (roots >> card) & 1:
        return a, b & ~(1 << card)
    for column in range(dealt.sizes.size):
        left = (a >> (_COUNTS + 3 * column)) & 7
        if left and dealt.cards[column, left - 1] == card:
            return uncover(a, b, column, left - 1, dealt)
    return a, b


@compiled
def mix(a: int, b: int, slots: int) -> int:
    key = a ^ (b * -7046029254386353131)
    key ^= key >> 31
    key *= -4658895280553007687
    return (key ^ (key >> 29)) & (slots - 1)


@kernel
def meet(a: int, b: int, memory: Memory) -> bool:
    """Let a state wait, unless it was met before. Whether it is won."""
    table, counters = memory.table, memory.counters
    slot = mix(a, b, table.shape[0])
    while table[slot, 0] != 0:
        if table[slot, 0] == a and table[slot, 1] == b:
            return False
        slot = (slot + 1) & (table.shape[0] - 1)
    table[slot, 0], table[slot, 1] = a, b
    counters[USED] += 1
    memory.stack[counters[TOP], 0], memory.stack[counters[TOP], 1] = a, b
    counters[TOP] += 1
    return bool(a & 0xFFFF == _WON_HEIGHTS)


@compiled
def put(a: int, b: int, card: int, view: View, memory: Memory) -> bool:
    """Meet the states in which a card, which was lifted, lies in the tableau. Whether one is won."""
    won = False
    if card >= _FIRST_KING:
        return meet(a, b, memory) if view.empty > 0 else False
    for which in range(2):
        if (view.tops >> parent(card, which)) & 1:
            won |= meet(a, b | which << card, memory)
    return won


@compiled
def take(a: int, b: int, index: int, bit: int, dealt: Dealt) -> tuple[int, int, bool]:
    """The state without a card of the stock, and whether it can be played.

    Args:
        a: the state.
        b: the state.
        index: the card's place among those that are left, from 1.
        bit: its place at the start.
        dealt: what stays the same.
    """
    left = popcount((a >> _STOCK) & 0xFFFFFF)
    waste, recycles = (b >> _WASTE) & 31, (b >> _PASS) & 3
    now = index >= waste and ((index - waste) % dealt.draw == 0 or index == left)
    later = index % dealt.draw == 0 or index == left
    if not now and (not later or (dealt.passes and recycles + 1 >= dealt.passes)):
        return a, b, False
    waste = index - 1
    if dealt.passes:
        recycles += 0 if now else 1
    elif waste % dealt.draw == 0 or waste == left - 1:
        waste = 0
    b = b & ((1 << _WASTE) - 1) | waste << _WASTE | recycles << _PASS
    return a & ~(1 << (_STOCK + bit)), b, True


@compiled
def view_of(a: int, b: int, dealt: Dealt) -> View:
    """What a state shows."""
    up = roots = below = waiting = covered = empty = 0
    for suit in range(4):
        up |= (_SUIT & ((1 << (4 * height(a, suit))) - 1)) << suit
    for column in range(dealt.sizes.size):
        left = (a >> (_COUNTS + 3 * column)) & 7
        empty += left == 0
        for place in range(left - 1):
            below |= 1 << dealt.cards[column, place]
        if left:
            roots |= 1 << dealt.cards[column, left - 1]
    more = (a >> _STOCK) & 0xFFFFFF
    while more:
        waiting |= 1 << dealt.stock[lowest(more)]
        more &= more - 1
    loose = _ALL & ~(up | roots | below | waiting)
    more = loose & ~_KINGS
    while more:
        card = lowest(more)
        more &= more - 1
        covered |= 1 << parent(card, (b >> card) & 1)
    return View(roots, loose, (roots | loose) & ~covered, waiting, empty - popcount(loose & _KINGS))


@compiled
def forced_card(a: int, view: View, dealt: Dealt) -> int:
    """A card that can go up and is safe there, or -1. In the stock only where any card can be played at any time."""
    more = view.tops | (view.waiting if dealt.draw == 1 and dealt.passes == 0 else 0)
    while more:
        card = lowest(more)
        more &= more - 1
        if is_next(a, card) and safe(a, card):
            return card
    return -1


@compiled
def raise_card(a: int, b: int, card: int, view: View, memory: Memory, dealt: Dealt) -> bool:
    """Meet the state in which the top card of a column went up. Whether it is won."""
    a, b = lift(a, b, card, view.roots, dealt)
    return meet(a + (1 << (4 * (card & 3))), b, memory)


@compiled
def draw_cards(a: int, b: int, wanted: int, view: View, memory: Memory, dealt: Dealt) -> bool:
    """Meet the states in which a card of the stock is played, or one card only, upwards. Whether one is won."""
    won = False
    more = (a >> _STOCK) & 0xFFFFFF
    index = 0
    while more:
        bit = lowest(more)
        more &= more - 1
        index += 1
        card = dealt.stock[bit]
        one, two, possible = take(a, b, index, bit, dealt)
        if possible and wanted in (-1, card):
            if is_next(a, card):
                won |= meet(one + (1 << (4 * (card & 3))), two, memory)
            if wanted == -1:
                won |= put(one, two, card, view, memory)
    return won


@compiled
def give_back(a: int, b: int, view: View, memory: Memory) -> bool:
    """Meet the states in which a card came back from its foundation; a safe one never has to. Whether one is won."""
    won = False
    for suit in range(4):
        card = 4 * height(a, suit) - 4 + suit
        if height(a, suit) and not safe(a, card):
            won |= put(a - (1 << (4 * suit)), b, card, view, memory)
    return won


@compiled
def move_cards(a: int, b: int, view: View, memory: Memory, dealt: Dealt) -> bool:
    """Meet the states in which a card of the tableau moved, with what lies on it. Whether one is won.

    A part of a run moves only if the card under it then goes up; a king that lies on nothing only goes up.
    """
    won = False
    more = view.roots | view.loose
    while more:
        card = lowest(more)
        more &= more - 1
        root = (view.roots >> card) & 1
        if root or (card < _FIRST_KING and is_next(a, parent(card, (b >> card) & 1))):
            one, two = lift(a, b, card, view.roots, dealt)
            won |= put(one, two, card, view, memory)
        if (view.tops >> card) & 1 and is_next(a, card):
            won |= raise_card(a, b, card, view, memory, dealt)
    return won


@kernel
def expand(a: int, b: int, memory: Memory, dealt: Dealt) -> bool:
    """Meet all states that one leads to. Whether one of them is won."""
    view = view_of(a, b, dealt)
    forced = forced_card(a, view, dealt)
    if forced >= 0 and not (view.waiting >> forced) & 1:
        return raise_card(a, b, forced, view, memory, dealt)
    won = draw_cards(a, b, forced, view, memory, dealt)
    if forced < 0:
        if dealt.give_back:
            won |= give_back(a, b, view, memory)
        won |= move_cards(a, b, view, memory, dealt)
    return won


@kernel
def begin(heights: int, waste: int, recycles: int, memory: Memory, dealt: Dealt) -> int:
    """Meet the first state: foundations as in a state, all columns and the stock as they were dealt."""
    a = heights | ((1 << dealt.stock.size) - 1) << _STOCK | _TAKEN
    if dealt.passes == 0 and (waste % dealt.draw == 0 or waste == dealt.stock.size):
        waste = 0
    b = waste << _WASTE | recycles << _PASS
    for column in range(dealt.sizes.size):
        a, b = uncover(a, b, column, dealt.sizes[column], dealt)
    return WON if meet(a, b, memory) else RUNNING


@kernel
def search(states: int, memory: Memory, dealt: Dealt) -> int:
    """Look at so many states more."""
    counters = memory.counters
    end = counters[STATES] + states
    while counters[TOP] > 0:
        if counters[STATES] >= end:
            return RUNNING
        if 4 * (counters[USED] + CHILDREN_MAX) > 3 * memory.table.shape[0]:
            return TABLE_FULL
        if counters[TOP] + CHILDREN_MAX > memory.stack.shape[0]:
            return STACK_FULL
        counters[TOP] -= 1
        counters[STATES] += 1
        if expand(memory.stack[counters[TOP], 0], memory.stack[counters[TOP], 1], memory, dealt):
            return WON
    return LOST


@kernel
def rehash(old: Ints, new: Ints) -> None:
    """Put all states of a table into a larger, empty one."""
    for at in range(old.shape[0]):
        if old[at, 0]:
            slot = mix(old[at, 0], old[at, 1], new.shape[0])
            while new[slot, 0] != 0:
                slot = (slot + 1) & (new.shape[0] - 1)
            new[slot, 0], new[slot, 1] = old[at, 0], old[at, 1]
