"""HTTP: the games that are over, and the history of each."""

import asyncio
from typing import Annotated, Final

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_422_UNPROCESSABLE_ENTITY

from services.gateway.asking import OWN_AND_OVER, REFUSALS, SIGNED_IN, AnyRequest, Limit, answered, game_id, signed_in
from services.gateway.backend import Backend
from services.gateway.history.exports import MEDIA_TYPES, Form, file_name, written
from services.gateway.history.reader import Histories
from services.gateway.problems import ProblemError
from services.gateway.tokens import Tokens
from shared.messages.answers import CURSOR_PATTERN, FindGames, FoundGames
from shared.messages.errors import Error
from shared.messages.events import Result
from shared.messages.history import GameHistory

Instant = Annotated[int | None, QueryParameter(ge=0, description="Milliseconds since 1970-01-01 UTC")]
Length = Annotated[int | None, QueryParameter(ge=0, le=1_000_000, description="Moves that stand at the end")]
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
    responses={
        HTTP_200_OK: ResponseSpec(GameHistory, generate_examples=False, description="The history, as a file"),
        **REFUSALS,
        **OWN_AND_OVER,
        HTTP_422_UNPROCESSABLE_ENTITY: ResponseSpec(
            Error, generate_examples=False, description="The game has too many versions for this"
        ),
    },
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
    player = signed_in(tokens, request).player
    told = await histories.of(game_id(game), player)
    if isinstance(told, Error):
        raise ProblemError(told)
    body = await asyncio.to_thread(written, told, format)
    disposition = f'attachment; filename="{file_name(told, format)}"'
    return Response(body, headers={"content-type": MEDIA_TYPES[format], "content-disposition": disposition})


HANDLERS: Final = [ended_games, history]
