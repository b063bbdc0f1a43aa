"""Piles and moves of a view. The client knows no rules: what may be done is the list that comes with every view."""

import msgspec

from shared.messages.views import View
from shared.rules.cards import RANKS, Card
from shared.rules.moves import MoveCards, parse_move
from shared.rules.piles import Pile, PileKind, column, parts


class Place(msgspec.Struct, frozen=True):
    """A face-up card where it lies: what means it means no other card that comes to lie there."""

    pile: Pile
    index: int
    """Among the face-up cards of the pile."""
    card: Card


def columns_of(view: View) -> list[Pile]:
    return [column(index) for index in range(len(view.columns))]


def cards_of(view: View, pile: Pile) -> tuple[Card, ...]:
    """The face-up cards of a pile, topmost last."""
    kind, index = parts(pile)
    match kind:
        case PileKind.WASTE:
            return view.waste
        case PileKind.FOUNDATION:
            return view.foundations[index]
        case PileKind.TABLEAU:
            return view.columns[index].up


def is_empty(view: View, pile: Pile) -> bool:
    kind, index = parts(pile)
    return not cards_of(view, pile) and not (kind is PileKind.TABLEAU and view.columns[index].down)


def top(view: View, pile: Pile) -> Place | None:
    """A pile's topmost card, if it lies face up."""
    cards = cards_of(view, pile)
    return Place(pile, len(cards) - 1, cards[-1]) if cards else None


def still_there(view: View, place: Place) -> bool:
    cards = cards_of(view, place.pile)
    return place.index < len(cards) and cards[place.index] == place.card


def count_from(view: View, place: Place) -> int:
    """How many cards move with a card: itself, and all that lies on it."""
    return len(cards_of(view, place.pile)) - place.index


def moves_of(view: View, place: Place) -> list[MoveCards]:
    """The legal moves of a card with all that lies on it."""
    count = count_from(view, place)
    moves = [move for move in map(parse_move, view.legal) if isinstance(move, MoveCards)]
    return [move for move in moves if move.source == place.pile and move.count == count]


def best_move(view: View, place: Place) -> MoveCards | None:
    """What picking a card without saying where to means: up if it goes, else onto a card, else into an empty column."""
    if parts(place.pile)[0] is PileKind.FOUNDATION:
        return None
    moves = [move for move in moves_of(view, place) if not _changes_nothing(view, move)]
    return max(moves, key=lambda move: _worth(view, move), default=None)


def up_move(view: View, place: Place) -> MoveCards | None:
    """The move of a card to a foundation."""
    moves = (move for move in moves_of(view, place) if parts(move.target)[0] is PileKind.FOUNDATION)
    return next(moves, None)


def only_up_is_left(view: View) -> bool:
    """Whether the rest plays itself: all cards face up, stock and waste used up."""
    is_open = not any(one.down for one in view.columns) and not view.stock and not view.waste
    return view.status == "running" and is_open and next_up(view) is not None


def next_up(view: View) -> Place | None:
    """The lowest card that can go up."""
    tops = [place for pile in columns_of(view) if (place := top(view, pile)) and up_move(view, place)]
    return min(tops, key=lambda place: RANKS.index(place.card[0]), default=None)


def _worth(view: View, move: MoveCards) -> int:
    if parts(move.target)[0] is PileKind.FOUNDATION:
        return 2
    return 0 if is_empty(view, move.target) else 1


def _changes_nothing(view: View, move: MoveCards) -> bool:
    """Whether a whole column would only change places with an empty one."""
    kind, index = parts(move.source)
    whole = kind is PileKind.TABLEAU and not view.columns[index].down and len(view.columns[index].up) == move.count
    return whole and parts(move.target)[0] is PileKind.TABLEAU and is_empty(view, move.target)
