"""Nodes that fail at random, each with chances of its own, so that one node more does not change when the others fail. WL-4."""

from __future__ import annotations

import math
from hashlib import sha256
from random import Random

from workbench.workloads.model import Pool


class Chances:
    """When one node fails, again and again: exponentially distributed, from the seed, the pool and the number of the node."""

    def __init__(self, seed: int, pool: Pool, number: int):
        text = f"fails/{seed}/{pool.name}/{number}"
        self._random = Random(int.from_bytes(sha256(text.encode()).digest()[:8], "big"))
        self._mean_ms = pool.fails_every_ms or 0

    def next_ms(self) -> int:
        """How long the node works until it fails next, at least a millisecond."""
        # 1 - u is never 0.
        return max(1, round(-math.log(1.0 - self._random.random()) * self._mean_ms))
