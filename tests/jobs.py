"""Jobs as game-state would send them."""

from shared import subjects
from shared.bus.jobs import job_id
from shared.messages.jobs import AnyQuestion, Job

INSTANCE = "game0"


def job(asked: AnyQuestion, *, deadline: int) -> Job:
    """The job of a question. `deadline` in milliseconds, server time."""
    key = job_id(asked)
    return Job(id=key, reply_to=subjects.result(INSTANCE, key), deadline=deadline, question=asked)
