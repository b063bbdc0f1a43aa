"""A log of several games and an archivist to move them, for the tests of all that reads both."""

import random
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from nats.aio.client import Client

from services.archivist.archivist import Archivist, Outcome, Step, no_step
from shared import subjects
from shared.bus.archive import Archive, Listed
from shared.bus.direct_get import Stored
from shared.bus.event_log import EventLog
from shared.bus.streams import ensure_streams
from shared.clock import now_ms
from shared.messages.base import GameId
from tests.conftest import ConnectAs
from tests.tampering import Copy, Written, whole_game

ENDED: Final = tuple(whole_game(salt) for salt in range(1, 6))


def running_game(salt: int) -> Copy:
    """A game that goes on."""
    written = Written(salt=salt)
    written.play("draw")
    return written.copy()


RUNNING: Final = running_game(100)


class DiedError(Exception):
    """What a test's archivist dies of."""


@dataclass
class Bench:
    """The log and the archive, and the connections to write and read them."""

    owner: Client
    archivist: Client

    @property
    def log(self) -> EventLog:
        return EventLog(self.owner, random.random, archive=Archive(self.owner))

    @property
    def live(self) -> EventLog:
        return EventLog(self.owner, random.random)

    @property
    def archive(self) -> Archive:
        return Archive(self.owner)

    async def store(self, copies: Iterable[Copy]) -> None:
        """Writes games as they would come: message by message, in turn."""
        waiting = [list(copy.messages) for copy in copies]
        js = self.owner.jetstream()
        while any(waiting):
            for messages in waiting:
                if messages:
                    await js.publish(*messages.pop(0))

    async def run(self, *, dies_at: int | None = None, after_ms: int = 0) -> list[Step]:
        """One run of the archivist; it may die right after a step. The steps that it came to."""
        steps: list[Step] = []

        def passed(step: Step) -> None:
            steps.append(step)
            if len(steps) == dies_at:
                raise DiedError

        with suppress(DiedError):
            await self.outcome(passed, after_ms=after_ms)
        return steps

    async def outcome(self, passed: Callable[[Step], None] = no_step, *, after_ms: int = 0) -> Outcome:
        archivist = Archivist(
            self.archivist,
            jitter=random.random,
            now_ms=now_ms,
            name=f"archivist-{random.randrange(10**9)}",
            passed=passed,
        )
        return await archivist.run(after_ms=after_ms)

    async def everything(self, game: GameId) -> list[Stored]:
        """A game as every reader gets it."""
        deal = await self.log.read_deal(game)
        return [*([deal] if deal else []), *await self.log.read_game(game)]

    async def manifests(self) -> list[Listed]:
        return [one async for one in self.archive.manifests() if isinstance(one, Listed)]

    async def live_messages(self) -> int:
        messages: int = (await self.owner.jetstream().stream_info(subjects.EVENT_STREAM)).state.messages
        return messages


async def bench(connect_as: ConnectAs) -> Bench:
    """With empty streams."""
    owner = await connect_as("game-state")
    await ensure_streams(owner.jetstream())
    return Bench(owner, await connect_as("archivist"))
