"""Errors as HTTP: the status of each code, and the answer's body, which is the error itself."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from shared.messages.errors import Error, ErrorCode

_STATUS: Final[Mapping[ErrorCode, HTTPStatus]] = {
    "bad-token": HTTPStatus.UNAUTHORIZED,
    "not-signed-in": HTTPStatus.UNAUTHORIZED,
    "origin-refused": HTTPStatus.FORBIDDEN,
    "not-your-game": HTTPStatus.FORBIDDEN,
    "game-running": HTTPStatus.CONFLICT,
    "only-alone": HTTPStatus.UNPROCESSABLE_ENTITY,
    "bad-file": HTTPStatus.UNPROCESSABLE_ENTITY,
    "history-too-long": HTTPStatus.UNPROCESSABLE_ENTITY,
    "broken-game": HTTPStatus.INTERNAL_SERVER_ERROR,
    "not-found": HTTPStatus.NOT_FOUND,
    "no-such-link": HTTPStatus.NOT_FOUND,
    "unknown-code": HTTPStatus.NOT_FOUND,
    "player-forgotten": HTTPStatus.GONE,
    "stale-version": HTTPStatus.CONFLICT,
    "already-joined": HTTPStatus.CONFLICT,
    "unknown-game": HTTPStatus.NOT_FOUND,
    "unknown-variant": HTTPStatus.NOT_FOUND,
    "unknown-scoring": HTTPStatus.NOT_FOUND,
    "winnable-not-offered": HTTPStatus.UNPROCESSABLE_ENTITY,
    "scoring-not-offered": HTTPStatus.NOT_FOUND,
    "too-many-requests": HTTPStatus.TOO_MANY_REQUESTS,
    "frame-too-large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "unavailable": HTTPStatus.SERVICE_UNAVAILABLE,
    "outcome-unknown": HTTPStatus.SERVICE_UNAVAILABLE,
    "no-winnable-deal": HTTPStatus.SERVICE_UNAVAILABLE,
    "going-away": HTTPStatus.SERVICE_UNAVAILABLE,
    "internal": HTTPStatus.INTERNAL_SERVER_ERROR,
}


class ProblemError(Exception):
    """An HTTP request is answered with this error."""

    def __init__(self, error: Error) -> None:
        super().__init__(error.code)
        self.error = error


def status_of(error: Error) -> HTTPStatus:
    return _STATUS.get(error.code, HTTPStatus.BAD_REQUEST)
