"""The state of the job queue and of who works on it, at one moment."""

from typing import Literal

import msgspec

from shared.messages.workers import DealerReport, WorkerReport
from shared.subjects import Priority


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """The jobs of one priority."""

    priority: Priority
    waiting: int
    in_progress: int
    redelivered: int
    """Of those in progress, taken before by a worker that did not finish."""


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """A job that no worker could do. Its bytes stay in the stream."""

    kind: str
    at: str
    reason: str
    correlation: str


class Dead(msgspec.Struct, frozen=True, kw_only=True):
    """The dead letters: how many, and the newest, newest first."""

    count: int
    newest: tuple[Letter, ...]


class Service(msgspec.Struct, frozen=True, kw_only=True):
    """All that answered by one name."""

    name: str
    versions: tuple[str, ...]
    instances: int


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """Everything. `queue` is empty where no game-state has made the queue yet."""

    kind: Literal["status"] = "status"
    services: tuple[Service, ...]
    queue: tuple[Line, ...]
    workers: tuple[WorkerReport, ...]
    dealers: tuple[DealerReport, ...] = ()
    dead: Dead
