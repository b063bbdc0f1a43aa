"""Moves and piles as text: each move has one text, and each text one move."""

import re
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.messages.jobs import MOVE_TEXT
from shared.rules import piles
from shared.rules.moves import Draw, Move, MoveCards, Recycle, move_text, parse_move
from shared.rules.piles import Pile, PileKind

any_pile: st.SearchStrategy[Pile] = st.sampled_from(get_args(Pile))
any_move: st.SearchStrategy[Move] = st.one_of(
    st.builds(MoveCards, source=any_pile, target=any_pile, count=st.integers(1, 104)),
    st.just(Draw()),
    st.just(Recycle()),
)


@given(any_move)
def test_a_move_is_read_back_from_its_text(move: Move) -> None:
    text = move_text(move)
    assert parse_move(text) == move
    assert len(text) <= get_args(MOVE_TEXT)[1].max_length


@given(any_move, any_move)
def test_different_moves_have_different_texts(one: Move, other: Move) -> None:
    assert (move_text(one) == move_text(other)) == (one == other)


@pytest.mark.parametrize(
    "text",
    ["", "w>f2", "T0>T1", "T11>T1", "F9>T1", "W1>T1", "T1>T2*0", "T1>T2*01", "T1>T2*-1", "T1>T2*1000", "T1>T2 ",
     "T1>T2\n", "T1", "T1>", ">T1", "Draw", "draw ", "undo", "T1>T2*³", "T1>T2*٣", "T1>T２", "S>W"],
)  # fmt: skip
def test_what_names_no_move_is_refused_with_an_example_of_one_that_does(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape("T3>T5*4")):
        _ = parse_move(text)


@given(st.text(max_size=12))
def test_any_text_is_a_move_or_refused(text: str) -> None:
    try:
        move = parse_move(text)
    except ValueError:
        return
    assert parse_move(move_text(move)) == move


def test_piles_are_counted_from_one_and_indexed_from_zero() -> None:
    assert [piles.column(index) for index in (0, 9)] == ["T1", "T10"]
    assert [piles.foundation(index) for index in (0, 7)] == ["F1", "F8"]
    assert piles.parts("T10") == (PileKind.TABLEAU, 9)
    assert piles.parts("W") == (PileKind.WASTE, 0)


def test_each_pile_has_its_own_kind_and_index() -> None:
    assert len({piles.parts(pile) for pile in get_args(Pile)}) == len(get_args(Pile)) == 19
