"""Positions from outside: every kind of impossible one is refused, with the line and the card."""

import re
from collections.abc import Callable
from random import Random

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from shared.rules.board import DealError
from shared.rules.cards import DECK, builds_down, rank, suit
from shared.rules.deal import numbered_deck
from shared.rules.legal import legal_moves
from shared.rules.positions import position_fault
from shared.rules.table import Column, Table, apply, lay_out
from shared.rules.variants import VARIANTS, Variant
from shared.solver.formats import FORMATS, parse_table, table_text

DRAW1 = VARIANTS["draw1"]
PASSES3 = Variant(id="three passes", draw=3, passes=3)
BOARD = """
F1:-- F2:-- F3:-- F4:--  stock:22  waste:QC 4S  pass:1
stock, next card first: 6c 7c as 5c ah ks 6h qs qh qd 9d 3d 3s ac 4c 2h 8c tc 3h 2s 9h 7s
T1  T2  T3  T4  T5  T6  T7
7D  9c  4d  8h  8d  5s  jd
    6D  9s  jc  5d  kd  3c
        2D  jh  5h  7h  4h
            2C  ad  6s  kc
                KH  th  ts
                    JS  td
                        8S
"""


def played(random: Random, variant: Variant) -> Table:
    """A table in the middle of a game."""
    table = lay_out(numbered_deck(random.randrange(10**6), decks=1), variant)
    for _ in range(random.randrange(80)):
        if not (legal := legal_moves(table, variant)):
            break
        table = apply(table, random.choice(legal), variant).table
    return table


def replaced(table: Table, index: int, column: Column) -> Table:
    columns = (*table.columns[:index], column, *table.columns[index + 1 :])
    return msgspec.structs.replace(table, columns=columns)


def card_twice(table: Table, _random: Random) -> Table:
    """A card of the stock becomes one of a column once more."""
    shown = next(column.up[-1] for column in table.columns if column.up)
    return msgspec.structs.replace(table, stock=(shown, *table.stock[1:])) if table.stock else table


def card_missing(table: Table, _random: Random) -> Table:
    return msgspec.structs.replace(table, stock=table.stock[1:])


def face_down_on_top(table: Table, random: Random) -> Table:
    index = random.choice([index for index, column in enumerate(table.columns) if column.up])
    column = table.columns[index]
    return replaced(table, index, Column(column.down + column.up, ()))


def too_many_face_down(table: Table, _random: Random) -> Table:
    cards = [card for column in table.columns for card in column.down + column.up]
    first = Column(tuple(cards[:-1]), tuple(cards[-1:]))
    return msgspec.structs.replace(table, columns=(first, *(Column() for _ in range(6))))


def not_a_run(table: Table, random: Random) -> Table:
    """A card of the stock lies face up where it does not fit."""
    index = random.choice([index for index, column in enumerate(table.columns) if column.up])
    column = table.columns[index]
    unfit = [card for card in table.stock if not builds_down(card, column.up[-1])]
    if not unfit:
        return table
    stock = tuple(card for card in table.stock if card != unfit[0])
    return replaced(msgspec.structs.replace(table, stock=stock), index, Column(column.down, (*column.up, unfit[0])))


def foundation_skips(table: Table, _random: Random) -> Table:
    """A card of the stock lies on the foundation of its suit before its time."""
    early = [card for card in table.stock if rank(card) > len(table.foundations[suit(card)]) + 1]
    if not early:
        return table
    piles = list(table.foundations)
    piles[suit(early[0])] += (early[0],)
    stock = tuple(card for card in table.stock if card != early[0])
    return msgspec.structs.replace(table, foundations=tuple(piles), stock=stock)


def pass_too_many(table: Table, random: Random) -> Table:
    return msgspec.structs.replace(table, pass_number=random.choice((0, 4, 99)))


def column_too_many(table: Table, _random: Random) -> Table:
    return msgspec.structs.replace(table, columns=(*table.columns, Column()))


KINDS: dict[Callable[[Table, Random], Table], str] = {
    card_twice: r".. is there 2 times, in .* and ",
    card_missing: r"51 cards, not 52: .. missing",
    face_down_on_top: r"T\d: .. lies face down on top",
    too_many_face_down: r"T1: \d+ cards lie face down, 0 at most",
    not_a_run: r"T\d: .. lies on .., both face up, and does not fit there",
    foundation_skips: r"F\d: .. cannot be card \d+ there",
    pass_too_many: r"pass \d+: ",
    column_too_many: r"8 columns: three passes has 7",
}


@pytest.mark.parametrize("spoil", KINDS)
@settings(max_examples=30)
@given(seed=st.integers(0, 10**6))
def test_no_game_comes_to_an_impossible_table(spoil: Callable[[Table, Random], Table], seed: int) -> None:
    """What play comes to is accepted; spoilt in any of these ways it is refused."""
    random = Random(seed)
    table = played(random, PASSES3)
    assert position_fault(table, PASSES3) is None
    spoilt = spoil(table, random)
    assume(spoilt != table)
    fault = position_fault(spoilt, PASSES3)
    assert fault is not None
    assert re.search(KINDS[spoil], fault), fault


