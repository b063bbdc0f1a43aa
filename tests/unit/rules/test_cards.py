"""Cards: 52 of them, their names both ways, and what may lie on what."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.rules.cards import DECK, Card, builds_down, is_red, is_run, parse_card, rank, suit


def test_the_deck_holds_each_rank_of_each_suit_once() -> None:
    assert len(DECK) == len({(rank(card), suit(card)) for card in DECK}) == 52
    assert {rank(card) for card in DECK} == set(range(1, 14))
    assert DECK[0] == "AC"
    assert DECK[-1] == "KS"


def test_hearts_and_diamonds_are_red() -> None:
    assert {card[1] for card in DECK if is_red(card)} == {"D", "H"}


@pytest.mark.parametrize("card", DECK)
def test_a_card_is_read_back_from_its_name_in_either_case(card: Card) -> None:
    assert parse_card(card) == parse_card(card.lower()) == parse_card(f" {card} ") == card


@pytest.mark.parametrize("text", ["10H", "10h", "th"])
def test_a_ten_may_be_written_with_two_digits(text: str) -> None:
    assert parse_card(text) == "TH"


@given(st.text(max_size=4).filter(lambda text: text.strip().upper().replace("10", "T") not in DECK))
def test_what_names_no_card_is_refused_with_an_example_of_one_that_does(text: str) -> None:
    with pytest.raises(ValueError, match="QH"):
        _ = parse_card(text)


def test_a_card_takes_one_rank_less_of_the_other_colour() -> None:
    """Each card but the aces takes two cards, and the kings go on nothing."""
    fitting = {upper: {lower for lower in DECK if builds_down(lower, upper)} for upper in DECK}
    assert fitting["QH"] == {"JC", "JS"}
    assert fitting["2S"] == {"AD", "AH"}
    assert all(len(lower) == (0 if upper[0] == "A" else 2) for upper, lower in fitting.items())


def test_a_run_is_a_run_in_each_of_its_parts() -> None:
    run: tuple[Card, ...] = ("9S", "8H", "7C", "6D")
    for start, end in itertools.combinations(range(5), 2):
        assert is_run(run[start:end])
    assert not is_run(("9S", "8C"))
    assert not is_run(("9S", "7H"))
    assert not is_run(("8H", "9S"))
    assert is_run(("KD",))
    assert is_run(())
