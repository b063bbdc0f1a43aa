"""From the cards that a search freed to the commands of the game, each one checked by the rules."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from shared.rules import piles
from shared.rules.cards import DECK, KING, SUITS, Card, rank, suit
from shared.rules.legal import DRAW, RECYCLE, breach, fits_column
from shared.rules.moves import Move, MoveCards
from shared.rules.piles import Pile
from shared.rules.table import Table, apply, is_won
from shared.rules.variants import Variant
from shared.solver.bits import ALL, bare, next_up, room
from shared.solver.flat import BITS, CARDS, Flat
from shared.solver.kernels import ENTRY
from shared.solver.layers import GIVE_BACK

_DRAWS_MAX: Final = 200
"""More draws and recycles in a row than any card of the stock needs."""


class Freed(NamedTuple):
    """A card was freed: from where its component was entered to where the next one is."""

    roots: int
    loose: int
    free: int
    floor: int
    entry: int
    exit: int
    """What was up when the card left."""
    card: int
    rise: bool
    """Whether it left for its foundation."""
    target: int
    """What is up afterwards, cards included that had to follow."""


class Player:
    """Plays on a table, and keeps the moves."""

    def __init__(self, table: Table, variant: Variant) -> None:
        self.table = table
        self.variant = variant
        self.moves: list[Move] = []

    def play(self, move: Move) -> None:
        broken = breach(self.table, move, self.variant)
        assert broken is None, f"the solver played {move}, against {broken}"
        self.table = apply(self.table, move, self.variant).table
        self.moves.append(move)

    def free(self, step: Freed, rules: int) -> None:
        """Free a card: from the entry of its component, which is reached first, to where it can leave."""
        self.reach(step, rules)
        if step.rise:
            self.put_up(CARDS[step.card])
        else:
            self.put_down(CARDS[step.card])

    def reach(self, step: Freed, rules: int) -> None:
        """Put up and down what leads from the entry of a component to where its card can leave."""
        self.raise_to(step.entry)
        up = step.entry
        for card in _way(step, rules):
            up ^= card
            if up & card:
                self.put_up(CARDS[card])
            else:
                self.put_down(CARDS[card])

    def raise_to(self, target: int) -> None:
        """Put cards up until the foundations are as high as wanted: what nothing lies on first, then the lowest."""
        while missing := [card for card in _next_cards(self.table) if BITS[card] & target]:
            self.put_up(min(missing, key=self._effort))

    def _effort(self, card: Card) -> tuple[int, int]:
        if any(card in column.down for column in self.table.columns):
            return 2, rank(card)
        found = _find(self.table, card)
        return (1 if found and found[1] else 0), rank(card)

    def put_up(self, card: Card) -> None:
        source = self._ready(card)
        self.play(MoveCards(source=source, target=piles.foundation(suit(card))))

    def put_down(self, card: Card, parent: Card | None = None) -> None:
        """Put a card, with the run that lies on it, on a column that has room for it: one that ends with `parent`."""
        found = _find(self.table, card)
        if found is None:
            pile: Pile = piles.foundation(suit(card)) if rank(card) <= self._height(card) else self._draw(card)
            self.play(MoveCards(source=pile, target=self._place(card, parent)))
            return
        column, above = found
        self.play(MoveCards(source=piles.column(column), target=self._place(card, parent), count=above + 1))

    def _height(self, card: Card) -> int:
        return len(self.table.foundations[suit(card)])

    def _place(self, card: Card, parent: Card | None) -> Pile:
        fitting = [index for index, column in enumerate(self.table.columns) if fits_column(card, column)]
        return piles.column(min(fitting, key=lambda index: self.table.columns[index].up[-1:] != (parent,)))

    def _ready(self, card: Card) -> Pile:
        """Make a card the last one of its pile: what lies on it goes to the other card that can carry it."""
        found = _find(self.table, card)
        if found is None:
            return self._draw(card)
        column, above = found
        if above:
            self.put_down(self.table.columns[column].up[-above])
        return piles.column(column)

    def _draw(self, card: Card) -> Pile:
        for _ in range(_DRAWS_MAX):
            if self.table.waste and self.table.waste[-1] == card:
                return "W"
            self.play(DRAW if self.table.stock else RECYCLE)
        raise AssertionError(f"{card} does not come to the top of the waste")


def play_out(table: Table, variant: Variant, flat: Flat, freed: Iterable[Freed]) -> tuple[Move, ...]:
    """The moves from a table to the win, of which nothing is left to choose once all cards are free."""
    player = Player(table, variant)
    player.raise_to(int(flat.first[ENTRY]))
    for step in freed:
        player.free(step, flat.deal.rules)
        player.raise_to(step.target)
    player.raise_to(ALL)
    assert is_won(player.table, variant)
    return tuple(player.moves)


def _way(step: Freed, rules: int) -> Sequence[int]:
    """The cards to put up or down, in turn, from a component's entry to where its next card was freed."""
    came: dict[int, int] = {step.entry: 0}
    queue = [step.entry]
    for up in queue:
        if up == step.exit:
            break
        for card in _steps(step, up, rules):
            if up ^ card not in came:
                came[up ^ card] = card
                queue.append(up ^ card)
    way: list[int] = []
    up = step.exit
    while up != step.entry:
        way.append(came[up])
        up ^= came[up]
    return way[::-1]


def _steps(step: Freed, up: int, rules: int) -> list[int]:
    """The loose cards that can go up or come down, as the kernels' `explore` has it."""
    lying = step.loose & ~up
    fits = room((step.roots | step.loose) & ~up, lying, step.free)
    cards = next_up(up) & bare(fits) & lying
    if rules & GIVE_BACK:
        cards |= up & ~step.floor & ~(up >> 4) & fits
    return [bit for bit in CARDS if cards & bit]


def _next_cards(table: Table) -> list[Card]:
    return [
        DECK[KING * index + len(pile)] for index, pile in enumerate(table.foundations[: len(SUITS)]) if len(pile) < KING
    ]


def _find(table: Table, card: Card) -> tuple[int, int] | None:
    """The column of a face-up card, and how many cards lie on it there."""
    for index, column in enumerate(table.columns):
        if card in column.up:
            return index, len(column.up) - 1 - column.up.index(card)
    return None
