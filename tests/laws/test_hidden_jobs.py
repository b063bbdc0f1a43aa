"""A job holds no card that lies face down, and such cards decide nothing about it: neither its bytes nor its answer.

Two games that differ only in where two cards lie that were never seen are played alike. Until one of these shows, all
jobs about them have the same bytes, so the same id, the same random numbers and the same answers.
"""

import random
from typing import get_args

from services.solver_worker.kinds import Search, seed_of, work_out
from shared.bus.jobs import job_id
from shared.messages.codec import encode
from shared.messages.errors import Error
from shared.messages.jobs import AdviceQuestion, AnyQuestion, GameQuestion, HintQuestion, HintResult, Job
from shared.rules.variants import SOLO
from tests.jobs import asked, job
from tests.laws.test_hidden_cards import names, twin_of, unseen
from tests.play import Play, new_play, random_text

GAMES = 12
COMMANDS = 80
EVERY = 4
"""An answer is worked out for one in so many positions."""
KINDS: tuple[type[AdviceQuestion], ...] = tuple(
    kind for kind in get_args(AnyQuestion) if issubclass(kind, GameQuestion)
)
SEARCH = Search(seconds=1.0, clock=lambda: 0.0, stopped=lambda: False)


def jobs_about(play: Play) -> list[Job]:
    return [job(asked(play, kind), deadline=1) for kind in KINDS]


def hint_for(play: Play) -> HintResult:
    result = work_out(job(asked(play, HintQuestion), deadline=1), SEARCH)
    assert isinstance(result, HintResult)
    return result


def games() -> list[tuple[Play, random.Random]]:
    started = []
    for seed in range(GAMES):
        chance = random.Random(seed)
        variant, mode = chance.choice([*SOLO]), chance.choice(["ranked", "relaxed"])
        started.append((new_play(variant=variant, mode=mode, deal=chance.randbytes(32)), chance))
    return started


def test_no_job_names_a_card_that_was_never_seen() -> None:
    """Nor the secret that the deal is derived from."""
    for play, chance in games():
        secret = play.sealed.secret
        while play.game.version < COMMANDS and play.game.status == "running":
            _ = play.do(random_text(play, chance))
            for one in jobs_about(play):
                assert not names(one, tuple(unseen(play.game)))
                assert secret.encode() not in encode(one)


def test_the_same_public_history_gives_the_same_job_bytes_and_the_same_hint() -> None:
    told_apart = hints = 0
    for play, chance in games():
        while play.game.version < COMMANDS and len(unseen(play.game)) >= 2:
            twin, pair = twin_of(play, chance)
            while play.game.version < COMMANDS:
                text = random_text(play, chance)
                events, _ = play.do(text), twin.do(text)
                if not isinstance(events, Error) and names(events, pair):
                    told_apart += 1
                    break
                assert encode(jobs_about(play)) == encode(jobs_about(twin))
                if play.game.status == "running" and play.game.version % EVERY == 0:
                    hints += 1
                    assert hint_for(play) == hint_for(twin)
            else:
                break
    assert told_apart > GAMES, "too few swapped cards ever showed: the test could hardly have failed"
    assert hints > GAMES


def test_a_jobs_random_numbers_come_from_its_question_alone() -> None:
    play, _ = games()[0]
    question = asked(play, HintQuestion)
    first, later = job(question, deadline=1), job(question, deadline=2)
    assert seed_of(first) == seed_of(later)
    _ = play.must("draw")
    assert seed_of(job(asked(play, HintQuestion), deadline=1)) != seed_of(first)
    assert job_id(question) == first.id
