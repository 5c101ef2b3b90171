"""Setting up, opening, staffing and closing a table; its cards; credits at terminals."""

import datetime

from msgspec.structs import replace

from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.alarm_kinds import Alarm, AlarmKind
from thirdcard.game.approvals import refuse_unconfirmed
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.shoe_clauses import (
    clauses_of_choice,
    clauses_of_played_out,
    refuse_new_cards_due,
    shuffled_by,
)
from thirdcard.game.state import Device, Phase, Setup, Table
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import Area, FreeHand, Method
from thirdcard.rulebook.procedure import EquipmentItem, Grant, MethodOfDealing
from thirdcard.rulebook.shelf import may_open
from thirdcard.staff import Post

CARDS_IN_A_DECK = 52


def set_up_anew(desk: Desk, body: cmd.SetUpTable) -> Refused | None:
    """Make another table of one that is shut and owes nobody, by the books that it will have.

    Only the table itself does it, once people have agreed. Whoever will have no place or post leaves before.
    """
    table, setup = desk.table, body.setup
    if {desk.actor, setup.table} != {table.setup.table}:
        return refuse(Refusal.NOT_PERMITTED)
    if any(each.credits for each in table.credits):
        return refuse(Refusal.CREDITS_REMAIN)
    if table.held:
        return refuse(Refusal.MONEY_IS_HELD)
    refused = refuse_set_up(desk.rulebook, desk.house, body, desk.envelope.received_at)
    refused = refused or _kept(table) or still_sealed(desk)
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
        or _decks(document, setup.decks)
        or _device(document, setup)
        or _method(document, setup, command.method)
    )


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


def _decks(document: Document, decks: int) -> Refused | None:
    rule = document.decks
    if rule.least <= decks <= rule.most:
        return None
    clauses = (rule.clause,) if rule.clause else ()
    return refuse(Refusal.DECKS_NOT_PERMITTED, *clauses, decks=decks, least=rule.least, most=rule.most)


def _device(document: Document, setup: Setup) -> Refused | None:
    """A document whose equipment names a card-reading shoe needs one at every table."""
    for item in document.equipment:
        if item.id == "card-reading-shoe" and setup.device is not Device.CARD_READING:
            return refuse(Refusal.DEVICE_NOT_SUITABLE, item.clause, needed=Device.CARD_READING.value)
    return None


def _method(document: Document, setup: Setup, method: Method | None) -> Refused | None:
    if method is None:
        return None
    found = find_method(document, method)
    if found is None:
        return refuse(Refusal.METHOD_NOT_OFFERED, method=method.value)
    return suits(document, found, setup.area, setup.device)


def find_method(document: Document, method: Method) -> MethodOfDealing | None:
    """A method of dealing as the document has it."""
    for each in document.methods.method if document.methods else ():
        if each.id is method:
            return each
    return None


def suits(document: Document, method: MethodOfDealing, area: Area, device: Device) -> Refused | None:
    """Why a method cannot be used at a table of this area with this device."""
    if area not in method.areas:
        rooms = document.authority.high_limit_area
        clauses = (method.chosen_by.clause, *((rooms.clause,) if rooms else ()))
        return refuse(Refusal.METHOD_NOT_IN_THIS_AREA, *clauses, method=method.id.value)
    if method.device == "card-reading" and device is not Device.CARD_READING:
        return refuse(Refusal.DEVICE_NOT_SUITABLE, method.drawn_clause, needed=Device.CARD_READING.value)
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
    setup, limits = desk.table.setup, desk.document.limits
    posted = {limit.wager for limit in setup.limits if 0 < limit.minimum <= limit.maximum}
    if not set(desk.rulebook.wagers) <= posted or setup.differential < 0:
        return refuse(Refusal.LIMITS_NOT_POSTED, *((limits.posted,) if limits else ()))
    by_itself = desk.actor == desk.table.setup.table  # as the house has set it up to do
    grant = None if by_itself else allowing_method(desk.document, desk.table)
    by = desk.authority(grant) if grant else ()
    if isinstance(by, Refused):
        return by
    desk.emit(ev.TableOpened(clauses=by))
    return None


def allowing_method(document: Document, table: Table) -> Grant | None:
    """Return the post that must allow patrons to draw for money before the table opens."""
    real = table.method is Method.C and not table.setup.training
    method = find_method(document, Method.C) if real else None
    return method.chosen_by if method else None


