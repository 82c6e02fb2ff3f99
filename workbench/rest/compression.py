"""From release 1.9 on, long answers are packed for those who can unpack them. R-961."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import replace

from workbench.rest.answer import Answer

SINCE = "1.9"
SHORTEST = 1400
"""Shorter bodies, in bytes, are sent as they are."""


def compressed(found: Answer, release: str, headers: Mapping[str, str]) -> Answer:
    """The answer, packed if the release does so, the asker takes it and it is worth it. Events without end never are."""
    if release < SINCE or len(found.body) < SHORTEST or found.following is not None or not takes_gzip(headers):
        return found
    packed = (("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding"))
    return replace(found, body=gzip.compress(found.body, mtime=0), headers=found.headers + packed)


def takes_gzip(headers: Mapping[str, str]) -> bool:
    """Whether `Accept-Encoding` lists gzip in any case, and not with `q=0` written exactly so."""
    for each in headers.get("accept-encoding", "").split(","):
        name, _, weight = each.strip().partition(";")
        if name.strip().lower() == "gzip":
            return weight.strip() != "q=0"
    return False
