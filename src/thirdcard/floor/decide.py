"""The decisions about commands to the floor: what follows from each, and who may give it."""

import datetime
import re
from typing import assert_never

from thirdcard.floor import commands as cmd
from thirdcard.floor import events as ev
from thirdcard.floor.standing import (
    COMMAND_LINE,
    SERVER,
    FloorRank,
    known_posts,
    needs,
    needs_second_factor,
    refuse_acting_on,
    refuse_terminal_alone,
    standing_of,
)
from thirdcard.floor.state import (
    FEED_SCOPES,
    LONGEST_ACCOUNT,
    MOST_WEBHOOKS,
    ClockStep,
    DayPlan,
    Disabled,
    Floor,
    Person,
    Proposal,
    Scope,
    ServiceAccount,
    Session,
    TableDefinition,
    Terminal,
    Webhook,
)
from thirdcard.game.commands import Envelope
from thirdcard.game.set_up import refuse_limits
from thirdcard.game.table_setup import Device
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.house import House
from thirdcard.spelling import folded
from thirdcard.staff import Post

RESERVED = (COMMAND_LINE, SERVER, "floor")  # nobody and nothing can have these names
LONGEST_NAME = 64
LONGEST_ADDRESS = 500
_WEB_ADDRESS = re.compile(r"https?://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(:[0-9]{1,5})?(/[!-\"$-;=?-~]*)?")
FloorDecision = tuple[ev.FloorEvent, ...] | Refused


def decide(houses: tuple[House, ...], floor: Floor, command: cmd.FloorCommand) -> FloorDecision:  # noqa: C901, PLR0911, PLR0912
    """The events that follow from a command, or why none do."""
    body, envelope = command.body, command.envelope
    standing = standing_of(houses, floor, envelope.actor)
    needed = needs(floor, body, envelope.actor)
    if standing < needed:
        return refuse(Refusal.NOT_PERMITTED)
    refused = refuse_acting_on(houses, floor, body, envelope) or refuse_terminal_alone(
        houses, floor, body, envelope
    )
    if refused:
        return refused
    if isinstance(body, cmd.OtherSystem):
        return _other_system(houses, floor, body, envelope)
    match body:
        case cmd.SignIn():
            return _sign_in(floor, body, envelope)
        case cmd.ShowIdentity():
            shown = ev.IdentityShown(
                name=body.name, console=body.console, step=body.step, address=body.address
            )
            return _not_oneself(floor, body, envelope) or (shown,)
        case cmd.FailSignIn():
            return _fail(body, envelope)
        case cmd.EndSession():
            return _end_session(floor, body)
        case cmd.AddPerson():
            return _add_person(houses, floor, body)
        case cmd.ChangePosts():
            return _change_posts(houses, floor, body)
        case cmd.ChangePassword():
            changed = ev.PasswordChanged(name=body.name, password=body.password)
            return _about(floor, body.name) or (changed, *_ended(floor, body.name, "password-changed"))
        case cmd.SetSecondFactor():
            given = ev.SecondFactorSet(name=body.name, second_factor=body.second_factor)
            return _about(floor, body.name) or (given, *_ended(floor, body.name, "second-factor-changed"))
        case cmd.LockPerson():
            return _about(floor, body.name) or _lock(floor, body.name, body.reason)
        case cmd.UnlockPerson():
            return _about(floor, body.name) or (ev.PersonUnlocked(name=body.name),)
        case cmd.EnrolTerminal() | cmd.ClaimTerminal():
            return _enrolment(floor, body, envelope)
        case cmd.EnableTerminal() | cmd.DisableTerminal():
            return _switch(floor, body)
        case cmd.OpenPatronSession() | cmd.ClosePatronSession():
            return _patron_session(floor, body)
        case cmd.ProposeTable():
            return _propose(floor, body, envelope)
        case cmd.ApproveProposal() | cmd.RejectProposal():
            return _judge(floor, body, envelope)
        case cmd.DefineTables():
            return _define(floor, body, envelope)
        case cmd.BeginSigning():
            return (ev.SigningBegan(ends=body.ends),)
        case cmd.AcceptRestore():
            return _accept_restore(houses, floor, body, envelope)
        case cmd.AcceptShelf():
            return _accept_shelf(houses, floor, body, envelope)
        case cmd.NoteClockStep():
            return (ev.ClockSet(step=ClockStep(envelope.received_at, body.microseconds, body.run)),)
        case cmd.AcknowledgeClockStep():
            if all((each.at, each.run) != (body.at, body.run) for each in floor.clock_steps):
                return refuse(Refusal.NOT_AWAITED)
            return (ev.ClockStepAcknowledged(at=body.at, run=body.run, by=envelope.actor),)
        case cmd.Disable() | cmd.Enable():
            return _disable(floor, body, envelope)
        case _:
            assert_never(body)


