"""The metrics of the server, in the form that Prometheus reads."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class Metrics:
    """Counters of one server, in a registry of their own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.requests = Counter(
            "thirdcard_requests", "Requests answered", ("endpoint", "status"), registry=self._registry
        )
        self.commands = Counter(
            "thirdcard_commands", "Commands by what became of them", ("outcome",), registry=self._registry
        )
        self.waiting = Histogram(
            "thirdcard_command_seconds",
            "Seconds from a command's arrival to its durable answer",
            registry=self._registry,
            buckets=BUCKETS,
        )
        self.sockets = Gauge("thirdcard_sockets", "Open sockets", registry=self._registry)
        self.dropped = Counter(
            "thirdcard_sockets_dropped",
            "Sockets dropped because they read too slowly",
            registry=self._registry,
        )
        self.stopped = Gauge(
            "thirdcard_tables_stopped", "Tables that the store stopped", registry=self._registry
        )
        self.records = Counter("thirdcard_records", "Records appended or followed", registry=self._registry)

    def text(self) -> bytes:
        """Everything counted so far."""
        return generate_latest(self._registry)
