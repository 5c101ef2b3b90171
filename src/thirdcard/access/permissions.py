"""An explicit table of who may send which command; nobody may send what is not in it.

The engine or the floor then decides the command: they know the clause and the post behind it.
"""

import datetime
import enum
from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.access.actors import Actor, AtTerminal, ByAccount, OfTable, Staff, Stranger, refuse_account
from thirdcard.access.names import refuse_look
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.decide import is_taken
from thirdcard.floor.standing import FloorRank, needs_second_factor, standing_of_post
from thirdcard.floor.state import Floor, Office, Scope, TableDefinition
from thirdcard.game import commands as cmd
from thirdcard.game.state import Table
from thirdcard.game.table_chips import sum_of
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.house import House, MoneyAct
from thirdcard.staff import Post, stands_at_or_above


class Sender(enum.Enum):
    """As what somebody sends a command to a table; one can be several at once."""

    PATRON = "patron"  # at a terminal of this table, about themselves alone
    TRAINEE = "trainee"  # a patron whose table is for training, on the floor and by its own records
    STAFF = "staff"  # in a post of the house, on duty here or not
    ON_DUTY = "on-duty"  # on duty at this table, or acting
    IN_CHARGE = "in-charge"  # on duty in a post that confirms facts, or a higher one
    ATTENDANT = "attendant"
    CASHIER = "cashier"  # another system, by a service account that sells and cashes out credits
    DEVICE = "device"  # the dealing device and its reader
    TABLE = "table"  # the table by its own clock


PATRON, TRAINEE, STAFF, ON_DUTY, IN_CHARGE, ATTENDANT, CASHIER, DEVICE, TABLE = Sender

