"""``thirdcard account``: the service accounts by which other systems come in."""

from typing import Annotated

from cyclopts import App, Parameter

from thirdcard.access.accounts import AccountDesk, MadeAccount
from thirdcard.cli.arguments import Flag
from thirdcard.cli.floors import USUAL_FLOOR, FloorOffice, FloorPlace, do, look, send
from thirdcard.cli.output import NEGATIVE_ANSWER, complain, print_json, print_table
from thirdcard.floor import commands as cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import Scope, ServiceAccount
from thirdcard.messages import say
from thirdcard.refusals import Refused
from thirdcard.rulebook.words import text

app = App(name="account", help="See to the service accounts of a floor.", help_format="plaintext")
Scopes = Annotated[tuple[Scope, ...], Parameter(name="--scope", negative=())]


@app.command
def add(name: str, *, scope: Scopes, days: int, json: Flag = False, where: FloorPlace = USUAL_FLOOR) -> int:
    """Make a service account for another system; its secret is shown once.

    Parameters
    ----------
    name
        The name under which everything that the system does is recorded.
    scope
        A part of the server that it opens; may be repeated.
    days
        How long it lasts, 1 to 366 days.
    json
        Print JSON.
    """

    async def work(office: FloorOffice) -> MadeAccount | Refused:
        desk = AccountDesk(office.floor.service.floor, office.floor.clock)
        return await desk.add(name, scope, days, by=COMMAND_LINE)

    made = do(where, work)
    if isinstance(made, Refused):
        complain(say(made.message))
        return NEGATIVE_ANSWER
    if json:
        print_json(_row(made.account) | {"secret": made.secret})
        return 0
    print(text("account.added", name=name, ends=_day(made.account)))
    print(made.secret)
    return 0


@app.command(name="list")
def list_(*, json: Flag = False, where: FloorPlace = USUAL_FLOOR) -> None:
    """List the service accounts with their scopes, and until when they are good; also while a server runs.

    Parameters
    ----------
    json
        Print JSON.
    """
    accounts = look(where).newest_accounts
    if json:
        print_json([_row(each) for each in accounts])
    elif not accounts:
        print(text("account.none"))
    else:
        columns = (
            text("account.name"),
            text("account.scopes"),
            text("account.made-by"),
            text("account.state"),
        )
        lines = [
            (each.name, ", ".join(_scopes(each)), ", ".join(each.makers), _state(each)) for each in accounts
        ]
        print_table(None, columns, lines)


@app.command
def revoke(name: str, *, reason: str, where: FloorPlace = USUAL_FLOOR) -> int:
    """Let a service account in no more.

    Parameters
    ----------
    name
        The name of the account.
    reason
        Why; it is recorded.
    """
    return send(where, cmd.RevokeAccount(name=name, reason=reason), text("account.was-revoked", name=name))


def _scopes(account: ServiceAccount) -> list[str]:
    return [each.value for each in account.scopes]


def _day(account: ServiceAccount) -> str:
    return account.ends.isoformat(sep=" ", timespec="seconds")


def _state(account: ServiceAccount) -> str:
    if account.ended is None:
        return text("account.good-until", ends=_day(account))
    return text("account.over", reason=account.ended)


def _row(account: ServiceAccount) -> dict[str, object]:
    return {
        "name": account.name,
        "scopes": _scopes(account),
        "since": account.since,
        "ends": account.ends,
        "by": account.by,
        "second": account.second,
        "ended": account.ended,
    }
