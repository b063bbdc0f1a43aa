"""Secrets of deals that can be won, some of each variant, in memory alone. Each leaves the pool once."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import takewhile
from time import monotonic
from typing import Final

import structlog

from services.dealer.lane import Lane
from shared.rules.deal import SECRET_BYTES
from shared.rules.variants import Variant
from shared.solver.solve import Budget
from shared.solver.winnable import winnable_secret

DEAL_BUDGET: Final = Budget(seconds=5.0, table_bytes=1 << 28)
"""For one deal. The few that need more are passed over."""
REFILL_SECONDS: Final = 60.0
"""For one deal ahead. A variant whose winnable deals are so rare waits for its next turn."""
ASKED_SECONDS: Final = 2.5
"""How long a deal is looked for while a player waits, less than game-state waits for the answer."""

_log: Final = structlog.stdlib.get_logger(__name__)


class Pool:
    """Keeps some secrets ready. What is taken is gone, whatever becomes of it; what is never taken is forgotten."""

    def __init__(
        self,
        variants: Sequence[Variant],
        size: int,
        random_bytes: Callable[[int], bytes],
        *,
        filling: Lane,
        asked: Lane,
    ) -> None:
        """`filling` searches ahead, `asked` while somebody waits."""
        self._variants = {variant.id: variant for variant in variants}
        self._ready: dict[str, deque[bytes]] = {name: deque() for name in self._variants}
        self._size = size
        self._random_bytes = random_bytes
        self._filling = filling
        self._asked = asked
        self._taken = asyncio.Event()

    @property
    def ready(self) -> dict[str, int]:
        """How many are ready of each variant."""
        return {name: len(secrets) for name, secrets in self._ready.items()}

    def offers(self, variant: str) -> bool:
        """Whether deals of a variant can be certified at all."""
        return variant in self._variants

    async def take(self, variant: str, player_seed: str) -> bytes | None:
        """A secret that nobody else gets; none when none is ready and none was found in time.

        A player's own seed changes the deal, so with one it is always looked for on the spot.

        Raises:
            BusyError: too many look for theirs already.
        """
        rules = self._variants.get(variant)
        if rules is None:
            return None
        if not player_seed and self._ready[variant]:
            self._taken.set()
            return self._ready[variant].popleft()
        return await self._asked.run(partial(self._find, rules, player_seed, self._asked, ASKED_SECONDS))

    async def fill(self) -> None:
        """Keeps the pool full until it is cancelled."""
        while True:
            self._taken.clear()
            if not await self._top_up():
                _log.info("pool is full", **self.ready)
                await self._taken.wait()

    async def _top_up(self) -> bool:
        """One more of each variant that lacks some. Whether any did."""
        lacking = [rules for name, rules in self._variants.items() if len(self._ready[name]) < self._size]
        for rules in lacking:
            found = await self._filling.run(partial(self._find, rules, "", self._filling, REFILL_SECONDS))
            if found is not None:
                self._ready[rules.id].append(found)
        return bool(lacking)

    def _find(self, variant: Variant, player_seed: str, lane: Lane, seconds: float) -> bytes | None:
        deadline = monotonic() + seconds

        def in_time(_: bytes) -> bool:
            return monotonic() < deadline and not lane.stopping

        def budget() -> Budget:
            return Budget(seconds=min(DEAL_BUDGET.seconds, deadline - monotonic()), table_bytes=DEAL_BUDGET.table_bytes)

        secrets = takewhile(in_time, self._drawn())
        return winnable_secret(secrets, player_seed, variant, lambda table: lane.solve(table, variant, budget()))

    def _drawn(self) -> Iterator[bytes]:
        while True:
            yield self._random_bytes(SECRET_BYTES)
