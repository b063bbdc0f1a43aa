"""The scoring modes, case by case, worked by hand from the table in the rules and from nothing else."""

from typing import Final, NamedTuple

import pytest

from shared.messages.errors import Error
from shared.rules.scoring import SCORINGS
from tests.play import Play, new_play, on_table, table_of

TABLES: Final = {
    "begun": """
        T1: (9C) AC
        T2: 2C
        T3: 3D
        T4: (8H) 5D
        T5: 6S
        stock: JC TS
        waste: 7D AH
    """,
    "waste": """
        F3: AH
        T1: 8C
        T2: (4C) 6S
        T3: 2H
        stock: 9D 5H
        waste: 3H 7D
    """,
    "runs": """
        T1: (2S) 9C 8D 7S
        T2: TH
        T3: (3D) KC
        T5: (6C) QH JS
        T6: KD
        T7: 2D
    """,
    "stock": "F3: 4H\nT1: 6S\nstock: 5H",
    "back": "F2: 2D\nF3: 3H\nT1: 4S\nT2: 3C\nwaste: 4H",
    "last": "F1: KC\nF2: KD\nF3: KH\nF4: JS\nT1: (KS) QS",
    "last of the waste": "F1: KC\nF2: KD\nF3: KH\nF4: QS\nwaste: KS",
}
PLAYED: Final = {"standard": "draw1", "win-loss": "draw1", "traditional": "draw1", "vegas": "vegas-draw1"}
"""The variant that each mode is tried in."""

CASES: Final = """
standard    | begun | up is 10, turned up 5            | T1>F1 15 · T2>F1 25
standard    | begun | from the waste up is 10 too      | W>F3 10
standard    | begun | a card turned up by a move aside | T4>T5 5
standard    | begun | back is -15, up again 10         | T1>F1 15 · T2>F1 25 · F1>T3 10 · T3>F1 20
standard    | begun | draws and passes are free        | draw 0 · draw 0 · recycle 0 · draw 0 · draw 0 · draw 0
standard    | begun | undo takes back, redo gives      | T1>F1 15 · undo 0 · redo 15 · T2>F1 25 · undo 15 · undo 0
standard    | begun | undo of a card back              | T1>F1 15 · T2>F1 25 · F1>T3 10 · undo 25 · redo 10
standard    | begun | what is refused brings nothing   | !T1>F2 0 · !W>T1 0 · !recycle 0 · T1>F1 15 · !T1>F1 15
standard    | begun | a hint and chances               | hint T1>F1 0 · T1>F1 15 · chances 15 · T2>F1 25
standard    | begun | resigned with what was made      | T1>F1 15 · resign 15
standard    | waste | waste to tableau is nothing      | W>T1 0 · T2>T1 5 · T3>F3 15 · W>F3 25
standard    | runs  | a run turns up one card          | T1>T2*3 5 · T3>T4 10 · T5>T4*2 15
standard    | runs  | a king aside turns nothing up    | T6>T4 0 · T4>T6 0
standard    | back  | below zero there is no floor     | F2>T2 -15 · F3>T1 -30 · T1>F3 -20 · T2>F2 -10
standard    | last  | a win brings nothing more        | T1>F4 15 · T1>F4 25
standard    | last  | undo just before the win         | T1>F4 15 · undo 0 · redo 15 · T1>F4 25
standard    | last of the waste | won from the waste   | W>F4 10

win-loss    | begun | cards bring nothing              | T1>F1 0 · T2>F1 0 · F1>T3 0 · T3>F1 0 · W>F3 0 · T4>T5 0
win-loss    | begun | passes and undo cost nothing     | draw 0 · draw 0 · recycle 0 · undo 0 · redo 0
win-loss    | begun | resigned is no win               | T1>F1 0 · resign 0
win-loss    | waste | the waste brings nothing         | W>T1 0 · T2>T1 0 · T3>F3 0 · W>F3 0
win-loss    | last  | the win is one                   | T1>F4 0 · T1>F4 1
win-loss    | last  | and one after undo               | T1>F4 0 · undo 0 · T1>F4 0 · T1>F4 1
win-loss    | last of the waste | won from the waste   | W>F4 1

traditional | begun | up is 10, turned up 5            | T1>F1 15 · T2>F1 25
traditional | begun | straight from the waste up is 3  | W>F3 3 · undo 0 · redo 3
traditional | begun | a card turned up by a move aside | T4>T5 5 · undo 0
traditional | begun | back is -15, up again 10         | T1>F1 15 · T2>F1 25 · F1>T3 10 · T3>F1 20
traditional | begun | the second pass is -20           | draw 0 · draw 0 · recycle -20 · draw -20 · undo -20
traditional | begun | a new pass, taken back           | draw 0 · draw 0 · recycle -20 · undo 0 · redo -20
traditional | stock | each pass after the first        | draw 0 · recycle -20 · draw -20 · recycle -40 · undo -20
traditional | begun | no pass before the stock is out  | !recycle 0 · draw 0 · !recycle 0 · draw 0 · recycle -20
traditional | begun | resigned below zero              | draw 0 · draw 0 · recycle -20 · resign -20
traditional | begun | a hint and chances               | hint W>F3 0 · W>F3 3 · chances 3
traditional | waste | waste to tableau is 5            | W>T1 5 · T2>T1 10 · T3>F3 20 · W>F3 23
traditional | stock | by way of the tableau it is 15   | draw 0 · W>T1 5 · T1>F3 15 · undo 5
traditional | waste | waste to tableau, taken back     | W>T1 5 · undo 0 · redo 5 · T2>T1 10 · undo 5 · undo 0
traditional | runs  | a run turns up one card          | T1>T2*3 5 · T3>T4 10 · T5>T4*2 15 · undo 10
traditional | back  | up from the waste, back, up      | W>F3 3 · F2>T2 -12 · T2>F2 -2
traditional | back  | below zero there is no floor     | F2>T2 -15 · F3>T1 -30 · undo -15 · undo 0
traditional | last  | a win brings nothing more        | T1>F4 15 · T1>F4 25
traditional | last of the waste | won from the waste   | W>F4 3

vegas       | begun | 52 at the deal, up is 5          | T1>F1 -47 · T2>F1 -42
vegas       | begun | from the waste up is 5 too       | W>F3 -47 · T1>F1 -42
vegas       | begun | turning up is nothing            | T4>T5 -52
vegas       | begun | back is -5, up again 5           | T1>F1 -47 · T2>F1 -42 · F1>T3 -47 · T3>F1 -42 · undo -47
vegas       | begun | undo takes back, redo gives      | T1>F1 -47 · undo -52 · redo -47 · undo -52
vegas       | begun | passes are free                  | draw -52 · draw -52 · recycle -52 · draw -52
vegas       | begun | what is refused brings nothing   | !T1>F2 -52 · !recycle -52 · !F1>T1 -52
vegas       | begun | resigned, the stake is gone      | resign -52
vegas       | begun | resigned with what was cashed    | T1>F1 -47 · T2>F1 -42 · resign -42
vegas       | waste | waste to tableau is nothing      | W>T1 -52 · T2>T1 -52 · T3>F3 -47 · W>F3 -42
vegas       | runs  | runs and kings are nothing       | T1>T2*3 -52 · T3>T4 -52 · T5>T4*2 -52
vegas       | back  | back from two piles              | F2>T2 -57 · F3>T1 -62 · T1>F3 -57 · W>F3 -52
vegas       | last  | a win brings nothing more        | T1>F4 -47 · T1>F4 -42
vegas       | last of the waste | won from the waste   | W>F4 -47
"""


