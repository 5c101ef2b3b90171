"""The errors of a command line, in our words instead of the library's."""

from cyclopts import (
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    RepeatArgumentError,
    UnknownOptionError,
    UnusedCliTokensError,
)
from cyclopts.exceptions import UnknownCommandError

from thirdcard.messages import message, say


def in_words(error: CycloptsError) -> str:
    """A sentence about the part of the command line that cannot be used."""
    unused = " ".join(error.unused_tokens or ())
    match error:
        case UnknownCommandError():
            command = " ".join((*(error.command_chain or ()), *(error.unused_tokens or ())[:1]))
            return say(message("cli.no-such-command", command=command))
        case UnknownOptionError():
            return say(message("cli.no-such-option", option=error.token.keyword or error.token.value))
        case UnusedCliTokensError():
            commands = ", ".join(_commands(error))
            which = "cli.too-much-or-command" if commands else "cli.too-much"
            return say(message(which, unused=unused, commands=commands))
        case RepeatArgumentError():
            return say(message("cli.option-twice", option=error.token.keyword or error.token.value))
        case MissingArgumentError() if error.keyword:
            return say(message("cli.no-value", option=error.keyword))
        case MissingArgumentError():
            return say(message("cli.missing", name=_name(error)))
        case CoercionError() if error.token is not None:
            return _bad_value(error, error.token.value)
        case _:
            return say(message("cli.not-understood"))


def _name(error: CycloptsError) -> str:
    """An option as it is typed, or a plain argument as the help shows it."""
    name = error.argument.name if error.argument else ""
    positional = error.argument is not None and error.argument.index is not None
    return name.lstrip("-").upper() if positional else name


def _commands(error: CycloptsError) -> list[str]:
    """The commands below the one that was understood."""
    return [name for name in error.app or () if not name.startswith("-")]


def _bad_value(error: CoercionError, value: str) -> str:
    name = (error.token.keyword if error.token else None) or _name(error)
    if error.target_type is bool and name.startswith("THIRDCARD_"):
        return say(message("cli.flag-variable", option=name, value=value))
    if error.target_type is bool:
        return say(message("cli.flag-takes-no-value", option=name))
    if error.target_type is int:
        return say(message("cli.no-whole-number", option=name, value=value))
    return say(message("cli.no-choice", option=name, value=value, choices=", ".join(_choices(error))))


def _choices(error: CoercionError) -> tuple[str, ...]:
    return tuple(getattr(error.target_type, "__members__", ()))
