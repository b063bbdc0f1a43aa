"""What the HTTP handlers have in common: who asks, what may be refused, and the answers of the services behind."""

from typing import Annotated, Any, Final

import msgspec
from litestar import Request
from litestar.openapi import ResponseSpec
from litestar.params import QueryParameter
from litestar.status_codes import (
    HTTP_400_BAD_REQUEST,
    HTTP_401_UNAUTHORIZED,
    HTTP_403_FORBIDDEN,
    HTTP_404_NOT_FOUND,
    HTTP_409_CONFLICT,
    HTTP_503_SERVICE_UNAVAILABLE,
)

from services.gateway import refusals
from services.gateway.backend import Backend, StatisticsQuestion
from services.gateway.problems import ProblemError
from services.gateway.session import SignedIn
from services.gateway.tokens import Tokens
from shared.messages.answers import (
    Calendar,
    Forgotten,
    FoundGames,
    PlayerGames,
    PlayerStatistics,
    Ranking,
    RequestRefused,
)
from shared.messages.base import GAME_ID, GameId
from shared.messages.dealer import FetchVerdict, GameVerdict
from shared.messages.errors import Error

AnyRequest = Request[Any, Any, Any]
REFUSALS: Final = {
    HTTP_400_BAD_REQUEST: ResponseSpec(
        Error, generate_examples=False, description="A parameter is not valid; `field` says which"
    ),
    HTTP_401_UNAUTHORIZED: ResponseSpec(
        Error, generate_examples=False, description="The token is missing or not one of this server's"
    ),
    HTTP_404_NOT_FOUND: ResponseSpec(
        Error, generate_examples=False, description="There is no such variant, scoring mode or game"
    ),
    HTTP_503_SERVICE_UNAVAILABLE: ResponseSpec(Error, generate_examples=False, description="Try again later"),
}
Limit = Annotated[int, QueryParameter(ge=1, le=100, description="How many at most")]
OWN_AND_OVER: Final = {
    HTTP_403_FORBIDDEN: ResponseSpec(Error, generate_examples=False, description="The game is another player's"),
    HTTP_409_CONFLICT: ResponseSpec(Error, generate_examples=False, description="The game is not over"),
}
SIGNED_IN: Final[list[dict[str, list[str]]]] = [{"token": []}]


def game_id(text: str) -> GameId:
    """The id in a path.

    Raises:
        ProblemError: it is none.
    """
    try:
        return msgspec.convert(text, GAME_ID)
    except msgspec.ValidationError:
        raise ProblemError(refusals.BAD_GAME_ID) from None


def signed_in(tokens: Tokens, request: AnyRequest) -> SignedIn:
    """Whose token the request carries.

    Raises:
        ProblemError: it carries none, or none of this server's.
    """
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise ProblemError(refusals.TOKEN_MISSING)
    signed = tokens.sign_in(token.strip())
    if isinstance(signed, Error):
        raise ProblemError(refusals.BAD_BEARER)
    return signed


async def answered(
    backend: Backend, question: StatisticsQuestion
) -> PlayerStatistics | Ranking | PlayerGames | FoundGames | Calendar | Forgotten:
    """scoring's answer.

    Raises:
        ProblemError: it refuses.
    """
    answer = await backend.statistics(question)
    if isinstance(answer, RequestRefused):
        raise ProblemError(answer.error)
    return answer


async def judged(backend: Backend, question: FetchVerdict) -> GameVerdict:
    """The dealer's verdict.

    Raises:
        ProblemError: it refuses.
    """
    answer = await backend.dealer(question)
    if isinstance(answer, RequestRefused):
        raise ProblemError(answer.error)
    assert isinstance(answer, GameVerdict)
    return answer
