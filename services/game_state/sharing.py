"""Links to games that are over, in a stream of their own: one message a game, the newest, which says what holds."""

import asyncio
import base64
import hmac
from collections.abc import Callable
from typing import Final, assert_never

import structlog

from services.game_state.games import BrokenGameError, Games
from shared import subjects
from shared.bus.direct_get import LogUnavailableError
from shared.bus.event_log import Appended, EventLog, LogRefusedError
from shared.bus.forgotten import is_forgotten
from shared.game.refusals import refused
from shared.messages.answers import RequestRefused
from shared.messages.base import GameId, PlayerId
from shared.messages.codec import CorruptRecordError, decode_share, encode
from shared.messages.errors import Error
from shared.messages.sharing import (
    KEY_BYTES,
    FetchShare,
    GameLink,
    OpenedShare,
    OpenShare,
    Share,
    ShareAnswer,
    ShareGame,
    ShareRequest,
    WithdrawShare,
)

WRITE_SECONDS: Final = 4.0
CONFLICTS_MAX: Final = 5
"""How often a link is looked at again because another instance was faster."""

_log: Final = structlog.stdlib.get_logger(__name__)


class Sharing:
    """Answers requests about links. A running game has none: a link would show its cards to who plays the same deal."""

    def __init__(
        self, links: EventLog, games: Games, random_bytes: Callable[[int], bytes], now_ms: Callable[[], int]
    ) -> None:
        """`links`: the stream of links."""
        self._links = links
        self._games = games
        self._random_bytes = random_bytes
        self._now_ms = now_ms

    async def answer(self, request: ShareRequest) -> ShareAnswer:
        """The link as it is since, or why it is not told."""
        try:
            match request:
                case ShareGame():
                    return await self._set(request.game, request.player, self._fresh_key())
                case WithdrawShare():
                    return await self._set(request.game, request.player, "")
                case FetchShare():
                    return await self._own(request.game, request.player)
                case OpenShare():
                    return await self._opened(request)
        except (LogUnavailableError, LogRefusedError, CorruptRecordError) as error:
            _log.warning("links unavailable", game=request.game, error=str(error))
            return RequestRefused(error=refused("unavailable"))
        except BrokenGameError as error:
            _log.error("broken game", error=str(error))
            return RequestRefused(error=refused("broken-game"))
        assert_never(request)

    async def _own(self, game: GameId, player: PlayerId) -> ShareAnswer:
        fault = await self._fault(game, player)
        return RequestRefused(error=fault) if fault else _link(game, (await self._newest(game))[0])

    async def _set(self, game: GameId, player: PlayerId, key: str) -> ShareAnswer:
        """Makes the link, unless there is one, or withdraws it (an empty key), unless there is none."""
        fault = await self._fault(game, player)
        if fault:
            return RequestRefused(error=fault)
        deadline = asyncio.get_running_loop().time() + WRITE_SECONDS
        for _ in range(CONFLICTS_MAX):
            share, sequence = await self._newest(game)
            if bool(share and share.key) is bool(key):
                return _link(game, share)
            new = Share(game=game, key=key, at=self._now_ms())
            outcome = await self._links.append(subjects.share(game), encode(new), expected=sequence, deadline=deadline)
            if isinstance(outcome, Appended):
                return _link(game, new)
        return RequestRefused(error=refused("unavailable"))

    async def _opened(self, request: OpenShare) -> ShareAnswer:
        """A wrong key, a withdrawn one, and a game that never was are told apart by nobody."""
        share, _ = await self._newest(request.game)
        if share is None or not hmac.compare_digest(share.key.encode(), request.key.encode()):
            return RequestRefused(error=refused("no-such-link"))
        players = await self._players(request.game)
        if isinstance(players, Error) or any([await is_forgotten(self._links.nc, player) for player in players]):
            return RequestRefused(error=refused("no-such-link"))
        return OpenedShare(game=request.game, player=players[0])

    async def _fault(self, game: GameId, player: PlayerId) -> Error | None:
        """Why somebody has no say in a game's link. Of a game for two there is one link, and both have."""
        players = await self._players(game)
        if isinstance(players, Error):
            return players
        return None if player in players else refused("not-your-game")

    async def _players(self, game: GameId) -> tuple[PlayerId, ...] | Error:
        """Those who played a game that is over."""
        async with self._games.locked(game):
            entry = await self._games.load(game)
            if entry is not None and not entry.logged.game.over:
                await self._games.catch_up(entry)
        if entry is None:
            return refused("unknown-game")
        if not entry.logged.game.over:
            return refused("game-running")
        return tuple(seat.player for seat in entry.logged.game.seats)

    async def _newest(self, game: GameId) -> tuple[Share | None, int]:
        """What holds of a game's link, and its place in the stream, 0 for none."""
        found = await self._links.read(subjects.share(game))
        return (decode_share(found[-1].data), found[-1].sequence) if found else (None, 0)

    def _fresh_key(self) -> str:
        return base64.b32encode(self._random_bytes(KEY_BYTES)).decode().lower()


def _link(game: GameId, share: Share | None) -> GameLink:
    return GameLink(game=game, key=(share.key or None) if share else None)
