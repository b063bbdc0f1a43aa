"""The arrays that a search works on, and what is where in them: made once, used for one search after the other."""

from typing import Final, NamedTuple

import numpy as np

from shared.solver.intrinsics import Ints

FRAMES: Final = 8192
"""How many positions may lie on the stack. The deepest search met needs a tenth of them."""
CARDS: Final = 52
MEMBERS: Final = 14**4
"""All that four foundations can hold: no component is larger."""

TOP, STATES, USED, STAMP, SEED, NOISE, RUN, RUN_END, LOOK, COUNTERS = range(10)
"""Places of `Memory.counters`: the stack's top, states expanded, slots used, explorations, two for randomness; the
length of this run, and at which number of states it ends and the next look at the easier game is due."""

ENTRY, PARENT, CARD, EXIT, RISE, OPEN, KEY, SCORE, PROMISE, ALIVE, FIELDS = range(9, 20)
"""Fields of a frame after the nine of its layer. EXIT: what was up in the parent when CARD left; RISE: CARD or 0;
PROMISE: CARD if it has to be of use at once; ALIVE: whether the easier game can be won from here."""
WASTE: Final = 3


class Memory(NamedTuple):
    """Where a search works. All of it is there before it starts."""

    frames: Ints
    """[depth, field]"""
    members: Ints
    """[0 the expanded component, 1 its child; member]: what is up."""
    fits: Ints
    """[the same]: cards that have room in the tableau."""
    rises: Ints
    """[the same]: cards that can be freed by going up."""
    puts: Ints
    """[member of the expanded component]: of the cards that have room, those to try."""
    indices: Ints
    stamps: Ints
    table: Ints
    """Open addressing. An entry is a component's key, with the wastes it was met with in the lowest eight bits."""
    counters: Ints
    guide: Ints
    """[card]: what its score gains for how early it was freed on a way to a win from another choice; mostly 0."""


def new_memory(slots: int) -> Memory:
    """Memory whose table of components has so many slots, a power of two. Half of them can be used."""
    return Memory(
        frames=np.zeros((FRAMES, FIELDS), np.int64),
        members=np.zeros((2, MEMBERS), np.int64),
        fits=np.zeros((2, MEMBERS), np.int64),
        rises=np.zeros((2, MEMBERS), np.int64),
        puts=np.zeros(MEMBERS, np.int64),
        indices=np.zeros(MEMBERS, np.int64),
        stamps=np.zeros(MEMBERS, np.int64),
        table=np.zeros(slots, np.int64),
        counters=np.zeros(COUNTERS, np.int64),
        guide=np.zeros(CARDS, np.int64),
    )
