"""Sealed shoes that were laid open, with the cards that came from them."""

from thirdcard.dossier.find import StoredEntry, segments
from thirdcard.game.apply import fold
from thirdcard.game.events import ShoeOpened
from thirdcard.game.state import Table
from thirdcard.journal.sealed_shoe import ShoeFile, file_of
from thirdcard.journal.store import Store


async def opened_shoe(store: Store, stream: str, number: int) -> tuple[StoredEntry, ShoeFile] | None:
    """The record that laid a shoe open and what there is to check about it; nothing where none did."""
    table: Table | None = None
    async for segment in segments(store, stream):
        for entry in segment.entries:
            for event in entry.result.events:
                shoe = table.shoe if table else None
                if isinstance(event, ShoeOpened) and event.number == number and shoe is not None:
                    return entry, file_of(shoe, event)
                table = fold(table, event)
    return None
