"""Setting up a table under a rulebook, its check list, and opening it."""

import datetime

from msgspec.structs import replace

from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.approvals import refuse_unconfirmed
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.methods import allowing_method, refuse_method
from thirdcard.game.shoe_loading import (
    refuse_decks,
    refuse_free_hand_owed,
    refuse_kept_shoe,
    still_sealed,
)
from thirdcard.game.state import Phase, Table
from thirdcard.game.table_setup import Device, Setup
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import Method
from thirdcard.rulebook.procedure import EquipmentItem


def set_up_anew(desk: Desk, body: cmd.SetUpTable) -> Refused | None:
    """Make another table of one that is shut and owes nobody, by the books that it will have.

    Only the table itself does it, once people have agreed. Whoever will have no place or post leaves before.
    """
    table, setup = desk.table, body.setup
    if {desk.actor, setup.table} != {table.setup.table}:
        return refuse(Refusal.NOT_PERMITTED)
    refused = (
        refuse_debts(table)
        or refuse_set_up(desk.rulebook, desk.house, body, desk.envelope.received_at)
        or refuse_old_cards(desk)
    )
    if refused:
        return refused
    for patron in table.patrons:
        if patron.position is not None and not 1 <= patron.position <= setup.positions:
            desk.emit(ev.PatronLeft(patron=patron.name))
    posts = desk.house.form.posts
    for person in dict.fromkeys(each.person for each in table.staff if each.post not in posts):
        desk.emit(ev.StaffLeft(person=person))
    desk.emit(set_up(desk.rulebook, body))
    return None


def refuse_anew(desk: QueryDesk) -> Refused | None:
    """Refuse to make another table of a closed one that owes somebody, or has cards to be seen or dealt."""
    return refuse_debts(desk.table) or refuse_old_cards(desk)


def refuse_debts(table: Table) -> Refused | None:
    """Refuse a table at which money of somebody is left."""
    if any(each.credits for each in table.credits):
        return refuse(Refusal.CREDITS_REMAIN)
    return refuse(Refusal.MONEY_IS_HELD) if table.held else None


def refuse_old_cards(desk: QueryDesk) -> Refused | None:
    """Refuse a table whose cards still owe a hand, are kept by a clause, or were not laid open."""
    return refuse_free_hand_owed(desk.table) or refuse_kept_shoe(desk.table) or still_sealed(desk)


def refuse_set_up(
    rulebook: Rulebook, house: House, command: cmd.SetUpTable, at: datetime.datetime
) -> Refused | None:
    """Refuse what no table can be, whoever asks for it."""
    document, setup = rulebook.document, command.setup
    return (
        may_open(document, at)
        or _wrong_rulebook(rulebook, house, setup)
        or _real_terminals(document, setup)
        or _layout(rulebook, house, setup)
        or refuse_decks(document, setup.decks)
        or _device(document, setup)
        or refuse_method(document, setup, command.method)
    )


def may_open(document: Document, at: datetime.datetime) -> Refused | None:
    """Why no table can be opened under a document at an instant, or nothing where one can."""
    if document.in_force <= at:
        return None
    begins = document.in_force.isoformat()
    return refuse(Refusal.NOT_YET_IN_FORCE, document.clause, rulebook=document.id, begins=begins)


def refuse_limits(setup: Setup) -> Refused | None:
    """Refuse limits that no wager can keep."""
    for each in setup.limits:
        if each.minimum > each.maximum:
            return refuse(Refusal.LIMITS_CROSSED, wager=each.wager)
        if each.minimum <= 0:
            return refuse(Refusal.LIMIT_NOT_POSSIBLE, wager=each.wager)
    return refuse(Refusal.LIMITS_NOT_POSTED) if setup.differential < 0 else None


def refuse_change(rulebook: Rulebook, house: House, setup: Setup) -> Refused | None:
    """Refuse limits and decks that a table cannot have under its rulebook and house."""
    refused = refuse_limits(setup) or refuse_decks(rulebook.document, setup.decks)
    if refused:
        return refused
    unposted = {each.wager for each in setup.limits} != set(rulebook.wagers)
    if unposted or len(setup.limits) != len(rulebook.wagers):
        return refuse(Refusal.LIMITS_NOT_POSTED, *posting(rulebook.document))
    for each in setup.limits:
        if each.minimum % house.unit or each.maximum % house.unit:
            return refuse(Refusal.LIMIT_NOT_POSSIBLE, wager=each.wager)
    return None


