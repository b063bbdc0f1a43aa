"""A table as flat integers: what the kernels search on, and the meaning of their bits."""

import math
from typing import Final, NamedTuple

import numpy as np

from shared.rules.cards import DECK, Card, builds_down, rank
from shared.rules.table import Column, Table
from shared.rules.variants import Variant
from shared.solver.bits import KINGS
from shared.solver.intrinsics import Ints
from shared.solver.layers import GIVE_BACK, USE_EASIER, USE_PHASES, Deal

COLUMNS_MAX: Final = 7
STOCK_MAX: Final = 24
PASSES_MAX: Final = 3
_LAYERS_MAX: Final = 1 << 16
_BLOCKS: Final = COLUMNS_MAX + 1

ALL_RULES: Final = 0b11111 | USE_EASIER
"""Every pruning rule of the kernels. Give-back belongs to the variant."""

_BIT_OF_SUIT: Final = {"D": 0, "H": 1, "C": 2, "S": 3}
BITS: Final[dict[Card, int]] = {card: 1 << (4 * (rank(card) - 1) + _BIT_OF_SUIT[card[1]]) for card in DECK}
CARDS: Final[dict[int, Card]] = {bit: card for card, bit in BITS.items()}
NUMBERS: Final[dict[Card, int]] = {card: bit.bit_length() - 1 for card, bit in BITS.items()}
"""The place of each card's bit."""


class Flat(NamedTuple):
    """A deal for the kernels, and the search's first frame."""

    deal: Deal
    first: Ints


def unsupported(table: Table, variant: Variant) -> str | None:
    """Why the solver cannot work on a table of this variant; None when it can."""
    if (problem := unplayable(variant)) is not None:
        return problem
    if len(table.stock) + len(table.waste) > STOCK_MAX:
        return f"the solver knows {STOCK_MAX} cards of stock and waste at most"
    return None


def unplayable(variant: Variant) -> str | None:
    """Why the solver cannot work on any table of a variant; None when it can."""
    if variant.decks != 1 or len(variant.columns) > COLUMNS_MAX:
        return f"the solver plays one deck on {COLUMNS_MAX} columns at most"
    if math.prod(size + 1 for size in variant.columns) > _LAYERS_MAX:
        return "the solver cannot number the layers of such columns"
    if variant.passes is not None and variant.passes > PASSES_MAX:
        return f"the solver counts {PASSES_MAX} passes at most"
    if variant.draw not in {1, 3}:
        return "the solver draws one or three cards"
    return None


def flatten(table: Table, variant: Variant, rules: int = ALL_RULES) -> Flat:
    """The flat form of a table that holds each card once.

    Raises:
        ValueError: `unsupported` has an objection.
    """
    if problem := unsupported(table, variant):
        raise ValueError(problem)
    roots, rests, strides = [0] * (COLUMNS_MAX * _BLOCKS), [0] * (COLUMNS_MAX * _BLOCKS), [0] * COLUMNS_MAX
    places = [0] * len(DECK)
    counts = number = lowest = loose = hidden = free = 0
    stride = 1
    for index, column in enumerate(table.columns):
        blocks = _blocks(column)
        left = _in_place(blocks)
        strides[index] = stride
        for place, (root, rest) in enumerate(blocks, index * _BLOCKS + 1):
            roots[place], rests[place] = root, rest
            places[root.bit_length() - 1] = index
            hidden |= root | rest
        if blocks:
            root, rest = blocks[-1]
            hidden ^= root | rest
            loose |= rest if left else rest | root
            lowest |= root if left else 0
        free += left == 0
        counts |= left << (4 * index)
        number += left * stride
        stride *= len(blocks) + 1
    assert stride <= _LAYERS_MAX
    stock = [BITS[card] for card in table.waste + table.stock[::-1]]
    for place, bit in enumerate(stock):
        places[bit.bit_length() - 1] = place
    up = sum(BITS[card] for pile in table.foundations for card in pile)
    full = (1 << len(stock)) - 1
    first = [counts, number, full, _waste(table, variant), lowest, loose | up, hidden, free, 0, up]
    deal = Deal(
        roots=np.array(roots, np.int64).reshape(COLUMNS_MAX, _BLOCKS),
        rests=np.array(rests, np.int64).reshape(COLUMNS_MAX, _BLOCKS),
        strides=np.array(strides, np.int64),
        places=np.array(places, np.int64),
        stock=np.array(stock, np.int64),
        draw=variant.draw,
        passes=variant.passes or 0,
        rules=_rules(variant, rules),
    )
    return Flat(deal, np.array(first, np.int64))


def empty_deal(variant: Variant, rules: int = ALL_RULES) -> Deal:
    """A deal of a variant, its cards left out.

    Raises:
        ValueError: the solver does not play the variant.
    """
    if problem := unplayable(variant):
        raise ValueError(problem)
    return Deal(
        roots=np.zeros((COLUMNS_MAX, _BLOCKS), np.int64),
        rests=np.zeros((COLUMNS_MAX, _BLOCKS), np.int64),
        strides=np.zeros(COLUMNS_MAX, np.int64),
        places=np.zeros(len(DECK), np.int64),
        stock=np.zeros(STOCK_MAX, np.int64),
        draw=variant.draw,
        passes=variant.passes or 0,
        rules=_rules(variant, rules),
    )


def _rules(variant: Variant, rules: int) -> int:
    if variant.passes is not None:
        rules &= ~USE_PHASES
    return rules | (GIVE_BACK if variant.foundation_give_back else 0)


def _in_place(blocks: list[tuple[int, int]]) -> int:
    """How many blocks of a column are in place: a king on no card is loose."""
    return 0 if len(blocks) == 1 and blocks[0][0] & KINGS else len(blocks)


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


def _waste(table: Table, variant: Variant) -> int:
    waste = len(table.waste)
    if variant.passes is not None:
        return (table.pass_number - 1) << 5 | waste
    return 0 if waste % variant.draw == 0 or not table.stock else waste
