"""The whole history of a game that is over, as its player saw it: every version with the board since.

Built from events alone, which hold only what became visible, so no board has a card that lay face down.
"""

from typing import Literal

import msgspec

from shared.messages.base import GAME_ID, MILLISECONDS, VERSION
from shared.messages.commands import Deal, Mode
from shared.messages.events import AnyEvent, Result
from shared.messages.views import ColumnView
from shared.rules.cards import Card
from shared.rules.variants import DrawsTo

Deed = Literal["deal", "move", "draw", "recycle", "undo", "redo", "hint", "chances", "pause", "continue", "resign"]
"""What a version came from."""


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """All piles as the player saw them. In every list the topmost card is last."""

    columns: tuple[ColumnView, ...]
    foundations: tuple[tuple[Card, ...], ...]
    stock: int
    waste: tuple[Card, ...]
    pass_number: int


class HistoryStep(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a game, and the game since."""

    version: VERSION
    at: MILLISECONDS
    play_ms: MILLISECONDS
    """Play time up to this version."""
    deed: Deed
    move: str | None
    """In text form, such as `T3>T5*4`: what was moved, taken back, made again, or hinted."""
    brought: int
    """Points that the version brought; below zero, what it cost."""
    points: int
    """The score since."""
    moves: int
    """The move counter since: the number of moves that stand."""
    stands: bool
    """It made, or made again, a move that was not taken back later: number `moves` of those that count."""
    assisted: bool
    """An undo, hint or answer about chances was there up to now."""
    board: Board
    events: tuple[AnyEvent, ...]


class GameHistory(msgspec.Struct, frozen=True, kw_only=True, tag="game-history", tag_field="type"):
    """A game from its deal to its end."""

    schema: int = 1
    game: GAME_ID
    variant: str
    variant_version: str
    scoring: str
    mode: Mode
    deal: Deal
    shuffle: str
    commitment: str
    secret: str
    """What the commitment was to; empty for a numbered deal."""
    draw: int
    """How many cards a draw turns."""
    draws_to: DrawsTo
    """Where it lays them."""
    passes: int | None
    """How many there may be; none for no limit."""
    result: Result
    points: int
    moves: int
    play_ms: MILLISECONDS
    assisted: bool
    started_at: MILLISECONDS
    ended_at: MILLISECONDS
    steps: tuple[HistoryStep, ...]
    """One a version, from 1 on."""
