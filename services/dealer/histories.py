"""The whole history of a game that is over, page by page from game-state, which alone reads the log."""

from typing import Final, assert_never

import msgspec

from shared import subjects
from shared.bus.requests import Requests, Unanswered, unless
from shared.game.evolve import BrokenHistoryError, dealt_table
from shared.game.line import standing_line
from shared.game.refusals import refused
from shared.messages.answers import STEPS_MAX, FetchAnswer, Fetched, Refused
from shared.messages.codec import encode
from shared.messages.commands import FetchGame
from shared.messages.dealer import FetchVerdict
from shared.messages.errors import Error
from shared.messages.events import GameStarted, SealedDeal
from shared.messages.views import PastStep, View
from shared.rules.variants import VARIANTS
from shared.solver.verdicts import Ended

ATTEMPT_SECONDS: Final = 1.5
DEADLINE_SECONDS: Final = 4.0

_answers: Final = msgspec.msgpack.Decoder(FetchAnswer)


class Histories:
    """Reads games as their player."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def ended(self, request: FetchVerdict) -> Ended | Error:
        """A game with all its cards, or why they are not told: it is another's, or still runs."""
        newest = await self._page(FetchGame(game=request.game, player=request.player))
        if isinstance(newest, Error):
            return newest
        view = newest.view
        if view.status in ("running", "waiting"):
            return refused("game-running")
        steps: list[PastStep] = []
        for since in range(0, view.version, STEPS_MAX):
            upto = min(since + STEPS_MAX, view.version)
            page = await self._page(FetchGame(game=request.game, player=request.player, since=since, upto=upto))
            if isinstance(page, Error):
                return page
            steps += page.steps or ()
        return _ended(view, steps)

    async def _page(self, question: FetchGame) -> Fetched | Error:
        answer = await self._requests.ask(
            subjects.view(question.game),
            encode(question),
            decode=_answers.decode,
            settled=unless("unavailable"),
            attempt_seconds=ATTEMPT_SECONDS,
            deadline_seconds=DEADLINE_SECONDS,
        )
        match answer:
            case Fetched():
                return answer
            case Refused(error=error):
                return error
            case Unanswered():
                return refused("unavailable")
        assert_never(answer)


def _ended(view: View, steps: list[PastStep]) -> Ended | Error:
    variant = VARIANTS.get(view.variant)
    if view.status == "running" or view.status == "waiting" or variant is None:  # noqa: PLR1714 - narrows the type
        return refused("unavailable")
    if [step.version for step in steps] != [*range(1, view.version + 1)]:
        return refused("unavailable")
    if variant.players > 1:
        return refused("only-alone")
    started = steps[0].events[0]
    if not isinstance(started, GameStarted):
        return refused("broken-game")
    sealed = SealedDeal(game=view.game, deal=started.deal, shuffle=started.shuffle, secret=view.secret)
    try:
        deal = dealt_table(sealed, variant)
    except BrokenHistoryError:
        return refused("broken-game")
    line = standing_line((step.version, step.events) for step in steps)
    return Ended(game=view.game, version=view.version, result=view.status, variant=variant, deal=deal, line=line)