def come_on_duty(desk: Desk, body: cmd.ComeOnDuty) -> Refused | None:
    """Somebody comes on duty in a post of the house."""
    refused = _post(desk, body.post)
    if refused:
        return refused
    desk.emit(ev.StaffCame(person=body.person, post=body.post))
    return None


def appoint_acting(desk: Desk, body: cmd.AppointActing) -> Refused | None:
    """Somebody acts in a post of the house for a time."""
    refused = _post(desk, body.post)
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


def change_method(desk: Desk, body: cmd.ChangeMethod) -> Refused | None:
    """Change the method of dealing between rounds, by the post that the method belongs to."""
    method = find_method(desk.document, body.method)
    if method is None or desk.document.methods is None:
        return refuse(Refusal.METHOD_NOT_OFFERED, method=body.method.value)
    by = desk.authority(method.chosen_by)
    if isinstance(by, Refused):
        return by
    refused = suits(desk.document, method, desk.table.setup.area, desk.table.setup.device)
    if refused:
        return refused
    area = desk.document.authority.high_limit_area
    room = (area.clause,) if area and body.method is Method.C else ()
    clauses = (*by, desk.document.methods.clause, *room)
    desk.emit(ev.MethodChanged(method=body.method, by=desk.actor, clauses=clauses))
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


def load_shoe(desk: Desk, body: cmd.LoadShoe) -> Refused | None:
    """Load new cards; while a shoe is in use only the post that decides on new cards may.

    Without a void or another reason a shoe that must be finished is kept. With wagers down new cards come
    only because these must go.
    """
    clause = desk.document.decks.clause
    clauses = (clause,) if clause else ()
    refused = (
        _fit_for_a_shoe(desk.document, body, clauses)
        or may_replace_cards(desk)
        or _with_wagers_down(desk.table)
        or _free_hand_first(desk.table)
        or _kept(desk.table)
        or still_sealed(desk)
    )
    if refused:
        return refused
    cards = body.decks * CARDS_IN_A_DECK
    if body.seal is not None and body.seal.cards != cards:
        return refuse(Refusal.WRONG_NUMBER_OF_CARDS, *clauses, needed=cards)
    number = desk.table.shoes + 1
    loaded = ev.ShoeLoaded(
        number=number,
        decks=body.decks,
        cards=cards,
        seal=body.seal,
        shuffle=body.shuffle,
        clauses=(*clauses, *shuffled_by(desk.document)) if body.shuffle else clauses,
    )
    gone = dict.fromkeys(each.clause for each in desk.table.free_hands if each.places)
    desk.emit(loaded)
    if body.shuffle is None and body.seal is None and desk.house.form.settings.shuffle_record == "required":
        alarm = Alarm(AlarmKind.NO_SHUFFLE_RECORD)
        desk.emit(ev.AlarmRaised(alarm=alarm, by=desk.actor, clauses=shuffled_by(desk.document)))
    for each in gone:
        desk.emit(no_free_hand(each))
    return None


def no_free_hand(clause: Clause) -> ev.EffectCarriedOut:
    """Say that a free hand is not given, because the cards that were to begin it do not wait any more."""
    tag = str(FreeHand.__struct_config__.tag)
    return ev.EffectCarriedOut(effect=tag, done=False, lapsed=True, clauses=(clause,))


def _fit_for_a_shoe(document: Document, body: cmd.LoadShoe, clauses: tuple[Clause, ...]) -> Refused | None:
    refused = _decks(document, body.decks)
    if refused:
        return refused
    if body.jokers:
        return refuse(Refusal.JOKERS_NOT_PERMITTED, *clauses)
    if not body.same_backs:
        return refuse(Refusal.BACKS_MUST_BE_ALIKE, *clauses)
    return None


def may_replace_cards(desk: Desk) -> Refused | None:
    """Anybody on duty, and the table itself, where no shoe is in use; else who decides on new cards."""
    if not desk.is_staff(desk.actor):
        return refuse(Refusal.NOT_STAFF)
    shoe = desk.table.shoe
    if (
        shoe is None
        or shoe.opened
        or shoe.doubted_by is not None
        or shoe.rounds_left == 0
        or shoe.left == 0
        or shoe.new_cards_due
    ):
        return None
    return desk.house_authority(desk.house.form.new_cards_decided_by)


def still_sealed(desk: QueryDesk) -> Refused | None:
    """A sealed shoe is laid open before anything takes its place, so that none is ever put away unseen."""
    shoe = desk.table.shoe
    sealed = shoe is not None and shoe.seal is not None and not shoe.opened
    return refuse(Refusal.SHOE_NOT_OPENED) if sealed else None


