"""Whether a player can play here now, and if not, what is missing."""

import asyncio
from collections.abc import Mapping
from typing import Final

import msgspec
from nats.aio.client import Client

from services.gateway.backend import Backend
from shared.messages.answers import FetchRanking, RequestRefused

ASK_SECONDS: Final = 1.0
KEPT_SECONDS: Final = 0.5
"""An answer is given again for so long: whoever asks often costs nothing."""
OK: Final = "ok"
NEEDED: Final = ("nats", "game-state")
"""Without these nothing can be played. Without scoring, statistics are missing."""


class Readiness(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `/readyz`."""

    ready: bool
    parts: Mapping[str, str]
    """For each part of the system `ok`, or in words what is wrong with it."""


class ReadinessProbe:
    """Asks the other services something small and real: one that is there but cannot reach its data says so."""

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
        game_state, scoring = await asyncio.gather(self._backend.reach_games(ASK_SECONDS), self._scoring())
        return {"nats": OK, "game-state": game_state or OK, "scoring": scoring or OK}

    async def _scoring(self) -> str | None:
        question = FetchRanking(variant="draw1", scoring="standard", limit=1)
        try:
            async with asyncio.timeout(ASK_SECONDS):
                answer = await self._backend.statistics(question)
        except TimeoutError:
            return "no answer"
        return answer.error.text if isinstance(answer, RequestRefused) else None
