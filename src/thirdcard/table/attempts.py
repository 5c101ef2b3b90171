"""How often somebody may try: a bucket of tokens for each key, refilled as time goes by."""

import math
import time
from collections import OrderedDict

from thirdcard.table.clock import Nanoseconds

MOST_KEYS = 10_000
SECOND = 1_000_000_000


class Buckets:
    """A bucket of tokens for each key; the keys that were used longest ago are forgotten first."""

    def __init__(
        self, *, burst: int, every: float, most: int = MOST_KEYS, now: Nanoseconds = time.monotonic_ns
    ) -> None:
        self._burst = burst
        self._every = every * SECOND
        self._most = most
        self._now = now
        self._buckets: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def take(self, key: str) -> int | None:
        """Take a token and give nothing, or where there is none the seconds until there is one."""
        tokens, now = self._tokens(key), self._now()
        if tokens < 1:
            self._keep(key, tokens, now)
            return max(1, math.ceil((1 - tokens) * self._every / SECOND))
        self._keep(key, tokens - 1, now)
        return None

    def give_back(self, key: str) -> None:
        """Put a token back: what it was taken for does not count."""
        self._keep(key, min(self._burst, self._tokens(key) + 1), self._now())

    def _tokens(self, key: str) -> float:
        tokens, since = self._buckets.get(key, (self._burst, self._now()))
        return min(self._burst, tokens + (self._now() - since) / self._every)

    def _keep(self, key: str, tokens: float, now: int) -> None:
        self._buckets[key] = (tokens, now)
        self._buckets.move_to_end(key)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
