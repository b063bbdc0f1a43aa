"""Proof that no way to win is left, whatever lies face down.

**Known cards may be enough**: those that wait for each other for ever, see `deadlock`.

**One search stands for many worlds.** A world is laid out and searched to its end without a win. The search has learnt
which card lies in a place only where it uncovered that place, or could draw it. Any world with the same cards in these
places would have been searched in the very same way: lost as well. So when it never came upon a card that the player
has not seen, every world is lost, and one search has proved it. That is how most games end up that are stuck.

When it did, one such place is chosen, each unseen card is put there in turn, and each of these cases is proved by
itself, with that card taken for known. A world that can be won ends the proof: the position is not lost.

What a search came upon can be read from its table afterwards, which holds every layer that it met: the fewest cards
left in place of each column. Cards of the stock count as come upon from the start. The dead-end test of the search
itself is off, since it looks below cards that cannot be moved; its other rules ask which cards are face down, not
where, and that is the same in all these worlds once the stock's cards are.
"""

from collections.abc import Callable
from typing import Final, Literal, NamedTuple

import numpy as np

from shared.rules.cards import DECK
from shared.rules.variants import Variant
from shared.solver.belief import UNSEEN, Chance, gather, sample
from shared.solver.deadlock import STACKS, deadlocked
from shared.solver.decide import PASS, STOCK, Desk, World, new_world
from shared.solver.flat import ALL_RULES, COLUMNS_MAX
from shared.solver.intrinsics import Ints, compiled, kernel
from shared.solver.judge import Judge
from shared.solver.kernels import SOLVABLE, UNSOLVABLE
from shared.solver.layers import USE_DEAD_ENDS

CALLEES: Final = "de939b1c8bd975f5"
"""A digest of the modules that are compiled into this one. A test says what it has to be."""

STATES_A_WORLD: Final = 100_000
PRICE: Final = 10
"""What looking for a deadlock costs, in states."""
LAYER_SHIFT: Final = 48
"""Where a table's entry has the layer's number: see `kernels.key_of`."""
LAYER_MASK: Final = 0xFFFF
NUMBER: Final = 1
"""The field of a frame with the layer's number."""

Proof = Literal["lost", "winnable", "unknown"]
"""In every world; not in every world; the budget ended first."""


class Place(NamedTuple):
    """Where a card lies. In the stock the column is -1."""

    column: int
    place: int


class Prover:
    """Proves positions of one variant, one at a time."""

    def __init__(self, variant: Variant, states: int, stopped: Callable[[], bool]) -> None:
        self._variant = variant
        self._judge = Judge(variant, states, ALL_RULES & ~USE_DEAD_ENDS)
        self._stopped = stopped
        self._world = new_world()
        self._least = np.zeros(COLUMNS_MAX, np.int64)
        self._tops = np.zeros(STACKS, np.int64)

    def deadlocked(self, known: World) -> bool:
        """The quick proof: whether cards that are known wait for each other for ever."""
        self._judge.states -= PRICE
        passes = self._variant.passes
        last_pass = passes is not None and known.counts[PASS] + 1 >= passes
        return deadlocked(known, last_pass, self._variant.foundation_give_back, self._tops)

    def prove(self, known: World, chance: Chance) -> Proof:
        """Whether every world that agrees with `known` is lost."""
        if self._stopped() or self._judge.states <= 0:
            return "unknown"
        if self.deadlocked(known):
            return "lost"
        sample(known, chance, self._world)
        answer = self._judge.decide(self._world, STATES_A_WORLD)
        if answer != UNSOLVABLE:
            return "winnable" if answer == SOLVABLE else "unknown"
        least_left(self._judge.desk, self._least)
        place = _come_upon(known, self._least)
        return "lost" if place is None else self._prove_each(known, place, chance)

    def _prove_each(self, known: World, place: Place, chance: Chance) -> Proof:
        """The proof for each card that may lie in a place."""
        pile = known.stock if place.column < 0 else known.columns[place.column]
        hand = np.zeros(len(DECK), np.int64)
        for card in hand[: gather(known, hand)]:
            pile[place.place] = card
            proof = self.prove(known, chance)
            pile[place.place] = UNSEEN
            if proof != "lost":
                return proof
        return "lost"


def _come_upon(known: World, least: Ints) -> Place | None:
    """A place whose card was never seen, and that a search came upon. The upper ones in a column first."""
    for column in range(COLUMNS_MAX):
        for place in range(int(known.downs[column]) - 1, max(int(least[column]) - 1, 0) - 1, -1):
            if known.columns[column, place] == UNSEEN:
                return Place(column, place)
    stock = known.stock[: known.counts[STOCK]]
    return next((Place(-1, int(place)) for place in np.flatnonzero(stock == UNSEEN)), None)


@compiled
def note(number: int, strides: Ints, least: Ints) -> None:
    """Lower `least` to what a layer, given by its number, has left in each column."""
    for column in range(strides.size - 1, -1, -1):
        left = number // strides[column]
        number -= left * strides[column]
        least[column] = min(least[column], left)


@kernel
def least_left(desk: Desk, least: Ints) -> None:
    """After a search: the fewest blocks of each column that were in place in any layer it met."""
    least[:] = LAYER_MASK
    note(desk.memory.frames[0, NUMBER], desk.deal.strides, least)
    for table in (desk.memory.table, desk.scrap.table):
        for entry in table:
            if entry:
                note((entry >> LAYER_SHIFT) & LAYER_MASK, desk.deal.strides, least)
