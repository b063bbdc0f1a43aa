"""Forgets players: their settings, sums, places and lists go, now and in every rebuild to come.

That a player is forgotten is a message in a stream of its own, which lasts; a set in Redis repeats it, so that whoever
folds records sees it in the same transaction. The log stays as it is: nothing in it says who a player was.
"""

import asyncio
from collections.abc import Callable
from typing import Final, cast

import msgspec
import nats.errors
from nats.aio.client import Client
from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.scoring.ended import TIME_BYTES
from services.scoring.profiles import Profiles
from services.scoring.projections import played_alone
from shared import subjects
from shared.bus.direct_get import LogUnavailableError, read_subject
from shared.bus.event_log import EventLog, LogRefusedError
from shared.bus.responder import Endpoint, decoding
from shared.messages.answers import ForgetPlayer, Forgotten, ForgottenPlayer, RequestRefused
from shared.messages.base import PlayerId
from shared.messages.codec import encode
from shared.messages.errors import Error

QUEUE_GROUP: Final = "scoring"
WRITE_SECONDS: Final = 2.0
SCAN_KEYS: Final = 1000


class _Kind(msgspec.Struct):
    """As much of a game's row as is looked at."""

    variant: str


_kinds: Final = msgspec.msgpack.Decoder(_Kind)

NOT_YET: Final = Error(
    code="unavailable", text="The player could not be forgotten now.", fix="Ask again: it may be repeated."
)


class Forgetting:
    """Answers requests to forget a player. May be repeated, by several at once, after a death anywhere."""

    def __init__(
        self,
        nc: Client,
        redis: Redis,
        profiles: Profiles,
        jitter: Callable[[], float],
        now_ms: Callable[[], int],
    ) -> None:
        self._redis = redis
        self._profiles = profiles
        self._log = EventLog(nc, jitter, stream=subjects.FORGOTTEN_STREAM)
        self._now_ms = now_ms

    def endpoint(self, unread: Callable[[Error], bytes]) -> Endpoint:
        handler = decoding("request", msgspec.msgpack.Decoder(ForgetPlayer), self.forget, unread)
        return Endpoint("forget", subjects.FORGETTING, QUEUE_GROUP, handler)

    async def forget(self, request: ForgetPlayer) -> Forgotten | RequestRefused:
        """The durable word first, then what stops the folds, then what is there."""
        player = request.player
        deadline = asyncio.get_running_loop().time() + WRITE_SECONDS
        word = encode(ForgottenPlayer(player=player, at=self._now_ms()))
        try:
            outcome = await self._log.append(subjects.forgotten(player), word, expected=0, deadline=deadline)
            if outcome == "unknown":
                return RequestRefused(error=NOT_YET)
            await self._profiles.erase(player)
            await remember(self._redis, [player])
            games = await erase(self._redis, player)
        except (LogRefusedError, LogUnavailableError, RedisError, nats.errors.Error, OSError):
            return RequestRefused(error=NOT_YET)
        return Forgotten(player=player, games=len(games), before=outcome == "conflict")


async def forgotten_players(nc: Client) -> list[PlayerId]:
    """All players that were ever forgotten.

    Raises:
        LogUnavailableError: they cannot be read now.
    """
    found = await read_subject(nc, subjects.FORGOTTEN_STREAM, subjects.FORGOTTEN)
    return [PlayerId(one.subject.rpartition(".")[2]) for one in found]


async def remember(redis: Redis, players: list[PlayerId]) -> None:
    """Keeps folds from counting records of players from now on."""
    if players:
        await redis.sadd(subjects.FORGOTTEN_PLAYERS_KEY, *players)


async def erase(redis: Redis, player: PlayerId) -> set[bytes]:
    """Takes all that is kept of a player out of every generation. The games that were."""
    found: set[bytes] = set()
    for key in await _keys(redis, subjects.ranking_key("*", "*", "*", "*")):
        await redis.zrem(key, player)
    for key in await _keys(redis, subjects.daily_results_key("*", player, "*")):
        await redis.unlink(key)
    for key in await _keys(redis, subjects.players_key("*")):
        generation = subjects.scoring_generation(key) or ""
        await redis.hdel(key, player)
        running = subjects.player_games_key(generation, player)
        games = cast("list[bytes]", await redis.zrange(running, 0, -1))
        await _drop(redis, subjects.running_games_key(generation), games)
        await redis.unlink(running)
        found.update(games, await _erase_ended(redis, generation, player))
    return found


async def _erase_ended(redis: Redis, generation: str, player: PlayerId) -> list[bytes]:
    """Takes the list of a player's games that are over, and those of one player in it, out. All that were listed."""
    own = subjects.ended_games_key(generation, player)
    places = cast("list[bytes]", await redis.zrange(own, 0, -1))
    games = [place[TIME_BYTES:] for place in places]
    dropped = await _drop(redis, subjects.summaries_key(generation), games)
    gone = [place for place in places if place[TIME_BYTES:] in dropped]
    if gone:
        await redis.zrem(subjects.ended_games_key(generation, None), *gone)
    await redis.unlink(own)
    return games


async def _drop(redis: Redis, key: str, games: list[bytes]) -> set[bytes]:
    """Drops the rows of games, but of those for two, which the other player still has. Those that were dropped."""
    if not games:
        return set()
    rows = cast("list[bytes | None]", await redis.hmget(key, games))
    dropped = {game for game, row in zip(games, rows, strict=True) if row and played_alone(_kinds.decode(row).variant)}
    if dropped:
        await redis.hdel(key, *dropped)
    return dropped


async def _keys(redis: Redis, pattern: str) -> list[str]:
    return [bytes(key).decode() async for key in redis.scan_iter(match=pattern, count=SCAN_KEYS)]
