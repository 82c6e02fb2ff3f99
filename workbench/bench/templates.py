"""Designs to begin with, where there is no file yet. Everybody may submit to each of them: without a `submitacl` nobody could."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.values.errors import ScenarioError

PREFIX = "new/"
"""Before the name of a template where designs are named."""

TEMPLATES: Mapping[str, str] = {
    "empty": """\
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
""",
    "teams": """\
# Three teams share a cluster: each is guaranteed its part, and may use what the others leave.
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: red
            resources: {guaranteed: {vcore: 8, memory: 32Gi}}
          - name: green
            resources: {guaranteed: {vcore: 8, memory: 32Gi}}
          - name: blue
            resources: {guaranteed: {vcore: 4, memory: 16Gi}}
""",
    "production-and-scavenger": """\
# Production goes first and takes back what is its own; the scavenger lives on what is left over.
partitions:
  - name: default
    preemption: {enabled: true}
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: production
            properties: {priority.offset: "1000"}
            resources: {guaranteed: {vcore: 16, memory: 64Gi}}
          - name: scavenger
            properties: {priority.policy: fence, priority.offset: "-1000"}
""",
    "namespaces": """\
# A queue for each namespace of Kubernetes, made when it is first used, with the same maximum for all.
partitions:
  - name: default
    placementrules:
      - {name: tag, value: namespace, create: true, parent: {name: fixed, value: root.namespaces}}
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: namespaces
            parent: true
            childtemplate: {resources: {max: {vcore: 8, memory: 32Gi}}}
""",
}
"""Name -> the text of a queues.yaml."""

TEMPLATE_NAMES = tuple(f"{PREFIX}{name}" for name in TEMPLATES)
"""As designs are named."""


def template(name: str) -> str:
    """The text of a template. ScenarioError if there is none of that name."""
    if name not in TEMPLATES:
        raise ScenarioError(no_template(name))
    return TEMPLATES[name]


# ---- in words ---------------------------------------------------------------------------------------------------------


def no_template(name: str) -> str:
    return f"there is no template {name}; there are {', '.join(TEMPLATES)}"
