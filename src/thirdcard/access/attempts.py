"""How often somebody may try: a bucket of tokens for each key, refilled as time goes by."""

import math
from collections import OrderedDict

from thirdcard.streams.clock import Clock

MOST_KEYS = 10_000
SECOND = 1_000_000_000


class Buckets:
    """A bucket of tokens for each key; the keys that were used longest ago are forgotten first."""

    def __init__(self, clock: Clock, *, burst: int, every: float, most: int = MOST_KEYS) -> None:
        self._burst = burst
        self._every = every * SECOND
        self._most = most
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def take(self, key: str, cost: int = 1) -> int | None:
        """Take tokens and give nothing, or where there are too few the seconds until there are as many."""
        now = self._clock.now().monotonic
        tokens = self._tokens(key, now)
        if tokens < cost:
            self._keep(key, tokens, now)
            return max(1, math.ceil((cost - tokens) * self._every / SECOND))
        self._keep(key, tokens - cost, now)
        return None

    def give_back(self, key: str) -> None:
        """Put a token back: what it was taken for does not count."""
        now = self._clock.now().monotonic
        self._keep(key, min(self._burst, self._tokens(key, now) + 1), now)

    def _tokens(self, key: str, now: int) -> float:
        kept = self._buckets.get(key)
        return self._burst if kept is None else min(self._burst, kept[0] + (now - kept[1]) / self._every)

    def _keep(self, key: str, tokens: float, now: int) -> None:
        self._buckets[key] = (tokens, now)
        self._buckets.move_to_end(key)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
