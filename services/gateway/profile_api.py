"""HTTP: what is kept of a player beside games, another device of theirs, and the end of it all."""

from typing import Annotated, Final

import msgspec
from litestar import delete, get, post, put
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import JSONBody
from litestar.status_codes import (
    HTTP_200_OK,
    HTTP_204_NO_CONTENT,
    HTTP_404_NOT_FOUND,
    HTTP_409_CONFLICT,
    HTTP_410_GONE,
    HTTP_413_REQUEST_ENTITY_TOO_LARGE,
    HTTP_429_TOO_MANY_REQUESTS,
)

from services.gateway import refusals
from services.gateway.asking import REFUSALS, SIGNED_IN, AnyRequest, answered, signed_in
from services.gateway.backend import Backend
from services.gateway.guesses import Guesses
from services.gateway.problems import ProblemError
from services.gateway.session import SignedIn
from services.gateway.tokens import Tokens
from shared.messages.answers import ForgetPlayer, Forgotten, RequestRefused
from shared.messages.base import CODE, VERSION
from shared.messages.errors import Error
from shared.messages.profile import (
    SETTING_VALUES,
    DeviceAdmitted,
    DeviceCode,
    FetchSettings,
    KeepSettings,
    MakeDeviceCode,
    PlayerSettings,
    ProfileAnswer,
    ProfileRequest,
    UseDeviceCode,
)

BODY_BYTES_MAX: Final = 16 * 1024
KNOWN: Final = {
    **REFUSALS,
    HTTP_410_GONE: ResponseSpec(Error, generate_examples=False, description="The player was deleted"),
}
KEPT: Final = {
    **KNOWN,
    HTTP_409_CONFLICT: ResponseSpec(
        Error, generate_examples=False, description="The settings have another version by now"
    ),
    HTTP_413_REQUEST_ENTITY_TOO_LARGE: ResponseSpec(
        Error, generate_examples=False, description=f"The body has more than {BODY_BYTES_MAX} bytes"
    ),
}
TRIED: Final = {
    HTTP_404_NOT_FOUND: ResponseSpec(
        Error, generate_examples=False, description="The code never was, was used, or is too old"
    ),
    HTTP_429_TOO_MANY_REQUESTS: ResponseSpec(
        Error, generate_examples=False, description="Too many codes were tried from this address"
    ),
}


class SettingsBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings to keep: all of them."""

    version: VERSION
    """Of those that they take the place of."""
    values: SETTING_VALUES


class CodeBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The code that another device shows."""

    code: Annotated[CODE, msgspec.Meta(examples=["abcde23456"])]


@get("/api/settings", responses=KNOWN, security=SIGNED_IN)
async def settings(
    request: AnyRequest, backend: NamedDependency[Backend], tokens: NamedDependency[Tokens]
) -> PlayerSettings:
    """The player's settings, by name. Version 0: none are kept yet."""
    answer = await _asked(backend, FetchSettings(player=signed_in(tokens, request).player))
    assert isinstance(answer, PlayerSettings)
    return answer


@put("/api/settings", responses=KEPT, security=SIGNED_IN, request_max_body_size=BODY_BYTES_MAX)
async def keep_settings(
    request: AnyRequest,
    data: JSONBody[SettingsBody],
    backend: NamedDependency[Backend],
    tokens: NamedDependency[Tokens],
) -> PlayerSettings:
    """Keep settings in place of those of `version`. Where others were kept meanwhile: GET them, merge, PUT again."""
    player = signed_in(tokens, request).player
    answer = await _asked(backend, KeepSettings(player=player, version=data.version, values=data.values))
    assert isinstance(answer, PlayerSettings)
    return answer


@post("/api/player/code", status_code=HTTP_200_OK, responses=KNOWN, security=SIGNED_IN)
async def make_code(
    request: AnyRequest, backend: NamedDependency[Backend], tokens: NamedDependency[Tokens]
) -> DeviceCode:
    """A code that makes another device this player's: good once, for ten minutes, until the next one is made."""
    answer = await _asked(backend, MakeDeviceCode(player=signed_in(tokens, request).player))
    assert isinstance(answer, DeviceCode)
    return answer


@post(
    "/api/session/code",
    status_code=HTTP_200_OK,
    responses={**REFUSALS, **TRIED},
    request_max_body_size=BODY_BYTES_MAX,
)
async def use_code(
    request: AnyRequest,
    data: JSONBody[CodeBody],
    backend: NamedDependency[Backend],
    tokens: NamedDependency[Tokens],
    guesses: NamedDependency[Guesses],
) -> SignedIn:
    """The player and token of the device that shows the code. It is good for nothing after."""
    if not guesses.allowed(request.client.host if request.client else ""):
        raise ProblemError(refusals.TOO_MANY_CODES)
    answer = await _asked(backend, UseDeviceCode(code=data.code))
    assert isinstance(answer, DeviceAdmitted)
    return tokens.of(answer.player)


@delete("/api/player", status_code=HTTP_204_NO_CONTENT, responses=REFUSALS, security=SIGNED_IN)
async def forget(request: AnyRequest, backend: NamedDependency[Backend], tokens: NamedDependency[Tokens]) -> None:
    """Forgets the player: statistics, places in rankings, lists of games and settings go for good. Throw the token
    away then.
    """
    answer = await answered(backend, ForgetPlayer(player=signed_in(tokens, request).player))
    assert isinstance(answer, Forgotten)


async def _asked(backend: Backend, question: ProfileRequest) -> ProfileAnswer:
    answer = await backend.profile(question)
    if isinstance(answer, RequestRefused):
        raise ProblemError(answer.error)
    return answer


HANDLERS: Final = [settings, keep_settings, make_code, use_code, forget]
