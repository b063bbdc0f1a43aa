"""Positions with the hint that the rules' order of preference asks for. How a board is written: `tests.boards`."""

from typing import NamedTuple

import pytest

from shared.messages.jobs import Hint, HintReason
from shared.solver.hints import best_hint
from tests.boards import DRAW1, DRAW3, board, legal_texts


class Case(NamedTuple):
    says: str
    board: str
    move: str
    reason: HintReason
    card: str | None
    variant: str = "draw1"


AT_ONCE = [
    Case(
        "an ace goes up before a card is turned up elsewhere",
        """T1: AC
           T2: -- 9H
           T3: -- TS""",
        "T1>F1",
        "build-foundation",
        "AC",
    ),
    Case(
        "a two goes up at once",
        """F: AC - - -
           T1: -- 9H
           T2: -- TS
           waste: 2C""",
        "W>F1",
        "build-foundation",
        "2C",
    ),
    Case(
        "of two aces the one that turns a card up comes first",
        """T1: AC
           T2: -- AH""",
        "T2>F3",
        "turn-up-card",
        "AH",
    ),
    Case(
        "an ace comes before a two",
        """F: AC - - -
           T1: 2C
           T2: AH""",
        "T2>F3",
        "build-foundation",
        "AH",
    ),
    Case(
        "an ace on the waste goes up, not into the tableau",
        """T1: 2S
           waste: AH""",
        "W>F3",
        "build-foundation",
        "AH",
    ),
]

TURN_UP = [
    Case(
        "a face-down card is turned up before a card goes up",
        """F: 2C 2D 2H 2S
           T1: 3D
           T2: -- 9H
           T3: TS""",
        "T2>T3",
        "turn-up-card",
        "9H",
    ),
    Case(
        "turning a card up comes before drawing",
        """T1: -- 9H
           T2: -- TS
           stock: ?? ??""",
        "T1>T2",
        "turn-up-card",
        "9H",
    ),
    Case(
        "a whole run moves to turn a card up",
        """T1: -- 9H 8S 7D
           T2: TC""",
        "T1>T2*3",
        "turn-up-card",
        "9H",
    ),
    Case(
        "of two columns the one that hides more cards comes first",
        """T1: -- 9H
           T2: -- -- -- 9D
           T3: TS""",
        "T2>T3",
        "turn-up-card",
        "9D",
    ),
    Case(
        "a card goes to a column, not in a hurry to its foundation, when both turn a card up",
        """F: - 3D AH -
           T1: -- 4D
           T2: 5S""",
        "T1>T2",
        "turn-up-card",
        "4D",
    ),
    Case(
        "a card that blocks nothing goes up to turn a card up",
        """F: 3C 3D 3H 3S
           T1: -- 4D""",
        "T1>F2",
        "turn-up-card",
        "4D",
    ),
    Case(
        "a card goes up in a hurry when only that turns a card up",
        """F: - 3D - -
           T1: -- 4D""",
        "T1>F2",
        "turn-up-card",
        "4D",
    ),
    Case(
        "part of a run moves away so that its host can go up and a card is turned up",
        """F: 4C 4D 4H 4S
           T1: -- 5H 4S
           T2: 5D""",
        "T1>T2",
        "turn-up-card",
        "5H",
    ),
    Case(
        "two moves within the tableau turn a card up",
        """T1: 8S 7H
           T2: -- 7D
           T3: 8C
           T4: -- 9D""",
        "T2>T3",
        "turn-up-card",
        "7D",
    ),
    Case(
        "a place is made first: the nine moves so that the eight finds it",
        """T1: JC TH 9S
           T2: TD
           T3: -- TC
           T4: QC JH
           T5: -- JS""",
        "T3>T4",
        "turn-up-card",
        "TC",
    ),
    Case(
        "a card of the waste makes a place for one that lies on a face-down card",
        """T1: -- 8S
           T2: TC
           waste: 9H""",
        "W>T2",
        "turn-up-card",
        "8S",
    ),
    Case(
        "a card comes back from its foundation when only that turns a card up",
        """F: 3C - 4H 3S
           T1: -- 3C
           T2: 5S
           stock: 9D""",
        "F3>T2",
        "turn-up-card",
        "3C",
    ),
]

