"""What may be seen of a game. There is no field here that could hold a face-down card, only counts."""

from typing import Literal

import msgspec

from shared.messages.base import COMMAND_ID, GAME_ID, MILLISECONDS, VERSION
from shared.messages.commands import Deal, Mode, PauseReason
from shared.messages.events import AnyEvent
from shared.rules.cards import Card
from shared.rules.variants import DrawsTo

Status = Literal["running", "won", "lost", "resigned"]


class ColumnView(msgspec.Struct, frozen=True, kw_only=True):
    """A column of the tableau: how many lie face down, and the face-up cards above them, topmost last."""

    down: int
    up: tuple[Card, ...]


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A whole game as its player may see it."""

    game: GAME_ID
    version: VERSION
    variant: str
    scoring: str
    mode: Mode
    deal: Deal
    commitment: str
    status: Status
    columns: tuple[ColumnView, ...]
    foundations: tuple[tuple[Card, ...], ...]
    """In suit order clubs, diamonds, hearts, spades; topmost last."""
    stock: int
    waste: tuple[Card, ...]
    """Topmost, the playable card, last."""
    draw: int
    """How many cards a draw turns."""
    draws_to: DrawsTo = "waste"
    """Where it lays them: onto the waste, or one onto each column from the left."""
    pass_number: int
    """1 for the first time through the stock."""
    passes: int | None
    """How many there may be; none for no limit."""
    points: int
    moves: int
    play_ms: MILLISECONDS
    """Play time up to `at`."""
    clock_runs: bool
    """Whether time is counted now: from the first move to the end, but in a pause."""
    at: MILLISECONDS
    """When the newest version was accepted, server time."""
    assisted: bool
    can_undo: bool
    can_redo: bool
    legal: tuple[str, ...]
    """Every legal move in text form, empty in a pause and when the game is over."""
    secret: str = ""
    """The deal's secret, once the game is over."""
    paused: PauseReason | None = None
    """Why the clock stands still, in a pause."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a game: the command that made it, what happened, and what it looks like since."""

    game: GAME_ID
    version: VERSION
    command: COMMAND_ID
    at: MILLISECONDS
    events: tuple[AnyEvent, ...]
    view: View


class PastStep(msgspec.Struct, frozen=True, kw_only=True):
    """A version that was missed: without a view, since the newest one comes with it."""

    version: VERSION
    command: COMMAND_ID
    at: MILLISECONDS
    events: tuple[AnyEvent, ...]
