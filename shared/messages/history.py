"""The whole history of a game that is over, as its player saw it: every version with the board since.

Built from events alone, which hold only what became visible, so no board has a card that lay face down. A game for two
is told as somebody saw it who watched: both boards, and whose each step is.
"""

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from shared.messages.base import GAME_ID, MILLISECONDS, SEAT, VERSION
from shared.messages.commands import Deal, Mode
from shared.messages.events import AnyEvent, Result, SeatResult
from shared.messages.views import ColumnView
from shared.rules.cards import Card
from shared.rules.variants import DrawsTo

Deed = Literal[
    "deal", "move", "draw", "recycle", "undo", "redo", "hint", "chances", "pause", "continue", "resign",
    "join", "leave", "return", "claim",
]  # fmt: skip
"""What a version came from; the last four only in games for two."""


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """All piles as the player saw them. In every list the topmost card is last."""

    columns: tuple[ColumnView, ...]
    foundations: tuple[tuple[Card, ...], ...]
    stock: int
    waste: tuple[Card, ...]
    pass_number: int


class HistorySide(msgspec.Struct, frozen=True, kw_only=True):
    """The side of a player in a game for two."""

    board: Board
    points: int
    moves: int
    cards_up: int
    """Own cards that are on the foundations."""


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
    seat: SEAT | UnsetType = UNSET
    """Of games for two: whose step it is, 0 who invited, 1 who joined. `board`, `points`, `moves` are of that side."""
    cards_up: int | UnsetType = UNSET
    """Of games for two: how many own cards of that side are on the foundations."""
    other: HistorySide | UnsetType = UNSET
    """Of games for two: the other side since; left out until somebody has joined."""


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
    seats: tuple[SeatResult, ...] | UnsetType = UNSET
    """Of games for two that somebody joined: how it ended for each. The sums above are then as in `game-ended`."""
