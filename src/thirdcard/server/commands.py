"""Commands from outside: admitted, bound to who sends them, and approved where a second person is needed."""

import time

from msgspec import Struct
from msgspec.structs import asdict

from thirdcard.access.actors import Actor, AtTerminal, Staff
from thirdcard.access.permissions import Scene, admit, admit_to_floor, bound_to, may_authorise, name_of
from thirdcard.access.sign_in import Attempt
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.events import Event as FloorEvent
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.journal.codec import B, E
from thirdcard.journal.record import Record
from thirdcard.messages import message as words
from thirdcard.messages import say
from thirdcard.money import format_amount
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.server.premises import Premises
from thirdcard.server.receipts import Receipt, make_receipt
from thirdcard.server.wire import AcceptedAnswer, Credentials, FloorCommandForm, SendCommand, TableCommandForm
from thirdcard.staff import Post
from thirdcard.streams.machine import S
from thirdcard.streams.stream import Accepted, Stream

BEGINS_A_ROUND = (cmd.OpenBetting, cmd.DealFreeHand)
RECEIPTED = (ev.WagerPlaced, ev.WagerReduced, ev.CreditsBought, ev.CreditsCashedOut)


def attempt_of(credentials: Credentials, console: str, address: str) -> Attempt:
    """What somebody gives to show who they are."""
    return Attempt(credentials.name, credentials.password, console, address, credentials.code)


async def command_table(
    premises: Premises, actor: Actor, table: str, form: TableCommandForm | SendCommand, address: str
) -> AcceptedAnswer | Refused:
    """Have a command decided by a table, and answer when it is durable."""
    began = time.perf_counter()
    answer = await _command_table(premises, actor, table, form, address)
    premises.metrics.waiting.observe(time.perf_counter() - began)
    outcome = answer.reason.value if isinstance(answer, Refused) else "accepted"
    premises.metrics.commands.labels(outcome).inc()
    return answer


async def _command_table(
    premises: Premises, actor: Actor, table: str, form: TableCommandForm | SendCommand, address: str
) -> AcceptedAnswer | Refused:
    definition = premises.directory.table(table)
    if definition is None:
        return refuse(Refusal.NO_SUCH_TABLE)
    stream = premises.floor.service.table(table)
    if stream.state is None:
        await stream.load()
    scene = Scene(
        premises.houses,
        premises.directory.floor,
        definition,
        stream.state.table if stream.state else None,
        premises.floor.clock.now().moment,
    )
    bound = bound_to(actor, form.command, scene.table)
    sent = form.command if isinstance(bound, Refused) else bound
    envelope = _Envelope(name_of(actor), form.command_id, form.authoriser.name if form.authoriser else None)
    # a code approves once: what was approved before must not ask for it again
    answer = await _answered(stream, sent, envelope) if form.authoriser else None
    if answer is None:
        body = await _let_in(premises, scene, actor, form, address)
        if isinstance(body, Refused):  # sent again by somebody who may not any more, it has its answer
            answer = await _answered(stream, sent, envelope) or body
        else:
            answer = await stream.send(body, **asdict(envelope))
    if isinstance(answer, Refused):
        return answer
    receipt = receipt_of(premises, answer.record, answer.events, name_of(actor))
    return AcceptedAnswer(command_id=form.command_id, sequence=answer.sequence, receipt=receipt)


class _Envelope(Struct, frozen=True):
    """Who sends a command, under which id, and who stands behind it."""

    actor: str
    command_id: str
    authoriser: str | None = None


async def _answered(stream: Stream[S, B, E], body: B, envelope: _Envelope) -> Accepted[E] | Refused | None:
    return await stream.answered(body, **asdict(envelope))


async def _let_in(
    premises: Premises, scene: Scene, actor: Actor, form: TableCommandForm | SendCommand, address: str
) -> cmd.Body | Refused:
    """A command as it is to be decided, or why it does not come before the table at all.

    Somebody may come on duty at the console of somebody else, by showing who they are.
    """
    if isinstance(form.command, cmd.ComeOnDuty) and isinstance(actor, Staff) and form.authoriser is not None:
        second = await _second_person(premises, actor, form.authoriser, address)
        return second if isinstance(second, Refused) else admit(scene, second, form.command)
    body = admit(scene, actor, form.command)
    if isinstance(body, Refused):
        return body
    disabled = scene.floor.why_disabled(scene.definition.setup.table)
    if disabled is not None and isinstance(body, BEGINS_A_ROUND):
        return refuse(Refusal.TABLE_DISABLED, reason=disabled.reason)
    if form.authoriser is None:
        return body
    second = await _second_person(premises, actor, form.authoriser, address)
    if isinstance(second, Refused):
        return second
    if form.comes_as is not None and not scene.posts_here(second):
        refused = await _come_on_duty(premises, scene, second, form)
        return refused or body
    return may_authorise(scene, actor, second) or body


