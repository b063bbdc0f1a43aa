"""Keeps the settings of players, and lets another device become a player's by a code.

Settings cannot be made again, so they are in a stream: of each player the newest word. A code is in Redis, for some
minutes: what is lost there is made anew.
"""

import asyncio
import base64
from collections.abc import Callable, Mapping
from typing import Final, assert_never, cast

import msgspec
import nats.errors
from nats.aio.client import Client
from redis.asyncio import Redis
from redis.exceptions import RedisError

from shared import subjects
from shared.bus.direct_get import LogUnavailableError, read_newest
from shared.bus.event_log import Appended, EventLog, LogRefusedError
from shared.bus.forgotten import is_forgotten
from shared.bus.responder import Endpoint, decoding
from shared.messages.answers import RequestRefused
from shared.messages.base import CODE_LETTERS, PlayerId
from shared.messages.codec import encode
from shared.messages.errors import Error
from shared.messages.profile import (
    DeviceAdmitted,
    DeviceCode,
    FetchSettings,
    KeepSettings,
    KeptSettings,
    MakeDeviceCode,
    PlayerSettings,
    ProfileAnswer,
    ProfileRequest,
    UseDeviceCode,
)

QUEUE_GROUP: Final = "scoring"
WRITE_SECONDS: Final = 2.0
CONFLICTS_MAX: Final = 5
"""How often settings are looked at again because somebody was faster."""
CODE_MS: Final = 10 * 60 * 1000
"""How long a code is good for."""
CODE_BYTES: Final = 10

NOT_NOW: Final = Error(
    code="unavailable", text="What is kept of players cannot be reached.", fix="Ask again in a few seconds."
)
STALE: Final = Error(
    code="stale-version",
    text="The settings were changed meanwhile.",
    fix="GET them, put your changes in, and PUT them with their version.",
    field="version",
)
FORGOTTEN: Final = Error(
    code="player-forgotten", text="This player was deleted.", fix="Throw the token away, and start as a new guest."
)
NO_SUCH_CODE: Final = Error(
    code="unknown-code",
    text="No device has this code: it has a letter wrong, was used, or is too old.",
    fix="Make a new one on the other device.",
    field="code",
)

_MAKE: Final = """
local mine, player, code, expires_at, codes = KEYS[1], unpack(ARGV)
if redis.call('EXISTS', codes .. code) == 1 then return 0 end
local older = redis.call('GET', mine)
if older then redis.call('DEL', codes .. older) end
redis.call('SET', mine, code, 'PXAT', expires_at)
redis.call('SET', codes .. code, player, 'PXAT', expires_at)
return 1
"""
"""One code for each player: the newest. Of two players none gets the same."""

_stored: Final = msgspec.msgpack.Decoder(KeptSettings)


