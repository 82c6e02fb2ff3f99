"""Long answers are packed for those who can unpack them, by releases that do so. R-961."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import replace

from workbench.rest.answer import Answer

SHORTEST = 1400
"""Shorter bodies, in bytes, are sent as they are."""


def compressed(found: Answer, headers: Mapping[str, str]) -> Answer:
    """The answer, packed if the asker takes it and it is worth it. Events without end never are."""
    if len(found.body) < SHORTEST or found.following is not None or not takes_gzip(headers):
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
