"""The line that each request gets when it was answered: noted at once, and written with others a moment later.

Putting a line into its form and writing it takes longer than deciding a move does, so no player waits for it. Lines of
any other kind, warnings above all, go straight to the log.
"""

import asyncio
from typing import Final

from shared.clock import now_micros
from shared.logs import CORRELATION, NOTED_AT, Log, correlation_id

WAIT_SECONDS: Final = 0.02
"""How long a line may wait."""
LINES_MAX: Final = 200
"""How many may wait; one more and all are written at once."""


class Traffic:
    """The requests that one process has answered, on their way to its log. Used on the event loop."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._lines: list[tuple[str, dict[str, object]]] = []

    def note(self, event: str, **fields: object) -> None:
        """A request was answered, now. The correlation id of the context goes with it, unless `fields` has one."""
        fields[NOTED_AT] = now_micros()
        correlation = correlation_id()
        if correlation:
            fields.setdefault(CORRELATION, correlation)
        self._lines.append((event, fields))
        if len(self._lines) == 1:
            asyncio.get_running_loop().call_later(WAIT_SECONDS, self.write)
        elif len(self._lines) > LINES_MAX:
            self.write()

    def write(self) -> None:
        """Writes what waits. Called once more before the process ends."""
        lines, self._lines = self._lines, []
        for event, fields in lines:
            self._log.info(event, **fields)
