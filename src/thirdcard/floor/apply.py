"""Folds events into the floor: it cannot decide anything."""

from collections.abc import Iterable
from typing import Any, assert_never

from msgspec.structs import replace

from thirdcard.floor import events as ev
from thirdcard.floor.state import (
    ADDRESSES_KEPT,
    CLOCK_STEPS_KEPT,
    STEPS_KEPT,
    Floor,
    Person,
    ServiceAccount,
    Terminal,
    Webhook,
)


def apply_all(floor: Floor, events: Iterable[ev.FloorEvent]) -> Floor:
    """The floor after several events."""
    for event in events:
        floor = apply(floor, event)
    return floor


def apply(floor: Floor, event: ev.FloorEvent) -> Floor:  # noqa: C901, PLR0911, PLR0912 - one case an event
    """The floor after an event."""
    if isinstance(event, ev.WebhookEvent):
        return _after_webhook(floor, event)
    match event:
        case ev.SignedIn():
            opened = replace(floor, sessions=(*floor.sessions, event.session))
            return _shown(opened, event.session.person, event)
        case ev.IdentityShown():
            return _shown(floor, event.name, event)
        case ev.SessionEnded():
            return replace(floor, sessions=tuple(each for each in floor.sessions if each.id != event.session))
        case ev.SignInFailed():
            person = floor.person(event.name)
            return _person(floor, event.name, failures=person.failures + 1) if person else floor
        case ev.PersonAdded():
            return replace(floor, people=(*floor.people, event.person))
        case ev.PostsChanged():
            return _person(floor, event.name, posts=event.posts)
        case ev.PasswordChanged():
            return _person(floor, event.name, password=event.password)
        case ev.SecondFactorSet():
            return _person(floor, event.name, second_factor=event.second_factor, used_steps=())
        case ev.PersonLocked():
            return _person(floor, event.name, locked=event.reason)
        case ev.PersonUnlocked():
            return _person(floor, event.name, locked=None, failures=0)
        case ev.TerminalExpected():
            known = tuple(each for each in floor.terminals if each.id != event.terminal.id)
            return replace(floor, terminals=(*known, event.terminal))
        case ev.TerminalEnrolled():
            return _terminal(floor, event.terminal, token=event.token, code=None, code_ends=None)
        case ev.TerminalEnabled():
            return _terminal(floor, event.terminal, enabled=True)
        case ev.TerminalDisabled():
            return _terminal(floor, event.terminal, enabled=False)
        case ev.PatronSessionOpened():
            return _terminal(floor, event.terminal, patron=event.patron)
        case ev.PatronSessionClosed():
            return _terminal(floor, event.terminal, patron=None)
        case ev.TableProposed():
            return replace(floor, proposals=(*floor.proposals, event.proposal), proposed=event.proposal.id)
        case ev.ProposalRejected():
            return _without_proposal(floor, event.id)
        case ev.TableDefined():
            return _defined(floor, event)
        case ev.FloorFileRead() | ev.SigningBegan() | ev.RestoreAccepted():
            return floor
        case ev.GamingDaySet():
            return replace(floor, day_plans=(*floor.day_plans, event.plan))
        case ev.ShelfAccepted():
            return replace(floor, shelf=event.files)
        case ev.ClockSet():
            return replace(floor, clock_steps=(*floor.clock_steps, event.step)[-CLOCK_STEPS_KEPT:])
        case ev.ClockStepAcknowledged():
            steps = (each for each in floor.clock_steps if (each.at, each.run) != (event.at, event.run))
            return replace(floor, clock_steps=tuple(steps))
        case ev.WasDisabled():
            return replace(floor, disabled=(*floor.disabled, event.disabled))
        case ev.WasEnabled():
            return replace(
                floor, disabled=tuple(each for each in floor.disabled if each.table != event.table)
            )
        case ev.AccountAdded():
            return replace(floor, accounts=(*floor.accounts, event.account))
        case ev.AccountRevoked():
            return _account(floor, event.name, ended=event.reason)
        case _:
            assert_never(event)


def _shown(floor: Floor, name: str, event: ev.SignedIn | ev.IdentityShown) -> Floor:
    """A person was right: failures are forgotten, the code is used up, and the address is known."""
    person = floor.person(name)
    assert person is not None
    steps = () if event.step is None else (event.step,)
    others = tuple(each for each in person.addresses if each != event.address)
    known = (*others, event.address) if event.address else others
    return _person(
        floor,
        name,
        failures=0,
        used_steps=(*person.used_steps, *steps)[-STEPS_KEPT:],
        addresses=known[-ADDRESSES_KEPT:],
    )


def _person(floor: Floor, name: str, **changes: Any) -> Floor:
    def change(person: Person) -> Person:
        return replace(person, **changes) if person.name == name else person

    return replace(floor, people=tuple(map(change, floor.people)))


def _terminal(floor: Floor, terminal_id: str, **changes: Any) -> Floor:
    def change(terminal: Terminal) -> Terminal:
        return replace(terminal, **changes) if terminal.id == terminal_id else terminal

    return replace(floor, terminals=tuple(map(change, floor.terminals)))


def _account(floor: Floor, name: str, **changes: Any) -> Floor:
    def change(account: ServiceAccount) -> ServiceAccount:
        lives = account.name == name and account.ended is None
        return replace(account, **changes) if lives else account

    return replace(floor, accounts=tuple(map(change, floor.accounts)))


def _after_webhook(floor: Floor, event: ev.WebhookEvent) -> Floor:
    match event:
        case ev.WebhookAdded():
            return replace(floor, webhooks=(*floor.webhooks, event.webhook))
        case ev.WebhookRemoved():
            left = tuple(each for each in floor.webhooks if each.name != event.name)
            return replace(floor, webhooks=left)
        case ev.WebhookStopped():
            return _webhook(floor, event.name, stopped=event.reason, after=event.after)
        case ev.WebhookResumed():
            return _webhook(floor, event.name, stopped=None)
        case ev.FeedsDelivered():
            return _webhook(floor, event.name, after=event.after)
        case _:
            assert_never(event)


def _webhook(floor: Floor, name: str, **changes: Any) -> Floor:
    def change(webhook: Webhook) -> Webhook:
        return replace(webhook, **changes) if webhook.name == name else webhook

    return replace(floor, webhooks=tuple(map(change, floor.webhooks)))


def _without_proposal(floor: Floor, proposal: int | None) -> Floor:
    return replace(floor, proposals=tuple(each for each in floor.proposals if each.id != proposal))


def _defined(floor: Floor, event: ev.TableDefined) -> Floor:
    name = event.definition.setup.table
    known = any(each.setup.table == name for each in floor.tables)
    tables = tuple(event.definition if each.setup.table == name else each for each in floor.tables)
    real = floor.real or not event.definition.setup.training
    placed = replace(floor, tables=tables if known else (*floor.tables, event.definition), real=real)
    return _without_proposal(placed, event.proposal)
