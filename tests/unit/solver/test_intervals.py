"""Intervals of shares."""

import pytest

from shared.solver.intervals import wilson


@pytest.mark.parametrize("trials", [1, 2, 5, 7, 20, 200, 999, 10_000, 123_457])
def test_an_interval_ends_at_nothing_and_at_all_exactly_when_none_or_all_came_out(trials: int) -> None:
    """Without rounding a hair above 0 or below 1; between them both bounds lie around the share."""
    assert wilson(0, trials)[0] == 0.0
    assert wilson(trials, trials)[1] == 1.0
    for successes in {0, 1, trials // 2, trials - 1, trials}:
        low, high = wilson(successes, trials)
        assert 0.0 <= low <= successes / trials <= high <= 1.0
        assert low < high
