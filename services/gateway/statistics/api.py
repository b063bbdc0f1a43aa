"""HTTP: statistics, rankings, lists of games and the calendar of daily deals; and the player's own, as files."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Final

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, QueryParameter
from litestar.status_codes import HTTP_200_OK

from services.gateway.asking import REFUSALS, SIGNED_IN, AnyRequest, Limit, answered, signed_in
from services.gateway.backend import Backend
from services.gateway.problems import ProblemError
from services.gateway.statistics.exports import (
    MEDIA_TYPES,
    ExportedGames,
    ExportedStatistics,
    Form,
    games_file,
    statistics_file,
)
from services.gateway.tokens import Tokens
from shared import clock
from shared.messages.answers import (
    GAMES_PAGE_MAX,
    Calendar,
    FetchCalendar,
    FetchGames,
    FetchRanking,
    FetchStatistics,
    FindGames,
    FoundGames,
    GameSummary,
    PeriodKind,
    PlayerGames,
    PlayerStatistics,
    Ranking,
    RequestRefused,
)
from shared.messages.base import DAY_PATTERN, MONTH_PATTERN, PlayerId
from shared.messages.dealer import DailyDeal, FetchDaily

EXPORTED_GAMES_MAX: Final = 10_000
"""Games that are over and in one file. Whoever has more gets the last ones, and is told so."""

Over = Annotated[bool, QueryParameter(description="Games that are over, the last to end first")]
Day = Annotated[
    str | None, QueryParameter(pattern=DAY_PATTERN, description="A day up to today as YYYY-MM-DD; none: today, UTC")
]
RankedDay = Annotated[
    str | None, QueryParameter(pattern=DAY_PATTERN, description="Which day, or a day of which week; none: today, UTC")
]
RankedPeriod = Annotated[
    PeriodKind,
    QueryParameter(description="Wins of all time, of a day, or of a week from Monday on; days begin at 00:00 UTC"),
]
Month = Annotated[
    str | None, QueryParameter(pattern=MONTH_PATTERN, description="A month as YYYY-MM; none: this one, UTC")
]
FileForm = Annotated[Form, QueryParameter(description="JSON, or a row each as `csv`")]


@get("/api/statistics", responses=REFUSALS, security=SIGNED_IN)
async def statistics(
    request: AnyRequest, backend: NamedDependency[Backend], tokens: NamedDependency[Tokens]
) -> PlayerStatistics:
    """The player's own statistics."""
    return await _statistics(backend, signed_in(tokens, request).player)


@get("/api/rankings/{variant:str}/{scoring:str}", responses=REFUSALS, security=[{}, *SIGNED_IN])
async def ranking(
    request: AnyRequest,
    variant: FromPath[str],
    scoring: FromPath[str],
    backend: NamedDependency[Backend],
    tokens: NamedDependency[Tokens],
    *,
    period: RankedPeriod = "all",
    day: RankedDay = None,
    limit: Limit = 20,
) -> Ranking:
    """The ranking of a variant and scoring mode; with a token, the player's own place too.

    Rankings of days are kept for 8 days after their end, those of weeks for 5 weeks.
    """
    player = signed_in(tokens, request).player if "authorization" in request.headers else None
    question = FetchRanking(variant=variant, scoring=scoring, period=period, day=day, player=player, limit=limit)
    answer = await answered(backend, question)
    assert isinstance(answer, Ranking)
    return answer


@get("/api/games", responses=REFUSALS, security=SIGNED_IN)
async def games(
    request: AnyRequest,
    backend: NamedDependency[Backend],
    tokens: NamedDependency[Tokens],
    limit: Limit = 20,
    over: Over = False,
) -> PlayerGames:
    """The player's running games, newest first; or the last that are over, of which `/api/history` has all."""
    return await _games(backend, FetchGames(player=signed_in(tokens, request).player, limit=limit, over=over))


