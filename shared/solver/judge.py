"""Verdicts on many worlds of one variant: most are reached in a small table, which is cleared fast."""

from typing import Final

import numpy as np

from shared.rules.variants import Variant
from shared.solver.decide import Desk, World, decide, new_desk
from shared.solver.flat import ALL_RULES
from shared.solver.kernels import SOLVABLE, UNSOLVABLE
from shared.solver.memory import STATES

SLOTS: Final = (1 << 10, 1 << 18)
"""Of the table for the first attempt, and for another."""
SMALL_STATES: Final = 2_000
PRICE: Final = 100
"""What a world costs besides its states, in states."""


class Judge:
    """Decides worlds one at a time, within a budget of states for all of them."""

    def __init__(self, variant: Variant, states: int, rules: int = ALL_RULES) -> None:
        small = new_desk(variant, SLOTS[0], rules)
        self._small = small
        self._large = small._replace(
            memory=small.memory._replace(table=np.zeros(SLOTS[1], np.int64)),
            scrap=small.scrap._replace(table=np.zeros(SLOTS[1], np.int64)),
        )
        self.states = states
        """What is left of the budget."""
        self.desk = small
        """Where the last world was decided."""

    def decide(self, world: World, states_max: int) -> int:
        """SOLVABLE, UNSOLVABLE, or else it is not known."""
        answer = self._attempt(self._small, world, min(SMALL_STATES, states_max))
        if answer in {SOLVABLE, UNSOLVABLE}:
            return answer
        return self._attempt(self._large, world, states_max)

    def _attempt(self, desk: Desk, world: World, states_max: int) -> int:
        answer = decide(world, desk, max(0, min(states_max, self.states)))
        self.states -= int(desk.memory.counters[STATES] + desk.scrap.counters[STATES]) + PRICE
        self.desk = desk
        return answer
