"""What is stuck and what is not, on tables worked out by hand."""

import pytest

from shared.rules.stuck import is_stuck
from shared.rules.table import Table
from shared.rules.variants import VARIANTS, Variant
from tests.play import table_of

DRAW1, DRAW3 = VARIANTS["draw1"], VARIANTS["draw3"]
LAST_PASS = Variant(id="last", passes=1)
FOUR_UP = "F1: 4C\nF2: 4D\nF3: 4H\nF4: 4S\n"

STUCK = {
    "nothing fits anywhere": (DRAW1, "T1: (2C) 9S\nT2: (3D) 9C\nT3: JC\nstock: 7H 5S"),
    "no legal move at all": (DRAW1, "T1: (2C) 9S"),
    "a card goes to and fro": (DRAW1, "T1: (2C) 6S 5H\nT2: (3D) 6C\nwaste: KH"),
    "a card of the waste has a place and is of no use": (DRAW1, "T1: (2C) 9S\nT2: (3D) JC\nwaste: 8H KH"),
    "the wanted card lies under its child": (DRAW1, f"{FOUR_UP}T1: (9C) 6S 5H 4C\nT2: (9D) KS"),
    "no draw of three ends with a card that fits": (DRAW3, f"{FOUR_UP}T1: (9C) KS\nT2: (9D) KC\nstock: 9H 5S 5C"),
    "the card under the waste's top is lost": (LAST_PASS, f"{FOUR_UP}T1: (9C) KS\nT2: (9D) KC\nwaste: 5C 9H"),
    "what would leave can only go to where it lies": (DRAW1, "T1: (2C) 9S 8H 7C\nT2: (3D) JH"),
}

NOT_STUCK = {
    "a card can go up": (DRAW1, f"{FOUR_UP}T1: (9C) 5S"),
    "a card of the stock can go up": (DRAW1, f"{FOUR_UP}T1: (9C) KS\nstock: 5C 9H KD"),
    "a card can be turned up": (DRAW1, "T1: (2C) 9S\nT2: (3D) 8H"),
    "a king can leave": (DRAW1, "T1: (2C) KS\nT2:"),
    "a card of the stock makes room for a root": (DRAW1, "T1: (2C) 9S\nT2: (3D) 7C\nstock: 8H JC"),
    "a card from a foundation makes room": (DRAW1, "F3: 8H\nT1: (2C) 9S\nT2: (3D) 7C"),
    "part of a run moves and lets a card go up": (DRAW1, f"{FOUR_UP}T1: (9C) 6S 5H 4C\nT2: (9D) 6C 5D"),
    "the draw of three before has left": (DRAW3, f"{FOUR_UP}T1: (9C) 9S\nT2: (9D) KC\nstock: 5S 8H JH JD"),
    "there is another pass": (Variant(id="two", passes=2), f"{FOUR_UP}T1: (9C) KS\nwaste: 5C 9H"),
}


@pytest.mark.parametrize("name", STUCK)
def test_stuck(name: str) -> None:
    variant, text = STUCK[name]
    assert is_stuck(filled(text), variant)


@pytest.mark.parametrize("name", NOT_STUCK)
def test_not_stuck(name: str) -> None:
    variant, text = NOT_STUCK[name]
    assert not is_stuck(filled(text), variant)


def test_a_game_that_is_won_is_not_stuck() -> None:
    assert not is_stuck(table_of("F1: KC\nF2: KD\nF3: KH\nF4: KS"), DRAW1)


def filled(text: str) -> Table:
    """The table with a king that cannot leave in each column that is not mentioned."""
    names = {line.split(":")[0].strip() for line in text.splitlines()}
    blocks = [f"T{place}: (AC) KS" for place in range(1, 8) if f"T{place}" not in names]
    return table_of("\n".join([text, *blocks]))
