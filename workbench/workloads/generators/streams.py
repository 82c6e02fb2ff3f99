"""Random streams: one for each purpose, so that a draw more for one purpose moves nothing of another."""

from __future__ import annotations

import hashlib
import json
import random


def stream(*purpose: str | int) -> random.Random:
    """A source of random numbers of its own for a purpose, such as (seed, name of the class, "durations").

    The same everywhere: seeded from SHA-256 of the purpose. Whoever draws uses `random()` only, whose sequence Python promises to
    keep; the other methods of `random.Random` may change from one version to the next.

    >>> stream(0, "train", "durations").random() == stream(0, "train", "durations").random()
    True
    >>> stream(0, "train", "durations").random() == stream(0, "train", "users").random()
    False
    """
    digest = hashlib.sha256(json.dumps(purpose).encode()).digest()
    return random.Random(int.from_bytes(digest, "big"))
