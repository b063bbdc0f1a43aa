"""What a new game is begun with: a secret, if its deal may be played so, and the terms of a game for two."""

from collections.abc import Callable
from dataclasses import dataclass

from services.game_state.days import Days
from services.game_state.secrets import Secrets
from shared.game.decide import Terms
from shared.messages.commands import StartGame
from shared.messages.errors import Error


@dataclass(frozen=True, slots=True, kw_only=True)
class Openings:
    """Begins games."""

    secrets: Secrets
    days: Days
    terms: Callable[[int], Terms]
    """What a game for two states that starts at a time, milliseconds since 1970."""

    async def secret(self, command: StartGame) -> bytes | Error:
        """The secret of a new game, or why it cannot be begun."""
        return await self.days.refuse(command) or await self.secrets.draw(command)
