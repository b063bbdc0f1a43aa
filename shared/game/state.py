"""The state of one game: everything that its records add up to, and nothing else."""

from typing import Literal

import msgspec

from shared.messages.base import GameId, PlayerId
from shared.messages.commands import Deal, Mode, PauseReason
from shared.rules.cards import Card
from shared.rules.moves import Move
from shared.rules.play_time import counted_ms
from shared.rules.scoring import SCORINGS, Scoring
from shared.rules.table import Table
from shared.rules.variants import VARIANTS, Variant

Status = Literal["running", "won", "lost", "resigned", "waiting", "drawn"]


class Done(msgspec.Struct, frozen=True, array_like=True):
    """A move that was made, with what is needed to take it back."""

    move: Move
    count: int
    turned_up: bool
    points: int


class Seat(msgspec.Struct, frozen=True, array_like=True):
    """One player's side of a game."""

    player: PlayerId
    table: Table
    points: int
    done: tuple[Done, ...] = ()
    undone: tuple[Done, ...] = ()
    """Moves taken back, the one to redo first last."""
    seen: tuple[Card, ...] = ()
    """Cards that have ever lain face up, in the order they did first. Undo does not unsee."""
    status: Status = "running"
    """Of a game for two: `resigned` while the other plays on, and the own result at the end."""
    changed: int = 0
    """Of a game for two: the version that changed this side last."""
    away_since: int | None = None
    """Of a game for two: when the player was last there; none while there."""

    @property
    def moves(self) -> int:
        """The move counter: one a drag, taken back by undo."""
        return len(self.done)


class Game(msgspec.Struct, frozen=True, array_like=True):
    """A game after the record `version`."""

    game: GameId
    version: int
    variant_id: str
    scoring_id: str
    mode: Mode
    deal: Deal
    secret: str
    commitment: str
    seats: tuple[Seat, ...]
    status: Status = "running"
    assisted: bool = False
    first_move_at: int | None = None
    at: int = 0
    """When the newest record was written, milliseconds since 1970."""
    play_ms: int = 0
    paused: PauseReason | None = None
    pauses_from: int = 0
    """The version before the pauses that end this one, or this one: what was decided on it is decided on this table."""
    expires_at: int = 0
    """Of a game for two: until when it may be joined."""
    absence_ms: int = 0
    """Of a game for two: how long a player may be away before the other may claim it."""
    built: tuple[tuple[int, ...], ...] = ()
    """Of shared foundations: the version that put each card there."""

    @property
    def variant(self) -> Variant:
        """The row of the variants' table."""
        return VARIANTS[self.variant_id]

    @property
    def scoring(self) -> Scoring:
        """The row of the scoring table."""
        return SCORINGS[self.scoring_id]

    @property
    def seat(self) -> Seat:
        """The seat of a game for one."""
        return self.seats[0]

    @property
    def over(self) -> bool:
        """Whether nothing can be changed any more."""
        return self.status not in ("running", "waiting")

    @property
    def in_play(self) -> bool:
        """Whether it runs, and its clock does or will."""
        return self.status == "running" and self.paused is None

    def seat_of(self, player: PlayerId) -> int | None:
        """Which seat a player has; none of somebody who does not play."""
        for index, seat in enumerate(self.seats):
            if seat.player == player:
                return index
        return None


def play_ms_at(game: Game, at: int) -> int:
    """Play time at a moment not before the newest record: from the first move on, until the end, without pauses."""
    if game.first_move_at is None or game.status != "running" or game.paused:
        return game.play_ms
    return game.play_ms + counted_ms(at - game.at)
