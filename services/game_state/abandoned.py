"""Ends games for two that both players have left: else they would stay open until one of them comes back.

Whoever has been away for longer is claimed to be absent in the name of the other, then the other. The ids of these
commands follow from game and version, so of several instances that do the same one is heard.
"""

import asyncio
from collections.abc import Callable
from typing import Final

import structlog
from redis.exceptions import RedisError

from services.game_state.games import BrokenGameError
from services.game_state.handler import Handler
from services.game_state.lobby import Lobby
from shared.bus.direct_get import LogUnavailableError
from shared.game.duel import SEATS, is_abandoned
from shared.game.state import Game
from shared.messages.answers import Refused
from shared.messages.base import GameId
from shared.messages.codec import derived_command_id
from shared.messages.commands import ClaimAbsence

LOOK_SECONDS: Final = 60.0
GAMES_AT_ONCE_MAX: Final = 100
"""So many games are ended between two looks."""
TRY_AGAIN: Final = frozenset({"unavailable", "outcome-unknown"})

_log: Final = structlog.stdlib.get_logger(__name__)


async def watch(lobby: Lobby, handler: Handler, now_ms: Callable[[], int]) -> None:
    """Looks for such games, until it is cancelled."""
    while True:
        try:
            for game in await lobby.abandoned(GAMES_AT_ONCE_MAX):
                if await _ended(game, handler, now_ms):
                    await lobby.forget(game)
        except (RedisError, OSError, LogUnavailableError) as error:
            _log.warning("games that were left are not looked for", error=str(error))
        await asyncio.sleep(LOOK_SECONDS)


async def _ended(game: GameId, handler: Handler, now_ms: Callable[[], int]) -> bool:
    """Whether nothing is left to do for the game."""
    for _ in range(SEATS):
        try:
            found = await handler.state(game)
        except BrokenGameError as error:
            _log.error("broken game", error=str(error))
            return True
        if found is None or not is_abandoned(found, now_ms()):
            return True
        answer = await handler.command(claim_of(found))
        if isinstance(answer, Refused):
            _log.info("game that was left not ended", game=game, code=answer.error.code)
            return answer.error.code not in TRY_AGAIN
    return True


def claim_of(game: Game) -> ClaimAbsence:
    """The claim in an abandoned game that whoever still plays, and has been away for longest, stays away."""
    away = [(seat.away_since or 0, who) for who, seat in enumerate(game.seats) if seat.status == "running"]
    claims = game.seats[SEATS - 1 - min(away)[1]].player
    new = derived_command_id(game.game, game.version, "abandoned", claims)
    return ClaimAbsence(id=new, game=game.game, player=claims, version=game.version)
