"""Answers to requests, all of one from the same generation."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import date
from typing import Final, TypeVar, cast

import msgspec
from msgspec.structs import replace
from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.scoring import days, ended, outcomes, ranking
from services.scoring.bankroll import bankroll
from services.scoring.periods import Period, date_of, period
from services.scoring.store import game_decoder, player_decoder, raw
from shared import subjects
from shared.bus.responder import Endpoint, Handler, decoding
from shared.messages.answers import (
    Calendar,
    FetchCalendar,
    FetchGames,
    FetchRanking,
    FetchStatistics,
    FindGames,
    FoundGames,
    PlayerGames,
    PlayerStatistics,
    Rank,
    Ranking,
    RequestRefused,
    StatisticsAnswer,
)
from shared.messages.base import GameId, PlayerId
from shared.messages.codec import encode
from shared.messages.errors import Error
from shared.rules.scoring import SCORINGS
from shared.rules.variants import VARIANTS

Request = TypeVar("Request")
Answer = TypeVar("Answer", bound=StatisticsAnswer)

QUEUE_GROUP: Final = "scoring"
TRIES_MAX: Final = 3
"""How often a request starts anew because a rebuild was finished while it was answered."""

REBUILDING: Final = Error(
    code="unavailable",
    text="Statistics are being rebuilt from the log of all games.",
    fix="Ask again in a few seconds.",
)
REDIS_AWAY: Final = Error(
    code="unavailable", text="The store of the statistics cannot be reached.", fix="Ask again in a few seconds."
)


class RebuiltError(Exception):
    """The generation that was read from is not live any more."""


def refusal(error: Error) -> bytes:
    """A refusal as scoring's answers have it."""
    return encode(RequestRefused(error=error))


def unread(error: Error) -> bytes:
    """A refusal of what is no request."""
    return refusal(replace(error, code="bad-request"))


