"""The handlers that answer each endpoint."""

import logging

from msgspec import Struct
from msgspec.structs import replace

from thirdcard import __version__
from thirdcard.access.actors import AtTerminal, ByAccount, Staff, Stranger
from thirdcard.access.permissions import name_of
from thirdcard.access.sign_in import OpenedSession
from thirdcard.dossier.meter_rows import csv_of, meter_rows
from thirdcard.floor.standing import FloorRank, known_posts, standing_of
from thirdcard.floor.state import Scope, Terminal
from thirdcard.folds.history import History, RoundTold, as_it_stood, last_rounds, told_to
from thirdcard.folds.meters import Meters
from thirdcard.folds.scoreboard import scoreboard
from thirdcard.game.desk import QueryDesk
from thirdcard.journal.codec import envelope_of
from thirdcard.money import Currency
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.server.commands import (
    attempt_of,
    command_floor,
    command_table,
    receipt_of_record,
    second_person,
)
from thirdcard.server.context import ServerContext, viewer_of
from thirdcard.server.http import Call, Raw
from thirdcard.server.security import drop_cookie, is_secure, set_cookie, tokens_in
from thirdcard.server.shares import STEP_RECORDS
from thirdcard.views.questions import Question, Required, ToldFacts, lead
from thirdcard.views.view import view_of
from thirdcard.wire.answers import (
    AcceptedAnswer,
    AlertsAnswer,
    AllMetersAnswer,
    ClauseSaid,
    ClausesAnswer,
    DemoAnswer,
    DemoPersonLine,
    Enrolled,
    FloorAnswer,
    Health,
    HistoryAnswer,
    Me,
    MessagesAnswer,
    MetersAnswer,
    PersonLine,
    RoadsAnswer,
    SessionLine,
    TableAlerts,
    TableAnswer,
    TableMeter,
    TablesAnswer,
    TerminalLine,
)
from thirdcard.wire.forms import (
    ClaimForm,
    DemoSeatForm,
    EnrolForm,
    FloorCommandForm,
    NewPasswordForm,
    SignInForm,
    TableCommandForm,
)
from thirdcard.wire.paths import Holder
from thirdcard.wire.receipts import Receipt

log = logging.getLogger(__name__)

PAGE, MOST_PAGE = 200, 500


# coming and going


async def sign_in(context: ServerContext, call: Call) -> Me | Refused:
    """Open a session; the browser gets its token as a cookie."""
    form: SignInForm = call.form
    answer = await context.desk.sign_in(attempt_of(form.credentials, form.console, call.address))
    if isinstance(answer, OpenedSession):
        call.headers["set-cookie"] = set_cookie(Holder.STAFF, answer.token, secure=is_secure(call.scope))
        return replace(context.me(answer.staff), failures=answer.failures)
    _log_refused(context, form.credentials.name, call.address, answer)
    return answer


def _log_refused(context: ServerContext, name: str, address: str, refused: Refused) -> None:
    """Log a sign-in that was refused; only a name that somebody has: people type passwords into its field."""
    known = {"name": name} if context.directory.person(name) is not None else {}
    log.warning(
        "sign-in refused", extra={"fields": {"address": address, "reason": refused.reason.value, **known}}
    )


async def sign_in_again(context: ServerContext, call: Call) -> Me | Refused:
    """Go on with a session after a rest."""
    form: SignInForm = call.form
    attempt = attempt_of(form.credentials, form.console, call.address)
    refused = refuse(Refusal.NOT_SIGNED_IN)
    for token in tokens_in(call.scope, Holder.STAFF):
        answer = await context.desk.sign_in_again(token, attempt)
        if isinstance(answer, Staff):
            return context.me(answer)
        refused = answer
    return refused


async def sign_out(context: ServerContext, call: Call) -> Refused | None:
    """End one's own session."""
    call.headers["set-cookie"] = drop_cookie(Holder.STAFF, secure=is_secure(call.scope))
    for token in tokens_in(call.scope, Holder.STAFF):
        answer = await context.desk.sign_out(token)
        return answer if isinstance(answer, Refused) else None
    return refuse(Refusal.NOT_SIGNED_IN)


async def me(context: ServerContext, call: Call) -> Me:
    """Return who the asker is."""
    assert isinstance(call.actor, Staff | AtTerminal | ByAccount | Stranger)
    return context.me(call.actor)


