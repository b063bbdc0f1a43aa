"""Who counts as away: the last socket of a player left a game, and none came in time."""

import asyncio

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from services.gateway.presence import Absence, Attendance, Presence, Seat
from shared.messages.base import PlayerId
from tests.unit.gateway.samples import GAME, OTHER_GAME, PLAYER

SEAT = Seat(GAME, PLAYER)
GRACE = 10.0


def away(seat: Seat, since: int = 0) -> Absence:
    return Absence(seat, since, None)


def test_only_the_last_of_several_sockets_makes_an_absence() -> None:
    attendance = Attendance(GRACE)
    for socket in ("tab", "phone"):
        attendance.came(SEAT, socket)
    attendance.left(away(SEAT, 1), "tab", 1.0)
    assert attendance.next_due() is None
    attendance.left(away(SEAT, 2), "phone", 2.0)
    assert attendance.next_due() == 2.0 + GRACE
    assert attendance.take_due(11.9) == []
    assert attendance.take_due(12.0) == [away(SEAT, 2)]
    assert attendance.take_due(100.0) == [], "each absence once"


def test_who_comes_back_in_time_was_not_away() -> None:
    attendance = Attendance(GRACE)
    attendance.came(SEAT, "tab")
    attendance.left(away(SEAT), "tab", 0.0)
    attendance.came(SEAT, "tab again")
    assert attendance.take_due(100.0) == []
    assert attendance.taken(SEAT)


def test_other_players_and_other_games_do_not_take_a_seat() -> None:
    attendance = Attendance(GRACE)
    attendance.came(SEAT, "tab")
    attendance.came(Seat(OTHER_GAME, PLAYER), "tab")
    attendance.came(Seat(GAME, PlayerId("q" * 26)), "other")
    attendance.left(away(SEAT), "tab", 0.0)
    assert attendance.take_due(GRACE) == [away(SEAT)]


def test_a_socket_that_was_not_there_leaves_nothing() -> None:
    attendance = Attendance(GRACE)
    attendance.left(away(SEAT), "tab", 0.0)
    attendance.came(SEAT, "tab")
    attendance.left(away(SEAT), "another", 0.0)
    assert attendance.next_due() is None


class Coming(RuleBasedStateMachine):
    """Sockets come and go, in any order, told once or twice, against a plain count."""

    def __init__(self) -> None:
        super().__init__()
        self.attendance = Attendance(GRACE)
        self.here: set[int] = set()
        self.now = 0.0
        self.left_at: float | None = None

    @rule(socket=st.integers(0, 2))
    def come(self, socket: int) -> None:
        self.attendance.came(SEAT, socket)
        self.here.add(socket)
        self.left_at = None

    @rule(socket=st.integers(0, 2))
    def go(self, socket: int) -> None:
        self.attendance.left(away(SEAT, int(self.now)), socket, self.now)
        if self.here == {socket}:
            self.left_at = self.now
        self.here.discard(socket)

    @rule(seconds=st.floats(0, 15))
    def wait(self, seconds: float) -> None:
        self.now += seconds
        due = self.attendance.take_due(self.now)
        if self.left_at is not None and self.left_at + GRACE <= self.now:
            assert due == [away(SEAT, int(self.left_at))]
            self.left_at = None
        else:
            assert due == []

    @invariant()
    def somebody_is_there_or_nobody(self) -> None:
        assert self.attendance.taken(SEAT) == bool(self.here)


TestComing = Coming.TestCase


class Missing:
    """Writes down who is missed."""

    def __init__(self) -> None:
        self.absences: list[Absence] = []
        self.came = asyncio.Event()

    async def __call__(self, absence: Absence) -> None:
        self.absences.append(absence)
        self.came.set()


def presence(missing: Missing, grace_seconds: float) -> Presence:
    loop = asyncio.get_running_loop()
    return Presence(grace_seconds=grace_seconds, missing=missing, clock=loop.time, now_ms=lambda: 4711)


async def test_an_absence_is_seen_to_when_its_grace_is_over() -> None:
    missing = Missing()
    kept = presence(missing, 0.0)
    watching = asyncio.create_task(kept.watch())
    kept.came(SEAT, "tab")
    kept.left(SEAT, "tab", None)
    async with asyncio.timeout(5):
        await missing.came.wait()
    watching.cancel()
    assert missing.absences == [Absence(SEAT, 4711, None)]


async def test_a_player_may_have_been_gone_before_the_socket_was() -> None:
    missing = Missing()
    kept = presence(missing, 3600.0)
    kept.came(SEAT, "tab")
    kept.left(SEAT, "tab", None, since=4000)
    await kept.stop()
    assert missing.absences == [Absence(SEAT, 4000, None)]


async def test_a_stop_does_not_wait_for_any_grace_and_nobody_is_missed_twice() -> None:
    missing = Missing()
    kept = presence(missing, 3600.0)
    kept.came(SEAT, "tab")
    kept.left(SEAT, "tab", None)
    await kept.stop()
    await kept.stop()
    assert missing.absences == [Absence(SEAT, 4711, None)]


async def test_who_comes_back_while_others_are_seen_to_is_left_alone() -> None:
    missing = Missing()
    kept = presence(missing, 3600.0)
    kept.came(SEAT, "tab")
    kept.left(SEAT, "tab", None)
    stopping = asyncio.create_task(kept.stop())
    await asyncio.sleep(0)
    kept.came(SEAT, "tab again")
    await stopping
    assert missing.absences == []
