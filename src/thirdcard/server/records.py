"""The journal for surveillance, auditors and managers: records, rounds, dossiers, verification."""

import re
from collections.abc import Callable
from decimal import Decimal

import msgspec
from msgspec import Struct

from thirdcard.access.permissions import name_of
from thirdcard.dossier.bundle import folder_of
from thirdcard.dossier.index import Sought
from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.game.state import Phase, Table
from thirdcard.journal.codec import envelope_of
from thirdcard.journal.record import Record
from thirdcard.journal.store import FLOOR_STREAM, Store
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.irregularity import Situation
from thirdcard.server import proofs
from thirdcard.server.context import ServerContext
from thirdcard.server.http import LONGEST_NUMBER, Call, Raw
from thirdcard.server.shares import STEP_RECORDS, SmallSteps
from thirdcard.wire.forms import VerifyForm
from thirdcard.wire.records import (
    RecordLine,
    RecordsAnswer,
    RoundAnswer,
    RoundsAnswer,
    SearchAnswer,
    Verification,
)

PAGE, MOST_PAGE = 50, 500
ENVELOPES_PER_STEP = 200
MOST_READ = 5_000  # records that one page about somebody is looked for in
SECRETS = frozenset({"password", "second_factor", "token", "secret", "code", "session", "step"})
HIDDEN = "withheld"
WINNERS = {each.value: each for each in Winner}
SITUATIONS = {each.value: each for each in Situation}
BOUNDS = ("least", "highest")
_NUMBER = re.compile(rf"[0-9]{{1,{LONGEST_NUMBER}}}")
_AMOUNT = re.compile(r"[0-9]{1,14}(\.[0-9]{1,4})?")  # whole units of any currency


async def audit_records(context: ServerContext, call: Call) -> RecordsAnswer | Refused:
    """Records of a table or of the floor, on from a sequence or back from one, of everybody or one person."""
    stream = call.path["stream"]
    if stream != FLOOR_STREAM and context.directory.table(stream) is None:
        return refuse(Refusal.NO_SUCH_TABLE)
    until = await _until(context, stream)
    most = asked_records(call)
    by = call.query.get("by") or None
    store, steps = context.floor.store, context.hub.steps
    if "before" in call.query:
        sought = _Sought(stream, call.number("before", 0), most, by)
        found, reached = await _back(store, steps, sought)
    else:
        read = await store.read(stream, after=call.number("after", 0), most=most)
        found = [record for record in read if _is_by(record, by)]
        reached = read[-1].sequence if read else call.number("after", 0)
    shown: list[RecordLine] = []
    for at in range(0, len(found), STEP_RECORDS):
        async with steps.step():
            shown += [
                _line(record, hide=stream == FLOOR_STREAM)
                for record in found[at : at + STEP_RECORDS]
                if until is None or record.sequence < until
            ]
    return RecordsAnswer(shown, len(shown) < len(found), reached)


def asked_records(call: Call) -> int:
    """Return how many records a page has, at most."""
    return max(1, call.number("most", PAGE, most=MOST_PAGE))


def cost_of_records(call: Call) -> int:
    """Return how many records are looked at for a page: many more where those of one person are sought."""
    return MOST_READ if call.query.get("by") else asked_records(call)


class _Sought(Struct, frozen=True):
    """The records that are sought: before one, or of all where that is 0, at most so many, and by whom."""

    stream: str
    before: int
    most: int
    by: str | None


async def _back(store: Store, steps: SmallSteps, sought: _Sought) -> tuple[list[Record], int]:
    """The newest records that are sought, and the sequence before which to go on."""
    stream, most = sought.stream, sought.most
    before = sought.before or (await store.head(stream)).sequence + 1
    least, at_once = before - MOST_READ, max(most, ENVELOPES_PER_STEP) if sought.by else most
    found: list[Record] = []
    while before > max(1, least) and len(found) < most:
        after = max(0, before - 1 - at_once)
        page = await store.read(stream, after=after, most=before - 1 - after)
        async with steps.step():
            found += [record for record in reversed(page) if _is_by(record, sought.by)]
        before = after + 1
    return found[:most], found[most - 1].sequence if len(found) >= most else before


