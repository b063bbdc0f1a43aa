"""Whether a game's cards are those of the deal that was committed to, from its public history alone.

What became visible and where it must have been dealt: the cards that lay face up at first; each card that was turned
up, which is the one dealt at the row that the number of face-down cards left in its column names; and each card drawn
in the first pass, in the order of the stock. Later passes and undone moves show only what was seen before. Each side
of a game for two is checked so.
"""

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from shared.messages.commands import NumberedDeal
from shared.messages.events import CardsDrawn, CardsMoved
from shared.messages.history import Board, GameHistory
from shared.rules import deal
from shared.rules.cards import Card
from shared.rules.variants import VARIANTS

DECK_CARDS: Final = 52

Place = tuple[int, int] | int
"""Row and column, both from 0; or the index in the deck of a card of the stock."""


class DealCheck(msgspec.Struct, frozen=True, kw_only=True):
    """What was found."""

    game: str
    fair: bool
    fault: str | None
    """The first thing that does not fit."""
    shuffle: str
    commitment: str
    secret: str
    player_seed: str | None
    number: int | None
    """Of a deal with a public origin."""
    deck: tuple[Card, ...]
    """In dealing order: row by row, then the stock; of a game for two, that of each side. Empty where none follows."""
    seen: int
    """Cards of which the game showed where they were dealt."""


def check_deal(history: GameHistory, *, promised: str | None = None) -> DealCheck:
    """Checks a history.

    Args:
        history: of a game that is over.
        promised: the commitment that was noted when the game began; none: only the history's own is there to hold.

    """
    origin = history.deal
    fault = _fault_of_origin(history, promised)
    sides = () if fault else tuple(_sides(history))
    decks = tuple(_deck(side, seat) for seat, side in enumerate(sides))
    seen = tuple(set(_shown(side)) if deck else set() for side, deck in zip(sides, decks, strict=True))
    faults = (_fault_of_cards(*one) for one in zip(sides, decks, seen, strict=True))
    return DealCheck(
        game=history.game,
        fair=(fault := fault or next(filter(None, faults), None)) is None,
        fault=fault,
        shuffle=history.shuffle,
        commitment=history.commitment,
        secret=history.secret,
        player_seed=None if isinstance(origin, NumberedDeal) else origin.player_seed,
        number=origin.number if isinstance(origin, NumberedDeal) else None,
        deck=tuple(card for deck in decks for card in deck),
        seen=sum(map(len, seen)),
    )


def _sides(history: GameHistory) -> Iterator[GameHistory]:
    """The history as it is; of a game for two, that of each side, which begins when somebody joins."""
    joined = next((index for index, step in enumerate(history.steps) if step.deed == "join"), None)
    if joined is None:
        yield history
        return
    begin, later = history.steps[joined], history.steps[joined + 1 :]
    boards = [begin.other.board if begin.other else begin.board, begin.board]
    for seat, board in enumerate(boards):
        own = (step for step in later if step.seat == seat)
        yield replace(history, steps=(replace(begin, board=board, events=()), *own))


def _fault_of_origin(history: GameHistory, promised: str | None) -> str | None:
    if history.variant not in VARIANTS:
        return f"the variant {history.variant!r} is not known here"
    if history.shuffle != deal.SHUFFLE:
        return f"the shuffle {history.shuffle!r} is not known here, only {deal.SHUFFLE}"
    if promised is not None and promised.lower() != history.commitment:
        return "the commitment is another one than was noted when the game began"
    if isinstance(history.deal, NumberedDeal):
        return "it has a secret, though its number is public" if history.secret or history.commitment else None
    try:
        secret = bytes.fromhex(history.secret)
    except ValueError:
        return "the secret is not written in hexadecimal"
    if len(secret) != deal.SECRET_BYTES:
        return f"the secret is not {deal.SECRET_BYTES} bytes long"
    if deal.commitment(secret) != history.commitment:
        return "the secret is not the one that was committed to"
    return None


def _deck(history: GameHistory, seat: int) -> tuple[Card, ...]:
    decks = _cards_dealt(history) // DECK_CARDS
    variant = VARIANTS.get(history.variant)
    seat = seat if variant is not None and variant.own_decks else 0
    match history.deal:
        case NumberedDeal(number=number):
            return deal.numbered_deck(number, decks=decks, seat=seat)
        case origin:
            return deal.secret_deck(bytes.fromhex(history.secret), origin.player_seed, decks=decks, seat=seat)


def _fault_of_cards(history: GameHistory, deck: tuple[Card, ...], seen: set[tuple[Place, Card]]) -> str | None:
    if not history.steps:
        return "the history has no step"
    if not _cards_dealt(history):
        return "no card was dealt"
    if not deck or len(deck) != _cards_dealt(history):
        return f"{_cards_dealt(history)} cards were dealt, which is no number of whole decks"
    dealt = _dealt(history.steps[0].board, deck)
    for place, card in sorted(seen, key=str):
        if dealt.get(place) != card:
            return f"the game showed {card} {_words(place)}, where {dealt.get(place, 'nothing')} was dealt"
    return None


def _cards_dealt(history: GameHistory) -> int:
    board = history.steps[0].board if history.steps else None
    return sum(_sizes(board)) + board.stock if board else 0


def _sizes(board: Board) -> list[int]:
    return [column.down + len(column.up) for column in board.columns]


def _dealt(board: Board, deck: tuple[Card, ...]) -> dict[Place, Card]:
    """The card of each place, dealt row by row; the stock's places are those in the deck."""
    sizes = _sizes(board)
    rows = [(row, column) for row in range(max(sizes)) for column, size in enumerate(sizes) if row < size]
    return {**dict(zip(rows, deck, strict=False)), **dict(enumerate(deck[len(rows) :], len(rows)))}


def _shown(history: GameHistory) -> Iterator[tuple[Place, Card]]:
    first, total = history.steps[0].board, _cards_dealt(history)
    for index, pile in enumerate(first.columns):
        for row, card in enumerate(pile.up, pile.down):
            yield (row, index), card
    for step in history.steps:
        for event in step.events:
            match event:
                case CardsMoved(source=source, turned_up=turned_up) if turned_up is not None:
                    index = int(source[1:] or 0) - 1
                    yield (_down(step.board, index), index), turned_up
                case CardsDrawn(cards=cards) if step.board.pass_number == 1:
                    yield from enumerate(cards, total - step.board.stock - len(cards))


def _down(board: Board, column: int) -> int:
    return board.columns[column].down if 0 <= column < len(board.columns) else -1


def _words(place: Place) -> str:
    return f"in row {place[0] + 1} of column {place[1] + 1}" if isinstance(place, tuple) else f"as card {place + 1}"
