"""game-state put together: streams, games, endpoints."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeVar

import msgspec
import nats.errors
import structlog
from nats.js.errors import APIError
from nats.js.errors import Error as JetStreamError

from services.game_state import abandoned
from services.game_state.days import Days
from services.game_state.games import Games
from services.game_state.handler import Handler
from services.game_state.lobby import Lobby
from services.game_state.openings import Openings
from services.game_state.secrets import Secrets
from services.game_state.sharing import Sharing
from services.game_state.snapshotter import Snapshotter
from shared import clock, subjects
from shared.backoff import Backoff
from shared.bus.archive import Archive
from shared.bus.event_log import EventLog
from shared.bus.jobs import JobDesk
from shared.bus.requests import Requests
from shared.bus.responder import Endpoint, decoding, serve
from shared.bus.streams import ERROR_NO_ROOM, ensure_streams
from shared.game.decide import Terms
from shared.messages.answers import CommandAnswer, FetchAnswer, Refused, RequestRefused
from shared.messages.codec import encode
from shared.messages.commands import AnyCommand, FetchGame
from shared.messages.errors import Error
from shared.messages.lobby import LobbyRequest
from shared.messages.sharing import ShareRequest
from shared.service import ServiceContext
from shared.settings import GameStateSettings, SettingsError
from shared.traffic import Traffic

SECOND_MS: Final = 1000
MINUTE_MS: Final = 60 * SECOND_MS
NO_ROOM: Final = (
    "nats-server has not enough space for the log (10047). Make room where it keeps its files, "
    "or raise its max_file_store, then start it again."
)
QUEUE_GROUP: Final = "game-state"
BACKOFF: Final = Backoff(first_seconds=0.1, most_seconds=5.0)

Request = TypeVar("Request", AnyCommand, FetchGame)

_commands: Final = msgspec.msgpack.Decoder(AnyCommand)
_fetches: Final = msgspec.msgpack.Decoder(FetchGame)
_sharings: Final = msgspec.msgpack.Decoder(ShareRequest)
_lobbies: Final = msgspec.msgpack.Decoder(LobbyRequest)
_log: Final = structlog.stdlib.get_logger(__name__)


async def run(context: ServiceContext[GameStateSettings]) -> None:
    """Serves until told to stop."""
    settings = context.settings
    if not await _streams(context):
        return
    log = EventLog(context.nats, clock.jitter, archive=Archive(context.nats))
    snapshotter = Snapshotter(context.redis, settings.snapshot_every)
    desk = JobDesk(context.nats, context.instance, clock.now_ms)
    requests = Requests(context.nats, clock.jitter)
    games = Games(log, context.redis, games_max=settings.games_in_memory)
    lobby = Lobby(context.redis, clock.now_ms, invitation_ms=settings.invitation_minutes * MINUTE_MS)
    handler = Handler(
        nc=context.nats,
        log=log,
        games=games,
        snapshotter=snapshotter,
        desk=desk,
        now_ms=clock.now_ms,
        openings=Openings(
            secrets=Secrets(requests, clock.random_bytes), days=Days(requests), terms=partial(_terms, settings)
        ),
        lobby=lobby,
    )
    sharing = Sharing(
        EventLog(context.nats, clock.jitter, stream=subjects.SHARE_STREAM), games, clock.random_bytes, clock.now_ms
    )
    await desk.open()
    snapshots = asyncio.ensure_future(snapshotter.run(context.stopping))
    ending = asyncio.ensure_future(abandoned.watch(lobby, handler, clock.now_ms))
    responder = await serve(
        context.nats,
        name="game-state-games",
        version="1.0.0",
        description="Decides commands and shows games",
        endpoints=endpoints(handler, sharing, lobby, context.traffic),
        refusal=_refusal,
    )
    context.ready()
    await context.until_stopped(ending)  # a bug there ends the process
    await responder.stop()
    await snapshots
    await snapshotter.flush()
    await desk.close()


def _terms(settings: GameStateSettings, at: int) -> Terms:
    """What a game for two that starts now states."""
    return Terms(
        expires_at=at + settings.invitation_minutes * MINUTE_MS, absence_ms=settings.absence_seconds * SECOND_MS
    )


async def _streams(context: ServiceContext[GameStateSettings]) -> bool:
    """Waits until the streams are as they must be. False: told to stop before.

    Raises:
        SettingsError: there is no room for them.
    """
    attempt = 0
    while not context.stopping.is_set():
        try:
            await ensure_streams(context.nats.jetstream(), num_replicas=context.settings.replicas)
            return True
        except (nats.errors.Error, JetStreamError, OSError) as error:
            if isinstance(error, APIError) and error.err_code == ERROR_NO_ROOM:
                raise SettingsError(NO_ROOM) from None
            attempt += 1
            pause = BACKOFF.delay(attempt, clock.jitter())
            _log.warning("waiting for JetStream", error=str(error) or type(error).__name__, retry_seconds=pause)
            await asyncio.sleep(pause)
    return False


def endpoints(handler: Handler, sharing: Sharing, lobby: Lobby, traffic: Traffic) -> list[Endpoint]:
    """What game-state answers on the bus."""
    command = decoding("command", _commands, _noted("command", handler.command, traffic), _refusal)
    fetch = decoding("view request", _fetches, _noted("view request", handler.fetch, traffic), _refusal)
    shared = decoding("request about a link", _sharings, sharing.answer, _request_refusal)
    found = decoding("request for a game that waits", _lobbies, lobby.answer, _request_refusal)
    return [
        Endpoint("command", subjects.COMMANDS, QUEUE_GROUP, command),
        Endpoint("view", subjects.VIEWS, QUEUE_GROUP, fetch),
        Endpoint("sharing", subjects.SHARING, QUEUE_GROUP, shared),
        Endpoint("lobby", subjects.LOBBY, QUEUE_GROUP, found),
    ]


def _noted(
    what: str, handle: Callable[[Request], Awaitable[CommandAnswer | FetchAnswer]], traffic: Traffic
) -> Callable[[Request], Awaitable[CommandAnswer | FetchAnswer]]:
    async def answer(request: Request) -> CommandAnswer | FetchAnswer:
        answered = await handle(request)
        _note(traffic, what, request, answered)
        return answered

    return answer


def _note(traffic: Traffic, what: str, request: AnyCommand | FetchGame, answer: CommandAnswer | FetchAnswer) -> None:
    """What was asked of which game, and what became of it. No card is in it."""
    outcome = answer.error.code if isinstance(answer, Refused) else "done"
    traffic.note(what, type=type(request).__struct_config__.tag, game=request.game, outcome=outcome)


def _refusal(error: Error) -> bytes:
    return encode(Refused(command=None, error=error))


def _request_refusal(error: Error) -> bytes:
    return encode(RequestRefused(error=error))
