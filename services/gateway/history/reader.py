"""Reads a whole game that is over from game-state, page by page, as its player."""

import asyncio
from typing import Final, assert_never

from services.gateway import refusals
from services.gateway.backend import Backend
from services.gateway.effects import Ask
from services.gateway.history.replay import UnfitHistoryError, history_of
from shared.logs import Log
from shared.messages.answers import STEPS_MAX, Accepted, Fetched, Refused
from shared.messages.base import GameId, PlayerId
from shared.messages.commands import FetchGame
from shared.messages.errors import Error
from shared.messages.history import GameHistory
from shared.messages.views import PastStep

HISTORY_STEPS_MAX: Final = 5_000
"""A longer game is not told over HTTP: its boards would be too much for a page."""
READING_MAX: Final = 4
"""Histories that are read at once; more wait for their turn."""
ASKED_MAX: Final = 64
"""Histories that are asked for at once, those that wait included; more are refused."""


class Histories:
    """Histories of games, for their players."""

    def __init__(self, backend: Backend, log: Log) -> None:
        self._backend = backend
        self._log = log
        self._turns = asyncio.Semaphore(READING_MAX)
        self._asked = 0

    async def of(self, game: GameId, player: PlayerId) -> GameHistory | Error:
        """A game from its deal to its end, or why it is not told: it is another's, or still runs."""
        if self._asked >= ASKED_MAX:
            return refusals.TOO_MANY_HISTORIES
        self._asked += 1
        try:
            async with self._turns:
                return await self._read(game, player)
        finally:
            self._asked -= 1

    async def _read(self, game: GameId, player: PlayerId) -> GameHistory | Error:
        steps = await self._steps(game, player)
        if isinstance(steps, Error):
            return steps
        try:
            return await asyncio.to_thread(history_of, game, steps)
        except UnfitHistoryError as error:
            self._log.error("history does not fit", game=game, error=str(error))
            return refusals.BROKEN_GAME

    async def _steps(self, game: GameId, player: PlayerId) -> list[PastStep] | Error:
        steps: list[PastStep] = []
        while True:
            since = len(steps)
            page = await self._page(FetchGame(game=game, player=player, since=since, upto=since + STEPS_MAX))
            if isinstance(page, Error):
                return page
            if page.view.status in ("running", "waiting"):
                return refusals.GAME_RUNNING
            if page.view.version > HISTORY_STEPS_MAX:
                return refusals.HISTORY_TOO_LONG
            steps += page.steps or ()
            if len(steps) >= page.view.version or not page.steps:
                return steps

    async def _page(self, question: FetchGame) -> Fetched | Error:
        answer = await self._backend.ask(Ask(question))
        match answer:
            case Fetched():
                return answer
            case Refused(error=error):
                return error
            case Accepted():
                return refusals.INTERNAL
        assert_never(answer)
