"""One game of the computer: look, think, move, at the pace of its level, until the game is over."""

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Final

import msgspec

from services.opponent import choice, memory
from services.opponent.memory import Memory
from shared import clock, subjects
from shared.bus.requests import Requests, Unanswered, unless
from shared.logs import Log
from shared.messages.answers import Accepted, CommandAnswer, FetchAnswer, Fetched, Refused
from shared.messages.base import GameId, PlayerId
from shared.messages.codec import encode
from shared.messages.commands import AnyCommand, FetchGame
from shared.messages.views import View
from shared.rules.moves import parse_move
from shared.rules.variants import VARIANTS
from shared.threads import Threads

ATTEMPT_SECONDS: Final = 1.5
DEADLINE_SECONDS: Final = 10.0
PATIENCE_LOOKS: Final = 12
"""So often it looks whether the other side has opened something for it, before it gives up."""
AWAY_PACE: Final = 4
"""It looks so many times as rarely whether somebody who is away has come back."""
GONE: Final = frozenset({"unknown-game", "not-your-game", "broken-game"})

_commands: Final = msgspec.msgpack.Decoder(CommandAnswer)
_views: Final = msgspec.msgpack.Decoder(FetchAnswer)


class Seat:
    """The computer's side of one game."""

    def __init__(
        self,
        game: GameId,
        player: PlayerId,
        *,
        requests: Requests,
        pace_seconds: float,
        threads: Threads,
        thinks: Callable[[], bool],
        log: Log,
    ) -> None:
        """`thinks`: whether it thinks moves through, in `threads`; else it plays by the rules' preferences."""
        self._game = game
        self._player = player
        self._requests = requests
        self._pace_seconds = pace_seconds
        self._threads = threads
        self._thinks = thinks
        self._log = log
        self._memory: Memory | None = None
        self._planned: deque[str] = deque()
        self._stuck = 0

    async def play(self) -> None:
        """Until the game is over. What goes wrong on the way is tried again at the next look."""
        while True:
            slower = 1
            match await self._look():
                case Fetched(view=view) if view.status in ("waiting", "running"):
                    await self._turn(view)
                    slower = AWAY_PACE if choice.waits(view) else 1
                case Refused(error=error) if error.code not in GONE:
                    self._log.warning("a game of the computer cannot be read", game=self._game, code=error.code)
                case Unanswered():
                    pass
                case _:
                    return
            await asyncio.sleep(self._pace_seconds * slower)

    async def _turn(self, view: View) -> None:
        if not choice.plays(view):
            return
        if choice.claimable(view, clock.now_ms()):
            await self._do(choice.claim(view, clock.new_command_id()))
            return
        if choice.waits(view):
            return
        text = await self._next(view)
        self._stuck = self._stuck + 1 if text is None else 0
        if text is not None:
            await self._do(choice.command_of(parse_move(text), view, clock.new_command_id()))
        elif self._stuck >= PATIENCE_LOOKS or not VARIANTS[view.variant].shares_foundations:
            await self._do(choice.command_of(None, view, clock.new_command_id()))

    async def _next(self, view: View) -> str | None:
        # Between two looks the own side changes by one own move at most, so nothing that was seen is lost sight of.
        self._memory = memory.after(self._memory, view) if self._memory else memory.first(view)
        known = memory.knowledge(self._memory, view)
        variant = choice.alone(VARIANTS[view.variant])
        if not self._thinks() or variant is None:
            return choice.next_text(view, known)
        if not self._planned or self._planned[0] not in view.legal:
            time = asyncio.get_running_loop().time
            end = time() + choice.PLAN_SECONDS
            think = partial(choice.thought_through, view, known, variant, lambda: time() >= end)
            self._planned = deque(await self._threads.run(think))
        return self._planned.popleft() if self._planned else None

    async def _do(self, command: AnyCommand) -> None:
        answer = await self._requests.ask(
            subjects.command(self._game),
            encode(command),
            decode=_commands.decode,
            settled=unless("unavailable"),
            correlation=command.id,
            attempt_seconds=ATTEMPT_SECONDS,
            deadline_seconds=DEADLINE_SECONDS,
        )
        if not isinstance(answer, Accepted):
            self._planned.clear()

    async def _look(self) -> FetchAnswer | Unanswered:
        return await self._requests.ask(
            subjects.view(self._game),
            encode(FetchGame(game=self._game, player=self._player)),
            decode=_views.decode,
            settled=unless("unavailable"),
            attempt_seconds=ATTEMPT_SECONDS,
            deadline_seconds=DEADLINE_SECONDS,
        )
