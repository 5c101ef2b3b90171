"""Looks into the records of a stream: decided again, settlements recounted, money booked."""

from collections import Counter

import msgspec
from msgspec import Struct

from thirdcard.auditor.findings import Finding
from thirdcard.auditor.money import Money
from thirdcard.auditor.people import SentBy
from thirdcard.auditor.recount import Recount
from thirdcard.auditor.replay import CannotReplay, Replay, ReplayStep, State, TableStep
from thirdcard.auditor.stored_rules import Rules, StoredRules, Unknown
from thirdcard.game.events import RoundBegan, RoundSettled, ShoeOpened
from thirdcard.journal.record import Record
from thirdcard.journal.sealed_shoe import check, file_of
from thirdcard.journal.software import build_of
from thirdcard.journal.store import Store
from thirdcard.messages import Message, message

WHOLE_LIMIT_SINCE = 2  # the first engine whose scaled stakes come to the limit; before, each was rounded


class RecordedBodies(Struct, frozen=True):
    """The events of a record as the recount reads them."""

    events: tuple[dict[str, object], ...] = ()


_bodies = msgspec.json.Decoder(RecordedBodies)
_people = msgspec.json.Decoder(SentBy)


class Found(Struct, frozen=True):
    """The faults of a record, what is only odd about it, and the record decided again."""

    findings: tuple[Finding, ...] = ()
    notes: tuple[Finding, ...] = ()
    step: ReplayStep | None = None


class Inspection:
    """Takes in one record after another; from one that cannot be replayed on it has nothing more to say."""

    def __init__(self, store: Store) -> None:
        self.rounds = self._round = 0
        self.wagers = 0
        self.refusals = 0
        self.lenient: Counter[str] = Counter()
        self._rules = StoredRules(store)
        self._replay = Replay()
        self._money = Money()
        self._recount: Recount | None = None
        self._by: Rules | None = None
        self._whole_limit = True
        self._at_end = False

    def __getstate__(self) -> dict[str, object]:
        """Return everything but the store, and the rules that were read from it."""
        return {**vars(self), "_rules": None, "_by": None}

    def go_on_with(self, store: Store) -> None:
        """Go on with the records of a store after this was kept."""
        self._rules = StoredRules(store)

    @property
    def state(self) -> State | None:
        """The table, or the floor, after the last record."""
        return self._replay.state

    async def take(self, record: Record) -> Found:
        """Return what is to be said about a record."""
        if self._at_end:
            return Found()
        try:
            rules = await self._rules.of(record)
            step = self._replay.step(record, rules)
        except Unknown as error:
            self._at_end = True
            return Found((Finding(record.sequence, error.what),))
        except CannotReplay as error:
            self._at_end = True
            return Found(tuple(Finding(record.sequence, what) for what in (*error.more, error.what)))
        self.refusals += step.result.refused is not None
        if not step.verdict.strict:
            self.lenient[record.software] += 1
        here, wrong = record.sequence, [*step.verdict.wrong, *self._money_of(step), *_opened(step)]
        findings = [Finding(here, what) for what in wrong]
        findings += (
            self._recounted(step, rules) if isinstance(step, TableStep) and isinstance(rules, Rules) else []
        )
        return Found(tuple(findings), tuple(Finding(here, what) for what in step.verdict.odd), step)

    def _money_of(self, step: ReplayStep) -> list[Message]:
        """Book what a record moves, and count rounds and wagers by the way."""
        if not isinstance(step, TableStep):
            return []
        wrong: list[Message] = []
        for event in step.result.events:
            unbalanced = self._money.book(event)
            wrong += [unbalanced] if unbalanced else []
            if isinstance(event, RoundBegan):  # one that had begun can begin again as a free hand
                self.rounds += event.number != self._round
                self._round = event.number
            self.wagers += len(event.wagers) if isinstance(event, RoundSettled) else 0
        if step.state is not None and step.result.events:
            wrong += self._money.compare(step.state.table)
        return wrong

    def _recounted(self, step: TableStep, rules: Rules) -> list[Finding]:
        """The second opinion, from the stored bytes and the document alone."""
        whole_limit = build_of(step.record.software).engine >= WHOLE_LIMIT_SINCE
        if self._recount is None:
            self._recount = Recount(rules.document, rules.house.form, whole_limit=whole_limit)
        elif self._by is not rules or self._whole_limit is not whole_limit:
            self._recount.go_by(rules.document, rules.house.form, whole_limit=whole_limit)
        self._by, self._whole_limit = rules, whole_limit
        found = _careful(self._recount, step)
        self._recount.findings.clear()
        return found


def _opened(step: ReplayStep) -> list[Message]:
    """Return the faults of a sealed shoe that a record opens: another order, or other cards than came."""
    if not isinstance(step, TableStep) or step.state is None:
        return []
    shoe = step.state.table.shoe
    return [
        what
        for event in step.result.events
        if isinstance(event, ShoeOpened) and shoe is not None and shoe.seal is not None
        for what in check(file_of(shoe, event))
    ]


def _careful(recount: Recount, step: TableStep) -> list[Finding]:
    record = step.record
    try:
        people = _people.decode(step.newest.envelope)
        for event in _bodies.decode(step.newest.body).events:
            recount.read(record.sequence, event, form=record.version, people=people)
    except Exception as error:  # a forged record may hold events that fit no table
        what = message("finding.not-recountable", record=record.sequence, error=repr(error))
        return [*recount.findings, Finding(record.sequence, what)]
    return list(recount.findings)
