"""How sure a share is that was counted on a sample."""

import math
from typing import Final

Z_95: Final = 1.959964
"""The standard normal distribution's quantile for 95 %."""


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The bounds of Wilson's score interval at 95 % (Journal of the American Statistical Association 22, 1927)."""
    share = successes / trials
    square = Z_95 * Z_95
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    half = Z_95 / (1 + square / trials) * math.sqrt(share * (1 - share) / trials + square / (4 * trials * trials))
    low = middle - half if successes else 0.0
    high = middle + half if successes < trials else 1.0
    return max(0.0, low), min(1.0, high)
