"""One connection's conversation, without I/O: frames, answers and steps go in, effects come out.

What it keeps to, each a test:
- Nothing but `hello` and `ping` is answered before the client has signed in.
- Exactly one frame answers a command, whether its answer or its announced step comes first.
- The versions of a followed game have no gaps (see `follow`).
- A game that is paused because its player was away goes on when a connection of the player follows it.
- Commands about one game are asked in the order they came (see `lanes`); games do not wait for each other.
"""

from collections.abc import Callable, Sequence
from typing import assert_never

import msgspec

from services.gateway import refusals, translate
from services.gateway.credits import Credits, Verdict
from services.gateway.effects import Ask, Close, Effect, Follow, Look, Reply, Send, Unfollow
from services.gateway.follow import Followed, repeated, resumed, step_frame
from services.gateway.lanes import Lane, opens
from services.gateway.matching import Search
from shared.messages.answers import Accepted, Fetched, Refused, RequestRefused
from shared.messages.attendance import on_return
from shared.messages.base import CommandId, GameId, PlayerId
from shared.messages.commands import ContinueGame, FetchGame
from shared.messages.errors import Error
from shared.messages.frames import (
    ClientFrame,
    CommandFrame,
    Hello,
    Join,
    JoinCode,
    Leave,
    NewGame,
    Ping,
    Pong,
    QuickMatch,
    RefusedFrame,
    Resume,
    Watch,
    Welcome,
)
from shared.messages.lobby import GameFound, LobbyAnswer
from shared.messages.views import Step, View

PENDING_MAX = 64
"""Commands of one connection that wait for their answer."""
FOLLOWED_MAX = 64
"""Games that one connection follows."""
PING_MS = 5_000


Opening = NewGame | Resume | Join | JoinCode | QuickMatch | Watch
"""Frames that begin the following of a game."""


class Unreadable(msgspec.Struct, frozen=True, kw_only=True):
    """A frame that is not its schema, and what could be read of it."""

    error: Error
    command: CommandId | None = None
    game: GameId | None = None


class SignedIn(msgspec.Struct, frozen=True, kw_only=True):
    """Who is at the other end, and the token that proves it."""

    player: PlayerId
    token: str


SignIn = Callable[[str | None], SignedIn | Error]
"""From the token of `hello` (None: a new guest) to the player."""


