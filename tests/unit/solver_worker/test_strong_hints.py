"""What a worker suggests after thinking: plans that are legal, end with what is new, and depend on nothing unseen."""

import random
import time
from itertools import count
from typing import Literal

import msgspec
import pytest

from services.solver_worker.kinds import Search, work_out
from shared.game.decide import RecordHint, decide
from shared.messages.errors import Error
from shared.messages.events import HintGiven
from shared.messages.jobs import AdviceQuestion, Hint, HintQuestion, HintResult, JobRefused, StrongHintQuestion
from shared.rules.variants import VARIANTS, Variant
from tests.jobs import asked, job
from tests.laws.test_hidden_cards import twin_of, unseen
from tests.play import Play, command_id, new_play, random_text

SEARCH = Search(seconds=60.0, clock=time.monotonic, stopped=lambda: False)
AT_ONCE = Search(seconds=0.0, clock=lambda: 0.0, stopped=lambda: False)
PLANS = 40


def answer(question: AdviceQuestion, search: Search = SEARCH) -> Hint | None:
    result = work_out(job(question, deadline=1), search)
    assert isinstance(result, HintResult)
    return result.hint


def random_game(seed: int, variant: str, commands: int) -> tuple[Play, random.Random]:
    chance = random.Random(seed)
    play = new_play(variant=variant, deal=chance.randbytes(32))
    for _ in range(commands):
        _ = play.do(random_text(play, chance))
    return play, chance


@pytest.mark.parametrize(("variant", "scoring"), [("draw1", "standard"), ("draw3", "standard"), ("vegas", "vegas")])
def test_a_whole_plan_is_accepted_by_the_game_and_each_of_its_moves_is_legal(variant: str, scoring: str) -> None:
    """Thinking is cut short at once here: a plan is as good as its time, but never none."""
    play = new_play(variant=variant, scoring=scoring, deal=random.Random(1).randbytes(32))
    aim: Literal["wins", "cards"] = "cards" if scoring == "vegas" else "wins"
    plans: list[Hint] = []
    for _ in range(PLANS):
        hint = answer(msgspec.structs.replace(asked(play, StrongHintQuestion), aim=aim), AT_ONCE)
        if hint is None:
            break
        plans.append(hint)
        game = play.game
        recorded = RecordHint(
            id=command_id(game.version + 1), game=game.game, player=game.seat.player, version=game.version, hint=hint
        )
        given = decide(game, recorded, at=game.at)
        assert not isinstance(given, Error)
        assert isinstance(given[0], HintGiven)
        for text in (hint.move, *hint.then):
            _ = play.must(text)
    assert len(plans) > 10
    assert scoring == "vegas" or any(hint.then for hint in plans), "one of its few passes lets no plan be long"


def test_games_that_differ_in_unseen_cards_alone_have_the_same_plan() -> None:
    for seed in range(4):
        play, chance = random_game(seed, "draw1", 12 * seed)
        assert len(unseen(play.game)) >= 2
        twin, _ = twin_of(play, chance)
        question = asked(twin, StrongHintQuestion)
        assert question == asked(play, StrongHintQuestion)
        assert answer(question, AT_ONCE) == answer(asked(play, StrongHintQuestion), AT_ONCE)


def test_where_the_solver_does_not_play_the_hint_is_the_instant_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(VARIANTS, "many", Variant(id="many", passes=9))
    play = new_play()
    instant, strong = (
        answer(msgspec.structs.replace(asked(play, kind), variant="many"))
        for kind in (HintQuestion, StrongHintQuestion)
    )
    assert instant is not None
    assert strong == instant


def test_thinking_ends_with_its_budget() -> None:
    """The clock of this test runs a second each time it is asked: one more second means one more look at it."""
    play = new_play(deal=random.Random(1).randbytes(32)).must(*["draw"] * 24)
    short = long = 0
    for _ in range(8):
        short, long = short + looks_until(1.0, play), long + looks_until(10.0, play)
        hint = answer(asked(play, StrongHintQuestion), AT_ONCE)
        assert hint is not None
        _ = play.must(hint.move, *hint.then)
    assert short < long


def looks_until(seconds: float, play: Play) -> int:
    """How often the clock was looked at."""
    ticks = count()
    _ = answer(
        asked(play, StrongHintQuestion),
        Search(seconds=seconds, clock=lambda: float(next(ticks)), stopped=lambda: False),
    )
    return next(ticks)


def test_a_question_that_cannot_be_true_is_refused() -> None:
    question = msgspec.structs.replace(asked(new_play(), StrongHintQuestion), legal=("recycle",))
    result = work_out(job(question, deadline=1), SEARCH)
    assert isinstance(result, JobRefused)
    assert "legal" in result.reason
