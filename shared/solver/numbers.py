"""Deals that other programs know by a number: from the number to the cards.

**PySolFC** (numbers up to 10^20). Its sources, `pysollib/pysolrandom.py`, `pysollib/game/__init__.py` and
`pysollib/games/klondike.py`, and the same author's `pysol_cards` (github.com/shlomif/PySolFC, .../pysol_cards) have it:

1. The deck is clubs, spades, hearts, diamonds, each ace to king.
2. Numbers from 32000 on seed a Mersenne Twister as Python's `random.Random(number)` does; its `random()` never changes
   between versions (Python's library reference, `random`, notes on reproducibility). Below 32000, and for numbers with
   `ms` before them, the generator and the order of the deck are those of Microsoft's FreeCell.
3. For last = 51 … 1, swap place `last` with place floor(random() x (last + 1)).
4. The last card is dealt first. Cards are dealt from the right: face down to columns 7 … 2, 7 … 3, … 7, then face up to
   columns 7 … 1. The rest is the stock.

**Microsoft's FreeCell** (deals 1 to 1,000,000; FreeCell Pro's up to 2^33 - 1). Microsoft never numbered deals of
Klondike; PySolFC deals the shuffle of such a number as Klondike, and so do we. The generator is the C runtime's `rand`:
state = (state x 214013 + 2531011) mod 2^31, of which bits 16 and up are given; what FreeCell Pro makes of it for
numbers from 2^31 on is in `pysol_cards`. The deck goes rank by rank, clubs, diamonds, hearts, spades; the swap is with
place rand() mod (last + 1).
"""

from collections.abc import Callable
from typing import Final

from shared.rules.cards import DECK, RANKS, Card
from shared.solver.twister import fractions

PYSOLFC_MAX: Final = 10**20
MICROSOFT_MAX: Final = 2**33 - 1
_TWISTER_FROM: Final = 32_000
_COLUMNS: Final = 7

_SUITS: Final = "CSHD"
_BY_SUIT: Final = tuple(card for suit in _SUITS for card in DECK if card[1] == suit)
_BY_RANK: Final = tuple(card for rank in RANKS for card in DECK if card[0] == rank)

Below = Callable[[int], int]
"""The next number of a generator, from 0 to less than the one given."""


def pysolfc_deck(number: int) -> tuple[Card, ...]:
    """The cards in our dealing order of PySolFC's game with a number from 0 to PYSOLFC_MAX."""
    if number < _TWISTER_FROM:
        return microsoft_deck(number)
    twister = fractions(number)
    return _dealt(_shuffled(_BY_SUIT, lambda bound: int(next(twister) * bound)))


def microsoft_deck(number: int) -> tuple[Card, ...]:
    """The cards in our dealing order of PySolFC's game `ms` with a number from 0 to MICROSOFT_MAX."""
    return _dealt(_shuffled(_BY_RANK, _microsoft(number)))


def _microsoft(number: int) -> Below:
    state = number % 2**32

    def below(bound: int) -> int:
        nonlocal state
        state = (state * 214013 + 2531011) % 2**33
        if number >= 2**32:
            return ((state >> 16 & 0xFFFF) + 1) % bound
        return (state >> 16 & 0x7FFF | (0x8000 if number >= 2**31 else 0)) % bound

    return below


def _shuffled(deck: tuple[Card, ...], below: Below) -> list[Card]:
    """The deck, the card dealt first last."""
    cards = list(deck)
    for last in range(len(cards) - 1, 0, -1):
        place = below(last + 1)
        cards[last], cards[place] = cards[place], cards[last]
    return cards


def _dealt(cards: list[Card]) -> tuple[Card, ...]:
    """From PySolFC's way of dealing to ours: row by row from the left."""
    piles: list[list[Card]] = [[] for _ in range(_COLUMNS)]
    for row in range(1, _COLUMNS + 1):
        for column in range(_COLUMNS - 1, row % _COLUMNS - 1, -1):
            piles[column].append(cards.pop())
    rows = [piles[column][row] for row in range(_COLUMNS) for column in range(row, _COLUMNS)]
    return tuple(rows + cards[::-1])