class Session:
    """The state of one connection. Its clock is the `now` of `received`, seconds that never go back."""

    def __init__(self, *, sign_in: SignIn, allowance: Credits, server: str, page: str = "") -> None:
        self._sign_in = sign_in
        self._allowance = allowance
        self._server = server
        self._page = page
        self._player: PlayerId | None = None
        self._games: dict[GameId, Followed] = {}
        self._pending: dict[CommandId, GameId] = {}
        self._lanes: dict[GameId, Lane] = {}
        self._searches: dict[CommandId, Search] = {}

    @property
    def player(self) -> PlayerId | None:
        """Who signed in, once somebody has."""
        return self._player

    @property
    def games(self) -> Sequence[GameId]:
        """The followed games."""
        return tuple(self._games)

    def newest(self, game: GameId) -> View | None:
        """A followed game as it is now, unless something is under way that may change it."""
        followed = self._games.get(game)
        settled = followed is not None and not followed.fetching and game not in self._lanes
        return followed.view if followed is not None and settled else None

    def received(self, frame: ClientFrame | Unreadable, now: float) -> list[Effect]:
        """The client sent a frame."""
        match self._allowance.take(now):
            case Verdict.GRANTED:
                return self._granted(frame)
            case Verdict.REFUSED:
                return [_refuse(frame, refusals.TOO_MANY_FRAMES)]
            case Verdict.EXHAUSTED:
                return [Close(refusals.FRAMES_NEVER_STOP, refusals.CLOSE_POLICY)]
            case verdict:
                assert_never(verdict)

    def hello_overdue(self) -> list[Effect]:
        """The time for the first `hello` is up."""
        return [] if self._player else [Close(refusals.HELLO_TOO_LATE, refusals.CLOSE_POLICY)]

    def answered(self, ask: Ask, reply: Reply) -> list[Effect]:
        """game-state answered, or refused, or nobody did in time (that is a refusal too)."""
        command, game = ask.command, ask.question.game
        if command is None:
            return self._gap_answered(game, reply)
        if self._pending.pop(command, None) is None:
            self._greet_again(game, ask, reply)
            return self._advance(game, command)  # its step came first, and was the answer
        effects = self._own_answered(ask, command, reply)
        if not any(isinstance(effect, Look) for effect in effects):
            self._searches.pop(command, None)
        return effects + self._greet(game) + self._advance(game, command)

    def looked(self, look: Look, reply: LobbyAnswer) -> list[Effect]:
        """A game that waits was found, or none."""
        search = self._searches[look.command]
        match reply:
            case GameFound(game=game):
                effects = self._follow(search.frame, game, search.found(game), search.player)
                if look.command not in self._pending:
                    del self._searches[look.command]
                return effects
            case RequestRefused(error=error):
                del self._searches[look.command]
                return [_refuse(search.frame, error)]
        assert_never(reply)

    def stepped(self, step: Step) -> list[Effect]:
        """A followed game has a new version."""
        followed = self._games.get(step.game)
        if followed is None:
            return []
        effects = followed.stepped(step)
        sent = any(isinstance(effect, Send) for effect in effects)
        if sent and self._pending.pop(step.command, None) is not None:
            self._searches.pop(step.command, None)
            effects += self._advance(step.game, step.command)
        return effects + self._greet(step.game)

    def missed(self) -> list[Effect]:
        """Steps may have been missed: look at all followed games."""
        games = [followed for followed in self._games.values() if followed.view and not followed.fetching]
        return [followed.fetch() for followed in games]

    def _granted(self, frame: ClientFrame | Unreadable) -> list[Effect]:
        match frame:
            case Unreadable(error=error):
                return [_refuse(frame, error)]
            case Ping(nonce=nonce):
                return [Send(Pong(nonce=nonce))]
            case Hello(token=token):
                return self._hello(token)
            case Leave(game=game):
                return self._leave(game)
            case _:
                pass
        if self._player is None:
            return [_refuse(frame, refusals.NOT_SIGNED_IN)]
        if frame.id in self._pending or frame.id in self._searches:
            return []  # it is being worked on, and will be answered once
        if len(self._pending) + len(self._searches) >= PENDING_MAX:
            return [_refuse(frame, refusals.TOO_MANY_PENDING)]
        return self._begin(frame, self._player)

    def _begin(self, frame: Opening | CommandFrame, player: PlayerId) -> list[Effect]:
        match frame:
            case NewGame():
                start = translate.start_game(frame, player)
                return self._follow(frame, start.game, Ask(start, frame.id), player)
            case Resume(game=game, version=version):
                fetch = FetchGame(game=game, player=player, since=version)
                return self._follow(frame, game, Ask(fetch, frame.id), player)
            case Join(game=game):
                return self._follow(frame, game, Ask(translate.join_game(frame, player), frame.id), player)
            case JoinCode() | QuickMatch():
                search = self._searches[frame.id] = Search(frame, player)
                return [search.look()]
            case Watch(game=game, version=version):
                fetch = FetchGame(game=game, player=player, since=version, watch=True)
                return self._follow(frame, game, Ask(fetch, frame.id), player)
            case _:
                return self._enqueue(frame.id, Ask(translate.command(frame, player), frame.id))

    def _hello(self, token: str | None) -> list[Effect]:
        if self._player is not None:
            return [Send(RefusedFrame(error=refusals.SIGNED_IN_TWICE))]
        signed = self._sign_in(token)
        if isinstance(signed, Error):
            return [Send(RefusedFrame(error=signed))]
        self._player = signed.player
        return [
            Send(
                Welcome(
                    player=signed.player,
                    token=signed.token,
                    server=self._server,
                    page=self._page,
                    ping_ms=PING_MS,
                )
            )
        ]

    def _leave(self, game: GameId) -> list[Effect]:
        newest = self.newest(game)
        followed = self._games.pop(game, None)
        if followed is None:
            return []
        return [*followed.not_fetched(), Unfollow(game, newest)]

    def _follow(self, frame: Opening, game: GameId, ask: Ask, player: PlayerId) -> list[Effect]:
        if game in self._games:
            return self._enqueue(frame.id, ask)
        if len(self._games) >= FOLLOWED_MAX:
            return [_refuse(frame, refusals.TOO_MANY_GAMES)]
        self._games[game] = Followed(
            game=game,
            player=player,
            fetching=isinstance(frame, Resume | Watch),
            joining=isinstance(frame, Join | JoinCode | QuickMatch),
            watching=isinstance(frame, Watch),
        )
        return [Follow(game), *self._enqueue(frame.id, ask)]

    def _enqueue(self, command: CommandId, ask: Ask) -> list[Effect]:
        game = ask.question.game
        self._pending[command] = game
        return list(self._lanes.setdefault(game, Lane()).add(ask))

    def _advance(self, game: GameId, command: CommandId) -> list[Effect]:
        lane = self._lanes.get(game)
        if lane is None:
            return []
        asks = lane.answered(command)
        if lane.empty:
            del self._lanes[game]
        return list(asks)

    def _own_answered(self, ask: Ask, command: CommandId, reply: Reply) -> list[Effect]:
        game = ask.question.game
        followed = self._games.get(game)
        match reply:
            case Refused(error=error) if look := self._look_again(ask, command, error):
                return [*self._unfollow_unseen(followed, ask), look]
            case Refused(error=error, version=version):
                frame = RefusedFrame(error=error, command=command, game=game, version=version)
                news = followed.overtaken(version) if followed and error.code == "overtaken" else []
                return [Send(frame), *news, *self._unfollow_unseen(followed, ask)]
            case Accepted(step=step):
                if followed is not None:
                    return followed.accepted(reply)
                return [Send(repeated(reply, step.view) if reply.repeated else step_frame(step))]
            case Fetched():
                return followed.fetched(reply, command) if followed else [Send(resumed(reply, command))]
            case _:
                assert_never(reply)

    def _look_again(self, ask: Ask, command: CommandId, error: Error) -> Look | None:
        """A game that a search found could not be joined: the next look, if there is one."""
        search = self._searches.get(command)
        return search.again(ask.question.game, error.code) if search else None

    def _unfollow_unseen(self, followed: Followed | None, ask: Ask) -> list[Effect]:
        """A game is not followed when it was refused before the client saw any of it, and is not asked for again."""
        if followed is None or followed.view is not None or not opens(ask):
            return []
        if any(map(opens, self._lanes[followed.game].waiting)):
            return []
        del self._games[followed.game]
        return [*followed.not_fetched(), Unfollow(followed.game)]

    def _gap_answered(self, game: GameId, reply: Reply) -> list[Effect]:
        followed = self._games.get(game)
        if followed is None:
            return []
        if isinstance(reply, Fetched):
            return followed.fetched(reply, None) + self._greet(game)
        return followed.not_fetched()

    def _greet(self, game: GameId) -> list[Effect]:
        """Who follows a game is there: a pause because of absence ends, before anything else is done in the game."""
        followed = self._games.get(game)
        if followed is None or followed.view is None or followed.greeted == followed.version:
            return []
        command = on_return(followed.view, followed.player)
        if command is None:
            return []
        followed.greeted = command.version
        return list(self._lanes.setdefault(game, Lane()).hurry(Ask(command, command.id)))

    def _greet_again(self, game: GameId, ask: Ask, reply: Reply) -> None:
        """If that could not be done, it is tried again with the next look at the game."""
        followed = self._games.get(game)
        if followed is not None and isinstance(ask.question, ContinueGame) and isinstance(reply, Refused):
            followed.greeted = 0


def _refuse(frame: ClientFrame | Unreadable, error: Error) -> Send:
    match frame:
        case Unreadable(command=command, game=game):
            return Send(RefusedFrame(error=error, command=command, game=game))
        case Hello() | Ping():
            return Send(RefusedFrame(error=error))
        case Leave(game=game):
            return Send(RefusedFrame(error=error, game=game))
        case NewGame(id=command) | JoinCode(id=command) | QuickMatch(id=command):
            return Send(RefusedFrame(error=error, command=command))
        case Resume(id=command, game=game) | Join(id=command, game=game) | Watch(id=command, game=game):
            return Send(RefusedFrame(error=error, command=command, game=game))
        case _:
            return Send(RefusedFrame(error=error, command=frame.id, game=frame.game))
