"""The forms of text that a deal has in other programs: each read into cards in dealing order, most written too."""

import re
from typing import Final

import msgspec

from shared.rules.board import DealError, cards_of
from shared.rules.cards import DECK, RANKS, SUITS, Card, rank, suit
from shared.rules.deal import numbered_deck
from shared.solver.numbers import MICROSOFT_MAX, PYSOLFC_MAX, microsoft_deck, pysolfc_deck

Deck = tuple[Card, ...]

NUMBER_DIGITS_MAX: Final = 21
"""More digits are no deal's number."""
_CARD_DIGITS: Final = 3
_COLUMNS: Final = (1, 2, 3, 4, 5, 6, 7)


class _Solvitaire(msgspec.Struct, rename={"piles": "tableau piles"}, forbid_unknown_fields=True):
    piles: list[list[str]]
    stock: list[str]


def from_list(text: str) -> Deck:
    """Cards with blanks or commas between."""
    words = text.replace(",", " ").split()
    return tuple(card for place, word in enumerate(words, 1) for card in cards_of(word, f"card {place}"))


def to_list(deck: Deck) -> str:
    return " ".join(deck)


def from_digits(text: str) -> Deck:
    """Three digits a card: rank 01 to 13, suit 1 to 4 for clubs, diamonds, hearts, spades."""
    if len(text) % _CARD_DIGITS or not text.isdecimal():
        raise DealError(f"{len(text)} digits: a card has three, such as 052 for 5D")
    chunks = [text[start : start + _CARD_DIGITS] for start in range(0, len(text), _CARD_DIGITS)]
    cards: list[Card] = []
    for place, chunk in enumerate(chunks, 1):
        number, letter = int(chunk[:-1]), int(chunk[-1])
        if not (1 <= number <= len(RANKS) and 1 <= letter <= len(SUITS)):
            raise DealError(f"card {place}: {chunk} is no card: a rank of 01 to 13 and a suit of 1 to 4 are needed")
        cards.append(DECK[(letter - 1) * len(RANKS) + number - 1])
    return tuple(cards)


def to_digits(deck: Deck) -> str:
    return "".join(f"{rank(card):02}{suit(card) + 1}" for card in deck)


def from_solvitaire(text: str) -> Deck:
    """The last card of each pile is its top one."""
    try:
        position = msgspec.json.decode(text, type=_Solvitaire)
    except msgspec.DecodeError as error:
        raise DealError(f"no Solvitaire deal: {error}") from None
    sizes = tuple(map(len, position.piles))
    if sizes != _COLUMNS:
        raise DealError(f"tableau piles: seven are needed, with 1, 2, 3 ... 7 cards; {_piles(sizes)}")
    rows = [position.piles[column][row] for row in range(len(_COLUMNS)) for column in range(row, len(_COLUMNS))]
    return from_list(" ".join(rows + position.stock[::-1]))


def _piles(sizes: tuple[int, ...]) -> str:
    if len(sizes) != len(_COLUMNS):
        return f"here are {len(sizes)}"
    return f"these have {', '.join(map(str, sizes))}"


def to_solvitaire(deck: Deck) -> str:
    """The suit's letter is small where the card lies face down."""
    piles: list[list[str]] = [[] for _ in _COLUMNS]
    rest = iter(deck)
    for row in range(len(_COLUMNS)):
        for column in range(row, len(_COLUMNS)):
            piles[column].append(_solvitaire_card(next(rest), face_up=row == column))
    stock = [_solvitaire_card(card, face_up=True) for card in list(rest)[::-1]]
    return msgspec.json.encode(_Solvitaire(piles, stock)).decode()


def _solvitaire_card(card: Card, *, face_up: bool) -> str:
    letters = card.replace("T", "10")
    return letters if face_up else letters[:-1] + letters[-1].lower()


def from_pysolfc(text: str) -> Deck:
    return pysolfc_deck(_number(text, "pysolfc", PYSOLFC_MAX))


def from_microsoft(text: str) -> Deck:
    return microsoft_deck(_number(text, "ms", MICROSOFT_MAX))


def from_number(text: str) -> Deck:
    return numbered_deck(_number(text, "klondike", PYSOLFC_MAX), decks=1)


def _number(text: str, name: str, most: int) -> int:
    """The number of a deal, with or without the name before it. PySolFC ignores signs within it; a minus is none."""
    written = text.lower().removeprefix(name).lstrip(" :#")
    digits = re.sub(r"[\s:#_.,-]", "", written)
    if not digits.isdecimal() or written.startswith("-"):
        raise DealError(f"{text!r} is no deal number such as {name}:12345")
    if len(digits) > NUMBER_DIGITS_MAX or int(digits) > most:
        raise DealError(f"{name}:{digits} is too large, {most} is the highest number")
    return int(digits)
