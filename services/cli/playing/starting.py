"""Which game comes onto the table: the one that was left, or a new one."""

from collections.abc import Callable

import msgspec

from services.cli.playing.client import Client
from services.cli.playing.link import Asked
from services.cli.playing.profile import Choice, Keeper
from services.cli.playing.sheets import Started
from services.cli.playing.web import NotServedError, UnreachableError, fetch
from shared import clock
from shared.messages.commands import Deal, NumberedDeal, SecretDeal, WinnableDeal
from shared.messages.dealer import DailyDeal
from shared.messages.errors import Error
from shared.messages.frames import NewGame, RefusedFrame, Resume
from shared.messages.views import View

UNAVAILABLE = Error(code="unavailable", text="The deal of the day cannot be had now.", fix="Try again in a moment.")


class Starter:
    """Begins games. What it gives is why there is none."""

    def __init__(self, client: Client, keeper: Keeper, started: Started | None, keep: Callable[[Choice], None]) -> None:
        self._client, self._keeper, self._started, self._keep = client, keeper, started, keep

    async def begin(self) -> Error | None:
        """The game that the command line asks for; else the one that was left; else one like the last."""
        if self._started is not None:
            return await self.deal(self._started)
        seat = self._keeper.seat(self._client.address.page)
        if seat is not None and seat.game is not None:
            error = await self._ask(Resume(id=clock.new_command_id(), game=seat.game))
            if error is None:
                return None
        return await self.deal(Started(choice=self._keeper.profile.choice))

    async def deal(self, started: Started) -> Error | None:
        """A new game; the one on the table is kept by the server."""
        choice = started.choice
        deal = await self._deal_of(started)
        if isinstance(deal, Error):
            return deal
        error = await self._ask(self._frame(choice, deal))
        if error is None:
            self._keep(choice)
        return error

    async def again(self, view: View) -> Error | None:
        """The same cards once more."""
        choice = Choice(variant=view.variant, scoring=view.scoring, mode=view.mode)
        return await self._ask(self._frame(choice, view.deal))

    async def _deal_of(self, started: Started) -> Deal | Error:
        if started.number is not None:
            return NumberedDeal(number=started.number)
        if not started.daily:
            return WinnableDeal() if started.choice.winnable else SecretDeal()
        try:
            body = await fetch(self._client.address.path(f"api/daily/{started.choice.variant}"))
            daily = msgspec.json.decode(body, type=DailyDeal)
        except (UnreachableError, NotServedError, msgspec.DecodeError):
            return UNAVAILABLE
        return NumberedDeal(number=daily.number, day=daily.day)

    async def _ask(self, frame: Asked) -> Error | None:
        answer = await self._client.ask(frame)
        return answer.error if isinstance(answer, RefusedFrame) else None

    @staticmethod
    def _frame(choice: Choice, deal: Deal) -> NewGame:
        return NewGame(
            id=clock.new_command_id(), variant=choice.variant, scoring=choice.scoring, mode=choice.mode, deal=deal
        )