def takes_over(
    rulebook: Rulebook, before: Rulebook, house: House, table: Table, at: datetime.datetime
) -> bool:
    """Whether a later version of a table's rulebook takes over with the next round.

    That is so between rounds, with nothing owed, where the table as it stands could be set up by it: with
    its limits, its check list, its methods and its approval. Otherwise it waits until the table is closed.
    """
    later = rulebook.document.in_force > before.document.in_force
    if not later or table.phase is not Phase.IDLE:
        return False
    if table.wagers or table.open_cases or table.held or table.free_hand_by is not None:
        return False
    body = cmd.SetUpTable(setup=table.setup, method=table.method)
    made, stood = set_up(rulebook, body), set_up(before, body)
    lists = [check_list(each.document, table.setup) for each in (rulebook, before)]
    same = made.owners_per_area == stood.owners_per_area and len({*map(_items, lists)}) == 1
    named = rulebook.document.names_another_game  # which nobody has confirmed of this version
    same = same and named in (None, before.document.names_another_game)
    unfit = refuse_set_up(rulebook, house, body, at) or refuse_change(rulebook, house, table.setup)
    return same and unfit is None


def _items(items: tuple[EquipmentItem, ...]) -> tuple[str, ...]:
    return tuple(each.id for each in items)


def posting(document: Document) -> tuple[Clause, ...]:
    """The clause about posted limits, where the document has one."""
    return (document.limits.posted,) if document.limits else ()


def set_up(rulebook: Rulebook, command: cmd.SetUpTable) -> ev.TableSetUp:
    """A table as it is set up under a rulebook."""
    document, setup = rulebook.document, command.setup
    limits, methods = document.limits, document.methods
    owners = limits.owners_per_area.most if limits and limits.owners_per_area else None
    clauses = (document.clause, *document.layouts.clauses, *_layout_clause(rulebook, setup))
    method = command.method or (Method.B if methods else None)
    if methods:
        clauses = (*clauses, methods.clause)
    return ev.TableSetUp(setup=setup, method=method, owners_per_area=owners, clauses=clauses)


def _wrong_rulebook(rulebook: Rulebook, house: House, setup: Setup) -> Refused | None:
    if setup.game == rulebook.id and setup.house == house.id:
        return None
    return refuse(Refusal.WRONG_RULEBOOK, game=setup.game, house=setup.house)


def _real_terminals(document: Document, setup: Setup) -> Refused | None:
    """A live game has terminals for training alone."""
    if document.table == "terminal" or not setup.terminal or setup.training:
        return None
    return refuse(Refusal.TRAINING_ONLY, *document.layouts.clauses, table=setup.table)


def _layout(rulebook: Rulebook, house: House, setup: Setup) -> Refused | None:
    """Refuse a layout or a number of positions that the document does not have.

    Where a drawing is missing from the document, a real table needs the one that the house supplies.
    """
    document = rulebook.document
    offered = {each.id: each for each in document.layouts.layout}
    if document.table == "terminal" and not setup.terminal:
        clauses = document.layouts.clauses
        return refuse(Refusal.LAYOUT_NOT_OFFERED, *clauses, layout="felt", offered=document.table)
    if not offered:
        return None
    variant = rulebook.id.partition("/")[2] or None
    layout = offered.get(setup.layout or "")
    if layout is None or layout.variant not in (None, variant):
        own = ", ".join(each.id for each in offered.values() if each.variant in (None, variant))
        clauses = document.layouts.clauses if layout is None else (layout.clause,)
        return refuse(Refusal.LAYOUT_NOT_OFFERED, *clauses, layout=setup.layout or "-", offered=own)
    supplied = house.supplied_layout(document.id, layout.id) if layout.assumed else None
    if layout.assumed and supplied is None and not setup.training:
        return refuse(Refusal.DRAWING_NOT_SUPPLIED, layout.clause, layout=layout.id)
    least, most = (supplied.least, supplied.most) if supplied else (layout.least, layout.most)
    if not least <= setup.positions <= most:
        params = {"positions": setup.positions, "least": least, "most": most}
        return refuse(Refusal.POSITIONS_NOT_OFFERED, layout.clause, layout=layout.id, **params)
    return None


