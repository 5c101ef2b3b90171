"""Gives the alarms that the cards of a table call for: each kind once a shoe, whichever process looks."""

from collections.abc import Callable
from typing import Protocol

from thirdcard.devices.suspicion import suspicions
from thirdcard.devices.virtual_shoe import look
from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.game.commands import Body, RaiseAlarm
from thirdcard.game.events import Event
from thirdcard.game.state import Table
from thirdcard.journal.keys import KeyRing
from thirdcard.ordered import OrderedSet
from thirdcard.refusals import Refused
from thirdcard.streams.ahead import Accepted, Change


class Door(Protocol):
    """A device's access to a table: its state, a way to have commands recorded, and news."""

    @property
    def name(self) -> str:
        """The name of the table's stream."""

    @property
    def state(self) -> TableSnapshot | None:
        """The table, once it is loaded."""

    @property
    def listeners(self) -> OrderedSet[Callable[[Change[TableSnapshot, Event]], None]]:
        """Return the listeners that are told of every record."""

    async def load(self) -> None:
        """Bring the table up to date."""

    async def send(self, body: Body, *, actor: str, command_id: str) -> Accepted[Event] | Refused:
        """Have a command decided and recorded."""


def alarms_due(table: Table, keys: KeyRing | None = None) -> tuple[RaiseAlarm, ...]:
    """The alarms about the shoe in use that were not given yet; with keys also about a sealed one."""
    shoe = table.shoe
    if shoe is None or not (shoe.places.faces or shoe.rounds_left == 0):
        return ()  # no card was seen yet
    if shoe.seal is None or keys is None:
        return suspicions(table)
    other = look(table, keys)
    sealed = () if other is None or other.kind in shoe.alarms else (other,)
    return (*sealed, *suspicions(table))


async def give_alarms(stream: Door, keys: KeyRing | None = None) -> None:
    """Record the alarms that are due; another process that looks as well records none a second time."""
    table = stream.state.table if stream.state else None
    for alarm in alarms_due(table, keys) if table else ():
        assert table is not None
        assert table.shoe is not None
        command_id = f"{stream.name}/shoe-{table.shoe.number}/{alarm.kind.value}"
        await stream.send(alarm, actor=table.setup.table, command_id=command_id)
