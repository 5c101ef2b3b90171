"""Commands from outside: admitted, bound to who sends them, and approved where a second person is needed."""

import time

from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.events import Event as FloorEvent
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.journal.record import Record
from thirdcard.messages import message as words
from thirdcard.messages import say
from thirdcard.money import format_amount
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.server.premises import Premises
from thirdcard.server.receipts import Receipt, make_receipt
from thirdcard.server.wire import AcceptedAnswer, Credentials, FloorCommandForm, SendCommand, TableCommandForm
from thirdcard.table.actors import Actor, AtTerminal, Staff
from thirdcard.table.dealing_device.virtual_shoe import draw
from thirdcard.table.permissions import Scene, admit, admit_to_floor, may_authorise, name_of
from thirdcard.table.service import TableStream
from thirdcard.table.sign_in import Attempt
from thirdcard.table.stream import Accepted

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
    body = admit(scene, actor, form.command)
    if isinstance(body, Refused):
        return body
    disabled = premises.directory.floor.why_disabled(table)
    if disabled is not None and isinstance(body, BEGINS_A_ROUND):
        return refuse(Refusal.TABLE_DISABLED, reason=disabled.reason)
    authoriser = None
    if form.authoriser is not None:
        second = await _second_person(premises, actor, form.authoriser, address)
        if isinstance(second, Refused):
            return second
        refused = may_authorise(scene, actor, second)
        if refused is not None:
            return refused
        authoriser = second.name
    if definition.virtual_shoe and isinstance(body, cmd.DrawCard) and stream.state is not None:
        body = _from_the_shoe(premises, stream, body)
    answer = await stream.send(body, actor=name_of(actor), command_id=form.command_id, authoriser=authoriser)
    if isinstance(answer, Refused):
        return answer
    receipt = receipt_of(premises, answer.record, answer.events, name_of(actor))
    return AcceptedAnswer(command_id=form.command_id, sequence=answer.sequence, receipt=receipt)


def _from_the_shoe(premises: Premises, stream: TableStream, body: cmd.DrawCard) -> cmd.Body:
    """At a virtual shoe whoever draws gets the card that lies there, or the cutting card before it."""
    assert stream.state is not None
    if stream.state.table.shoe is None or stream.state.table.shoe.seal is None:
        return body
    found = draw(stream.state.table, premises.floor.keys)
    if isinstance(found, cmd.SeeCuttingCard):
        return found
    return cmd.DrawCard(card=found.card, despite_differential=body.despite_differential)


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
            amount = format_amount(event.amount, books.house.currency)
            about = event.wager if isinstance(event, ev.WagerPlaced | ev.WagerReduced) else event.terminal
            says = say(words(f"receipt.{event.__struct_config__.tag}", amount=amount, about=about))
            return make_receipt(premises.floor.keys, record, actor=actor, says=says)
    return None


async def command_floor(
    premises: Premises, actor: Actor, form: FloorCommandForm, address: str
) -> AcceptedAnswer | Refused:
    """Have a command decided by the floor; where a second person is named, in that person's name."""
    if form.approver is not None:
        second = await _second_person(premises, actor, form.approver, address)
        if isinstance(second, Refused):
            return second
        actor = second
    body = admit_to_floor(actor, form.command)
    if isinstance(body, Refused):
        return body
    name = actor.terminal if isinstance(actor, AtTerminal) else name_of(actor)
    refused = await _before_leaving(premises, body)
    if refused is not None:
        return refused
    answer: Accepted[FloorEvent] | Refused = await premises.floor.service.floor.send(
        body, actor=name, command_id=form.command_id
    )
    if isinstance(answer, Refused):
        return answer
    return AcceptedAnswer(command_id=form.command_id, sequence=answer.sequence)


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
