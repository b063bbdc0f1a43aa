"""The deal of the day: one number for everybody, whose deal can be won where the solver plays the variant."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Final

from services.dealer.lane import BusyError, Lane
from shared.game.refusals import refused, unknown
from shared.messages.answers import RequestRefused
from shared.messages.dealer import DailyAnswer, DailyDeal, FetchDaily
from shared.messages.errors import Error
from shared.rules.variants import VARIANTS, Variant
from shared.solver.solve import Budget
from shared.solver.winnable import winnable_number

NUMBERS_A_DAY: Final = 1_000
"""A day's numbers are its date, year to day, and three digits. The first whose deal can be won is the day's."""
BUDGET: Final = Budget(states=5_000_000, seconds=1e9, table_bytes=1 << 28)
"""In states alone, which are the same on every machine: a slow one must not choose another deal."""
DAYS_KEPT_MAX: Final = 1_000

FIRST_DAY: Final = date(2020, 1, 1)
"""Older days have no deal, so that a player's calendar has an end."""

BAD_DAY: Final = Error(
    code="bad-request",
    text="That is no day that has a deal.",
    fix=f"Give a day from {FIRST_DAY} up to tomorrow (UTC, for time zones ahead) as YYYY-MM-DD, or none for today.",
    field="day",
)
PLAYED_BY_MORE: Final = Error(
    code="bad-request",
    text="Only variants that are played alone have a deal of the day.",
    fix="Name another variant.",
    field="variant",
)


class Daily:
    """Finds and keeps the numbers of days."""

    def __init__(self, certifiable: Sequence[Variant], lane: Lane, now_ms: Callable[[], int]) -> None:
        """Of variants that are not `certifiable` a day has just any deal, its first number."""
        self._certain = {variant.id: variant for variant in certifiable}
        self._lane = lane
        self._now_ms = now_ms
        self._kept: OrderedDict[tuple[str, date], int] = OrderedDict()

    async def answer(self, request: FetchDaily) -> DailyAnswer:
        """The deal of a day, UTC; of a day that begins somewhere already, tomorrow's too."""
        if request.variant not in VARIANTS:
            return RequestRefused(error=unknown("unknown-variant", "variant", request.variant, VARIANTS))
        if VARIANTS[request.variant].players > 1:
            return RequestRefused(error=PLAYED_BY_MORE)
        day = self._day(request.day)
        if day is None:
            return RequestRefused(error=BAD_DAY)
        certain = self._certain.get(request.variant)
        try:
            number = _first_number(day) if certain is None else await self._number(certain, day)
        except BusyError:
            return RequestRefused(error=refused("unavailable"))
        if number is None:
            return RequestRefused(error=refused("no-winnable-deal"))
        return DailyDeal(variant=request.variant, day=day.isoformat(), number=number, certified=certain is not None)

    def _day(self, asked: str | None) -> date | None:
        today = datetime.fromtimestamp(self._now_ms() / 1000, UTC).date()
        if asked is None:
            return today
        try:
            day = date.fromisoformat(asked)
        except ValueError:
            return None
        return day if FIRST_DAY <= day <= today + timedelta(days=1) else None

    async def _number(self, variant: Variant, day: date) -> int | None:
        kept = self._kept.get((variant.id, day))
        if kept is not None:
            return kept
        number = await self._lane.run(partial(self._find, variant, day))
        if number is not None:
            self._kept[variant.id, day] = number
            while len(self._kept) > DAYS_KEPT_MAX:
                self._kept.popitem(last=False)
        return number

    def _find(self, variant: Variant, day: date) -> int | None:
        first = _first_number(day)
        numbers = (number for number in range(first, first + NUMBERS_A_DAY) if not self._lane.stopping)
        return winnable_number(numbers, variant, lambda table: self._lane.solve(table, variant, BUDGET))


def _first_number(day: date) -> int:
    return int(day.strftime("%Y%m%d")) * NUMBERS_A_DAY