def _with_wagers_down(table: Table) -> Refused | None:
    shoe = table.shoe
    between = table.phase in (Phase.SHUT, Phase.IDLE)
    due = shoe is not None and (shoe.new_cards_due or shoe.doubted_by is not None)
    if between or due:
        return None
    return refuse(Refusal.NOT_IN_THIS_PHASE, phase=f"@phase.{table.phase.value}")


def _free_hand_first(table: Table) -> Refused | None:
    """A free hand that is owed is dealt from this shoe, unless its cards must go."""
    shoe = table.shoe
    owed = table.free_hand_by is not None and shoe is not None and shoe.left > 0
    if not owed or shoe is None or shoe.new_cards_due or shoe.doubted_by is not None:
        return None
    return refuse(Refusal.FREE_HAND_DUE, *((table.free_hand_by,) if table.free_hand_by else ()))


def _kept(table: Table) -> Refused | None:
    """A shoe that a clause keeps is played to its end, unless another asks for new cards."""
    shoe = table.shoe
    if shoe is None or shoe.keep_by is None or shoe.doubted_by is not None:
        return None
    if shoe.new_cards_due or shoe.rounds_left == 0:
        return None
    return refuse(Refusal.SHOE_IS_KEPT, shoe.keep_by)


def open_shoe(desk: Desk, body: cmd.OpenShoe) -> Refused | None:
    """Lay a sealed shoe open, which ends it; before its end only the post that decides on new cards may."""
    shoe = desk.table.shoe
    refused = may_replace_cards(desk) or _with_wagers_down(desk.table)
    if refused:
        return refused
    if shoe is None:
        return refuse(Refusal.NO_CARDS_LOADED)
    if shoe.seal is None or shoe.opened:
        return refuse(Refusal.NOT_AWAITED)
    kept = _kept(desk.table)
    if kept:
        return kept
    if len(body.order) != shoe.seal.cards:
        return refuse(Refusal.WRONG_NUMBER_OF_CARDS, needed=shoe.seal.cards)
    desk.emit(ev.ShoeOpened(number=shoe.number, order=body.order, secret=body.secret))
    return None


def cut_cards(desk: Desk, body: cmd.CutCards) -> Refused | None:
    """Cut the cards before the first one leaves the shoe; a sealed shoe is cut once."""
    shoe = desk.table.shoe
    if shoe is None:
        return refuse(Refusal.NO_CARDS_LOADED)
    cards = tuple(item.clause for item in desk.document.equipment if item.id == "cutting-card")
    if shoe.places.faces or (shoe.seal is not None and shoe.cut_depth is not None):
        return refuse(Refusal.NOT_AWAITED, *cards)
    most = shoe.decks * CARDS_IN_A_DECK - 1
    if not 1 <= body.depth <= most:
        return refuse(Refusal.CUT_OUT_OF_RANGE, *cards, most=most)
    desk.emit(ev.CardsCut(by=desk.actor, depth=body.depth, clauses=cards))
    return None


def not_cut(desk: QueryDesk) -> Refused | None:
    """A sealed shoe is cut before a card is taken from it, so that nobody can have chosen its first card."""
    shoe = desk.table.shoe
    uncut = shoe is not None and shoe.seal is not None and shoe.cut_depth is None and not shoe.rounds
    return refuse(Refusal.CARDS_NOT_CUT) if uncut else None


def is_here(desk: QueryDesk, patron: str) -> bool:
    """Whether a patron is at the table."""
    found = desk.table.patron(patron)
    return found is not None and not found.gone


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


def about_credits(desk: QueryDesk) -> tuple[Clause, ...]:
    """The clause about credits, where the document knows any."""
    clause = desk.document.round.credits
    return (clause,) if clause else ()


def may_begin(desk: QueryDesk) -> Refused | None:
    """Why no round can begin with these cards."""
    table, shoe = desk.table, desk.table.shoe
    if shoe is None:
        return refuse(Refusal.NO_CARDS_LOADED)
    if shoe.new_cards_due:
        return refuse_new_cards_due(shoe)
    if shoe.doubted_by is not None:
        return refuse(Refusal.CARDS_IN_DOUBT, shoe.doubted_by)
    if shoe.patrons_choose:
        return refuse(Refusal.PATRONS_CHOOSE_CARDS, *clauses_of_choice(desk))
    if shoe.rounds_left == 0 or (shoe.left == 0 and not table.strays):
        return refuse(Refusal.SHOE_PLAYED_OUT, *clauses_of_played_out(desk))
    assert table.phase is Phase.IDLE
    return not_cut(desk)