def _disable(floor: Floor, body: cmd.Disable | cmd.Enable, envelope: Envelope) -> FloorDecision:
    if isinstance(body, cmd.Disable):
        return (ev.WasDisabled(disabled=Disabled(body.table, envelope.actor, body.reason)),)
    if all(each.table != body.table for each in floor.disabled):
        return refuse(Refusal.NOT_AWAITED)
    return (ev.WasEnabled(table=body.table),)


def _other_system(
    houses: tuple[House, ...], floor: Floor, body: cmd.OtherSystem, envelope: Envelope
) -> FloorDecision:
    """Let other systems in or out, and post to them."""
    match body:
        case cmd.AddAccount():
            return _add_account(houses, floor, body, envelope)
        case cmd.RevokeAccount():
            account = floor.account(body.name)
            if account is None or account.ended is not None:
                return refuse(Refusal.NO_SUCH_ACCOUNT, name=body.name)
            return (ev.AccountRevoked(name=body.name, reason=body.reason, by=envelope.actor),)
        case cmd.AddWebhook():
            return _add_webhook(houses, floor, body, envelope)
        case _:
            return _webhook(floor, body, envelope)


def _add_webhook(
    houses: tuple[House, ...], floor: Floor, body: cmd.AddWebhook, envelope: Envelope
) -> FloorDecision:
    """Two people set up a webhook, or one at the machine."""
    machine = envelope.actor == COMMAND_LINE
    second = None if machine else _second_of_two(houses, floor, envelope)
    if second is None and not machine:
        return refuse(Refusal.SECOND_PERSON_NEEDED)
    if not _is_name(body.name) or floor.webhook(body.name) is not None:
        return refuse(Refusal.NAME_TAKEN, name=body.name)
    seen = set(body.scopes) <= set(FEED_SCOPES) and Scope.TABLES in body.scopes
    if not seen or not is_web_address(body.url) or len(floor.webhooks) >= MOST_WEBHOOKS:
        return refuse(Refusal.WEBHOOK_NOT_POSSIBLE, most=MOST_WEBHOOKS)
    webhook = Webhook(
        name=body.name,
        url=body.url,
        scopes=tuple(each for each in FEED_SCOPES if each in body.scopes),
        secret=body.secret,
        by=envelope.actor,
        second=second,
        after=body.after,
    )
    return (ev.WebhookAdded(webhook=webhook),)


def _webhook(
    floor: Floor,
    body: cmd.RemoveWebhook | cmd.StopWebhook | cmd.ResumeWebhook | cmd.NoteDelivered,
    envelope: Envelope,
) -> FloorDecision:
    webhook = floor.webhook(body.name)
    if webhook is None:
        return refuse(Refusal.NO_SUCH_WEBHOOK, name=body.name)
    match body:
        case cmd.RemoveWebhook():
            return (ev.WebhookRemoved(name=body.name, reason=body.reason, by=envelope.actor),)
        case cmd.ResumeWebhook() if webhook.stopped is not None:
            return (ev.WebhookResumed(name=body.name, by=envelope.actor),)
        case cmd.StopWebhook() if webhook.stopped is None:
            return (ev.WebhookStopped(name=body.name, reason=body.reason, after=body.after),)
        case cmd.NoteDelivered() if webhook.stopped is None:
            return (ev.FeedsDelivered(name=body.name, after=body.after),)
        case _:
            return refuse(Refusal.NOT_AWAITED)


def is_web_address(url: str) -> bool:
    """Whether something can be posted to an address: http or https, a host, and nothing secret in it."""
    return _WEB_ADDRESS.fullmatch(url) is not None and len(url) <= LONGEST_ADDRESS


