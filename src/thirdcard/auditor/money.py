"""Watches the money of a table: nothing comes from nowhere, and what lies there is what was booked."""

from collections import Counter

from thirdcard.folds.ledger import DROP, FELT, HELD, entries, in_tray
from thirdcard.game.events import Event, OpenerCounted
from thirdcard.game.state import PlacedWager, Table
from thirdcard.messages import Message, message

PATRON = "patron:"


class Money:
    """The balances that can be compared with the table: felt, tray and drop box, credits of terminals."""

    def __init__(self) -> None:
        self._balances: Counter[str] = Counter()
        self._tray = self._drop = 0
        self._wagers: tuple[PlacedWager, ...] = ()
        self._lying = 0

    def book(self, event: Event) -> Message | None:
        """Book an event; its entries must sum to zero."""
        moved = entries(event)
        if not moved:
            return None
        self._tray = in_tray(event, moved) + (0 if isinstance(event, OpenerCounted) else self._tray)
        self._drop += sum(amount for account, amount in moved if account == DROP)
        for account, amount in moved:
            if account in (FELT, HELD) or account.startswith(PATRON):
                self._balances[account] += amount
        if sum(amount for _, amount in moved) == 0:
            return None
        return message("finding.not-balanced", event=str(event.__struct_config__.tag))

    def compare(self, table: Table) -> list[Message]:
        """Return what differs from the table after a record."""
        if table.wagers is not self._wagers:  # most records leave them as they are
            self._wagers = table.wagers
            self._lying = sum(wager.lying for wager in table.wagers if not wager.held)
        lying, found = self._lying, list[Message]()
        if self._balances[FELT] != lying:
            found.append(message("finding.felt", booked=self._balances[FELT], lying=lying))
            self._balances[FELT] = lying
        held = sum(each.amount for each in table.held)
        if self._balances[HELD] != held:
            found.append(message("finding.held", booked=self._balances[HELD], held=held))
            self._balances[HELD] = held
        if table.chips.inventories:
            found += self._chips(table)
        if table.setup.terminal:
            found += self._meters(table)
        else:
            self._balances.clear()
            self._balances[FELT], self._balances[HELD] = lying, held
        return found

    def _chips(self, table: Table) -> list[Message]:
        """Hold the tray of the open inventory, and the cash in all drop boxes, against what was booked."""
        now, found = table.chips.open, list[Message]()
        if now is not None and now.tray != self._tray:
            found.append(message("finding.tray", booked=self._tray, lying=now.tray))
            self._tray = now.tray
        cash = sum(each.cash for each in table.chips.boxes) + (now.cash if now else 0)
        if cash != self._drop:
            found.append(message("finding.drop", booked=self._drop, lying=cash))
            self._drop = cash
        return found

    def _meters(self, table: Table) -> list[Message]:
        meters = {f"{PATRON}{each.terminal}": each.credits for each in table.credits}
        found = []
        for account in sorted(meters.keys() | self._balances.keys() - {FELT, HELD}):
            shown, booked = meters.get(account, 0), self._balances[account]
            terminal = account.removeprefix(PATRON)
            if booked < 0:
                found.append(message("finding.below-zero", terminal=terminal, booked=booked))
            if shown != booked:
                found.append(message("finding.meter", terminal=terminal, shown=shown, booked=booked))
                self._balances[account] = shown
            if not self._balances[account]:
                del self._balances[account]
        return found
