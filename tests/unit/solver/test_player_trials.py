"""Choices tried in the same worlds: what is surely worse is dropped, what may be best is not."""

from random import Random

import numpy as np
import pytest

from shared.rules.variants import Variant
from shared.solver.player_seat import IN_STOCK, Seat, imagine, new_seat
from shared.solver.player_trials import (
    LEAST_WORLDS,
    TRIED_MAX,
    Trials,
    begin_trials,
    drop_worse,
    is_live,
    leader,
    new_trials,
    note,
)


def tried(results: list[list[float]], sureness: float = 1.5) -> Trials:
    """Trials of as many choices as a world has results, all noted and then judged once."""
    trials = new_trials()
    begin_trials(len(results[0]), trials)
    for world in results:
        trials.results[: len(world)] = world
        note(trials)
    drop_worse(sureness, trials)
    return trials


def live(trials: Trials) -> list[int]:
    return [place for place in range(TRIED_MAX) if is_live(place, trials)]


def test_a_small_difference_in_every_world_counts_although_worlds_differ_much() -> None:
    """Worlds are worth 0.05 to 0.95: without pairing, a tenth between two choices would be lost in that."""
    worlds = [Random(number).uniform(0.05, 0.95) for number in range(12)]
    trials = tried([[world - 0.05, world + 0.05] for world in worlds])
    assert leader(trials) == 1
    assert live(trials) == [1]


def test_a_difference_that_chance_explains_drops_nothing() -> None:
    trials = tried([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [1.0, 0.0, 0.5]])
    assert leader(trials) == 0
    assert live(trials) == [0, 1, 2]


def test_nothing_is_dropped_after_a_few_worlds() -> None:
    assert live(tried([[1.0, 0.0]] * (LEAST_WORLDS - 1))) == [0, 1]


@pytest.mark.parametrize("number", range(20))
def test_the_best_choice_is_never_dropped(number: int) -> None:
    random = Random(number)
    results = [[random.choice((0.0, 0.3, 1.0)) for _ in range(TRIED_MAX)] for _ in range(random.randint(1, 30))]
    trials = tried(results, sureness=random.uniform(0.0, 2.0))
    sums = [sum(column) for column in zip(*results, strict=True)]
    assert sums[leader(trials)] == pytest.approx(max(sums))
    assert leader(trials) in live(trials)


def test_a_choice_that_was_dropped_is_not_taken_up_again() -> None:
    trials = tried([[1.0, 0.0]] * LEAST_WORLDS)
    assert live(trials) == [0]
    for _ in range(9):
        trials.results[:2] = 0.0, 1.0
        note(trials)
    assert drop_worse(1.5, trials)
    assert leader(trials) == 0
    assert trials.sums[1] == 0.0


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
