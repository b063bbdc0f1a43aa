"""How long to wait before trying again."""

import msgspec


class Backoff(msgspec.Struct, frozen=True, kw_only=True):
    """Doubles from `first_seconds` to `most_seconds`: a short outage is over soon, a long one costs little."""

    first_seconds: float = 0.1
    most_seconds: float = 5.0

    def delay(self, attempt: int, jitter: float) -> float:
        """Seconds before attempt number `attempt` (from 1).

        Args:
            attempt: how many have failed.
            jitter: 0 to 1, at random, so that many clients do not come back in the same instant.
        """
        doublings = min(attempt - 1, 30)
        whole: float = min(self.first_seconds * 2**doublings, self.most_seconds)
        return whole * (0.5 + 0.5 * jitter)
