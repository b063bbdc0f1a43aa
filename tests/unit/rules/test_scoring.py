"""Scoring modes as data."""

import itertools

import pytest

from shared.rules.piles import PileKind
from shared.rules.scoring import SCORINGS, Scoring

T, F, W = PileKind.TABLEAU, PileKind.FOUNDATION, PileKind.WASTE
STANDARD, WIN_LOSS = SCORINGS["standard"], SCORINGS["win-loss"]


@pytest.mark.parametrize(("source", "target", "points"), [(T, F, 10), (W, F, 10), (F, T, -15), (W, T, 0), (T, T, 0)])
def test_standard_scores_what_the_rules_say(source: PileKind, target: PileKind, points: int) -> None:
    assert STANDARD.points(source, target, turned_up=False) == points
    assert STANDARD.points(source, target, turned_up=True) == points + 5
    assert (STANDARD.at_deal, STANDARD.at_win, STANDARD.later_pass) == (0, 0, 0)


def test_win_loss_scores_the_win_alone() -> None:
    for source, target, turned_up in itertools.product(PileKind, PileKind, (True, False)):
        assert WIN_LOSS.points(source, target, turned_up=turned_up) == 0
    assert (WIN_LOSS.at_deal, WIN_LOSS.at_win, WIN_LOSS.later_pass) == (0, 1, 0)


@pytest.mark.parametrize("scoring", SCORINGS.values(), ids=SCORINGS)
def test_no_card_can_go_up_and_down_for_a_gain(scoring: Scoring) -> None:
    down = scoring.foundation_to_tableau
    assert scoring.tableau_to_foundation + down <= 0
    assert scoring.waste_to_foundation + down <= 0


def test_each_mode_is_listed_under_its_id() -> None:
    assert all(scoring.id == name for name, scoring in SCORINGS.items())
