"""The demonstration floor serves visitors: seats that were left are freed, and held tables go on."""

import contextlib
from collections.abc import Callable

from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.state import Terminal
from thirdcard.game import commands as cmd
from thirdcard.journal.store import StoreFailed
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.server.context import ServerContext
from thirdcard.server.http import Call
from thirdcard.staff import Post
from thirdcard.streams.service import TableStream
from thirdcard.wire.answers import AcceptedAnswer
from thirdcard.wire.forms import DemoResumeForm

SEAT_CHECK_SECONDS = 20.0
FREED_AFTER = 180.0  # seconds without a browser there
RESUMER = Post("dealer")


class SeatKeeper:
    """Gives up the seats of visitors who closed their browser: cashed out, and free for somebody else."""

    def __init__(self, context: ServerContext, present: Callable[[], set[str]]) -> None:
        self._context = context
        self._present = present
        self._missed: dict[str, float] = {}

    async def run(self) -> None:
        """Look every now and then."""
        clock = self._context.floor.clock
        while True:
            await clock.sleep(SEAT_CHECK_SECONDS)
            with contextlib.suppress(StoreFailed):
                await self.look()

    async def look(self) -> None:
        """Free every seat that nobody has been at for long enough."""
        there = self._present()
        for terminal in self._context.directory.floor.terminals:
            if terminal.patron is None or terminal.id in there:
                self._missed.pop(terminal.id, None)
                continue
            missed = self._missed.get(terminal.id, 0.0) + SEAT_CHECK_SECONDS
            self._missed[terminal.id] = missed
            if missed >= FREED_AFTER and await self._free(terminal, terminal.patron):
                del self._missed[terminal.id]

    async def _free(self, terminal: Terminal, patron: str) -> bool:
        """Free a seat; where a wager still lies there, another time."""
        stream = self._context.floor.service.table(terminal.table)
        await stream.load()
        table = stream.state.table if stream.state else None
        here = table is not None and any(each.name == patron for each in table.patrons)
        if table is not None and here:
            credits_left = table.credits_of(patron)
            if credits_left and await self._refused(
                stream, cmd.CashOut(terminal=patron, amount=credits_left), patron
            ):
                return False
            if await self._refused(stream, cmd.LeaveTable(patron=patron), patron):
                return False
        body = floor_cmd.ClosePatronSession(terminal=terminal.id)
        office = self._context.floor.service.floor
        answer = await office.send(body, actor=terminal.id, command_id=_id(stream, f"close-{terminal.id}"))
        return not isinstance(answer, Refused)

    async def _refused(self, stream: TableStream, body: cmd.Body, actor: str) -> bool:
        answer = await stream.send(body, actor=actor, command_id=_id(stream, actor))
        return isinstance(answer, Refused)


def _id(stream: TableStream, what: str) -> str:
    """An id that no client can use: it has the place in the record where it was sent."""
    return f"{stream.name}/{stream.head.sequence}/{what}"


async def demo_resume(context: ServerContext, call: Call) -> AcceptedAnswer | Refused:
    """Let a table of the demonstration floor go on that was held or paused, as its dealer would."""
    form: DemoResumeForm = call.form
    if context.demo is None:
        return refuse(Refusal.NOT_PERMITTED)
    if context.directory.table(form.table) is None:
        return refuse(Refusal.NO_SUCH_TABLE)
    stream = context.floor.service.table(form.table)
    await stream.load()
    table = stream.state.table if stream.state else None
    if table is None or not table.paused:
        return refuse(Refusal.NOT_AWAITED)
    if all(each.person != RESUMER for each in table.staff):
        came = await stream.send(
            cmd.ComeOnDuty(person=RESUMER, post=RESUMER), actor=RESUMER, command_id=_id(stream, "duty")
        )
        if isinstance(came, Refused):
            return came
    resumed = _id(stream, "resume")
    answer = await stream.send(cmd.ResumeTable(), actor=RESUMER, command_id=resumed)
    if isinstance(answer, Refused):
        return answer
    return AcceptedAnswer(command_id=resumed, sequence=answer.record.sequence)
