"""Which recording of the real core belongs to which documented example, and to which edit of it that a notebook makes.

An example `documented/NAME` is recorded as `documented-NAME.json`, among the scenarios or among what was asked. A notebook that
goes on to change the design has the changed design recorded too; `VARIANTS` says how each comes about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from workbench import Workbench
from workbench.simulation.scenario import Scenario, parse_scenario

CONFORMANCE = Path(__file__).resolve().parents[1] / "conformance"

Edit = tuple[str, str, str | None]
"""Path, key and value, as for `Workbench.set`."""

VARIANTS: Mapping[str, tuple[str, tuple[Edit, ...]]] = {
    "application-priority-disabled": ("application-priority-dynamic", (("root.default", "application.sort.priority", "disabled"),)),
    "resource-weighting-equal": ("resource-weighting", (("partition", "nodesortpolicy.resourceweights", None),)),
    "node-sort-fair-vcore4": (
        "node-sort-fair-default",
        (("partition", "nodesortpolicy.resourceweights", "{vcore: 4.0, memory: 1.0}"),),
    ),
    "node-sort-binpacking-default": ("node-sort-fair-default", (("partition", "nodesortpolicy.type", "binpacking"),)),
    "node-sort-binpacking-vcore4": (
        "node-sort-fair-default",
        (
            ("partition", "nodesortpolicy.type", "binpacking"),
            ("partition", "nodesortpolicy.resourceweights", "{vcore: 4.0, memory: 1.0}"),
        ),
    ),
    "design-placement-secondary": (
        "design-placement",
        (
            (
                "partition",
                "placementrules",
                """
- {name: user, create: true, parent: {name: secondarygroup, filter: {type: allow, groups: [company.*]}}}
""",
            ),
        ),
    ),
    "design-placement-group": (
        "design-placement",
        (
            (
                "partition",
                "placementrules",
                """
- name: user
  create: true
  filter: {type: allow, groups: [company.*]}
  parent: {name: fixed, value: root.companyA}
""",
            ),
        ),
    ),
    "design-placement-denied": (
        "design-placement",
        (
            (
                "partition",
                "placementrules",
                """
- {name: user, create: true, filter: {users: [user2, user3]}}
""",
            ),
        ),
    ),
    "placement-chain-created": (
        "placement-chain",
        (
            (
                "partition",
                "placementrules",
                """
- {name: user, create: true, filter: {groups: [dev*]}, parent: {name: tag, value: namespace, create: true}}
- {name: tag, value: namespace, create: true, parent: {name: fixed, value: root.namespaces, filter: {users: [john]}}}
- {name: fixed, value: root.default}
""",
            ),
        ),
    ),
    "preemption-storm-one-leaf": ("preemption-storm", (("root.region1.country1.state1", "resources.guaranteed", "{vcore: 9}"),)),
    "preemption-storm-both-leaves": (
        "preemption-storm",
        (
            ("root.region1.country1.state1", "resources.guaranteed", "{vcore: 5}"),
            ("root.region1.country1.state2", "resources.guaranteed", "{vcore: 5}"),
        ),
    ),
    "preemption-law-4-more": ("preemption-law-4", (("root.university", "resources.guaranteed", "{vcore: 9}"),)),
    "preemption-law-7-open": ("preemption-law-7", (("root.general", "preemption.policy", "default"),)),
    "site-namespaces-open": ("site-namespaces", (("root.interactive", "preemption.policy", "default"),)),
    "quota-namespace-parents-closed": ("quota-namespace-parents", (("root", "submitacl", None),)),
    "placement-acl-open-root": ("placement-acl", (("root", "submitacl", "*"),)),
    "placement-acl-filter": (
        "placement-acl",
        (
            ("root", "submitacl", "*"),
            (
                "partition",
                "placementrules",
                """
- {name: fixed, value: root.production, filter: {users: [john, bob]}}
- {name: user, create: true}
""",
            ),
        ),
    ),
}
"""Name of the recorded variant -> the example it starts from, and the edits."""

COUNTED_WITH: Mapping[str, int] = {
    "preemption-normal": 2,
    "preemption-not-allowed": 2,
    "preemption-same-application": 1,
    "preemption-priority-queue": 2,
    "preemption-fence": 2,
    "site-namespaces": 2,
}
"""Recordings that count their pods with fewer than the three digits of `repeat`."""

UNSETTLED: Mapping[str, str] = {
    "gang-job": "of two placeholders of one group the core takes either first",
    "preemption-slow-ends": "of several nodes with one victim each the core takes any",
    "quota-parent-even": "of three queues that use nothing yet the core begins with any",
}
"""Examples in which the core decides differently from run to run, so they are not recorded; the tests of their topic have what
does not differ."""


def recording(name: str) -> Path | None:
    """The file in which the core's answer to an example or a variant is kept; None if there is none."""
    found = [
        path for path in (CONFORMANCE / folder / f"documented-{name}.json" for folder in ("scenarios", "asked")) if path.exists()
    ]
    return found[0] if found else None


def recorded(name: str) -> Scenario | None:
    """The recording of an example or a variant, its pods named as in the packaged example; None if there is none."""
    file = recording(name)
    if file is None:
        return None
    counted = COUNTED_WITH.get(name)
    text = file.read_text(encoding="utf-8")
    if counted:
        # The recorded a1-07 is the seventh of `repeat` here, a1-007.
        text = re.sub(rf'"(?!node-)([a-z0-9]+)-(\d{{{counted}}})"', rf'"\1-{"0" * (3 - counted)}\2"', text)
    return parse_scenario(text, "json", name=name)


def variant(name: str) -> Workbench:
    """The example with its edits made, at the start."""
    example, edits = VARIANTS[name]
    bench = Workbench.example(f"documented/{example}")
    for path, key, value in edits:
        bench.set(path, key, value)
    return bench


def scenario_of(bench: Workbench, name: str) -> Scenario:
    """The design and inputs of a workbench under a name, with the expectation of the recording of that name, if there is one."""
    found = recorded(name)
    expect = found.expect if found is not None else None
    return replace(bench.simulation.scenario, name=name, config=str(bench.to_yaml()), expect=expect)