async def password(context: ServerContext, call: Call) -> Refused | None:
    """Give oneself another password."""
    form: NewPasswordForm = call.form
    assert isinstance(call.actor, Staff)
    if form.credentials.name != call.actor.name:
        return refuse(Refusal.NOT_PERMITTED)
    attempt = attempt_of(form.credentials, call.actor.console, call.address)
    answer = await context.desk.change_password(attempt, form.new)
    return answer if isinstance(answer, Refused) else None


async def sessions(context: ServerContext, call: Call) -> tuple[SessionLine, ...]:
    """One's own sessions; managers see everybody's."""
    assert isinstance(call.actor, Staff)
    return tuple(
        SessionLine(each.id, each.person, each.console, each.opened_at, each.idle)
        for each in context.desk.sessions(call.actor)
    )


async def end_session(context: ServerContext, call: Call) -> Refused | None:
    """End a session, one's own or as a manager."""
    assert isinstance(call.actor, Staff)
    answer = await context.desk.end(call.path["session"], by=call.actor, reason="ended-by-staff")
    return answer if isinstance(answer, Refused) else None


# tables


async def tables(context: ServerContext, call: Call) -> TablesAnswer:  # noqa: ARG001
    """The lobby."""
    return TablesAnswer(context.hub.lobby())


async def table(context: ServerContext, call: Call) -> TableAnswer | Refused:
    """A table as the asker may see it."""
    name = call.path["table"]
    channel = context.hub.channel(name)
    if channel is None:
        return refuse(Refusal.NO_SUCH_TABLE)
    await channel.stream.load()
    channel.flush()
    if channel.showing is None:
        return refuse(Refusal.NO_SUCH_TABLE)
    clocks = channel.clocks()
    return TableAnswer(
        table=name,
        sequence=channel.sequence,
        now=clocks.now,
        clock=clocks.betting,
        until=clocks.until,
        view=view_of(channel.showing, viewer_of(call.actor, name)),
    )


async def messages(context: ServerContext, call: Call) -> MessagesAnswer | Refused:
    """Return the moments at a table after a sequence, page by page."""
    name = call.path["table"]
    channel = context.hub.channel(name)
    if channel is None:
        return refuse(Refusal.NO_SUCH_TABLE)
    after = call.number("after", 0)
    return MessagesAnswer(*await channel.messages(viewer_of(call.actor, name), after, asked_messages(call)))


def asked_messages(call: Call) -> int:
    """Return how many records a page of messages is about, at most."""
    return max(1, call.number("most", PAGE, most=MOST_PAGE))


async def table_commands(context: ServerContext, call: Call) -> AcceptedAnswer | Refused:
    """Have a command decided by a table."""
    form: TableCommandForm = call.form
    address = call.address if form.authoriser else ""  # counted where a password is shown
    return await command_table(context, call.actor, call.path["table"], form, address)


async def irregularity(context: ServerContext, call: Call) -> Question | Required | Refused:
    """The next question about what went wrong, or what the rulebook requires; nothing is recorded."""
    name, form = call.path["table"], call.form
    assert isinstance(form, ToldFacts)
    if context.directory.table(name) is None:
        return refuse(Refusal.NO_SUCH_TABLE)
    stream = context.floor.service.table(name)
    await stream.load()
    books = context.floor.service.books(name)
    if stream.state is None or books is None:
        return refuse(Refusal.NO_SUCH_TABLE)
    async with context.hub.steps.step():
        desk = QueryDesk(books.rulebook, books.house, stream.state.table)
        return lead(desk, form, by=name_of(call.actor), at=context.floor.clock.now().moment)


async def history(context: ServerContext, call: Call) -> HistoryAnswer | Refused:
    """The rounds of the shoe in play; a patron's own last rounds, also of shoes before."""
    name = call.path["table"]
    if context.directory.table(name) is None:
        return refuse(Refusal.NO_SUCH_TABLE)
    stream = context.floor.service.table(name)
    await stream.load()
    told, viewer = stream.state.history if stream.state else History(), viewer_of(call.actor, name)
    if viewer.patron is not None:
        return HistoryAnswer(last_rounds(told, viewer.patron))
    shown: list[RoundTold] = []
    for some in range(0, len(told.rounds), STEP_RECORDS):
        async with context.hub.steps.step():
            shown += [told_to(each, viewer) for each in told.rounds[some : some + STEP_RECORDS]]
    return HistoryAnswer(tuple(shown))


