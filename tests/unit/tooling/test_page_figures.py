"""What `klondike bench page` makes of what it has seen."""

import pytest

from services.cli.benching.page import Weight
from services.cli.benching.page_figures import growth, spread


def weights(*heaps: int) -> list[Weight]:
    return [Weight(games, heap, 100, 10) for games, heap in enumerate(heaps, start=1)]


def test_percentiles_are_values_of_the_sample_by_nearest_rank() -> None:
    found = spread([float(number) for number in range(100, 0, -1)])
    assert (found.samples, found.p50_ms, found.p95_ms, found.p99_ms, found.max_ms) == (100, 50, 95, 99, 100)


@pytest.mark.parametrize(("heaps", "bytes_per_game"), [((900, 100, 200, 300), 100.0), ((900, 500, 500, 500), 0.0)])
def test_growth_is_the_slope_after_the_settling(heaps: tuple[int, ...], bytes_per_game: float) -> None:
    """The first tenth of the games does not count: of ten games the first one."""
    found = growth(weights(*heaps), 10)
    assert found
    assert (found.first_games, found.last_games, found.heap_bytes_per_game) == (2, 4, bytes_per_game)


def test_two_weighings_after_the_settling_are_needed() -> None:
    assert growth(weights(900, 100), 10) is None
