"""Commands from outside: admitted, bound to who sends them, and approved where a second person is needed."""

import time

from msgspec import Struct
from msgspec.structs import asdict

from thirdcard.access.actors import Actor, AtTerminal, ByAccount, Staff
from thirdcard.access.names import refuse_look
from thirdcard.access.permissions import (
    PermissionContext,
    admit,
    may_authorise,
    name_of,
    refuse_to_floor,
)
from thirdcard.access.sign_in import Attempt
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.events import FloorEvent
from thirdcard.floor.table_rules import MovesAlone
from thirdcard.game import commands as cmd
from thirdcard.game.events import Event
from thirdcard.journal.groups import actor_of, group_place_of
from thirdcard.journal.record import Record
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.server.context import ServerContext
from thirdcard.staff import Post
from thirdcard.streams.ahead import Accepted
from thirdcard.wire.answers import AcceptedAnswer
from thirdcard.wire.forms import Credentials, FloorCommandForm, TableCommandForm
from thirdcard.wire.frames import SendCommand
from thirdcard.wire.receipts import Receipt


def attempt_of(credentials: Credentials, console: str, address: str) -> Attempt:
    """Return the attempt of somebody to sign in with their credentials."""
    return Attempt(credentials.name, credentials.password, console, address, credentials.code)


async def command_table(
    context: ServerContext, actor: Actor, table: str, form: TableCommandForm | SendCommand, address: str
) -> AcceptedAnswer | Refused:
    """Have a command decided by a table, and answer when it is durable."""
    began = time.perf_counter()
    channel, definition = context.hub.channel(table), context.directory.table(table)
    answer: Accepted[Event] | Refused | None = None
    if channel is None or definition is None:
        answer = refuse(Refusal.NO_SUCH_TABLE)
    else:
        stream = channel.stream
        if stream.state is None:
            await stream.load()
        permission = PermissionContext(
            context.houses,
            context.directory.floor,
            definition,
            stream.state.table if stream.state else None,
            context.floor.clock.now().moment,
        )
        admission = admit(permission, actor, form.command)
        body, refused, second = admission.command, admission.refused, form.authoriser
        envelope = _Envelope(name_of(actor), form.command_id, second.name if second else None)
        if second is not None:
            # a code approves once: what was approved before must not ask for it again
            answer = await stream.answered(body, **asdict(envelope))
            if answer is None:
                refused = await _refuse_with_second(
                    context, permission, actor, refused, form, second, address
                )
        if answer is None and refused is not None:
            # sent again by somebody who may not any more, it has its answer
            answer = await stream.answered(body, **asdict(envelope)) or refused
        alone = second is None and isinstance(actor, Staff | ByAccount)
        if answer is None and alone and isinstance(body, MovesAlone):
            answer = await context.alone.send(table, body, actor=envelope.actor, command_id=form.command_id)
        answer = answer or await stream.send(body, **asdict(envelope))
    context.metrics.waiting.observe(time.perf_counter() - began)
    outcome = answer.reason.value if isinstance(answer, Refused) else "accepted"
    context.metrics.commands_of("" if channel is None else table, outcome).inc()
    if isinstance(answer, Refused):
        return answer
    receipt, sequence = receipt_of_record(answer.record), answer.record.sequence
    return AcceptedAnswer(command_id=form.command_id, sequence=sequence, receipt=receipt)


class _Envelope(Struct, frozen=True):
    """The sender of a command, its id, and the person who stands behind it."""

    actor: str
    command_id: str
    authoriser: str | None = None


