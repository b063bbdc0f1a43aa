"""Deals as text, in the forms that other programs write: read by `parse_deal`, written by `deal_text`.

- `list`: 52 cards in dealing order, the last 24 being the stock, the first of them drawn first.
- `digits`: the same order, three digits a card: rank 01 to 13, suit 1 to 4 for clubs, diamonds, hearts, spades
  (Klondike-Solver, MinimalKlondike, KSolve, pyksolve).
- `solvitaire`: a JSON object with `tableau piles` and `stock`. The last card of each is its top one; the suit's letter
  is small where the card lies face down.
"""

from typing import Final, Literal, assert_never, get_args

import msgspec

from shared.rules.cards import DECK, RANKS, SUITS, Card, parse_card, rank, suit

DealFormat = Literal["list", "digits", "solvitaire"]
FORMATS: Final[tuple[DealFormat, ...]] = get_args(DealFormat)

_CARD_DIGITS: Final = 3
_COLUMNS: Final = (1, 2, 3, 4, 5, 6, 7)


class DealError(ValueError):
    """A text is no deal. The message names the card and what is wrong with it."""


class _Solvitaire(msgspec.Struct, rename={"piles": "tableau piles"}):
    piles: list[list[str]]
    stock: list[str]


def detect(text: str) -> DealFormat:
    """The form that a text looks like."""
    stripped = text.strip()
    if stripped.startswith("{"):
        return "solvitaire"
    return "digits" if stripped.isdigit() else "list"


def parse_deal(text: str) -> tuple[Card, ...]:
    """The cards of a deal in dealing order.

    Raises:
        DealError: no whole deck can be read from it.
    """
    form = detect(text)
    match form:
        case "list":
            cards = _cards(text.replace(",", " ").split())
        case "digits":
            cards = _from_digits(text.strip())
        case "solvitaire":
            cards = _from_solvitaire(text)
        case _:
            assert_never(form)
    return _whole(cards)


def deal_text(cards: tuple[Card, ...], form: DealFormat) -> str:
    """The text of a deal: what `parse_deal` reads back as the same cards."""
    match form:
        case "list":
            return " ".join(cards)
        case "digits":
            return "".join(f"{rank(card):02}{suit(card) + 1}" for card in cards)
        case "solvitaire":
            return _to_solvitaire(cards)
    assert_never(form)


def _cards(texts: list[str]) -> tuple[Card, ...]:
    cards: list[Card] = []
    for place, text in enumerate(texts, 1):
        try:
            cards.append(parse_card(text))
        except ValueError as error:
            raise DealError(f"card {place}: {error}") from None
    return tuple(cards)


def _whole(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    places: dict[Card, int] = {}
    for place, card in enumerate(cards, 1):
        if card in places:
            raise DealError(f"card {place}: {card} is there already, as card {places[card]}")
        places[card] = place
    if missing := [card for card in DECK if card not in places]:
        more = " …" if len(missing) > 5 else ""
        raise DealError(f"{len(cards)} cards, not {len(DECK)}: {' '.join(missing[:5])}{more} missing")
    return cards


def _from_digits(text: str) -> tuple[Card, ...]:
    if len(text) % _CARD_DIGITS:
        raise DealError(f"{len(text)} digits: a card has three, such as 052 for 5D")
    chunks = [text[start : start + _CARD_DIGITS] for start in range(0, len(text), _CARD_DIGITS)]
    cards: list[Card] = []
    for place, chunk in enumerate(chunks, 1):
        number, letter = int(chunk[:-1]), int(chunk[-1])
        if not (1 <= number <= len(RANKS) and 1 <= letter <= len(SUITS)):
            raise DealError(f"card {place}: {chunk} is no card: a rank of 01 to 13 and a suit of 1 to 4 are needed")
        cards.append(DECK[(letter - 1) * len(RANKS) + number - 1])
    return tuple(cards)


def _from_solvitaire(text: str) -> tuple[Card, ...]:
    try:
        position = msgspec.json.decode(text, type=_Solvitaire)
    except msgspec.DecodeError as error:
        raise DealError(f"no Solvitaire deal: {error}") from None
    sizes = tuple(map(len, position.piles))
    if sizes != _COLUMNS:
        raise DealError(f"tableau piles: 1 to 7 cards are dealt to them, here {', '.join(map(str, sizes))}")
    rows = [
        position.piles[column][row] for row in range(len(_COLUMNS)) for column in range(len(_COLUMNS)) if row <= column
    ]
    return _cards(rows + position.stock[::-1])


def _to_solvitaire(cards: tuple[Card, ...]) -> str:
    piles: list[list[str]] = [[] for _ in _COLUMNS]
    rest = iter(cards)
    for row in range(len(_COLUMNS)):
        for column in range(row, len(_COLUMNS)):
            card = next(rest)
            piles[column].append(_solvitaire_card(card, face_up=row == column))
    stock = [_solvitaire_card(card, face_up=True) for card in list(rest)[::-1]]
    return msgspec.json.encode(_Solvitaire(piles, stock)).decode()


def _solvitaire_card(card: Card, *, face_up: bool) -> str:
    letters = card.replace("T", "10")
    return letters if face_up else letters[:-1] + letters[-1].lower()
