"""Every path of the server: its endpoint, its forms and who handles it; described from here."""

from thirdcard.access.endpoints import Endpoint
from thirdcard.reports.files import ReportForm
from thirdcard.reports.report import ReportKind
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.irregularity import Situation
from thirdcard.server import demo_floor, feeds, handlers, people, pricing, records, reports
from thirdcard.server.http import Route
from thirdcard.server.openapi import Parameter
from thirdcard.server.routing import LANGUAGE, route
from thirdcard.server.training_routes import TRAINING_ROUTES
from thirdcard.views.questions import Question, Required, ToldFacts
from thirdcard.wire import answers, forms, paths
from thirdcard.wire import records as recorded
from thirdcard.wire import reports as reported
from thirdcard.wire.paths import API
from thirdcard.wire.receipts import Receipt

AFTER = Parameter("after", "The sequence after which to begin", number=True)
MOST_PARAMETER = Parameter("most", "How many at the most", number=True)

FLAG = ("yes",)  # counts by being there
CONDITIONS = (
    Parameter("void", "Only rounds that are void", choices=FLAG),
    Parameter("irregular", "Only rounds in which something went wrong", choices=FLAG),
    Parameter("disputed", "Only rounds that were disputed", choices=FLAG),
    Parameter("incident", "Only rounds that are any of these", choices=FLAG),
    Parameter(
        "situation", "Only rounds in which this went wrong", choices=tuple(each.value for each in Situation)
    ),
    Parameter("patron", "Only rounds in which this patron had a wager"),
    Parameter("winner", "Only rounds that ended so", choices=tuple(each.value for each in Winner)),
    Parameter("since", "Only rounds that began then or later, in microseconds since 1970", number=True),
    Parameter("until", "Only rounds that began then or before", number=True),
    Parameter("shoe", "Only rounds of the shoe with this number", number=True),
    Parameter("person", "Only rounds in which this person had a wager, or gave or approved a command"),
    Parameter("wager", "Only rounds with a wager of this kind"),
)

ASKED_OF_REPORTS = (
    Parameter(
        "kind",
        "The periods: each gaming day, each shift, or the whole time by table; without it day",
        choices=tuple(each.value for each in ReportKind),
    ),
    Parameter("from", "The date of the first gaming day; without it that of now", example="2026-11-18"),
    Parameter("to", "The date of the last one; without it there is only the first", example="2026-11-19"),
    Parameter("table", "Only this table"),
)