class Profiles:
    """Answers requests about players' settings and devices. Several may work at once."""

    def __init__(
        self,
        nc: Client,
        redis: Redis,
        jitter: Callable[[], float],
        random_bytes: Callable[[int], bytes],
        now_ms: Callable[[], int],
    ) -> None:
        self._nc = nc
        self._redis = redis
        self._log = EventLog(nc, jitter, stream=subjects.SETTINGS_STREAM)
        self._random_bytes = random_bytes
        self._now_ms = now_ms

    def endpoint(self, unread: Callable[[Error], bytes]) -> Endpoint:
        handler = decoding("request", msgspec.msgpack.Decoder(ProfileRequest), self.answer, unread)
        return Endpoint("profile", subjects.PROFILES, QUEUE_GROUP, handler)

    async def answer(self, request: ProfileRequest) -> ProfileAnswer:
        """What was asked for, or why it is not to be had."""
        try:
            match request:
                case FetchSettings(player=player):
                    kept, _ = await self._newest(player)
                    return RequestRefused(error=FORGOTTEN) if await is_forgotten(self._nc, player) else _told(kept)
                case KeepSettings():
                    return await self._keep(request)
                case MakeDeviceCode(player=player):
                    return await self._make(player)
                case UseDeviceCode(code=code):
                    return await self._use(code)
        except (LogUnavailableError, LogRefusedError, RedisError, nats.errors.Error, OSError):
            return RequestRefused(error=NOT_NOW)
        assert_never(request)

    async def erase(self, player: PlayerId) -> None:
        """Takes a player's settings out, once the word that the player is forgotten is written.

        An empty word takes their place, so that a change under way, decided before that word, meets a conflict.

        Raises:
            LogUnavailableError: they cannot be read or written now; repeat it.
            LogRefusedError: the server stores nothing.
        """
        deadline = asyncio.get_running_loop().time() + WRITE_SECONDS
        for _ in range(CONFLICTS_MAX):
            kept, sequence = await self._newest(player)
            if kept is not None and not kept.values and not kept.version:
                return
            if isinstance(await self._write(player, 0, {}, sequence, deadline), Appended):
                return
        raise LogUnavailableError(f"the settings of {player} keep changing")

    async def _keep(self, request: KeepSettings) -> ProfileAnswer:
        """First the place of what is kept, then whether the player is forgotten: see `erase`."""
        values = dict(sorted(request.values.items()))
        deadline = asyncio.get_running_loop().time() + WRITE_SECONDS
        for _ in range(CONFLICTS_MAX):
            kept, sequence = await self._newest(request.player)
            if await is_forgotten(self._nc, request.player):
                return RequestRefused(error=FORGOTTEN)
            version = kept.version if kept else 0
            if kept is not None and kept.values == values:
                return _told(kept)
            if request.version != version:
                return RequestRefused(error=STALE)
            outcome = await self._write(request.player, version + 1, values, sequence, deadline)
            if isinstance(outcome, Appended):
                return PlayerSettings(version=version + 1, values=values)
        return RequestRefused(error=NOT_NOW)

    async def _make(self, player: PlayerId) -> ProfileAnswer:
        if await is_forgotten(self._nc, player):
            return RequestRefused(error=FORGOTTEN)
        code = base64.b32encode(self._random_bytes(CODE_BYTES)).decode().lower()[:CODE_LETTERS]
        expires_at = self._now_ms() + CODE_MS
        arguments = (player, code, str(expires_at), subjects.device_code_key(""))
        made = await self._redis.eval(_MAKE, 1, subjects.player_code_key(player), *arguments)
        return DeviceCode(code=code, expires_at=expires_at) if made else RequestRefused(error=NOT_NOW)

    async def _use(self, code: str) -> ProfileAnswer:
        """Of several who use a code at once one gets the player."""
        found = cast("bytes | None", await self._redis.getdel(subjects.device_code_key(code)))
        if found is None:
            return RequestRefused(error=NO_SUCH_CODE)
        player = PlayerId(found.decode())
        gone = await is_forgotten(self._nc, player)
        return RequestRefused(error=NO_SUCH_CODE) if gone else DeviceAdmitted(player=player)

    async def _newest(self, player: PlayerId) -> tuple[KeptSettings | None, int]:
        """What is kept of a player's settings, and its place in the stream, 0 for none."""
        found = await read_newest(self._nc, subjects.SETTINGS_STREAM, subjects.settings(player))
        return (_stored.decode(found.data), found.sequence) if found else (None, 0)

    async def _write(
        self, player: PlayerId, version: int, values: Mapping[str, str], sequence: int, deadline: float
    ) -> object:
        kept = KeptSettings(player=player, version=version, values=values, at=self._now_ms())
        return await self._log.append(subjects.settings(player), encode(kept), expected=sequence, deadline=deadline)


def _told(kept: KeptSettings | None) -> PlayerSettings:
    return PlayerSettings(version=kept.version, values=kept.values) if kept else PlayerSettings(version=0, values={})
