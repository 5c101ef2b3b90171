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

from thirdcard.messages import Message, message, say
from thirdcard.spelling import nearest, no_such


def in_words(error: CycloptsError) -> str:
    """A sentence about the part of the command line that cannot be used."""
    match error:
        case UnknownCommandError():
            return say(_no_such_command(error))
        case UnknownOptionError():
            typed, options = error.token.keyword or error.token.value, _options(error)
            return say(no_such("cli.no-such-option", "cli.no-such-option-near", typed, options, option=typed))
        case UnusedCliTokensError():
            return say(_too_much(error))
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


def _no_such_command(error: UnknownCommandError) -> Message:
    """Say that there is no such command, and which one was perhaps meant."""
    chain, typed = error.command_chain or (), "".join((error.unused_tokens or ())[:1])
    command, near = " ".join((*chain, typed)), nearest(typed, _commands(error))
    if near is None:
        return message("cli.no-such-command", command=command)
    return message("cli.no-such-command-near", command=command, near=" ".join((*chain, near)))


def _too_much(error: UnusedCliTokensError) -> Message:
    """Say what nothing takes; a word before it may have been meant as a command."""
    unused, commands, chain = " ".join(error.unused_tokens or ()), _commands(error), error.command_chain or ()
    first = "".join((error.root_input_tokens or ())[len(chain) : len(chain) + 1])
    near = nearest(first, commands)
    if near is not None:
        return message("cli.too-much-near", unused=unused, near=" ".join((*chain, near)))
    which = "cli.too-much-or-command" if commands else "cli.too-much"
    return message(which, unused=unused, commands=", ".join(commands))


def _options(error: UnknownOptionError) -> list[str]:
    """The options of the command that was understood."""
    names = (name for argument in error.argument_collection or () for name in argument.names)
    return [name for name in names if name.startswith("--")]


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
