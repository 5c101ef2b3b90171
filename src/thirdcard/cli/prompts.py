"""Asks a person at a terminal, or reads what was piped in: lines, numbers from a list, yes and no."""

import contextlib
import io
import sys
from collections.abc import Sequence

from rich.console import Console

from thirdcard.rulebook.words import text

YES, NO = ("yes", "y"), ("no", "n")
BACK = ("back", "b")


class InputEnded(Exception):
    """The person has gone: end of input, or an interrupt."""


class WentBack(Exception):
    """The person wants to leave a question."""


class Asker:
    """Puts questions and gives the answers; what is piped in is shown as if it had been typed."""

    def __init__(self, out: Console) -> None:
        self.out = out
        self._typed = sys.stdin.isatty()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        if self._typed:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401, PLC0415 - lines can then be edited and called back

    def ask(self, prompt: str) -> str:
        """One line, without the spaces around it."""
        try:
            if self._typed:
                return input(prompt).strip()
            line = sys.stdin.readline()
        except (EOFError, KeyboardInterrupt):
            self.out.print()
            raise InputEnded from None
        if not line:
            self.out.print()
            raise InputEnded
        self.say(f"{prompt}{line.strip()}")
        return line.strip()

    def say(self, sentence: str) -> None:
        """A sentence."""
        self.out.print(sentence)

    def choose(self, question: str, choices: Sequence[str]) -> int:
        """The place of a choice in a numbered list, counted from zero."""
        for number, choice in enumerate(choices, start=1):
            self.say(f"{number:>4}  {choice}")
        while True:
            answer = self.answer(question)
            numbers = [str(number) for number in range(1, len(choices) + 1)]
            if answer in numbers:
                return numbers.index(answer)
            named = [at for at, choice in enumerate(choices) if choice.casefold() == answer.casefold()]
            if named:
                return named[0]
            self.say(text("practice.number-needed", most=len(choices)))

    def agree(self, question: str) -> bool:
        """Yes or no."""
        while True:
            answer = self.answer(question).casefold()
            if answer in YES:
                return True
            if answer in NO:
                return False
            self.say(text("practice.yes-or-no"))

    def answer(self, question: str) -> str:
        """An answer that may also be to go back."""
        answer = self.ask(f"{question} ")
        if answer.casefold() in BACK:
            raise WentBack
        return answer