async def _come_on_duty(
    premises: Premises, scene: Scene, second: Staff, form: TableCommandForm | SendCommand
) -> Refused | None:
    """Somebody who approves and was not on duty at the table comes on duty first.

    A code is good once, so it is shown once for both.
    """
    duty = cmd.ComeOnDuty(person=second.name, post=Post(form.comes_as or ""))
    body = admit(scene, second, duty)
    if isinstance(body, Refused):
        return body
    stream = premises.floor.service.table(scene.definition.setup.table)
    answer = await stream.send(body, actor=second.name, command_id=f"{form.command_id}/duty")
    return answer if isinstance(answer, Refused) else None


async def _second_person(
    premises: Premises, actor: Actor, credentials: Credentials, address: str
) -> Staff | Refused:
    console = actor.console if isinstance(actor, Staff) else "terminal"
    return await premises.desk.approve(attempt_of(credentials, console, address), besides=name_of(actor))


def receipt_of(
    premises: Premises, record: Record, events: tuple[ev.Event, ...], actor: str
) -> Receipt | None:
    """The receipt of a record by which chips or credits moved."""
    books = premises.floor.service.books(record.stream)
    for event in events:
        if isinstance(event, RECEIPTED) and books is not None:
            moved = event.back if isinstance(event, ev.WagerReduced) else event.amount
            amount = format_amount(moved, books.house.currency)
            about = event.wager if isinstance(event, ev.WagerPlaced | ev.WagerReduced) else event.terminal
            says = say(words(f"receipt.{event.__struct_config__.tag}", amount=amount, about=about))
            return make_receipt(premises.floor.keys, record, actor=actor, says=says)
    return None


async def command_floor(
    premises: Premises, actor: Actor, form: FloorCommandForm, address: str
) -> AcceptedAnswer | Refused:
    """Have a command decided by the floor; where a second person is named, in that person's name."""
    stream = premises.floor.service.floor
    own = actor.terminal if isinstance(actor, AtTerminal) else name_of(actor)
    envelope = _Envelope(form.approver.name if form.approver else own, form.command_id)
    answer: Accepted[FloorEvent] | Refused | None
    answer = await _answered(stream, form.command, envelope) if form.approver else None
    if answer is None:
        refused = await _keep_out(premises, actor, form, address)
        if refused is not None:
            answer = await _answered(stream, form.command, envelope) or refused
        else:
            answer = await stream.send(form.command, actor=envelope.actor, command_id=form.command_id)
    if isinstance(answer, Refused):
        return answer
    return AcceptedAnswer(command_id=form.command_id, sequence=answer.sequence)


async def _keep_out(premises: Premises, actor: Actor, form: FloorCommandForm, address: str) -> Refused | None:
    """Why a command does not come before the floor at all."""
    if form.approver is not None:
        second = await _second_person(premises, actor, form.approver, address)
        if isinstance(second, Refused):
            return second
        actor = second
    body = admit_to_floor(actor, form.command)
    return body if isinstance(body, Refused) else await _before_leaving(premises, body)


async def _before_leaving(premises: Premises, body: floor_cmd.Body) -> Refused | None:
    """A patron's use of a terminal does not end while credits of theirs are there."""
    if not isinstance(body, floor_cmd.ClosePatronSession):
        return None
    terminal = premises.directory.floor.terminal(body.terminal)
    if terminal is None or terminal.patron is None:
        return None
    stream = premises.floor.service.table(terminal.table)
    await stream.load()
    table = stream.state.table if stream.state else None
    owed = sum(each.credits for each in table.credits if each.terminal == terminal.patron) if table else 0
    lying = table is not None and any(each.patron == terminal.patron for each in table.wagers)
    return refuse(Refusal.CREDITS_REMAIN) if owed or lying else None