async def roads(context: ServerContext, call: Call) -> RoadsAnswer | Refused:
    """The roads as they stood after a round of the shoe in play, or after one of a patron's last rounds."""
    name, number = call.path["table"], call.path["number"]
    if context.directory.table(name) is None:
        return refuse(Refusal.NO_SUCH_TABLE)
    stream = context.floor.service.table(name)
    await stream.load()
    async with context.hub.steps.step():
        board = as_it_stood(stream.state.history, number) if stream.state else None
        return refuse(Refusal.NO_SUCH_ROUND) if board is None else RoadsAnswer(number, scoreboard(board))


async def clauses(context: ServerContext, call: Call) -> ClausesAnswer | Refused:
    """The clauses of the rules of a table in plain words."""
    name = call.path["table"]
    books = context.floor.service.books(name) if context.directory.table(name) else None
    if books is None:
        return refuse(Refusal.NO_SUCH_TABLE)
    lines = books.rulebook.document.clauses.items()
    said = tuple(ClauseSaid(clause, line.says, line.term) for clause, line in lines)
    return ClausesAnswer(books.rulebook.digest, said)


async def meters(context: ServerContext, call: Call) -> MetersAnswer | Refused:
    """The meters of a table."""
    name = call.path["table"]
    if context.directory.table(name) is None:
        return refuse(Refusal.NO_SUCH_TABLE)
    found = await _metered(context, name)
    if found is None:
        return refuse(Refusal.NO_SUCH_TABLE)
    now = context.floor.clock.now().wall_time
    return MetersAnswer(found.meters.table, found.meters.all_patrons, found.meters.wagers, found.since, now)


class _Metered(Struct, frozen=True):
    """The meters of a table, its currency, and the time of its first record."""

    table: str
    meters: Meters
    currency: Currency
    since: int


async def _metered(context: ServerContext, name: str) -> _Metered | None:
    """The meters of a table; nothing where it was never set up."""
    stream = context.floor.service.table(name)
    await stream.load()
    books = context.floor.service.books(name)
    if stream.state is None or books is None:
        return None
    first = await context.floor.store.read(name, most=1)
    return _Metered(name, stream.state.meters, books.house.currency, first[0].wall_time)


async def _all_metered(context: ServerContext) -> list[_Metered]:
    """The meters of every table of the floor."""
    names = [each.setup.table for each in context.directory.floor.tables]
    return [found for name in names if (found := await _metered(context, name)) is not None]


async def all_meters(context: ServerContext, call: Call) -> AllMetersAnswer:  # noqa: ARG001
    """The meters of all tables."""
    found = await _all_metered(context)
    tables = (TableMeter(each.table, each.currency, each.since, each.meters.table) for each in found)
    return AllMetersAnswer(tuple(tables), context.floor.clock.now().wall_time)


async def meters_csv(context: ServerContext, call: Call) -> Raw:  # noqa: ARG001
    """The meters of all tables, their patrons and their kinds of wager, as a file for a spreadsheet."""
    found, until = await _all_metered(context), context.floor.clock.now().wall_time
    rows = (
        row
        for each in found
        for row in meter_rows(each.table, each.meters, each.currency, since=each.since, until=until)
    )
    return Raw(csv_of(rows), "text/csv; charset=utf-8", "meters.csv")


async def alerts(context: ServerContext, call: Call) -> AlertsAnswer:  # noqa: ARG001
    """Return the alerts that somebody must see to, at all tables."""
    return AlertsAnswer(
        tuple(
            TableAlerts(channel.name, channel.stream.state.alerts, channel.overdue)
            for channel in context.hub.channels()
            if channel.stream.state is not None
        )
    )


# the floor


async def floor(context: ServerContext, call: Call) -> FloorAnswer:
    """The definitions of tables, proposals that wait, and what is disabled."""
    found, actor = context.directory.floor, call.actor
    senior = isinstance(actor, Staff) and standing_of(context.houses, found, actor.name) >= FloorRank.SENIOR
    posts, records = known_posts(context.houses), context.checks.state
    return FloorAnswer(
        found.tables, found.proposals, found.disabled, posts, senior, records, found.clock_steps
    )


async def floor_commands(context: ServerContext, call: Call) -> AcceptedAnswer | Refused:
    """Have a command decided by the floor."""
    form: FloorCommandForm = call.form
    return await command_floor(context, call.actor, form, call.address)


async def people(context: ServerContext, call: Call) -> tuple[PersonLine, ...]:  # noqa: ARG001
    """The people, without what they sign in with."""
    return tuple(
        PersonLine(each.name, each.posts, each.second_factor is not None, each.locked, each.failures)
        for each in context.directory.floor.people
    )


