"""What a worker says about chances: the same for the same public history, and nothing about what it cannot judge."""

import random
import time

import msgspec
import pytest

from services.solver_worker.kinds import Search, work_out
from shared.bus.jobs import job_id
from shared.messages.chances import Estimate
from shared.messages.jobs import ChancesQuestion, ChancesResult, JobRefused
from shared.rules.variants import VARIANTS, Variant
from tests.jobs import asked, job
from tests.laws.test_hidden_cards import twin_of, unseen
from tests.play import new_play, random_text

SEARCH = Search(seconds=30.0, clock=time.monotonic, stopped=lambda: False)


def answer(question: ChancesQuestion, search: Search = SEARCH) -> ChancesResult:
    result = work_out(job(question, deadline=1), search)
    assert isinstance(result, ChancesResult)
    assert result.id == job_id(question)
    return result


@pytest.mark.parametrize("variant", ["draw1", "draw3"])
def test_games_that_differ_in_unseen_cards_alone_have_the_same_chances(variant: str) -> None:
    for seed in range(4):
        chance = random.Random(seed)
        play = new_play(variant=variant, deal=chance.randbytes(32))
        for _ in range(10 * seed):
            _ = play.do(random_text(play, chance))
        assert len(unseen(play.game)) >= 2
        twin, _ = twin_of(play, chance)
        assert asked(twin, ChancesQuestion) == asked(play, ChancesQuestion)
        assert answer(asked(twin, ChancesQuestion)) == answer(asked(play, ChancesQuestion))


def test_nobody_can_tell_where_the_solver_does_not_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(VARIANTS, "many", Variant(id="many", passes=9))
    question = msgspec.structs.replace(asked(new_play(), ChancesQuestion), variant="many")
    assert answer(question).chances is None


def test_a_budget_that_ends_leaves_an_estimate() -> None:
    """Of fewer worlds, with a wider interval."""
    ticks = iter(range(100))
    hurried = Search(seconds=5.0, clock=lambda: float(next(ticks)), stopped=lambda: False)
    chances = answer(asked(new_play(), ChancesQuestion), hurried).chances
    assert isinstance(chances, Estimate)
    assert chances.samples == 5


def test_a_question_that_cannot_be_true_is_refused() -> None:
    question = msgspec.structs.replace(asked(new_play(), ChancesQuestion), legal=("recycle",))
    result = work_out(job(question, deadline=1), SEARCH)
    assert isinstance(result, JobRefused)
    assert "legal" in result.reason
