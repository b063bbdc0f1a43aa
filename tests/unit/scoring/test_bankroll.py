"""The bankroll: dollars over all Vegas games, and nothing else."""

from dataclasses import replace

import pytest

from services.scoring.bankroll import bankroll
from shared.messages.answers import Statistics
from tests.scoring_logs import Act, Script, player_id, write
from tests.unit.scoring.test_projections import folded

VEGAS = Script(variant="vegas", scoring="vegas", acts=("draw", "move", "lost"), points=-32)


def bankroll_after(*games: Script) -> int | None:
    players = folded(write(games)).players
    return bankroll(players[player_id(1)].statistics if player_id(1) in players else ())


@pytest.mark.parametrize("end", ["won", "lost", "resigned"])
def test_every_end_of_a_game_counts(end: Act) -> None:
    assert bankroll_after(replace(VEGAS, acts=("draw", end))) == -32


def test_it_is_one_sum_over_variants_and_over_games_with_help_and_without() -> None:
    won = Script(variant="vegas-draw1", scoring="vegas", acts=("draw", "undo", "won"), points=208)
    assert bankroll_after(VEGAS, won, VEGAS, replace(VEGAS, player=2)) == 208 - 2 * 32


def test_points_are_no_dollars() -> None:
    assert bankroll_after(VEGAS, Script(acts=("move", "won"), points=625)) == -32
    assert bankroll_after(Script(acts=("move", "won"), points=625)) is None


def test_who_never_played_for_dollars_has_none_and_an_untouched_deal_costs_nothing() -> None:
    assert bankroll_after() is None
    assert bankroll_after(replace(VEGAS, acts=("resigned",), points=-52)) is None


def test_a_running_game_is_not_paid_yet() -> None:
    assert bankroll_after(replace(VEGAS, acts=("draw",))) == 0
    assert bankroll_after(VEGAS, replace(VEGAS, acts=("draw",))) == -32


def test_a_mode_that_is_no_longer_known_is_passed_over() -> None:
    assert bankroll([Statistics(variant="draw1", scoring="baccarat", assisted=False, games=1, points=7)]) is None
