"""An explicit table of who may call which endpoint of the server; nobody may call what is not in it."""

import enum
from typing import assert_never

from thirdcard.access.actors import Actor, AtTerminal, ByAccount, OfTable, Staff, Stranger, refuse_account
from thirdcard.floor.standing import FloorRank, standing_of_post
from thirdcard.floor.state import Office, Scope
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.house import House


class Endpoint(enum.Enum):
    """Everything that a server answers."""

    SIGN_IN = "sign-in"
    SIGN_IN_AGAIN = "sign-in-again"
    SIGN_OUT = "sign-out"
    ME = "me"
    PASSWORD = "password"
    SESSIONS = "sessions"
    END_SESSION = "end-session"
    TABLES = "tables"
    TABLE = "table"
    MESSAGES = "messages"
    TABLE_COMMANDS = "table-commands"
    IRREGULARITY = "irregularity"
    FLOOR = "floor"
    FLOOR_COMMANDS = "floor-commands"
    PEOPLE = "people"
    ADD_PERSON = "add-person"
    RESET_PASSWORD = "reset-password"
    RENEW_FACTOR = "renew-factor"
    ACCOUNTS = "accounts"
    ADD_ACCOUNT = "add-account"
    WEBHOOKS = "webhooks"
    ADD_WEBHOOK = "add-webhook"
    TERMINALS = "terminals"
    ENROL_TERMINAL = "enrol-terminal"
    CLAIM_TERMINAL = "claim-terminal"
    DEMO = "demo"
    HISTORY = "history"
    CLAUSES = "clauses"
    METERS = "meters"
    ALERTS = "alerts"
    RECEIPTS = "receipts"
    AUDIT_RECORDS = "audit-records"
    AUDIT_VERIFY = "audit-verify"
    ROUNDS = "rounds"
    ROUND = "round"
    DOSSIER = "dossier"
    REPORTS = "reports"
    ODDS = "odds"
    TRAINING = "training"
    TRAINING_RECORD = "training-record"
    LEAD_TRAINING = "lead-training"
    FEED = "feed"
    READERS = "readers"
    METRICS = "metrics"
    HEALTH = "health"
    READY = "ready"
    OPENAPI = "openapi"
    ASYNCAPI = "asyncapi"
    DOCS = "docs"


class Caller(enum.Enum):
    """As what somebody calls; one can be several at once."""

    STRANGER = "stranger"
    LOCAL = "local"  # a stranger on the machine itself
    GUEST = "guest"  # a stranger at the demonstration floor
    MONITOR = "monitor"  # a program with the token for the metrics
    DISABLED = "disabled"  # a terminal that nobody has enabled
    TERMINAL = "terminal"
    PATRON = "patron"
    DEALER = "dealer"  # any post of a ladder below those that confirm facts
    MANAGER = "manager"
    SENIOR = "senior"
    ATTENDANT = "attendant"
    SURVEILLANCE = "surveillance"
    AUDITOR = "auditor"
    TABLES_ACCOUNT = "tables-account"  # a service account by each of its scopes
    RECORDS_ACCOUNT = "records-account"
    CREDITS_ACCOUNT = "credits-account"
    CARDS_ACCOUNT = "cards-account"
    METRICS_ACCOUNT = "metrics-account"


STRANGER, LOCAL, GUEST, MONITOR, DISABLED, TERMINAL, PATRON = tuple(Caller)[:7]
DEALER, MANAGER, SENIOR, ATTENDANT, SURVEILLANCE, AUDITOR = tuple(Caller)[7:13]
TABLES_ACCOUNT, RECORDS_ACCOUNT, CREDITS_ACCOUNT, CARDS_ACCOUNT, METRICS_ACCOUNT = tuple(Caller)[13:]
EVERY_CALLER = tuple(Caller)
EVERYBODY = EVERY_CALLER[:13]  # whoever is no service account
ACCOUNTS = dict(zip(Scope, EVERY_CALLER[13:], strict=True))
LADDER = (DEALER, MANAGER, SENIOR)
LADDERS = {FloorRank.DEALER: DEALER, FloorRank.MANAGER: MANAGER, FloorRank.SENIOR: SENIOR}
OFFICES: dict[str, Caller] = {
    Office.ATTENDANT.value: ATTENDANT,
    Office.SURVEILLANCE.value: SURVEILLANCE,
    Office.AUDITOR.value: AUDITOR,
}
STAFF_CALLERS = (*LADDER, ATTENDANT, SURVEILLANCE, AUDITOR)
AT_TERMINALS = (TERMINAL, PATRON)
ONLOOKERS = (GUEST, *AT_TERMINALS, *STAFF_CALLERS)

