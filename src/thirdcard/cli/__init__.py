"""The command line: one module per group of commands."""

import sys

from cyclopts import App, CycloptsError

from thirdcard import __version__
from thirdcard.cli import demo, reader, road, rules, settle, shoe, table
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
app.command(shoe.app)
app.command(reader.app)
app.command(demo.demo)
# what needs a floor is loaded when it is called: it brings a journal and cryptography with it
app.command("thirdcard.cli.people:app", name="people", help="See to the people of a floor.")
app.command("thirdcard.cli.terminal:app", name="terminal", help="See to the terminals of a floor.")
app.command("thirdcard.cli.key:app", name="key", help="See to the keys of a floor.")
app.command("thirdcard.cli.audit:app", name="audit", help="Prove the journal of a floor, and ask it.")


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
