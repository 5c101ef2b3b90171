"""Where in the journal something stands."""

from msgspec import Struct


class Recorded(Struct, frozen=True):
    """The sequence of a record, and its time in microseconds since 1970."""

    sequence: int
    wall_time: int
