"""Sealed shoes of a table: those that were laid open, and the proofs of cards that lie open."""

from collections.abc import Iterable, Iterator

from thirdcard.devices.virtual_shoe import contents_of, position_of
from thirdcard.game.apply import fold
from thirdcard.game.events import Event, ShoeOpened
from thirdcard.game.state import CardState, Table
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.sealed_shoe import CardProof, ShoeFile, file_of, prove


def opened_shoes(events: Iterable[Event]) -> Iterator[ShoeFile]:
    """Every shoe that was laid open in the events of a table, with the cards that were seen of it."""
    table: Table | None = None
    for event in events:
        if isinstance(event, ShoeOpened) and table is not None and table.shoe is not None:
            yield file_of(table.shoe, event)
        table = fold(table, event)


def proofs_of_round(table: Table, keys: KeyRing) -> tuple[CardProof, ...]:
    """The proofs of the cards that lie open in the round, or lay open in the last one."""
    shoe, cards = table.shoe, table.round.cards if table.round else ()
    lying = shoe.places.lying if shoe else ()
    if shoe is None or len(lying) != len(cards):  # the last round was dealt from the shoe before
        return ()
    contents = contents_of(table, keys)
    positions = (position_of(shoe, place) for place in lying)
    return tuple(
        prove(contents, position)
        for position, dealt in zip(positions, cards, strict=True)
        if dealt.state is CardState.EXPOSED and dealt.card == contents.order[position]
    )
