"""Work of a known size, to measure with: the exact search on a fixed table, for so many states."""

from collections.abc import Callable
from typing import Final

from shared.rules.cards import DECK
from shared.rules.table import lay_out
from shared.rules.variants import VARIANTS

STEP: Final = 35
"""The deck is the ordered one read in steps: with draw three a lost deal, which takes 658,506 states to prove."""
SECONDS_MAX: Final = 3600.0


def probe(states: int, clock: Callable[[], float], stopped: Callable[[], bool]) -> int:
    """Searches until that many states are done, from the start again when the table is decided before.

    Gives the number of states, which is less only when it was stopped.
    """
    if not states:
        return 0
    from shared.solver.solve import Budget, Solver  # an empty probe needs no compiled kernels

    variant = VARIANTS["draw3"]
    table = lay_out(tuple(DECK[index * STEP % len(DECK)] for index in range(len(DECK))), variant)
    solver = Solver(clock)
    done = 0
    while done < states and not stopped():
        budget = Budget(states=states - done, seconds=SECONDS_MAX)
        done += solver.solve(table, variant, budget, stopped).states
    return done
