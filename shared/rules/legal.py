"""Which moves are legal, and which rule an illegal one breaks. The oracle that everything else is held to."""

from typing import Final, assert_never

from shared.rules import piles
from shared.rules.breaches import Breach
from shared.rules.cards import DECK, KING, SUITS, Card, builds_down, is_run, rank, suit
from shared.rules.moves import Draw, Move, MoveCards, Recycle
from shared.rules.piles import PileKind, parts
from shared.rules.table import Column, Table, pile_cards
from shared.rules.variants import Variant

DRAW = Draw()
RECYCLE = Recycle()

_KINGS: Final = tuple(card for card in DECK if rank(card) == KING)
_FITTING: Final[dict[Card, tuple[Card, ...]]] = {
    upper: tuple(lower for lower in DECK if builds_down(lower, upper)) for upper in DECK
}


def breach(table: Table, move: Move, variant: Variant) -> Breach | None:
    """The rule that a move breaks, or None when it is legal."""
    match move:
        case MoveCards():
            return _breach_of_moving(table, move, variant)
        case Draw():
            return None if table.stock else "stock-empty"
        case Recycle():
            return _breach_of_recycling(table, variant)
    assert_never(move)


def legal_moves(table: Table, variant: Variant) -> tuple[Move, ...]:
    """Every legal move, each once: to foundations first, then within the tableau, then back, draw and recycle last."""
    sources = [(piles.column(index), column.up) for index, column in enumerate(table.columns)]
    upwards = [
        MoveCards(source=source, target=piles.foundation(index))
        for source, cards in [("W", table.waste), *sources]
        if cards
        for index in range(suit(cards[-1]), len(table.foundations), len(SUITS))
        if goes_up(cards[-1], index, table.foundations[index])
    ]
    moves: list[Move] = [*upwards, *_to_columns(table, variant)]
    if table.stock:
        moves.append(DRAW)
    elif _breach_of_recycling(table, variant) is None:
        moves.append(RECYCLE)
    return tuple(moves)


def can_move(table: Table, variant: Variant) -> bool:
    """Whether any move is legal. Mostly it is a draw or a recycle, and then no other has to be looked for."""
    return bool(table.stock) or _breach_of_recycling(table, variant) is None or bool(legal_moves(table, variant))


def goes_up(card: Card, index: int, foundation: tuple[Card, ...]) -> bool:
    """Whether a card is the next one of a foundation."""
    return suit(card) == index % len(SUITS) and rank(card) == len(foundation) + 1


def fits_column(card: Card, column: Column) -> bool:
    """Whether a card, with the run on it, may be put on a column."""
    if column.up:
        return builds_down(card, column.up[-1])
    return not column.down and rank(card) == KING


def _to_columns(table: Table, variant: Variant) -> list[Move]:
    places = _places(table)
    return [
        MoveCards(source=source, target=target, count=count)
        for source, cards, count_max in _column_sources(table, variant)
        for count in range(1, count_max + 1)
        for target in places.get(cards[-count], ())
        if target != source
    ]


def _places(table: Table) -> dict[Card, list[piles.Pile]]:
    """The columns that take each card, so that a card is looked up and not tried on every column."""
    places: dict[Card, list[piles.Pile]] = {}
    for index, column in enumerate(table.columns):
        fitting = _FITTING[column.up[-1]] if column.up else _KINGS
        for card in fitting:
            places.setdefault(card, []).append(piles.column(index))
    return places


def _column_sources(table: Table, variant: Variant) -> list[tuple[piles.Pile, tuple[Card, ...], int]]:
    """Piles that columns take cards from: name, cards, and how many of them at most may move together."""
    sources: list[tuple[piles.Pile, tuple[Card, ...], int]] = [("W", table.waste, min(1, len(table.waste)))]
    for index, column in enumerate(table.columns):
        sources.append((piles.column(index), column.up, _run_length(column.up)))
    if variant.foundation_give_back:
        sources += [(piles.foundation(index), pile, min(1, len(pile))) for index, pile in enumerate(table.foundations)]
    return sources


def _run_length(cards: tuple[Card, ...]) -> int:
    """How many cards at the top of a column are a run."""
    length = min(1, len(cards))
    while length < len(cards) and builds_down(cards[-length], cards[-length - 1]):
        length += 1
    return length


def _breach_of_recycling(table: Table, variant: Variant) -> Breach | None:
    if table.stock:
        return "stock-not-empty"
    if not table.waste:
        return "waste-empty"
    if variant.passes is not None and table.pass_number >= variant.passes:
        return "no-pass-left"
    return None


def _breach_of_moving(table: Table, move: MoveCards, variant: Variant) -> Breach | None:
    source, target = move.source, move.target
    if target == "W" or not (_exists(table, source) and _exists(table, target)):
        return "no-such-pile"
    if source == target:
        return "same-pile"
    kind, cards, count = parts(source)[0], pile_cards(table, source), move.count
    return _breach_at_source(kind, cards, count, variant) or _breach_at_target(table, move, kind, cards[-count])


def _breach_at_source(kind: PileKind, cards: tuple[Card, ...], count: int, variant: Variant) -> Breach | None:
    if not cards:
        return "source-empty"
    if kind is PileKind.FOUNDATION and not variant.foundation_give_back:
        return "foundation-stays"
    if count != 1 and kind is not PileKind.TABLEAU:
        return "one-card-only"
    if not 1 <= count <= len(cards):
        return "face-down"
    return None if count == 1 or is_run(cards[-count:]) else "not-a-run"


def _breach_at_target(table: Table, move: MoveCards, source: PileKind, lowest: Card) -> Breach | None:
    kind, index = parts(move.target)
    if kind is PileKind.TABLEAU:
        if fits_column(lowest, table.columns[index]):
            return None
        return "tableau-builds-down" if table.columns[index].up else "only-king-to-empty"
    if source is PileKind.FOUNDATION:
        return "foundation-stays"
    if move.count != 1:
        return "one-card-only"
    return None if goes_up(lowest, index, table.foundations[index]) else "foundation-builds-up"


def _exists(table: Table, pile: piles.Pile) -> bool:
    kind, index = parts(pile)
    if kind is PileKind.TABLEAU:
        return index < len(table.columns)
    return kind is PileKind.WASTE or index < len(table.foundations)
