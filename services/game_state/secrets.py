"""Where the secret of a new game comes from: chance, or the dealer, who knows which ones can be won."""

from collections.abc import Callable
from typing import Final, assert_never

import msgspec
import structlog

from shared import subjects
from shared.bus.requests import Requests, Unanswered
from shared.game.refusals import refused
from shared.messages.answers import RequestRefused
from shared.messages.codec import encode
from shared.messages.commands import NumberedDeal, SecretDeal, StartGame, WinnableDeal
from shared.messages.dealer import TakeWinnable, WinnableAnswer, WinnableSecret
from shared.messages.errors import Error
from shared.rules.deal import SECRET_BYTES

ATTEMPT_SECONDS: Final = 3.0
DEADLINE_SECONDS: Final = 3.5
"""For a dealer that is just starting to come up. It leaves time to write the game down."""

_answers: Final = msgspec.msgpack.Decoder(WinnableAnswer)
_log: Final = structlog.stdlib.get_logger(__name__)


class Secrets:
    """Gives each new game its secret."""

    def __init__(self, requests: Requests, random_bytes: Callable[[int], bytes]) -> None:
        self._requests = requests
        self._random_bytes = random_bytes

    async def draw(self, command: StartGame) -> bytes | Error:
        """A secret that no other game has, of the kind that the command asks for; never one of another kind."""
        match command.deal:
            case SecretDeal() | NumberedDeal():
                return self._random_bytes(SECRET_BYTES)
            case WinnableDeal(player_seed=player_seed):
                return await self._winnable(command, player_seed)
        assert_never(command.deal)

    async def _winnable(self, command: StartGame, player_seed: str) -> bytes | Error:
        answer = await self._requests.ask(
            subjects.WINNABLE_SECRETS,
            encode(TakeWinnable(variant=command.variant, player_seed=player_seed)),
            decode=_answers.decode,
            correlation=command.id,
            attempt_seconds=ATTEMPT_SECONDS,
            deadline_seconds=DEADLINE_SECONDS,
        )
        match answer:
            case WinnableSecret(secret=secret):
                return bytes.fromhex(secret)
            case RequestRefused(error=error) if error.code == "winnable-not-offered":
                return error
            case RequestRefused() | Unanswered():
                _log.warning("no winnable deal", game=command.game, variant=command.variant, answer=repr(answer))
                return refused("no-winnable-deal")
        assert_never(answer)
