"""HTTP: health, metrics, guests, statistics, and the page. What a game needs goes over the WebSocket alone."""

from typing import Annotated, Final

from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_304_NOT_MODIFIED, HTTP_503_SERVICE_UNAVAILABLE

from services.gateway import refusals
from services.gateway.asking import OWN_AND_OVER, REFUSALS, SIGNED_IN, AnyRequest, Limit, answered, game_id, signed_in
from services.gateway.backend import Backend
from services.gateway.history import api as history_api
from services.gateway.metrics import Metrics
from services.gateway.page import Page
from services.gateway.problems import ProblemError
from services.gateway.readiness import Readiness, ReadinessProbe
from services.gateway.session import SignedIn
from services.gateway.tokens import Tokens
from shared.messages.answers import (
    FetchGames,
    FetchRanking,
    FetchStatistics,
    PlayerGames,
    PlayerStatistics,
    Ranking,
    RequestRefused,
)
from shared.messages.base import DAY_PATTERN
from shared.messages.dealer import DailyDeal, FetchDaily, FetchVerdict, GameVerdict

METRICS_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
Over = Annotated[bool, QueryParameter(description="Games that are over, the last to end first")]
Day = Annotated[
    str | None, QueryParameter(pattern=DAY_PATTERN, description="A day up to today as YYYY-MM-DD; none: today, UTC")
]


@get("/healthz", media_type=MediaType.TEXT, sync_to_thread=False)
def healthz() -> str:
    """The process is alive."""
    return "ok"


@get(
    "/readyz",
    responses={
        HTTP_503_SERVICE_UNAVAILABLE: ResponseSpec(
            Readiness, generate_examples=False, description="Something is missing"
        )
    },
)
async def readyz(probe: NamedDependency[ReadinessProbe]) -> Response[Readiness]:
    """Whether games can be played here now; what is missing, with status 503."""
    found = await probe.look()
    return Response(found, status_code=HTTP_200_OK if found.ready else HTTP_503_SERVICE_UNAVAILABLE)


@get("/metrics", media_type=MediaType.TEXT, sync_to_thread=False)
def metrics(counted: NamedDependency[Metrics]) -> Response[bytes]:
    """Counters in Prometheus' text format."""
    return Response(counted.text(), headers={"content-type": METRICS_TYPE})


@post("/api/session", sync_to_thread=False)
def new_session(tokens: NamedDependency[Tokens]) -> SignedIn:
    """A new guest. The token is the player: keep it, and send it in `hello` or as a Bearer token."""
    return tokens.new_guest()


@get("/api/statistics", responses=REFUSALS, security=SIGNED_IN)
async def statistics(
    request: AnyRequest, backend: NamedDependency[Backend], tokens: NamedDependency[Tokens]
) -> PlayerStatistics:
    """The player's own statistics."""
    player = signed_in(tokens, request).player
    answer = await answered(backend, FetchStatistics(player=player))
    assert isinstance(answer, PlayerStatistics)
    return answer


@get("/api/rankings/{variant:str}/{scoring:str}", responses=REFUSALS, security=[{}, *SIGNED_IN])
async def ranking(
    request: AnyRequest,
    variant: FromPath[str],
    scoring: FromPath[str],
    backend: NamedDependency[Backend],
    tokens: NamedDependency[Tokens],
    limit: Limit = 20,
) -> Ranking:
    """The ranking of a variant and scoring mode; with a token, the player's own place too."""
    player = signed_in(tokens, request).player if "authorization" in request.headers else None
    answer = await answered(backend, FetchRanking(variant=variant, scoring=scoring, player=player, limit=limit))
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
    player = signed_in(tokens, request).player
    answer = await answered(backend, FetchGames(player=player, limit=limit, over=over))
    assert isinstance(answer, PlayerGames)
    return answer


@get(
    "/api/games/{game:str}/verdict",
    responses={**REFUSALS, **OWN_AND_OVER},
    security=SIGNED_IN,
)
async def verdict(
    request: AnyRequest, game: FromPath[str], backend: NamedDependency[Backend], tokens: NamedDependency[Tokens]
) -> GameVerdict:
    """Until when the player's own game, which is over, could be won. Status 503 while the solver is looking at it."""
    player = signed_in(tokens, request).player
    answer = await backend.dealer(FetchVerdict(game=game_id(game), player=player))
    if isinstance(answer, RequestRefused):
        raise ProblemError(answer.error)
    assert isinstance(answer, GameVerdict)
    return answer


@get("/api/daily/{variant:str}", responses=REFUSALS)
async def daily(variant: FromPath[str], backend: NamedDependency[Backend], day: Day = None) -> DailyDeal:
    """The deal that everybody plays on a day, and that can be won: a numbered one."""
    answer = await backend.dealer(FetchDaily(variant=variant, day=day))
    if isinstance(answer, RequestRefused):
        raise ProblemError(answer.error)
    assert isinstance(answer, DailyDeal)
    return answer


@get(["/", "/{path:path}"], include_in_schema=False, sync_to_thread=False)
def page_file(request: AnyRequest, page: NamedDependency[Page], path: FromPath[str] = "/") -> Response[bytes]:
    """A file of the page. Browsers ask each time whether it has changed."""
    asset = page.find(path)
    if asset is None:
        raise ProblemError(refusals.NOT_FOUND)
    headers = {"etag": asset.etag, "cache-control": "no-cache"}
    if asset.etag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(asset.body, headers={**headers, "content-type": asset.media_type})


HANDLERS: Final = [
    healthz,
    readyz,
    metrics,
    new_session,
    statistics,
    ranking,
    games,
    verdict,
    *history_api.HANDLERS,
    daily,
    page_file,
]
