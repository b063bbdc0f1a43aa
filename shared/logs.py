"""Logs: JSON lines in services, readable lines on a terminal, and one correlation id on all that a command causes."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Literal

import structlog

from shared.clock import now_micros

CORRELATION = "correlation_id"
NOTED_AT = "noted_at"
"""A field for lines written later than what they tell of: when that was, by `now_micros`."""
SERVICE_WIDTH = len("solver-worker")

Log = structlog.stdlib.BoundLogger

_TRACEBACKS = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
"""Local variables are left out of every traceback: game-state's hold hidden cards, a request's hold tokens."""


def configure(level: str, style: Literal["auto", "json", "console"], **always: str) -> Log:
    """Sends structlog's and the libraries' lines to stderr in one format.

    Args:
        level: the least level that is written.
        style: how; `auto` is `console` on a terminal, else `json`.
        always: fields of every line, such as the service and its instance.
    """
    console = style == "console" or (style == "auto" and sys.stderr.isatty())
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        _always(always),
        structlog.stdlib.add_log_level,
        _stamped(console),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.ExtraAdder()],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_ending(console)],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    structlog.contextvars.clear_contextvars()
    log: Log = structlog.stdlib.get_logger("klondike")
    return log


def _always(fields: dict[str, str]) -> structlog.typing.Processor:
    """Puts the same fields into every line, whichever module's logger writes it."""

    def add(_logger: object, _method: str, line: structlog.typing.EventDict) -> structlog.typing.EventDict:
        return {**fields, **line}

    return add


def _stamped(console: bool) -> structlog.typing.Processor:
    """A person reads the time of day where they are; a machine gets the date too, in UTC."""

    def stamp(_logger: object, _method: str, line: structlog.typing.EventDict) -> structlog.typing.EventDict:
        micros = line.pop(NOTED_AT, None) or now_micros()
        moment = datetime.fromtimestamp(micros / 1_000_000, None if console else UTC)
        line["timestamp"] = f"{moment:%H:%M:%S}" if console else f"{moment:%Y-%m-%dT%H:%M:%S.%fZ}"
        return line

    return stamp


def _ending(console: bool) -> list[structlog.typing.Processor]:
    if console:
        renderer = structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), pad_event_to=0, exception_formatter=structlog.dev.plain_traceback
        )
        return [_for_a_person, renderer]
    return [structlog.processors.ExceptionRenderer(_TRACEBACKS), structlog.processors.JSONRenderer()]


def _for_a_person(
    _logger: structlog.typing.WrappedLogger, _name: str, fields: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """The service goes first, as several share a terminal, and its instance is left out."""
    fields.pop("instance", None)
    service = fields.pop("service", None)
    if service is not None:
        fields["event"] = f"{service:<{SERVICE_WIDTH}} {fields['event']}"
    return fields


@contextmanager
def correlated(correlation_id: str) -> Iterator[None]:
    """All lines logged inside, in this task and those started from it, carry the id. It is the command's id."""
    with structlog.contextvars.bound_contextvars(**{CORRELATION: correlation_id}):
        yield


def correlation_id() -> str | None:
    """The id of the command that is being worked on, for the headers of messages that follow from it."""
    value = structlog.contextvars.get_contextvars().get(CORRELATION)
    return value if isinstance(value, str) else None
