"""HTTP: the games that are over, and the history of each."""

import asyncio
import re
from typing import Annotated, Final

from litestar import Response, delete, get, post
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_413_REQUEST_ENTITY_TOO_LARGE, HTTP_422_UNPROCESSABLE_ENTITY

from services.gateway import refusals
from services.gateway.asking import (
    OWN_AND_OVER,
    REFUSALS,
    SIGNED_IN,
    AnyRequest,
    Limit,
    answered,
    game_id,
    judged,
    signed_in,
)
from services.gateway.backend import Backend
from services.gateway.history.exports import MEDIA_TYPES, Form, file_name, written
from services.gateway.history.imports import Files, body_of
from services.gateway.history.reader import Histories
from services.gateway.problems import ProblemError
from services.gateway.tokens import Tokens
from shared.messages.answers import CURSOR_PATTERN, FindGames, FoundGames, RequestRefused
from shared.messages.base import GameId, PlayerId
from shared.messages.dealer import FetchVerdict, GameVerdict
from shared.messages.errors import Error
from shared.messages.events import Result
from shared.messages.history import GameHistory
from shared.messages.sharing import (
    KEY_PATTERN,
    FetchShare,
    GameLink,
    OpenedShare,
    OpenShare,
    ShareGame,
    WithdrawShare,
)

Instant = Annotated[int | None, QueryParameter(ge=0, description="Milliseconds since 1970-01-01 UTC")]
Length = Annotated[int | None, QueryParameter(ge=0, le=1_000_000, description="Moves that stand at the end")]
HISTORY_FILE: Final = {
    HTTP_200_OK: ResponseSpec(GameHistory, generate_examples=False, description="The history, as a file"),
    **REFUSALS,
    HTTP_422_UNPROCESSABLE_ENTITY: ResponseSpec(
        Error, generate_examples=False, description="The game has too many versions for this"
    ),
}
ANALYSIS: Final = {
    HTTP_200_OK: ResponseSpec(GameHistory, generate_examples=False, description="The history, as a file"),
    **REFUSALS,
    HTTP_413_REQUEST_ENTITY_TOO_LARGE: ResponseSpec(
        Error, generate_examples=False, description="The file is too large"
    ),
    HTTP_422_UNPROCESSABLE_ENTITY: ResponseSpec(
        Error, generate_examples=False, description="The file is no game; `field` says where, `text` why"
    ),
}
FileForm = Annotated[Form, QueryParameter(description="JSON, or a row for each version as `csv` or `text`")]


@get("/api/history", responses=REFUSALS, security=SIGNED_IN)
async def ended_games(  # noqa: PLR0913 - one for each parameter of the query
    request: AnyRequest,
    backend: NamedDependency[Backend],
    tokens: NamedDependency[Tokens],
    *,
    variant: Annotated[str | None, QueryParameter(description="A variant's id")] = None,
    scoring: Annotated[str | None, QueryParameter(description="A scoring's id")] = None,
    result: Annotated[Result | None, QueryParameter(description="How the game ended")] = None,
    assisted: Annotated[bool | None, QueryParameter(description="With help, or without")] = None,
    ended_from: Instant = None,
    ended_before: Instant = None,
    moves_min: Length = None,
    moves_max: Length = None,
    after: Annotated[
        str | None, QueryParameter(pattern=CURSOR_PATTERN, description="`next` of the page before this one")
    ] = None,
    limit: Limit = 20,
) -> FoundGames:
    """The player's own games that are over and had a move, the last to end first, page by page.

    A page that has a `next` may hold fewer games than `limit`, even none: so many are looked at for it and no more.
    """
    question = FindGames(
        player=signed_in(tokens, request).player,
        variant=variant,
        scoring=scoring,
        result=result,
        assisted=assisted,
        ended_from=ended_from,
        ended_before=ended_before,
        moves_min=moves_min,
        moves_max=moves_max,
        after=after,
        limit=limit,
    )
    answer = await answered(backend, question)
    assert isinstance(answer, FoundGames)
    return answer


@get(
    "/api/games/{game:str}/history",
    responses={**HISTORY_FILE, **OWN_AND_OVER},
    security=SIGNED_IN,
)
async def history(
    request: AnyRequest,
    game: FromPath[str],
    histories: NamedDependency[Histories],
    tokens: NamedDependency[Tokens],
    format: FileForm = "json",  # noqa: A002 - the name that the query has, and its errors
) -> Response[bytes]:
    """The player's own game, which is over: every version with the board since. `format` gives it as a file."""
    return await _file(histories, game_id(game), signed_in(tokens, request).player, format)


