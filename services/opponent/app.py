"""The opponent put together: it joins when it is asked to, and goes on with its games after a restart."""

import asyncio
from contextlib import suppress
from typing import Final

import msgspec

from services.opponent.seat import Seat
from shared import clock, subjects
from shared.bus.requests import Requests, Unanswered, unless
from shared.bus.responder import Endpoint, decoding, serve
from shared.messages.answers import (
    GAMES_PAGE_MAX,
    Accepted,
    CommandAnswer,
    FetchGames,
    GameSummary,
    PlayerGames,
    Refused,
    RequestRefused,
    StatisticsAnswer,
)
from shared.messages.base import GameId
from shared.messages.codec import encode
from shared.messages.commands import JoinGame
from shared.messages.errors import Error
from shared.messages.opponent import COMPUTERS, LEVELS, Challenge, ChallengeAnswer, Challenged, Level
from shared.service import ServiceContext
from shared.settings import OpponentSettings
from shared.threads import Threads
from shared.warming import Warm, warmed

QUEUE_GROUP: Final = "opponent"
BUSY: Final = Error(
    code="unavailable", text="The computer has too many games just now, or cannot reach them.", fix="Ask again later."
)
GAMES_MAX: Final = 2_000
"""Games of one process at a time: most of them wait, for a day at most, for somebody who has left."""
EASY_PACE: Final = 2.0
"""An easy game is played so many times as slowly."""
JOIN_ATTEMPT_SECONDS: Final = 1.5
JOIN_SECONDS: Final = 4.0
FIND_SECONDS: Final = 20.0
AGAIN_SECONDS: Final = (2.0, 10.0, 60.0, 300.0)
"""Earlier games are looked for so much later once more: scoring is behind the log, or away for a while."""

_challenges: Final = msgspec.msgpack.Decoder(Challenge)
_commands: Final = msgspec.msgpack.Decoder(CommandAnswer)
_games: Final = msgspec.msgpack.Decoder(StatisticsAnswer)


async def run(context: ServiceContext[OpponentSettings], warm: Warm = warmed) -> None:
    """Serves until told to stop. Games are left as they are then, to be gone on with by the next process."""
    opponent = Opponent(context, warm)
    responder = await serve(
        context.nats,
        name="opponent",
        version="1.0.0",
        description="The computer as the other player of a game for two",
        endpoints=[
            Endpoint(
                "challenge",
                subjects.OPPONENT,
                QUEUE_GROUP,
                decoding("challenge", _challenges, opponent.challenged, _refusal),
            )
        ],
        refusal=_refusal,
    )
    context.ready()
    going_on = asyncio.ensure_future(opponent.go_on())
    await context.stopping.wait()
    await responder.stop()
    going_on.cancel()
    await asyncio.gather(going_on, return_exceptions=True)
    await opponent.close()


class Opponent:
    """The games that the computer plays in this process."""

    def __init__(self, context: ServiceContext[OpponentSettings], warm: Warm) -> None:
        self._requests = Requests(context.nats, clock.jitter)
        self._pace_seconds = context.settings.pace_ms / 1000
        self._log = context.log
        self._threads = Threads()
        self._warm = warm
        self._warming: asyncio.Task[None] | None = None
        self._seats: dict[GameId, asyncio.Task[None]] = {}

    async def challenged(self, request: Challenge) -> ChallengeAnswer:
        """Joins a game that waits."""
        if len(self._seats) >= GAMES_MAX:
            return RequestRefused(error=BUSY)
        new = clock.new_command_id()
        join = JoinGame(id=new, game=request.game, player=COMPUTERS[request.level], version=1)
        answer = await self._requests.ask(
            subjects.command(request.game),
            encode(join),
            decode=_commands.decode,
            settled=unless("unavailable", "outcome-unknown"),
            correlation=new,
            attempt_seconds=JOIN_ATTEMPT_SECONDS,
            deadline_seconds=JOIN_SECONDS,
        )
        match answer:
            case Accepted():
                self._sit_down(request.game, request.level)
                return Challenged(game=request.game, level=request.level)
            case Refused(error=error):
                return RequestRefused(error=error)
            case Unanswered():
                return RequestRefused(error=BUSY)

    async def go_on(self) -> None:
        """Takes up the games that an earlier process has left."""
        for pause in (0.0, *AGAIN_SECONDS):
            await asyncio.sleep(pause)
            for level in LEVELS:
                await self._take_up(level)

    async def _take_up(self, level: Level) -> None:
        known: set[GameId] = set()
        page = await self._earlier(level, None)
        while len(self._seats) < GAMES_MAX and (new := [game for game in page if game.game not in known]):
            for game in new:
                known.add(game.game)
                self._sit_down(game.game, level)
            page = await self._earlier(level, page[-1].started_at)

    async def _earlier(self, level: Level, until: int | None) -> tuple[GameSummary, ...]:
        """A page of the computer's games that run, newest first: of all, or of those that began by some time."""
        answer = await self._requests.ask(
            subjects.PLAYER_GAMES,
            encode(FetchGames(player=COMPUTERS[level], limit=GAMES_PAGE_MAX, until=until)),
            decode=_games.decode,
            settled=lambda answer: isinstance(answer, PlayerGames),
            attempt_seconds=JOIN_ATTEMPT_SECONDS,
            deadline_seconds=FIND_SECONDS,
        )
        if isinstance(answer, PlayerGames):
            return answer.games
        self._log.warning("earlier games of the computer are not known", level=level)
        return ()

    def _sit_down(self, game: GameId, level: Level) -> None:
        if game in self._seats:
            return
        hard = level == "hard"
        if hard and self._warming is None:  # only hard games need the compiled kernels
            self._warming = asyncio.ensure_future(self._warm(self._log))
        seat = Seat(
            game,
            COMPUTERS[level],
            requests=self._requests,
            pace_seconds=self._pace_seconds * (1 if hard else EASY_PACE),
            threads=self._threads,
            thinks=lambda: hard and self._warming is not None and self._warming.done(),
            log=self._log,
        )
        task = asyncio.ensure_future(seat.play())
        self._seats[game] = task
        task.add_done_callback(lambda _: self._stood_up(game, task))

    def _stood_up(self, game: GameId, task: "asyncio.Task[None]") -> None:
        del self._seats[game]
        if not task.cancelled() and (error := task.exception()) is not None:
            self._log.error("the computer left a game", game=game, exc_info=error)

    async def close(self) -> None:
        """Stops to play."""
        tasks = [*self._seats.values(), *filter(None, [self._warming])]
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError, Exception):
                await task


def _refusal(error: Error) -> bytes:
    return encode(RequestRefused(error=error))
