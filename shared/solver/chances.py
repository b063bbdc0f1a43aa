"""Whether there is still a way to win: the share of worlds in which there is, or the proof that there is none.

"A way" is one for somebody who sees every card: the share is at least what the best player can reach without.
"""

import itertools
from collections.abc import Callable, Iterator
from typing import Final

from shared.messages.chances import Chances, Estimate, Lost
from shared.messages.jobs import Knowledge
from shared.rules.stuck import is_stuck
from shared.rules.variants import Variant
from shared.solver import belief
from shared.solver.belief import every, lay_known, new_chance, sample
from shared.solver.dead_ends import Prover
from shared.solver.decide import World, new_world
from shared.solver.intervals import wilson
from shared.solver.judge import Judge
from shared.solver.kernels import SOLVABLE, UNSOLVABLE

EXACT_MAX: Final = 120
"""When there are no more worlds than this, all are looked at."""
SAMPLES: Final = 200
SAMPLES_BEFORE_PROOF: Final = 20
"""A proof is tried when none of so many can be won."""
STATES_A_WORLD: Final = 50_000
STATES: Final = 3_000_000
"""For all samples together, and as many for the proof: a second or two."""
SHARE_DIGITS: Final = 4


def chances(known: Knowledge, variant: Variant, seed: int, stopped: Callable[[], bool]) -> Chances:
    """What may be told of a position. `stopped` is asked every few milliseconds; then it ends with what it has.

    Raises:
        ValueError: the solver does not play the variant: `flat.unsupported` says why.
    """
    if is_stuck(known, variant):
        return Lost()
    template, judge = new_world(), Judge(variant, STATES)
    lay_known(known, template)
    number = belief.count(known)
    exact = number <= EXACT_MAX
    prover = Prover(variant, STATES, stopped)
    if prover.deadlocked(template):
        return Lost()
    worlds = every(template) if exact else _samples(template, seed)
    found: list[int] = []
    for world in worlds:
        found.append(judge.decide(world, STATES_A_WORLD))
        in_vain = not exact and len(found) == SAMPLES_BEFORE_PROOF and SOLVABLE not in found
        if in_vain and prover.prove(template, new_chance(seed)) == "lost":
            return Lost()
        if stopped() or judge.states <= 0:
            break
    if exact:
        return _of_all(number, found.count(SOLVABLE), found.count(UNSOLVABLE))
    return _of_samples(len(found), found.count(SOLVABLE), found.count(UNSOLVABLE))


def _samples(known: World, seed: int) -> Iterator[World]:
    world, chance = new_world(), new_chance(seed)
    for _ in itertools.repeat(None, SAMPLES):
        sample(known, chance, world)
        yield world


def _of_all(worlds: int, winnable: int, lost: int) -> Chances:
    if lost == worlds:
        return Lost()
    low, high = winnable / worlds, (worlds - lost) / worlds
    return _estimate(worlds, winnable, lost, low, high, exact=True)


def _of_samples(samples: int, winnable: int, lost: int) -> Chances:
    low, high = wilson(winnable, samples)[0], wilson(samples - lost, samples)[1]
    return _estimate(samples, winnable, lost, low, high, exact=False)


def _estimate(samples: int, winnable: int, lost: int, low: float, high: float, *, exact: bool) -> Estimate:
    return Estimate(
        samples=samples,
        winnable=winnable,
        undecided=samples - winnable - lost,
        low=round(low, SHARE_DIGITS),
        high=round(high, SHARE_DIGITS),
        exact=exact,
    )