@get("/api/games/{game:str}/link", responses={**REFUSALS, **OWN_AND_OVER}, security=SIGNED_IN)
async def link(
    request: AnyRequest, game: FromPath[str], backend: NamedDependency[Backend], tokens: NamedDependency[Tokens]
) -> GameLink:
    """The link by which anybody may see the player's own game, which is over."""
    return await _link(backend, FetchShare(game=game_id(game), player=signed_in(tokens, request).player))


@post("/api/games/{game:str}/link", responses={**REFUSALS, **OWN_AND_OVER}, security=SIGNED_IN)
async def make_link(
    request: AnyRequest, game: FromPath[str], backend: NamedDependency[Backend], tokens: NamedDependency[Tokens]
) -> GameLink:
    """Make that link, or tell the one that there is."""
    return await _link(backend, ShareGame(game=game_id(game), player=signed_in(tokens, request).player))


@delete(
    "/api/games/{game:str}/link",
    status_code=HTTP_200_OK,
    responses={**REFUSALS, **OWN_AND_OVER},
    security=SIGNED_IN,
)
async def withdraw_link(
    request: AnyRequest, game: FromPath[str], backend: NamedDependency[Backend], tokens: NamedDependency[Tokens]
) -> GameLink:
    """Make that link good for nothing. Another one that is made later has another key."""
    return await _link(backend, WithdrawShare(game=game_id(game), player=signed_in(tokens, request).player))


@get("/api/shared/{game:str}/{key:str}/history", responses=HISTORY_FILE)
async def shared_history(
    game: FromPath[str],
    key: FromPath[str],
    histories: NamedDependency[Histories],
    backend: NamedDependency[Backend],
    format: FileForm = "json",  # noqa: A002 - the name that the query has, and its errors
) -> Response[bytes]:
    """A game by its link, for anybody: as its player gets it, and naming nobody."""
    return await _file(histories, game_id(game), await _opened(backend, game, key), format)


@get("/api/shared/{game:str}/{key:str}/verdict", responses=REFUSALS)
async def shared_verdict(game: FromPath[str], key: FromPath[str], backend: NamedDependency[Backend]) -> GameVerdict:
    """Until when a game could be won, by its link. Status 503 while the solver is looking at it."""
    player = await _opened(backend, game, key)
    return await judged(backend, FetchVerdict(game=game_id(game), player=player))


@post("/api/analysis", status_code=HTTP_200_OK, responses=ANALYSIS, security=SIGNED_IN, request_max_body_size=None)
async def analysis(
    request: AnyRequest,
    files: NamedDependency[Files],
    tokens: NamedDependency[Tokens],
    format: FileForm = "json",  # noqa: A002 - the name that the query has, and its errors
) -> Response[bytes]:
    """A game from a file, the body: a list of moves or JSON, as histories are given. It is played again by the rules.

    The answer is the history. A step against the rules, and whatever else is not as they make it, is refused with
    `bad-file` and its place in `field`. Nothing of it is kept.
    """
    signed_in(tokens, request)
    return await _written(await files.history(await body_of(request)), format)


@post(
    "/api/analysis/verdict", status_code=HTTP_200_OK, responses=REFUSALS, security=SIGNED_IN, request_max_body_size=None
)
async def analysis_verdict(
    request: AnyRequest, files: NamedDependency[Files], tokens: NamedDependency[Tokens]
) -> GameVerdict:
    """Until when a game from a file, the body, could be won. Status 503 while the solver is looking at it."""
    signed_in(tokens, request)
    return await files.verdict(await body_of(request))


async def _link(backend: Backend, question: ShareGame | WithdrawShare | FetchShare) -> GameLink:
    answer = await backend.sharing(question)
    if isinstance(answer, RequestRefused):
        raise ProblemError(answer.error)
    assert isinstance(answer, GameLink)
    return answer


async def _opened(backend: Backend, game: str, key: str) -> PlayerId:
    """Whose game a link is good for."""
    if re.fullmatch(KEY_PATTERN, key) is None:
        raise ProblemError(refusals.NO_SUCH_LINK)
    answer = await backend.sharing(OpenShare(game=game_id(game), key=key))
    if isinstance(answer, RequestRefused):
        raise ProblemError(answer.error)
    assert isinstance(answer, OpenedShare)
    return answer.player


async def _file(histories: Histories, game: GameId, player: PlayerId, form: Form) -> Response[bytes]:
    told = await histories.of(game, player)
    if isinstance(told, Error):
        raise ProblemError(told)
    return await _written(told, form)


async def _written(told: GameHistory, form: Form) -> Response[bytes]:
    body = await asyncio.to_thread(written, told, form)
    disposition = f'attachment; filename="{file_name(told, form)}"'
    return Response(body, headers={"content-type": MEDIA_TYPES[form], "content-disposition": disposition})


HANDLERS: Final = [
    ended_games,
    history,
    link,
    make_link,
    withdraw_link,
    shared_history,
    shared_verdict,
    analysis,
    analysis_verdict,
]
