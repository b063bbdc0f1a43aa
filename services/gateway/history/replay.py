"""The board at every version of a game, from its events alone: no rule is asked, and no hidden card is known."""

from collections.abc import Iterable
from typing import Final, assert_never

from msgspec.structs import replace

from shared.messages.base import GameId, PlayerId
from shared.messages.events import (
    AnyEvent,
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
    StockRecycled,
)
from shared.messages.history import Board, Deed, GameHistory, HistoryStep
from shared.messages.moved import Moved, move_of
from shared.messages.views import ColumnView, PastStep
from shared.rules.cards import Card
from shared.rules.moves import move_text
from shared.rules.piles import Pile, PileKind, column, parts
from shared.rules.play_time import counted_ms
from shared.rules.variants import VARIANTS, DrawsTo, Variant

_DEEDS: Final[dict[type[Moved], Deed]] = {CardsMoved: "move", CardsDrawn: "draw", StockRecycled: "recycle"}
NOBODY: Final = PlayerId("a" * 26)
"""Stands in a history where the log has the player."""
_FOR_TWO: Final = "a game for two is not told so"
_EMPTY: Final = Board(columns=(), foundations=(), stock=0, waste=(), pass_number=1)


class UnfitHistoryError(Exception):
    """Steps that are no whole game, from its deal to its end. The message says why."""


