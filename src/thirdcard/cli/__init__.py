"""The command line: one module per group of commands."""

import sys

from cyclopts import App, CycloptsError
from cyclopts.config import Env

from thirdcard import __version__
from thirdcard.cli.output import BAD_INPUT, BadInput, complain
from thirdcard.cli.usage_errors import in_words
from thirdcard.messages import FIRST_LANGUAGE, languages, message, say, speaking
from thirdcard.odds.kernel import NoKernel

LANGUAGE_OPTION = "--language"


class CommandVariables(Env):
    """Takes the option of a command from a variable of the environment, as THIRDCARD_SERVE_TLS_CERT."""

    def _prefix(self, commands: tuple[str, ...]) -> str:
        """Return the beginning of the names; no shell sets one with a hyphen."""
        return super()._prefix(commands).replace("-", "_")


app = App(
    name="thirdcard",
    help="Runs, proves and prices a baccarat table, every rule with its clause. With --language ko, vi,"
    " zh-Hans or zh-Hant a command tells rounds, findings and cards in Korean, Vietnamese, Simplified or"
    " Traditional Chinese; what it has in English only stays so.",
    version=__version__,
    help_format="plaintext",
    config=CommandVariables("THIRDCARD_"),
)
# by name, so that a command loads what it needs and no more
COMMANDS = {
    "serve": "thirdcard.cli.serve:serve",
    "bot": "thirdcard.cli.bot:bot",
    "rules": "thirdcard.cli.rules:app",
    "settle": "thirdcard.cli.settle:settle",
    "road": "thirdcard.cli.road:road",
    "round": "thirdcard.cli.round:round_",
    "table": "thirdcard.cli.table:table",
    "train": "thirdcard.cli.train:app",
    "demo": "thirdcard.cli.demo:demo",
    "odds": "thirdcard.cli.odds:app",
    "simulate": "thirdcard.cli.simulate:app",
    "evidence": "thirdcard.cli.evidence:evidence",
    "doctor": "thirdcard.cli.doctor:doctor",
    "docs": "thirdcard.cli.docs:docs",
    "completion": "thirdcard.cli.completion:completion",
    "audit": "thirdcard.cli.audit:app",
    "report": "thirdcard.cli.report:app",
    "receipt": "thirdcard.cli.receipt:app",
    "shoe": "thirdcard.cli.shoe:app",
    "reader": "thirdcard.cli.reader:app",
    "people": "thirdcard.cli.people:app",
    "account": "thirdcard.cli.account:app",
    "terminal": "thirdcard.cli.terminal:app",
    "key": "thirdcard.cli.key:app",
    "backup": "thirdcard.cli.backup:backup",
    "restore": "thirdcard.cli.backup:restore",
    "journal": "thirdcard.cli.journal:app",
    "archive": "thirdcard.cli.archive:app",
    "witness": "thirdcard.cli.witness:witness",
    "accept-restore": "thirdcard.cli.accepting:accept_restore",
    "accept-shelf": "thirdcard.cli.accepting:accept_shelf",
}
for _name, _where in COMMANDS.items():
    app.command(_where, name=_name)


def main() -> None:
    """Run one command: exit status 0, 1 for a negative answer, 2 for bad input."""
    sys.exit(run(sys.argv[1:]))


def run(tokens: list[str]) -> int:
    """Run one command in the language of its reader and give its exit status."""
    try:
        language, tokens = _language_in(tokens)
    except BadInput as error:
        complain(str(error))
        return BAD_INPUT
    with speaking(language):
        return _run(tokens)


def _language_in(tokens: list[str]) -> tuple[str, list[str]]:
    """The language that ``--language`` names before ``--``, and the other words of the command line."""
    end = tokens.index("--") if "--" in tokens else len(tokens)
    others, rest, language = list[str](), tokens[end:], FIRST_LANGUAGE
    words = iter(tokens[:end])
    for word in words:
        name, equals, value = word.partition("=")
        if name != LANGUAGE_OPTION:
            others.append(word)
            continue
        language = value if equals else next(words, "")
        if language not in languages():
            choices = ", ".join(sorted(languages()))
            what = message("cli.no-choice", option=name, value=language, choices=choices)
            raise BadInput(say(what if language else message("cli.no-value", option=name)))
    return language, [*others, *rest]


def _run(tokens: list[str]) -> int:
    if not tokens or tokens[0] in app.help_flags:
        app.resolved_commands()  # help has a line about each
    try:
        status = app(tokens, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        complain(in_words(error), "cli.see-help")
        return BAD_INPUT
    except (BadInput, NoKernel) as error:
        complain(str(error))
        return BAD_INPUT
    except BrokenPipeError:  # the reader of our output, such as head, has seen enough
        sys.stderr.close()
        return 0
    return status if isinstance(status, int) else 0