@settings(max_examples=30)
@given(seed=st.integers(0, 10**6))
def test_every_table_of_an_open_game_is_possible(seed: int) -> None:
    """There face-up cards lie as they were dealt, whether they fit or not."""
    opened = Variant(id="open", faces="all")
    assert position_fault(played(Random(seed), opened), opened) is None


def test_a_face_up_card_of_an_open_game_fits_where_it_was_not_dealt() -> None:
    """Column one had one card: what lies on it came there by a move."""
    opened = Variant(id="open", faces="all")
    table = lay_out(DECK, opened)
    first, second, *others = table.columns
    moved = Column((), first.up + second.up[-1:]), Column((), second.up[:-1])
    fault = position_fault(msgspec.structs.replace(table, columns=(*moved, *others)), opened)
    assert fault == "T1: 8C lies on AC, both face up, and does not fit there"


@pytest.mark.parametrize(
    ("change", "message", "row"),
    [
        (("F1:--", "F1:2D"), "F1: 2D is of another suit, F2 takes it", 0),
        (("F2:--", "F9:--"), "F9: F2 has to come here", 0),
        (("F1:--", "F1:ZZ"), "F1: 'ZZ' is no card", 0),
        (("F1:--", "F1:2C"), "AC is there 2 times, in F1 and stock", 1),
        (("  pass:1", ""), "no board: the first line is like F1:--", 0),
        (("pass:1", "pass:0"), "pass 0: the first one is 1", 0),
        (("stock:22", "stock:21"), "stock: the line above counts 21 cards, here are 22", 1),
        (("6c 7c", "6c 7x"), "stock: '7x' is no card", 1),
        (("stock, next card first", "the stock"), "stock: which cards it has is missing", 1),
        (("waste:QC 4S", "waste:... 4S"), r"waste: \.\.\. stands for cards that are not known", 0),
        (("waste:QC 4S", "waste:QC 7S"), "7S is there 2 times, in stock and waste", 1),
        (("waste:QC 4S", "waste:QC"), "51 cards, not 52: 4S missing", 0),
        (("T1  T2", "T2  T1"), "the names of the columns have to come here", 2),
        (("7D  9c", "##  9c"), "T1: ## stands for cards that are not known", 3),
        (("7D  9c", "7d  9c"), "T1: 7D lies face down on top", 3),
        (("7D  9c", "7D  9C"), "T2: 6D lies on 9C, both face up, and does not fit there", 4),
        (("    6D  9s", "    6D  9S"), "T3: 2D lies on 9S, both face up", 5),
        (("            2C", "2C            "), "T1: nothing lies under 2C", 6),
        (("            2C", "                                2C"), "2C stands under no column's name", 6),
        (("4d  8h  8d", "4D  8h  8d"), "T3: 9S lies face down above 4D, which lies face up", 4),
    ],
)
def test_a_board_that_is_wrong_is_refused_at_its_line(change: tuple[str, str], message: str, row: int) -> None:
    """The row counts from the board's first line."""
    assert change[0] in BOARD
    with pytest.raises(DealError, match=message) as caught:
        parse_table(BOARD.replace(*change), DRAW1)
    assert caught.value.row == row


def test_a_foundation_that_is_written_out_has_no_gap() -> None:
    """In JSON all its cards may be given."""
    text = table_text(lay_out(DECK, DRAW1), DRAW1, "position")
    with pytest.raises(DealError, match="F1: 3C cannot be card 2 there, it goes from the ace up by one"):
        parse_table(text.replace('"foundations":["--"', '"foundations":["AC 3C"'), DRAW1)


SCRAPS = st.sampled_from(
    [
        *BOARD.split(),
        *BOARD.splitlines(True),
        " ",
        "\n",
        "F1:",
        "##",
        "...",
        "9" * 5000,
        "{",
        '"columns":',
        "[",
        "]",
        "}",
    ]
    + [table_text(lay_out(DECK, DRAW1), DRAW1, form) for form in FORMATS if FORMATS[form].write_deal]
    + ["ms:", "pysolfc:", "klondike:", "10h", "\u0663", "\0", ","]
)


def refusal(text: str, form: str | None) -> DealError | None:
    """Why a text is refused. If it is not, it is a table of a game."""
    try:
        table = parse_table(text, DRAW1, form)
    except DealError as error:
        return error
    assert position_fault(table, DRAW1) is None
    return None


@given(scraps=st.lists(SCRAPS | st.text(max_size=5), max_size=12), form=st.sampled_from([None, *FORMATS]))
def test_any_text_is_a_table_or_refused(scraps: list[str], form: str | None) -> None:
    """Never a traceback, whatever is in a file; the reason is said, and names a line of the text."""
    text = "".join(scraps)
    if error := refusal(text, form):
        assert str(error)
        assert 0 <= error.row <= text.count("\n")


@given(at=st.integers(0, len(BOARD) - 1), letter=st.sampled_from("AKQJT92cdhs#-:. \n"))
def test_a_board_with_one_letter_changed_is_another_table_or_refused(at: int, letter: str) -> None:
    """As when somebody edits it by hand."""
    text = BOARD[:at] + letter + BOARD[at + 1 :]
    if error := refusal(text, None):
        assert 0 <= error.row <= text.count("\n")
