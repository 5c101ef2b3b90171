"""The name under which a build writes records: release, stored form, and the number of its engine."""

import functools
import re

from msgspec import Struct

from thirdcard import __version__
from thirdcard.journal.forms.steps import FORM

# raised when a command is decided or an event is folded otherwise; a test holds it against recorded digests
ENGINE = 21
SOFTWARE = f"{__version__}+form{FORM}.engine{ENGINE}"
_NUMBERED = re.compile(r"[^+]+\+form(?P<form>[0-9]{1,9})\.engine(?P<engine>[0-9]{1,9})")


class Build(Struct, frozen=True):
    """The numbers in the name of a build; one from before builds were numbered has form 1 and engine 0."""

    form: int = 1
    engine: int = 0


@functools.lru_cache(64)
def build_of(software: str) -> Build:
    """Return the numbers of the build that wrote a record."""
    found = _NUMBERED.fullmatch(software)
    return Build(int(found["form"]), int(found["engine"])) if found else Build()