def _add_account(
    houses: tuple[House, ...], floor: Floor, body: cmd.AddAccount, envelope: Envelope
) -> FloorDecision:
    """Two people make a service account, or one at the machine; the name of one that is over is free."""
    machine = envelope.actor == COMMAND_LINE
    second = None if machine else _second_of_two(houses, floor, envelope)
    if second is None and not machine:
        return refuse(Refusal.SECOND_PERSON_NEEDED)
    before = floor.account(body.name)
    again = before is not None and before.ended is not None
    if not again and (is_taken(floor, body.name) or folded(body.name) in _patrons(floor)):
        return refuse(Refusal.NAME_TAKEN, name=body.name)
    if not body.scopes or not 0 < body.days <= LONGEST_ACCOUNT:
        scopes = ", ".join(each.value for each in Scope)
        return refuse(Refusal.ACCOUNT_INCOMPLETE, scopes=scopes, most=LONGEST_ACCOUNT)
    account = ServiceAccount(
        name=body.name,
        scopes=tuple(each for each in Scope if each in body.scopes),
        token=body.token,
        since=envelope.received_at,
        ends=envelope.received_at + datetime.timedelta(days=body.days),
        by=envelope.actor,
        second=second,
    )
    return (ev.AccountAdded(account=account),)


def _accept_restore(
    houses: tuple[House, ...], floor: Floor, body: cmd.AcceptRestore, envelope: Envelope
) -> FloorDecision:
    """Records are given up by two people."""
    second = _second_of_two(houses, floor, envelope)
    if second is None:
        return refuse(Refusal.SECOND_PERSON_NEEDED)
    accepted = ev.RestoreAccepted(
        by=envelope.actor, second=second, reason=body.reason, lost=body.lost, kept=body.kept
    )
    return (accepted,)


def _accept_shelf(
    houses: tuple[House, ...], floor: Floor, body: cmd.AcceptShelf, envelope: Envelope
) -> FloorDecision:
    """A shelf is accepted by two people, and by the server as long as no money was ever real."""
    second = _second_of_two(houses, floor, envelope)
    if second is None and (envelope.actor != SERVER or floor.real):
        return refuse(Refusal.SECOND_PERSON_NEEDED)
    return (ev.ShelfAccepted(files=body.files, by=envelope.actor, second=second),)


def _second_of_two(houses: tuple[House, ...], floor: Floor, envelope: Envelope) -> str | None:
    """The second person, in charge of something, of two of whom the first has one of the highest posts."""
    second = envelope.authoriser
    two = second is not None and second != envelope.actor
    people = all(name is not None and floor.person(name) for name in (envelope.actor, second))
    if second is None or not (two and people) or standing_of(houses, floor, second) < FloorRank.MANAGER:
        return None
    return second


def is_taken(floor: Floor, name: str) -> bool:
    """Whether a name cannot be given: it is no name, or a person, table, terminal, account or we have it.

    Commands are recorded and judged by the name of who gives them, so no two of these may share one.
    """
    others = (
        *RESERVED,
        *(each.name for each in floor.people),
        *(each.setup.table for each in floor.tables),
        *(each.id for each in floor.terminals),
        *(each.name for each in floor.accounts),
    )
    return not _is_name(name) or folded(name) in map(folded, others)


def _is_name(name: str) -> bool:
    return name.isprintable() and name == name.strip() and 0 < len(name) <= LONGEST_NAME


def _patrons(floor: Floor, table: str | None = None) -> tuple[str, ...]:
    """The patrons who use terminals, of one table or of all, as names are compared."""
    here = (each for each in floor.terminals if table in (None, each.table))
    return tuple(folded(each.patron) for each in here if each.patron)


def _about(floor: Floor, name: str) -> Refused | None:
    return None if floor.person(name) else refuse(Refusal.NO_SUCH_PERSON, name=name)


def _posts(houses: tuple[House, ...], posts: tuple[Post, ...]) -> Refused | None:
    known = known_posts(houses)
    unknown = [post for post in posts if post not in known]
    if unknown or not posts:
        return refuse(Refusal.NO_SUCH_POST, post=", ".join(unknown), posts=", ".join(sorted(known)))
    return None


