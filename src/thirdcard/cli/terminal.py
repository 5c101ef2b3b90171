"""``thirdcard terminal``: the devices that patrons use."""

from cyclopts import App

from thirdcard.access.terminals import Enrolment
from thirdcard.cli.arguments import Flag
from thirdcard.cli.floors import USUAL_FLOOR, FloorOffice, FloorPlace, do, look, send
from thirdcard.cli.output import NEGATIVE_ANSWER, complain, print_json, print_table
from thirdcard.floor import commands as cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import Terminal
from thirdcard.messages import say
from thirdcard.refusals import Refused
from thirdcard.rulebook.words import text

app = App(name="terminal", help="See to the terminals of a floor.", help_format="plaintext")


@app.command
def enrol(
    terminal: str,
    *,
    table: str,
    position: int | None = None,
    json: Flag = False,
    where: FloorPlace = USUAL_FLOOR,
) -> int:
    """Expect a terminal at a table, and show the code to type there; a known one is enrolled anew.

    Parameters
    ----------
    terminal
        What the terminal is to be called.
    table
        The name of its table.
    position
        Its position at the table, where the table has positions.
    json
        Print JSON, with the code.
    """

    async def work(office: FloorOffice) -> Enrolment | Refused:
        return await office.terminals.enrol(terminal, table=table, position=position, by=COMMAND_LINE)

    answer = do(where, work)
    if isinstance(answer, Refused):
        complain(say(answer.message))
        return NEGATIVE_ANSWER
    if json:
        place = {"terminal": terminal, "table": table, "position": position}
        print_json({**place, "code": answer.code, "ends": answer.ends})
        return 0
    ends = answer.ends.isoformat(sep=" ", timespec="seconds")
    print(text("terminal.code", terminal=terminal, ends=ends, code=answer.code))
    print(text("terminal.stays-disabled", terminal=terminal))
    return 0


@app.command(name="list")
def list_(*, json: Flag = False, where: FloorPlace = USUAL_FLOOR) -> None:
    """List the terminals with their tables, and whether patrons may use them; also while a server runs.

    Parameters
    ----------
    json
        Print JSON.
    """
    terminals = look(where).terminals
    if json:
        rows = [
            {
                "terminal": each.id,
                "table": each.table,
                "position": each.position,
                "enrolled": each.token is not None,
                "enabled": each.enabled,
                "patron": each.patron,
            }
            for each in terminals
        ]
        print_json(rows)
    elif not terminals:
        print(text("terminal.none"))
    else:
        columns = (
            text("terminal.terminal"),
            text("terminal.table"),
            text("terminal.position"),
            text("terminal.state"),
            text("terminal.patron"),
        )
        lines = [
            (each.id, each.table, str(each.position or ""), _state(each), each.patron or "")
            for each in terminals
        ]
        print_table(None, columns, lines)


def _state(terminal: Terminal) -> str:
    if terminal.token is None:
        return text("terminal.expected")
    return text("terminal.enabled") if terminal.enabled else text("terminal.disabled")


@app.command
def enable(terminal: str, *, where: FloorPlace = USUAL_FLOOR) -> int:
    """Let patrons use a terminal.

    Parameters
    ----------
    terminal
        The name of the terminal.
    """
    body = cmd.EnableTerminal(terminal=terminal)
    return send(where, body, text("terminal.was-enabled", terminal=terminal))


@app.command
def disable(terminal: str, *, reason: str, where: FloorPlace = USUAL_FLOOR) -> int:
    """Let patrons use a terminal no more.

    Parameters
    ----------
    terminal
        The name of the terminal.
    reason
        Why; it is recorded.
    """
    body = cmd.DisableTerminal(terminal=terminal, reason=reason)
    return send(where, body, text("terminal.was-disabled", terminal=terminal))
