"""The kernel for callers that ask thousands of times says what the solver says."""

import hashlib
import time
from pathlib import Path
from random import Random

import pytest

from shared.rules.deal import numbered_deck
from shared.rules.legal import legal_moves
from shared.rules.table import Table, apply, lay_out
from shared.rules.variants import Variant
from shared.solver import decide as module
from shared.solver import kernels
from shared.solver.decide import PASS, STOCK, UP, WASTE, World, decide, new_desk, new_world
from shared.solver.flat import BITS
from shared.solver.solve import Budget, Solvable, Solver, Unknown

STATES = 2000
VARIANTS = [
    Variant(id="unlimited", draw=1),
    Variant(id="three", draw=3),
    Variant(id="passes", draw=1, passes=3, foundation_give_back=False),
    Variant(id="open", faces="all", passes=3),
]


def _fill(world: World, table: Table) -> None:
    number = {card: bit.bit_length() - 1 for card, bit in BITS.items()}
    for index, column in enumerate(table.columns):
        for place, card in enumerate(column.down + column.up):
            world.columns[index, place] = number[card]
        world.sizes[index], world.downs[index] = len(column.down + column.up), len(column.down)
    cards = table.waste + table.stock[::-1]
    for place, card in enumerate(cards):
        world.stock[place] = number[card]
    world.counts[STOCK], world.counts[WASTE] = len(cards), len(table.waste)
    world.counts[UP] = sum(BITS[card] for pile in table.foundations for card in pile)
    world.counts[PASS] = table.pass_number - 1


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_the_kernel_agrees_with_the_solver_on_any_table(variant: Variant) -> None:
    """Along random play one world and one desk after another table give the solver's verdict, if either has one."""
    solver, world, desk = Solver(time.perf_counter), new_world(), new_desk(variant)
    answers = set()
    for seed in range(8):
        random = Random(seed)
        table = lay_out(numbered_deck(seed, decks=1), variant)
        for _ in range(40):
            _fill(world, table)
            answer = decide(world, desk, STATES)
            verdict = solver.solve(table, variant, Budget(states=STATES, seconds=60))
            if answer in {kernels.SOLVABLE, kernels.UNSOLVABLE} and not isinstance(verdict, Unknown):
                assert (answer == kernels.SOLVABLE) == isinstance(verdict, Solvable)
                answers.add(answer)
            if not (moves := legal_moves(table, variant)):
                break
            table = apply(table, random.choice(moves), variant).table
    assert answers == {kernels.SOLVABLE, kernels.UNSOLVABLE}


def test_a_budget_of_states_ends_the_kernel() -> None:
    """It is kept to the state."""
    world, desk = new_world(), new_desk(VARIANTS[1])
    _fill(world, lay_out(numbered_deck(94, decks=1), VARIANTS[1]))
    assert decide(world, desk, 300) not in {kernels.SOLVABLE, kernels.UNSOLVABLE}
    assert desk.memory.counters[kernels.STATES] == 300


def test_a_variant_that_cannot_be_played_is_refused() -> None:
    """Two decks are another game."""
    with pytest.raises(ValueError, match="one deck"):
        new_desk(Variant(id="two", decks=2))


def test_the_kernel_changes_with_what_is_compiled_into_it() -> None:
    """numba's cache would keep the old code otherwise: put the digest that is wanted into `CALLEES`."""
    folder = Path(module.__file__).parent
    callees = ("bits.py", "intrinsics.py", "kernels.py", "layers.py")
    digest = hashlib.sha256(b"".join((folder / name).read_bytes() for name in callees)).hexdigest()[:16]
    assert digest == module.CALLEES