KINGS = [
    Case(
        "a King takes an empty column to turn a card up",
        """T1: -- KH QS
           T3: 5D""",
        "T1>T2*2",
        "king-to-column",
        "KH",
    ),
    Case(
        "between Kings the one with the longest run goes first",
        """T1: -- -- -- KH
           T2: -- KS QD JC TH
           T4: -- 5C
           T5: -- 5S
           T6: -- 8S""",
        "T2>T3*4",
        "king-to-column",
        "KS",
    ),
    Case(
        "between Kings with runs of one length the one that hides more goes first",
        """T1: -- KH
           T2: -- -- -- KS
           T3: -- 5C
           T4: -- 5S
           T5: -- 8S
           T6: -- 8C""",
        "T2>T7",
        "king-to-column",
        "KS",
    ),
    Case(
        "a card is turned up without an empty column when that is possible",
        """T1: -- -- -- KH
           T2: -- 9H
           T3: TS""",
        "T2>T3",
        "turn-up-card",
        "9H",
    ),
    Case(
        "a column is freed for a King that lies on a face-down card",
        """T1: 9H
           T2: TS
           T3: -- KD
           T4: 5C
           T5: 5S
           T6: 7C
           T7: 8C""",
        "T1>T2",
        "free-column-for-king",
        "KD",
    ),
    Case(
        "a column is freed for the King on the waste",
        """T1: 9H
           T2: TS
           T3: 4D
           T4: 5H
           T5: 5D
           T6: 7C
           T7: 8C
           waste: KD""",
        "T1>T2",
        "free-column-for-king",
        "KD",
    ),
    Case(
        "a column is freed for a King that is known to come",
        """T1: 9H
           T2: TS
           T3: 4D
           T4: 5H
           T5: 5D
           T6: 7C
           T7: 8C
           stock: KD 2C 2S""",
        "T1>T2",
        "free-column-for-king",
        "KD",
    ),
    Case(
        "no column is emptied without a King to fill it",
        """T1: 9H
           T2: TS
           T3: 4D
           T4: 5H
           T5: 5D
           T6: 7C
           T7: 8C
           stock: ??""",
        "draw",
        "draw",
        None,
    ),
    Case(
        "a King that is face down is none to free a column for",
        """T1: 9H
           T2: TS
           T3: (KD) 4D
           T4: 5H
           T5: 5D
           T6: 7C
           T7: 8C
           stock: ??""",
        "draw",
        "draw",
        None,
    ),
    Case(
        "a King of the waste takes the empty column",
        """T1: 9H
           T2: 4D
           waste: KD""",
        "W>T3",
        "king-to-column",
        "KD",
    ),
    Case(
        "a King at the bottom of its column stays there",
        """T1: KD QS
           T2: KH
           stock: ??""",
        "draw",
        "draw",
        None,
    ),
    Case(
        "the known King is drawn for while a column is empty",
        """T1: 9H
           T2: 4D
           stock: KD 5H""",
        "draw",
        "draw",
        "KD",
    ),
]

