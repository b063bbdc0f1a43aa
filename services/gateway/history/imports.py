"""Games from files over HTTP: read here, played again by the dealer, who knows the rules, and held against the file."""

import asyncio
from typing import Final

from services.gateway import refusals
from services.gateway.asking import AnyRequest
from services.gateway.backend import Backend
from services.gateway.history.faults import BadFileError
from services.gateway.history.files import FILE_BYTES_MAX, GameFile, checked, read_file
from services.gateway.problems import ProblemError
from shared.messages.answers import RequestRefused
from shared.messages.dealer import GameVerdict, JudgeImported, PlayAgain
from shared.messages.errors import Error
from shared.messages.history import GameHistory
from shared.messages.imports import Misplayed, PlayedAgain

AT_ONCE_MAX: Final = 2
"""Files that are read at once; more wait for their turn."""
WAITING_MAX: Final = 16
"""Files that are in hand, those that wait included; more are refused."""


async def body_of(request: AnyRequest) -> bytes:
    """The body of a request, which has an end.

    Raises:
        ProblemError: it is too long.
    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > FILE_BYTES_MAX:
            raise ProblemError(refusals.FILE_TOO_LARGE)
    return bytes(body)


class Files:
    """Games from files."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._turns = asyncio.Semaphore(AT_ONCE_MAX)
        self._in_hand = 0

    async def history(self, data: bytes) -> GameHistory:
        """The game as the rules have it.

        Raises:
            ProblemError: the file is no game, or there is nobody who can say.
        """
        if self._in_hand >= WAITING_MAX:
            raise ProblemError(refusals.TOO_MANY_HISTORIES)
        self._in_hand += 1
        try:
            async with self._turns:
                return await self._history(data)
        except BadFileError as error:
            raise ProblemError(bad_file(error)) from None
        finally:
            self._in_hand -= 1

    async def verdict(self, data: bytes) -> GameVerdict:
        """Until when the game could be won.

        Raises:
            ProblemError: the file is no game, or there is nobody who can say (yet).
        """
        try:
            file = await asyncio.to_thread(read_file, data)
            answer = await self._backend.imported(JudgeImported(game=file.game))
            if isinstance(answer, GameVerdict):
                return answer
            raise _problem(file, answer)
        except BadFileError as error:
            raise ProblemError(bad_file(error)) from None

    async def _history(self, data: bytes) -> GameHistory:
        file = await asyncio.to_thread(read_file, data)
        answer = await self._backend.imported(PlayAgain(game=file.game))
        if isinstance(answer, PlayedAgain | Misplayed):
            return await asyncio.to_thread(checked, file, answer)
        raise _problem(file, answer)


def bad_file(error: BadFileError) -> Error:
    """The error of a file that is no game."""
    return Error(
        code="bad-file",
        text=f"The file is no game as it was played, {error.place}: {error.what}.",
        fix="Take a list of moves or JSON as a history is saved, or write as docs/protocol.md says.",
        field=error.place,
    )


def _problem(file: GameFile, answer: PlayedAgain | Misplayed | GameVerdict | RequestRefused) -> Exception:
    if isinstance(answer, RequestRefused):
        return ProblemError(answer.error)
    if isinstance(answer, Misplayed):
        return BadFileError("deal" if answer.step is None else file.places[answer.step], answer.what)
    return ProblemError(refusals.INTERNAL)
