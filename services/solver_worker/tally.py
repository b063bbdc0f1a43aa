"""What a worker has done, and how fast."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from shared.messages.workers import WorkerReport
from shared.subjects import Priority

PACE_SECONDS: Final = 60


class Tally:
    """Counts since the start, and a pace over the last minute."""

    def __init__(
        self,
        clock: Callable[[], float],
        *,
        instance: str,
        capacity: int,
        priorities: Sequence[Priority],
        warm: Callable[[], bool] = lambda: True,
    ) -> None:
        """`clock` gives seconds, of which only differences mean anything; `warm`, whether the kernels are loaded."""
        self._clock = clock
        self._began = clock()
        self._instance = instance
        self._capacity = capacity
        self._priorities = tuple(priorities)
        self._warm = warm
        self._busy = 0
        self._done = 0
        self._searched_micros = 0
        self._waited_micros = 0
        self._pace: deque[tuple[int, int]] = deque(maxlen=PACE_SECONDS + 1)
        """Seconds of the clock in which jobs were done, and how many."""
        self.refused = 0
        self.dropped = 0
        self.handed_back = 0

    @contextmanager
    def busy(self) -> Iterator[None]:
        """While inside, one job more is being done."""
        self._busy += 1
        try:
            yield
        finally:
            self._busy -= 1

    def done(self, *, searched_micros: int, waited_micros: int) -> None:
        self._done += 1
        self._searched_micros += searched_micros
        self._waited_micros += waited_micros
        second = int(self._clock())
        count = self._pace.pop()[1] if self._pace and self._pace[-1][0] == second else 0
        self._pace.append((second, count + 1))

    @property
    def searched_nanoseconds(self) -> int:
        return self._searched_micros * 1_000

    def report(self) -> WorkerReport:
        now = self._clock()
        recent = sum(count for second, count in self._pace if second > now - PACE_SECONDS)
        jobs = max(self._done, 1)
        return WorkerReport(
            instance=self._instance,
            capacity=self._capacity,
            priorities=self._priorities,
            warm=self._warm(),
            busy=self._busy,
            done=self._done,
            refused=self.refused,
            dropped=self.dropped,
            handed_back=self.handed_back,
            jobs_per_second=round(recent / min(max(now - self._began, 1.0), PACE_SECONDS), 2),
            search_ms_mean=round(self._searched_micros / jobs / 1_000, 3),
            waited_ms_mean=round(self._waited_micros / jobs / 1_000, 3),
        )
