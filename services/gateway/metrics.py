"""What the gateway counts, for Prometheus. A registry of its own: nothing global."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

BUCKETS_SECONDS = (0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1, 2, 4, 8)


class Metrics:
    """Counters of one process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._commands = Counter(
            "klondike_commands", "Commands and fetches, by kind and result", ("kind", "result"), registry=self._registry
        )
        self._seconds = Histogram(
            "klondike_command_seconds",
            "From asking game-state to its answer, retries included",
            ("kind",),
            buckets=BUCKETS_SECONDS,
            registry=self._registry,
        )
        self._refusals = Counter(
            "klondike_refusals", "Frames and connections refused, by code", ("code",), registry=self._registry
        )
        self.sockets = Gauge("klondike_sockets", "Open WebSocket connections", registry=self._registry)
        self.games = Gauge("klondike_followed_games", "Games that some socket follows", registry=self._registry)

    def command(self, kind: str, result: str, seconds: float) -> None:
        """A question was answered. `result` is `accepted` or an error code."""
        self._commands.labels(kind, result).inc()
        self._seconds.labels(kind).observe(seconds)

    def refused(self, code: str) -> None:
        self._refusals.labels(code).inc()

    def text(self) -> bytes:
        """All of it in Prometheus' text format."""
        return generate_latest(self._registry)