@get("/api/daily/{variant:str}", responses=REFUSALS)
async def daily(variant: FromPath[str], backend: NamedDependency[Backend], day: Day = None) -> DailyDeal:
    """The deal that everybody plays on a day: a numbered one. When it is `certified`, it can be won."""
    answer = await backend.dealer(FetchDaily(variant=variant, day=day))
    if isinstance(answer, RequestRefused):
        raise ProblemError(answer.error)
    assert isinstance(answer, DailyDeal)
    return answer


@get("/api/daily/{variant:str}/calendar", responses=REFUSALS, security=SIGNED_IN)
async def calendar(
    request: AnyRequest,
    variant: FromPath[str],
    backend: NamedDependency[Backend],
    tokens: NamedDependency[Tokens],
    month: Month = None,
) -> Calendar:
    """What became of the player's deals of the day in a month, and how many days in a row were won in time."""
    player = signed_in(tokens, request).player
    answer = await answered(backend, FetchCalendar(player=player, variant=variant, month=month))
    assert isinstance(answer, Calendar)
    return answer


@get(
    "/api/statistics/export",
    responses={
        HTTP_200_OK: ResponseSpec(ExportedStatistics, generate_examples=False, description="The sums, as a file"),
        **REFUSALS,
    },
    security=SIGNED_IN,
)
async def statistics_export(
    request: AnyRequest,
    backend: NamedDependency[Backend],
    tokens: NamedDependency[Tokens],
    format: FileForm = "json",  # noqa: A002 - the name that the query has, and its errors
) -> Response[bytes]:
    """The player's own statistics, as a file."""
    found = await _statistics(backend, signed_in(tokens, request).player)
    return await _file("statistics", format, lambda: statistics_file(found, format, at=clock.now_ms()))


@get(
    "/api/games/export",
    responses={
        HTTP_200_OK: ResponseSpec(ExportedGames, generate_examples=False, description="The games, as a file"),
        **REFUSALS,
    },
    security=SIGNED_IN,
)
async def games_export(
    request: AnyRequest,
    backend: NamedDependency[Backend],
    tokens: NamedDependency[Tokens],
    format: FileForm = "json",  # noqa: A002 - the name that the query has, and its errors
) -> Response[bytes]:
    """The player's own games, as a file: up to 100 that run, newest first, then up to 10,000 that are over."""
    player = signed_in(tokens, request).player
    running = await _games(backend, FetchGames(player=player, limit=GAMES_PAGE_MAX))
    over, complete = await _all_over(backend, player)
    found = (*running.games, *over)
    return await _file("games", format, lambda: games_file(player, found, format, at=clock.now_ms(), complete=complete))


HANDLERS: Final = [statistics, ranking, games, daily, calendar, statistics_export, games_export]


async def _statistics(backend: Backend, player: PlayerId) -> PlayerStatistics:
    answer = await answered(backend, FetchStatistics(player=player))
    assert isinstance(answer, PlayerStatistics)
    return answer


async def _games(backend: Backend, question: FetchGames) -> PlayerGames:
    answer = await answered(backend, question)
    assert isinstance(answer, PlayerGames)
    return answer


async def _all_over(backend: Backend, player: PlayerId) -> tuple[list[GameSummary], bool]:
    """The player's games that are over, page by page, and whether these are all."""
    found: list[GameSummary] = []
    after: str | None = None
    while len(found) < EXPORTED_GAMES_MAX:
        page = await answered(backend, FindGames(player=player, after=after, limit=GAMES_PAGE_MAX))
        assert isinstance(page, FoundGames)
        found += page.games
        after = page.next
        if after is None:
            return found, True
    return found, False


async def _file(name: str, form: Form, write: Callable[[], bytes]) -> Response[bytes]:
    """A download. It is written in a thread: a long one must not hold up anybody's moves."""
    body = await asyncio.to_thread(write)
    headers = {
        "content-type": MEDIA_TYPES[form],
        "content-disposition": f'attachment; filename="klondike-{name}.{form}"',
        "cache-control": "no-store",
    }
    return Response(body, headers=headers)
