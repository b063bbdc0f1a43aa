"""A question that cannot be true is named as such, with the field; nothing in it is taken on trust."""

import random
from typing import Any

import msgspec
import pytest

from shared.messages.jobs import HintQuestion, Knowledge, KnownColumn
from shared.solver.check import question_fault
from tests.boards import DRAW1, random_game

GAME = random_game(random.Random(5), DRAW1)
GAME.play_at_random(random.Random(6), 40)
TRUE = GAME.question()


def changed(**fields: Any) -> HintQuestion:  # noqa: ANN401 - any field of the question
    return msgspec.structs.replace(TRUE, **fields)


def known(**fields: Any) -> HintQuestion:  # noqa: ANN401 - any field of the knowledge
    return changed(known=msgspec.structs.replace(TRUE.known, **fields))


def columns(index: int, column: KnownColumn) -> tuple[KnownColumn, ...]:
    return (*TRUE.known.columns[:index], column, *TRUE.known.columns[index + 1 :])


def test_a_true_question_has_no_fault() -> None:
    assert question_fault(TRUE) is None


FULL: Knowledge = TRUE.known
DEEPEST = FULL.columns[6]
UP = FULL.columns[0].up

FALSE = {
    "a variant that does not exist": (changed(variant="draw2"), "variant: there is none called 'draw2'"),
    "a column too few": (known(columns=FULL.columns[:-1]), "known.columns: 7 are needed, there are 6"),
    "a foundation too many": (known(foundations=(*FULL.foundations, ())), "known.foundations: 4 are needed"),
    "a card too many": (known(stock=(None, *FULL.stock)), "known: 52 cards are in play, there are 53"),
    "a card too few": (known(stock=FULL.stock[1:]), "known: 52 cards are in play, there are 51"),
    "a card twice": (
        known(columns=columns(6, KnownColumn(down=(DEEPEST.up[0], *DEEPEST.down[1:]), up=DEEPEST.up))),
        f"known: {DEEPEST.up[0]} is there 2 times",
    ),
    "a column without its top card": (
        known(columns=columns(6, KnownColumn(down=(*DEEPEST.down, *DEEPEST.up), up=()))),
        "known.columns[6]: the topmost card",
    ),
    "a pass before the first": (known(pass_number=0), "known.pass_number: 0 is no pass of draw1"),
    "a legal move too few": (changed(legal=TRUE.legal[1:]), f"legal: differs from the rules in {TRUE.legal[0]}"),
    "an illegal move": (changed(legal=(*TRUE.legal, "F1>F2")), "legal: differs from the rules in F1>F2"),
    "a move that is none": (changed(legal=(*TRUE.legal, "nonsense")), "legal: differs from the rules in nonsense"),
}


@pytest.mark.parametrize("says", FALSE)
def test_a_false_question_is_refused_with_the_field_that_is_wrong(says: str) -> None:
    false, fault = FALSE[says]
    assert (question_fault(false) or "").startswith(fault)


def test_face_up_cards_that_are_no_run_are_refused() -> None:
    swapped = next(index for index, column in enumerate(FULL.columns) if len(column.up) > 1)
    column = FULL.columns[swapped]
    false = known(columns=columns(swapped, KnownColumn(down=column.down, up=column.up[::-1])))
    assert (question_fault(false) or "").startswith(f"known.columns[{swapped}].up: face-up cards are a run")


def test_a_foundation_out_of_order_is_refused() -> None:
    full = next(index for index, pile in enumerate(FULL.foundations) if pile)
    piles = [pile if index != full else () for index, pile in enumerate(FULL.foundations)]
    piles[(full + 1) % 4] = (*piles[(full + 1) % 4], *FULL.foundations[full])
    assert (question_fault(known(foundations=tuple(piles))) or "").startswith("known.foundations[")
