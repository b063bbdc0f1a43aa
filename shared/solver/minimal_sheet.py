"""A deal laid out for the search for shortest solutions, and what its two integers a position mean.

`docs/solver.md` says what roots, loose cards and seats are. A position is two non-negative int64:

- the first: three bits a column for the roots left in it, four bits a foundation for its height, and a bit for each
  place of the stock that still holds its card;
- the second: two bits a pair of cards for where they lie, then five for the cards in the waste, two for the passes, six
  for a card that was given back and has to be made use of: its place, plus one.

A **pair** is the two cards of a rank and colour; pair `p` has the bits `2p` and `2p + 1` of a set of cards. Its two
bits say on which of their two parents its lying cards lie: 0 if that may still be chosen, else, for a single card on
parent `j`, `1 + j`; for both, with card `k` on parent `j`, `1 + (k ^ j)`.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from shared.rules.cards import SUITS, builds_down
from shared.rules.table import Table
from shared.rules.variants import Variant
from shared.solver.bits import KINGS, SUIT
from shared.solver.flat import BITS, COLUMNS_MAX, flatten
from shared.solver.intrinsics import Ints, compiled

CALLEES: Final = "67245d15f17b47ba"
"""A digest of the modules that are compiled into this one. A test says what it has to be."""

Bytes = npt.NDArray[np.uint8]

COLUMN_BITS: Final = 3
COLUMN_MASK: Final = 7
HEIGHTS_AT: Final = 21
STOCK_AT: Final = 37
STOCK_MASK: Final = 0xFFFFFF
WASTE_AT: Final = 48
CODES_MASK: Final = (1 << WASTE_AT) - 1
WASTE_MASK: Final = 31
PASS_AT: Final = 53
PASS_MASK: Final = 3
GIVEN_AT: Final = 55
NEVER: Final = 9
LOST: Final = 120
"""More than any number of cards, instead of one: no moves win."""
PAIRS: Final = 24
"""Pairs that can lie on others: all but kings."""

_BLOCKS: Final = COLUMNS_MAX + 1
CHART_PAIRS: Final = 7
"""Each doubles the chart: five megabytes, and an eighth of a second, for a whole deal."""
_BYTES: Final = 3
_TABLES: Final = 6
"""Tables of the columns in a sheet."""


class Sheet(NamedTuple):
    """What stays the same during a search. The tables of a column are indexed [column, roots left]."""

    roots: Ints
    hidden: Ints
    """Cards under the root."""
    loose: Ints
    """The column's dealt cards that are not in place any more."""
    nexts: Ints
    """How many roots are left once this one left."""
    either: Ints
    """Cards from the root down that have to be put down: a lower card of their suit waits under them, and no parent."""
    alone: Ints
    """Of such cards under which one parent waits, the other one: it has to be their seat."""
    stock: Ints
    """[place]: its card."""
    talon: Ints
    """[byte, value]: the cards at the places that a byte of the stock's mask stands for."""
    places: Ints
    """[card]: its column, or its place in the stock."""
    limits: Ints
    """[column]: roots left at the start."""
    strides: Ints
    """[column]: what a root that is left counts for in a place of the chart."""
    pairs: Ints
    """[bit]: pairs of which the chart counts what it costs to put one down from the talon as a seat."""
    seats: Ints
    """[bits]: the cards of the talon that are seats when one of each of these pairs was put down."""
    constants: Ints
    """The places CARDS to RULES below."""


TALON, DEALT_UP, COLUMNS, DRAW, PASSES, RULES, CONSTANTS = range(7)
"""Places of `Sheet.constants`: all cards of the stock; cards that were up at the start; how many columns there are;
cards a draw; passes, 0 if without limit; the kernels' rules."""


class Start(NamedTuple):
    """A sheet, and the position that it was made from."""

    sheet: Sheet
    first: int
    second: int


