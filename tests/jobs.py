"""Hint jobs as game-state would send them."""

import msgspec

from shared import subjects
from shared.bus.jobs import HintQuestion, job_id
from shared.messages.jobs import HintJob

INSTANCE = "game0"


def job(asked: HintQuestion, *, deadline: int) -> HintJob:
    """The job of a question. `deadline` in milliseconds, server time."""
    key = job_id(asked)
    return HintJob(id=key, reply_to=subjects.result(INSTANCE, key), deadline=deadline, **msgspec.structs.asdict(asked))
