"""Tables: how a deck is laid out, what a draw turns, how the stock comes round."""

import pytest

from shared.rules.cards import DECK
from shared.rules.legal import legal_moves
from shared.rules.moves import Draw, MoveCards, Recycle
from shared.rules.table import Table, all_cards, apply, is_won, lay_out, revert
from shared.rules.variants import VARIANTS, Variant
from tests.play import table_of

DRAW1, DRAW3 = VARIANTS["draw1"], VARIANTS["draw3"]


def test_cards_are_dealt_row_by_row_from_the_left_and_the_top_ones_lie_face_up() -> None:
    table = lay_out(DECK, DRAW1)
    tops = [DECK[place] for place in (0, 7, 13, 18, 22, 25, 27)]
    assert [column.up for column in table.columns] == [(card,) for card in tops]
    assert [len(column.down) for column in table.columns] == [0, 1, 2, 3, 4, 5, 6]
    assert table.columns[6].down == (DECK[6], DECK[12], DECK[17], DECK[21], DECK[24], DECK[26])


def test_the_first_card_after_the_deal_is_drawn_first() -> None:
    table = lay_out(DECK, DRAW1)
    assert len(table.stock) == 24
    assert apply(table, Draw(), DRAW1).cards == (DECK[28],)
    assert table.foundations == ((), (), (), ())
    assert (table.waste, table.pass_number) == ((), 1)


@pytest.mark.parametrize("variant", [DRAW1, DRAW3, Variant(id="two", decks=2, columns=(6,) * 4 + (5,) * 6)])
def test_a_deal_uses_every_card(variant: Variant) -> None:
    assert sorted(all_cards(lay_out(DECK * variant.decks, variant))) == sorted(DECK * variant.decks)


def test_an_open_game_shows_every_card_of_the_tableau() -> None:
    table = lay_out(DECK, Variant(id="open", faces="all"))
    assert all(not column.down for column in table.columns)
    assert [len(column.up) for column in table.columns] == [1, 2, 3, 4, 5, 6, 7]


def test_a_draw_of_three_turns_one_by_one_and_only_the_last_plays() -> None:
    table = table_of("stock: 9C 4D AS\nT1: (2C) 5S")
    drawn = apply(table, Draw(), DRAW3)
    assert drawn.cards == drawn.table.waste == ("AS", "4D", "9C")
    played = apply(table_of("stock: 9C AS 4D 8H\nT1: 5S"), Draw(), DRAW3).table
    assert played.waste == ("8H", "4D", "AS")
    assert played.stock == ("9C",)


def test_after_the_top_card_is_played_the_one_below_plays() -> None:
    table = apply(table_of("stock: AS 4D 8H\nT1: 5S"), Draw(), DRAW3).table
    played = apply(table, MoveCards(source="W", target="F4"), DRAW3).table
    assert played.waste[-1] == "4D"
    assert MoveCards(source="W", target="T1") in legal_moves(played, DRAW3)


@pytest.mark.parametrize("left", [1, 2])
def test_the_last_draw_of_three_may_turn_one_or_two_cards(left: int) -> None:
    table = Table((), (), stock=DECK[:left], waste=DECK[10:13])
    drawn = apply(table, Draw(), DRAW3)
    assert drawn.table.waste == (*DECK[10:13], *DECK[:left][::-1])
    assert drawn.table.stock == ()
    assert revert(drawn.table, Draw(), DRAW3, count=left, turned_up=False) == table


def test_a_recycle_brings_the_same_cards_in_the_same_order() -> None:
    table = lay_out(DECK, DRAW3)
    passes = []
    for number in (1, 2, 3):
        drawn = []
        assert table.pass_number == number
        while table.stock:
            applied = apply(table, Draw(), DRAW3)
            table = applied.table
            drawn.append(applied.cards)
        passes.append(drawn)
        table = apply(table, Recycle(), DRAW3).table
        assert table.waste == ()
    assert passes[0] == passes[1] == passes[2]


def test_a_card_from_inside_a_column_takes_all_that_lies_on_it() -> None:
    applied = apply(table_of("T1: (9C) 7H 6S 5H\nT2: 7D"), MoveCards(source="T1", target="T2", count=2), DRAW1)
    assert applied.cards == ("6S", "5H")
    assert applied.table == table_of("T1: (9C) 7H\nT2: 7D 6S 5H")
    assert applied.turned_up is None


def test_the_uncovered_card_is_turned_up_in_the_same_move_and_no_other() -> None:
    before = table_of("T1: (2C) (9C) 6S\nT2: 7D\nT3: (3C) 8H")
    applied = apply(before, MoveCards(source="T1", target="T2"), DRAW1)
    assert applied.turned_up == "9C"
    assert applied.table == table_of("T1: (2C) 9C\nT2: 7D 6S\nT3: (3C) 8H")
    assert revert(applied.table, MoveCards(source="T1", target="T2"), DRAW1, count=1, turned_up=True) == before


def test_an_emptied_column_has_nothing_to_turn_up() -> None:
    applied = apply(table_of("T1: 6S\nT2: 7D"), MoveCards(source="T1", target="T2"), DRAW1)
    assert applied.turned_up is None
    assert applied.table == table_of("T2: 7D 6S")


def test_a_table_is_won_when_all_cards_are_up_and_not_one_earlier() -> None:
    assert is_won(table_of("F1: KC\nF2: KD\nF3: KH\nF4: KS"), DRAW1)
    assert not is_won(table_of("F1: KC\nF2: KD\nF3: KH\nF4: QS\nT1: KS"), DRAW1)
