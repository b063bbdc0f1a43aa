"""HTTP: health, metrics, guests, verdicts, and the page. What a game needs goes over the WebSocket alone."""

from typing import Annotated, Final

from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, QueryParameter
from litestar.status_codes import (
    HTTP_200_OK,
    HTTP_304_NOT_MODIFIED,
    HTTP_409_CONFLICT,
    HTTP_503_SERVICE_UNAVAILABLE,
)

from services.gateway import offers, profile_api, refusals
from services.gateway.asking import OWN_AND_OVER, REFUSALS, SIGNED_IN, AnyRequest, game_id, judged, signed_in
from services.gateway.backend import Backend
from services.gateway.effects import Ask
from services.gateway.history import api as history_api
from services.gateway.metrics import Metrics
from services.gateway.page import Page
from services.gateway.problems import ProblemError
from services.gateway.readiness import Readiness, ReadinessProbe
from services.gateway.session import SignedIn
from services.gateway.statistics import api as statistics_api
from services.gateway.tokens import Tokens
from shared.messages.answers import Refused, RequestRefused
from shared.messages.checkpoint import PublishedCheckpoint
from shared.messages.commands import FetchGame
from shared.messages.dealer import FetchVerdict, GameVerdict
from shared.messages.errors import Error
from shared.messages.opponent import Challenge, Challenged, Level

OWN_AND_OPEN: Final = {
    HTTP_409_CONFLICT: ResponseSpec(Error, generate_examples=False, description="The game cannot be joined any more"),
}
ComputerLevel = Annotated[Level, QueryParameter(description="How well it plays, and how quickly")]
METRICS_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


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
    return await judged(backend, FetchVerdict(game=game_id(game), player=player))


@get("/api/checkpoint", responses={HTTP_503_SERVICE_UNAVAILABLE: REFUSALS[HTTP_503_SERVICE_UNAVAILABLE]})
async def checkpoint(backend: NamedDependency[Backend]) -> PublishedCheckpoint:
    """The newest signed checkpoint over all games, with the public key. Who keeps it can hold the log against it."""
    answer = await backend.checkpoint()
    if isinstance(answer, RequestRefused):
        raise ProblemError(answer.error)
    return answer


@post("/api/games/{game:str}/opponent", responses={**REFUSALS, **OWN_AND_OPEN}, security=SIGNED_IN)
async def challenge(
    request: AnyRequest,
    game: FromPath[str],
    backend: NamedDependency[Backend],
    tokens: NamedDependency[Tokens],
    *,
    level: ComputerLevel = "easy",
) -> Challenged:
    """Have the computer take the free seat of a game for two that waits: only who has invited may ask for it."""
    host = signed_in(tokens, request).player
    own = await backend.ask(Ask(FetchGame(game=game_id(game), player=host)))
    if isinstance(own, Refused):
        raise ProblemError(own.error)
    answer = await backend.challenge(Challenge(game=game_id(game), level=level))
    if isinstance(answer, RequestRefused):
        raise ProblemError(answer.error)
    return answer


@get(["/", "/{path:path}"], include_in_schema=False, sync_to_thread=False)
def page_file(request: AnyRequest, page: NamedDependency[Page], path: FromPath[str] = "/") -> Response[bytes]:
    """A file of the page. Browsers ask each time whether it has changed."""
    asset = page.find(path)
    if asset is None:
        raise ProblemError(refusals.NOT_FOUND)
    headers = {"etag": asset.etag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if asset.etag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=HTTP_304_NOT_MODIFIED, headers=headers)
    headers["content-type"] = asset.media_type
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(asset.body, headers=headers)
    return Response(asset.packed, headers={**headers, "content-encoding": "gzip"})


HANDLERS: Final = [
    healthz,
    readyz,
    metrics,
    new_session,
    *profile_api.HANDLERS,
    *offers.HANDLERS,
    *statistics_api.HANDLERS,
    verdict,
    challenge,
    *history_api.HANDLERS,
    checkpoint,
    page_file,
]