def history_of(game: GameId, steps: Iterable[PastStep]) -> GameHistory:
    """A game that is over, from all its steps.

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


class _Replay:
    """A game as it goes on."""

    def __init__(self) -> None:
        self.version = 0
        self._started: GameStarted | None = None
        self._ended: GameEnded | None = None
        self._board = _EMPTY
        self._draws_to: DrawsTo = "waste"
        self._points = self._play_ms = self._at = 0
        self._clock_runs = self._assisted = False
        self._done: list[tuple[int, str, Board]] = []
        """Moves that stand: the version that made each, its text, and the board before it."""
        self._undone: list[tuple[str, Board]] = []
        """Moves taken back, the one to redo first last: the text of each, and the board after it."""
        self._steps: list[HistoryStep] = []

    def follow(self, step: PastStep) -> None:
        if step.version != self.version + 1 or not step.events or self._ended:
            raise UnfitHistoryError(f"version {step.version} after version {self.version}")
        before = self._points
        if self._clock_runs:
            self._play_ms += counted_ms(_counted_until(step) - self._at)
        deed, move = self._caused(step.events[0], step.version)
        for event in step.events[1:]:
            if not isinstance(event, GameEnded):
                raise UnfitHistoryError(f"version {step.version} tells of more than one command")
            self._end(event)
        self.version, self._at = step.version, step.at
        self._steps.append(self._shown(step, deed, move, self._points - before))

    def _shown(self, step: PastStep, deed: Deed, move: str | None, brought: int) -> HistoryStep:
        return HistoryStep(
            version=step.version,
            at=step.at,
            play_ms=self._play_ms,
            deed=deed,
            move=move,
            brought=brought,
            points=self._points,
            moves=len(self._done),
            stands=False,
            assisted=self._assisted,
            board=self._board,
            events=tuple(map(_naming_nobody, step.events)),
        )

    def finish(self, game: GameId) -> GameHistory:
        started, ended = self._started, self._ended
        if started is None or ended is None:
            raise UnfitHistoryError("the game is not over")
        standing = {version for version, _, _ in self._done}
        variant = VARIANTS[started.variant]
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
        )

    def _caused(self, event: AnyEvent, version: int) -> tuple[Deed, str | None]:
        match event:
            case GameStarted():
                self._start(event)
                return "deal", None
            case CardsMoved() | CardsDrawn() | StockRecycled():
                return self._make(event, version)
            case MoveUndone(points=points):
                _, text, before = self._done.pop()
                self._undone.append((text, self._board))
                self._board, self._points, self._assisted = before, self._points + points, True
                return "undo", text
            case MoveRedone(points=points):
                text, after = self._undone.pop()
                self._done.append((version, text, self._board))
                self._board, self._points = after, self._points + points
                return "redo", text
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
                raise UnfitHistoryError(_FOR_TWO)
        assert_never(event)

    def _start(self, event: GameStarted) -> None:
        variant = VARIANTS.get(event.variant)
        if self._started or variant is None:
            raise UnfitHistoryError(f"a game of {event.variant} is dealt as version {self.version + 1}")
        if variant.players > 1:
            raise UnfitHistoryError(_FOR_TWO)
        dealt, columns = len(event.faces), len(variant.columns)
        if dealt != columns:
            raise UnfitHistoryError(f"{dealt} columns are dealt, where {event.variant} has {columns}")
        self._started, self._board, self._points = event, _dealt(event, variant), event.points
        self._draws_to = variant.draws_to

    def _make(self, event: Moved, version: int) -> tuple[Deed, str]:
        self._clock_runs = True
        text = move_text(move_of(event))
        self._done.append((version, text, self._board))
        self._undone.clear()
        self._board = _after(self._board, event, self._draws_to)
        self._points += 0 if isinstance(event, CardsDrawn) else event.points
        return _DEEDS[type(event)], text

    def _end(self, event: GameEnded) -> None:
        self._ended, self._points = event, event.points


def _counted_until(step: PastStep) -> int:
    """Up to when the time before a step counts."""
    first = step.events[0]
    return first.since if isinstance(first, GamePaused) else step.at


def _naming_nobody(event: AnyEvent) -> AnyEvent:
    """A history goes from hand to hand: even the random id of its player is left out."""
    return replace(event, player=NOBODY) if isinstance(event, GameStarted) else event


def _dealt(event: GameStarted, variant: Variant) -> Board:
    sizes = zip(variant.columns, event.faces, strict=True)
    return Board(
        columns=tuple(ColumnView(down=size - len(faces), up=faces) for size, faces in sizes),
        foundations=((),) * variant.foundations,
        stock=variant.cards - sum(variant.columns),
        waste=(),
        pass_number=1,
    )


def _after(board: Board, event: Moved, draws_to: DrawsTo) -> Board:
    match event:
        case CardsMoved(source=source, target=target, cards=cards, turned_up=turned_up):
            lifted = _changed(board, source, take=len(cards), turned_up=turned_up)
            return _changed(lifted, target, put=cards)
        case CardsDrawn(cards=cards):
            left = replace(board, stock=board.stock - len(cards))
            return _changed(left, "W", put=cards) if draws_to == "waste" else _dealt_on(left, cards)
        case StockRecycled(begins_pass=begins_pass):
            return replace(board, stock=len(board.waste), waste=(), pass_number=begins_pass)
    assert_never(event)


def _dealt_on(board: Board, cards: tuple[Card, ...]) -> Board:
    """The board with a card more on each column, from the left."""
    for index, card in enumerate(cards):
        board = _changed(board, column(index), put=(card,))
    return board


def _changed(
    board: Board, pile: Pile, *, take: int = 0, put: tuple[Card, ...] = (), turned_up: Card | None = None
) -> Board:
    """The board with cards taken off a pile, or put on it, and the card below them turned up if there is one."""
    kind, index = parts(pile)
    match kind:
        case PileKind.TABLEAU:
            column = board.columns[index]
            up = _cut(column.up, take) + put + ((turned_up,) if turned_up else ())
            changed = ColumnView(down=column.down - (turned_up is not None), up=up)
            return replace(board, columns=(*board.columns[:index], changed, *board.columns[index + 1 :]))
        case PileKind.FOUNDATION:
            pile_cards = _cut(board.foundations[index], take) + put
            return replace(board, foundations=(*board.foundations[:index], pile_cards, *board.foundations[index + 1 :]))
        case PileKind.WASTE:
            return replace(board, waste=_cut(board.waste, take) + put)
    assert_never(kind)


def _cut(cards: tuple[Card, ...], take: int) -> tuple[Card, ...]:
    if take > len(cards):
        raise IndexError(take)
    return cards[: len(cards) - take]
