"""A set that keeps the order in which things came, so that a run can be repeated to the letter."""

from collections.abc import Hashable
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


class OrderedSet(dict[T, None]):
    """Members once each, in the order in which they were added."""

    def add(self, member: T) -> None:
        """Add a member at the end, unless it is there."""
        self[member] = None

    def discard(self, member: T) -> None:
        """Remove a member, if it is there."""
        self.pop(member, None)
