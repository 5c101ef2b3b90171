"""The shuffle of a virtual shoe: index by index from the operating system's generator, without bias.

It takes nothing but cards and random bytes: wagers, patrons and time have no way in.
"""

import secrets
from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")
RandomBytes = Callable[[int], bytes]


def shuffled(items: Iterable[T], random_bytes: RandomBytes = secrets.token_bytes) -> tuple[T, ...]:
    """The items in an order that is as likely as every other (Fisher and Yates, from the end)."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        chosen = below(last + 1, random_bytes)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def below(limit: int, random_bytes: RandomBytes = secrets.token_bytes) -> int:
    """A whole number from 0 up to a limit, each as likely as the others: drawn again until one is below."""
    bits = (limit - 1).bit_length()
    size, mask = (bits + 7) // 8, (1 << bits) - 1
    while True:
        number = int.from_bytes(random_bytes(size)) & mask
        if number < limit:
            return number
