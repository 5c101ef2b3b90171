"""People at a table"""

from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.earlier_rounds import was_patron
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.spelling import folded
from thirdcard.staff import Post


def come_on_duty(desk: Desk, body: cmd.ComeOnDuty) -> Refused | None:
    """Put a person on duty in a post of the house."""
    refused = _post(desk, body.post) or _refuse_name(desk, body.person)
    if refused:
        return refused
    desk.emit(ev.StaffCame(person=body.person, post=body.post))
    return None


def appoint_acting(desk: Desk, body: cmd.AppointActing) -> Refused | None:
    """Let a person act in a post of the house for a time."""
    refused = _post(desk, body.post) or _refuse_name(desk, body.person)
    if refused:
        return refused
    clause = desk.document.authority.higher_posts
    if clause is None:
        return refuse(Refusal.NO_ACTING_POSTS)
    if body.person == desk.actor:
        return refuse(Refusal.ANOTHER_PERSON_APPOINTS, person=body.person)
    refused = desk.house_authority(body.post)  # nobody gives a post that is above their own
    if refused:
        return refused
    appointed = ev.ActingAppointed(
        person=body.person,
        post=body.post,
        start=body.start,
        end=body.end,
        clauses=(clause,),
    )
    desk.emit(appointed)
    return None


def _post(desk: QueryDesk, post: Post) -> Refused | None:
    posts = desk.house.form.posts
    return None if post in posts else refuse(Refusal.NO_SUCH_CHOICE, choice=post, choices=", ".join(posts))


def is_here(desk: QueryDesk, patron: str) -> bool:
    """Whether a patron is at the table."""
    found = desk.table.patron(patron)
    return found is not None and not found.gone


def refuse_stranger(desk: QueryDesk, patron: str) -> Refused | None:
    """Refuse somebody whom the table has never seen."""
    table = desk.table
    known = table.patron(patron) is not None or patron in table.left or was_patron(table.stakes, patron)
    return None if known else refuse(Refusal.UNKNOWN_PATRON, patron=patron)


def leave_table(desk: Desk, body: cmd.LeaveTable) -> Refused | None:
    """A patron leaves; wagers that lie stay in action."""
    if not is_here(desk, body.patron):
        return refuse(Refusal.UNKNOWN_PATRON, patron=body.patron)
    methods = desk.document.methods
    if methods is not None and desk.table.device_holder == body.patron:
        given_up = (methods.control.kept, methods.control.given_up)
        desk.emit(ev.DeviceReleased(patron=body.patron, clauses=given_up))
    desk.emit(ev.PatronLeft(patron=body.patron))
    return None


def come_to_table(desk: Desk, body: cmd.ComeToTable) -> Refused | None:
    """A patron comes, takes a seat, stands up or changes places; a seat has one patron at a time.

    Whoever names no position has no seat, and stands.
    """
    refused = _refuse_name(desk, body.patron) or _refuse_like(desk, body.patron)
    if refused:
        return refused
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


def _refuse_name(desk: QueryDesk, person: str) -> Refused | None:
    """Refuse somebody who has the name by which the table itself acts."""
    taken = folded(person) == folded(desk.table.setup.table)
    return refuse(Refusal.NAME_TAKEN, name=person) if taken else None


def _refuse_like(desk: QueryDesk, patron: str) -> Refused | None:
    """Refuse a patron whose name differs from another one's here only in capitals, widths or spaces."""
    like = (each.name for each in desk.table.patrons if folded(each.name) == folded(patron))
    return refuse(Refusal.NAME_TAKEN, name=patron) if any(each != patron for each in like) else None


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