def _is_by(record: Record, person: str | None) -> bool:
    """Whether somebody gave a command or stood behind it; everybody counts where nobody is named."""
    if person is None:
        return True
    envelope = envelope_of(record)
    return person in (envelope.actor, envelope.authoriser)


async def _until(context: ServerContext, stream: str) -> int | None:
    """The record from which on a table's records are withheld: faces that nobody may know stand in them."""
    if stream == FLOOR_STREAM:
        return None
    served = context.floor.service.table(stream)
    await served.load()
    return first_withheld(served.state) if served.state else None


def first_withheld(whole: TableSnapshot) -> int | None:
    """The first record of a round whose cards are not all on the table by now.

    A card that was kept for later, set aside, or seen in the dealing device, came from a round in which
    something went wrong.
    """
    table, history = whole.table, whole.history
    kept = bool(table.strays or table.reserved) or _is_seen_ahead(table)
    if kept:
        for told in history.rounds:
            if told.irregularities:
                return told.first.sequence
    under_way = kept or table.phase in (Phase.CLOSED, Phase.DEALING) or bool(table.open_cases)
    return history.now.first.sequence if under_way and history.now else None


def _is_seen_ahead(table: Table) -> bool:
    """Whether a card that was seen in the dealing device is still to come."""
    places = table.shoe.places if table.shoe else None
    return places is not None and any(
        place >= len(places.faces) or place in places.back for place, _ in places.ahead
    )


def _line(record: Record, *, hide: bool) -> RecordLine:
    envelope = envelope_of(record)
    deed = msgspec.json.decode(record.body)
    parts = (deed.get("command"), deed.get("events", []), deed.get("refused"))
    command, events, refused = (
        msgspec.Raw(msgspec.json.encode(_without_secrets(each) if hide else each)) for each in parts
    )
    return RecordLine(
        sequence=record.sequence,
        kind=record.kind,
        at=record.wall_time,
        actor=envelope.actor,
        authoriser=envelope.authoriser,
        command_id=record.command_id,
        command=command,
        events=events,
        refused=refused,
        rulebook=record.rulebook,
        house=record.house,
        software=record.software,
        previous=record.previous.hex(),
        digest=record.digest.hex(),
    )


def _without_secrets(value: object) -> object:
    """The same with what people and terminals prove themselves with left out, digests of it too."""
    if isinstance(value, dict):
        return {
            name: HIDDEN if name in SECRETS and each is not None else _without_secrets(each)
            for name, each in value.items()
        }
    return [_without_secrets(each) for each in value] if isinstance(value, list) else value


async def rounds(context: ServerContext, call: Call) -> RoundsAnswer | Refused:
    """Rounds of a table by what happened in them, the newest first."""
    table = call.path["table"]
    if context.directory.table(table) is None:
        return refuse(Refusal.NO_SUCH_TABLE)
    if refused := _refuse_conditions(call):
        return refused
    return RoundsAnswer(await context.back_office.answer(proofs.find_rounds, table, _sought(call)))


async def search(context: ServerContext, call: Call) -> SearchAnswer | Refused:
    """Rounds of all tables by what happened in them, the newest first."""
    if refused := _refuse_conditions(call):
        return refused
    typed = (call.query.get(name, "") for name in BOUNDS)
    least, highest = (Decimal(each) if each else None for each in typed)
    tables = tuple(each.setup.table for each in context.directory.floor.tables)
    books = [found for table in tables if (found := context.floor.service.books(table))]
    amounts = proofs.Amounts(least, highest)
    return SearchAnswer(
        rounds=await context.back_office.answer(proofs.search_rounds, tables, _sought(call), amounts),
        wagers={wager.id: wager.name for each in books for wager in each.rulebook.wagers.values()},
        situations=tuple(Situation),
    )


