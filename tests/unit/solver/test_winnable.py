"""Deals that are sure to be winnable."""

import time
from collections.abc import Iterator
from functools import partial

import pytest

from shared.rules.cards import DECK
from shared.rules.deal import secret_deck
from shared.rules.legal import breach
from shared.rules.table import Table, apply, is_won, lay_out
from shared.rules.variants import VARIANTS, Variant
from shared.solver.solve import Budget, Solvable, Solver, Unknown, Unsolvable, Verdict
from shared.solver.winnable import certifiable, winnable_secret

SECRETS = [bytes([number]) * 32 for number in range(60)]
BUDGET = Budget(seconds=60)
CERTIFIABLE = [pytest.param(one, id=one.id) for one in VARIANTS.values() if certifiable(one)]


@pytest.mark.parametrize("seed", ["", "lucky ♥"])
@pytest.mark.parametrize("variant", CERTIFIABLE)
def test_a_certified_secret_gives_with_its_seed_a_deal_that_the_rules_see_won(variant: Variant, seed: str) -> None:
    solver = Solver(time.monotonic)
    found = winnable_secret(SECRETS, seed, variant, partial(solver.solve, variant=variant, budget=BUDGET))
    assert found is not None
    table = lay_out(secret_deck(found, seed, decks=variant.decks), variant)
    verdict = solver.solve(table, variant, BUDGET)
    assert isinstance(verdict, Solvable)
    for move in verdict.moves:
        assert breach(table, move, variant) is None
        table = apply(table, move, variant).table
    assert is_won(table, variant)


def test_what_is_lost_or_not_decided_is_passed_over_and_the_first_proof_taken() -> None:
    answers: Iterator[Verdict] = iter([Unsolvable(1), Unknown("time", 1), Solvable((), 1), Solvable((), 1)])
    seen: list[Table] = []

    def solve(table: Table) -> Verdict:
        seen.append(table)
        return next(answers)

    assert winnable_secret(SECRETS, "", VARIANTS["draw1"], solve) == SECRETS[2]
    deals = [lay_out(secret_deck(secret, "", decks=1), VARIANTS["draw1"]) for secret in SECRETS[:3]]
    assert seen == deals


def test_there_is_none_when_the_secrets_end_before() -> None:
    assert winnable_secret(SECRETS[:5], "", VARIANTS["draw1"], lambda _: Unsolvable(1)) is None


def test_what_the_solver_does_not_play_is_not_certified() -> None:
    assert certifiable(VARIANTS["draw1"])
    assert certifiable(VARIANTS["draw3"])
    assert not certifiable(Variant(id="large", decks=2, columns=(6, 6, 6, 6, 5, 5, 5, 5, 5, 5)))
    assert len(DECK * 2) == 104
