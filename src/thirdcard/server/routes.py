"""Every path of the server: its endpoint, its forms, who handles it, and its cost; described from here."""

from collections.abc import Callable
from typing import Any

from thirdcard.access.endpoints import EVERY_CALLER, GUEST, LOCAL, MAY_CALL, STRANGER, Endpoint
from thirdcard.server import demo_floor, handlers, people, pricing, records, reports
from thirdcard.server.http import Call, Handle, Route
from thirdcard.server.openapi import Described, HttpMethod, Parameter
from thirdcard.views.questions import Question, Required, ToldFacts
from thirdcard.wire import answers, forms, paths
from thirdcard.wire import records as recorded
from thirdcard.wire import reports as reported
from thirdcard.wire.paths import API
from thirdcard.wire.receipts import Receipt

AFTER = Parameter("after", "The sequence after which to begin", number=True)
MOST_PARAMETER = Parameter("most", "How many at the most", number=True)
LANGUAGE = Parameter("language", "The language of the reader, such as zh-Hans; without it English")

CONDITIONS = (
    Parameter("void", "Only rounds that are void, whatever the value"),
    Parameter("irregular", "Only rounds in which something went wrong, whatever the value"),
    Parameter("disputed", "Only rounds that were disputed, whatever the value"),
    Parameter("incident", "Only rounds that are any of these, whatever the value"),
    Parameter("situation", "Only rounds in which this went wrong"),
    Parameter("patron", "Only rounds in which this patron had a wager"),
    Parameter("winner", "Only rounds that ended so: player, banker or tie"),
    Parameter("since", "Only rounds that began then or later, in microseconds since 1970", number=True),
    Parameter("until", "Only rounds that began then or before", number=True),
    Parameter("shoe", "Only rounds of the shoe with this number", number=True),
    Parameter("person", "Only rounds in which this person had a wager, or gave or approved a command"),
    Parameter("wager", "Only rounds with a wager of this kind"),
)

ASKED_OF_REPORTS = (
    Parameter(
        "kind", "The periods: each gaming day, each shift, or table for the whole time; without it day"
    ),
    Parameter("from", "The date of the first gaming day, such as 2026-11-18; without it that of now"),
    Parameter("to", "The date of the last one; without it there is only the first"),
    Parameter("table", "Only this table"),
)


def _fixed(cost: int) -> Callable[[Call], int]:
    return lambda _: cost


# what reads much costs as many records as could be read meanwhile
COSTS: dict[Handle, Callable[[Call], int]] = {
    handlers.tables: _fixed(20),
    handlers.table: _fixed(20),
    handlers.messages: handlers.asked_messages,
    handlers.history: _fixed(100),
    handlers.roads: _fixed(50),
    handlers.clauses: _fixed(20),
    handlers.meters: _fixed(20),
    handlers.all_meters: _fixed(200),
    handlers.meters_csv: _fixed(200),
    handlers.irregularity: _fixed(20),
    handlers.alerts: _fixed(20),
    records.audit_records: records.cost_of_records,
    records.audit_verify: _fixed(500),
    records.rounds: _fixed(200),
    records.search: _fixed(500),
    records.round_: _fixed(200),
    records.dossier: _fixed(500),
    reports.report: _fixed(500),
    reports.report_file: _fixed(500),
    pricing.odds: _fixed(200),
}


GIVE_TOKENS = (handlers.sign_in, handlers.claim_terminal, handlers.demo_seat)  # in a cookie


def _route(  # noqa: PLR0913 - a path has many sides
    endpoint: Endpoint,
    method: HttpMethod,
    path: str,
    handle: Handle,
    answer: Any = None,
    *,
    form: Any = None,
    query: tuple[Parameter, ...] = (),
    refused: tuple[int, ...] = (),
    media: str = "application/json",
    name: str | None = None,
) -> Route:
    """A route with the refusals that any route of its kind can give."""
    statuses = {400, 429, 503, *refused}
    if MAY_CALL[endpoint] != EVERY_CALLER:
        statuses |= {401, 403}
    if form is not None:
        statuses |= {413, 422}
    if method != "GET":
        statuses |= {403}
    says = (handle.__doc__ or "").strip().splitlines()[0].rstrip(".")
    described_answers: dict[int, Any] = {
        200 if answer is not None else 204: answer,
        **dict.fromkeys(sorted(statuses)),
    }
    described = Described(
        endpoint=name or endpoint.value,
        method=method,
        path=path,
        says=says,
        form=form,
        answers=described_answers,
        query=query,
        media=media,
        open=any(each in MAY_CALL[endpoint] for each in (STRANGER, LOCAL, GUEST)),
        gives_token=handle in GIVE_TOKENS,
    )
    return Route(endpoint, described, handle, COSTS.get(handle))


