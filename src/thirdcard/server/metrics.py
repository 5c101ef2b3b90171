"""The metrics of the server, in the form that Prometheus reads."""

import functools
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Metric,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from thirdcard.folds.alerts import AlertKind
from thirdcard.game.dispute_steps import DisputeStep
from thirdcard.streams.service import TableStream
from thirdcard.views.public_sections import holds_itself

BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


OF_DEVICES = (AlertKind.ALARM, AlertKind.DEVICE_MISMATCH)


class TableFigures(Struct, frozen=True):
    """The figures of one table, as they are when somebody asks.

    ``without_checkpoint`` are the seconds since the first record that no checkpoint covers.
    """

    table: str
    records: int
    rounds: int
    watchers: int
    alerts: int
    alarms: int
    disputes: int
    stopped: bool
    paused: bool
    held: bool
    without_checkpoint: float


class FloorFigures(Struct, frozen=True):
    """The figures of a floor beside its tables: which tables expect a card reader, and whether it is there.

    ``times`` are the times at which things were done last, in seconds since 1970, by the name of the metric.
    """

    readers: dict[str, bool] = {}
    times: dict[str, float] = {}


def figures_of(stream: TableStream, *, watchers: int, overdue: int, monotonic: int) -> TableFigures:
    """Return the figures of a table; a drop box that is ``overdue`` is an alert that nobody has seen to."""
    whole = stream.state
    alerts = [each for each in whole.alerts if each.acknowledged_by is None] if whole else []
    disputes = whole.table.disputes if whole else ()
    reason = whole.table.pause_reason if whole else None
    since = stream.unchecked_since
    return TableFigures(
        table=stream.name,
        records=stream.head.sequence,
        rounds=whole.table.rounds if whole else 0,
        watchers=watchers,
        alerts=len(alerts) + overdue,
        alarms=sum(each.kind in OF_DEVICES for each in alerts),
        disputes=sum(each.step is not DisputeStep.CLOSED for each in disputes),
        stopped=stream.stopped is not None,
        paused=whole is not None and whole.table.paused,
        held=holds_itself(reason or ""),
        without_checkpoint=0.0 if since is None else (monotonic - since) / 1e9,
    )


class _Tables(Collector):
    """Reads the figures of every table when the metrics are asked for, so that no command waits for it."""

    def __init__(
        self, figures: Callable[[], Iterable[TableFigures]], of_floor: Callable[[], FloorFigures]
    ) -> None:
        self._figures = figures
        self._of_floor = of_floor

    def describe(self) -> Iterator[Metric]:
        """Return nothing: no figures are read before somebody asks."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Return the figures of every table."""
        figures = tuple(self._figures())
        for kind, name, about, figure in TABLE_METRICS:
            found = kind(f"thirdcard_table_{name}", about, labels=("table",))
            for each in figures:
                found.add_metric((each.table,), figure(each))
            yield found
        floor = self._of_floor()
        readers = GaugeMetricFamily(
            "thirdcard_table_reader_connected", "Whether the card reader is there", labels=("table",)
        )
        for table, connected in floor.readers.items():
            readers.add_metric((table,), connected)
        yield readers
        for name, about in LAST_TIMES.items():
            yield GaugeMetricFamily(f"thirdcard_{name}_timestamp_seconds", about, value=floor.times.get(name))


# what is told of every table: its kind, its name, what it says, and its figure
TABLE_METRICS: tuple[
    tuple[type[CounterMetricFamily] | type[GaugeMetricFamily], str, str, Callable[[TableFigures], float]],
    ...,
] = (
    (CounterMetricFamily, "records", "Records of a table", lambda each: each.records),
    (CounterMetricFamily, "rounds", "Rounds of a table", lambda each: each.rounds),
    (GaugeMetricFamily, "watchers", "Sockets that watch a table", lambda each: each.watchers),
    (GaugeMetricFamily, "alerts", "Alerts that nobody has seen to", lambda each: each.alerts),
    (GaugeMetricFamily, "alarms", "Alarms about cards that nobody has seen to", lambda each: each.alarms),
    (GaugeMetricFamily, "disputes", "Disputes that are open", lambda each: each.disputes),
    (GaugeMetricFamily, "stopped", "Whether its store stopped it", lambda each: each.stopped),
    (GaugeMetricFamily, "paused", "Whether it waits until a person resumes it", lambda each: each.paused),
    (GaugeMetricFamily, "held", "Whether it paused by itself: a restart, its store", lambda each: each.held),
    (
        GaugeMetricFamily,
        "without_checkpoint_seconds",
        "Seconds since the first record that no checkpoint covers",
        lambda each: each.without_checkpoint,
    ),
)
LAST_TIMES = {
    "backup": "When the journal was last backed up from this folder",
    "record_check": "When the whole record was last checked",
    "record_mark": "When the record was last marked outside its folder",
}


class Metrics:
    """Counters of one server, in a registry of their own."""

    def __init__(
        self,
        figures: Callable[[], Iterable[TableFigures]],
        of_floor: Callable[[], FloorFigures] = FloorFigures,
    ) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_Tables(figures, of_floor))
        ProcessCollector(registry=self._registry)
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
