"""``thirdcard completion``: a script by which a shell completes commands and options."""

import enum

from cyclopts import App


class Shell(enum.Enum):
    """The shells that there is a script for."""

    bash = "bash"
    zsh = "zsh"
    fish = "fish"
    powershell = "powershell"


def completion(shell: Shell) -> None:
    """Print a script by which a shell completes commands and options of thirdcard.

    Parameters
    ----------
    shell
        The shell. Write the script to ~/.local/share/bash-completion/completions/thirdcard for bash, to
        _thirdcard in a folder of $fpath for zsh, to ~/.config/fish/completions/thirdcard.fish for fish.
    """
    from thirdcard.cli import app  # noqa: PLC0415 - it loads this module by its name

    whole: App = app
    print(whole.generate_completion(prog_name="thirdcard", shell=shell.value))
