"""Questions to game-state and scoring, and one log line for each command."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Final, Generic, TypeVar

import msgspec

from services.gateway import refusals
from services.gateway.effects import Ask, Look, Question, Reply
from services.gateway.metrics import Metrics
from shared import subjects
from shared.bus.requests import Requests, Unanswered, unless
from shared.logs import CORRELATION, Log
from shared.messages import codec
from shared.messages.answers import (
    Accepted,
    CommandAnswer,
    FetchAnswer,
    FetchCalendar,
    Fetched,
    FetchGames,
    FetchRanking,
    FetchStatistics,
    FindGames,
    ForgetPlayer,
    Refused,
    RequestRefused,
    StatisticsAnswer,
)
from shared.messages.base import CommandId, GameId, PlayerId
from shared.messages.checkpoint import CheckpointAnswer, FetchCheckpoint
from shared.messages.commands import AskChances, AskHint, FetchGame
from shared.messages.dealer import DailyAnswer, FetchDaily, FetchVerdict, ImportAnswer, ImportRequest, VerdictAnswer
from shared.messages.errors import Error
from shared.messages.lobby import LobbyAnswer
from shared.messages.opponent import Challenge, ChallengeAnswer
from shared.messages.profile import ProfileAnswer, ProfileRequest, UseDeviceCode
from shared.messages.sharing import ShareAnswer, ShareRequest
from shared.traffic import Traffic

DEADLINE_SECONDS: Final = 10.0
"""A question without an answer for so long is refused."""
ATTEMPT_SECONDS: Final = 1.5
"""An instance of game-state that has not answered for so long is taken for dead, and the next is asked."""
HINT_SECONDS: Final = 9.5
"""A hint is worth waiting for, longer than game-state waits for a worker; asking again would search twice."""
STATISTICS_SECONDS: Final = 3.0
SHARING_ATTEMPT_SECONDS: Final = 4.5
"""Longer than game-state tries to write a link."""
DEALER_ATTEMPT_SECONDS: Final = 5.0
"""Longer than the dealer lets a request wait for its search."""
DEALER_SECONDS: Final = 6.0

UNSETTLED_SECONDS: Final = 15.0
"""For so long nothing can be played here after a command whose outcome nobody knew, unless one is stored before."""
NOT_STORED: Final = "moves are not stored: has nats-server room for its files?"

StatisticsQuestion = FetchStatistics | FetchRanking | FetchGames | FindGames | FetchCalendar | ForgetPlayer
DealerAnswer = VerdictAnswer | DailyAnswer
Answer = TypeVar("Answer")

_command_answer: Final = msgspec.msgpack.Decoder(CommandAnswer)
_fetch_answer: Final = msgspec.msgpack.Decoder(FetchAnswer)
_TEMPORARY: Final = frozenset({"unavailable", "outcome-unknown"})


@dataclass(frozen=True)
class _Way(Generic[Answer]):
    """How a service is asked. `nobody`: the refusal when it gives no answer in time."""

    decode: Callable[[bytes], Answer]
    attempt_seconds: float
    deadline_seconds: float
    nobody: Error
    again: frozenset[str] = _TEMPORARY
    """Refusals after which it is asked once more."""


_STATISTICS: Final = _Way[StatisticsAnswer](
    msgspec.msgpack.Decoder(StatisticsAnswer).decode, STATISTICS_SECONDS / 2, STATISTICS_SECONDS, refusals.NOT_DONE
)
_PROFILES: Final = _Way[ProfileAnswer](
    msgspec.msgpack.Decoder(ProfileAnswer).decode, STATISTICS_SECONDS, 2 * STATISTICS_SECONDS, refusals.NOT_DONE
)
_CODES: Final = _Way[ProfileAnswer](
    msgspec.msgpack.Decoder(ProfileAnswer).decode,
    2 * STATISTICS_SECONDS,
    2 * STATISTICS_SECONDS,
    refusals.CODE_PERHAPS_USED,
    again=frozenset(),
)
"""A code is used once, so it is asked about once."""
_DEALER: Final = _Way[DealerAnswer](
    msgspec.msgpack.Decoder(DealerAnswer).decode, DEALER_ATTEMPT_SECONDS, DEALER_SECONDS, refusals.NO_DEALER
)
_IMPORTS: Final = _Way[ImportAnswer](
    msgspec.msgpack.Decoder(ImportAnswer).decode, DEALER_ATTEMPT_SECONDS, DEALER_SECONDS, refusals.NO_DEALER
)
_CHECKPOINTS: Final = _Way[CheckpointAnswer](
    msgspec.msgpack.Decoder(CheckpointAnswer).decode,
    STATISTICS_SECONDS / 2,
    STATISTICS_SECONDS,
    refusals.NOT_DONE,
    again=frozenset(),
)
_SHARING: Final = _Way[ShareAnswer](
    msgspec.msgpack.Decoder(ShareAnswer).decode, SHARING_ATTEMPT_SECONDS, DEADLINE_SECONDS, refusals.NOT_DONE
)
_CHALLENGES: Final = _Way[ChallengeAnswer](
    msgspec.msgpack.Decoder(ChallengeAnswer).decode,
    DEALER_ATTEMPT_SECONDS,
    DEALER_ATTEMPT_SECONDS,
    refusals.NO_OPPONENT,
    again=frozenset(),
)
_LOBBY: Final = _Way[LobbyAnswer](
    msgspec.msgpack.Decoder(LobbyAnswer).decode, ATTEMPT_SECONDS, DEADLINE_SECONDS, refusals.NOT_DONE
)


class Backend:
    """The services behind the bus, as functions."""

    def __init__(self, requests: Requests, metrics: Metrics, log: Log, traffic: Traffic) -> None:
        self._requests = requests
        self._metrics = metrics
        self._log = log
        self._traffic = traffic
        self._unsettled_at = -inf

    async def ask(self, ask: Ask) -> Reply:
        """The answer to a question of a session. What fails is a refusal, not an exception."""
        try:
            match ask.question:
                case FetchGame(game=game) as question:
                    return await self._ask(subjects.view(game), question, ask, _fetch_answer.decode)
                case question:
                    reply = await self._ask(subjects.command(question.game), question, ask, _command_answer.decode)
                    self._note(reply)
                    return reply
        except msgspec.DecodeError as error:
            self._log.error("answer not understood", error=str(error), **_correlation(ask))
            return Refused(command=ask.command, error=refusals.INTERNAL)

    def _note(self, reply: Reply) -> None:
        """Whether commands are stored just now. A log that takes none looks well to all who only read it."""
        if isinstance(reply, Accepted):
            self._unsettled_at = -inf
        elif isinstance(reply, Refused) and reply.error.code == refusals.OUTCOME_UNKNOWN.code:
            self._unsettled_at = asyncio.get_running_loop().time()

    def tell(self, ask: Ask, reply: Reply, seconds: float) -> None:
        """Counts and notes a question that has its answer."""
        kind = type(ask.question).__struct_config__.tag
        result = reply.error.code if isinstance(reply, Refused) else "accepted"
        self._metrics.command(str(kind), result, seconds)
        self._traffic.note(
            "command",
            command=kind,
            game=ask.question.game,
            player=ask.question.player,
            result=result,
            milliseconds=round(seconds * 1000, 2),
            **_correlation(ask),
        )

    async def statistics(self, question: StatisticsQuestion) -> StatisticsAnswer:
        """scoring's answer, or a refusal when it gives none in time."""
        return await self._put(_statistics_subject(question), question, _STATISTICS)

    async def profile(self, question: ProfileRequest) -> ProfileAnswer:
        """scoring's answer about a player's settings or devices, or a refusal when it gives none in time."""
        way = _CODES if isinstance(question, UseDeviceCode) else _PROFILES
        return await self._put(subjects.PROFILES, question, way)

    async def dealer(self, question: FetchVerdict | FetchDaily) -> DealerAnswer:
        """The dealer's answer, or a refusal when it gives none in time."""
        subject = subjects.VERDICTS if isinstance(question, FetchVerdict) else subjects.DAILY_DEALS
        return await self._put(subject, question, _DEALER)

    async def imported(self, question: ImportRequest) -> ImportAnswer:
        """The dealer's answer about a game from a file, or a refusal when it gives none in time."""
        return await self._put(subjects.IMPORTS, question, _IMPORTS)

    async def checkpoint(self) -> CheckpointAnswer:
        """The newest checkpoint, or a refusal when the notary gives none in time."""
        return await self._put(subjects.NEWEST_CHECKPOINT, FetchCheckpoint(), _CHECKPOINTS)

    async def sharing(self, question: ShareRequest) -> ShareAnswer:
        """game-state's answer about a link, or a refusal when it gives none in time."""
        return await self._put(subjects.SHARING, question, _SHARING)

    async def challenge(self, question: Challenge) -> ChallengeAnswer:
        """The computer's answer to a challenge, or a refusal when it gives none in time."""
        return await self._put(subjects.OPPONENT, question, _CHALLENGES)

    async def lobby(self, look: Look) -> LobbyAnswer:
        """game-state's answer to a search for a game that waits, or a refusal when it gives none in time."""
        return await self._put(subjects.LOBBY, look.question, _LOBBY, look.command)

    async def _put(
        self, subject: str, question: msgspec.Struct, way: _Way[Answer], command: CommandId | None = None
    ) -> Answer | RequestRefused:
        answer = await self._requests.ask(
            subject,
            codec.encode(question),
            decode=way.decode,
            settled=unless(*way.again),
            correlation=command,
            attempt_seconds=way.attempt_seconds,
            deadline_seconds=way.deadline_seconds,
        )
        return RequestRefused(error=way.nobody) if isinstance(answer, Unanswered) else answer

    async def reach_games(self, seconds: float) -> str | None:
        """None when games can be read and moves be stored, else why not: asks for a game that there is not."""
        question = FetchGame(game=GameId("a" * 26), player=PlayerId("a" * 26))
        answer = await self._requests.ask(
            subjects.view(question.game),
            codec.encode(question),
            decode=_fetch_answer.decode,
            attempt_seconds=seconds,
            deadline_seconds=seconds,
        )
        if isinstance(answer, Unanswered):
            return "no answer"
        if isinstance(answer, Refused) and answer.error.code in _TEMPORARY:
            return answer.error.text
        unsettled_for = asyncio.get_running_loop().time() - self._unsettled_at
        return NOT_STORED if unsettled_for < UNSETTLED_SECONDS else None

    async def _ask(
        self, subject: str, question: Question, ask: Ask, decode: Callable[[bytes], Accepted | Refused | Fetched]
    ) -> Reply:
        hint = isinstance(question, AskHint | AskChances)
        answer = await self._requests.ask(
            subject,
            codec.encode(question),
            decode=decode,
            settled=unless(*(() if hint else _TEMPORARY)),
            correlation=ask.command,
            attempt_seconds=HINT_SECONDS if hint else ATTEMPT_SECONDS,
            deadline_seconds=DEADLINE_SECONDS,
        )
        if isinstance(answer, Unanswered):
            return Refused(command=ask.command, error=_unanswered(answer, question))
        return answer


def _correlation(ask: Ask) -> dict[str, str]:
    return {CORRELATION: ask.command} if ask.command else {}


def _unanswered(outcome: Unanswered, question: Question) -> Error:
    if outcome is Unanswered.UNKNOWN and not isinstance(question, FetchGame):
        return refusals.OUTCOME_UNKNOWN
    return refusals.NOT_DONE


def _statistics_subject(question: StatisticsQuestion) -> str:
    match question:
        case FetchStatistics():
            return subjects.STATISTICS
        case FetchRanking():
            return subjects.RANKING
        case FetchGames():
            return subjects.PLAYER_GAMES
        case FetchCalendar():
            return subjects.CALENDARS
        case FindGames():
            return subjects.ENDED_GAMES
        case ForgetPlayer():
            return subjects.FORGETTING
