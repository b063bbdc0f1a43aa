"""A history from a file, or from a server over HTTP. What is read there is nobody's word but the server's."""

import re
import urllib.error
import urllib.request
from http import HTTPStatus
from pathlib import Path
from typing import Final

import msgspec

from shared.messages.errors import Error
from shared.messages.history import GameHistory

GAME_ID: Final = re.compile("[a-z2-7]{26}")
HISTORY_BYTES_MAX: Final = 64 * 1024 * 1024
ANSWER_SECONDS: Final = 15

_histories: Final = msgspec.json.Decoder(GameHistory)
_errors: Final = msgspec.json.Decoder(Error)


class NoHistoryError(Exception):
    """There is nothing to check. One line that says why, and what to do."""


def read_history(source: str, url: str, token: str | None) -> GameHistory:
    """The history that a game's id or the name of a file stands for.

    Raises:
        NoHistoryError: there is none.

    """
    if GAME_ID.fullmatch(source) and not Path(source).exists():
        return _decoded(_fetched(f"{url.rstrip('/')}/api/games/{source}/history", token), f"the answer of {url}")
    try:
        with Path(source).open("rb") as file:
            content = file.read(HISTORY_BYTES_MAX + 1)
    except OSError as error:
        raise NoHistoryError(
            f"{source} cannot be read: {error.strerror or error}. Give a file or a game's id."
        ) from None
    return _decoded(content, source)


def _decoded(content: bytes, name: str) -> GameHistory:
    if len(content) > HISTORY_BYTES_MAX:
        raise NoHistoryError(f"{name} is longer than {HISTORY_BYTES_MAX} bytes, so it is no history.")
    try:
        return _histories.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        fix = "Export it again, as JSON (history?format=json)."
        raise NoHistoryError(f"{name} is not the history of a game: {error}. {fix}") from None


def _fetched(address: str, token: str | None) -> bytes:
    if not address.startswith(("http://", "https://")):
        raise NoHistoryError(f"{address} is no address: --url must begin with http:// or https://.")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    request = urllib.request.Request(address, headers=headers)  # noqa: S310 - http and https only, see above
    try:
        with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:  # noqa: S310 - as above
            content: bytes = answer.read(HISTORY_BYTES_MAX + 1)
            return content
    except urllib.error.HTTPError as error:
        with error:
            raise NoHistoryError(_refusal(error.code, error.read())) from None
    except (OSError, ValueError) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        raise NoHistoryError(f"{address} cannot be reached: {reason}. Check --url.") from None


def _refusal(status: int, body: bytes) -> str:
    try:
        error = _errors.decode(body)
    except msgspec.DecodeError:
        return f"the server answers {status} {HTTPStatus(status).phrase}."
    more = " Give the token of the game's player as --token." if status == HTTPStatus.UNAUTHORIZED else ""
    return f"{error.text} {error.fix}{more}"
