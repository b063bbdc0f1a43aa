"""Jobs as game-state would send them."""

from typing import TypeVar

from shared import subjects
from shared.bus.jobs import job_id
from shared.game.view import knowledge_of, legal_texts
from shared.messages.jobs import AdviceQuestion, AnyQuestion, Job
from tests.play import Play

Kind = TypeVar("Kind", bound=AdviceQuestion)

INSTANCE = "game0"


def job(asked: AnyQuestion, *, deadline: int) -> Job:
    """The job of a question. `deadline` in milliseconds, server time."""
    key = job_id(asked)
    return Job(id=key, reply_to=subjects.result(INSTANCE, key), deadline=deadline, question=asked)


def asked(play: Play, kind: type[Kind]) -> Kind:
    """The question about a game, as game-state asks it."""
    game = play.game
    return kind(
        game=game.game,
        player=game.seat.player,
        version=game.version,
        variant=game.variant_id,
        known=knowledge_of(game),
        legal=legal_texts(game),
    )
