"""A table as flat integers: what the kernels search on, and the meaning of their bits."""

from typing import Final, NamedTuple

import numpy as np

from shared.rules.cards import DECK, KING, SUITS, Card, builds_down, rank
from shared.rules.table import Column, Table
from shared.rules.variants import Variant
from shared.solver.intrinsics import Ints
from shared.solver.kernels import ENTRY, GIVE_BACK, KINGS, USE_PHASES, Deal

COLUMNS_MAX: Final = 7
STOCK_MAX: Final = 24
PASSES_MAX: Final = 3
_LAYERS_MAX: Final = 1 << 16
_BLOCKS_MAX: Final = 15

ALL_RULES: Final = 0b11111
"""Every pruning rule of the kernels. Give-back belongs to the variant."""

_BIT_OF_SUIT: Final = {"D": 0, "H": 1, "C": 2, "S": 3}
BITS: Final[dict[Card, int]] = {card: 1 << (4 * (rank(card) - 1) + _BIT_OF_SUIT[card[1]]) for card in DECK}
CARDS: Final[dict[int, Card]] = {bit: card for card, bit in BITS.items()}


class Flat(NamedTuple):
    """A deal for the kernels, and the search's first frame."""

    deal: Deal
    first: Ints


def unsupported(table: Table, variant: Variant) -> str | None:
    """Why the solver cannot work on a table of this variant; None when it can."""
    if variant.decks != 1 or len(table.columns) > COLUMNS_MAX:
        return f"the solver plays one deck on {COLUMNS_MAX} columns at most"
    if variant.passes is not None and variant.passes > PASSES_MAX:
        return f"the solver counts {PASSES_MAX} passes at most"
    if variant.draw not in {1, 3}:
        return "the solver draws one or three cards"
    if len(table.stock) + len(table.waste) > STOCK_MAX:
        return f"the solver knows {STOCK_MAX} cards of stock and waste at most"
    return None


def flatten(table: Table, variant: Variant, rules: int = ALL_RULES) -> Flat:
    """The flat form of a table that holds each card once.

    Raises:
        ValueError: `unsupported` has an objection.
    """
    if problem := unsupported(table, variant):
        raise ValueError(problem)
    deal = _deal(table, variant, rules)
    first = np.zeros(ENTRY + 1, np.int64)
    counts = number = roots = loose = hidden = free = 0
    stride = 1
    for index, column in enumerate(table.columns):
        blocks = _blocks(column)
        in_place = _fill(deal, index, blocks, stride)
        for root, rest in blocks[: max(0, in_place - 1)]:
            hidden |= root | rest
        for root, rest in blocks[-1:]:
            loose |= rest if in_place else rest | root
            roots |= root if in_place else 0
        free += in_place == 0
        counts |= in_place << (4 * index)
        number += in_place * stride
        stride *= len(blocks) + 1
    assert stride <= _LAYERS_MAX
    up = sum(BITS[card] for pile in table.foundations for card in pile)
    stock = (1 << (len(table.stock) + len(table.waste))) - 1
    first[:] = counts, number, stock, _waste(table, variant, deal), roots, loose | up, hidden, free, 0, up
    return Flat(deal, first)


def _deal(table: Table, variant: Variant, rules: int) -> Deal:
    if variant.passes is not None:
        rules &= ~USE_PHASES
    deal = Deal(
        roots=np.zeros((COLUMNS_MAX, _BLOCKS_MAX + 1), np.int64),
        rests=np.zeros((COLUMNS_MAX, _BLOCKS_MAX + 1), np.int64),
        strides=np.zeros(COLUMNS_MAX, np.int64),
        homes=np.zeros(len(DECK), np.int64),
        places=np.zeros(len(DECK), np.int64),
        stock=np.zeros(STOCK_MAX, np.int64),
        draw=variant.draw,
        passes=variant.passes or 0,
        rules=rules | (GIVE_BACK if variant.foundation_give_back else 0),
    )
    for place, card in enumerate(table.waste + table.stock[::-1]):
        deal.stock[place] = BITS[card]
        deal.places[BITS[card].bit_length() - 1] = place
    return deal


def _blocks(column: Column) -> list[tuple[int, int]]:
    """A column's cards as runs that stay together from the deal on: the lowest card's bit, and the others' bits."""
    blocks = [(BITS[card], 0) for card in column.down]
    upper: Card | None = None
    for card in column.up:
        if upper is not None and builds_down(card, upper):
            root, rest = blocks[-1]
            blocks[-1] = (root, rest | BITS[card])
        else:
            blocks.append((BITS[card], 0))
        upper = card
    return blocks


def _fill(deal: Deal, index: int, blocks: list[tuple[int, int]], stride: int) -> int:
    """Write a column's blocks down. How many of them are in place: a king on no card is loose."""
    deal.strides[index] = stride
    for left, (root, rest) in enumerate(blocks, 1):
        deal.roots[index, left] = root
        deal.rests[index, left] = rest
        deal.homes[root.bit_length() - 1] = index
    return 0 if len(blocks) == 1 and blocks[0][0] & KINGS else len(blocks)


def _waste(table: Table, variant: Variant, deal: Deal) -> int:
    waste = len(table.waste)
    if variant.passes is not None:
        return (table.pass_number - 1) << 5 | waste
    return 0 if waste % deal.draw == 0 or not table.stock else waste


def heights(up: int) -> tuple[int, ...]:
    """How many cards of each foundation are up, in the order of the foundations."""
    return tuple(sum(1 for card in DECK[start : start + KING] if up & BITS[card]) for start in _STARTS)


_STARTS: Final = tuple(KING * suit for suit in range(len(SUITS)))
