"""How many frames a connection may send: a bucket that time refills."""

from enum import Enum

import msgspec


class Verdict(Enum):
    """What becomes of a frame."""

    GRANTED = 1
    REFUSED = 2
    EXHAUSTED = 3
    """Refused so often without a pause that the connection is not worth keeping."""


class Credits(msgspec.Struct, kw_only=True):
    """Each frame costs one credit, a refused one too: who goes on regardless gets deeper into debt, and is cut off."""

    burst: float
    """Frames that may come at once."""
    per_second: float
    debt_max: float
    balance: float
    at: float
    """When the balance held, seconds of a clock that never goes back."""

    @classmethod
    def full(cls, *, burst: float, per_second: float, now: float) -> "Credits":
        """A new connection's credits. The debt that ends it is as large as the burst."""
        return cls(burst=burst, per_second=per_second, debt_max=burst, balance=burst, at=now)

    def take(self, now: float) -> Verdict:
        self.balance = min(self.burst, self.balance + (now - self.at) * self.per_second) - 1
        self.at = now
        if self.balance >= 0:
            return Verdict.GRANTED
        return Verdict.REFUSED if self.balance >= -self.debt_max else Verdict.EXHAUSTED
