"""The worlds that the strong player imagines: each as likely as any other, each place with each card in turn."""

import numpy as np
import pytest

from shared.rules.variants import Variant
from shared.solver.player_seat import IN_STOCK, Seat, imagine, new_seat


def seat_with(cards: int) -> Seat:
    """A seat where so many cards were never seen: some lie in a column, the others in the stock."""
    seat = new_seat(Variant(id="seat"), 0, 16)
    for at in range(cards):
        seat.hand[at], seat.columns[at], seat.places[at] = 1 << at, (3 if at % 2 else IN_STOCK), at // 2
    return seat


def places_of(seat: Seat, cards: int) -> tuple[int, ...]:
    """The card in each place that was never seen."""
    return tuple(
        int(seat.world.stock[at // 2] if seat.columns[at] == IN_STOCK else seat.world.roots[3, at // 2])
        for at in range(cards)
    )


@pytest.mark.parametrize("cards", [1, 2, 7, 12])
def test_in_as_many_worlds_as_there_are_cards_each_place_holds_each_card_once(cards: int) -> None:
    seat = seat_with(cards)
    for start in range(0, 3 * cards, cards):
        worlds = []
        for turn in range(start, start + cards):
            imagine(seat, cards, turn)
            worlds.append(places_of(seat, cards))
        assert all(sorted(shown) == [1 << at for at in range(cards)] for shown in zip(*worlds, strict=True))


def test_every_world_is_as_likely_at_every_turn() -> None:
    """The second world after a shuffle of three cards, 6,000 times: six ways, chi-squared below 20.5 (0.1 %)."""
    seat = seat_with(3)
    counts = dict[tuple[int, ...], int]()
    for _ in range(6_000):
        imagine(seat, 3, 0)
        imagine(seat, 3, 1)
        counts[places_of(seat, 3)] = counts.get(places_of(seat, 3), 0) + 1
    assert len(counts) == 6
    assert float(np.sum([(count - 1_000) ** 2 / 1_000 for count in counts.values()])) < 20.5
