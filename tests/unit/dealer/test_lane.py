"""A lane: searches one after the other, behind everybody else's priority."""

import os
import sys
import threading
from functools import partial
from pathlib import Path

import pytest

from services.dealer.lane import NICENESS, Lane


def niceness() -> int:
    """Of the calling thread."""
    fields = Path(f"/proc/self/task/{threading.get_native_id()}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[16])


@pytest.mark.skipif(sys.platform != "linux", reason="only there has each thread a priority of its own")
async def test_searches_step_back_and_the_process_that_answers_does_not() -> None:
    before = os.getpriority(os.PRIO_PROCESS, 0)
    lane = Lane("test")
    assert await lane.run(niceness) == max(before, NICENESS)
    assert (os.getpriority(os.PRIO_PROCESS, 0), niceness()) == (before, before)
    await lane.close()


async def test_work_is_done_in_turn_and_what_it_raises_is_raised() -> None:
    lane, seen = Lane("test"), list[int]()

    def fail() -> None:
        raise LookupError("no such card")

    for number in range(3):
        await lane.run(partial(seen.append, number))
    with pytest.raises(LookupError, match="card"):
        await lane.run(fail)
    assert seen == [0, 1, 2]
    await lane.close()
    assert lane.stopping
