"""The shuffle favours no card and no place: chi-squared tests on fixed secrets, so that they say the same each time.

The bounds are the quantiles of the distribution at 1 - 1e-6 by Wilson and Hilferty's approximation: a fair shuffle
passes all of them on all but a few of a million sets of secrets, and these sets are fixed.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from math import sqrt

import pytest

from shared.rules.cards import DECK, Card, is_red
from shared.rules.deal import numbered_deck, secret_deck

DEALS = 5200
"""So that each card is expected a hundred times at each place."""
NORMAL_QUANTILE = 4.753
"""Of the standard normal distribution at 1 - 1e-6."""


def bound(degrees: int) -> float:
    """What chi-squared with so many degrees of freedom exceeds once in a million times."""
    part = 2 / (9 * degrees)
    return degrees * (1 - part + NORMAL_QUANTILE * sqrt(part)) ** 3


def chi_squared(counts: Iterable[int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in counts)


@pytest.fixture(scope="module", params=["secrets", "numbers", "player seeds"])
def decks(request: pytest.FixtureRequest) -> list[tuple[Card, ...]]:
    """Decks of secrets, numbers or seeds that differ as little as they can: by one."""
    if request.param == "secrets":
        return [secret_deck(number.to_bytes(32, "big"), "", decks=1) for number in range(DEALS)]
    if request.param == "numbers":
        return [numbered_deck(number, decks=1) for number in range(DEALS)]
    return [secret_deck(bytes(32), str(number), decks=1) for number in range(DEALS)]


def test_at_no_single_place_is_a_card_favoured(decks: list[tuple[Card, ...]]) -> None:
    for place in range(52):
        counts = Counter(deck[place] for deck in decks)
        assert chi_squared((counts[card] for card in DECK), DEALS / 52) < bound(51), place


def test_no_card_follows_another_more_often(decks: list[tuple[Card, ...]]) -> None:
    """Each of the 52 * 51 pairs of neighbours, 51 a deck."""
    counts = Counter(pair for deck in decks for pair in pairwise(deck))
    assert chi_squared((counts[one, other] for one in DECK for other in DECK if one != other), DEALS / 52) < bound(2650)


def test_permutations_of_three_cards_are_equally_likely(decks: list[tuple[Card, ...]]) -> None:
    counts = Counter(tuple(card for card in deck if card in {"AC", "7H", "KS"}) for deck in decks)
    assert len(counts) == 6
    assert chi_squared(counts.values(), DEALS / 6) < bound(5)


def test_colours_alternate_as_often_as_they_should(decks: list[tuple[Card, ...]]) -> None:
    """Of 51 neighbours 26 differ in colour on average: 52 * 26 / 51 / 52 of them."""
    changes = sum(is_red(one) != is_red(other) for deck in decks for one, other in pairwise(deck))
    trials, share = DEALS * 51, 26 / 51
    assert abs(changes - trials * share) < NORMAL_QUANTILE * sqrt(trials * share * (1 - share))
