"""One stream served: commands wait, are decided in order, appended together, and answered when durable."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from typing import Generic

from msgspec import Struct, field

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
from thirdcard.ordered import OrderedSet
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.streams.clock import Clock
from thirdcard.streams.machine import Decided, Machine, S
from thirdcard.streams.record_check import Broken, RecordCheck
from thirdcard.streams.shared_work import SharedWork

log = logging.getLogger(__name__)

COMMANDS_PER_APPEND = 256  # commands of one stream in one append
LONGEST_ID = 200  # characters of a command id, a stream or whoever acts
REMEMBERED = 64  # answers kept at hand for commands that are sent again
SNAPSHOT_AFTER = 500  # records
RETRY_AFTER = 1_000_000_000  # nanoseconds between attempts to bring a stopped stream back


class Accepted(Struct, Generic[E], frozen=True):
    """A command was recorded, with these events."""

    record: Record
    events: tuple[E, ...]

    @property
    def sequence(self) -> int:
        """Where in its stream it was recorded."""
        return self.record.sequence


class Change(Struct, Generic[S, E], frozen=True):
    """The change that a record made to a stream."""

    record: Record
    events: tuple[E, ...]
    state: S


class BeforeRule(Struct, Generic[S, B], frozen=True):
    """Refuses some types of commands by what other streams say, and any command while the stream is closed.

    That is no decision of the stream, since its journal alone could not repeat it, and is not recorded.
    """

    about: tuple[type, ...]
    refuse: Callable[[S | None, B], Awaitable[Refused | None]]


class _Waiting(Struct, Generic[S, B, E]):
    """A command that waits for its answer."""

    body: B
    envelope: Envelope
    answer: "asyncio.Future[Accepted[E] | Refused]"
    is_due: Callable[[S | None], bool] | None = None


def _fail(waiting: _Waiting[S, B, E], error: Exception) -> None:
    if not waiting.answer.done():
        waiting.answer.set_exception(error)


class _Made(Struct, Generic[S, B, E]):
    """Records that are ready to be appended, and what the stream will be after them."""

    state: S | None
    head: Head
    tree: Frontier
    ids: set[str] = field(default_factory=set)
    steps: list[tuple[Record, _Waiting[S, B, E], Decided[S, B, E]]] = field(default_factory=list)
    fresh: bool = False

    def add(self, record: Record, waiting: _Waiting[S, B, E], decided: Decided[S, B, E]) -> None:
        """Take a record in; the next command is decided upon the state after it."""
        self.state, self.head = decided.state, Head(record.sequence, record.digest)
        self.tree = self.tree.grown(leaf(record.digest))
        self.ids.add(record.command_id)
        self.steps.append((record, waiting, decided))


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
        self.listeners: OrderedSet[Callable[[Change[S, E]], None]] = OrderedSet()
        self._machine = machine
        self._before = before
        self._store = store
        self._keys = keys
        self.check = RecordCheck(name, keys, old_end)
        self._clock = clock
        self._tree = Frontier()
        self._loaded = False
        self._lock = asyncio.Lock()
        self._reading = SharedWork(self._lock, self._catch_up)
        self._waiting: list[_Waiting[S, B, E]] = []
        self._worker: asyncio.Task[None] | None = None
        self._chores: set[asyncio.Task[None]] = set()
        self._answers: OrderedDict[str, tuple[B, Envelope, Accepted[E] | Refused]] = OrderedDict()
        self._checked = 0
        self._unchecked_since: int | None = None
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
        received = self._clock.now().moment
        envelope = Envelope(actor=actor, received_at=received, command_id=command_id, authoriser=authoriser)
        waiting = _Waiting[S, B, E](body, envelope, asyncio.get_running_loop().create_future(), is_due)
        self._waiting.append(waiting)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        return await waiting.answer

    async def answered(
        self, body: B, *, actor: str, command_id: str, authoriser: str | None = None
    ) -> Accepted[E] | Refused | None:
        """The answer that a command got when it was sent before; nothing where its id is new."""
        envelope = Envelope(
            actor=actor,
            received_at=self._clock.now().moment,
            command_id=command_id,
            authoriser=authoriser,
        )
        waiting = _Waiting[S, B, E](body, envelope, asyncio.get_running_loop().create_future())
        known = self._answers.get(command_id)
        if known is not None:
            self._answer_again(waiting, *known)
            return waiting.answer.result()
        return waiting.answer.result() if await self._is_answered_from_store(waiting) else None

    async def load(self) -> None:
        """Bring the stream up to date with the store.

        Everybody who asks before it is read is served by one reading, so that commands never wait for more
        than one that is under way and one that is to come.
        """
        await self._reading.join()

    async def checkpoint(self, reason: str) -> None:
        """Sign what the stream is by now, unless that was done."""
        async with self._lock:
            await self._checkpoint(self.head, self._tree, reason)

    @property
    def checked(self) -> int:
        """The last record that this process has signed in a checkpoint."""
        return self._checked

    @property
    def unchecked_since(self) -> int | None:
        """When the oldest record came that no checkpoint covers, by the clock of this run."""
        return self._unchecked_since

    async def drain(self) -> None:
        """Wait until everything that was sent is answered and every chore is done."""
        while self._chores or (self._worker is not None and not self._worker.done()):
            await asyncio.gather(*self._chores, *([self._worker] if self._worker else []))

    # deciding and appending

    async def _work(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:COMMANDS_PER_APPEND], self._waiting[COMMANDS_PER_APPEND:]
            async with self._lock:
                try:
                    if self.stopped is not None and not await self._recover():
                        self._refuse_all(batch)
                        continue
                    if not self._loaded:
                        await self._catch_up()
                    await self._serve(batch)
                except StoreFailed as error:
                    self._stop(str(error))
                    self._refuse_all(batch)
                except Exception as error:  # a mistake of ours: whoever waits learns of it
                    for each in batch:
                        if not each.answer.done():
                            each.answer.set_exception(error)

    async def _serve(self, open_ones: list[_Waiting[S, B, E]]) -> None:
        while open_ones := [each for each in open_ones if not each.answer.done()]:
            made = await self._decide_all(open_ones)
            if not made.steps:
                continue
            answer = await self._store.append(tuple(record for record, *_ in made.steps), self._keys)
            if isinstance(answer, Appended):
                self._take(made, answer.records)
            elif isinstance(answer, KnownCommand):
                await self._answer_known(open_ones, answer.command_id)
            elif not await self._catch_up():
                raise Broken(f"{self.name}: the store refuses a record that follows its last one")

    async def _decide_all(self, batch: list[_Waiting[S, B, E]]) -> "_Made[S, B, E]":
        """Decide commands one after another, each upon what the ones before it have done."""
        made = _Made[S, B, E](self.state, self.head, self._tree)
        for each in batch:
            command_id = each.envelope.command_id
            if command_id in made.ids:
                continue  # sent twice at once: the second is answered by what becomes of the first
            known = self._answers.get(command_id)
            if known is not None:
                self._answer_again(each, *known)
                continue
            try:
                await self._decide(made, each)
            except StoreFailed:
                raise
            except Exception as error:  # what this one runs into is not for the others to wait for
                _fail(each, error)
        return made

    async def _decide(self, made: "_Made[S, B, E]", each: _Waiting[S, B, E]) -> None:
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

    async def _refuse_upon(self, made: "_Made[S, B, E]", each: _Waiting[S, B, E], refused: Refused) -> None:
        """Refuse what is not recorded, unless it was judged by less than is recorded by now.

        What is recorded finds out by itself that another process went on; this must look.
        """
        if made.steps:
            return  # judged again when what comes before it is recorded
        if not made.fresh and await self._catch_up():
            made.state, made.head, made.tree = self.state, self.head, self._tree
            return
        made.fresh = True
        each.answer.set_result(refused)

    def _take(self, made: "_Made[S, B, E]", signed: tuple[Record, ...]) -> None:
        """Records are durable: the state moves on, everybody is answered and told."""
        self.state, self.head, self._tree = made.state, made.head, made.tree
        for record, (_, waiting, decided) in zip(signed, made.steps, strict=True):
            answer = decided.result.refused or Accepted(record, decided.result.events)
            self._answers[record.command_id] = (waiting.body, waiting.envelope, answer)
            if not waiting.answer.done():
                waiting.answer.set_result(answer)
            self._tell(record, decided.result.events, decided.state)
        while len(self._answers) > REMEMBERED:
            self._answers.popitem(last=False)
        if self._unchecked_since is None:
            self._unchecked_since = self._clock.now().monotonic
        events = tuple(event for _, _, decided in made.steps for event in decided.result.events)
        if not self._machine.checkpoint_events.isdisjoint(map(type, events)):
            reason = self._machine.checkpoint_reason(events)
            self._chore(self._checkpoint(self.head, self._tree, reason))
        if self.head.sequence - self._snapshot_at >= SNAPSHOT_AFTER:
            self._snapshot_at = self.head.sequence
            self._chore(self._snapshot(self.head, self._tree, self.state))

    def _tell(self, record: Record, events: tuple[E, ...], state: S | None) -> None:
        if state is not None:
            change = Change(record, events, state)
            for listener in tuple(self.listeners):
                listener(change)

    # commands that were sent before

    def _answer_again(
        self, waiting: _Waiting[S, B, E], body: B, envelope: Envelope, answer: Accepted[E] | Refused
    ) -> None:
        """The same command gets the same answer; another one under its id is refused."""
        same = (
            self._machine.is_same(waiting.body, body)
            and waiting.envelope.actor == envelope.actor
            and waiting.envelope.authoriser == envelope.authoriser
        )
        if not waiting.answer.done():
            waiting.answer.set_result(answer if same else refuse(Refusal.COMMAND_ID_USED))

    def _answer_from(self, waiting: _Waiting[S, B, E], record: Record) -> None:
        if record.stream != self.name:
            waiting.answer.set_result(refuse(Refusal.COMMAND_ID_USED))
            return
        self.check.check_found(record)
        result = self._machine.read(record)
        answer = result.refused or Accepted(record, result.events)
        self._answer_again(waiting, result.command, envelope_of(record), answer)

    async def _is_answered_from_store(self, waiting: _Waiting[S, B, E]) -> bool:
        """Answer a command as its record does; tell whether there is one."""
        record = await self._store.find(waiting.envelope.command_id)
        if record is not None:
            self._answer_from(waiting, record)
        return record is not None

    async def _answer_known(self, batch: list[_Waiting[S, B, E]], command_id: str) -> None:
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
            self._unchecked_since = self._unchecked_since or self._clock.now().monotonic
        self._loaded = True
        return grown

    async def _follow(self, record: Record) -> None:
        events = self._machine.read(record).events
        self.state = await self._machine.fold(self.state, record, events)
        self.head = head_of(record)
        self._tree = self._tree.grown(leaf(record.digest))
        self._tell(record, events, self.state)

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
            self.head, self._tree, self._snapshot_at = found.head, found.tree, found.head.sequence

    # chores and trouble

    def _chore(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(self._no_harm(work))
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)

    async def _no_harm(self, work: Coroutine[None, None, None]) -> None:
        try:
            await work
        except StoreFailed as error:
            self._stop(str(error))

    async def _checkpoint(self, head: Head, tree: Frontier, reason: str) -> None:
        if head.sequence <= self._checked or self._keys is None:
            return
        self._checked, self._unchecked_since = head.sequence, None
        now = self._clock.now().wall_time
        await self._store.keep_checkpoint(
            make_checkpoint(self._keys, stream=self.name, head=head, tree=tree, wall_time=now, reason=reason)
        )

    async def _snapshot(self, head: Head, tree: Frontier, state: S | None) -> None:
        if state is not None and self._keys is not None:
            written = self._machine.write_state(state)
            await self._store.keep_snapshot(
                make_snapshot(self._keys, stream=self.name, head=head, tree=tree, state=written)
            )

    async def hold(self, reason: str) -> None:
        """Have the stream wait for a person, where it was open; recorded like any command."""
        async with self._lock:
            await self._catch_up()
            await self._hold(reason)

    async def _hold(self, reason: str) -> None:
        pause = self._machine.pause_command(self.state, reason)
        if pause is None:
            return
        body, actor = pause
        self._holds += 1
        command_id = f"{self._clock.run}-{self.name}-hold-{self._holds}"
        envelope = Envelope(actor=actor, received_at=self._clock.now().moment, command_id=command_id)
        waiting = _Waiting[S, B, E](body, envelope, asyncio.get_running_loop().create_future())
        await self._serve([waiting])

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

    def _refuse_all(self, batch: list[_Waiting[S, B, E]]) -> None:
        refused = refuse(Refusal.TABLE_STOPPED)  # why is for the log and for staff: it may name a file
        for each in batch:
            if not each.answer.done():
                each.answer.set_result(refused)
