"""Which rule an illegal move breaks: a position for each rule, and each position of real players' complaints."""

from typing import get_args

import pytest

from shared.rules.breaches import Breach
from shared.rules.legal import breach, legal_moves
from shared.rules.moves import move_text, parse_move
from shared.rules.variants import VARIANTS, Variant
from tests.play import table_of

DRAW1 = VARIANTS["draw1"]
ONE_PASS = Variant(id="one-pass", passes=1)
THREE_PASSES = Variant(id="three-passes", passes=3)
NO_GIVE_BACK = Variant(id="no-give-back", foundation_give_back=False)
OPEN = Variant(id="open", faces="all")

BREACHES: list[tuple[Breach, str, str, Variant]] = [
    ("no-such-pile", "T1: KS", "T1>T8", DRAW1),
    ("no-such-pile", "T1: KS", "T9>T1", DRAW1),
    ("no-such-pile", "T1: AC", "T1>F5", DRAW1),
    ("no-such-pile", "T1: AC", "T1>W", DRAW1),
    ("no-such-pile", "waste: AC", "W>W", DRAW1),
    ("same-pile", "T1: 5H 4S", "T1>T1*2", DRAW1),
    ("same-pile", "F1: AC", "F1>F1", DRAW1),
    ("source-empty", "T1: 5H", "T2>T1", DRAW1),
    ("source-empty", "T1: 5H", "W>T1", DRAW1),
    ("source-empty", "T1: 5H", "F1>T1", DRAW1),
    ("one-card-only", "waste: 5H 4S\nT1: 6C", "W>T1*2", DRAW1),
    ("one-card-only", "F1: 2C\nT1: 3H", "F1>T1*2", DRAW1),
    ("one-card-only", "F1: AC\nT1: 3H 2C", "T1>F1*2", DRAW1),
    ("face-down", "T1: (9C) 5H\nT2: TD", "T1>T2*2", DRAW1),
    ("face-down", "T1: 5H\nT2: 6S", "T1>T2*2", DRAW1),
    ("face-down", "T1: 5H\nT2: 6S", "T1>T2*13", DRAW1),
    ("not-a-run", "T1: 9H 5S\nT2: TC", "T1>T2*2", OPEN),
    ("only-king-to-empty", "T1: QH", "T1>T2", DRAW1),
    ("only-king-to-empty", "waste: QH", "W>T2", DRAW1),
    ("only-king-to-empty", "F1: QC", "F1>T2", DRAW1),
    ("only-king-to-empty", "T1: QH JS", "T1>T2*2", DRAW1),
    ("tableau-builds-down", "T1: 5H\nT2: 6D", "T1>T2", DRAW1),
    ("tableau-builds-down", "T1: 5H\nT2: 7S", "T1>T2", DRAW1),
    ("tableau-builds-down", "T1: 6S\nT2: 5H", "T1>T2", DRAW1),
    ("tableau-builds-down", "T1: TH\nT2: KS", "T1>T2", DRAW1),
    ("tableau-builds-down", "waste: TH\nT2: KS", "W>T2", DRAW1),
    ("tableau-builds-down", "F3: TH\nT2: KS", "F3>T2", DRAW1),
    ("tableau-builds-down", "T1: (9C) 5H\nT2: 8H", "T2>T1", DRAW1),
    ("foundation-builds-up", "T1: 2C", "T1>F1", DRAW1),
    ("foundation-builds-up", "F1: 2C\nT1: 4C", "T1>F1", DRAW1),
    ("foundation-builds-up", "T1: AC", "T1>F2", DRAW1),
    ("foundation-builds-up", "F1: 2C\nwaste: 3S", "W>F1", DRAW1),
    ("foundation-stays", "F1: AC", "F1>F2", DRAW1),
    ("foundation-stays", "F1: 2C\nT1: 3H", "F1>T1", NO_GIVE_BACK),
    ("stock-empty", "T1: 5H", "draw", DRAW1),
    ("stock-empty", "waste: 5H", "draw", DRAW1),
    ("stock-not-empty", "stock: 5H\nwaste: 6H", "recycle", DRAW1),
    ("waste-empty", "T1: 5H", "recycle", DRAW1),
    ("no-pass-left", "waste: 5H", "recycle", ONE_PASS),
    ("no-pass-left", "waste: 5H\npass: 3", "recycle", THREE_PASSES),
]

LEGAL: list[tuple[str, str, Variant]] = [
    ("T1: (9C) 5H 4S\nT2: 6S", "T1>T2*2", DRAW1),
    ("T1: (9C) 5H 4S\nT2: 5D", "T1>T2", DRAW1),
    ("T1: (9C) KH QS", "T1>T2*2", DRAW1),
    ("T1: KH QS", "T1>T2*2", DRAW1),
    ("waste: KD", "W>T7", DRAW1),
    ("F2: KD", "F2>T7", DRAW1),
    ("F1: 2C\nT1: 3H", "F1>T1", DRAW1),
    ("waste: AS", "W>F4", DRAW1),
    ("F1: QC\nT1: KC", "T1>F1", DRAW1),
    ("stock: 5H", "draw", DRAW1),
    ("waste: 5H\npass: 99", "recycle", DRAW1),
    ("waste: 5H\npass: 2", "recycle", THREE_PASSES),
    ("T1: 9H 5S 4D\nT2: 6D", "T1>T2*2", OPEN),
]


@pytest.mark.parametrize(("rule", "table", "move", "variant"), BREACHES)
def test_an_illegal_move_names_the_rule_that_it_breaks(rule: Breach, table: str, move: str, variant: Variant) -> None:
    laid = table_of(table)
    assert breach(laid, parse_move(move), variant) == rule
    assert move not in map(move_text, legal_moves(laid, variant))


@pytest.mark.parametrize(("table", "move", "variant"), LEGAL)
def test_a_legal_move_breaks_none(table: str, move: str, variant: Variant) -> None:
    laid = table_of(table)
    assert breach(laid, parse_move(move), variant) is None
    assert move in map(move_text, legal_moves(laid, variant))


def test_every_rule_can_be_broken() -> None:
    assert {rule for rule, *_ in BREACHES} == set(get_args(Breach))


def test_of_two_decks_each_foundation_takes_its_own_suit_and_either_copy() -> None:
    """An ace may choose between two foundations, and moving it from one to the other is no move."""
    two_decks = Variant(id="two-decks", decks=2, columns=(5,) * 10)
    table = table_of("T1: AC\nF1: AC", columns=10, foundations=8)
    assert [move_text(move) for move in legal_moves(table, two_decks)] == ["T1>F5"]
    assert breach(table, parse_move("F1>F5"), two_decks) == "foundation-stays"
