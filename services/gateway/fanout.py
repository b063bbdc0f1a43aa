"""Steps from the bus to the sockets: one subscription for each game that any socket follows, many sockets on it."""

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Final, Protocol

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError

from services.gateway.metrics import Metrics
from shared import subjects
from shared.logs import Log
from shared.messages.base import GameId
from shared.messages.views import Step

RECONNECT_LOOK_SECONDS: Final = 0.25
STEPS_WAITING_MAX: Final = 256
"""Steps of one game that wait in the client library; one more is dropped, and the gap is closed by a fetch."""


class Follower(Protocol):
    """A socket."""

    def stepped(self, step: Step) -> None: ...

    def missed(self) -> None:
        """Steps of followed games may have been missed."""


class _Channel:
    def __init__(self, opening: asyncio.Task[Subscription | None]) -> None:
        self.opening = opening
        self.followers: set[Follower] = set()


class Fanout:
    """All subscriptions of one gateway."""

    def __init__(self, client: Client, metrics: Metrics, log: Log) -> None:
        self._client = client
        self._log = log
        self._metrics = metrics
        self._channels: dict[GameId, _Channel] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._decoder = msgspec.msgpack.Decoder(Step)

    def follow(self, game: GameId, follower: Follower) -> None:
        channel = self._channels.get(game)
        if channel is None:
            channel = self._channels[game] = _Channel(asyncio.create_task(self._open(game)))
            self._metrics.games.set(len(self._channels))
        channel.followers.add(follower)

    def unfollow(self, game: GameId, follower: Follower) -> None:
        channel = self._channels.get(game)
        if channel is None:
            return
        channel.followers.discard(follower)
        if not channel.followers:
            del self._channels[game]
            self._metrics.games.set(len(self._channels))
            self._spawn(self._close(channel))

    async def subscribed(self, game: GameId) -> None:
        """Waits until a question asked next cannot miss a step: the server takes both in order."""
        channel = self._channels.get(game)
        if channel is not None and not channel.opening.done():
            await asyncio.wait({channel.opening})

    async def watch(self) -> None:
        """Tells all followers when the connection came back: what was published meanwhile is gone. Runs for ever."""
        seen = self._client.stats["reconnects"]
        while True:
            await asyncio.sleep(RECONNECT_LOOK_SECONDS)
            if self._client.stats["reconnects"] != seen:
                seen = self._client.stats["reconnects"]
                self.missed()

    def missed(self) -> None:
        for follower in {follower for channel in self._channels.values() for follower in channel.followers}:
            follower.missed()

    async def _open(self, game: GameId) -> Subscription | None:
        try:
            return await self._client.subscribe(
                subjects.feed(game), cb=self._announced, pending_msgs_limit=STEPS_WAITING_MAX
            )
        except NatsError as error:
            self._log.warning("game not followed", game=game, error=str(error) or type(error).__name__)
            return None

    async def _close(self, channel: _Channel) -> None:
        subscription = await channel.opening
        with contextlib.suppress(NatsError):
            if subscription is not None:
                await subscription.unsubscribe()

    async def _announced(self, message: Msg) -> None:
        channel = self._channels.get(subjects.game_of(message.subject))
        if channel is None:
            return
        try:
            step = self._decoder.decode(message.data)
        except msgspec.DecodeError as error:
            self._log.error("step not understood", subject=message.subject, error=str(error))
            return
        for follower in tuple(channel.followers):
            follower.stepped(step)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
