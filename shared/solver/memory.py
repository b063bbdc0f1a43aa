"""The arrays that a search works on, made once and used for one search after the other."""

from typing import Final

import numpy as np

from shared.solver.kernels import COUNTERS, FIELDS, Memory

FRAMES: Final = 8192
"""How many positions may lie on the stack. The deepest search met needs a tenth of them."""
MEMBERS: Final = 14**4
"""All that four foundations can hold: no component is larger."""


def new_memory(slots: int) -> Memory:
    """Memory whose table of components has so many slots, a power of two. Half of them can be used."""
    return Memory(
        frames=np.zeros((FRAMES, FIELDS), np.int64),
        members=np.zeros((2, MEMBERS), np.int64),
        fits=np.zeros((2, MEMBERS), np.int64),
        rises=np.zeros((2, MEMBERS), np.int64),
        indices=np.zeros(MEMBERS, np.int64),
        stamps=np.zeros(MEMBERS, np.int64),
        table=np.zeros(slots, np.int64),
        counters=np.zeros(COUNTERS, np.int64),
    )
