"""The seats of patrons: one at each position, where the document has places for them."""

from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.refusals import Refusal, Refused, refuse


def come_to_table(desk: Desk, body: cmd.ComeToTable) -> Refused | None:
    """A patron comes, takes a seat, stands up or changes places; a seat has one patron at a time.

    Whoever names no position has no seat, and stands.
    """
    seats, seated = _seats(desk), body.seated
    if seats is not None:
        seated = seated and body.position is not None
        refused = _refuse_seat(desk, body, seats) if seated else None
        if refused:
            return refused
    came = ev.PatronCame(
        patron=body.patron,
        position=body.position,
        seated=seated,
        marked={each.patron: each.round for each in desk.table.marks}.get(body.patron),
        clauses=(seats,) if seats and seated else (),
    )
    desk.emit(came)
    return None


def _seats(desk: QueryDesk) -> Clause | None:
    """The clause about places for patrons; at a terminal everybody has a place of their own."""
    return None if desk.table.setup.terminal else desk.document.seats


def _refuse_seat(desk: QueryDesk, body: cmd.ComeToTable, seats: Clause) -> Refused | None:
    """Why somebody cannot sit at a position."""
    position, most = body.position, desk.table.setup.positions
    assert position is not None
    if not 1 <= position <= most:
        return refuse(Refusal.UNKNOWN_POSITION, seats, position=position, most=most)
    for each in desk.table.seated:
        if each.position == position and each.name != body.patron:
            return refuse(Refusal.SEAT_TAKEN, seats, patron=each.name, position=position)
    return None