# the first path that fits is taken, and most requests are commands to tables
ROUTES: tuple[Route, ...] = (
    _route(
        Endpoint.TABLE_COMMANDS,
        "POST",
        paths.TABLE_COMMANDS,
        handlers.table_commands,
        answers.AcceptedAnswer,
        form=forms.TableCommandForm,
        refused=(404, 409),
    ),
    _route(
        Endpoint.SIGN_IN,
        "POST",
        paths.SIGN_IN,
        handlers.sign_in,
        answers.Me,
        form=forms.SignInForm,
        refused=(401,),
    ),
    _route(
        Endpoint.SIGN_IN_AGAIN,
        "POST",
        f"{API}/sign-in/again",
        handlers.sign_in_again,
        answers.Me,
        form=forms.SignInForm,
        refused=(401,),
    ),
    _route(Endpoint.SIGN_OUT, "POST", paths.SIGN_OUT, handlers.sign_out, refused=(401, 404, 503)),
    _route(Endpoint.ME, "GET", paths.ME, handlers.me, answers.Me),
    _route(Endpoint.PASSWORD, "POST", f"{API}/me/password", handlers.password, form=forms.NewPasswordForm),
    _route(Endpoint.SESSIONS, "GET", f"{API}/sessions", handlers.sessions, tuple[answers.SessionLine, ...]),
    _route(
        Endpoint.END_SESSION,
        "DELETE",
        f"{API}/sessions/{{session}}",
        handlers.end_session,
        refused=(404, 422, 503),
    ),
    _route(Endpoint.TABLES, "GET", paths.TABLES, handlers.tables, answers.TablesAnswer),
    _route(Endpoint.TABLE, "GET", paths.TABLE_PATH, handlers.table, answers.TableAnswer, refused=(404,)),
    _route(
        Endpoint.MESSAGES,
        "GET",
        paths.MESSAGES,
        handlers.messages,
        answers.MessagesAnswer,
        query=(AFTER, MOST_PARAMETER),
        refused=(404,),
    ),
    _route(
        Endpoint.HISTORY,
        "GET",
        paths.HISTORY,
        handlers.history,
        answers.HistoryAnswer,
        refused=(404,),
    ),
    _route(
        Endpoint.HISTORY,
        "GET",
        f"{API}/tables/{{table}}/history/{{number:number}}/roads",
        handlers.roads,
        answers.RoadsAnswer,
        refused=(404,),
        name="roads",
    ),
    _route(
        Endpoint.CLAUSES,
        "GET",
        f"{API}/tables/{{table}}/clauses",
        handlers.clauses,
        answers.ClausesAnswer,
        refused=(404,),
    ),
    _route(
        Endpoint.METERS,
        "GET",
        paths.METERS,
        handlers.meters,
        answers.MetersAnswer,
        refused=(404,),
    ),
    _route(
        Endpoint.METERS,
        "GET",
        paths.ALL_METERS,
        handlers.all_meters,
        answers.AllMetersAnswer,
        name="all-meters",
    ),
    _route(
        Endpoint.METERS,
        "GET",
        paths.METERS_CSV,
        handlers.meters_csv,
        str,
        media="text/csv; charset=utf-8",
        name="meters-csv",
    ),
    _route(
        Endpoint.IRREGULARITY,
        "POST",
        f"{API}/tables/{{table}}/irregularity",
        handlers.irregularity,
        Question | Required,
        form=ToldFacts,
        refused=(404, 409),
    ),
    _route(Endpoint.ALERTS, "GET", f"{API}/alerts", handlers.alerts, answers.AlertsAnswer),
    _route(Endpoint.FLOOR, "GET", paths.FLOOR_PATH, handlers.floor, answers.FloorAnswer),
    _route(
        Endpoint.FLOOR_COMMANDS,
        "POST",
        paths.FLOOR_COMMANDS,
        handlers.floor_commands,
        answers.AcceptedAnswer,
        form=forms.FloorCommandForm,
        refused=(404, 409),
    ),
    _route(Endpoint.PEOPLE, "GET", f"{API}/people", handlers.people, tuple[answers.PersonLine, ...]),
    _route(
        Endpoint.ADD_PERSON,
        "POST",
        f"{API}/people",
        people.add_person,
        answers.PersonChanged,
        form=forms.PersonForm,
        refused=(401, 404),
    ),
    _route(
        Endpoint.RESET_PASSWORD,
        "POST",
        f"{API}/people/{{name}}/password",
        people.reset_password,
        answers.PersonChanged,
        form=forms.ResetPasswordForm,
        refused=(401, 404),
    ),
    _route(
        Endpoint.RENEW_FACTOR,
        "POST",
        f"{API}/people/{{name}}/factor",
        people.renew_factor,
        answers.PersonChanged,
        form=forms.RenewFactorForm,
        refused=(401, 404),
    ),
    _route(Endpoint.ACCOUNTS, "GET", paths.ACCOUNTS_PATH, people.accounts, tuple[answers.AccountLine, ...]),
    _route(
        Endpoint.ADD_ACCOUNT,
        "POST",
        paths.ACCOUNTS_PATH,
        people.add_account,
        answers.AccountMade,
        form=forms.AccountForm,
        refused=(401,),
    ),
    _route(
        Endpoint.TERMINALS, "GET", paths.TERMINALS_PATH, handlers.terminals, tuple[answers.TerminalLine, ...]
    ),
    _route(
        Endpoint.ENROL_TERMINAL,
        "POST",
        paths.TERMINALS_PATH,
        handlers.enrol_terminal,
        answers.Enrolled,
        form=forms.EnrolForm,
        refused=(404,),
    ),
    _route(
        Endpoint.CLAIM_TERMINAL,
        "POST",
        paths.CLAIM_TERMINAL,
        handlers.claim_terminal,
        answers.Me,
        form=forms.ClaimForm,
        refused=(401,),
    ),
    _route(
        Endpoint.RECEIPTS,
        "GET",
        paths.RECEIPT,
        handlers.receipts,
        Receipt,
        refused=(404,),
    ),
    _route(
        Endpoint.AUDIT_RECORDS,
        "GET",
        f"{API}/audit/{{stream}}/records",
        records.audit_records,
        recorded.RecordsAnswer,
        query=(
            AFTER,
            Parameter("before", "The sequence before which to go back, 0 for the newest", number=True),
            MOST_PARAMETER,
            Parameter("by", "Only what this person sent or approved"),
        ),
        refused=(404,),
    ),
    _route(
        Endpoint.AUDIT_VERIFY,
        "POST",
        f"{API}/audit/verify",
        records.audit_verify,
        recorded.Verification,
        form=forms.VerifyForm,
        query=(LANGUAGE,),
    ),
    _route(
        Endpoint.AUDIT_VERIFY,
        "GET",
        f"{API}/audit/verify",
        records.audit_verification,
        recorded.Verification,
        name="audit-verification",
        query=(LANGUAGE,),
    ),
    _route(
        Endpoint.ROUNDS,
        "GET",
        f"{API}/rounds",
        records.search,
        recorded.SearchAnswer,
        query=(
            MOST_PARAMETER,
            *CONDITIONS,
            Parameter("least", "Only rounds with a wager of so much or more, in whole units such as 1500.50"),
            Parameter("highest", "Only rounds without a wager of more than this"),
        ),
        name="search-rounds",
        refused=(400,),
    ),
    _route(
        Endpoint.ROUNDS,
        "GET",
        f"{API}/tables/{{table}}/rounds",
        records.rounds,
        recorded.RoundsAnswer,
        query=(
            Parameter("before", "Rounds with a lower number than this", number=True),
            MOST_PARAMETER,
            *CONDITIONS,
        ),
        refused=(400, 404),
    ),
    _route(
        Endpoint.ROUND,
        "GET",
        f"{API}/tables/{{table}}/rounds/{{number:number}}",
        records.round_,
        recorded.RoundAnswer,
        query=(LANGUAGE,),
        refused=(404, 409),
    ),
    _route(
        Endpoint.DOSSIER,
        "GET",
        f"{API}/tables/{{table}}/rounds/{{number:number}}/dossier",
        records.dossier,
        str,
        query=(LANGUAGE,),
        refused=(404, 409),
        media="application/zip",
    ),
    _route(
        Endpoint.REPORTS,
        "GET",
        paths.REPORTS,
        reports.report,
        reported.ReportAnswer,
        query=(*ASKED_OF_REPORTS, LANGUAGE),
        refused=(400, 404),
    ),
    _route(
        Endpoint.REPORTS,
        "GET",
        paths.REPORT_FILE,
        reports.report_file,
        str,
        query=(*ASKED_OF_REPORTS, LANGUAGE),
        refused=(400, 404),
        media="application/octet-stream",
        name="report-file",
    ),
    _route(
        Endpoint.ODDS,
        "GET",
        f"{API}/odds",
        pricing.odds,
        answers.OddsAnswer,
        query=(
            Parameter("game", "The id of a game"),
            Parameter("decks", "A whole shoe of so many decks, 4 to 10; without it 8", number=True),
            Parameter("remaining", "Instead: the cards that are left, such as A=32,2=31"),
        ),
        refused=(422,),
    ),
    _route(Endpoint.DEMO, "GET", paths.DEMO_PATH, handlers.demo, answers.DemoAnswer, refused=(403,)),
    _route(
        Endpoint.DEMO,
        "POST",
        paths.DEMO_SEAT,
        handlers.demo_seat,
        answers.Me,
        form=forms.DemoSeatForm,
        refused=(401, 403, 404),
        name="demo-seat",
    ),
    _route(
        Endpoint.DEMO,
        "POST",
        paths.DEMO_RESUME,
        demo_floor.demo_resume,
        answers.AcceptedAnswer,
        form=forms.DemoResumeForm,
        refused=(403, 404, 422),
        name="demo-resume",
    ),
    _route(
        Endpoint.METRICS,
        "GET",
        "/metrics",
        handlers.metrics,
        str,
        media="text/plain; version=0.0.4; charset=utf-8",
    ),
    _route(Endpoint.HEALTH, "GET", "/health", handlers.health, answers.Health),
    _route(Endpoint.READY, "GET", "/ready", handlers.ready, answers.Health, refused=(503,)),
)
