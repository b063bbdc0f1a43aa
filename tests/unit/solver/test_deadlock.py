"""Cards that wait for each other, and cards that only seem to."""

import numpy as np
import pytest

from shared.rules.variants import Variant
from shared.solver.belief import lay_known
from shared.solver.deadlock import STACKS, deadlocked
from shared.solver.decide import new_world
from tests.boards import board

ONE_PASS = Variant(id="one-pass", passes=1)
UNLIMITED = Variant(id="unlimited")

STUCK = """
    T1: -- KC
    T2: -- KD
    T3: -- KH
    T4: -- KS
    T5: -- 9C
    T6: (TH) 7C
    T7: -- (8D) JS
"""
"""The ten would take the nine, and the eight the seven. Each lies under a card that waits for a free column, or for a
card that was never seen."""
BURIED = """
    F:  - 2D 2H -
    waste: AC 2C
    T1: KS
    T2: KC
    T3: KD
    T4: KH
    T5: QS
    T6: QC
    T7: QD
"""
"""Only a red three takes the two of clubs, and the ace lies below it."""


def is_deadlocked(text: str, variant: Variant) -> bool:
    known, world = board(text), new_world()
    lay_known(known, world)
    last_pass = variant.passes is not None and known.pass_number >= variant.passes
    return deadlocked(world, last_pass, variant.foundation_give_back, np.zeros(STACKS, np.int64))


def with_row(text: str, row: str) -> str:
    name = row.split(":", 1)[0]
    kept = [line for line in text.strip().splitlines() if line.strip().split(":", 1)[0] != name]
    return "\n".join([*kept, row])


def test_cards_that_wait_for_each_other_are_a_deadlock() -> None:
    """A way out is an empty column, a place for one of them, or a card nobody has seen that can be turned up."""
    assert is_deadlocked(STUCK, UNLIMITED)
    assert not is_deadlocked(STUCK.replace("JS", "QS"), UNLIMITED), "it lies on a red king"
    assert not is_deadlocked(with_row(STUCK, "T1:"), UNLIMITED)
    assert not is_deadlocked(with_row(STUCK, "waste: QH"), UNLIMITED)
    assert not is_deadlocked(with_row(STUCK, "stock: ??"), UNLIMITED)


def test_in_the_last_pass_the_waste_is_a_stack() -> None:
    """An ace below the two of its suit waits for ever, unless the waste is turned over."""
    assert is_deadlocked(BURIED, ONE_PASS)
    assert not is_deadlocked(BURIED, UNLIMITED)
    assert not is_deadlocked(BURIED, Variant(id="two-passes", passes=2))


@pytest.mark.parametrize("give_back", [True, False])
def test_a_card_that_can_come_back_is_a_place_to_lie_on(give_back: bool) -> None:
    variant = Variant(id="back", passes=1, foundation_give_back=give_back)
    assert is_deadlocked(BURIED.replace("2H", "3H"), variant) is not give_back