async def _refuse_with_second(
    context: ServerContext,
    permission: PermissionContext,
    actor: Actor,
    refused: Refused | None,
    form: TableCommandForm | SendCommand,
    credentials: Credentials,
    address: str,
) -> Refused | None:
    """Refuse a command with a second person that does not come before the table at all.

    ``refused`` is what its sender alone is told. Somebody may come on duty at the console of somebody else,
    by showing who they are.
    """
    comes = isinstance(form.command, cmd.ComeOnDuty) and isinstance(actor, Staff)
    if refused is not None and not comes:
        return refused
    second = await second_person(context, actor, credentials, address)
    if isinstance(second, Refused):
        return second
    if comes:
        return admit(permission, second, form.command).refused
    counts = isinstance(form.command, cmd.CountDrop)  # nobody of the table does
    if form.comes_as is not None and not counts and not permission.posts_here(second):
        return await _come_on_duty(context, permission, second, form)
    return may_authorise(permission, actor, second, form.command)


async def _come_on_duty(
    context: ServerContext, permission: PermissionContext, second: Staff, form: TableCommandForm | SendCommand
) -> Refused | None:
    """Put an approver on duty at the table first who was not on duty there.

    A code is good once, so it is shown once for both.
    """
    duty = cmd.ComeOnDuty(person=second.name, post=Post(form.comes_as or ""))
    refused = admit(permission, second, duty).refused
    if refused is not None:
        return refused
    stream = context.floor.service.table(permission.definition.setup.table)
    answer = await stream.send(duty, actor=second.name, command_id=f"{form.command_id}/duty")
    return answer if isinstance(answer, Refused) else None


async def second_person(
    context: ServerContext, actor: Actor, credentials: Credentials, address: str
) -> Staff | Refused:
    """Return the second person who shows their credentials at somebody's console."""
    match actor:
        case Staff():
            console = actor.console
        case ByAccount():
            console = actor.account
        case _:
            console = "terminal"
    return await context.desk.approve(attempt_of(credentials, console, address), besides=name_of(actor))


def receipt_of_record(record: Record) -> Receipt | None:
    """Return the receipt of a record, by the signature of its group; one without a sentence has none.

    Nothing is signed here, so that nobody has a receipt of a record that the floor did not sign.
    """
    if not record.says:
        return None
    return Receipt(
        receipt=2,
        table=record.stream,
        sequence=record.sequence,
        command_id=record.command_id,
        actor=actor_of(record),
        kind=record.kind,
        says=record.says,
        at=record.wall_time,
        digest=record.digest.hex(),
        key_id=record.group_key,
        signature=record.group_signature.hex(),
        group=group_place_of(record),
    )


async def command_floor(
    context: ServerContext, actor: Actor, form: FloorCommandForm, address: str
) -> AcceptedAnswer | Refused:
    """Have a command decided by the floor, in the name of an approver, or with an authoriser beside it."""
    stream = context.floor.service.floor
    own = actor.terminal if isinstance(actor, AtTerminal) else name_of(actor)
    envelope = _Envelope(
        form.approver.name if form.approver else own,
        form.command_id,
        form.authoriser.name if form.authoriser else None,
    )
    shown = form.approver or form.authoriser
    answer: Accepted[FloorEvent] | Refused | None
    answer = await stream.answered(form.command, **asdict(envelope)) if shown else None
    if answer is None:
        refused = await _keep_out(context, actor, form, address)
        if refused is not None:
            answer = await stream.answered(form.command, **asdict(envelope)) or refused
        else:
            answer = await stream.send(form.command, **asdict(envelope))
    if isinstance(answer, Refused):
        return answer
    return AcceptedAnswer(command_id=form.command_id, sequence=answer.sequence)


async def _keep_out(
    context: ServerContext, actor: Actor, form: FloorCommandForm, address: str
) -> Refused | None:
    """Why a command does not come before the floor at all."""
    for credentials in (form.approver, form.authoriser):
        if credentials is None:
            continue
        second = await second_person(context, actor, credentials, address)
        if isinstance(second, Refused):
            return second
        if credentials is form.approver:
            actor = second
    refused = refuse_to_floor(actor, form.command)
    if refused is None and isinstance(form.command, floor_cmd.OpenPatronSession):
        return refuse_look(context.directory.floor, form.command.patron)
    return refused
