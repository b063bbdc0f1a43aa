"""The board at every version of a game, from its events alone: no rule is asked, and no hidden card is known."""

from collections.abc import Iterable
from typing import Final, assert_never

from msgspec import UNSET
from msgspec.structs import replace

from services.gateway.history import boards
from shared.messages.base import GameId, PlayerId
from shared.messages.events import (
    AnyEvent,
    BetweenPlayers,
    CardsDrawn,
    CardsMoved,
    ChancesGiven,
    GameContinued,
    GameEnded,
    GamePaused,
    GameStarted,
    HintGiven,
    MoveRedone,
    MoveUndone,
    PlayerJoined,
    PlayerLeft,
    PlayerResigned,
    PlayerReturned,
    SeatResult,
    StockRecycled,
)
from shared.messages.history import Board, Deed, GameHistory, HistorySide, HistoryStep
from shared.messages.moved import Moved, move_of
from shared.messages.views import PastStep
from shared.rules.moves import move_text
from shared.rules.play_time import counted_ms
from shared.rules.variants import VARIANTS, Variant

_DEEDS: Final[dict[type[Moved], Deed]] = {CardsMoved: "move", CardsDrawn: "draw", StockRecycled: "recycle"}
NOBODY: Final = PlayerId("a" * 26)
"""Stands in a history where the log has a player."""


class UnfitHistoryError(Exception):
    """Steps that are no whole game, from its deal to its end. The message says why."""


def history_of(game: GameId, steps: Iterable[PastStep]) -> GameHistory:
    """A game that is over, from all its steps. Those of a game for two say whose they are.

    Raises:
        UnfitHistoryError: they are not all there, or do not follow from each other.
    """
    replay = _Replay()
    try:
        for step in steps:
            replay.follow(step)
    except IndexError as error:
        raise UnfitHistoryError(f"version {replay.version + 1} does not fit the board") from error
    return replay.finish(game)


class _Side:
    """What belongs to a player."""

    def __init__(self, board: Board, points: int) -> None:
        self.board = board
        self.points = points
        self.done: list[tuple[int, str, Board]] = []
        """Moves that stand: the version that made each, its text, and the board before it."""
        self._undone: list[tuple[str, Board]] = []
        """Moves taken back, the one to redo first last: the text of each, and the board after it."""

    def make(self, event: Moved, version: int, variant: Variant) -> str:
        text = move_text(move_of(event))
        self.done.append((version, text, self.board))
        self._undone.clear()
        self.board = boards.after(self.board, event, variant)
        self.points += 0 if isinstance(event, CardsDrawn) else event.points
        return text

    def undo(self, points: int) -> str:
        _, text, before = self.done.pop()
        self._undone.append((text, self.board))
        self.board = before
        self.points += points
        return text

    def redo(self, points: int, version: int) -> str:
        text, again = self._undone.pop()
        self.done.append((version, text, self.board))
        self.board = again
        self.points += points
        return text


