"""Games from files: played again by the rules, and judged like any other. Nothing of them is kept but the verdict."""

import asyncio
from typing import Final, assert_never

from services.dealer.verdicts import Verdicts
from shared.game.imported import NOBODY, played_again
from shared.messages.dealer import ImportAnswer, ImportRequest, JudgeImported, PlayAgain
from shared.messages.imports import Misplayed
from shared.solver.verdicts import ended_import

AT_ONCE_MAX: Final = 2
"""Games that are played again at once; more wait for their turn."""


class Imports:
    """Answers requests about games from files."""

    def __init__(self, verdicts: Verdicts) -> None:
        self._verdicts = verdicts
        self._turns = asyncio.Semaphore(AT_ONCE_MAX)

    async def answer(self, request: ImportRequest) -> ImportAnswer:
        """The game as the rules have it, or until when it could be won; or what in it is against the rules."""
        async with self._turns:
            again = await asyncio.to_thread(played_again, request.game)
        match request:
            case PlayAgain():
                return again
            case JudgeImported() if isinstance(again, Misplayed):
                return again
            case JudgeImported():
                return await self._verdicts.judged(ended_import(request.game, again), NOBODY)
        assert_never(request)