MAY_SEND: dict[type[cmd.Body], tuple[Sender, ...]] = {
    cmd.SetUpTable: (TABLE,),
    cmd.TickEquipment: (ON_DUTY, TABLE),
    cmd.RecordConfirmation: (ON_DUTY,),
    cmd.OpenTable: (ON_DUTY, TABLE),
    cmd.PauseTable: (ON_DUTY, TABLE),
    cmd.ResumeTable: (ON_DUTY,),
    cmd.CloseTable: (ON_DUTY,),
    cmd.StopAfterRound: (ON_DUTY,),
    cmd.CancelStop: (ON_DUTY,),
    cmd.ChangeTable: (TABLE,),
    cmd.ComeOnDuty: (STAFF,),
    cmd.GoOffDuty: (STAFF,),
    cmd.AppointActing: (IN_CHARGE,),
    cmd.ComeToTable: (PATRON, ATTENDANT, ON_DUTY),
    cmd.LeaveTable: (PATRON, ATTENDANT, ON_DUTY),
    cmd.BuyCredits: (TRAINEE, ATTENDANT, ON_DUTY, CASHIER),
    cmd.CashOut: (TRAINEE, ATTENDANT, ON_DUTY, CASHIER),
    cmd.ConfirmCredits: (PATRON,),
    cmd.ChangeMethod: (ON_DUTY,),
    cmd.LimitOwners: (ON_DUTY,),
    cmd.LoadShoe: (ON_DUTY, TABLE),
    cmd.CountCards: (ON_DUTY,),
    cmd.OpenShoe: (TABLE,),
    cmd.CutCards: (ON_DUTY, TABLE),
    cmd.BurnCards: (ON_DUTY, DEVICE, TABLE),
    cmd.AnnounceLastHand: (ON_DUTY, TABLE),
    cmd.TakeDevice: (PATRON, ON_DUTY),
    cmd.GiveUpDevice: (PATRON, ON_DUTY),
    cmd.PermitDrawing: (ON_DUTY,),
    cmd.PermitSqueeze: (ON_DUTY,),
    cmd.ForbidSqueeze: (ON_DUTY,),
    cmd.RequestSqueeze: (PATRON, ON_DUTY),
    cmd.OpenBetting: (ON_DUTY, TABLE),
    cmd.PlaceWager: (PATRON, ON_DUTY),
    cmd.ReduceWager: (PATRON, ON_DUTY),
    cmd.HoldMoney: (ON_DUTY,),
    cmd.DecideHeldMoney: (ON_DUTY,),
    cmd.FindWager: (ON_DUTY,),
    cmd.CorrectWager: (ON_DUTY,),
    cmd.CloseBetting: (ON_DUTY, TABLE),
    cmd.DealNow: (PATRON,),
    cmd.AskToDecreaseWagers: (ON_DUTY, TABLE),
    cmd.RemoveWager: (ON_DUTY,),
    cmd.DrawCard: (PATRON, ON_DUTY, DEVICE, TABLE),
    cmd.SeeCuttingCard: (ON_DUTY, DEVICE, TABLE),
    cmd.PassCards: (ON_DUTY, TABLE),
    cmd.ChooseSqueezer: (ON_DUTY,),
    cmd.DeclineCards: (PATRON, ON_DUTY, TABLE),
    cmd.ChooseRevealOrder: (ON_DUTY, TABLE),
    cmd.LookAtCards: (PATRON,),
    cmd.ExposeCards: (PATRON, ON_DUTY, TABLE),
    cmd.AnnounceTotals: (ON_DUTY, TABLE),
    cmd.CallOutcome: (ON_DUTY, TABLE),
    cmd.ReportDeviceResult: (ON_DUTY, DEVICE),
    cmd.DealFreeHand: (ON_DUTY, TABLE),
    cmd.ReportIrregularity: (ON_DUTY, TABLE),
    cmd.ConfirmFacts: (ON_DUTY,),
    cmd.DisproveFacts: (ON_DUTY,),
    cmd.WithdrawReport: (ON_DUTY,),
    cmd.CorrectCard: (ON_DUTY,),
    cmd.Rule: (ON_DUTY,),
    cmd.AnswerOffer: (PATRON, ON_DUTY),
    cmd.EndOffer: (ON_DUTY, TABLE),
    cmd.ReserveCards: (ON_DUTY,),
    cmd.EnterSortedCards: (ON_DUTY,),
    cmd.SubstituteCards: (ON_DUTY,),
    cmd.ChooseCards: (ON_DUTY,),
    cmd.AcknowledgeAlert: (ON_DUTY,),
    cmd.RaiseAlarm: (ON_DUTY, TABLE, DEVICE),
    cmd.OpenDispute: (PATRON, ON_DUTY),
    cmd.EscalateDispute: (ON_DUTY,),
    cmd.GatherInformation: (ON_DUTY,),
    cmd.InformSurveillance: (ON_DUTY,),
    cmd.GiveTimeFrame: (ON_DUTY,),
    cmd.SayNoTimeFrame: (ON_DUTY,),
    cmd.DecideDispute: (ON_DUTY,),
    cmd.AnswerDecision: (PATRON, ON_DUTY),
    cmd.InformInspector: (ON_DUTY,),
    cmd.PayAward: (ON_DUTY,),
    cmd.ConfirmReceipt: (PATRON, ON_DUTY),
    cmd.TellComplaintRight: (ON_DUTY,),
    cmd.FileComplaint: (PATRON, ON_DUTY),
    cmd.ReceiveComplaint: (ON_DUTY,),
    cmd.AnswerComplaint: (ON_DUTY,),
    cmd.CloseDispute: (ON_DUTY,),
    cmd.CountOpener: (ON_DUTY,),
    cmd.FillChips: (ON_DUTY,),
    cmd.ReturnChips: (ON_DUTY,),
    cmd.BuyChips: (ON_DUTY,),
    cmd.VoidSlip: (ON_DUTY,),
    cmd.CountCloser: (ON_DUTY,),
    cmd.CountDrop: (STAFF,),
}

# what somebody may send to the floor as it stands; the rest has digests or secrets in it, which are made here
ANY_STAFF, OWN_TERMINAL = "any-staff", "own-terminal"
MAY_SEND_TO_FLOOR: dict[type[floor_cmd.FloorBody], tuple[str, ...]] = {
    floor_cmd.AddPerson: (),
    floor_cmd.ChangePosts: (ANY_STAFF,),
    floor_cmd.ChangePassword: (),
    floor_cmd.SetSecondFactor: (),
    floor_cmd.LockPerson: (ANY_STAFF,),
    floor_cmd.UnlockPerson: (ANY_STAFF,),
    floor_cmd.SignIn: (),
    floor_cmd.ShowIdentity: (),
    floor_cmd.FailSignIn: (),
    floor_cmd.EndSession: (ANY_STAFF,),
    floor_cmd.EnrolTerminal: (),
    floor_cmd.ClaimTerminal: (),
    floor_cmd.EnableTerminal: (ANY_STAFF,),
    floor_cmd.DisableTerminal: (ANY_STAFF,),
    floor_cmd.OpenPatronSession: (ANY_STAFF, OWN_TERMINAL),
    floor_cmd.ClosePatronSession: (ANY_STAFF, OWN_TERMINAL),
    floor_cmd.ProposeTable: (ANY_STAFF,),
    floor_cmd.ApproveProposal: (ANY_STAFF,),
    floor_cmd.RejectProposal: (ANY_STAFF,),
    floor_cmd.DefineTables: (),
    floor_cmd.BeginSigning: (),
    floor_cmd.AcceptRestore: (),
    floor_cmd.AcceptShelf: (),
    floor_cmd.NoteClockStep: (),
    floor_cmd.AcknowledgeClockStep: (ANY_STAFF,),
    floor_cmd.Disable: (ANY_STAFF,),
    floor_cmd.Enable: (ANY_STAFF,),
    floor_cmd.AddAccount: (),
    floor_cmd.RevokeAccount: (ANY_STAFF,),
    floor_cmd.AddWebhook: (),
    floor_cmd.RemoveWebhook: (ANY_STAFF,),
    floor_cmd.StopWebhook: (),
    floor_cmd.ResumeWebhook: (ANY_STAFF,),
    floor_cmd.NoteDelivered: (),
}

