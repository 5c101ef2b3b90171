"""The sizes of sweeps: a part in every test run, the whole by `scripts/soak sweeps`."""

import os
from typing import TypeVar

T = TypeVar("T")
VARIABLE = "THIRDCARD_SWEEPS_AT_LENGTH"


def sized(in_every_run: T, at_length: T) -> T:
    """The size of a sweep in this run."""
    return at_length if VARIABLE in os.environ else in_every_run
