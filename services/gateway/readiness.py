"""Whether a player can play here now, and if not, what is missing."""

import asyncio
from collections.abc import Mapping
from typing import Final

import msgspec
import nats.errors
from nats.aio.client import Client

from services.gateway.backend import Backend
from shared import subjects
from shared.messages.answers import FetchRanking, RequestRefused
from shared.settings import Role

PING_SECONDS: Final = 1.0
KEPT_SECONDS: Final = 0.5
"""An answer is given again for so long: whoever asks often costs nothing."""
OK: Final = "ok"
NEEDED: Final = ("nats", "game-state")
"""Without these nothing can be played. Without the rest, hints or statistics are missing."""


class Readiness(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `/readyz`."""

    ready: bool
    parts: Mapping[str, str]
    """For each part of the system `ok`, or in words what is wrong with it."""


class ReadinessProbe:
    """Asks the other services, at most one question at a time."""

    def __init__(self, client: Client, backend: Backend) -> None:
        self._client = client
        self._backend = backend
        self._lock = asyncio.Lock()
        self._latest: Readiness | None = None
        self._at = 0.0
        self.stopping = False

    async def look(self) -> Readiness:
        async with self._lock:
            now = asyncio.get_running_loop().time()
            if self._latest is None or now > self._at + KEPT_SECONDS:
                self._latest = await self._look()
                self._at = asyncio.get_running_loop().time()
            return self._latest

    async def _look(self) -> Readiness:
        parts = await self._parts()
        if self.stopping:
            parts["gateway"] = "stopping"
        ready = not self.stopping and all(parts.get(part) == OK for part in NEEDED)
        return Readiness(ready=ready, parts=parts)

    async def _parts(self) -> dict[str, str]:
        if not self._client.is_connected:
            return {"nats": "not connected, trying again"}
        game_state, worker, scoring = await asyncio.gather(
            self._ping("game-state"), self._ping("solver-worker"), self._scoring()
        )
        return {"nats": OK, "game-state": game_state, "solver-worker": worker, "scoring": scoring}

    async def _ping(self, role: Role) -> str:
        try:
            await self._client.request(subjects.micro_ping(role), timeout=PING_SECONDS)
        except (nats.errors.Error, TimeoutError, OSError) as error:
            return f"no answer ({type(error).__name__})"
        return OK

    async def _scoring(self) -> str:
        """Asks for something small, since scoring answers a ping without its Redis too."""
        question = FetchRanking(variant="draw1", scoring="standard", limit=1)
        try:
            async with asyncio.timeout(PING_SECONDS):
                answer = await self._backend.statistics(question)
        except TimeoutError:
            return "no answer"
        return answer.error.text if isinstance(answer, RequestRefused) else OK
