"""The metrics of the server, in the form that Prometheus reads."""

import functools
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from thirdcard.game.dispute_steps import DisputeStep
from thirdcard.streams.service import TableStream

BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class TableFigures(Struct, frozen=True):
    """The figures of one table, as they are when somebody asks."""

    table: str
    records: int
    rounds: int
    watchers: int
    alerts: int
    disputes: int
    stopped: bool


def figures_of(stream: TableStream, *, watchers: int, overdue: int) -> TableFigures:
    """Return the figures of a table; a drop box that is ``overdue`` is an alert that nobody has seen to."""
    whole = stream.state
    alerts = [each for each in whole.alerts if each.acknowledged_by is None] if whole else []
    disputes = whole.table.disputes if whole else ()
    return TableFigures(
        table=stream.name,
        records=stream.head.sequence,
        rounds=whole.table.rounds if whole else 0,
        watchers=watchers,
        alerts=len(alerts) + overdue,
        disputes=sum(each.step is not DisputeStep.CLOSED for each in disputes),
        stopped=stream.stopped is not None,
    )


class _Tables(Collector):
    """Reads the figures of every table when the metrics are asked for, so that no command waits for it."""

    def __init__(self, figures: Callable[[], Iterable[TableFigures]]) -> None:
        self._figures = figures

    def describe(self) -> Iterator[Metric]:
        """Return nothing: no figures are read before somebody asks."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Return the figures of every table."""
        label = ("table",)
        records = CounterMetricFamily("thirdcard_table_records", "Records of a table", labels=label)
        rounds = CounterMetricFamily("thirdcard_table_rounds", "Rounds of a table", labels=label)
        watchers = GaugeMetricFamily("thirdcard_table_watchers", "Sockets that watch a table", labels=label)
        alerts = GaugeMetricFamily("thirdcard_table_alerts", "Alerts that nobody has seen to", labels=label)
        disputes = GaugeMetricFamily("thirdcard_table_disputes", "Disputes that are open", labels=label)
        stopped = GaugeMetricFamily("thirdcard_table_stopped", "Whether its store stopped it", labels=label)
        for each in self._figures():
            key = (each.table,)
            records.add_metric(key, each.records)
            rounds.add_metric(key, each.rounds)
            watchers.add_metric(key, each.watchers)
            alerts.add_metric(key, each.alerts)
            disputes.add_metric(key, each.disputes)
            stopped.add_metric(key, each.stopped)
        yield from (records, rounds, watchers, alerts, disputes, stopped)


class Metrics:
    """Counters of one server, in a registry of their own."""

    def __init__(self, figures: Callable[[], Iterable[TableFigures]]) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_Tables(figures))
        self.requests = Counter(
            "thirdcard_requests", "Requests answered", ("endpoint", "status"), registry=self._registry
        )
        self.commands = Counter(
            "thirdcard_commands",
            "Commands by what became of them",
            ("table", "outcome"),
            registry=self._registry,
        )
        self.commands_of = functools.cache(self.commands.labels)
        self.waiting = Histogram(
            "thirdcard_command_seconds",
            "Seconds from a command's arrival to its durable answer",
            registry=self._registry,
            buckets=BUCKETS,
        )
        self.clock_steps = Counter(
            "thirdcard_clock_steps", "Times that the wall clock was set", registry=self._registry
        )
        self.sockets = Gauge("thirdcard_sockets", "Open sockets", registry=self._registry)
        self.dropped = Counter(
            "thirdcard_sockets_dropped",
            "Sockets dropped because they read too slowly",
            registry=self._registry,
        )

    def text(self) -> bytes:
        """Everything counted so far."""
        return generate_latest(self._registry)