# commands of a patron about one of their own disputes
ABOUT_DISPUTES = (cmd.AnswerDecision, cmd.ConfirmReceipt, cmd.FileComplaint)
# fields in which a command names whom it is about
NAMES_A_PATRON = ("patron", "terminal")
# fields with faces of cards, or with what proves them: at a virtual shoe these come from the shoe alone
FACES: dict[type[cmd.Body], tuple[str, ...]] = {
    cmd.LoadShoe: ("seal",),
    cmd.BurnCards: ("first",),
    cmd.DrawCard: ("card", "together"),
    cmd.ExposeCards: ("cards",),
}

# what a virtual shoe does by itself, since it alone knows its cards
SHOE_COMMANDS = (cmd.LoadShoe, cmd.BurnCards)


class PermissionContext(Struct, frozen=True):
    """Everything that permission depends on: the floor, the table there and as it stands, and the time."""

    houses: tuple[House, ...]
    floor: Floor
    definition: TableDefinition
    table: Table | None
    now: datetime.datetime

    @property
    def house(self) -> House | None:
        """The house of this table."""
        name = self.definition.setup.house
        return next((each for each in self.houses if each.id == name), None)

    @property
    def ladder(self) -> tuple[Post, ...]:
        """The posts of the house of this table, from the lowest up."""
        return self.house.form.posts if self.house else ()

    def posts_here(self, staff: Staff) -> tuple[Post, ...]:
        """Return the posts that somebody holds here now; none where they came in one that they lost since."""
        if self.table is None:
            return ()
        own = (each.post for each in self.table.staff if each.person == staff.name)
        return self.table.posts_at(staff.name, self.now) if set(own) <= set(staff.posts) else ()


class Admission(Struct, frozen=True):
    """A command to a table, bound to its patron, and why it may not be decided, if it may not."""

    command: cmd.Body
    refused: Refused | None = None


def name_of(actor: Actor) -> str:
    """The name under which what somebody sends is judged and recorded."""
    match actor:
        case Staff():
            return actor.name
        case AtTerminal():
            return actor.patron or actor.terminal
        case ByAccount():
            return actor.account
        case OfTable():
            return actor.table
        case Stranger():
            return ""


def admit(context: PermissionContext, actor: Actor, body: cmd.Body) -> Admission:
    """Return a command to a table as it may be decided for this actor, or why it may not."""
    bound = bound_to(actor, body, context.table)
    command = body if isinstance(bound, Refused) else bound
    allowed = MAY_SEND.get(type(body), ())
    if not any(each in allowed for each in as_what(context, actor)):
        return Admission(command, _why_not(actor, allowed))
    if isinstance(bound, Refused):
        return Admission(command, bound)
    rule = _RULES.get(type(body))
    return Admission(command, rule(context, actor, bound) if rule else None)


def may_authorise(context: PermissionContext, first: Actor, second: Staff, body: cmd.Body) -> Refused | None:
    """Why a second person cannot stand behind what the first one sends: the same one, or not on duty here.

    The two who made a service account saw its secret: neither is a second person beside it. A drop box is
    counted by two of the house who need not be on duty at the table.
    """
    if second.name in (name_of(first), *context.floor.makers_of(name_of(first))):
        return refuse(Refusal.SECOND_PERSON_NEEDED)
    if isinstance(body, cmd.CountDrop):
        return _refuse_counters(context, first, second, body)
    return None if context.posts_here(second) else refuse(Refusal.NOT_STAFF)


