"""Plain exhaustive search by the rules alone: slow, obvious, and what the solver is held to."""

from collections.abc import Iterator
from random import Random

from shared.rules.cards import DECK, KING, SUITS, Card
from shared.rules.legal import legal_moves
from shared.rules.table import Column, Table, apply, is_won
from shared.rules.variants import Variant


def winnable(table: Table, variant: Variant, states_max: int) -> bool | None:
    """Whether any moves win; None when more states would have to be looked at than allowed."""
    seen = {state_of(table)}
    open_tables = [table]
    while open_tables:
        current = open_tables.pop()
        if is_won(current, variant):
            return True
        for move in legal_moves(current, variant):
            following = apply(current, move, variant).table
            state = state_of(following)
            if state not in seen:
                seen.add(state)
                open_tables.append(following)
        if len(seen) > states_max:
            return None
    return False


def state_of(table: Table) -> tuple[object, ...]:
    """Tables that differ only by the order of their columns are one."""
    columns = tuple(sorted((column.down, column.up) for column in table.columns))
    return columns, tuple(map(len, table.foundations)), table.stock, table.waste, table.pass_number


def small_table(random: Random, variant: Variant, lowest: int) -> Table:
    """A random table whose foundations already hold all cards below a rank, or a little more or less of a suit."""
    heights = [min(KING, max(0, lowest - 1 + random.choice((-1, 0, 0, 0, 1)))) for _ in range(variant.foundations)]
    suits = [DECK[KING * suit : KING * suit + KING] for suit in range(len(SUITS))] * variant.decks
    cards = [card for suit, height in zip(suits, heights, strict=True) for card in suit[height:]]
    random.shuffle(cards)
    columns = tuple(_columns(random, cards, variant))
    drawn = random.randint(0, len(cards)) if random.random() < 0.5 else 0
    foundations = tuple(suit[:height] for suit, height in zip(suits, heights, strict=True))
    return Table(columns, foundations, tuple(cards[drawn:]), tuple(cards[:drawn]))


def _columns(random: Random, cards: list[Card], variant: Variant) -> Iterator[Column]:
    for size in variant.columns:
        pile = tuple(cards.pop() for _ in range(min(size, len(cards))))
        face_up = min(len(pile), 1 if variant.faces == "top" else variant.cards)
        yield Column(pile[: len(pile) - face_up], pile[len(pile) - face_up :])
