"""Bodies of older versions brought up to date on reading; what is stored never changes."""

from collections.abc import Callable

Decoded = dict[str, object]
Step = Callable[[Decoded], Decoded]

# the step at place n turns a body of version n + 1 into one of version n + 2
STEPS: tuple[Step, ...] = ()
VERSION = len(STEPS) + 1


def upcast(body: Decoded, version: int, steps: tuple[Step, ...] = STEPS) -> Decoded:
    """A decoded body of some version, as the newest version would have written it."""
    if not 1 <= version <= len(steps) + 1:
        raise FromTheFuture(version)
    for step in steps[version - 1 :]:
        body = step(body)
    return body


class FromTheFuture(Exception):
    """A record was written by a newer release."""

    def __init__(self, version: int) -> None:
        super().__init__(f"this record has version {version}; install a newer release to read it")
