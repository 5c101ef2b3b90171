"""``thirdcard table`` at a real terminal: a prompt, keys that end the session; nothing waits without end."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

THIRDCARD = Path(sys.executable).with_name("thirdcard")
SESSION = [str(THIRDCARD), "table", "mbs-tiger-v3", "--seed", "3"]
# the child makes the terminal its own, so that Ctrl-C reaches it as it reaches a program in a shell
OWN_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);os.execv(sys.argv[1], sys.argv[1:])"
)
LONGEST = 30.0  # seconds for everything that a test does at the terminal
TO_DIE = 5.0  # seconds for a child that was killed
PATIENCE = 1.0  # seconds after which somebody presses a key again


class Terminal:
    """A program at a terminal of its own; whoever waits for it gives up at the deadline."""

    def __init__(self, command: list[str]) -> None:
        self.deadline = time.monotonic() + LONGEST
        self.shown = ""
        self.ours, theirs = pty.openpty()
        try:
            fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
            self.process = subprocess.Popen(
                [sys.executable, "-c", OWN_TERMINAL, *command],
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
                env={**os.environ, "TERM": "dumb", "NO_COLOR": "1"},
                start_new_session=True,
            )
        finally:
            os.close(theirs)

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self.ours, keys.encode())

    def see(self, wanted: str) -> str:
        """Wait until something new shows this, and give what came up to then."""
        while wanted not in self.shown:
            assert self._more(), f"ended without {wanted!r}: {self.shown!r}"
        before, _, self.shown = self.shown.partition(wanted)
        return before + wanted

    def end(self, key: str) -> tuple[int, str]:
        """The exit status, and what was shown until the end, after a key that ends the program.

        An interrupt in the instant in which the prompt is drawn is felt only with the next key.
        """
        self.type(key)
        pressed = time.monotonic()
        while self._more():
            if time.monotonic() - pressed > PATIENCE:
                self.type(key)
                pressed = time.monotonic()
        return self.process.wait(timeout=max(self.deadline - time.monotonic(), 0)), self.shown

    def _more(self) -> bool:
        left = self.deadline - time.monotonic()
        assert left > 0, f"nothing came in {LONGEST} s: {self.shown!r}"
        if not select.select([self.ours], [], [], min(left, PATIENCE))[0]:
            return True
        try:
            read = os.read(self.ours, 4096)
        except OSError:  # the other side of the terminal is closed
            return False
        self.shown += read.decode()
        return bool(read)

    def close(self) -> None:
        """End the child if it has not ended, and the terminal with it."""
        try:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait(timeout=TO_DIE)
        finally:
            os.close(self.ours)


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
    assert terminal.see("Guest has 100.00 more on player.").count("100 player") == 1
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
    terminal.see("Guest has 100.00 more on player.")
