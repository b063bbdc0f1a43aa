"""Whether a numbered deal that is to be played as a day's is that day's: the dealer knows."""

from collections import OrderedDict
from typing import Final, assert_never

import msgspec
import structlog
from msgspec.structs import replace

from shared import subjects
from shared.bus.requests import Requests, Unanswered
from shared.game.refusals import refused
from shared.messages.answers import RequestRefused
from shared.messages.base import CommandId
from shared.messages.codec import encode
from shared.messages.commands import NumberedDeal, StartGame
from shared.messages.dealer import DailyAnswer, DailyDeal, FetchDaily
from shared.messages.errors import Error

ATTEMPT_SECONDS: Final = 3.0
DEADLINE_SECONDS: Final = 3.5
"""As for a winnable deal. A day is looked for once, and who starts its game has asked for its number before."""

WARNED_MAX: Final = 1_000
"""Commands that were warned of, the last ones."""

OTHER_NUMBER: Final = Error(
    code="bad-deal",
    text="That is not the number of the day's deal.",
    fix="Ask for the deal of the day, or leave the day out.",
    field="deal.number",
)

_answers: Final = msgspec.msgpack.Decoder(DailyAnswer)
_log: Final = structlog.stdlib.get_logger(__name__)


class Days:
    """Confirms deals of the day, so that the log says of no other game that it is one."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests
        self._warned: OrderedDict[CommandId, None] = OrderedDict()

    async def refuse(self, command: StartGame) -> Error | None:
        """Why a new game cannot be the one of the day that it names; none when it can, or names none."""
        deal = command.deal
        if not isinstance(deal, NumberedDeal) or not isinstance(deal.day, str):
            return None
        answer = await self._requests.ask(
            subjects.DAILY_DEALS,
            encode(FetchDaily(variant=command.variant, day=deal.day)),
            decode=_answers.decode,
            correlation=command.id,
            attempt_seconds=ATTEMPT_SECONDS,
            deadline_seconds=DEADLINE_SECONDS,
        )
        match answer:
            case DailyDeal(number=number):
                return None if number == deal.number else OTHER_NUMBER
            case RequestRefused(error=error) if error.code == "bad-request":
                return replace(error, code="bad-deal", field="deal.day")
            case RequestRefused(error=error):
                return self._unconfirmed(command, deal.day, error.code)
            case Unanswered():
                return self._unconfirmed(command, deal.day, "unanswered")
        assert_never(answer)

    def _unconfirmed(self, command: StartGame, day: str, code: str) -> Error:
        """One warning for a command, however often it is sent while nobody can confirm its day."""
        if command.id not in self._warned:
            self._warned[command.id] = None
            while len(self._warned) > WARNED_MAX:
                self._warned.popitem(last=False)
            _log.warning("day not confirmed", game=command.game, day=day, code=code)
        return refused("unavailable")