class _Replay:
    """A game as it goes on."""

    def __init__(self) -> None:
        self.version = 0
        self._started: GameStarted | None = None
        self._ended: GameEnded | None = None
        self._sides: list[_Side] = []
        self._play_ms = self._at = 0
        self._clock_runs = self._assisted = False
        self._steps: list[HistoryStep] = []

    def follow(self, step: PastStep) -> None:
        if step.version != self.version + 1 or not step.events or self._ended:
            raise UnfitHistoryError(f"version {step.version} after version {self.version}")
        if self._clock_runs:
            self._play_ms += counted_ms(_counted_until(step) - self._at)
        who = step.seat or 0
        before = self._sides[who].points if self._sides[who:] else 0
        deed, move = self._caused(step.events[0], who, step.version)
        for event in step.events[1:]:
            if not isinstance(event, GameEnded):
                raise UnfitHistoryError(f"version {step.version} tells of more than one command")
            self._end(event)
        self.version, self._at = step.version, step.at
        self._steps.append(self._shown(step, deed, move, self._sides[who].points - before))

    def _shown(self, step: PastStep, deed: Deed, move: str | None, brought: int) -> HistoryStep:
        side = self._sides[step.seat or 0]
        shown = HistoryStep(
            version=step.version,
            at=step.at,
            play_ms=self._play_ms,
            deed=deed,
            move=move,
            brought=brought,
            points=side.points,
            moves=len(side.done),
            stands=False,
            assisted=self._assisted,
            board=side.board,
            events=tuple(map(_naming_nobody, step.events)),
        )
        return shown if self._variant.players == 1 else self._of_two(shown, step.seat or 0)

    def _of_two(self, shown: HistoryStep, who: int) -> HistoryStep:
        told = [
            HistorySide(
                board=side.board,
                points=side.points,
                moves=len(side.done),
                cards_up=boards.cards_up(side.board, self._variant),
            )
            for side in self._sides
        ]
        return replace(shown, seat=who, cards_up=told[who].cards_up, other=told[1 - who] if told[1:] else UNSET)

    def finish(self, game: GameId) -> GameHistory:
        started, ended, variant = self._started, self._ended, self._variant
        if started is None or ended is None:
            raise UnfitHistoryError("the game is not over")
        standing = {version for side in self._sides for version, _, _ in side.done}
        return GameHistory(
            game=game,
            variant=started.variant,
            variant_version=started.variant_version,
            scoring=started.scoring,
            mode=started.mode,
            deal=started.deal,
            shuffle=started.shuffle,
            commitment=started.commitment,
            secret=ended.secret,
            draw=variant.draw,
            draws_to=variant.draws_to,
            passes=variant.passes,
            result=ended.result,
            points=ended.points,
            moves=ended.moves,
            play_ms=ended.play_ms,
            assisted=ended.assisted,
            started_at=self._steps[0].at,
            ended_at=self._steps[-1].at,
            steps=tuple(replace(step, stands=step.version in standing) for step in self._steps),
            seats=ended.seats,
        )

    @property
    def _variant(self) -> Variant:
        if self._started is None:
            raise UnfitHistoryError("the game was not dealt")
        return VARIANTS[self._started.variant]

    def _caused(self, event: AnyEvent, who: int, version: int) -> tuple[Deed, str | None]:
        match event:
            case GameStarted():
                self._start(event)
                return "deal", None
            case CardsMoved() | CardsDrawn() | StockRecycled():
                return self._make(event, who, version)
            case MoveUndone(points=points):
                self._assisted = True
                return "undo", self._sides[who].undo(points)
            case MoveRedone(points=points):
                return "redo", self._sides[who].redo(points, version)
            case HintGiven(move=move):
                self._assisted = True
                return "hint", move
            case ChancesGiven():
                self._assisted = True
                return "chances", None
            case GamePaused() | GameContinued():
                self._clock_runs = isinstance(event, GameContinued)
                return "continue" if self._clock_runs else "pause", None
            case GameEnded():
                self._end(event)
                return "resign", None
            case PlayerJoined() | PlayerResigned() | PlayerLeft() | PlayerReturned():
                return self._between_players(event), None
        assert_never(event)

    def _between_players(self, event: BetweenPlayers) -> Deed:
        match event:
            case PlayerJoined(faces=faces):
                if self._variant.players == 1 or len(self._sides) != 1 or len(faces) != self._variant.players:
                    raise UnfitHistoryError(f"somebody joined as version {self.version + 1}")
                self._sides = [self._dealt(one) for one in faces]
                return "join"
            case PlayerResigned(absent=absent):
                return "claim" if absent else "resign"
            case PlayerLeft():
                return "leave"
            case PlayerReturned():
                return "return"
        assert_never(event)

    def _start(self, event: GameStarted) -> None:
        variant = VARIANTS.get(event.variant)
        if self._started or variant is None:
            raise UnfitHistoryError(f"a game of {event.variant} is dealt as version {self.version + 1}")
        self._started = event
        alone = variant.players == 1
        self._sides = [self._dealt(event.faces) if alone else _Side(boards.bare(variant), event.points)]

    def _dealt(self, faces: boards.Faces) -> _Side:
        variant, started = self._variant, self._started
        assert started is not None, "its variant is known"
        if len(faces) != len(variant.columns):
            raise UnfitHistoryError(f"{len(faces)} columns are dealt, where {variant.id} has {len(variant.columns)}")
        return _Side(boards.dealt(faces, variant), started.points)

    def _make(self, event: Moved, who: int, version: int) -> tuple[Deed, str]:
        self._clock_runs = True
        side, variant = self._sides[who], self._variant
        text = side.make(event, version, variant)
        if variant.shares_foundations:
            for other in self._sides:
                other.board = replace(other.board, foundations=side.board.foundations)
        return _DEEDS[type(event)], text

    def _end(self, event: GameEnded) -> None:
        self._ended = event
        ends: tuple[GameEnded | SeatResult, ...] = (event,) if event.seats is UNSET else event.seats
        for side, end in zip(self._sides, ends, strict=False):
            side.points = end.points


def _counted_until(step: PastStep) -> int:
    """Up to when the time before a step counts."""
    first = step.events[0]
    return first.since if isinstance(first, GamePaused) else step.at


def _naming_nobody(event: AnyEvent) -> AnyEvent:
    """A history goes from hand to hand: even the random ids of its players are left out."""
    return replace(event, player=NOBODY) if isinstance(event, GameStarted | PlayerJoined) else event
