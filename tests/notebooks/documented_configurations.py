"""Small configurations that the documentation allows or refuses, and what the core said to them when it was asked.

The answers are in tests/conformance/documented/configurations.json, recorded as updates of a running scheduler, in this order.
"""

from __future__ import annotations

from collections.abc import Mapping

from workbench.explain.verdicts import whole

CONFIGURATIONS: Mapping[str, tuple[str, str, str]] = {
    "one name at two places": ("accepted", "root", "{name: a, queues: [{name: b}]}, {name: b}"),
    "one name twice at a place": ("refused", "root", "{name: a}, {name: A}"),
    "a dot in a name": ("refused", "root", "{name: a.b}"),
    "children, and parent: false": ("refused", "root", "{name: a, parent: false, queues: [{name: b}]}"),
    "maxapplications 0": ("refused", "root", "{name: a, maxapplications: 0}"),
    "maxapplications 3 below 2": ("refused", "root", "{name: a, maxapplications: 2, queues: [{name: b, maxapplications: 3}]}"),
    "no maxapplications below 2": ("", "root", "{name: a, maxapplications: 2, queues: [{name: b}]}"),
    "max 0 of everything": ("accepted", "root", "{name: a, resources: {max: {vcore: 0}}}"),
    "a user named twice": ("accepted", "root", "{name: a, limits: [{limit: l, users: [sue, sue], maxapplications: 1}]}"),
    "a star behind a user": ("refused", "root", "{name: a, limits: [{limit: l, users: [sue, '*'], maxapplications: 1}]}"),
    "a star before a user": ("refused", "root", "{name: a, limits: [{limit: l, users: ['*', sue], maxapplications: 1}]}"),
    "a star as only group": ("refused", "root", "{name: a, limits: [{limit: l, groups: ['*'], maxapplications: 1}]}"),
    "a limit of 0 vcore": ("refused", "root", "{name: a, limits: [{limit: l, users: [sue], maxresources: {vcore: 0}}]}"),
    "a limit of 0 applications": ("refused", "root", "{name: a, limits: [{limit: l, users: [sue], maxapplications: 0}]}"),
    "a policy in one word": ("accepted", "partition", "nodesortpolicy: fair"),
    "a negative weight": ("refused", "partition", "nodesortpolicy: {type: fair, resourceweights: {vcore: -1.0}}"),
    "parent rules as a list": ("accepted", "partition", "placementrules: [{name: user, parent: [{name: tag, value: namespace}]}]"),
    "a parent rule": ("accepted", "partition", "placementrules: [{name: user, parent: {name: tag, value: namespace}}]"),
    "resources of root": ("refused", "file", "partitions: [{name: default, queues: [{name: root, resources: {max: {vcore: 9}}}]}]"),
}
"""Name -> (what the documentation says, "" for nothing; what the text is a part of, see `verdict_rows`; the text)."""

DIFFERS = {
    "children, and parent: false",
    "maxapplications 0",
    "a user named twice",
    "a star behind a user",
    "a policy in one word",
    "parent rules as a list",
}
"""Where the core says otherwise than the documentation."""


def files() -> dict[str, str]:
    """Name -> text of the whole queues.yaml, in order."""
    return {name: whole(text, of) for name, (_, of, text) in CONFIGURATIONS.items()}
