"""Results: latencies as percentiles, and everything that a figure means nothing without."""

import math
from collections.abc import Sequence
from typing import Literal

import msgspec

from shared.access import Fsync


class Latency(msgspec.Struct, frozen=True, kw_only=True):
    """Percentiles of a sample, in milliseconds."""

    samples: int
    p50_ms: float
    p90_ms: float
    p99_ms: float
    max_ms: float


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """Where it was measured."""

    system: str
    cpu: str
    cores: int


class Floors(msgspec.Struct, frozen=True, kw_only=True):
    """What the bare parts take, one after the other."""

    websocket: Latency
    """Echo of 100 bytes by an empty application on the gateway's server."""
    request: Latency
    """NATS request and reply of 100 bytes between two processes."""
    publish: Latency
    """JetStream publish with acknowledgement of a record's size."""

    @property
    def sum_p50_ms(self) -> float:
        """The least that a move can take."""
        return self.websocket.p50_ms + self.request.p50_ms + self.publish.p50_ms


class Crowd(msgspec.Struct, frozen=True, kw_only=True):
    """Many games at the same time, each on its own socket, moves at fixed times whether the last one is done or not."""

    games: int
    seconds: float
    moves_per_second: float
    errors: int
    error_kinds: dict[str, int]
    late: int
    """Moves that were due before the answer to the one before was there, and so were sent late."""
    move: Latency | None
    """From the moment that a move is due."""


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of one fsync mode."""

    fsync: Fsync
    floors: Floors
    sum_of_floors_ms: float
    move: Latency
    ratio: float
    """The move's p50 to the sum of the floors' p50."""
    hint: Latency
    crowd: Crowd | None


class PathReport(msgspec.Struct, frozen=True, kw_only=True):
    """The whole benchmark."""

    kind: Literal["path"] = "path"
    machine: Machine
    versions: dict[str, str]
    seed: int
    runs: tuple[Run, ...]
    load_before: float
    """Load average of the minute before: figures of a busy machine say little."""


def percentile(ascending: Sequence[float], share: float) -> float:
    """Of a sorted sample that is not empty, by nearest rank: the least value that so large a share does not exceed."""
    return ascending[max(math.ceil(share * len(ascending)), 1) - 1]


def latency(seconds: Sequence[float]) -> Latency:
    """The percentiles of a sample that is not empty."""
    ordered = sorted(seconds)
    return Latency(
        samples=len(ordered),
        p50_ms=_ms(percentile(ordered, 0.50)),
        p90_ms=_ms(percentile(ordered, 0.90)),
        p99_ms=_ms(percentile(ordered, 0.99)),
        max_ms=_ms(ordered[-1]),
    )


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)
