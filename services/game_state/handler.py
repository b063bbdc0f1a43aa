"""Commands: load, decide, append, tell, answer, in this order, whatever dies in between."""

import asyncio
from collections.abc import Callable
from typing import Final, assert_never

import msgspec
import nats.errors
import structlog
from nats.aio.client import Client

from services.game_state.advice import question_of
from services.game_state.games import BrokenGameError, Entry, Games
from services.game_state.lobby import Lobby
from services.game_state.openings import Openings
from services.game_state.snapshotter import Snapshotter
from shared import subjects
from shared.bus.direct_get import LogUnavailableError
from shared.bus.event_log import Appended, EventLog, LogRefusedError
from shared.bus.jobs import JobDesk, Unanswered
from shared.game.decide import (
    Events,
    PlayCommand,
    RecordChances,
    RecordHint,
    check_start,
    decide,
    decide_start,
    seal_deal,
)
from shared.game.rebuild import Logged, Read, appended, begin
from shared.game.refusals import refused
from shared.game.state import Game
from shared.game.view import announced, past_step, seat_of, step_of, view_of
from shared.messages.answers import STEPS_MAX, Accepted, CommandAnswer, FetchAnswer, Fetched, Refused
from shared.messages.attendance import continuing
from shared.messages.base import GameId
from shared.messages.codec import encode, link, new_game_id, open_deal
from shared.messages.commands import AnyCommand, AskChances, AskHint, FetchGame, PauseGame, StartGame
from shared.messages.errors import Error
from shared.messages.events import GameContinued, GamePaused, Record, SealedDeal
from shared.messages.jobs import (
    AdviceQuestion,
    ChancesResult,
    Hint,
    HintResult,
)
from shared.messages.views import Step

DECISION_SECONDS: Final = 6.0
"""How long a command is worked on, less than its asker waits."""
CONFLICTS_MAX: Final = 20
"""How often a command is decided again because another instance was faster."""
CONFLICT_PAUSE_SECONDS: Final = 0.02
HINT_SECONDS: Final = 8.0
"""How long a worker is waited for: long enough for a second one when the first died with the job."""

_log: Final = structlog.stdlib.get_logger(__name__)