class Case(NamedTuple):
    """A line of the table."""

    scoring: str
    table: str
    why: str
    after: list[tuple[str, int]]
    """Each command, and the points since. One that begins with `!` must be refused."""

    def begun(self) -> Play:
        return on_table(new_play(variant=PLAYED[self.scoring], scoring=self.scoring), table_of(TABLES[self.table]))


def case(line: str) -> Case:
    scoring, table, why, play = (cell.strip() for cell in line.split("|"))
    told = (step.strip().rpartition(" ") for step in play.split("·"))
    return Case(scoring, table, why, [(command, int(points)) for command, _, points in told])


HAND_WORKED: Final = [case(line) for line in CASES.strip().splitlines() if line]


@pytest.mark.parametrize("worked", HAND_WORKED, ids=lambda worked: f"{worked.scoring}: {worked.why}")
def test_points_are_those_worked_by_hand(worked: Case) -> None:
    play = worked.begun()
    for command, points in worked.after:
        refused = isinstance(play.do(command.removeprefix("!")), Error)
        assert refused == command.startswith("!"), command
        assert play.game.seat.points == points, f"after {command}"
    if play.ended is not None:
        assert play.ended.points == worked.after[-1][1]


def test_the_table_has_every_kind_of_move_in_every_mode() -> None:
    assert len(HAND_WORKED) >= 40
    for command in ("T1>F1", "F1>T3", "W>F3", "W>T1", "T1>F4", "recycle", "undo", "redo", "resign"):
        modes = {worked.scoring for worked in HAND_WORKED if command in dict(worked.after)}
        assert modes == set(SCORINGS), command