class Queries:
    """The reading half of the service."""

    def __init__(self, redis: Redis, now_ms: Callable[[], int]) -> None:
        self._redis = redis
        self._now_ms = now_ms

    def endpoints(self) -> Sequence[Endpoint]:
        """All that scoring answers."""
        answers = (
            ("player", subjects.STATISTICS, self._handler(FetchStatistics, self.statistics)),
            ("ranking", subjects.RANKING, self._handler(FetchRanking, self.ranking, _unknown)),
            ("games", subjects.PLAYER_GAMES, self._handler(FetchGames, self.games)),
            ("history", subjects.ENDED_GAMES, self._handler(FindGames, self.ended, _unknown_kind)),
            ("calendar", subjects.CALENDARS, self._handler(FetchCalendar, self.calendar, _variant)),
        )
        return [Endpoint(name, subject, QUEUE_GROUP, handler) for name, subject, handler in answers]

    async def statistics(self, request: FetchStatistics, generation: str) -> StatisticsAnswer:
        stored = raw(await self._redis.hget(subjects.players_key(generation), request.player))
        rows = player_decoder.decode(stored).statistics if stored else ()
        return PlayerStatistics(player=request.player, rows=rows, bankroll=bankroll(rows))

    async def ranking(self, request: FetchRanking, generation: str) -> StatisticsAnswer:
        wanted = self._period(request)
        key = subjects.ranking_key(generation, wanted.name, request.variant, request.scoring)
        async with self._redis.pipeline(transaction=True) as reading:
            reading.zrevrange(key, 0, request.limit - 1, withscores=True)  # type: ignore[unused-awaitable] # queued
            if request.player:
                reading.zrevrank(key, request.player)  # type: ignore[unused-awaitable] # queued
                reading.zscore(key, request.player)  # type: ignore[unused-awaitable] # queued
            best, *found = await reading.execute()
        rows = tuple(
            ranking.rank(request.scoring, place, PlayerId(player.decode()), int(score))
            for place, (player, score) in enumerate(best, start=1)
        )
        own = _own_rank(request.scoring, request.player, *found) if request.player else None
        return Ranking(
            variant=request.variant,
            scoring=request.scoring,
            rows=rows,
            own=own,
            period=wanted.kind,
            begins_at=wanted.begins_at,
            ends_at=wanted.ends_at,
        )

    async def games(self, request: FetchGames, generation: str) -> StatisticsAnswer:
        if request.over:
            page = await self.ended(FindGames(player=request.player, limit=request.limit), generation)
            return PlayerGames(player=request.player, games=page.games)
        key = subjects.player_games_key(generation, request.player)
        newest = "+inf" if request.until is None else request.until
        newest_first = cast(
            "list[bytes]", await self._redis.zrevrangebyscore(key, newest, "-inf", start=0, num=request.limit)
        )
        ids = [GameId(game.decode()) for game in newest_first]
        rows = await self._redis.hmget(subjects.running_games_key(generation), ids) if ids else []
        found = ((game, raw(row)) for game, row in zip(ids, rows, strict=True))
        summaries = tuple(outcomes.summary(game, game_decoder.decode(row)) for game, row in found if row)
        return PlayerGames(player=request.player, games=summaries)

    async def ended(self, request: FindGames, generation: str) -> FoundGames:
        """A page of games that are over. At most `ended.LOOKED_AT_MAX` rows are read for it."""
        return await ended.page(self._redis, request, generation)

    async def calendar(self, request: FetchCalendar, generation: str) -> StatisticsAnswer:
        key = subjects.daily_results_key(generation, request.player, request.variant)
        found = cast("list[tuple[bytes, float]]", await self._redis.zrange(key, 0, -1, withscores=True))
        results = sorted((days.result_of(day.decode(), int(number)) for day, number in found), key=lambda one: one.day)
        now = self._now_ms()
        month = request.month or f"{date_of(now):%Y-%m}"
        streak, longest = days.streaks(results, now)
        return Calendar(
            player=request.player,
            variant=request.variant,
            month=month,
            days=tuple(result for result in results if result.day.startswith(month)),
            streak=streak,
            longest_streak=longest,
        )

    def _period(self, request: FetchRanking) -> Period:
        day = date_of(self._now_ms()) if request.day is None else date.fromisoformat(request.day)
        return period(request.period, day)

    async def find(self, request: FindGames) -> StatisticsAnswer:
        """The same for who reads Redis without a service between: an auditor.

        Raises:
            RedisError, OSError: Redis cannot be read.
        """
        return await self._from_live(request, self.ended)

    def _handler(
        self,
        schema: type[Request],
        answer: Callable[[Request, str], Awaitable[StatisticsAnswer]],
        fault_of: Callable[[Request], Error | None] = lambda _: None,
    ) -> Handler:
        """Bad input is refused first, whatever state the store is in."""

        async def handle(request: Request) -> StatisticsAnswer:
            fault = fault_of(request)
            if fault:
                return RequestRefused(error=fault)
            try:
                return await self._from_live(request, answer)
            except (RedisError, OSError):
                return RequestRefused(error=REDIS_AWAY)

        return decoding("request", msgspec.msgpack.Decoder(schema), handle, unread)

    async def _from_live(
        self, request: Request, answer: Callable[[Request, str], Awaitable[StatisticsAnswer]]
    ) -> StatisticsAnswer:
        """The answer from the generation that is live from its first reading to its last."""
        generation = await self._live()
        for _ in range(TRIES_MAX):
            if generation is None:
                break
            answered = await answer(request, generation)
            live = await self._live()
            if live == generation:
                return answered
            generation = live
        return RequestRefused(error=REBUILDING)

    async def _live(self) -> str | None:
        stored = raw(await self._redis.get(subjects.SCORING_LIVE_KEY))
        return stored.decode() if stored else None


def _variant(request: FetchCalendar | FindGames | FetchRanking) -> Error | None:
    """A variant that no table of the rules has."""
    if request.variant is None or request.variant in VARIANTS:
        return None
    fix = f"Name one of: {', '.join(VARIANTS)}."
    return Error(code="unknown-variant", text="There is no such variant.", fix=fix, field="variant")


def _unknown_kind(request: FindGames | FetchRanking) -> Error | None:
    """Names that no table of the rules has."""
    if unknown := _variant(request):
        return unknown
    if request.scoring is not None and request.scoring not in SCORINGS:
        fix = f"Name one of: {', '.join(SCORINGS)}."
        return Error(code="unknown-scoring", text="There is no such scoring mode.", fix=fix, field="scoring")
    return None


def _unknown(request: FetchRanking) -> Error | None:
    unknown = _unknown_kind(request)
    if unknown is not None:
        return unknown
    offered = VARIANTS[request.variant].scorings
    if request.scoring not in offered:
        fix = f"Name one of: {', '.join(offered)}."
        return Error(code="scoring-not-offered", text="The variant is not scored so.", fix=fix, field="scoring")
    if request.day is not None and not days.valid_day(request.day):
        return Error(code="bad-request", text="There is no such day.", fix="Give it as YYYY-MM-DD.", field="day")
    return None


def _own_rank(scoring: str, player: PlayerId, index: int | None, score: float | None) -> Rank | None:
    if index is None or score is None:
        return None
    return ranking.rank(scoring, index + 1, player, int(score))