def lay_sheet(table: Table, variant: Variant, rules: int) -> Start:
    """The sheet of a table that holds each card once.

    Raises:
        ValueError: `flat.unsupported` has an objection.
    """
    flat = flatten(table, variant)
    columns = np.zeros((_TABLES, COLUMNS_MAX, _BLOCKS), np.int64)
    limits = np.zeros(COLUMNS_MAX, np.int64)
    first = ((1 << flat.deal.stock.size) - 1) << STOCK_AT
    for column in range(COLUMNS_MAX):
        left = int(flat.first[0]) >> 4 * column & 15
        first |= left << COLUMN_BITS * column
        limits[column] = left
        _lay_column(columns[:, column], left, flat.deal.roots[column].tolist(), flat.deal.rests[column].tolist())
    for pile in table.foundations:
        if pile:
            first |= len(pile) << HEIGHTS_AT + 4 * _place(BITS[pile[0]])
    passes = table.pass_number - 1 if variant.passes else 0
    second = _codes(table) | len(table.waste) << WASTE_AT | passes << PASS_AT
    stock = np.zeros(8 * _BYTES, np.int64)
    stock[: flat.deal.stock.size] = flat.deal.stock
    constants = _constants(table, variant, rules, int(stock.sum()))
    strides = np.concatenate(([1], np.cumprod(limits + 1)[:-1]))
    pairs, seats = _seats(columns[:, np.arange(COLUMNS_MAX), limits], int(stock.sum()))
    roots, hidden, loose, nexts, either, alone = columns
    by_place = (stock, _talon(stock), flat.deal.places, limits, strides, pairs, seats, constants)
    sheet = Sheet(roots, hidden, loose, nexts, either, alone, *by_place)
    return Start(sheet, first, second)


def _lay_column(tables: Ints, left: int, roots: list[int], rests: list[int]) -> None:
    """Fill in the tables of one column: the fields of `Sheet`, from `roots` to `alone`."""
    under = either = alone = 0
    everything = sum(roots) + sum(rests)
    tables[2] = everything
    for place in range(1, left + 1):
        root = roots[place]
        after = 0 if place == 2 and roots[1] & KINGS else place - 1
        if _lower(root) & under:
            buried = _parents(root) & under
            alone |= _parents(root) ^ buried if buried else 0
            either |= 0 if buried else root
        tables[:, place] = root, under, everything & ~(under | root), after, either, alone
        under |= root | rests[place]


def _lower(bit: int) -> int:
    """The lower cards of a card's suit."""
    return SUIT << _place(bit) % len(SUITS) & (bit - 1)


def _parents(bit: int) -> int:
    """The two cards that a card may lie on; none for a king."""
    pair = _place(bit) >> 1
    return 3 << 2 * ((pair + 2) ^ 1) if pair < PAIRS else 0


def _place(bit: int) -> int:
    """A card's place among the 52."""
    return bit.bit_length() - 1


def _talon(stock: Ints) -> Ints:
    """`Sheet.talon`."""
    cards = np.zeros((_BYTES, 256), np.int64)
    for byte in range(_BYTES):
        for bit in range(8):
            cards[byte, 1 << bit : 2 << bit] = cards[byte, : 1 << bit] | stock[8 * byte + bit]
    return cards


def _seats(columns: Ints, talon: int) -> tuple[Ints, Ints]:
    """`Sheet.pairs` and `Sheet.seats`: of the pairs with cards in the talon those that most cards wait for."""
    dealt = int(np.bitwise_or.reduce(columns[0] | columns[1]))
    weights: dict[int, int] = {}
    for pair in range(PAIRS):
        parents = 3 << 2 * ((pair + 2) ^ 1)
        children = (dealt >> 2 * pair & 3).bit_count()
        weights[(pair + 2) ^ 1] = children * (parents & talon).bit_count()
    chosen = sorted(weights, key=lambda pair: -weights[pair])[:CHART_PAIRS]
    chosen = [pair for pair in chosen if weights[pair]]
    masks = [3 << 2 * pair & talon for pair in chosen]
    seats = np.full(1 << len(chosen), talon & ~sum(masks), np.int64)
    for bit, mask in enumerate(masks):
        seats.reshape(-1, 2, 1 << bit)[:, 1] |= mask
    return np.array(chosen, np.int64), seats


def _constants(table: Table, variant: Variant, rules: int, talon: int) -> Ints:
    constants = np.zeros(CONSTANTS, np.int64)
    constants[TALON] = talon
    constants[DEALT_UP] = sum(BITS[card] for pile in table.foundations for card in pile)
    constants[COLUMNS] = len(table.columns)
    constants[DRAW] = variant.draw
    constants[PASSES] = variant.passes or 0
    constants[RULES] = rules
    return constants


def _codes(table: Table) -> int:
    """How the cards lie that are loose at the start."""
    codes = 0
    for column in table.columns:
        for lower, upper in zip(column.up[:0:-1], column.up[-2::-1], strict=True):
            if not builds_down(lower, upper):
                break
            child, parent = _place(BITS[lower]), _place(BITS[upper])
            pair = child >> 1
            code = codes >> 2 * pair & 3
            lying = 1 + (parent & 1) if code == 0 else 1 + (child & 1 ^ parent & 1)
            codes += (lying - code) << 2 * pair
    return codes