# the first path that fits is taken, and most requests are commands to tables
ROUTES: tuple[Route, ...] = (
    route(
        Endpoint.TABLE_COMMANDS,
        "POST",
        paths.TABLE_COMMANDS,
        handlers.table_commands,
        answers.AcceptedAnswer,
        form=forms.TableCommandForm,
        refused=(404, 409),
    ),
    route(
        Endpoint.SIGN_IN,
        "POST",
        paths.SIGN_IN,
        handlers.sign_in,
        answers.Me,
        form=forms.SignInForm,
        refused=(401,),
    ),
    route(
        Endpoint.SIGN_IN_AGAIN,
        "POST",
        f"{API}/sign-in/again",
        handlers.sign_in_again,
        answers.Me,
        form=forms.SignInForm,
        refused=(401,),
    ),
    route(Endpoint.SIGN_OUT, "POST", paths.SIGN_OUT, handlers.sign_out, refused=(401, 404, 503)),
    route(Endpoint.ME, "GET", paths.ME, handlers.me, answers.Me),
    route(Endpoint.PASSWORD, "POST", f"{API}/me/password", handlers.password, form=forms.NewPasswordForm),
    route(Endpoint.SESSIONS, "GET", f"{API}/sessions", handlers.sessions, tuple[answers.SessionLine, ...]),
    route(
        Endpoint.END_SESSION,
        "DELETE",
        f"{API}/sessions/{{session}}",
        handlers.end_session,
        refused=(404, 422, 503),
    ),
    route(Endpoint.TABLES, "GET", paths.TABLES, handlers.tables, answers.TablesAnswer),
    route(Endpoint.TABLE, "GET", paths.TABLE_PATH, handlers.table, answers.TableAnswer, refused=(404,)),
    route(
        Endpoint.MESSAGES,
        "GET",
        paths.MESSAGES,
        handlers.messages,
        answers.MessagesAnswer,
        query=(AFTER, MOST_PARAMETER),
        refused=(404,),
    ),
    route(
        Endpoint.FEED,
        "GET",
        paths.FEED,
        feeds.feed,
        str,
        query=(
            Parameter(
                "after", "The sequence after which to begin; without it only what happens", number=True
            ),
        ),
        refused=(400, 404),
        media=feeds.EVENT_STREAM,
    ),
    route(
        Endpoint.HISTORY,
        "GET",
        paths.HISTORY,
        handlers.history,
        answers.HistoryAnswer,
        refused=(404,),
    ),
    route(
        Endpoint.HISTORY,
        "GET",
        f"{API}/tables/{{table}}/history/{{number:number}}/roads",
        handlers.roads,
        answers.RoadsAnswer,
        refused=(404,),
        name="roads",
    ),
    route(
        Endpoint.CLAUSES,
        "GET",
        f"{API}/tables/{{table}}/clauses",
        handlers.clauses,
        answers.ClausesAnswer,
        refused=(404,),
    ),
    route(
        Endpoint.METERS,
        "GET",
        paths.METERS,
        handlers.meters,
        answers.MetersAnswer,
        refused=(404,),
    ),
    route(
        Endpoint.METERS,
        "GET",
        paths.ALL_METERS,
        handlers.all_meters,
        answers.AllMetersAnswer,
        name="all-meters",
    ),
    route(
        Endpoint.METERS,
        "GET",
        paths.METERS_CSV,
        handlers.meters_csv,
        str,
        media="text/csv; charset=utf-8",
        name="meters-csv",
    ),
    route(
        Endpoint.IRREGULARITY,
        "POST",
        f"{API}/tables/{{table}}/irregularity",
        handlers.irregularity,
        Question | Required,
        form=ToldFacts,
        refused=(404, 409),
    ),
    route(Endpoint.ALERTS, "GET", f"{API}/alerts", handlers.alerts, answers.AlertsAnswer),
    route(Endpoint.FLOOR, "GET", paths.FLOOR_PATH, handlers.floor, answers.FloorAnswer),
    route(
        Endpoint.FLOOR_COMMANDS,
        "POST",
        paths.FLOOR_COMMANDS,
        handlers.floor_commands,
        answers.AcceptedAnswer,
        form=forms.FloorCommandForm,
        refused=(404, 409),
    ),
    route(Endpoint.PEOPLE, "GET", f"{API}/people", handlers.people, tuple[answers.PersonLine, ...]),
    route(
        Endpoint.ADD_PERSON,
        "POST",
        f"{API}/people",
        people.add_person,
        answers.PersonChanged,
        form=forms.PersonForm,
        refused=(401, 404),
    ),
    route(
        Endpoint.RESET_PASSWORD,
        "POST",
        f"{API}/people/{{name}}/password",
        people.reset_password,
        answers.PersonChanged,
        form=forms.ResetPasswordForm,
        refused=(401, 404),
    ),
    route(
        Endpoint.RENEW_FACTOR,
        "POST",
        f"{API}/people/{{name}}/factor",
        people.renew_factor,
        answers.PersonChanged,
        form=forms.RenewFactorForm,
        refused=(401, 404),
    ),
    route(Endpoint.ACCOUNTS, "GET", paths.ACCOUNTS_PATH, people.accounts, tuple[answers.AccountLine, ...]),
    route(
        Endpoint.ADD_ACCOUNT,
        "POST",
        paths.ACCOUNTS_PATH,
        people.add_account,
        answers.AccountMade,
        form=forms.AccountForm,
        refused=(401,),
    ),
    route(
        Endpoint.TERMINALS, "GET", paths.TERMINALS_PATH, handlers.terminals, tuple[answers.TerminalLine, ...]
    ),
    route(
        Endpoint.ENROL_TERMINAL,
        "POST",
        paths.TERMINALS_PATH,
        handlers.enrol_terminal,
        answers.Enrolled,
        form=forms.EnrolForm,
        refused=(404,),
    ),
    route(
        Endpoint.CLAIM_TERMINAL,
        "POST",
        paths.CLAIM_TERMINAL,
        handlers.claim_terminal,
        answers.Me,
        form=forms.ClaimForm,
        refused=(401,),
    ),
    route(
        Endpoint.RECEIPTS,
        "GET",
        paths.RECEIPT,
        handlers.receipts,
        Receipt,
        refused=(404,),
    ),
    route(
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
    route(
        Endpoint.AUDIT_VERIFY,
        "POST",
        f"{API}/audit/verify",
        records.audit_verify,
        recorded.Verification,
        form=forms.VerifyForm,
        query=(LANGUAGE,),
    ),
    route(
        Endpoint.AUDIT_VERIFY,
        "GET",
        f"{API}/audit/verify",
        records.audit_verification,
        recorded.Verification,
        name="audit-verification",
        query=(LANGUAGE,),
    ),
    route(
        Endpoint.ROUNDS,
        "GET",
        f"{API}/rounds",
        records.search,
        recorded.SearchAnswer,
        query=(
            MOST_PARAMETER,
            *CONDITIONS,
            Parameter("least", "Only rounds with a wager of so much or more, in whole units", example="1500"),
            Parameter("highest", "Only rounds without a wager of more than this"),
        ),
        name="search-rounds",
        refused=(400,),
    ),
    route(
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
    route(
        Endpoint.ROUND,
        "GET",
        f"{API}/tables/{{table}}/rounds/{{number:number}}",
        records.round_,
        recorded.RoundAnswer,
        query=(LANGUAGE,),
        refused=(404, 409),
    ),
    route(
        Endpoint.DOSSIER,
        "GET",
        f"{API}/tables/{{table}}/rounds/{{number:number}}/dossier",
        records.dossier,
        str,
        query=(LANGUAGE,),
        refused=(404, 409),
        media="application/zip",
    ),
    route(
        Endpoint.REPORTS,
        "GET",
        paths.REPORTS,
        reports.report,
        reported.ReportAnswer,
        query=(*ASKED_OF_REPORTS, LANGUAGE),
        refused=(400, 404),
    ),
    route(
        Endpoint.REPORTS,
        "GET",
        paths.REPORT_FILE,
        reports.report_file,
        str,
        query=(*ASKED_OF_REPORTS, LANGUAGE),
        refused=(400, 404),
        media=tuple(each.media for each in ReportForm),
        name="report-file",
    ),
    route(
        Endpoint.ODDS,
        "GET",
        f"{API}/odds",
        pricing.odds,
        answers.OddsAnswer,
        query=(
            Parameter("game", "The id of a game", example="mbs-tiger-v3"),
            Parameter(
                "decks", "A whole shoe of so many decks, 4 to 10; without it 8", number=True, example=8
            ),
            Parameter("remaining", "Instead: the cards that are left", example="A=32,2=31"),
        ),
        refused=(422,),
    ),
    *TRAINING_ROUTES,
    route(Endpoint.DEMO, "GET", paths.DEMO_PATH, handlers.demo, answers.DemoAnswer, refused=(403,)),
    route(
        Endpoint.DEMO,
        "POST",
        paths.DEMO_SEAT,
        handlers.demo_seat,
        answers.Me,
        form=forms.DemoSeatForm,
        refused=(401, 403, 404),
        name="demo-seat",
    ),
    route(
        Endpoint.DEMO,
        "POST",
        paths.DEMO_RESUME,
        demo_floor.demo_resume,
        answers.AcceptedAnswer,
        form=forms.DemoResumeForm,
        refused=(403, 404, 422),
        name="demo-resume",
    ),
    route(
        Endpoint.METRICS,
        "GET",
        "/metrics",
        handlers.metrics,
        str,
        media="text/plain; version=0.0.4; charset=utf-8",
    ),
    route(Endpoint.HEALTH, "GET", "/health", handlers.health, answers.Health),
    route(Endpoint.READY, "GET", "/ready", handlers.ready, answers.Health, refused=(503,)),
)