def _add_person(houses: tuple[House, ...], floor: Floor, body: cmd.AddPerson) -> FloorDecision:
    if is_taken(floor, body.name) or folded(body.name) in _patrons(floor):
        return refuse(Refusal.NAME_TAKEN, name=body.name)
    refused = _posts(houses, body.posts)
    if refused:
        return refused
    if needs_second_factor(houses, body.posts) and body.second_factor is None:
        return refuse(Refusal.SECOND_FACTOR_NEEDED, name=body.name)
    person = Person(
        name=body.name, posts=body.posts, password=body.password, second_factor=body.second_factor
    )
    return (ev.PersonAdded(person=person),)


def _change_posts(houses: tuple[House, ...], floor: Floor, body: cmd.ChangePosts) -> FloorDecision:
    person = floor.person(body.name)
    if person is None:
        return refuse(Refusal.NO_SUCH_PERSON, name=body.name)
    refused = _posts(houses, body.posts)
    if refused:
        return refused
    if needs_second_factor(houses, body.posts) and person.second_factor is None:
        return refuse(Refusal.SECOND_FACTOR_NEEDED, name=body.name)
    return (ev.PostsChanged(name=body.name, before=person.posts, posts=body.posts),)


def _not_oneself(floor: Floor, body: cmd.SignIn | cmd.ShowIdentity, envelope: Envelope) -> Refused | None:
    """Why somebody does not count as who they say: locked, or with a code that was used before."""
    person = floor.person(body.name)
    if person is None or body.name != envelope.actor:
        return refuse(Refusal.NO_SUCH_PERSON, name=body.name)
    if person.locked is not None:
        return refuse(Refusal.PERSON_LOCKED)
    if body.step is not None and person.has_used(body.step):
        return refuse(Refusal.WRONG_CODE)
    return None


def _sign_in(floor: Floor, body: cmd.SignIn, envelope: Envelope) -> FloorDecision:
    opened = Session(body.session, body.name, envelope.received_at, body.console)
    signed_in = ev.SignedIn(session=opened, step=body.step, address=body.address)
    return _not_oneself(floor, body, envelope) or (signed_in,)


def _fail(body: cmd.FailSignIn, envelope: Envelope) -> FloorDecision:
    """A failure is counted; it locks nobody out, and ends no session."""
    return (ev.SignInFailed(name=body.name, console=body.console, at=envelope.received_at),)


def _lock(floor: Floor, name: str, reason: str) -> tuple[ev.FloorEvent, ...]:
    return (ev.PersonLocked(name=name, reason=reason), *_ended(floor, name, "locked"))


def _ended(floor: Floor, name: str, reason: str) -> tuple[ev.SessionEnded, ...]:
    """The ends of all sessions of a person."""
    own = (each.id for each in floor.sessions if each.person == name)
    return tuple(ev.SessionEnded(session=each, reason=reason) for each in own)


def _end_session(floor: Floor, body: cmd.EndSession) -> FloorDecision:
    if floor.session(body.session) is None:
        return refuse(Refusal.NO_SUCH_SESSION)
    return (ev.SessionEnded(session=body.session, reason=body.reason),)


def _enrolment(
    floor: Floor, body: cmd.EnrolTerminal | cmd.ClaimTerminal, envelope: Envelope
) -> FloorDecision:
    if isinstance(body, cmd.EnrolTerminal):
        if floor.table(body.table) is None:
            return refuse(Refusal.NO_SUCH_TABLE)
        anew = floor.terminal(body.terminal) is not None
        if not anew and (is_taken(floor, body.terminal) or folded(body.terminal) in _patrons(floor)):
            return refuse(Refusal.NAME_TAKEN, name=body.terminal)
        expected = Terminal(
            id=body.terminal,
            table=body.table,
            position=body.position,
            code=body.code,
            code_ends=body.code_ends,
        )
        return (ev.TerminalExpected(terminal=expected),)
    terminal = floor.terminal(body.terminal)
    right = (
        terminal is not None
        and terminal.code == body.code
        and terminal.code_ends is not None
        and envelope.received_at < terminal.code_ends
    )
    if not right:
        return refuse(Refusal.WRONG_CODE)
    return (ev.TerminalEnrolled(terminal=body.terminal, token=body.token),)


