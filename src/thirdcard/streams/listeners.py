"""The listeners of a stream, which are told of every record once it is durable."""

import logging
from collections.abc import Callable
from typing import Generic

from thirdcard.journal.codec import E
from thirdcard.journal.record import Record
from thirdcard.ordered import OrderedSet
from thirdcard.streams.ahead import Change
from thirdcard.streams.machine import S

log = logging.getLogger(__name__)


class Listeners(OrderedSet[Callable[[Change[S, E]], None]], Generic[S, E]):
    """The listeners of one stream, in the order in which they came."""

    def tell(self, record: Record, events: tuple[E, ...], state: S | None) -> None:
        """Tell all of them of a record, which stands whatever one of them makes of it."""
        if state is None:
            return
        change = Change(record, events, state)
        for listener in tuple(self):
            try:
                listener(change)
            except Exception:
                log.exception("a listener failed", extra={"fields": {"stream": record.stream}})
