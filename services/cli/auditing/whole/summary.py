"""What an audit of all games found."""

from typing import Literal

import msgspec

from services.cli.auditing.report import Finding
from shared.messages.base import GameId


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """Something that does not fit, and where: in a game, or beside all games where `game` is none."""

    game: GameId | None
    finding: Finding


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """How much of the statistics was computed again."""

    through: int
    """The sequence in the stream that they were compared at."""
    players: int
    rankings: int
    left_out: int
    """Players with a game that does not fit: their sums follow from nothing."""


class Covered(msgspec.Struct, frozen=True, kw_only=True):
    """The checkpoint that games were held against."""

    number: int
    sequence: int
    at: int
    games: int
    """How many it and all before it cover."""
    since: int | None = None
    """The number of the published one that the chain was held against."""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """The whole audit. Counts are of games, but for `records`."""

    kind: Literal["audit-all"] = "audit-all"
    clean: bool
    games: int
    records: int
    statuses: dict[str, int]
    without_head: int
    """Redis knows no newest record of them: whether their ends are lost could not be seen."""
    faulty: int
    statistics: Compared | None
    """None where there are none, or they were being rebuilt."""
    checkpoint: Covered | None
    notes: tuple[str, ...]
    faults: tuple[Fault, ...]
    """In the order of games; each game's in the order of its records."""
    seconds: float
    """Of processor time, all processes together."""
