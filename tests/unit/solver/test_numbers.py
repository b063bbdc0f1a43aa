"""Deals that other programs know by a number, held to what those programs deal."""

from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.rules.table import lay_out
from shared.rules.variants import VARIANTS
from shared.solver.formats import parse_deal
from shared.solver.numbers import _BY_RANK, _microsoft, _shuffled, microsoft_deck, pysolfc_deck
from shared.solver.twister import fractions

# Printed by pysol_cards 0.24.0: Game("klondike", number, kind, 13).calc_layout_string(CardRenderer(True)).
MS_24 = """
Talon: TC TS AD 4D QS 3H 3S JH TD KC 8H 8S 4S 4H KS 6D 8D 7C JD 9D 2H QD 3D AS
5C
<7H> 9H
<2D> <9S> AC
<5D> <QH> <5S> 8C
<QC> <2C> <JS> <3C> 7D
<5H> <7S> <KD> <9C> <JC> 6S
<4C> <AH> <2S> <6C> <6H> <TH> KH
"""
PYSOLFC_32001 = """
Talon: TH 8D 2S AH 9D KD 9S 5C QH 5D 5H QS 6C 7D AD 6H 3H KS 4D KC 3S 8C 9H 7C
2C
<6S> QC
<5S> <7H> TS
<8H> <4S> <3D> QD
<JD> <JC> <2D> <2H> 4H
<AC> <KH> <JH> <7S> <8S> 3C
<4C> <6D> <TC> <JS> <TD> <9C> AS
"""
FREECELL_1 = "JD 2D 9H JC 5D 7H 7C 5H KD KC 9S 5S AD QC KH 3H"
"""Deal 1 of Microsoft's FreeCell, its first two rows, as Rosetta Code prints it ("Deal cards for FreeCell")."""
FREECELL_617 = "7D AD 5C 3S 5S 8C 2D AH TD 7S QD AC 6D 8H AS KH"


def columns_and_talon(text: str) -> tuple[list[list[str]], list[str]]:
    talon, *columns = text.translate({ord("<"): None, ord(">"): None}).strip().splitlines()
    return [line.split() for line in columns], talon.split()[1:]


@pytest.mark.parametrize(("text", "deal"), [("ms:24", MS_24), ("pysolfc:24", MS_24), ("pysolfc:32001", PYSOLFC_32001)])
def test_a_number_gives_the_deal_that_its_program_prints(text: str, deal: str) -> None:
    """Column by column, and card by card of the stock."""
    table = lay_out(parse_deal(text), VARIANTS["draw1"])
    columns, talon = columns_and_talon(deal)
    assert [list(column.down + column.up) for column in table.columns] == columns
    assert list(table.stock[::-1]) == talon


@pytest.mark.parametrize(("number", "rows"), [(1, FREECELL_1), (617, FREECELL_617)])
def test_microsofts_shuffle_is_that_of_its_freecell(number: int, rows: str) -> None:
    """FreeCell deals the same shuffle row by row."""
    assert _shuffled(_BY_RANK, _microsoft(number))[::-1][:16] == rows.split()


def test_pysolfc_changes_its_generator_at_32000() -> None:
    """Below it, a number is one of Microsoft's shuffle."""
    assert pysolfc_deck(31_999) == microsoft_deck(31_999)
    assert pysolfc_deck(32_000) != microsoft_deck(32_000)


def test_the_ranges_of_microsofts_numbers_differ() -> None:
    """From 2^31 and from 2^32 on the generator gives other numbers for the same state."""
    assert len({microsoft_deck(number) for number in (5, 2**31 + 5, 2**32 + 5)}) == 3


@given(number=st.integers(0, 10**20) | st.integers(0, 2**40))
def test_the_twister_is_that_of_python(number: int) -> None:
    """Beyond the first 624 words too, where it twists again."""
    theirs = Random(number)
    assert list(islice(fractions(number), 400)) == [theirs.random() for _ in range(400)]