def _refuse_conditions(call: Call) -> Refused | None:
    """Refuse conditions that cannot be read; without them more would be found than was asked for."""
    checks: dict[str, Callable[[str], object]] = {
        **dict.fromkeys(BOUNDS, _AMOUNT.fullmatch),
        **dict.fromkeys(("before", "most", "since", "until", "shoe"), _NUMBER.fullmatch),
        "winner": WINNERS.get,
        "situation": SITUATIONS.get,
    }
    unread = [name for name, reads in checks.items() if (typed := call.query.get(name)) and not reads(typed)]
    return refuse(Refusal.NOT_UNDERSTOOD, problem=", ".join(unread)) if unread else None


def _sought(call: Call) -> Sought:
    """The conditions in the query of a request."""
    return Sought(
        before=call.number("before", 0) or None,
        most=asked_records(call),
        void="void" in call.query,
        irregular="irregular" in call.query,
        disputed="disputed" in call.query,
        incident="incident" in call.query,
        situation=SITUATIONS.get(call.query.get("situation", "")),
        patron=call.query.get("patron") or None,
        winner=WINNERS.get(call.query.get("winner", "")),
        since=call.number("since", 0) or None,
        until=call.number("until", 0) or None,
        shoe=call.number("shoe", 0) or None,
        person=call.query.get("person") or None,
        wager=call.query.get("wager") or None,
    )


async def round_(context: ServerContext, call: Call) -> RoundAnswer | Refused:
    """A round card by card, with clause and person."""
    refused = await _of_round(context, call)
    if refused is not None:
        return refused
    story = await context.back_office.answer(
        proofs.tell_story, call.path["table"], call.path["number"], call.language
    )
    return await _of_round(context, call) or story or refuse(Refusal.NO_SUCH_ROUND)


async def dossier(context: ServerContext, call: Call) -> Raw | Refused:
    """Everything a dispute needs about a round, as a zip file."""
    refused = await _of_round(context, call)
    if refused is not None:
        return refused
    table, number = call.path["table"], call.path["number"]
    await context.floor.service.table(table).checkpoint("dossier")  # what came last is covered too
    content = await context.back_office.answer(proofs.bind_dossier, table, number, call.language)
    if content is None:
        return refuse(Refusal.NO_SUCH_ROUND)
    return Raw(content, "application/zip", f"{folder_of(table, number)}.zip")


async def _of_round(context: ServerContext, call: Call) -> Refused | None:
    """Why a round cannot be told: there is none, or not all of its cards may be known by now."""
    table = call.path["table"]
    if context.directory.table(table) is None:
        return refuse(Refusal.NO_SUCH_TABLE)
    stream = context.floor.service.table(table)
    await stream.load()
    whole = stream.state
    number = call.path["number"]
    if whole is None or not 1 <= number <= whole.table.rounds:
        return refuse(Refusal.NO_SUCH_ROUND)
    return refuse(Refusal.ROUND_NOT_OVER, round=number) if _is_withheld(whole, number) else None


def _is_withheld(whole: TableSnapshot, number: int) -> bool:
    current, withheld = whole.table.round, first_withheld(whole)
    if current is not None and current.number == number and not current.ended:
        return True
    last = next((each.last.sequence for each in whole.history.rounds if each.number == number), 0)
    return withheld is not None and last >= withheld


async def audit_verify(context: ServerContext, call: Call) -> Verification:
    """Begin to prove the whole journal, or see how far that is."""
    form: VerifyForm = call.form
    now = context.floor.clock.now().wall_time
    await context.back_office.verify(by=name_of(call.actor), at=now, chain_only=form.chain_only)
    return context.back_office.verification(call.language)


async def audit_verification(context: ServerContext, call: Call) -> Verification:
    """How far the verification is, or what the last one found."""
    return context.back_office.verification(call.language)
