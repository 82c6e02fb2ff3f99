"""Plain words for resources and for what held somebody back."""

from __future__ import annotations

from collections.abc import Mapping

UNKNOWN = "unknown"
"""The reason of time whose reason was not kept."""

REASONS: Mapping[str, str] = {
    "W-01": "no node is there, or the partition is stopped",
    "W-02": "a queue above is stopped",
    "W-03": "others came first",
    "W-04": "the job is not running yet, or no longer",
    "W-05": "the maximum of applications of a queue",
    "W-06": "the user's or group's maximum of applications",
    "W-07": "left alone for a while after requests that nothing could be found for",
    "W-08": "left alone for the rest of a step after requests that nothing could be found for",
    "W-09": "waits to replace a placeholder",
    "W-10": "the user's or group's limit",
    "W-11": "the maximum of a queue",
    "W-12": "the required node is not there",
    "W-13": "no room on the required node",
    "W-14": "the maximum of a queue, for a required node",
    "W-15": "all nodes are reserved for others",
    "W-16": "no node is large enough",
    "W-17": "no node with room",
    "W-18": "constraints keep it off nodes with room",
    "W-19": "nodes with room take nothing new",
    "W-20": "waits for a node that it reserved",
    "W-21": "too young to reserve a node",
    "W-22": "waits for those that are stopped for it",
    "W-23": "nobody may be stopped for it",
    "W-24": "another application of the queue is starting",
    UNKNOWN: "no reason was kept",
}
"""Code of chapter 09 -> words."""


def reason_words(code: str) -> str:
    """What held somebody back; an own code is its own words."""
    return REASONS.get(code, code.replace("_", " "))


def resource_words(name: str) -> str:
    """A resource, as in `use of vcore`."""
    return name