BUILD = [
    Case(
        "the lowest card goes up first, to keep the foundations level",
        """F: 4C 4D 3H 4S
           T1: 5C
           T2: 4H
           T3: 5S""",
        "T2>F3",
        "build-foundation",
        "4H",
    ),
    Case(
        "a card that blocks nothing goes up before drawing",
        """F: 2C 2D 2H 2S
           T1: 3D
           stock: ?? ??""",
        "T1>F2",
        "build-foundation",
        "3D",
    ),
    Case(
        "threes are not hurried while a black two may need their place",
        """F: - 2D - -
           T1: 3D
           stock: ?? ??""",
        "draw",
        "draw",
        None,
    ),
    Case(
        "a foundation does not run ahead of the other colour",
        """F: 3C 6D 6H 3S
           T1: 7D
           stock: ?? ??""",
        "draw",
        "draw",
        None,
    ),
    Case(
        "as a last resort part of a run moves so that the card below it can go up",
        """F: 8C 5D 5H 5S
           T1: KH
           T2: QD JC TH 9C 8H 7S
           T4: 9S""",
        "T2>T4*2",
        "build-foundation",
        "9C",
    ),
    Case(
        "as a last resort a card goes up in a hurry",
        """F: - 2D - -
           T1: 3D""",
        "T1>F2",
        "build-foundation",
        "3D",
    ),
    Case(
        "the last card wins, whatever else could be done",
        """F: KC KD KH QS
           T1: KS""",
        "T1>F4",
        "build-foundation",
        "KS",
    ),
]

STOCK = [
    Case(
        "a known card that helps is drawn for",
        """F: 2C 2D 2H 2S
           T1: KS
           stock: 3C 9D 8D
           pass: 2""",
        "draw",
        "draw",
        "3C",
    ),
    Case(
        "with the stock used up it is turned over for a card that helps",
        """F: 2C 2D 2H 2S
           T1: KS
           waste: 9D 3C 8D
           pass: 1""",
        "recycle",
        "recycle",
        "3C",
    ),
    Case(
        "an unseen card may always be hoped for",
        """T1: KS
           stock: ?? 9D 8D""",
        "draw",
        "draw",
        None,
    ),
    Case(
        "draw three turns over for the card that comes on top",
        """F: 2C 2D 2H 2S
           T1: KS
           waste: 8D 9D 3C 8S
           pass: 1""",
        "recycle",
        "recycle",
        "3C",
        "draw3",
    ),
    Case(
        "the waste's card goes into the tableau when nothing else can be done",
        """T1: TS
           waste: 9D""",
        "W>T1",
        "build-tableau",
        "9D",
    ),
    Case(
        "a card of the waste is played to uncover one that helps",
        """F: 2C 2D 2H 2S
           T1: TS
           stock: ??
           waste: 8D 3C 9D
           pass: 2""",
        "W>T1",
        "build-tableau",
        "9D",
        "draw3",
    ),
]

NO_HINT = {
    "a dead stock is not gone through again": """T1: KS
           T2: KC
           waste: 9D 8D
           pass: 2""",
    "moving a run to and fro is no use": """T1: JS TD
           T2: JC
           waste: 9D
           pass: 2""",
    "a won game": "F: KC KD KH KS",
    "a card is not taken back from its foundation for nothing": """F: - 4D - -
           T1: 5S
           T2: 5C""",
}


def hint_for(text: str, variant: str = "draw1") -> Hint | None:
    known = board(text)
    rules = DRAW3 if variant == "draw3" else DRAW1
    return best_hint(known, legal_texts(known, rules), rules)


@pytest.mark.parametrize(
    "case", [*AT_ONCE, *TURN_UP, *KINGS, *BUILD, *STOCK], ids=lambda case: case.says.replace(" ", "-")
)
def test_the_hint_is_the_first_preference_that_applies(case: Case) -> None:
    hint = hint_for(case.board, case.variant)
    assert hint is not None
    assert (hint.move, hint.reason, hint.cards) == (case.move, case.reason, (case.card,) if case.card else ())


@pytest.mark.parametrize("says", NO_HINT)
def test_there_is_no_hint_when_nothing_leads_anywhere(says: str) -> None:
    assert hint_for(NO_HINT[says]) is None


def test_draw_three_does_not_hope_for_a_card_that_never_comes_on_top() -> None:
    """The three of clubs lies second of three: draw one reaches it, draw three does not."""
    text = """F: 2C 2D 2H 2S
              T1: KS
              waste: 8D 3C 9D
              pass: 2"""
    reached = hint_for(text, "draw1")
    assert reached is not None
    assert reached.move == "recycle"
    assert hint_for(text, "draw3") is None
