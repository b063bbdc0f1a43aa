"""A player that never gives up, on whatever runs the system."""

import asyncio
import random
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import TypeAlias

import websockets

from services.gateway.handshake import SOCKET_PATH
from shared import clock
from shared.messages.base import CommandId
from shared.messages.events import GameContinued, GamePaused
from shared.messages.frames import PROTOCOL_JSON, Hello, NewGame, RefusedFrame, Resume, Resumed, StepFrame, Welcome
from shared.messages.views import View
from tests.integration.gateway import Answer, Answered, Player
from tests.system.up_process import PATIENCE, POLL_SECONDS

Make: TypeAlias = Callable[[Player], Answered]
"""Makes the frame, once, on a connection that knows the newest view."""
GIVE_UP_SECONDS = 45.0 * PATIENCE


class StubbornPlayer:
    """Plays as the page does: connects again when the socket is lost, resumes, and repeats a frame until it has its
    answer.

    A command that is answered as not done is given up, and another move is made in its place. A gateway that stops in
    order, and one that comes back late, pause the game: these versions are not the player's.
    """

    def __init__(self, address: str, choose: random.Random) -> None:
        self._url = address.replace("http", "ws", 1) + SOCKET_PATH
        self._choose = choose
        self._opened = AsyncExitStack()
        self._player: Player | None = None
        self._token: str | None = None
        self.view: View | None = None
        self.accepted: list[CommandId] = []
        self.given_up: list[CommandId] = []
        self.connections = 0

    async def new_game(self) -> None:
        await self._until_accepted(lambda _player: NewGame(id=clock.new_command_id()))

    async def move(self) -> None:
        """A legal move, accepted. It is one move more, however often the frame had to be sent."""
        assert self.view is not None
        before = self.view
        await self._until_accepted(lambda player: player.frame(self._choose.choice(before.legal)))
        assert self.view.moves == before.moves + 1

    async def hint(self) -> None:
        """A hint that is given is a version too; when there is none, nothing has changed."""
        frame, answer = await self._ask(lambda player: player.frame("hint"))
        if isinstance(answer, RefusedFrame):
            assert answer.error.code in {"no-hint", "stuck"}, answer
        else:
            await self._take(frame.id, answer)

    async def history(self) -> list[CommandId]:
        """The commands of the game's versions, as the log has them, without pauses."""
        steps = (await self._resume(0)).steps or ()
        return [step.command for step in steps if not isinstance(step.events[0], GamePaused | GameContinued)]

    async def close(self) -> None:
        self._player = None
        opened, self._opened = self._opened, AsyncExitStack()
        await opened.aclose()

    async def _until_accepted(self, make: Make) -> None:
        while True:
            frame, answer = await self._ask(make)
            if not isinstance(answer, RefusedFrame):
                return await self._take(frame.id, answer)
            assert answer.error.code == "unavailable", answer
            self.given_up.append(frame.id)

    async def _take(self, command: CommandId, answer: Answer) -> None:
        self.accepted.append(command)
        self.view = answer.view if isinstance(answer, StepFrame) else (await self._resume(None)).view

    async def _resume(self, version: int | None) -> Resumed:
        assert self.view is not None
        resume = Resume(id=clock.new_command_id(), game=self.view.game, version=version)
        while True:
            _, answer = await self._ask(lambda _player: resume)
            if isinstance(answer, Resumed):
                return answer
            assert isinstance(answer, RefusedFrame), answer
            assert answer.error.code == "unavailable", answer

    async def _ask(self, make: Make) -> tuple[Answered, Answer]:
        """One frame and its final answer, over as many connections as it takes."""
        frame: Answered | None = None
        async with asyncio.timeout(GIVE_UP_SECONDS):
            while True:
                try:
                    player = await self._connected()
                    frame = frame or make(player)
                    answer = await player.ask(frame)
                except (OSError, websockets.WebSocketException, TimeoutError):
                    await self.close()
                    await asyncio.sleep(POLL_SECONDS)
                    continue
                if not (isinstance(answer, RefusedFrame) and answer.error.code in {"outcome-unknown", "going-away"}):
                    return frame, answer

    async def _connected(self) -> Player:
        if self._player is None:
            self.connections += 1
            connection = websockets.connect(
                self._url, subprotocols=[websockets.Subprotocol(PROTOCOL_JSON)], open_timeout=2, compression=None
            )
            player = Player(await self._opened.enter_async_context(connection))
            await player.send(Hello(token=self._token))
            self._token = (await player.expect(Welcome)).token
            if self.view is not None:
                resumed = await player.ask(Resume(id=clock.new_command_id(), game=self.view.game))
                if not isinstance(resumed, Resumed):
                    raise ConnectionError("the game cannot be had now")
            self._player = player
        return self._player
