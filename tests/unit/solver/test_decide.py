"""The kernel for callers that ask thousands of times says what the solver says."""

import time
from random import Random

import pytest

from shared.rules.deal import numbered_deck
from shared.rules.legal import legal_moves
from shared.rules.table import apply, lay_out
from shared.rules.variants import Variant
from shared.solver import kernels
from shared.solver.decide import decide, fill, lay, new_desk, new_world
from shared.solver.flat import flatten
from shared.solver.memory import STATES as SEARCHED
from shared.solver.solve import Budget, Solvable, Solver, Unknown

STATES = 2000
LOOK_STATES = 8000
VARIANTS = [
    Variant(id="unlimited", draw=1),
    Variant(id="three", draw=3),
    Variant(id="passes", draw=1, passes=3, foundation_give_back=False),
    Variant(id="open", faces="all", passes=3),
]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_the_kernel_agrees_with_the_solver_on_any_table(variant: Variant) -> None:
    """Along random play one world and one desk after another table give the solver's verdict, if either has one."""
    solver, world, desk = Solver(time.perf_counter), new_world(), new_desk(variant)
    answers = set()
    for seed in range(8):
        random = Random(seed)
        table = lay_out(numbered_deck(seed, decks=1), variant)
        for _ in range(40):
            fill(world, table)
            answer = decide(world, desk, STATES)
            verdict = solver.solve(table, variant, Budget(states=STATES, seconds=60))
            if answer in {kernels.SOLVABLE, kernels.UNSOLVABLE} and not isinstance(verdict, Unknown):
                assert (answer == kernels.SOLVABLE) == isinstance(verdict, Solvable)
                answers.add(answer)
            if not (moves := legal_moves(table, variant)):
                break
            table = apply(table, random.choice(moves), variant).table
    assert answers == {kernels.SOLVABLE, kernels.UNSOLVABLE}


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_the_kernel_lays_a_table_as_python_does(variant: Variant) -> None:
    """Both flat forms are one, along random play."""
    world, desk = new_world(), new_desk(variant)
    random = Random(1)
    table = lay_out(numbered_deck(1, decks=1), variant)
    for _ in range(80):
        fill(world, table)
        lay(world, desk)
        flat = flatten(table, variant)
        assert desk.first.tolist() == flat.first.tolist()
        assert desk.deal.strides.tolist() == flat.deal.strides.tolist()
        assert desk.deal.stock[: flat.deal.stock.size].tolist() == flat.deal.stock.tolist()
        for column, counts in enumerate(table.columns):
            blocks = len(counts.down) + 1
            assert desk.deal.roots[column, :blocks].tolist() == flat.deal.roots[column, :blocks].tolist()
        table = apply(table, random.choice(legal_moves(table, variant)), variant).table


def test_a_budget_of_states_ends_the_kernel() -> None:
    """It is kept to the state, or to a look at the easier game."""
    world, desk = new_world(), new_desk(VARIANTS[1])
    fill(world, lay_out(numbered_deck(22, decks=1), VARIANTS[1]))
    assert decide(world, desk, 300) not in {kernels.SOLVABLE, kernels.UNSOLVABLE}
    assert 300 <= desk.memory.counters[SEARCHED] + desk.scrap.counters[SEARCHED] < 300 + LOOK_STATES


def test_a_variant_that_cannot_be_played_is_refused() -> None:
    """Two decks are another game."""
    with pytest.raises(ValueError, match="one deck"):
        new_desk(Variant(id="two", decks=2))
