"""The command line: one module per group of commands."""

import sys

from cyclopts import App, CycloptsError

from thirdcard import __version__
from thirdcard.cli import audit, demo, road, rules, settle, table
from thirdcard.cli import round as rounds
from thirdcard.cli.mistyped import in_words
from thirdcard.cli.output import BAD_INPUT, BadInput, complain

app = App(
    name="thirdcard",
    help="Runs, proves and prices a baccarat table, every rule with its clause.",
    version=__version__,
    help_format="plaintext",
)
app.command(rules.app)
app.command(settle.settle)
app.command(road.road)
app.command(rounds.round_, name="round")
app.command(table.table)
app.command(audit.app)
app.command(demo.demo)


def main() -> None:
    """Run one command: exit status 0, 1 for a negative answer, 2 for bad input."""
    sys.exit(run(sys.argv[1:]))


def run(tokens: list[str]) -> int:
    """Run one command and give its exit status."""
    try:
        status = app(tokens, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        complain(in_words(error), "cli.see-help")
        return BAD_INPUT
    except BadInput as error:
        complain(str(error))
        return BAD_INPUT
    except BrokenPipeError:  # the reader of our output, such as head, has seen enough
        sys.stderr.close()
        return 0
    return status if isinstance(status, int) else 0