def _switch(floor: Floor, body: cmd.EnableTerminal | cmd.DisableTerminal) -> FloorDecision:
    if floor.terminal(body.terminal) is None:
        return refuse(Refusal.NO_SUCH_TERMINAL, terminal=body.terminal)
    if isinstance(body, cmd.EnableTerminal):
        return (ev.TerminalEnabled(terminal=body.terminal),)
    return (ev.TerminalDisabled(terminal=body.terminal, reason=body.reason),)


def _patron_session(floor: Floor, body: cmd.OpenPatronSession | cmd.ClosePatronSession) -> FloorDecision:
    terminal = floor.terminal(body.terminal)
    if terminal is None or terminal.token is None:
        return refuse(Refusal.NO_SUCH_TERMINAL, terminal=body.terminal)
    if isinstance(body, cmd.ClosePatronSession):
        if terminal.patron is None:
            return refuse(Refusal.NOT_AWAITED)
        return (ev.PatronSessionClosed(terminal=terminal.id, patron=terminal.patron),)
    if not terminal.enabled:
        return refuse(Refusal.TERMINAL_DISABLED, terminal=terminal.id)
    here = folded(body.patron) in _patrons(floor, terminal.table)
    if terminal.patron is not None or here or is_taken(floor, body.patron):
        return refuse(Refusal.NAME_TAKEN, name=body.patron)
    return (ev.PatronSessionOpened(terminal=terminal.id, patron=body.patron),)


def refuse_definition(floor: Floor, definition: TableDefinition) -> Refused | None:
    """Refuse a table that the floor cannot have, whoever defines it.

    It has a name of its own and limits that a wager can keep; a virtual shoe and an automatic dealer at a
    live game are for training only.
    """
    name = definition.setup.table
    if floor.table(name) is None and (is_taken(floor, name) or folded(name) in _patrons(floor)):
        return refuse(Refusal.NAME_TAKEN, name=name)
    at_terminals = definition.setup.terminal or definition.setup.training
    if (definition.virtual_shoe or definition.automatic_dealer) and not at_terminals:
        return refuse(Refusal.TRAINING_ONLY, table=definition.setup.table)
    if definition.reader is not None and definition.setup.device is not Device.CARD_READING:
        return refuse(Refusal.DEVICE_NOT_SUITABLE, needed=Device.CARD_READING.value)
    return refuse_limits(definition.setup)


def _propose(floor: Floor, body: cmd.ProposeTable, envelope: Envelope) -> FloorDecision:
    if floor.table(body.definition.setup.table) == body.definition:
        return refuse(Refusal.NOTHING_CHANGES)
    proposal = Proposal(floor.proposed + 1, envelope.actor, body.definition)
    return refuse_definition(floor, body.definition) or (ev.TableProposed(proposal=proposal),)


def _judge(floor: Floor, body: cmd.ApproveProposal | cmd.RejectProposal, envelope: Envelope) -> FloorDecision:
    proposal = next((each for each in floor.proposals if each.id == body.id), None)
    if proposal is None:
        return refuse(Refusal.NO_SUCH_PROPOSAL)
    if isinstance(body, cmd.RejectProposal):
        return (ev.ProposalRejected(id=body.id),)
    if proposal.by == envelope.actor:
        return refuse(Refusal.SECOND_PERSON_NEEDED)
    # its name may have been given to somebody else since
    return refuse_definition(floor, proposal.definition) or (
        _defined(floor, proposal.definition, proposal.id),
    )


def _define(floor: Floor, body: cmd.DefineTables, envelope: Envelope) -> FloorDecision:
    """Define the tables and the gaming day of a floor file; what it leaves as it is makes no event."""
    for definition in body.tables:
        refused = refuse_definition(floor, definition)
        if refused:
            return refused
    changed = (each for each in body.tables if floor.table(each.setup.table) != each)
    defined = tuple(_defined(floor, each, None) for each in changed)
    read = ev.FloorFileRead(file=body.file, digest=body.digest)
    now = floor.day_plans[-1].day if floor.day_plans else None
    if body.day is None or body.day == now:
        return (read, *defined)
    return (read, ev.GamingDaySet(plan=DayPlan(body.day, envelope.received_at)), *defined)


def _defined(floor: Floor, definition: TableDefinition, proposal: int | None) -> ev.TableDefined:
    before = floor.table(definition.setup.table)
    return ev.TableDefined(definition=definition, before=before, proposal=proposal)