class Handler:
    """Answers commands and view requests. Everything it knows it has from the log."""

    def __init__(
        self,
        *,
        nc: Client,
        log: EventLog,
        games: Games,
        snapshotter: Snapshotter,
        desk: JobDesk,
        now_ms: Callable[[], int],
        openings: Openings,
        lobby: Lobby,
    ) -> None:
        self._nc = nc
        self._log = log
        self._games = games
        self._snapshotter = snapshotter
        self._desk = desk
        self._now_ms = now_ms
        self._openings = openings
        self._lobby = lobby

    async def command(self, command: AnyCommand) -> CommandAnswer:
        """The answer to a command: accepted once, or refused with a reason."""
        try:
            match command:
                case StartGame():
                    return await self._start(command)
                case AskHint() | AskChances():
                    return await self._advice(command)
                case _:
                    return await self._play(command)
        except (LogUnavailableError, LogRefusedError) as error:
            _log.warning("log unavailable", error=str(error))
            return Refused(command=command.id, error=refused("unavailable"))
        except BrokenGameError as error:
            _log.error("broken game", error=str(error))
            return Refused(command=command.id, error=refused("broken-game"))

    async def fetch(self, request: FetchGame) -> FetchAnswer:
        """A game as it is now, and what happened since a version."""
        try:
            async with self._games.locked(request.game):
                return await self._fetched(request)
        except LogUnavailableError as error:
            _log.warning("log unavailable", error=str(error))
            return Refused(command=None, error=refused("unavailable"))
        except BrokenGameError as error:
            _log.error("broken game", error=str(error))
            return Refused(command=None, error=refused("broken-game"))

    async def state(self, game: GameId) -> Game | None:
        """A game as it is now; None where there is none.

        Raises:
            LogUnavailableError: the log cannot be read now.
            BrokenGameError: the game's log does not hold together.

        """
        async with self._games.locked(game):
            entry = await self._games.load(game)
            if entry is not None:
                await self._games.catch_up(entry)
            return entry.logged.game if entry is not None else None

    async def _fetched(self, request: FetchGame) -> FetchAnswer:
        entry = await self._games.load(request.game)
        if entry is None:
            return Refused(command=None, error=refused("unknown-game"))
        await self._games.catch_up(entry)
        game = entry.logged.game
        who = game.seat_of(request.player)
        alone = request.watch and game.variant.players == 1
        if alone or (who is None and not request.watch):
            return Refused(command=None, error=refused("not-for-two" if alone else "not-your-game"))
        steps = None
        newest = game.version if request.upto is None else min(request.upto, game.version)
        if request.since is not None and 0 <= newest - request.since <= STEPS_MAX:
            records = await self._games.records_since(entry, request.since)
            steps = tuple(past_step(record, seat_of(game, record)) for record in records[: newest - request.since])
        return Fetched(view=view_of(game, who), steps=steps)

    # A game that exists

    async def _play(self, command: PlayCommand) -> CommandAnswer:
        async with self._games.locked(command.game):
            entry = await self._games.load(command.game)
            if entry is None:
                return Refused(command=command.id, error=refused("unknown-game"))
            deadline = asyncio.get_running_loop().time() + DECISION_SECONDS
            for conflicts in range(CONFLICTS_MAX):
                answer = await self._decided(entry, command, deadline)
                if answer is not None:
                    return answer
                await self._follow(entry, pause=conflicts * CONFLICT_PAUSE_SECONDS)
            return Refused(command=command.id, error=refused("unavailable"), version=entry.logged.game.version)

    async def _decided(self, entry: Entry, command: PlayCommand, deadline: float) -> CommandAnswer | None:
        """The answer on what is known of the game; None when that turned out to be old."""
        game = entry.logged.game
        if command.version > game.version:
            await self._games.catch_up(entry)
            game = entry.logged.game
        known = entry.made_by(command.id)
        if known is not None and command.player == known.player:
            return _repeated(entry, known)
        at = max(self._now_ms(), game.at)
        match decide(game, command, at=at):
            case Error(code="game-paused") if _shows_presence(game, command):
                return await self._back(entry, command, at, deadline)
            case Error() as error:
                return await self._refused(entry, command, error)
            case events:
                return await self._append(entry, command, events, at, deadline)

    async def _back(self, entry: Entry, command: PlayCommand, at: int, deadline: float) -> Refused | None:
        """Who plays is there: an absence ends before the command is decided. None: decide it now."""
        game = entry.logged.game
        back = continuing(game.game, command.player, game.version)
        events = decide(game, back, at=at)
        if isinstance(events, Error):
            return Refused(command=command.id, error=events, version=game.version)
        answer = await self._append(entry, back, events, at, deadline)
        return msgspec.structs.replace(answer, command=command.id) if isinstance(answer, Refused) else None

    async def _refused(self, entry: Entry, command: PlayCommand, error: Error) -> CommandAnswer:
        """The refusal, unless the command is a repetition of one that was accepted."""
        game = entry.logged.game
        if error.code == "not-your-game":
            return Refused(command=command.id, error=error)
        if command.version < game.version:
            record = await self._made_before(entry, command)
            if record is not None:
                return _repeated(entry, record)
        return Refused(command=command.id, error=error, version=game.version)

    async def _made_before(self, entry: Entry, command: PlayCommand) -> Record | None:
        """The record of a repeated command. Pauses may stand between it and what it was decided on, and with two
        players what the other did.
        """
        alone = entry.logged.game.variant.players == 1
        for record in await self._games.records_since(entry, command.version):
            if (record.command, record.player) == (command.id, command.player):
                return record
            if alone and not isinstance(record.events[0], GamePaused | GameContinued):
                return None
        return None

    async def _record(self, entry: Entry, version: int) -> Record:
        known = entry.record(version)
        if known is not None:
            return known
        return (await self._games.records_since(entry, version - 1))[0]

    async def _append(
        self, entry: Entry, command: PlayCommand, events: Events, at: int, deadline: float
    ) -> CommandAnswer | None:
        before = entry.logged
        record = _record(command, events, version=before.game.version + 1, at=at, previous=before.hash)
        body = encode(record)
        stored = link(before.hash, body) + body
        appending = asyncio.ensure_future(
            self._log.append(subjects.game_log(command.game), stored, expected=before.sequence, deadline=deadline)
        )
        await _let_out()
        # While the write is on its way: what the game will be if it is stored.
        after = appended(before, record, body, sequence=0)
        step = step_of(after.game, record)
        outcome = await appending
        match outcome:
            case Appended(sequence=sequence):
                entry.logged = msgspec.structs.replace(after, sequence=sequence)
                entry.recent.append(record)
                return await self._accepted(entry.logged, step)
            case "conflict":
                return None
            case "unknown":
                self._games.forget(command.game)
                return Refused(command=command.id, error=refused("outcome-unknown"))
        assert_never(outcome)

    async def _follow(self, entry: Entry, *, pause: float) -> None:
        """After a conflict: read on. A replica that lags behind may not have it yet."""
        if not await self._games.catch_up(entry):
            await asyncio.sleep(pause)

    async def _accepted(self, logged: Logged, step: Step) -> Accepted:
        self._snapshotter.changed(logged)
        self._desk.overtaken(step.game, step.version)
        await self._tell(logged.game, step)
        await self._lobby.changed(logged.game, step.events[0])
        return Accepted(command=step.command, step=step)

    async def _tell(self, game: Game, step: Step) -> None:
        """Everybody else who follows the game. Who misses it finds the gap by the version."""
        try:
            await self._nc.publish(subjects.feed(step.game), encode(announced(game, step)))
        except (nats.errors.Error, OSError) as error:
            _log.warning("feed not published", game=step.game, version=step.version, error=str(error))

    # A new game

    async def _start(self, command: StartGame) -> CommandAnswer:
        error = check_start(command)
        if error is None and command.game != new_game_id(command.player, command.id):
            error = refused("not-your-game")
        if error is not None:
            return Refused(command=command.id, error=error)
        async with self._games.locked(command.game):
            deadline = asyncio.get_running_loop().time() + DECISION_SECONDS
            known = await self._games.load(command.game)
            if known is not None:
                return await self._started_before(known, command)
            secret = await self._openings.secret(command)
            if isinstance(secret, Error):
                return Refused(command=command.id, error=secret)
            sealed = await self._seal(command, secret, deadline)
            if sealed is None:
                return Refused(command=command.id, error=refused("outcome-unknown"))
            return await self._deal(command, *sealed, deadline)

    async def _seal(self, command: StartGame, secret: bytes, deadline: float) -> tuple[SealedDeal, bytes] | None:
        """The sealed deal in the log, with its hash: this one, or that of an attempt before. None: unknown."""
        fresh = encode(seal_deal(command, secret=secret))
        outcome = await self._log.append(subjects.sealed_deal(command.game), fresh, expected=0, deadline=deadline)
        match outcome:
            case Appended():
                return open_deal(fresh)
            case "conflict":
                found = await self._log.read_deal(command.game)
                return open_deal(found.data) if found else None
            case "unknown":
                return None
        assert_never(outcome)

    async def _deal(self, command: StartGame, sealed: SealedDeal, deal_hash: bytes, deadline: float) -> CommandAnswer:
        if sealed.deal != command.deal:
            return Refused(command=command.id, error=refused("bad-deal"))
        at = self._now_ms()
        events = decide_start(command, sealed, self._openings.terms(at))
        record = _record(command, events, version=1, at=at, previous=deal_hash)
        body = encode(record)
        digest = link(deal_hash, body)
        outcome = await self._log.append(subjects.game_log(command.game), digest + body, expected=0, deadline=deadline)
        match outcome:
            case Appended(sequence=sequence):
                entry = Entry(begin(sealed, deal_hash, Read(record, digest, sequence)))
                entry.recent.append(record)
                self._games.keep(entry)
                return await self._accepted(entry.logged, step_of(entry.logged.game, record))
            case "conflict":
                known = await self._games.load(command.game)
                if known is not None:
                    return await self._started_before(known, command)
                return Refused(command=command.id, error=refused("unavailable"))
            case "unknown":
                return Refused(command=command.id, error=refused("outcome-unknown"))
        assert_never(outcome)

    async def _started_before(self, entry: Entry, command: StartGame) -> CommandAnswer:
        return _repeated(entry, await self._record(entry, 1))

    # Hints and chances

    async def _advice(self, command: AskHint | AskChances) -> CommandAnswer:
        """Asks the workers without holding the game, then records what they said if the game is still there."""
        question = await self._question(command)
        if not isinstance(question, AdviceQuestion):
            return question
        match await self._desk.ask(question, timeout_seconds=HINT_SECONDS):
            case HintResult(hint=Hint() as hint) if hint.move in question.legal:
                recorded = RecordHint(
                    id=command.id, game=command.game, player=command.player, version=command.version, hint=hint
                )
                return await self._play(recorded)
            case HintResult(hint=None):
                return Refused(command=command.id, error=refused("no-hint"), version=command.version)
            case ChancesResult(chances=None):
                return Refused(command=command.id, error=refused("no-chances"), version=command.version)
            case ChancesResult(chances=chances) if chances is not None:
                told = RecordChances(
                    id=command.id, game=command.game, player=command.player, version=command.version, chances=chances
                )
                return await self._play(told)
            case Unanswered(reason="too-many-jobs"):
                return Refused(command=command.id, error=refused("too-many-hints"), version=command.version)
            case Unanswered(reason="overtaken", version=version):
                return Refused(command=command.id, error=refused("stale-version"), version=version)
            case answer:
                _log.warning("no answer to a job", answer=repr(answer))
                return Refused(command=command.id, error=refused("unavailable"), version=command.version)

    async def _question(self, command: AskHint | AskChances) -> AdviceQuestion | CommandAnswer:
        async with self._games.locked(command.game):
            entry = await self._games.load(command.game)
            if entry is None:
                return Refused(command=command.id, error=refused("unknown-game"))
            if command.version > entry.logged.game.version:
                await self._games.catch_up(entry)
            game = entry.logged.game
            decided = decide(game, command, at=game.at)
            if isinstance(decided, Error):
                return await self._refused(entry, command, decided)
            return question_of(command, game)


def _shows_presence(game: Game, command: PlayCommand) -> bool:
    """Whether a command tells that the player, who was away, is there. An answer to an older question does not."""
    who = game.seat_of(command.player)
    away = game.paused == "absence" or (who is not None and game.seats[who].away_since is not None)
    return away and not isinstance(command, PauseGame | RecordHint | RecordChances)


async def _let_out() -> None:
    """Lets a task that was just made publish, and the connection's writer put that on the wire: a turn each."""
    for _ in range(2):
        await asyncio.sleep(0)


def _record(command: PlayCommand | StartGame, events: Events, *, version: int, at: int, previous: bytes) -> Record:
    return Record(
        game=command.game,
        version=version,
        command=command.id,
        player=command.player,
        at=at,
        events=events,
        previous=previous,
    )


def _repeated(entry: Entry, record: Record) -> Accepted:
    """The answer to a command that is in the log already: its own version, and the game as it is now."""
    now = step_of(entry.logged.game, record)
    return Accepted(command=record.command, step=msgspec.structs.replace(now, version=record.version), repeated=True)
