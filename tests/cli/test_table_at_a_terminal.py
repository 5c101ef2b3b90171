"""``thirdcard table`` at a real terminal: a prompt, keys that end the session; nothing waits without end."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli.terminals import Terminal

pytestmark = pytest.mark.timed

THIRDCARD = Path(sys.executable).with_name("thirdcard")
SESSION = [str(THIRDCARD), "table", "mbs-tiger-v3", "--seed", "3"]


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    opened = Terminal(SESSION)
    try:
        yield opened
    finally:
        opened.close()


def test_lines_are_typed_at_a_prompt_and_shown_once(terminal: Terminal) -> None:
    terminal.see("quit ends.")
    terminal.see("> ")
    terminal.type("100 player\n")
    assert terminal.see("Guest wagers 100.00 on player.").count("100 player") == 1
    terminal.see("> ")
    terminal.type("deal\n")
    terminal.see("Round 1 is over.")
    terminal.see("> ")
    status, shown = terminal.end("quit\n")
    assert status == 0
    assert shown.rstrip().endswith("The practice table is closed.")


@pytest.mark.parametrize("key", ["\x04", "\x03"], ids=["Ctrl-D", "Ctrl-C"])
@pytest.mark.parametrize("question", [False, True], ids=["at the prompt", "in a question"])
def test_a_key_ends_the_session(key: str, question: bool, terminal: Terminal) -> None:
    terminal.see("quit ends.")
    terminal.see("> ")
    if question:
        terminal.type("wrong\n")
        terminal.see("Number (or back): ")
    status, shown = terminal.end(key)
    assert status == 0
    assert shown.rstrip().endswith("The practice table is closed.")
    assert "Traceback" not in shown


def test_a_mistyped_line_can_be_mended_with_the_backspace_key(terminal: Terminal) -> None:
    terminal.see("> ")
    terminal.type("100 plaxx\x7f\x7fyer\n")
    terminal.see("Guest wagers 100.00 on player.")
