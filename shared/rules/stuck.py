"""Whether a game is stuck: whatever lies face down, nothing that can be reached turns up, shows or puts up a card.

Asked after every move, on public facts alone: how many cards lie face down, and the cards that were seen. A stuck game
cannot be won, since a win puts cards up; `docs/stuck.md` has the proof that no other game is called stuck.

The real game is made easier here: what can be bare at some time counts as bare from then on. A card or run may go to
any bare card that it fits, what it lay on is bare then, and so on until nothing new gets bare. Card by card this takes
in all that the real game can come to, up to the first card that turns up, is seen for the first time, or goes up.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, Protocol

from shared.rules.cards import DECK, KING, SUITS, Card, builds_down, rank
from shared.rules.variants import Variant

Places = int
"""A set of places that cards can be put to, by bits: the cards in the order of DECK, and those that follow."""

_CARD: Final[dict[Card, Places]] = {card: 1 << index for index, card in enumerate(DECK)}
_EMPTY_COLUMN: Final[Places] = 1 << len(DECK)
_FACE_DOWN: Final[Places] = _EMPTY_COLUMN << 1
"""A face-down card that is uncovered: no card goes there, the game is not stuck."""
_ALWAYS: Final[Places] = _FACE_DOWN << 1
_TAKEN_BY: Final[dict[Card, Places]] = {
    card: _EMPTY_COLUMN if rank(card) == KING else sum(_CARD[upper] for upper in DECK if builds_down(card, upper))
    for card in DECK
}
"""Where each card can lie in the tableau."""


class ShownColumn(Protocol):
    """A column of which only the number of its face-down cards is looked at."""

    @property
    def down(self) -> Sequence[object]: ...
    @property
    def up(self) -> tuple[Card, ...]: ...


class Shown(Protocol):
    """What a player may know of a table."""

    @property
    def columns(self) -> Sequence[ShownColumn]: ...
    @property
    def foundations(self) -> Sequence[tuple[Card, ...]]: ...
    @property
    def stock(self) -> tuple[Card | None, ...]:
        """The next card to be drawn last. None: never seen."""
        ...

    @property
    def waste(self) -> tuple[Card, ...]: ...
    @property
    def pass_number(self) -> int: ...


class _Lift(NamedTuple):
    """A card that leaves its place, with the run on it."""

    once: Places
    """What has to be bare before: the last card of its run."""
    onto: Places
    """Where it can go."""
    bares: Places


def is_stuck(shown: Shown, variant: Variant) -> bool:
    """Whether no card can be turned up, be seen for the first time, or go up any more. A won game is not stuck."""
    wanted = _wanted(shown)
    if not wanted or None in shown.stock or (variant.draws_to == "columns" and (shown.stock or shown.waste)):
        return False
    bare, progress = _bare(shown), _FACE_DOWN | wanted
    lifts = [*_off_columns(shown), *(_off_foundations(shown) if variant.foundation_give_back else ())]
    talon = _Talon(shown, variant)
    before = 0
    while not bare & progress:
        if bare == before:
            return True
        before = bare
        for once, onto, bares in lifts:
            if onto & bare and once & bare:
                bare |= bares
        bare |= talon.played(bare, progress)
    return False


def _wanted(shown: Shown) -> Places:
    """The next card of each foundation."""
    next_up = (
        index % len(SUITS) * KING + len(pile) for index, pile in enumerate(shown.foundations) if len(pile) < KING
    )
    return sum(1 << index for index in set(next_up))


def _bare(shown: Shown) -> Places:
    bare = _ALWAYS
    for column in shown.columns:
        bare |= _CARD[column.up[-1]] if column.up else _EMPTY_COLUMN
    return bare


def _off_columns(shown: Shown) -> Iterator[_Lift]:
    """Each face-up card with the run on it. One that is not part of the topmost run waits until that has gone."""
    for column in shown.columns:
        last_of_run = 0
        bottom = _FACE_DOWN if column.down else _EMPTY_COLUMN
        for place in range(len(column.up) - 1, -1, -1):
            card, under = column.up[place], column.up[place - 1] if place else None
            last_of_run = last_of_run or _CARD[card]
            yield _Lift(last_of_run, _TAKEN_BY[card], bottom if under is None else _CARD[under])
            if under is not None and not builds_down(card, under):
                last_of_run = 0


def _off_foundations(shown: Shown) -> Iterator[_Lift]:
    """The cards that are up, from the top: each may come down once the one above it has."""
    for pile in shown.foundations:
        above = _ALWAYS
        for card in reversed(pile):
            yield _Lift(above, _TAKEN_BY[card], _CARD[card])
            above = _CARD[card]


class _Talon:
    """Waste and stock as one row, in the order in which the cards are drawn."""

    def __init__(self, shown: Shown, variant: Variant) -> None:
        stock = tuple(card for card in reversed(shown.stock) if card is not None)
        self._cards = shown.waste + stock
        self._waste = len(shown.waste)
        self._draw = variant.draw
        self._again = variant.passes is None or shown.pass_number < variant.passes
        self._gone: set[int] = set()

    def played(self, bare: Places, wanted: Places) -> Places:
        """The cards that drawing can bring to where they can be put down, or go up."""
        found, gone_before = 0, 0
        for place, card in enumerate(self._cards):
            if place in self._gone:
                gone_before += 1
            elif (_TAKEN_BY[card] & bare or _CARD[card] & wanted) and self._comes_to_the_top(place, gone_before):
                self._gone.add(place)
                gone_before += 1
                found |= _CARD[card]
        return found

    def _comes_to_the_top(self, place: int, gone_before: int) -> bool:
        """Whether drawing can bring a card to the top of the waste, once any of those that can be played have left.

        In this pass as the waste's top, as the last of a draw, or under a card that left. In a later one the draws end
        earlier by as many cards as have left before it.
        """
        drawn = place + 1 - self._waste
        if drawn == 0 or place + 1 == len(self._cards) or place + 1 in self._gone:
            return True
        if drawn > 0 and drawn % self._draw == 0:
            return True
        return self._again and (place + 1) % self._draw <= gone_before
