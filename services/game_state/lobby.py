"""Games for two that wait: which game a code leads to, the queue of the quick match, and games that both have left.

All are in Redis. They only find games: what becomes of one is decided on its log, so what is lost here, or is too old,
costs a look and never a game.
"""

from collections.abc import Callable
from typing import Final, assert_never

import msgspec
import structlog
from redis.exceptions import RedisError

from shared import subjects
from shared.bus.redis_connection import Redis
from shared.game.decide import check_start
from shared.game.duel import abandoned_at
from shared.game.refusals import refused
from shared.game.state import Game
from shared.messages.answers import RequestRefused
from shared.messages.base import GAME_ID, GameId, invitation_code
from shared.messages.codec import new_game_id
from shared.messages.commands import StartGame
from shared.messages.errors import Error
from shared.messages.events import AnyEvent, GameEnded, PlayerJoined, PlayerLeft, PlayerResigned, PlayerReturned
from shared.messages.lobby import FindInvitation, FindMatch, GameFound, LobbyAnswer, LobbyRequest
from shared.rules.variants import VARIANTS

LOOKED_AT_MAX: Final = 50
"""Waiting games that one look goes through: all but the first are the asker's own."""

_FIND_OR_WAIT: Final = """
local now, expires_at, own, player, gone, most, ends = unpack(ARGV)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. now)
for _, waiting in ipairs(redis.call('ZRANGE', KEYS[1], 0, tonumber(most) - 1)) do
  local game, host = string.match(waiting, '^(%w+):(%w+)$')
  if host ~= player and game ~= gone then return game end
  redis.call('ZREM', KEYS[1], waiting)
end
redis.call('ZADD', KEYS[1], expires_at, own .. ':' .. player)
redis.call('EXPIREAT', KEYS[1], ends)
return own
"""
"""The game of somebody else that expires first, and so waits longest; else the asker's own waits, in place of older
ones, which the asker has left for this one. What is known to be gone is taken out on the way."""

_log: Final = structlog.stdlib.get_logger(__name__)


class Lobby:
    """Answers requests for games that wait, and hears of games that begin or end to do so."""

    def __init__(self, redis: Redis, now_ms: Callable[[], int], *, invitation_ms: int) -> None:
        self._redis = redis
        self._now_ms = now_ms
        self._invitation_ms = invitation_ms

    async def answer(self, request: LobbyRequest) -> LobbyAnswer:
        """The game that was asked for, or why there is none."""
        try:
            match request:
                case FindInvitation(code=code):
                    found = await self._redis.get(subjects.invitation_key(code))
                    return RequestRefused(error=refused("unknown-invitation")) if found is None else _found(found)
                case FindMatch():
                    return await self._match(request)
        except (RedisError, OSError) as error:
            _log.warning("lobby unavailable", error=str(error))
            return RequestRefused(error=refused("unavailable"))
        assert_never(request)

    async def changed(self, game: Game, event: AnyEvent) -> None:
        """A game has a new record. One for two can be found by its code while it waits, and once both have left it."""
        if game.variant.players == 1:
            return
        try:
            if game.status == "waiting":
                key = subjects.invitation_key(invitation_code(game.game))
                await self._redis.set(key, game.game, pxat=game.expires_at, nx=True)
            elif isinstance(event, PlayerJoined | GameEnded):
                queue = subjects.queue_key(game.variant_id, game.scoring_id)
                await self._redis.delete(subjects.invitation_key(invitation_code(game.game)))
                await self._redis.zrem(queue, f"{game.game}:{game.seat.player}")
            if isinstance(event, PlayerLeft | PlayerReturned | PlayerResigned):
                await self._attended(game)
        except (RedisError, OSError) as error:
            _log.warning("lobby not told", game=game.game, error=str(error))

    async def _attended(self, game: Game) -> None:
        """Somebody came, left or gave up."""
        ends_at = abandoned_at(game)
        if ends_at is None:
            await self._redis.zrem(subjects.LEFT_GAMES_KEY, game.game)
        else:
            await self._redis.zadd(subjects.LEFT_GAMES_KEY, {game.game: ends_at})

    async def abandoned(self, games_max: int) -> list[GameId]:
        """Games that are to be ended now, those that were left first before the others."""
        now = self._now_ms()
        found = await self._redis.zrange(subjects.LEFT_GAMES_KEY, 0, now, byscore=True, offset=0, num=games_max)
        return [_found(game).game for game in found]

    async def forget(self, game: GameId) -> None:
        """Takes a game out of those that are to be ended."""
        await self._redis.zrem(subjects.LEFT_GAMES_KEY, game)

    async def _match(self, request: FindMatch) -> LobbyAnswer:
        fault = _fault(request)
        if fault is not None:
            return RequestRefused(error=fault)
        now, own = self._now_ms(), new_game_id(request.player, request.command)
        expires_at = now + self._invitation_ms
        ends = expires_at // 1000 + 1
        arguments = (now, expires_at, own, request.player, request.gone or "", LOOKED_AT_MAX, ends)
        queue = subjects.queue_key(request.variant, request.scoring)
        return _found(await self._redis.eval(_FIND_OR_WAIT, 1, queue, *map(str, arguments)))


def _fault(request: FindMatch) -> Error | None:
    """Why no game comes of a quick match, or None."""
    if request.variant in VARIANTS and VARIANTS[request.variant].players == 1:
        return refused("not-for-two")
    return check_start(
        StartGame(
            id=request.command,
            game=new_game_id(request.player, request.command),
            player=request.player,
            version=0,
            variant=request.variant,
            scoring=request.scoring,
            mode="ranked",
        )
    )


def _found(game: object) -> GameFound:
    text = game.decode() if isinstance(game, bytes) else str(game)
    return GameFound(game=msgspec.convert(text, GAME_ID))
