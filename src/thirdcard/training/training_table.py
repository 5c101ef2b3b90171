"""A training table in memory, with everything that screens show of a table."""

from datetime import datetime

from thirdcard.folds.record_place import Recorded
from thirdcard.folds.snapshot import TableSnapshot, whole_after
from thirdcard.game import events as ev
from thirdcard.roundfile.set_up import Player
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.views.sources import Sources

NO_RULES = ("", "")  # nothing of a training table is ever recorded, so that no digest is needed


class TrainingTable(Player):
    """A table that nothing records: each event is folded as a stream does it, under its own sequence."""

    def __init__(self, rulebook: Rulebook, house: House, start: datetime | None = None) -> None:
        super().__init__(rulebook, house, start)
        self.whole: TableSnapshot | None = None

    @property
    def sources(self) -> Sources:
        """The sources of the views of this table."""
        whole = self.whole
        assert whole is not None
        return Sources(
            table=self.standing,
            rulebook=self.rulebook,
            house=self.house,
            history=whole.history,
            alerts=whole.alerts,
            slips=whole.slips,
            stands_since=whole.since.phase,
        )

    def record(self, event: ev.Event) -> None:
        """Write an event down, apply it to the table, and fold it beside the table."""
        super().record(event)
        place = Recorded(len(self.events), round(self.now.timestamp() * 1_000_000))
        self.whole = whole_after(self.whole, (event,), self.rulebook, place, NO_RULES, (self.standing,))