def _refuse_counters(
    context: PermissionContext, first: Actor, second: Staff, body: cmd.CountDrop
) -> Refused | None:
    """Refuse two people of whom none stands in the post that the house names for a drop box, or above it."""
    house = context.house
    if house is None or STAFF not in as_what(context, second):
        return refuse(Refusal.NOT_PERMITTED)
    post = house.post_for(house.control(MoneyAct.DROP_COUNT), sum_of(body.count))
    held = (*second.posts, *(first.posts if isinstance(first, Staff) else ()))
    stands = any(stands_at_or_above(context.ladder, post=each, required=post) for each in held)
    return None if stands else refuse(Refusal.NOT_AUTHORISED, post=f"@post.{post}")


def refuse_to_floor(actor: Actor, body: floor_cmd.FloorBody) -> Refused | None:
    """Refuse a command to the floor that this actor may not send at all."""
    allowed = MAY_SEND_TO_FLOOR.get(type(body), ())
    if isinstance(actor, Staff) and ANY_STAFF in allowed:
        return None
    if isinstance(actor, AtTerminal) and OWN_TERMINAL in allowed:
        own = getattr(body, "terminal", None) == actor.terminal
        return None if own else refuse(Refusal.NOT_PERMITTED)
    return _why_not(actor, ())


def as_what(context: PermissionContext, actor: Actor) -> set[Sender]:
    """Everything as which somebody can send a command to a table."""
    name = context.definition.setup.table
    match actor:
        case Staff():
            return _staff(context, actor)
        case AtTerminal():
            here = actor.enabled and actor.patron is not None and actor.table == name
            training = actor.training and context.table is not None and context.table.setup.training
            return {PATRON, *((TRAINEE,) if training else ())} if here else set()
        case ByAccount():
            sells = Scope.CREDITS in actor.scopes and not _is_patron(context.table, actor.account)
            return {CASHIER} if sells else set()
        case OfTable():
            return {DEVICE if actor.device else TABLE} if actor.table == name else set()
        case Stranger():
            return set()


def _staff(context: PermissionContext, staff: Staff) -> set[Sender]:
    """Return as what somebody of the staff sends; nobody is staff and patron at once, whoever came first."""
    here = context.posts_here(staff)
    if _is_patron(context.table, staff.name):
        return set()
    found = {STAFF} if any(post in context.ladder for post in staff.posts) else set()
    if here:
        found.add(ON_DUTY)
    if any(standing_of_post(context.houses, post) >= FloorRank.MANAGER for post in here):
        found.add(IN_CHARGE)
    if Office.ATTENDANT.value in staff.posts:
        found.add(ATTENDANT)
    return found


def _is_patron(table: Table | None, name: str) -> bool:
    """Whether a patron of this name is at a table, or has credits there."""
    return table is not None and bool(
        table.credits_of(name) or any(each.name == name for each in table.patrons)
    )


def _why_not(actor: Actor, allowed: tuple[Sender, ...]) -> Refused:
    match actor:
        case Stranger():
            return refuse(Refusal.NOT_SIGNED_IN)
        case AtTerminal() if not actor.enabled:
            return refuse(Refusal.TERMINAL_DISABLED, terminal=actor.terminal)
        case ByAccount():
            return refuse_account(actor, (Scope.CREDITS,) if CASHIER in allowed else ())
        case Staff() if ON_DUTY in allowed:
            return refuse(Refusal.NOT_STAFF)
        case _:
            return refuse(Refusal.NOT_PERMITTED)


# whom a command is about


def bound_to(actor: Actor, body: cmd.Body, table: Table | None) -> cmd.Body | Refused:
    """A command that is about nobody but its patron, at their own place; what others send stays as it is."""
    if not isinstance(actor, AtTerminal):
        return body
    for field in NAMES_A_PATRON:
        named = getattr(body, field, actor.patron)
        if named != actor.patron:
            return refuse(Refusal.NOT_YOURS, patron=str(named))
    if isinstance(body, ABOUT_DISPUTES):
        mine = [each.id for each in table.disputes if each.patron == actor.patron] if table else []
        if body.id not in mine:
            return refuse(Refusal.NO_SUCH_DISPUTE, dispute=body.id)
    if isinstance(body, cmd.DrawCard) and (body.hand or body.together or body.instead):
        return refuse(Refusal.NOT_STAFF)
    return body if actor.position is None else _at_own_place(actor, body)


def _at_own_place(actor: AtTerminal, body: cmd.Body) -> cmd.Body | Refused:
    """A terminal that has a place at the table is used at that place alone."""
    if not hasattr(body, "position"):
        return body
    if body.position not in (None, actor.position):
        return refuse(Refusal.NOT_YOURS, patron=str(actor.patron))
    return replace(body, position=actor.position)


