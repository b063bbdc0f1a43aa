"""Points, worked by hand: a table, and the score after each command."""

import msgspec
import pytest

from shared.rules.scoring import SCORINGS, Scoring
from shared.rules.variants import VARIANTS
from tests.play import new_play, on_table, table_of

BEGUN = """
    T1: (9C) AC
    T2: 2C
    T3: 3D
    T4: (8H) 5D
    T5: 6S
    stock: JC TS
    waste: 7D AH
"""

STANDARD: list[tuple[str, list[tuple[str, int]]]] = [
    ("a card up is ten, a card turned up is five", [("T1>F1", 15), ("T2>F1", 25)]),
    ("a card back costs fifteen", [("T1>F1", 15), ("T2>F1", 25), ("F1>T3", 10), ("T3>F1", 20)]),
    ("from the waste a card up is ten as well", [("W>F3", 10)]),
    ("from the waste to a column is nothing", [("W>F3", 10), ("T5>W", 10), ("T5>F4", 10)]),
    ("within the tableau only the card turned up counts", [("T4>T5", 5)]),
    ("draws and recycles are nothing", [("draw", 0), ("draw", 0), ("recycle", 0), ("draw", 0)]),
    ("undo takes the points back", [("T1>F1", 15), ("undo", 0), ("redo", 15), ("undo", 0), ("undo", 0)]),
    ("undo gives the cost back", [("T1>F1", 15), ("T2>F1", 25), ("F1>T3", 10), ("undo", 25), ("undo", 15)]),
    ("undo below zero is no floor", [("W>F3", 10), ("T4>T5", 15), ("undo", 10), ("undo", 0), ("undo", 0)]),
    ("an illegal move is nothing", [("T1>F1", 15), ("T1>F1", 15), ("F1>F2", 15), ("T1>T1", 15)]),
    ("a hint is nothing", [("T1>F1", 15), ("hint T2>F1", 15), ("T2>F1", 25)]),
]


@pytest.mark.parametrize(("why", "commands"), STANDARD, ids=[why for why, _ in STANDARD])
def test_standard_points_are_those_worked_by_hand(why: str, commands: list[tuple[str, int]]) -> None:
    play = on_table(new_play(), table_of(BEGUN))
    for text, points in commands:
        _ = play.do(text)
        assert play.game.seat.points == points, f"after {text}: {why}"


@pytest.mark.parametrize(("why", "commands"), STANDARD, ids=[why for why, _ in STANDARD])
def test_in_win_loss_nothing_but_the_win_brings_points(why: str, commands: list[tuple[str, int]]) -> None:
    play = on_table(new_play(scoring="win-loss"), table_of(BEGUN))
    for text, _ in commands:
        _ = play.do(text)
        assert play.game.seat.points == 0, f"after {text}: {why}"


def test_the_score_may_go_below_zero() -> None:
    """*settled*: no floor."""
    play = on_table(new_play(), table_of("F1: 2C\nT1: 3D\nT2: 9S"))
    assert play.must("F1>T1").game.seat.points == -15


@pytest.mark.parametrize(("scoring", "points", "bonus"), [("standard", 10, 0), ("win-loss", 1, 1)])
def test_the_win_itself_brings_its_bonus_once(scoring: str, points: int, bonus: int) -> None:
    play = on_table(new_play(scoring=scoring), table_of("F1: KC\nF2: KD\nF3: KH\nF4: QS\nT1: KS")).must("T1>F4")
    assert play.ended is not None
    assert (play.ended.points, play.ended.bonus) == (points, bonus)
    assert play.game.seat.points == points


@pytest.mark.parametrize("scoring", ["standard", "win-loss"])
def test_resigning_brings_no_bonus(scoring: str) -> None:
    play = new_play(scoring=scoring).must("draw", "resign")
    assert play.ended is not None
    assert (play.ended.points, play.ended.bonus) == (0, 0)


def test_up_and_down_again_nets_a_loss_however_often() -> None:
    play = on_table(new_play(), table_of("T1: AC\nT2: 2D\nT3: KH"))
    for times in range(1, 6):
        _ = play.must("T1>F1" if times == 1 else "T2>F1", "F1>T2")
        assert play.game.seat.points == -5 * times


def test_a_mode_to_come_pays_at_the_deal_and_for_each_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mode is a row: nothing else has to know it."""
    mode = Scoring(id="mode", at_deal=-52, waste_to_tableau=5, later_pass=-20, at_win=3)
    monkeypatch.setitem(SCORINGS, "mode", mode)
    monkeypatch.setitem(VARIANTS, "draw3", msgspec.structs.replace(VARIANTS["draw3"], scorings=("mode",)))
    play = new_play(scoring="mode", variant="draw3")
    assert play.game.seat.points == -52
    _ = play.must(*["draw"] * 8, "recycle")
    assert play.game.seat.points == -72
    _ = play.must("undo")
    assert play.game.seat.points == -52
    _ = play.must("redo", "resign")
    assert play.ended is not None
    assert play.ended.points == -72
