"""Libraries that only some commands need, and that need not be installed."""

from collections.abc import Iterator
from contextlib import contextmanager

from thirdcard.messages import Message, message


class MissingExtra(Exception):
    """A library is not installed; the sentence says how to get it."""

    def __init__(self, what: Message) -> None:
        super().__init__(what.key)
        self.what = what


@contextmanager
def needs_extra(form: str, library: str, extra: str) -> Iterator[None]:
    """Import what a form of files needs; where that is missing, say how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = message("cli.missing-extra", form=form, library=library, extra=extra)
        raise MissingExtra(missing) from error
