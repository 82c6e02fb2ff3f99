"""`queue-mappings` as placement rules: who goes where, in the same order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workbench.config.validation.names import is_group_name, is_user_name
from workbench.importers.yarn.document import Property
from workbench.importers.yarn.report import Report
from workbench.importers.yarn.tree import ROOT, Queue, Tree
from workbench.values.found import shown

FORM = "such as u:ann:root.research, g:dev:dev, u:%user:%user or u:%user:root.users.%user"
USER = "%user"
SPECIFIED = "%specified"
DEFAULT = "default"

Rule = dict[str, Any]


def placement_rules(tree: Tree, making: dict[str, bool], report: Report) -> list[Rule]:
    """The rules of the partition.

    Args:
        tree: the queues.
        making: path of a queue below which queues are made -> whether an application may name them itself.
        report: is told what became of each.

    Raises:
        ConfigError: with the line, for what is no list of mappings.
    """
    mappings, override = tree.general.pop("queue-mappings", None), tree.general.pop("queue-mappings-override.enable", None)
    first = override is not None and override.value.lower() == "true"
    named: Rule = {"name": "provided", "create": any(making.values())}
    rules = list(_mapped(mappings, tree, making, report)) if mappings is not None else []
    if override is not None:
        said = "the mappings come before the queue that an application names" if first else "who names a queue gets it"
        report.add("exact", override, f"placementrules: {said}.")
    if named["create"]:
        report.add(
            "near",
            "queues that are made when an application names them",
            "the rule provided makes them below any parent, not only where YARN would; submitacl restrains it.",
        )
    rules = [*rules, named] if first else [named, *rules]
    queue = tree.leaf(f"{ROOT}.{DEFAULT}")
    if queue is not None and not queue.children:
        rules.append({"name": "fixed", "value": queue.path})
    return [{key: value for key, value in rule.items() if value is not False} for rule in rules]


def _mapped(mappings: Property, tree: Tree, making: dict[str, bool], report: Report) -> Iterator[Rule]:
    count = 0
    for text in (each.strip() for each in mappings.value.split(",")):
        if not text:
            continue
        parts = [each.strip() for each in text.split(":")]
        if len(parts) != 3 or parts[0] not in ("u", "g") or not all(parts):
            raise mappings.fault(f"{shown(text)} is no mapping", FORM)
        if parts[2].lower() == SPECIFIED:
            continue  # whoever names a queue gets it: the rule provided
        rule = _rule(parts[0], parts[1], parts[2], tree, making)
        if isinstance(rule, str):
            report.add("dropped", mappings, f"{text}: {rule}")
            continue
        count += 1
        yield rule
    if count:
        report.add("exact", mappings, f"placementrules: {count} of its mappings, in the same order.")


def _rule(kind: str, who: str, where: str, tree: Tree, making: dict[str, bool]) -> Rule | str:
    """The rule for a mapping, or why there is none."""
    parent, _, last = where.rpartition(".")
    if "%" in where and (last != USER or "%" in parent):
        return "queues by group or application have no rule here; fixed rules with a filter, one for each group, are nearest."
    if kind == "g" and not is_group_name(who):
        return "no group here is called like this."
    if kind == "u" and who != USER and not is_user_name(who):
        return "no user here is called like this."
    filtered: Rule = {} if who == USER else {"filter": {"type": "allow", "users" if kind == "u" else "groups": [who]}}
    if last == USER:
        return _by_user(parent, filtered, tree, making) or f"there is no queue {parent} with queues below it."
    queue = tree.leaf(where)
    if queue is None or queue.children:
        return f"there is no leaf {where}, or there are several; YARN refuses it as well."
    return {"name": "fixed", "value": queue.path, **filtered}


def _by_user(parent: str, filtered: Rule, tree: Tree, making: dict[str, bool]) -> Rule | None:
    if not parent:
        return {"name": "user", "create": ROOT in making, **filtered}
    above: Queue | None = next((each for each in tree.root.walk() if parent.lower() in (each.path, each.name)), None)
    if above is None or not (above.children or above.path in making):
        return None
    rule: Rule = {"name": "user", "create": above.path in making, **filtered}
    return rule if above.path == ROOT else {**rule, "parent": {"name": "fixed", "value": above.path}}
