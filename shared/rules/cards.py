"""Cards: two letters, rank then suit. `QH` is the queen of hearts.

Cards of a second deck are the same values once more: equal cards are interchangeable, so nothing needs to tell them
apart.
"""

import itertools
from typing import Final, Literal, cast

Card = Literal[
    "AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC", "QC", "KC",
    "AD", "2D", "3D", "4D", "5D", "6D", "7D", "8D", "9D", "TD", "JD", "QD", "KD",
    "AH", "2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "TH", "JH", "QH", "KH",
    "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS",
]  # fmt: skip

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
ACE: Final = 1
KING: Final = 13

DECK: Final[tuple[Card, ...]] = tuple(cast(Card, rank + suit) for suit in SUITS for rank in RANKS)
"""The 52 cards in the order that every shuffle starts from: clubs, diamonds, hearts, spades, each ace to king."""

_RANK: Final[dict[Card, int]] = {card: RANKS.index(card[0]) + 1 for card in DECK}
_SUIT: Final[dict[Card, int]] = {card: SUITS.index(card[1]) for card in DECK}
_RED: Final[dict[Card, bool]] = {card: card[1] in "DH" for card in DECK}


def rank(card: Card) -> int:
    """1 (ace) to 13 (king)."""
    return _RANK[card]


def suit(card: Card) -> int:
    """0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return _SUIT[card]


def is_red(card: Card) -> bool:
    """Hearts and diamonds are red."""
    return _RED[card]


def builds_down(lower: Card, upper: Card) -> bool:
    """Whether `lower` may lie on `upper` in the tableau: one rank less, the other colour."""
    return _RANK[lower] + 1 == _RANK[upper] and _RED[lower] != _RED[upper]


def is_run(cards: tuple[Card, ...]) -> bool:
    """Whether the cards, lowest in the column first, descend by one in alternating colours."""
    return all(builds_down(lower, upper) for upper, lower in itertools.pairwise(cards))


def parse_card(text: str) -> Card:
    """The card that a text names, in either case.

    Raises:
        ValueError: no card is called that.
    """
    card = cast(Card, text.strip().upper().replace("10", "T"))
    if card not in _RANK:
        raise ValueError(f"{text!r} is no card: a rank of {RANKS} and a suit of {SUITS} are needed, such as QH")
    return card
