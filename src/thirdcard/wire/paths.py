"""The addresses that clients call, the header that they send, and the cookies that hold tokens.

``{name}`` in a path stands for a value; the server reads it and a client fills it in.
"""

import enum
from urllib.parse import quote

API = "/api/v1"
SIGN_IN = f"{API}/sign-in"
SIGN_OUT = f"{API}/sign-out"
ME = f"{API}/me"
TABLES = f"{API}/tables"
TABLE_PATH = f"{API}/tables/{{table}}"
TABLE_COMMANDS = f"{API}/tables/{{table}}/commands"
MESSAGES = f"{API}/tables/{{table}}/messages"
HISTORY = f"{API}/tables/{{table}}/history"
METERS = f"{API}/tables/{{table}}/meters"
ALL_METERS, METERS_CSV = f"{API}/meters", f"{API}/meters.csv"
REPORTS, REPORT_FILE = f"{API}/reports", f"{API}/reports/{{form}}"
TRAINING = f"{API}/training"
DRILLS, DRILL_SESSIONS = f"{TRAINING}/drills", f"{TRAINING}/sessions"
TRAINING_RECORD, TRAINING_FILE = f"{TRAINING}/record", f"{TRAINING}/record/{{form}}"
DRILL_SESSION = f"{DRILL_SESSIONS}/{{session}}"
TRAINED_GAMES, FAULT_SESSIONS = f"{TRAINING}/games", f"{TRAINING}/faults"
EXERCISES, EXERCISE = f"{TRAINING}/exercises", f"{TRAINING}/exercises/{{exercise}}"
TRAINER_GAMES, TRAINER_TABLES = f"{TRAINING}/trainer-games", f"{TRAINING}/trainer-tables"
TRAINER_TABLE = f"{TRAINER_TABLES}/{{session}}"
FLOOR_PATH = f"{API}/floor"
FLOOR_COMMANDS = f"{API}/floor/commands"
ACCOUNTS_PATH = f"{API}/accounts"
WEBHOOKS_PATH = f"{API}/webhooks"
TERMINALS_PATH = f"{API}/terminals"
CLAIM_TERMINAL = f"{API}/terminals/claim"
RECEIPT = f"{API}/receipts/{{command_id}}"
DEMO_PATH = f"{API}/demo"
DEMO_SEAT = f"{API}/demo/seat"
DEMO_RESUME = f"{API}/demo/resume"
SOCKET = f"{API}/socket"
FEED = f"{API}/tables/{{table}}/feed"
READERS = f"{API}/readers"
WITNESS_MARKS, WITNESS_CHECKPOINTS = "/marks", "/checkpoints"
OWN_HEADER = "x-thirdcard"  # no page of another site can make a browser send it without asking us first


class Holder(enum.Enum):
    """The holder of a token: somebody signed in for as long as the browser is open, or a device."""

    STAFF = "staff"
    TERMINAL = "terminal"


def filled(path: str, **values: str) -> str:
    """Fill the values into a path, quoted."""
    return path.format(**{name: quote(value, safe="") for name, value in values.items()})


def cookie_name(holder: Holder, *, secure: bool) -> str:
    """Name a holder's cookie; over TLS browsers bind it by its name to this host, this path and TLS."""
    return f"{'__Host-' if secure else ''}thirdcard-{holder.value}"
