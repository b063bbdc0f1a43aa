"""The supervisor's decisions, with children that are told when to die. `tests/system` has the real ones."""

import asyncio
import signal
from collections.abc import Callable

import pytest

from services.cli.supervisor import FRUITLESS_STARTS_MAX, GaveUpError, Stage, Supervisor
from shared.backoff import Backoff

AT_ONCE = Backoff(first_seconds=0.0, most_seconds=0.0)
WAIT_SECONDS = 10.0


class ToldChild:
    """A child in memory: `dies_with` is its fate at each start, `None` to live."""

    def __init__(self, name: str, journal: list[str], *fates: int | None, stubborn: bool = False) -> None:
        self.name = name
        self.doing = ""
        self.starts = 0
        self._journal = journal
        self._fates = fates
        self._stubborn = stubborn
        self._status: int | None = 0

    def start(self) -> None:
        self._status = self._fates[self.starts] if self.starts < len(self._fates) else None
        self.starts += 1
        self._journal.append(f"{self.name} starts")

    def die(self, status: int) -> None:
        self._status = status

    def ready(self) -> bool:
        return self._status is None

    def exited(self) -> int | None:
        return self._status

    def send_signal(self, number: signal.Signals) -> None:
        self._journal.append(f"{self.name} {number.name}")
        if number == signal.SIGKILL or not self._stubborn:
            self._status = -number


async def run(stages: list[Stage], tell: Callable[[str], None], after: Callable[[], bool]) -> Supervisor:
    """Until a condition holds once all are ready, then to the end."""
    supervisor = Supervisor(stages, tell, lambda: 0.0, drain_seconds=0.1, backoff=AT_ONCE)
    stopping, ready = asyncio.Event(), asyncio.Event()
    running = asyncio.ensure_future(supervisor.run(stopping, ready.set))
    async with asyncio.timeout(WAIT_SECONDS):
        await asyncio.wait({asyncio.ensure_future(ready.wait()), running}, return_when=asyncio.FIRST_COMPLETED)
        while ready.is_set() and not after():  # noqa: ASYNC110 - the children have no events
            await asyncio.sleep(0.001)
        stopping.set()
        await running
    return supervisor


async def test_stages_start_in_order_and_end_in_the_reverse_order() -> None:
    journal: list[str] = []
    stages = [
        Stage(children=[ToldChild("server", journal)], awaited=True),
        Stage(children=[ToldChild("owner", journal)]),
        Stage(children=[ToldChild("door", journal)]),
    ]
    await run(stages, journal.append, lambda: True)
    started, ended = journal[:3], journal[3:]
    assert started == ["server starts", "owner starts", "door starts"]
    assert ended == ["door SIGTERM", "owner SIGTERM", "server SIGTERM"]


async def test_what_runs_in_the_background_starts_when_all_is_ready_and_nobody_waits_for_it() -> None:
    journal: list[str] = []
    door, unready = ToldChild("door", journal), ToldChild("dealer", journal, 1)
    stages = [Stage(children=[unready], background=True), Stage(children=[door])]
    await run(stages, journal.append, lambda: unready.starts == 2)
    assert journal[:2] == ["door starts", "dealer starts"]
    assert journal[-2:] == ["dealer SIGTERM", "door SIGTERM"], "it ends like any other, the last that started first"


async def test_a_child_that_dies_is_started_again_and_the_others_are_left_alone() -> None:
    journal: list[str] = []
    other, dying = ToldChild("other", journal), ToldChild("dying", journal, -9, 1)
    supervisor = await run([Stage(children=[other, dying])], journal.append, lambda: dying.starts == 3)
    assert (supervisor.restarts, other.starts) == (2, 1)
    assert any("dying died (SIGKILL)" in line for line in journal)
    assert any("dying died (exit status 1)" in line for line in journal)


async def test_a_child_that_never_gets_ready_ends_everything() -> None:
    journal: list[str] = []
    fine, broken = ToldChild("fine", journal), ToldChild("broken", journal, *[1] * 99)
    with pytest.raises(GaveUpError, match="broken does not start"):
        await run([Stage(children=[fine, broken])], journal.append, lambda: True)
    assert broken.starts == FRUITLESS_STARTS_MAX
    assert "fine SIGTERM" in journal


async def test_a_setting_that_does_not_do_is_not_tried_again() -> None:
    journal: list[str] = []
    wrong = ToldChild("wrong", journal, 2, 2)
    with pytest.raises(GaveUpError, match="exit status 2"):
        await run([Stage(children=[wrong])], journal.append, lambda: True)
    assert wrong.starts == 1


@pytest.mark.parametrize("fates", [(2,), (1,) * FRUITLESS_STARTS_MAX, (-9,) * FRUITLESS_STARTS_MAX])
async def test_what_play_does_not_need_is_given_up_alone_and_said_once(fates: tuple[int, ...]) -> None:
    journal: list[str] = []
    door, notary = ToldChild("door", journal), ToldChild("notary", journal, *fates)
    stages = [Stage(children=[door]), Stage(children=[notary], background=True)]
    await run(stages, journal.append, lambda: any("notary does not start" in line for line in journal))
    assert notary.starts == len(fates)
    assert len([line for line in journal if "All else goes on without it" in line]) == 1
    assert "door SIGTERM" in journal, "it ran until it was told to stop"


async def test_settings_that_did_once_are_tried_again() -> None:
    """Such as an address that another program holds for a moment."""
    journal: list[str] = []
    door = ToldChild("door", journal)
    supervisor = Supervisor([Stage(children=[door])], journal.append, lambda: 0.0, drain_seconds=0.1, backoff=AT_ONCE)
    stopping, ready = asyncio.Event(), asyncio.Event()
    running = asyncio.ensure_future(supervisor.run(stopping, ready.set))
    async with asyncio.timeout(WAIT_SECONDS):
        await ready.wait()
        door.die(2)
        while door.starts < 2:  # noqa: ASYNC110 - the children have no events
            await asyncio.sleep(0.001)
        stopping.set()
        await running
    assert any("door died (exit status 2)" in line for line in journal)


async def test_a_child_that_does_not_end_in_time_is_killed() -> None:
    journal: list[str] = []
    await run([Stage(children=[ToldChild("stubborn", journal, stubborn=True)])], journal.append, lambda: True)
    assert journal[-3:] == [
        "stubborn SIGTERM",
        "stubborn did not end within 0.1 s, killing it",
        "stubborn SIGKILL",
    ]


def test_the_back_off_doubles_up_to_its_limit_and_is_spread() -> None:
    backoff = Backoff(first_seconds=0.1, most_seconds=5.0)
    assert [backoff.delay(attempt, 1.0) for attempt in (1, 2, 3, 4)] == [0.1, 0.2, 0.4, 0.8]
    assert backoff.delay(1000, 1.0) == 5.0
    assert backoff.delay(1000, 0.0) == 2.5
