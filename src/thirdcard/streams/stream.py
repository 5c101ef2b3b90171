"""One stream served: commands are decided in order while those before them are written, and answered then."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Generic

from thirdcard.folds.record_place import Recorded
from thirdcard.game.commands import Envelope
from thirdcard.journal.checkpoints import make_checkpoint, make_snapshot, snapshot_is_genuine
from thirdcard.journal.codec import B, E, encode, envelope_of
from thirdcard.journal.forms.steps import FORM
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.merkle import Frontier, leaf
from thirdcard.journal.record import EMPTY, Draft, Head, Record, head_of, place
from thirdcard.journal.software import SOFTWARE
from thirdcard.journal.store import Appended, KnownCommand, Store, StoreFailed
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.streams.ahead import Accepted, Ahead, BeforeRule, DecidedBatch, WaitingCommand
from thirdcard.streams.clock import Clock
from thirdcard.streams.listeners import Listeners
from thirdcard.streams.machine import Machine, S
from thirdcard.streams.record_check import Broken, RecordCheck
from thirdcard.streams.shared_work import SharedWork

log = logging.getLogger(__name__)

COMMANDS_PER_APPEND = 256  # commands of one stream in one append
APPENDS_AHEAD = 32  # appends of one stream that are under way at the most
LONGEST_ID = 200  # characters of a command id, a stream or whoever acts
REMEMBERED = 64  # answers kept at hand for commands that are sent again
SNAPSHOT_AFTER = 500  # records
RETRY_AFTER = 1_000_000_000  # nanoseconds between attempts to bring a stopped stream back


class Stream(Generic[S, B, E]):
    """The live state of one stream, and the only way to change it."""

    def __init__(
        self,
        name: str,
        machine: Machine[S, B, E],
        store: Store,
        keys: KeyRing | None,
        clock: Clock,
        *,
        old_end: Head = EMPTY,
        before: BeforeRule[S, B] | None = None,
    ) -> None:
        """Serve a stream of a store; without keys it can only be looked at.

        Up to ``old_end`` its records may be unsigned.
        """
        self.name = name
        self.state: S | None = None
        self.head: Head = EMPTY
        self.stopped: str | None = None
        self.closed = False
        self.checked = 0  # the last record that this process has signed in a checkpoint
        self.unchecked_since: int | None = (
            None  # by the clock of this run: the first that no checkpoint covers
        )
        self.listeners: Listeners[S, E] = Listeners()
        self._machine = machine
        self._before = before
        self._store = store
        self._keys = keys
        self.check = RecordCheck(name, keys, old_end)
        self._clock = clock
        self.tree = Frontier()
        self._loaded = False
        self._lock = asyncio.Lock()
        self._waiting: list[WaitingCommand[S, B, E]] = []
        self._ahead: Ahead[S, B, E] = Ahead()
        self._asked_for = 0  # how many wait until nothing is ahead
        self._reading = SharedWork(self._nothing_ahead, self._catch_up)
        self._worker: asyncio.Task[None] | None = None
        self._chores: set[asyncio.Task[None]] = set()
        self._answers: OrderedDict[str, tuple[B, Envelope, Accepted[E] | Refused]] = OrderedDict()
        self._snapshot_at = 0
        self._retry_at = 0
        self._holds = 0

    async def send(
        self,
        body: B,
        *,
        actor: str,
        command_id: str,
        authoriser: str | None = None,
        is_due: Callable[[S | None], bool] | None = None,
    ) -> Accepted[E] | Refused:
        """Have a command decided and recorded; the answer comes when it is durable.

        A command with ``is_due`` is decided only upon a state in which it is due, and refused otherwise:
        the stream may have gone on since the command was thought of.
        """
        for name in (self.name, command_id, actor, *([] if authoriser is None else [authoriser])):
            if not name.isprintable() or name != name.strip() or not 0 < len(name) <= LONGEST_ID:
                return refuse(Refusal.UNFIT_NAME, name=ascii(name[:LONGEST_ID]), most=LONGEST_ID)
        waiting = self._as_waiting(body, actor, command_id, authoriser)
        waiting.is_due = is_due
        self._waiting.append(waiting)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        self._ahead.go_on()
        return await waiting.answer

    async def answered(
        self, body: B, *, actor: str, command_id: str, authoriser: str | None = None
    ) -> Accepted[E] | Refused | None:
        """The answer that a command got when it was sent before; nothing where its id is new."""
        waiting = self._as_waiting(body, actor, command_id, authoriser)
        known = self._answers.get(command_id)
        if known is not None:
            self._answer_again(waiting, *known)
            return waiting.answer.result()
        return waiting.answer.result() if await self._is_answered_from_store(waiting) else None

    def _as_waiting(
        self, body: B, actor: str, command_id: str, authoriser: str | None = None
    ) -> WaitingCommand[S, B, E]:
        """A command that came now."""
        received = self._clock.now().moment
        envelope = Envelope(actor=actor, received_at=received, command_id=command_id, authoriser=authoriser)
        return WaitingCommand(body, envelope, asyncio.get_running_loop().create_future())

    async def load(self) -> None:
        """Bring the stream up to date with the store.

        Everybody who asks before it is read is served by one reading, so that commands never wait for more
        than one that is under way and one that is to come.
        """
        await self._reading.join()

    async def checkpoint(self, reason: str) -> None:
        """Sign what the stream is by now, unless that was done."""
        async with self._nothing_ahead():
            await self._checkpoint(self.head, self.tree, reason)

    @property
    def decided(self) -> int:
        """The last sequence that is taken as far as this process knows, durable or on its way."""
        return (self._ahead.last or self).head.sequence

    async def drain(self) -> None:
        """Wait until everything that was sent is answered and every chore is done."""
        while self._chores or (self._worker is not None and not self._worker.done()):
            await asyncio.gather(*self._chores, *([self._worker] if self._worker else []))

    # deciding and appending

    @asynccontextmanager
    async def _nothing_ahead(self) -> AsyncIterator[None]:
        """Wait until everything that was decided is durable; nothing more is decided meanwhile."""
        self._asked_for += 1
        try:
            async with self._lock:
                yield
        finally:
            self._asked_for -= 1

    async def _work(self) -> None:
        while self._waiting:
            async with self._lock:
                try:
                    if self.stopped is not None and not await self._recover():
                        self._refuse_all(self._next())
                        continue
                    if not self._loaded:
                        await self._catch_up()
                    await self._serve()
                except StoreFailed as error:
                    self._stop(str(error))
                    self._refuse_all([*await self._take_back(), *self._next()])
                    self._chore(self.load)  # news of what was written after all came while it was under way
                except Exception as error:  # a mistake of ours: whoever waits learns of it
                    self._loaded = False
                    for each in (*await self._take_back(), *self._next()):
                        each.fail(error)

    async def _serve(self) -> None:
        """Decide what waits while what was decided before is written, and answer in order.

        Commands that cannot be judged yet keep those after them waiting until nothing is ahead. Whoever asks
        for that waits for one decision at the most, and commands for no more than one of those who ask.
        """
        judging = fresh = True  # a fresh turn has decided nothing yet
        while True:
            judging = judging or not self._ahead
            goes_on = self.stopped is None and (fresh or not self._asked_for)
            if self._waiting and goes_on and judging and len(self._ahead) < APPENDS_AHEAD:
                judging, fresh = await self._decide_next(), False
            elif self._ahead:
                await self._answer_first()
            else:
                return

    async def _decide_next(self) -> bool:
        """Decide the next commands and have them written; tells whether all of them could be judged."""
        batch = self._next()
        try:
            later = await self._decide_all(batch)
        except Exception:
            self._waiting[:0] = batch
            raise
        self._waiting[:0] = later
        return not later

    def _next(self) -> list[WaitingCommand[S, B, E]]:
        """The next commands that wait."""
        batch, self._waiting = self._waiting[:COMMANDS_PER_APPEND], self._waiting[COMMANDS_PER_APPEND:]
        return [each for each in batch if not each.answer.done()]

    async def _answer_first(self) -> None:
        """Answer the first commands ahead once they are durable; where they cannot be, decide all again."""
        answer = await self._ahead.first()
        if answer is None:
            return
        if isinstance(answer, Appended):
            self._take(self._ahead.done(), answer.records)
            return
        again = await self._take_back()
        self._waiting[:0] = again
        if isinstance(answer, KnownCommand):
            await self._answer_known(again, answer.command_id)
        elif not await self._catch_up():
            raise Broken(f"{self.name}: the store refuses a record that follows its last one")

    async def _take_back(self) -> list[WaitingCommand[S, B, E]]:
        """Take back all that is ahead; what has become durable meanwhile is answered."""
        await self._ahead.ended()
        while (durable := self._ahead.durable) is not None:
            self._take(self._ahead.done(), durable.records)
        return self._ahead.take_back()

    async def _decide_all(self, batch: list[WaitingCommand[S, B, E]]) -> list[WaitingCommand[S, B, E]]:
        """Decide commands, each upon what the ones before it do, and have them written.

        Those that cannot be judged yet are returned.
        """
        end = self._ahead.last or self
        made: DecidedBatch[S, B, E] = DecidedBatch(end.state, end.head, end.tree)
        for each in batch:
            command_id = each.envelope.command_id
            if command_id in self._ahead.ids or command_id in made.ids:
                made.later.append(each)  # sent twice: the second is answered by what becomes of the first
                continue
            known = self._answers.get(command_id)
            if known is not None:
                self._answer_again(each, *known)
                continue
            try:
                await self._decide(made, each)
            except StoreFailed:
                raise
            except Exception as error:  # what this one runs into is not for the others to wait for
                each.fail(error)
        if made.steps:
            append = self._store.append(tuple(record for record, *_ in made.steps), self._keys)
            self._ahead.begin(made, append)
        return made.later

    async def _decide(self, made: DecidedBatch[S, B, E], each: WaitingCommand[S, B, E]) -> None:
        """Decide one command: it is ready to be appended, or it has its answer."""
        if each.is_due is not None and not each.is_due(made.state):
            await self._refuse_upon(made, each, refuse(Refusal.NOT_AWAITED))
            return
        rule = self._before
        if rule is not None and (self.closed or isinstance(each.body, rule.about)):
            before = await rule.refuse(made.state, each.body)
            if before is not None:
                if not await self._is_answered_from_store(each):
                    await self._refuse_upon(made, each, before)
                return
        now = self._clock.now()
        recorded = Recorded(made.head.sequence + 1, now.wall_time)
        envelope = each.envelope
        decided = await self._machine.decide(made.state, each.body, envelope, recorded)
        refused = decided.result.refused
        if refused is not None:
            if await self._is_answered_from_store(each):
                return
            if not self._machine.keeps_refusals_of(made.state, envelope.actor):
                await self._refuse_upon(made, each, refused)
                return
        rulebook, house = decided.rules
        draft = Draft(
            stream=self.name,
            kind=str(decided.result.command.__struct_config__.tag),
            version=FORM,
            command_id=envelope.command_id,
            envelope=encode(envelope),
            body=encode(decided.result),
            wall_time=now.wall_time,
            monotonic=now.monotonic,
            run=self._clock.run,
            rulebook=rulebook,
            house=house,
            software=SOFTWARE,
            says=decided.says,
        )
        made.add(place(draft, made.head), each, decided)

    async def _refuse_upon(
        self, made: DecidedBatch[S, B, E], each: WaitingCommand[S, B, E], refused: Refused
    ) -> None:
        """Refuse what is not recorded, unless it was judged by less than is recorded by now.

        What is recorded finds out by itself that another process went on; this must look.
        """
        if self._ahead or made.steps:
            made.later.append(each)  # judged again when what comes before it is recorded
            return
        if not made.fresh and await self._catch_up():
            made.state, made.head, made.tree = self.state, self.head, self.tree
            made.later.append(each)
            return
        made.fresh = True
        each.give(refused)

    def _take(self, made: DecidedBatch[S, B, E], signed: tuple[Record, ...]) -> None:
        """Records are durable: the state moves on, everybody is answered and told."""
        self.state, self.head, self.tree = made.state, made.head, made.tree
        for record, (_, waiting, decided) in zip(signed, made.steps, strict=True):
            answer = decided.result.refused or Accepted(record, decided.result.events)
            self._answers[record.command_id] = (waiting.body, waiting.envelope, answer)
            waiting.give(answer)
            self.listeners.tell(record, decided.result.events, decided.state)
        while len(self._answers) > REMEMBERED:
            self._answers.popitem(last=False)
        if self.unchecked_since is None:
            self.unchecked_since = self._clock.now().monotonic
        events = tuple(event for _, _, decided in made.steps for event in decided.result.events)
        if not self._machine.checkpoint_events.isdisjoint(map(type, events)):
            self._chore(self._checkpoint, self.head, self.tree, self._machine.checkpoint_reason(events))
        if self.head.sequence - self._snapshot_at >= SNAPSHOT_AFTER:
            self._snapshot_at = self.head.sequence
            self._chore(self._snapshot, self.head, self.tree, self.state)

    # commands that were sent before

    def _answer_again(
        self, waiting: WaitingCommand[S, B, E], body: B, envelope: Envelope, answer: Accepted[E] | Refused
    ) -> None:
        """The same command gets the same answer; another one under its id is refused."""
        same = (
            self._machine.is_same(waiting.body, body)
            and waiting.envelope.actor == envelope.actor
            and waiting.envelope.authoriser == envelope.authoriser
        )
        waiting.give(answer if same else refuse(Refusal.COMMAND_ID_USED))

    def _answer_from(self, waiting: WaitingCommand[S, B, E], record: Record) -> None:
        if record.stream != self.name:
            waiting.give(refuse(Refusal.COMMAND_ID_USED))
            return
        self.check.check_found(record)
        result = self._machine.read(record)
        answer = result.refused or Accepted(record, result.events)
        self._answer_again(waiting, result.command, envelope_of(record), answer)

    async def _is_answered_from_store(self, waiting: WaitingCommand[S, B, E]) -> bool:
        """Answer a command as its record does; tell whether there is one."""
        record = await self._store.find(waiting.envelope.command_id)
        if record is not None:
            self._answer_from(waiting, record)
        return record is not None

    async def _answer_known(self, batch: list[WaitingCommand[S, B, E]], command_id: str) -> None:
        record = await self._store.find(command_id)
        assert record is not None
        for each in batch:
            if each.envelope.command_id == command_id:
                self._answer_from(each, record)
        await self._catch_up()

    # loading

    async def _catch_up(self) -> bool:
        """Fold what the store has after our head, at first from a good snapshot; tells if there was any."""
        arrived = self.head.sequence > 0
        if not arrived:
            await self._from_snapshot()
        grown = False
        while page := await self._store.read(self.name, after=self.head.sequence):
            self.check.check(self.head, page, arrived=arrived)
            for record in page:
                await self._follow(record)
            grown = True
        self.check.check_end(self.head)
        if self.head.sequence:
            self.unchecked_since = self.unchecked_since or self._clock.now().monotonic
        self._loaded = True
        return grown

    async def _follow(self, record: Record) -> None:
        events = self._machine.read(record).events
        self.state = await self._machine.fold(self.state, record, events)
        self.head = head_of(record)
        self.tree = self.tree.grown(leaf(record.digest))
        self.listeners.tell(record, events, self.state)

    async def _from_snapshot(self) -> None:
        found = await self._store.snapshot(self.name) if self._keys else None
        if found is None or self._keys is None or not snapshot_is_genuine(found, self._keys.public_keys):
            return
        here = await self._store.read(self.name, after=found.head.sequence - 1, most=1)
        if not here or head_of(here[0]) != found.head:
            return
        state = await self._machine.read_state(found.state)
        if state is not None:
            self.state = state
            self.head, self.tree, self._snapshot_at = found.head, found.tree, found.head.sequence

    # chores and trouble

    def _chore(self, work: Callable[..., Awaitable[None]], *about: object) -> None:
        task = asyncio.create_task(self._no_harm(work, *about))
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)

    async def _no_harm(self, work: Callable[..., Awaitable[None]], *about: object) -> None:
        try:
            await work(*about)
        except StoreFailed as error:
            self._stop(str(error))

    async def _checkpoint(self, head: Head, tree: Frontier, reason: str) -> None:
        if head.sequence <= self.checked or self._keys is None:
            return
        now = self._clock.now()
        about = {"stream": self.name, "reason": reason}
        signed = make_checkpoint(self._keys, head=head, tree=tree, wall_time=now.wall_time, **about)
        await self._store.keep_checkpoint(signed)
        self.checked = max(self.checked, head.sequence)
        self.unchecked_since = now.monotonic if self.head.sequence > self.checked else None

    async def _snapshot(self, head: Head, tree: Frontier, state: S | None) -> None:
        if state is not None and self._keys is not None:
            written = self._machine.write_state(state)
            await self._store.keep_snapshot(
                make_snapshot(self._keys, stream=self.name, head=head, tree=tree, state=written)
            )

    async def hold(self, reason: str) -> None:
        """Have the stream wait for a person, where it was open; recorded like any command."""
        async with self._nothing_ahead():
            await self._catch_up()
            await self._hold(reason)

    async def _hold(self, reason: str) -> None:
        pause = self._machine.pause_command(self.state, reason)
        if pause is None:
            return
        body, actor = pause
        self._holds += 1
        command_id = f"{self._clock.run}/{self.name}/hold-{self._holds}"
        waiting = self._as_waiting(body, actor, command_id)
        try:
            while not waiting.answer.done():
                await self._decide_all([waiting])
                if self._ahead:
                    await self._answer_first()
        finally:
            await self._take_back()
            self._waiting = [each for each in self._waiting if each is not waiting]

    async def _recover(self) -> bool:
        """Bring a stopped stream back, held until a person releases it; not more than once a second."""
        if self._clock.now().monotonic < self._retry_at:
            return False
        reason = self.stopped or ""
        await self._catch_up()
        await self._hold(reason)
        log.warning("its store is back, a person lets it go on", extra={"fields": {"stream": self.name}})
        self.stopped = None
        return True

    def _stop(self, reason: str) -> None:
        """Nothing more is accepted; what the store really has shows when it is loaded again."""
        log.error("stopped by its store", extra={"fields": {"stream": self.name, "reason": reason}})
        self.stopped = reason
        self._retry_at = self._clock.now().monotonic + RETRY_AFTER
        self._loaded = False

    def _refuse_all(self, batch: list[WaitingCommand[S, B, E]]) -> None:
        refused = refuse(Refusal.TABLE_STOPPED)  # why is for the log and for staff: it may name a file
        for each in batch:
            each.give(refused)
