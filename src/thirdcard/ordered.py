"""A set that keeps the order in which things came, so that a run can be repeated to the letter."""

from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class OrderedSet(Generic[T]):
    """Members once each, in the order in which they were added."""

    def __init__(self) -> None:
        self._members: dict[T, None] = {}

    def add(self, member: T) -> None:
        """Add a member at the end, unless it is there."""
        self._members[member] = None

    def discard(self, member: T) -> None:
        """Remove a member, if it is there."""
        self._members.pop(member, None)

    def __iter__(self) -> Iterator[T]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __contains__(self, member: object) -> bool:
        return member in self._members
