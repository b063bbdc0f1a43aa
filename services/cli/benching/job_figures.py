"""Results of `klondike bench hints`."""

from typing import Literal

import msgspec

from services.cli.benching.figures import Latency, Machine
from shared.access import Fsync

Kind = Literal["empty", "hint", "strong", "search"]


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """A job's way, from the question to the answer at the asker, and its two parts that the worker measures."""

    total: Latency
    waiting: Latency
    """In the queue, from when the server stored it to when a worker began it."""
    search: Latency
    """Spent on it by the worker."""


class Alone(msgspec.Struct, frozen=True, kw_only=True):
    """One job at a time, so that none waits for another; kinds in turns."""

    empty: Way
    """The floor: the same way, and nothing to do."""
    hint: Way
    hint_above_floor_p99_ms: float


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """As many jobs at a time as keep all workers busy."""

    kind: Kind
    workers: int
    askers: int
    jobs: int
    refused: int
    jobs_per_second: float
    speedup: float
    """To one worker in the same run."""
    processor_ms: float | None
    """Processor time of all workers together for one job. None where the system does not tell."""
    way: Way


class JobsReport(msgspec.Struct, frozen=True, kw_only=True):
    """The whole benchmark."""

    kind: Literal["hints"] = "hints"
    machine: Machine
    versions: dict[str, str]
    seed: int
    fsync: Fsync
    states: int
    """Of the exact search, in each search-bound job."""
    alone: Alone
    loads: tuple[Load, ...]
    load_before: float
    """Load average of the minute before: figures of a busy machine say little."""
