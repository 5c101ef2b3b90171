"""The dealer of a table at each of its records."""

from thirdcard.game import events as ev
from thirdcard.game.desk import DEALER
from thirdcard.journal.codec import envelope_of
from thirdcard.journal.record import Record


class Dealers:
    """The dealers on duty at a table, in the order in which they came."""

    def __init__(self) -> None:
        self._on_duty: list[str] = []

    def copy(self) -> "Dealers":
        """Return the same dealers, to be followed apart."""
        other = Dealers()
        other._on_duty = list(self._on_duty)
        return other

    def follow(self, event: ev.Event) -> None:
        """Take in who comes and goes."""
        match event:
            case ev.StaffCame() if event.post == DEALER and event.person not in self._on_duty:
                self._on_duty.append(event.person)
            case ev.StaffLeft() if event.person in self._on_duty:
                self._on_duty.remove(event.person)
            case _:
                pass

    def dealer_of(self, record: Record) -> str:
        """Return the dealer who entered a record, or who came last of those on duty, if anybody."""
        actor = envelope_of(record).actor
        if actor in self._on_duty:
            return actor
        return self._on_duty[-1] if self._on_duty else ""
