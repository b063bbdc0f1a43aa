"""What scoring keeps in Redis. All of it can be made again from the log.

`FORMAT` is a part of every generation's name. Raise its first number when a row or a fold changes its meaning; the
second is the newest schema of records that is understood. A service that finds projections of an older format rebuilds
them from the log, so that statistics survive an upgrade, and games with records that were too new are counted then. A
formula that changes is no reason to: see `formulas`.
"""

from typing import Final

import msgspec

from shared.messages.answers import Statistics
from shared.messages.base import PlayerId
from shared.messages.upcast import SCHEMA_NEWEST

FORMAT: Final = (5, SCHEMA_NEWEST)


class GameRow(msgspec.Struct, frozen=True, kw_only=True):
    """A running game."""

    player: PlayerId
    guest: PlayerId | None = None
    """Who joined a game for two."""
    variant: str
    scoring: str
    mode: str
    rankable: bool
    """Nobody could know its cards, and it is played alone: only such a game enters a ranking."""
    day: str = ""
    """Whose deal of the day it is, none for most."""
    formula: int
    """The version of the formula that it is counted by."""
    started_at: int
    version: int
    hash: bytes
    """Of the game's newest record: the next one names it."""
    counted: bool = False
    """A first move was made."""
    assisted: bool = False


class PlayerRow(msgspec.Struct, frozen=True, kw_only=True):
    """All sums of a player."""

    statistics: tuple[Statistics, ...] = ()
    """Ordered by variant, scoring mode, assisted; none without a game."""


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """Why a game is left out: the first record of it that cannot be used."""

    sequence: int
    """Of the record in the stream."""
    version: int | None
    """The game's version, where the record was readable enough to tell."""
    reason: str


class Cursor(msgspec.Struct, frozen=True, kw_only=True):
    """A place in the log: the last record that the projections hold."""

    sequence: int = 0
    mark: bytes = b""
    """SHA-256 of that record's stored bytes: a log with another record there is another log."""
