"""Choices tried out in the same worlds, and which of them can be dropped: statistics of the strong player, compiled."""

from typing import Final, NamedTuple

import numpy as np

from shared.solver.intrinsics import Ints, compiled, kernel
from shared.solver.player_seat import Floats

CALLEES: Final = "e9e5ee41103c93f5"
"""A digest of the modules that are compiled into this one. A test says what it has to be."""

TRIED_MAX: Final = 8
"""More choices than this are never tried at a time."""
LEAST_WORLDS: Final = 8
"""Nothing is dropped before: in fewer, a difference in two worlds seems to be sure."""
LEAST_VARIANCE: Final = 0.02
"""Of a difference: a few worlds in which two choices are worth nearly the same prove little."""

NUMBER, WORLDS, LIVE, COUNTERS = range(4)
"""Places of `Trials.counters`: how many choices, in how many worlds, and a bit for each choice still tried."""


class Trials(NamedTuple):
    """What some choices were worth."""

    choices: Ints
    """[place]: the choice."""
    results: Floats
    """[place]: in the last world."""
    sums: Floats
    """[place]: in all worlds together."""
    products: Floats
    """[place, place]: the sum of the products of what the two were worth in the same worlds."""
    counters: Ints


def new_trials() -> Trials:
    """Room for the trials of one player."""
    return Trials(
        choices=np.zeros(TRIED_MAX, np.int64),
        results=np.zeros(TRIED_MAX, np.float64),
        sums=np.zeros(TRIED_MAX, np.float64),
        products=np.zeros((TRIED_MAX, TRIED_MAX), np.float64),
        counters=np.zeros(COUNTERS, np.int64),
    )


@kernel
def begin_trials(number: int, trials: Trials) -> None:
    """Forget all trials. So many choices, in `trials.choices`, are tried from now on."""
    trials.results[:] = 0.0
    trials.sums[:] = 0.0
    trials.products[:] = 0.0
    trials.counters[NUMBER], trials.counters[WORLDS], trials.counters[LIVE] = number, 0, (1 << number) - 1


@compiled
def is_live(place: int, trials: Trials) -> bool:
    """Whether a choice has not been dropped."""
    return bool(trials.counters[LIVE] >> place & 1)


@kernel
def note(trials: Trials) -> None:
    """Add the results in one more world."""
    for place in range(trials.counters[NUMBER]):
        if is_live(place, trials):
            trials.sums[place] += trials.results[place]
            for other in range(trials.counters[NUMBER]):
                trials.products[place, other] += trials.results[place] * trials.results[other]
    trials.counters[WORLDS] += 1


@kernel
def leader(trials: Trials) -> int:
    """The place of the best choice still tried; of equal ones the first."""
    best = -1
    for place in range(trials.counters[NUMBER]):
        if is_live(place, trials) and (best < 0 or trials.sums[place] > trials.sums[best]):
            best = place
    return best


@kernel
def drop_worse(sureness: float, trials: Trials) -> bool:
    """Drop choices worse than the best one by so many standard errors of the difference. Whether it alone is left."""
    best, worlds = leader(trials), trials.counters[WORLDS]
    for place in range(trials.counters[NUMBER]):
        if place == best or not is_live(place, trials):
            continue
        mean = (trials.sums[best] - trials.sums[place]) / worlds
        squares = trials.products[best, best] - 2 * trials.products[best, place] + trials.products[place, place]
        variance = max(squares / worlds - mean * mean, 0.0) + LEAST_VARIANCE
        if worlds >= LEAST_WORLDS and mean * mean * worlds > sureness * sureness * variance:
            trials.counters[LIVE] ^= 1 << place
    return bool(trials.counters[LIVE] == 1 << best)