def _layout_clause(rulebook: Rulebook, setup: Setup) -> tuple[Clause, ...]:
    return tuple(each.clause for each in rulebook.document.layouts.layout if each.id == setup.layout)


def clauses_beyond(desk: QueryDesk, position: int) -> tuple[Clause, ...]:
    """The clause of the layout, where no table of it has so many positions."""
    layouts = (each for each in desk.document.layouts.layout if each.id == desk.table.setup.layout)
    return tuple(each.clause for each in layouts if position > each.most)


def _device(document: Document, setup: Setup) -> Refused | None:
    """A document whose equipment names a card-reading shoe needs one at every table."""
    for item in document.equipment:
        if item.id == "card-reading-shoe" and setup.device is not Device.CARD_READING:
            return refuse(Refusal.DEVICE_NOT_SUITABLE, item.clause, needed=Device.CARD_READING.value)
    return None


def tick_equipment(desk: Desk, body: cmd.TickEquipment) -> Refused | None:
    """Tick an item of the check list."""
    for item in check_list(desk.document, desk.table.setup):
        if item.id == body.item and (body.needed or item.if_required):
            by_itself = desk.actor == desk.table.setup.table and desk.table.setup.training
            if item.confirmed and not by_itself:
                refused = desk.house_authority(desk.house.form.facts_confirmed_by)
                if refused:
                    return replace(refused, clauses=(item.clause,))
            desk.emit(ev.EquipmentTicked(item=body.item, needed=body.needed, clauses=(item.clause,)))
            return None
    items = ", ".join(each.id for each in check_list(desk.document, desk.table.setup))
    return refuse(Refusal.NO_SUCH_CHOICE, choice=body.item, choices=items)


def check_list(document: Document, setup: Setup) -> tuple[EquipmentItem, ...]:
    """The items that are checked before a table opens: of every table, and of its layout."""
    return tuple(item for item in document.equipment if item.layout in (None, setup.layout))


def open_table(desk: Desk) -> Refused | None:
    """Open the table, once its check list is complete, its limits are posted and its method is allowed."""
    items = check_list(desk.document, desk.table.setup)
    missing = [item for item in items if item.id not in desk.table.equipment]
    if missing:
        clauses = tuple(item.clause for item in missing)
        return refuse(Refusal.EQUIPMENT_UNCHECKED, *clauses, items=", ".join(item.id for item in missing))
    unconfirmed = refuse_unconfirmed(desk)
    if unconfirmed:
        return unconfirmed
    setup = desk.table.setup
    posted = {limit.wager for limit in setup.limits if 0 < limit.minimum <= limit.maximum}
    if not set(desk.rulebook.wagers) <= posted or setup.differential < 0:
        return refuse(Refusal.LIMITS_NOT_POSTED, *posting(desk.document))
    by_itself = desk.actor == desk.table.setup.table  # as the house has set it up to do
    grant = None if by_itself else allowing_method(desk.document, desk.table)
    by = desk.authority(grant) if grant else ()
    if isinstance(by, Refused):
        return by
    desk.emit(ev.TableOpened(clauses=by))
    return None


def limit_owners(desk: Desk, body: cmd.LimitOwners) -> Refused | None:
    """Let fewer patrons share a playing area."""
    owners = desk.document.limits.owners_per_area if desk.document.limits else None
    if owners is None:
        return refuse(Refusal.NO_SUCH_CHOICE, choice=str(body.most), choices="-")
    by = desk.authority(owners.fewer)
    if isinstance(by, Refused):
        return by
    if not 1 <= body.most <= owners.most:
        return refuse(Refusal.OWNERS_OUT_OF_RANGE, owners.clause, most=owners.most)
    desk.emit(ev.OwnersLimited(most=body.most, by=desk.actor, clauses=by))
    return None
