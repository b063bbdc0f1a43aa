"""Who is away: the last socket of a player that followed a game left it, and none came back in time.

`Attendance` counts, pure. `Presence` is its clock, and does something about each absence: `Absences` pauses the game.
Coming back needs nothing here: a session that follows a game which its player had left says so (see `session`).
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec
from msgspec import UNSET

from services.gateway.backend import Backend
from services.gateway.effects import Ask
from shared.logs import Log
from shared.messages.answers import Fetched, Refused
from shared.messages.attendance import on_leaving
from shared.messages.base import GameId, PlayerId
from shared.messages.commands import FetchGame
from shared.messages.views import View

AT_ONCE_MAX: Final = 32
"""Absences that something is done about at the same time; others wait for their turn."""
ATTEMPTS_MAX: Final = 3
"""How often a game that moves on meanwhile is looked at again."""
STOP_SECONDS: Final = 3.0
"""How long a stopping gateway works on the absences that it makes."""
ELSEWHERE_MS: Final = 2_000
"""A record so long after the last socket left was not under way then: the player plays on, over another gateway."""


class Seat(msgspec.Struct, frozen=True):
    """A player's place in a game."""

    game: GameId
    player: PlayerId


class Absence(msgspec.Struct, frozen=True):
    """A seat that nobody sits on."""

    seat: Seat
    since: int
    """When the last socket left, milliseconds since 1970."""
    view: View | None
    """The newest that it had, if that is known to be the game's newest."""


class Attendance:
    """The seats that are taken, by which sockets, and those that were left a moment ago."""

    def __init__(self, grace_seconds: float) -> None:
        self._grace_seconds = grace_seconds
        self._taken: dict[Seat, set[object]] = {}
        self._left: dict[Seat, tuple[float, Absence]] = {}
        """With the time that their grace ends: in the order that they were left, and so in the order of that time."""

    def came(self, seat: Seat, socket: object) -> None:
        """A socket follows the game. Told twice, it counts once."""
        self._left.pop(seat, None)
        self._taken.setdefault(seat, set()).add(socket)

    def left(self, absence: Absence, socket: object, now: float) -> None:
        """A socket does not follow the game any more. `now`: seconds that never go back."""
        sockets = self._taken.get(absence.seat, set())
        if socket not in sockets:
            return
        sockets.remove(socket)
        if not sockets:
            del self._taken[absence.seat]
            self._left[absence.seat] = (now + self._grace_seconds, absence)

    def taken(self, seat: Seat) -> bool:
        return seat in self._taken

    def next_due(self) -> float | None:
        """When the next grace ends."""
        return next((due for due, _ in self._left.values()), None)

    def take_due(self, now: float) -> list[Absence]:
        """The absences whose grace has ended, each once."""
        due = [absence for end, absence in self._left.values() if end <= now]
        for absence in due:
            del self._left[absence.seat]
        return due


class Presence:
    """The attendance of one gateway, with its clock."""

    def __init__(
        self,
        *,
        grace_seconds: float,
        missing: Callable[[Absence], Awaitable[None]],
        clock: Callable[[], float],
        now_ms: Callable[[], int],
    ) -> None:
        self._attendance = Attendance(grace_seconds)
        self._missing = missing
        self._clock = clock
        self._now_ms = now_ms
        self._changed = asyncio.Event()
        self._turns = asyncio.Semaphore(AT_ONCE_MAX)
        self._tasks: set[asyncio.Task[None]] = set()

    def came(self, seat: Seat, socket: object) -> None:
        """A socket follows the game from now on."""
        self._attendance.came(seat, socket)

    def left(self, seat: Seat, socket: object, view: View | None, since: int | None = None) -> None:
        """A socket has left the game, or is closed. `view`: the game as it is now, if that is known; `since`: if the
        player was gone before the socket was.
        """
        gone_at = self._now_ms() if since is None else since
        self._attendance.left(Absence(seat, gone_at, view), socket, self._clock())
        self._changed.set()

    async def watch(self) -> None:
        """Sees to absences when their time has come. Runs for ever."""
        while True:
            due = self._attendance.next_due()
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), None if due is None else max(0.0, due - self._clock()))
            except TimeoutError:
                self._see_to(self._attendance.take_due(self._clock()))

    async def stop(self) -> None:
        """The gateway stops: whoever was here is away now."""
        self._see_to(self._attendance.take_due(float("inf")))
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=STOP_SECONDS)

    def _see_to(self, absences: list[Absence]) -> None:
        for absence in absences:
            task = asyncio.create_task(self._one(absence))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _one(self, absence: Absence) -> None:
        async with self._turns:
            if not self._attendance.taken(absence.seat):
                await self._missing(absence)


class Absences:
    """What is done about an absence: the game is paused from the moment on that its player left."""

    def __init__(self, backend: Backend, log: Log) -> None:
        self._backend = backend
        self._log = log

    async def __call__(self, absence: Absence) -> None:
        view = absence.view
        for _ in range(ATTEMPTS_MAX):
            view = view or await self._look(absence)
            if view is None or _elsewhere(view, absence.since):
                return
            command = on_leaving(view, absence.seat.player, absence.since)
            if command is None:
                return
            answer = await self._backend.ask(Ask(command, command.id))
            if not isinstance(answer, Refused):
                return
            if answer.error.code != "stale-version":
                self._log.warning("game not paused", game=absence.seat.game, error=answer.error.code)
                return
            view = None

    async def _look(self, absence: Absence) -> View | None:
        """The game as it is now; None if it is none of the player's, or nobody can tell."""
        answer = await self._backend.ask(Ask(FetchGame(game=absence.seat.game, player=absence.seat.player)))
        return answer.view if isinstance(answer, Fetched) else None


def _elsewhere(view: View, since: int) -> bool:
    """Whether the player plays on over another gateway. In a game for two, what was done since may be the other's."""
    return view.duel is UNSET and view.at > since + ELSEWHERE_MS
