"""A formula that changes is a new version, and old results stay as they are."""

from dataclasses import replace
from itertools import pairwise

import pytest
from msgspec.structs import replace as with_fields

from services.scoring import formulas
from services.scoring.formulas import FORMULAS, Formula, close_1, formula_at, formula_of
from shared.messages.answers import Statistics
from shared.messages.events import GameEnded
from tests.scoring_logs import STARTED_AT, Script, player_id, write
from tests.unit.scoring.test_projections import folded

LOST = Script(acts=("draw", "lost"), points=7)
CHANGED_AT = STARTED_AT + 1_000


def close_2(sums: Statistics, ended: GameEnded) -> Statistics:
    """Points count tenfold from now on."""
    return close_1(sums, with_fields(ended, points=10 * ended.points))


def points_of(*games: Script) -> int:
    (row,) = folded(write(games)).players[player_id(1)].statistics
    return row.points


def test_a_game_is_counted_by_the_formula_that_held_when_it_began(monkeypatch: pytest.MonkeyPatch) -> None:
    """So a rebuild, which knows the new formula from the first record on, gives the old results again."""
    new = replace(LOST, started_at=CHANGED_AT + 5)
    assert points_of(LOST, new) == 14
    later = Formula(version=2, since=CHANGED_AT, close=close_2)
    monkeypatch.setattr(formulas, "FORMULAS", (*FORMULAS, later))
    assert points_of(LOST) == 7
    assert points_of(LOST, new) == 77
    over = folded(write([LOST, new])).over[player_id(1)]
    assert [one.end.formula for one in over if one.end] == [1, 2]


def test_there_is_one_formula_for_every_time_and_versions_and_times_go_up() -> None:
    assert FORMULAS[0].since == 0
    for old, new in pairwise(FORMULAS):
        assert old.version < new.version
        assert old.since < new.since
    for formula in FORMULAS:
        assert formula_at(formula.since) is formula_of(formula.version) is formula
