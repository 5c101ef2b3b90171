"""``thirdcard completion``: a shell completes commands, options and choices."""

import shutil
import subprocess
from pathlib import Path

import pytest
from limits import LONG_ENOUGH

from thirdcard.cli import run

Printed = pytest.CaptureFixture[str]
COMPLETE = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
_thirdcard thirdcard "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        (("ru",), {"rules"}),
        (("odds", "sh"), {"sheet"}),
        (("serve", "--tls"), {"--tls-cert", "--tls-key"}),
        (("people", "ad"), {"add"}),
    ],
)
def test_bash_completes_commands_and_options(
    typed: tuple[str, ...], completed: set[str], tmp_path: Path, capsys: Printed
) -> None:
    assert run(["completion", "bash"]) == 0
    script = tmp_path / "thirdcard.bash"
    script.write_text(capsys.readouterr().out, "utf-8")
    bash = shutil.which("bash")
    assert bash is not None
    done = subprocess.run(
        [bash, "-c", COMPLETE, "complete", str(script), "thirdcard", *typed],
        capture_output=True,
        text=True,
        check=True,
        timeout=LONG_ENOUGH,
    )
    assert set(done.stdout.split()) == completed


@pytest.mark.parametrize(
    ("shell", "beginning"), [("zsh", "#compdef thirdcard"), ("fish", "# Fish completion")]
)
def test_other_shells_get_a_script_too(shell: str, beginning: str, capsys: Printed) -> None:
    assert run(["completion", shell]) == 0
    assert capsys.readouterr().out.startswith(beginning)


def test_a_shell_without_a_script_is_exit_2(capsys: Printed) -> None:
    assert run(["completion", "tcsh"]) == 2
    assert "tcsh is no choice for SHELL. Choose from: bash, zsh, fish, powershell." in capsys.readouterr().err