MAY_CALL: dict[Endpoint, tuple[Caller, ...]] = {
    Endpoint.SIGN_IN: EVERYBODY,
    Endpoint.SIGN_IN_AGAIN: EVERYBODY,  # whose session rests is a stranger until it goes on
    Endpoint.SIGN_OUT: EVERYBODY,
    Endpoint.ME: EVERY_CALLER,  # a page asks whether anybody is signed in
    Endpoint.PASSWORD: STAFF_CALLERS,
    Endpoint.SESSIONS: STAFF_CALLERS,
    Endpoint.END_SESSION: STAFF_CALLERS,
    Endpoint.TABLES: (*ONLOOKERS, TABLES_ACCOUNT),
    Endpoint.TABLE: (*ONLOOKERS, TABLES_ACCOUNT),
    Endpoint.MESSAGES: (*ONLOOKERS, TABLES_ACCOUNT),
    Endpoint.TABLE_COMMANDS: (PATRON, *LADDER, ATTENDANT, CREDITS_ACCOUNT),
    Endpoint.IRREGULARITY: LADDER,
    Endpoint.FLOOR: STAFF_CALLERS,
    Endpoint.FLOOR_COMMANDS: (*AT_TERMINALS, *STAFF_CALLERS),
    Endpoint.PEOPLE: (MANAGER, SENIOR, SURVEILLANCE, AUDITOR),
    Endpoint.ADD_PERSON: (SENIOR,),
    Endpoint.RESET_PASSWORD: (SENIOR,),
    Endpoint.RENEW_FACTOR: (SENIOR,),
    Endpoint.ACCOUNTS: (MANAGER, SENIOR, SURVEILLANCE, AUDITOR),
    Endpoint.ADD_ACCOUNT: (SENIOR,),
    Endpoint.WEBHOOKS: (MANAGER, SENIOR, SURVEILLANCE, AUDITOR),
    Endpoint.ADD_WEBHOOK: (SENIOR,),
    Endpoint.TERMINALS: (*LADDER, ATTENDANT, SURVEILLANCE, CREDITS_ACCOUNT),
    Endpoint.ENROL_TERMINAL: (MANAGER, SENIOR),
    Endpoint.CLAIM_TERMINAL: EVERYBODY,
    Endpoint.DEMO: EVERYBODY,  # and refused to all of them at a real floor
    Endpoint.HISTORY: (PATRON, *LADDER, SURVEILLANCE, AUDITOR, RECORDS_ACCOUNT),
    Endpoint.CLAUSES: (*ONLOOKERS, TABLES_ACCOUNT),
    Endpoint.METERS: (MANAGER, SENIOR, ATTENDANT, SURVEILLANCE, AUDITOR, RECORDS_ACCOUNT),
    Endpoint.ALERTS: (*LADDER, SURVEILLANCE, AUDITOR, RECORDS_ACCOUNT),
    Endpoint.RECEIPTS: (
        *(PATRON, *LADDER, ATTENDANT, SURVEILLANCE, AUDITOR),
        *(RECORDS_ACCOUNT, CREDITS_ACCOUNT),
    ),
    Endpoint.AUDIT_RECORDS: (SENIOR, SURVEILLANCE, AUDITOR, RECORDS_ACCOUNT),
    Endpoint.AUDIT_VERIFY: (SENIOR, SURVEILLANCE, AUDITOR, RECORDS_ACCOUNT),
    Endpoint.ROUNDS: (MANAGER, SENIOR, SURVEILLANCE, AUDITOR, RECORDS_ACCOUNT),
    Endpoint.ROUND: (MANAGER, SENIOR, SURVEILLANCE, AUDITOR, RECORDS_ACCOUNT),
    Endpoint.DOSSIER: (MANAGER, SENIOR, SURVEILLANCE, AUDITOR, RECORDS_ACCOUNT),
    Endpoint.REPORTS: (MANAGER, SENIOR, ATTENDANT, SURVEILLANCE, AUDITOR, RECORDS_ACCOUNT),
    Endpoint.ODDS: (MANAGER, SENIOR, SURVEILLANCE, AUDITOR, RECORDS_ACCOUNT),
    Endpoint.TRAINING: STAFF_CALLERS,
    Endpoint.TRAINING_RECORD: STAFF_CALLERS,  # of others only the highest posts
    Endpoint.LEAD_TRAINING: (SENIOR,),  # and never a table of one's own
    Endpoint.FEED: (TABLES_ACCOUNT,),
    Endpoint.READERS: (CARDS_ACCOUNT,),
    Endpoint.METRICS: (LOCAL, MONITOR, SENIOR, METRICS_ACCOUNT),
    Endpoint.HEALTH: EVERY_CALLER,
    Endpoint.READY: EVERY_CALLER,
    Endpoint.OPENAPI: EVERY_CALLER,
    Endpoint.ASYNCAPI: EVERY_CALLER,
    Endpoint.DOCS: EVERY_CALLER,
}


def may_call(houses: tuple[House, ...], actor: Actor, endpoint: Endpoint) -> Refused | None:
    """Why somebody may not call an endpoint, or nothing."""
    allowed = MAY_CALL.get(endpoint, ())
    if any(each in allowed for each in as_what(houses, actor)):
        return None
    if isinstance(actor, Stranger):
        return refuse(Refusal.NOT_SIGNED_IN)
    if isinstance(actor, AtTerminal) and not actor.enabled:
        return refuse(Refusal.TERMINAL_DISABLED, terminal=actor.terminal)
    if isinstance(actor, ByAccount):
        return refuse_account(actor, tuple(scope for scope, caller in ACCOUNTS.items() if caller in allowed))
    return refuse(Refusal.NOT_PERMITTED)


def as_what(houses: tuple[House, ...], actor: Actor) -> tuple[Caller, ...]:
    """Everything as which somebody can call."""
    match actor:
        case Stranger():
            more = ((LOCAL, actor.local), (GUEST, actor.guest), (MONITOR, actor.monitor))
            return (STRANGER, *(caller for caller, is_so in more if is_so))
        case AtTerminal():
            if not actor.enabled:
                return (DISABLED,)
            return (PATRON,) if actor.patron else (TERMINAL,)
        case Staff():
            found = (OFFICES.get(post) or LADDERS.get(standing_of_post(houses, post)) for post in actor.posts)
            return tuple(each for each in found if each is not None) or (STRANGER,)
        case ByAccount():
            return tuple(ACCOUNTS[scope] for scope in actor.scopes)
        case OfTable():
            return ()
        case _:
            assert_never(actor)
