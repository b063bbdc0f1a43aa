"""Deals and positions as text: what is written is read back, and what is wrong is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.rules.board import DealError
from shared.rules.cards import DECK, Card
from shared.rules.deal import numbered_deck
from shared.rules.legal import legal_moves
from shared.rules.table import Table, apply, lay_out
from shared.rules.variants import VARIANTS, Variant
from shared.solver.formats import FORMATS, deal_text, detect, parse_deal, parse_table, table_text

decks = st.permutations(DECK).map(tuple)
PLAIN = deal_text(DECK, "list")
DEAL_FORMATS = [form.name for form in FORMATS.values() if form.write_deal or form.write_table]
TABLE_FORMATS = [form.name for form in FORMATS.values() if form.write_table]
NUMBER_FORMATS = [form.name for form in FORMATS.values() if not (form.write_deal or form.write_table)]
KINDS = [
    VARIANTS["draw1"],
    VARIANTS["draw3"],
    Variant(id="three passes", draw=3, passes=3),
    Variant(id="open", faces="all"),
]


def played(number: int, moves: int, variant: Variant) -> Table:
    """A table of a game in which that many moves were made, each chosen by the deal's number."""
    table = lay_out(numbered_deck(number, decks=1), variant)
    for step in range(moves):
        if not (legal := legal_moves(table, variant)):
            break
        table = apply(table, legal[(number + step) % len(legal)], variant).table
    return table


tables = st.builds(played, st.integers(0, 10_000), st.integers(0, 60), st.sampled_from(KINDS))


def test_each_format_is_one_of_the_three_kinds() -> None:
    """Those that write deals, those that write any table, and numbers, which only tell a deal."""
    assert TABLE_FORMATS == ["board", "position"]
    assert NUMBER_FORMATS == ["pysolfc", "ms", "klondike"]
    assert sorted(DEAL_FORMATS + NUMBER_FORMATS) == sorted(FORMATS)


@pytest.mark.parametrize("form", DEAL_FORMATS)
@given(deck=decks)
def test_a_deal_is_read_back_as_it_was_written(form: str, deck: tuple[Card, ...]) -> None:
    """Every format keeps the deal, and is recognised."""
    text = deal_text(deck, form)
    assert detect(text) == form
    assert parse_deal(text) == deck
    assert parse_deal(text, form) == deck


@pytest.mark.parametrize("form", TABLE_FORMATS)
@given(number=st.integers(0, 10_000), moves=st.integers(0, 60), variant=st.sampled_from(KINDS))
def test_any_table_of_a_game_is_read_back_as_it_was_written(
    form: str, number: int, moves: int, variant: Variant
) -> None:
    """Foundations, stock, waste, pass and what lies face down: all of it."""
    table = played(number, moves, variant)
    text = table_text(table, variant, form)
    assert detect(text) == form
    assert parse_table(text, variant) == table


@pytest.mark.parametrize("form", NUMBER_FORMATS)
@given(number=st.integers(0, 2**33 - 1))
def test_a_number_is_a_whole_deal_however_it_is_written(form: str, number: int) -> None:
    """With its name, or with the format named; the same one each time."""
    deck = parse_deal(f"{form}:{number}")
    assert sorted(deck) == sorted(DECK)
    assert parse_deal(f"{form} #{number}") == deck
    assert parse_deal(f"{number:,}", form) == deck


def test_a_position_has_no_deal_and_is_not_written_as_one() -> None:
    """After the first draw the order of dealing is not told by a table any more."""
    table = played(1, 60, KINDS[0])
    with pytest.raises(DealError, match="only board and position"):
        table_text(table, KINDS[0], "list")


def test_a_published_deal_in_solvitaire_json_has_its_columns() -> None:
    """Lonelybot's README prints this one: columns from the left, tops last, the stock's top last."""
    text = (
        '{"tableau piles": [["KC"],["6s","8C"],["9s","Ah","5S"],["5d","Js","5h","QD"],["Ac","7c","Jc","7h","KD"],'
        '["10c","3h","4d","4h","6c","QS"],["7d","3c","6h","5c","10h","9c","3S"]],"stock": ["JD","10D","7S","10S",'
        '"AD","8S","JH","2D","AS","3D","9D","9H","6D","KS","QH","2H","2S","4S","4C","KH","2C","8H","8D","QC"]}'
    )
    deck = parse_deal(text)
    assert deck[:8] == ("KC", "6S", "9S", "5D", "AC", "TC", "7D", "8C")
    assert deck[28:30] == ("QC", "8D")


def test_klondike_solvers_digits_are_rank_and_suit() -> None:
    """Its README: 014 is the ace of spades, 042 the four of diamonds."""
    text = deal_text(DECK, "digits")
    assert (text[39 * 3 : 39 * 3 + 3], text[16 * 3 : 16 * 3 + 3]) == ("014", "042")
    assert (DECK[39], DECK[16]) == ("AS", "4D")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PLAIN.replace("AC ", ""), "51 cards, not 52: AC missing"),
        ("", "0 cards, not 52"),
        (PLAIN + " 9H", "card 53: 9H is there already, as card 35"),
        (f"{PLAIN} {PLAIN}", "104 cards: this is a deal of two decks"),
        (PLAIN.replace("2C", "AC"), "card 2: AC is there already, as card 1"),
        (PLAIN.replace("2C", "1X"), "card 2: '1X' is no card"),
        (PLAIN.replace("2C", "\ufffd\ufffd"), "card 2: .* is no card"),
        ("0110" * 10, "40 digits"),
        ("019" * 52, "card 1: 019 is no card"),
        ('{"stock": []}', "no Solvitaire deal"),
        ('{"tableau piles": [], "stock": []}', r"tableau piles: seven are needed, .*; here are 0$"),
        ('{"tableau piles": [["AC"]], "stock": []}', r"here are 1$"),
        ('{"tableau piles": [[], [], [], [], [], [], []], "stock": []}', r"these have 0, 0, 0, 0, 0, 0, 0$"),
        ('{"tableau piles": [], "stock": [], "waste": []}', "unknown field `waste`"),
        ("{", "no Solvitaire deal"),
        ('{"columns": 3}', "no position: Expected `array`"),
        ("123456", "pysolfc:123456, ms:123456 or klondike:123456"),
        ("pysolfc:", "'pysolfc:' is no deal number such as pysolfc:12345"),
        ("pysolfc:-1", "'pysolfc:-1' is no deal number"),
        ("klondike: #-12", "is no deal number such as klondike:12345"),
        ("ms:8589934592", "ms:8589934592 is too large, 8589934591 is the highest"),
        ("ms:" + "9" * 5000, "too large"),
        ("pysolfc:100000000000000000001", "too large"),
    ],
)
def test_a_bad_deal_is_refused_with_card_and_reason(text: str, message: str) -> None:
    """The message names what is wrong and where."""
    with pytest.raises(DealError, match=message):
        parse_deal(text)