class View(NamedTuple):
    """A position, unpacked."""

    up: int
    roots: int
    visible: int
    """Roots and loose cards in the tableau."""
    lying: int
    """Loose cards in the tableau."""
    hidden: int
    stock: int
    """The mask of its places."""
    waste: int
    passes: int
    """Passes before this one, if they are counted."""
    free: int
    """Columns without a root."""
    given: int
    """The place of the card that was given back and is of no use yet, plus one; else 0."""
    codes: int
    """Where the cards of each pair lie."""


@compiled
def left_in(first: int, column: int) -> int:
    """How many roots are left in a column."""
    return (first >> (COLUMN_BITS * column)) & COLUMN_MASK


@compiled
def height(first: int, suit: int) -> int:
    return (first >> (HEIGHTS_AT + 4 * suit)) & 15


@compiled
def cards_up(first: int) -> int:
    """The set of cards that are on the foundations."""
    up = 0
    for suit in range(4):
        up |= ((1 << (4 * height(first, suit))) - 1) & (SUIT << suit)
    return up


@compiled
def talon_cards(mask: int, sheet: Sheet) -> int:
    """The set of cards at the places of a mask."""
    found: int = sheet.talon[0, mask & 255] | sheet.talon[1, (mask >> 8) & 255] | sheet.talon[2, mask >> 16]
    return found


@compiled
def view_of(first: int, second: int, sheet: Sheet) -> View:
    up = cards_up(first)
    stock = first >> STOCK_AT
    freed = (sheet.constants[TALON] & ~talon_cards(stock, sheet)) | sheet.constants[DEALT_UP]
    roots, hidden, free = 0, 0, 0
    for column in range(sheet.constants[COLUMNS]):
        left = left_in(first, column)
        roots |= sheet.roots[column, left]
        hidden |= sheet.hidden[column, left]
        freed |= sheet.loose[column, left]
        free += left == 0
    lying = freed & ~up
    return View(
        up, roots, roots | lying, lying, hidden, stock,
        (second >> WASTE_AT) & WASTE_MASK, (second >> PASS_AT) & PASS_MASK, free,
        second >> GIVEN_AT, second & CODES_MASK,
    )  # fmt: skip


@compiled
def bits_of(cards: int, pair: int) -> int:
    """Which of a pair's two cards are in a set."""
    return (cards >> (2 * pair)) & 3


@compiled
def put(pair: int, code: int, codes: int) -> int:
    """The codes with the one of a pair replaced."""
    return (codes & ~(3 << (2 * pair))) | (code << (2 * pair))


@compiled
def lies_down(card: int, codes: int, lying: int, visible: int) -> int:
    """The codes once a card, given by its place, came to lie on a parent. There is room for it."""
    pair = card >> 1
    if pair >= PAIRS:
        return codes
    parents = bits_of(visible, (pair + 2) ^ 1)
    if bits_of(lying, pair) == 0:
        return put(pair, 0 if parents == 3 else parents, codes)
    code = (codes >> (2 * pair)) & 3
    if code == 0:
        return codes
    # The twin lies on parent `code - 1`, so this one lies on the other.
    return put(pair, 1 + ((card & 1) ^ (2 - code)), codes)


@compiled
def leaves(card: int, codes: int, lying: int) -> int:
    """The codes once a card that lay on a parent left it."""
    pair = card >> 1
    if pair >= PAIRS:
        return codes
    code = (codes >> (2 * pair)) & 3
    if bits_of(lying, pair) != 3:
        return put(pair, 0, codes)
    if code == 0:
        return codes
    # The twin, 1 - k, stays on parent (1 - k) ^ (code - 1).
    return put(pair, 1 + ((1 - (card & 1)) ^ (code - 1)), codes)


@compiled
def bared(card: int, codes: int, lying: int, visible: int) -> int:
    """What it costs to have nothing lie on a card: 0, 1 to move a child to its other parent, or 9 if that fails."""
    rank_pair = card >> 1
    if rank_pair < 2:
        return 0
    pair = (rank_pair ^ 1) - 2
    children = bits_of(lying, pair)
    if children == 0:
        return 0
    if children == 3:
        return NEVER
    if (codes >> (2 * pair)) & 3 != 1 + (card & 1):
        return 0
    return 1 if bits_of(visible, rank_pair) == 3 else NEVER


@compiled
def goes(card: int, codes: int, lying: int) -> int:
    """The codes once a card on which nothing lies any more went up: a single child lies on its other parent."""
    rank_pair = card >> 1
    if rank_pair < 2:
        return codes
    pair = (rank_pair ^ 1) - 2
    if bits_of(lying, pair) == 0:
        return codes
    return put(pair, 2 - (card & 1), codes)
