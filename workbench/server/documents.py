"""What the scheduler's REST interface answers, kept as long as nothing happens.

A document about a cluster of a thousand nodes takes longer to make than to send. As long as the simulation stands still it is the
same document, so it is made once, whoever asks and how often.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from workbench.bench.workbench import Workbench
from workbench.rest import Answer, Source, answer
from workbench.rest.compression import takes_gzip
from workbench.rest.releases import manners_of

MOST_KEPT = 50_000
"""Answers; addresses are made up by whoever asks."""


class Answering(Protocol):
    """`workbench.rest.answer`: the whole answer to one request."""

    def __call__(self, source: Source, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer: ...


class Documents:
    """The answers about one workbench, whichever simulation it holds now.

    Attributes:
        source: what the answers are about.
    """

    def __init__(self, bench: Workbench, most_bytes: int, answering: Answering = answer):
        self.bench, self._most, self._answering = bench, most_bytes, answering
        self.source = Source(lambda: bench.simulation.core())
        self._instant: object = None
        self._kept: dict[tuple[str, bool, bool], Answer] = {}
        self._bytes = 0

    def of(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """The answer to a request. Called while no verb is at work."""
        if method != "GET":
            return self._answering(self.source, method, path, body, headers)
        if (instant := self.bench.simulation.instant) != self._instant:
            self._instant, self._bytes = instant, 0
            self._kept.clear()
        packs = manners_of(self.bench.simulation.release).packs
        packed = packs and takes_gzip({"accept-encoding": headers.get("Accept-Encoding", "")})
        key = path, headers.get("Accept") == "application/json", packed
        found = self._kept.get(key)
        if found is None:
            found = self._answering(self.source, method, path, body, headers)
            size = len(found.body) + len(path)
            if found.following is None and len(self._kept) < MOST_KEPT and self._bytes + size <= self._most:
                self._kept[key] = found
                self._bytes += size
        return found
