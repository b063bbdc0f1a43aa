"""The line that each request gets when it was answered: noted at once, and written with others a moment later.

Putting a line into its form and writing it takes longer than deciding a move does, so no player waits for it. Lines of
any other kind, warnings above all, go straight to the log.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from shared.clock import now_micros
from shared.logs import CORRELATION, NOTED_AT, Log, correlation_id

WRITE_SECONDS: Final = 0.1
LINES_MAX: Final = 1_000
"""Lines that wait; one more and all are written at once."""


class Traffic:
    """The requests that one process has answered, on their way to its log."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._lines: list[tuple[str, dict[str, object]]] = []

    def note(self, event: str, **fields: object) -> None:
        """A request was answered, now. The correlation id of the context goes with it, unless `fields` has one."""
        fields[NOTED_AT] = now_micros()
        fields.setdefault(CORRELATION, correlation_id())
        self._lines.append((event, fields))
        if len(self._lines) >= LINES_MAX:
            self.write()

    def write(self) -> None:
        """Writes what waits."""
        lines, self._lines = self._lines, []
        for event, fields in lines:
            self._log.info(event, **fields)

    @asynccontextmanager
    async def written(self) -> AsyncIterator[None]:
        """Inside, lines are written every `WRITE_SECONDS`, and at the end."""
        writing = asyncio.ensure_future(self._write_now_and_then())
        try:
            yield
        finally:
            writing.cancel()
            self.write()

    async def _write_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(WRITE_SECONDS)
            self.write()
