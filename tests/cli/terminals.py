"""Programs at a real terminal, for tests."""

import codecs
import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time

from limits import LONG_ENOUGH

# the child makes the terminal its own, so that Ctrl-C reaches it as it reaches a program in a shell
OWN_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);os.execv(sys.argv[1], sys.argv[1:])"
)
PATIENCE = 1.0  # real seconds after which somebody presses Enter


class Terminal:
    """A program at a terminal of its own; whoever waits for it gives up at the deadline."""

    def __init__(self, command: list[str], kind: str = "dumb") -> None:
        self.deadline = time.monotonic() + LONG_ENOUGH
        self.shown, self.decoder = "", codecs.getincrementaldecoder("utf-8")()
        self.ours, theirs = pty.openpty()
        try:
            fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
            self.process = subprocess.Popen(
                [sys.executable, "-c", OWN_TERMINAL, *command],
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
                env={**os.environ, "TERM": kind, "NO_COLOR": "1"},
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

        An interrupt in the instant in which the prompt is drawn is felt only with the next key. It is Enter,
        which does nothing to a program that is about to end: a second interrupt would kill it.
        """
        self.type(key)
        pressed = time.monotonic()
        while self._more():
            if time.monotonic() - pressed > PATIENCE:
                self.type("\n")
                pressed = time.monotonic()
        return self.process.wait(timeout=max(self.deadline - time.monotonic(), 0)), self.shown

    def _more(self) -> bool:
        left = self.deadline - time.monotonic()
        assert left > 0, f"nothing came in {LONG_ENOUGH} s: {self.shown!r}"
        if not select.select([self.ours], [], [], min(left, PATIENCE))[0]:
            return True
        try:
            read = os.read(self.ours, 4096)
        except OSError:  # the other side of the terminal is closed
            return False
        self.shown += self.decoder.decode(read)
        return bool(read)

    def close(self) -> None:
        """End the child if it has not ended, and the terminal with it."""
        try:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait(timeout=LONG_ENOUGH)
        finally:
            os.close(self.ours)
