"""Verdicts on games that are over: each game is searched once, and what was found is kept for a while."""

import asyncio
from collections import OrderedDict
from time import monotonic
from typing import Final

import structlog

from services.dealer.histories import Histories
from services.dealer.lane import BusyError, Lane
from shared.game.refusals import refused
from shared.messages.answers import RequestRefused
from shared.messages.base import GameId, PlayerId
from shared.messages.dealer import FetchVerdict, GameVerdict, VerdictAnswer
from shared.messages.errors import Error
from shared.solver.verdicts import Ended, Patience, judge

KEPT_MAX: Final = 1_000
"""Verdicts in memory; the one used longest ago leaves. A game that is over never changes, nor does its verdict."""
ANSWER_SECONDS: Final = 3.0
"""How long one request waits; the search goes on, and the next request finds it done."""

UNDER_WAY: Final = Error(
    code="unavailable", text="The solver is still looking at this game.", fix="Ask again in a few seconds."
)

_log: Final = structlog.stdlib.get_logger(__name__)


class Verdicts:
    """Answers requests for verdicts."""

    def __init__(self, histories: Histories, lane: Lane, answer_seconds: float = ANSWER_SECONDS) -> None:
        self._histories = histories
        self._lane = lane
        self._answer_seconds = answer_seconds
        self._kept: OrderedDict[GameId, tuple[PlayerId, GameVerdict]] = OrderedDict()
        self._searches: dict[GameId, asyncio.Task[GameVerdict]] = {}

    async def answer(self, request: FetchVerdict) -> VerdictAnswer:
        """The verdict, or why there is none (yet). Of a game that runs nothing is told: that would be help."""
        kept = self._kept.get(request.game)
        if kept is not None and kept[0] == request.player:
            self._kept.move_to_end(request.game)
            return kept[1]
        ended = await self._histories.ended(request)
        if isinstance(ended, Error):
            return RequestRefused(error=ended)
        return await self.judged(ended, request.player)

    async def judged(self, ended: Ended, player: PlayerId) -> VerdictAnswer:
        """The verdict on a game that is at hand, or that there is none (yet)."""
        kept = self._kept.get(ended.game)
        if kept is not None and kept[0] == player:
            return kept[1]
        search = self._searches.get(ended.game) or self._begin(ended, player)
        try:
            async with asyncio.timeout(self._answer_seconds):
                verdict = await asyncio.shield(search)
        except TimeoutError:
            return RequestRefused(error=UNDER_WAY)
        except BusyError:
            return RequestRefused(error=refused("unavailable"))
        # One that was cut short by the end of the process says less than there is to say.
        return RequestRefused(error=refused("unavailable")) if self._lane.stopping else verdict

    async def close(self) -> None:
        """Waits for the searches, which the closed lane has cut short."""
        await asyncio.gather(*self._searches.values(), return_exceptions=True)

    def _begin(self, ended: Ended, player: PlayerId) -> "asyncio.Task[GameVerdict]":
        search = asyncio.ensure_future(self._search(ended, player))
        self._searches[ended.game] = search
        search.add_done_callback(lambda _: self._searches.pop(ended.game))
        return search

    async def _search(self, ended: Ended, player: PlayerId) -> GameVerdict:
        patience = Patience(self._lane.solve, ended.variant, monotonic)
        verdict = await self._lane.run(lambda: judge(ended, patience))
        self._keep(player, verdict)
        _log.info(
            "verdict",
            game=ended.game,
            moves=verdict.moves,
            winnable_through=verdict.winnable_through,
            lost_from=verdict.lost_from,
        )
        return verdict

    def _keep(self, player: PlayerId, verdict: GameVerdict) -> None:
        if self._lane.stopping:
            return
        self._kept[verdict.game] = (player, verdict)
        while len(self._kept) > KEPT_MAX:
            self._kept.popitem(last=False)