def _about_staff(context: PermissionContext, actor: Actor, body: cmd.Body) -> Refused | None:
    """Posts are taken and given within what the floor says, and nobody is staff and patron at once."""
    match body:
        case cmd.ComeOnDuty() if isinstance(actor, Staff):
            fits = body.person == actor.name and body.post in actor.posts and body.post in context.ladder
            return None if fits else refuse(Refusal.NOT_PERMITTED)
        case cmd.GoOffDuty() if body.person != name_of(actor):
            may = IN_CHARGE in as_what(context, actor) and not _is_senior(context, actor, body.person)
            return None if may else refuse(Refusal.NOT_PERMITTED)
        case cmd.AppointActing() if isinstance(actor, Staff):
            return _acting(context, actor, body)
        case cmd.ComeToTable() if not isinstance(actor, AtTerminal):
            if is_taken(context.floor, body.patron):
                return refuse(Refusal.NAME_TAKEN, name=body.patron)
            here = context.table.patrons if context.table else ()
            return refuse_look(context.floor, body.patron, *(each.name for each in here))
        case cmd.SetUpTable() if body.setup.table != name_of(actor):
            return refuse(Refusal.NOT_PERMITTED)
        case _:
            return None


def _is_senior(context: PermissionContext, actor: Actor, person: str) -> bool:
    """Whether somebody is on duty here in a post above every one that the actor holds."""
    held = context.posts_here(actor) if isinstance(actor, Staff) else ()
    posts = (each.post for each in context.table.staff if each.person == person) if context.table else ()
    ladder = context.ladder
    return any(not any(stands_at_or_above(ladder, post=own, required=post) for own in held) for post in posts)


def _acting(context: PermissionContext, actor: Staff, body: cmd.AppointActing) -> Refused | None:
    """Nobody appoints themselves, nor anybody above themselves, nor to power without a second factor."""
    person = context.floor.person(body.person)
    if body.person == actor.name:
        return refuse(Refusal.SECOND_PERSON_NEEDED)
    if person is None or person.locked is not None:
        return refuse(Refusal.NO_SUCH_PERSON, name=body.person)
    held, ladder = context.posts_here(actor), context.ladder
    if not any(stands_at_or_above(ladder, post=post, required=body.post) for post in held):
        return refuse(Refusal.NOT_PERMITTED)
    if needs_second_factor(context.houses, (body.post,)) and person.second_factor is None:
        return refuse(Refusal.SECOND_FACTOR_NEEDED, name=body.person)
    return None


def _about_alerts(context: PermissionContext, actor: Actor, body: cmd.AcknowledgeAlert) -> Refused | None:
    """The two who made a service account do not acknowledge what it did: it is as if they had."""
    unseen = context.table.unseen if context.table and body.act else ()
    acts = (each for each in unseen if each.id == body.act)
    own = any(name_of(actor) in context.floor.makers_of(name) for act in acts for name in act.people)
    return refuse(Refusal.SECOND_PERSON_NEEDED) if own else None


def _about_cards(context: PermissionContext, actor: Actor, body: cmd.Body) -> Refused | None:
    """Patrons never name cards; at a virtual shoe nobody does but the table itself."""
    if isinstance(actor, OfTable) or not (context.definition.virtual_shoe or isinstance(actor, AtTerminal)):
        return None
    if context.definition.virtual_shoe and isinstance(body, SHOE_COMMANDS):
        return refuse(Refusal.NOT_PERMITTED)
    named = any(getattr(body, field, None) for field in FACES.get(type(body), ()))
    return refuse(Refusal.NOT_PERMITTED) if named else None


def _about_dealing(context: PermissionContext, _actor: Actor, _body: cmd.Body) -> Refused | None:
    """A patron has cards dealt only where the table does it by itself, from a virtual shoe."""
    by_itself = context.definition.automatic_dealer and context.definition.virtual_shoe
    return None if by_itself else refuse(Refusal.NOT_PERMITTED)


# commands about which more is to be asked than as what somebody sends them
_RULES: dict[type[cmd.Body], Callable[[PermissionContext, Actor, Any], Refused | None]] = {
    cmd.ComeOnDuty: _about_staff,
    cmd.GoOffDuty: _about_staff,
    cmd.AppointActing: _about_staff,
    cmd.ComeToTable: _about_staff,
    cmd.SetUpTable: _about_staff,
    cmd.DealNow: _about_dealing,
    cmd.AcknowledgeAlert: _about_alerts,
    **dict.fromkeys(FACES, _about_cards),
}
