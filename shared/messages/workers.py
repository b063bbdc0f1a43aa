"""What a solver worker and a dealer report about themselves, as the data of an endpoint in `$SRV.STATS`."""

from typing import Final

import msgspec

from shared.subjects import Priority

WORKER_SERVICE: Final = "solver-worker"
WORKER_ENDPOINT: Final = "jobs"
DEALER_SERVICE: Final = "dealer"
DEALER_ENDPOINT: Final = "secret"


class WorkerReport(msgspec.Struct, frozen=True, kw_only=True):
    """Counts are since its start."""

    instance: str
    """Its name in the logs."""
    capacity: int
    """Jobs that it does at the same time."""
    priorities: tuple[Priority, ...]
    """Those that it takes."""
    warm: bool = True
    """Whether its kernels are compiled and loaded. Until then it takes instant hints only."""
    busy: int
    """Jobs that it does now."""
    done: int
    refused: int
    """Became dead letters."""
    dropped: int
    """Past their deadline, unsolved."""
    handed_back: int
    """To another worker, since this one was told to stop."""
    jobs_per_second: float
    """Done over the last minute."""
    search_ms_mean: float
    """Time of one search. 1,000 × capacity / this is what the worker could do at most."""
    waited_ms_mean: float
    """Time that a job was in the queue before it was begun."""


class DealerReport(msgspec.Struct, frozen=True, kw_only=True):
    """What it has ready, and what it looks for, now."""

    instance: str
    """Its name in the logs."""
    warm: bool
    """Whether its kernels are compiled and loaded. Until then it refuses every search."""
    ready: dict[str, int]
    """By variant: secrets of winnable deals in its pool."""
    pool: int
    """How many of each it keeps ready."""
    searches: dict[str, int]
    """By what for: searches that wait or are under way."""