async def terminals(context: ServerContext, call: Call) -> tuple[TerminalLine, ...]:  # noqa: ARG001
    """The terminals."""
    return tuple(_line(each) for each in context.directory.floor.terminals)


def _line(terminal: Terminal) -> TerminalLine:
    return TerminalLine(
        terminal.id,
        terminal.table,
        terminal.position,
        terminal.enabled,
        terminal.token is not None,
        terminal.patron,
    )


async def enrol_terminal(context: ServerContext, call: Call) -> Enrolled | Refused:
    """Expect a terminal; the code is for typing there, once."""
    form: EnrolForm = call.form
    assert isinstance(call.actor, Staff)
    second = None
    if form.authoriser is not None:
        approver = await second_person(context, call.actor, form.authoriser, call.address)
        if isinstance(approver, Refused):
            return approver
        second = approver.name
    answer = await context.terminals.enrol(
        form.terminal, table=form.table, by=call.actor.name, second=second, position=form.position
    )
    if isinstance(answer, Refused):
        return answer
    return Enrolled(answer.terminal, answer.code, answer.ends)


async def claim_terminal(context: ServerContext, call: Call) -> Me | Refused:
    """Become the terminal that a code was made for."""
    form: ClaimForm = call.form
    answer = await context.terminals.claim(form.code, address=call.address)
    if isinstance(answer, Refused):
        return answer
    return _becomes(context, call, answer.token)


def _becomes(context: ServerContext, call: Call, token: str) -> Me | Refused:
    call.headers["set-cookie"] = set_cookie(Holder.TERMINAL, token, secure=is_secure(call.scope))
    found = context.terminals.who(token)
    return found if isinstance(found, Refused) else context.me(found)


# the demonstration


async def demo(context: ServerContext, call: Call) -> DemoAnswer | Refused:  # noqa: ARG001
    """Return the people to sign in as, and the places to sit."""
    made = context.demo
    if made is None:
        return refuse(Refusal.NOT_PERMITTED)
    now = context.floor.clock.now().moment
    return DemoAnswer(
        tuple(
            DemoPersonLine(each.name, each.post, each.password, each.code_at(now, _used(context, each.name)))
            for each in made.people
        ),
        tuple(_line(each) for each in context.directory.floor.terminals),
    )


def _used(context: ServerContext, name: str) -> int:
    """The step of the last code that somebody used."""
    person = context.directory.floor.person(name)
    return max(person.used_steps, default=0) if person else 0


async def demo_seat(context: ServerContext, call: Call) -> Me | Refused:
    """A browser becomes a terminal of the demonstration floor."""
    form: DemoSeatForm = call.form
    made = context.demo
    terminal = next((each for each in made.terminals if each.id == form.terminal), None) if made else None
    if terminal is None:
        return refuse(Refusal.NO_SUCH_TERMINAL, terminal=form.terminal)
    return _becomes(context, call, terminal.token)


# proof


async def receipts(context: ServerContext, call: Call) -> Receipt | Refused:
    """The receipt of a command, made again from the journal: for its patron and for staff."""
    record = await context.floor.store.find(call.path["command_id"])
    unknown = refuse(Refusal.NO_SUCH_RECEIPT)
    if record is None or context.directory.table(record.stream) is None:
        return unknown
    actor = envelope_of(record).actor
    match call.actor:
        case Staff():
            own = True
        case ByAccount():
            own = Scope.RECORDS in call.actor.scopes or call.actor.account == actor
        case AtTerminal():
            own = call.actor.patron == actor and call.actor.table == record.stream
        case _:
            own = False
    return (receipt_of_record(record) if own else None) or unknown


# the server itself


async def metrics(context: ServerContext, call: Call) -> Raw:  # noqa: ARG001
    """Return the metrics of the server."""
    return Raw(context.metrics.text(), "text/plain; version=0.0.4; charset=utf-8")


async def health(context: ServerContext, call: Call) -> Health:  # noqa: ARG001
    """That the server is there; strangers are not told why tables are closed."""
    stopped = tuple(each.name for each in context.hub.channels() if each.stream.stopped is not None)
    return Health(__version__, replace(context.checks.state, closed=()), stopped)


async def ready(context: ServerContext, call: Call) -> Health | Refused:
    """Whether the server takes commands."""
    if not context.ready:
        return refuse(Refusal.NOT_READY)
    return await health(context, call)
