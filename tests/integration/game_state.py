"""game-state instances for tests: real endpoints on real servers, started and stopped inside the test's loop."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

import msgspec
from nats.aio.client import Client

from services.game_state.app import run
from shared import clock, subjects
from shared.bus.redis_connection import Redis
from shared.logs import Log
from shared.messages import commands
from shared.messages.answers import Accepted, CommandAnswer, FetchAnswer, Fetched, Refused
from shared.messages.base import CommandId, GameId, PlayerId
from shared.messages.codec import encode, new_game_id
from shared.messages.views import View
from shared.rules import moves
from shared.settings import GameStateSettings
from tests.integration.services import serving

PLAYER = PlayerId("p" * 26)
STRANGER = PlayerId("s" * 26)
ANSWER_SECONDS = 10.0


def game_state(
    nc: Client, redis: Redis, log: Log, *, settings: GameStateSettings | None = None
) -> AbstractAsyncContextManager[None]:
    """One instance, serving until the block ends."""
    return serving(run, "game-state", settings or GameStateSettings(snapshot_every=5), nc, log, redis)


async def soon(condition: Callable[[], Awaitable[bool]], seconds: float = ANSWER_SECONDS) -> None:
    """Asks again and again until it holds, or fails."""
    async with asyncio.timeout(seconds):
        while not await condition():  # noqa: ASYNC110 - what is waited for is in another process
            await asyncio.sleep(0.01)


@dataclass
class Player:
    """Sends commands as the gateway would, and keeps the newest view."""

    nc: Client
    id: PlayerId = PLAYER
    view: View | None = None
    sent: list[commands.AnyCommand] = field(default_factory=list)

    async def ask(self, command: commands.AnyCommand) -> CommandAnswer:
        self.sent.append(command)
        message = await self.nc.request(subjects.command(command.game), encode(command), timeout=ANSWER_SECONDS)
        answer = msgspec.msgpack.decode(message.data, type=CommandAnswer)
        if isinstance(answer, Accepted):
            self.view = answer.step.view
        return answer

    async def fetch(self, game: GameId, since: int | None = None) -> FetchAnswer:
        request = commands.FetchGame(game=game, player=self.id, since=since)
        message = await self.nc.request(subjects.view(game), encode(request), timeout=ANSWER_SECONDS)
        return msgspec.msgpack.decode(message.data, type=FetchAnswer)

    async def start(self, *, mode: str = "relaxed", variant: str = "draw1", number: int | None = 1) -> View:
        command = self.start_command(mode=mode, variant=variant, number=number)
        return accepted(await self.ask(command)).step.view

    def start_command(
        self, *, mode: str = "relaxed", variant: str = "draw1", scoring: str = "standard", number: int | None = 1
    ) -> commands.StartGame:
        id_ = clock.new_command_id()
        deal: commands.Deal = commands.SecretDeal() if number is None else commands.NumberedDeal(number=number)
        return commands.StartGame(
            id=id_,
            game=new_game_id(self.id, id_),
            player=self.id,
            version=0,
            variant=variant,
            scoring=scoring,
            mode=mode,
            deal=deal,
        )

    def command(self, move: str) -> commands.AnyCommand:
        """The command for a move's text, `undo`, `redo`, `resign`, `hint` or `chances`, on the newest view."""
        assert self.view is not None
        return command_of(move, self.view.game, self.id, self.view.version)

    async def play(self, move: str) -> View:
        return accepted(await self.ask(self.command(move))).step.view

    async def play_some(self, count: int, choose: Callable[[tuple[str, ...]], str]) -> View:
        """Plays chosen legal moves."""
        for _ in range(count):
            assert self.view is not None
            if self.view.status != "running":
                break
            await self.play(choose(self.view.legal))
        assert self.view is not None
        return self.view


def command_of(
    move: str, game: GameId, player: PlayerId, version: int, id_: CommandId | None = None
) -> commands.AnyCommand:
    """The command for a move's text, `undo`, `redo`, `resign`, `hint` or `chances`."""
    id_ = id_ or clock.new_command_id()
    plain: dict[str, type[commands.Command]] = {
        "undo": commands.UndoMove,
        "redo": commands.RedoMove,
        "resign": commands.Resign,
        "hint": commands.AskHint,
        "chances": commands.AskChances,
        "draw": commands.DrawCards,
        "recycle": commands.RecycleStock,
    }
    if move in plain:
        made = plain[move](id=id_, game=game, player=player, version=version)
        return msgspec.msgpack.decode(encode(made), type=commands.AnyCommand)
    chosen = moves.parse_move(move)
    assert isinstance(chosen, moves.MoveCards)
    return commands.MoveCards(
        id=id_,
        game=game,
        player=player,
        version=version,
        source=chosen.source,
        target=chosen.target,
        count=chosen.count,
    )


def accepted(answer: CommandAnswer) -> Accepted:
    assert isinstance(answer, Accepted), answer
    return answer


def refused(answer: CommandAnswer | FetchAnswer) -> Refused:
    assert isinstance(answer, Refused), answer
    return answer


def fetched(answer: FetchAnswer) -> Fetched:
    assert isinstance(answer, Fetched), answer
    return answer
