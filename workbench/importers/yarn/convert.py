"""A capacity-scheduler.xml as a queue configuration, property by property, with a report of each. Chapter 13.

Whoever converts a property takes it out of its queue; what nobody took is reported as not converted.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from workbench.explain.wording import counted
from workbench.importers.yarn import unsaid
from workbench.importers.yarn.capacities import parse_capacity
from workbench.importers.yarn.document import Document, Property
from workbench.importers.yarn.placement import placement_rules
from workbench.importers.yarn.report import Report
from workbench.importers.yarn.shares import Share, rounded, shares
from workbench.importers.yarn.templates import makes_queues, template
from workbench.importers.yarn.tree import PREFIX, Queue, Tree, read_tree
from workbench.importers.yarn.values import access, decimal, switch, whole
from workbench.importers.yarn.written import told, written
from workbench.values.found import shown

MONITOR = "yarn.resourcemanager.scheduler.monitor.enable"
BY_PRIORITY = "priority-utilization"

Plain = dict[str, Any]


def convert(document: Document, cluster: Mapping[str, int], source: str) -> tuple[Plain, Report]:
    """The configuration as plain values, and what became of each property.

    Args:
        document: the properties of all files.
        cluster: the size of the cluster in base units; empty if it is not known.
        source: name of the files, for messages.

    Raises:
        ConfigError: with file, line and property: what is no value, what cannot be, a share of a cluster without a size (Y-1).
    """
    report = Report()
    tree = read_tree(document, source)
    for old, new in document.overridden:
        report.add("dropped", old, f"another one takes its place: {new.source} line {new.line}.")
    for each in document.includes:
        report.add("dropped", each, f"{shown(each.value)} is not followed; give that file, too.")
    return _Conversion(tree, shares(tree.root, cluster), report).partition(), report


class _Conversion:
    """One conversion."""

    def __init__(self, tree: Tree, found: Mapping[str, Share], report: Report):
        self.tree, self.shares, self.report = tree, found, report
        self.making: dict[str, bool] = {}
        """Path of a queue below which queues are made -> whether when an application names them."""
        self.most_apps: dict[str, int] = {}
        self.by_priority: set[str] = set()

    def partition(self) -> Plain:
        root = self.queue(self.tree.root)
        partition = {"name": "default", "preemption": {"enabled": self.preemption()}}
        rules = placement_rules(self.tree, self.making, self.report)
        self.calculator()
        for key, property in self.tree.general.items():
            self.report.add("dropped", property, unsaid.of_scheduler(key))
        for property in self.tree.strangers:
            self.report.add("dropped", property, unsaid.STRANGER)
        for name, property in self.tree.others.items():
            self.report.add("dropped", property, unsaid.of_another(name))
        return {"partitions": [partition | {"placementrules": rules, "queues": [root]}]}

    # -- queues -----------------------------------------------------------------------------------------------------------

    def queue(self, queue: Queue) -> Plain:
        """A queue with all below it."""
        made: Plain = {"name": queue.name}
        by_name = makes_queues(queue, self.report)
        if by_name is not None:
            self.making[queue.path] = by_name
        is_parent = bool(queue.children) or queue.parent is None or by_name is not None
        parts: Plain = {
            "parent": is_parent,
            **self.access(queue),
            "maxapplications": self.applications(queue),
            "resources": self.resources(queue),
            "properties": self.properties(queue, is_parent),
            "limits": self.user_limit(queue, is_parent),
            "childtemplate": template(queue, self.shares[queue.path], self.report) if by_name is not None else {},
        }
        made |= {key: each for key, each in parts.items() if each}
        self.state(queue)
        listed = queue.properties.pop("queues", None)
        if listed is not None:
            self.report.add("exact", listed, f"{queue.path} has {counted(len(queue.children), 'queue')} below it.")
        for key, property in queue.properties.items():
            self.report.add("dropped", property, unsaid.of_queue(key))
        if queue.children:
            made["queues"] = [self.queue(child) for child in queue.children]
        return made

    def access(self, queue: Queue) -> Plain:
        found: Plain = {}
        for key, here in (("acl_submit_applications", "submitacl"), ("acl_administer_queue", "adminacl")):
            property = queue.properties.pop(key, None)
            if property is None:
                if queue.parent is None:
                    found[here] = "*"
                    self.report.add("exact", f"{PREFIX}{queue.yarn}.{key}", f"{here} of root is *, everybody.")
                continue
            text, lost = access(property)
            found[here] = text
            said = f"{here} of {queue.path} is {text.strip() or 'nobody'}"
            if lost:
                self.report.add("near", property, f"{said}, without {', '.join(lost)}: such names never match here.")
            else:
                self.report.add("exact", property, f"{said}.")
        return found

    def applications(self, queue: Queue) -> int:
        """How many may run, 0 for any number. Below a queue with a bound all need one, and none may be larger (C-80)."""
        property = queue.properties.pop("max-parallel-apps", None)
        given = property or self.tree.general.get("max-parallel-apps")
        own = whole(given, 0) if given is not None else 0
        above = self.most_apps[queue.parent.path] if queue.parent is not None else 0
        most = self.most_apps[queue.path] = min(own, above) if own and above else own or above
        if property is not None:
            least = "" if most == own else ", that of the queue above it, which holds anyway"
            self.report.add("exact", property, f"maxapplications of {queue.path} is {most or 'not set'}{least}.")
        return most

    def resources(self, queue: Queue) -> Plain:
        capacity, most = queue.properties.get("capacity"), queue.properties.pop("maximum-capacity", None)
        if queue.parent is None:
            queue.properties.pop("capacity", None)
            for property in filter(None, (capacity, most)):
                same = property.value in ("100", "100.0", "-1")
                self.report.add("exact" if same else "dropped", property, "root has what the nodes have, no more and no less.")
            return {}
        share, found = self.shares[queue.path], {}
        if capacity is None:
            self.report.add("near", f"{PREFIX}{queue.yarn}.capacity", f"{queue.path} has no capacity and is guaranteed nothing.")
        else:
            amounts = rounded(share.guaranteed)
            found["guaranteed"] = written(amounts)
            self.tell_amounts(capacity, f"{queue.path} is guaranteed {told(amounts)}")
        if most is not None and not share.own_most:
            self.report.add("exact", most, f"{queue.path} may have all that the queue above it may have.")
        elif most is not None:
            amounts = rounded(share.own_most)
            found["max"] = written(amounts)
            if found["max"]:
                self.tell_amounts(most, f"{queue.path} has at most {told(amounts)}, even while nobody else wants the rest")
            else:
                self.report.add("dropped", most, f"a maximum of nothing bounds nothing here; let nobody submit to {queue.path}.")
        return {key: each for key, each in found.items() if each}

    def tell_amounts(self, property: Property, said: str) -> None:
        if parse_capacity(property).kinds <= {"amount"}:
            self.report.add("exact", property, f"{said}.")
        else:
            self.report.add("near", property, f"{said}: a share of the size that was given, which does not grow.")

    def user_limit(self, queue: Queue, is_parent: bool) -> list[Plain]:
        """What one user may have: a factor of the guarantee, 1 if nothing is said."""
        property = queue.properties.pop("user-limit-factor", None)
        capacity = queue.properties.pop("capacity", None)
        factor = decimal(property) if property is not None else 1.0
        of: Property | str = property if property is not None else f"{PREFIX}{queue.yarn}.user-limit-factor"
        if is_parent:
            if property is not None:
                self.report.add("exact", property, "nothing is written: it counts in queues of applications only.")
            return []
        if factor < 0:
            self.report.add("exact", of, f"one user may have all of {queue.path}.")
            return []
        share = self.shares[queue.path]
        wanted = {kind: amount * Fraction(str(factor)) for kind, amount in share.guaranteed.items()}
        bounds = rounded({kind: min(amount, share.most.get(kind, amount)) for kind, amount in wanted.items() if amount})
        bounds = {kind: amount for kind, amount in bounds.items() if amount}
        if not bounds:
            if capacity is not None or property is not None:
                self.report.add("dropped", of, f"a factor of no guarantee is no limit: one user may have all of {queue.path}.")
            return []
        if (
            all(kind in share.own_most and bounds.get(kind) == amount for kind, amount in rounded(share.own_most).items())
            and share.own_most
        ):
            self.report.add("exact", of, f"one user may have all that {queue.path} may have, whose maximum says so.")
            return []
        self.report.add("near", of, f"one user has at most {told(bounds)} in {queue.path}, however many others there are.")
        return [{"limit": "user-limit-factor of YARN", "users": ["*"], "maxresources": written(bounds)}]

    def properties(self, queue: Queue, is_parent: bool) -> dict[str, str]:
        found: dict[str, str] = {}
        order = queue.properties.pop("ordering-policy", None)
        if order is not None:
            self.order(queue, order, is_parent, found)
        property = queue.properties.pop("priority", None)
        if property is not None:
            number = whole(property)
            if queue.parent is not None and queue.parent.path in self.by_priority and number:
                found["priority.offset"] = str(number)
                said = f"priority.offset of {queue.path} is {number}, which is added to the priority of each request there."
                self.report.add("near", property, said)
            else:
                why = f"it counts only if the queue above has the ordering policy {BY_PRIORITY}, and 0 is the default"
                self.report.add("exact", property, f"nothing is written: {why}.")
        property = queue.properties.pop("disable_preemption", None)
        if property is not None:
            found["preemption.policy"] = "disabled" if switch(property) else "default"
            who = "nobody there is stopped for others" if switch(property) else "who is there may be stopped for others"
            self.report.add("exact", property, f"preemption.policy of {queue.path} is {found['preemption.policy']}: {who}.")
        return found

    def order(self, queue: Queue, order: Property, is_parent: bool, found: dict[str, str]) -> None:
        if is_parent and order.value == BY_PRIORITY:
            self.by_priority.add(queue.path)
            said = f"the queues below {queue.path} have priority.offset; of equal ones who uses less of its guarantee is first."
            self.report.add("near", order, said)
        elif is_parent and order.value == "utilization":
            self.report.add("exact", order, f"of the queues below {queue.path} the one that uses less of its guarantee is first.")
        elif not is_parent and order.value in ("fifo", "fair"):
            found["application.sort.policy"] = order.value
            gangs = "; gangs are refused in it (C-135)" if order.value == "fair" else ""
            self.report.add("exact", order, f"application.sort.policy of {queue.path} is {order.value}{gangs}.")
        else:
            kind = "utilization and priority-utilization" if is_parent else "fifo and fair"
            self.report.add("dropped", order, f"{shown(order.value)} has no counterpart; {kind} have one.")

    def state(self, queue: Queue) -> None:
        property = queue.properties.pop("state", None)
        if property is None:
            return
        if property.value.upper() not in ("RUNNING", "STOPPED"):
            raise property.fault(f"{shown(property.value)} is no state", "RUNNING or STOPPED")
        if property.value.upper() == "RUNNING":
            self.report.add("exact", property, f"{queue.path} takes applications, as every queue does.")
        else:
            self.report.add("dropped", property, f"{queue.path} takes applications; let nobody submit to it, or leave it out.")

    # -- the scheduler ----------------------------------------------------------------------------------------------------

    def preemption(self) -> bool:
        property = self.tree.others.pop(MONITOR, None)
        if property is None:
            said = "preemption.enabled is false, as in YARN if nothing is said; give yarn-site.xml, too, if it says more."
            self.report.add("exact", MONITOR, said)
            return False
        enabled = switch(property)
        self.report.add("exact", property, f"preemption.enabled of the partition is {str(enabled).lower()}.")
        return enabled

    def calculator(self) -> None:
        property = self.tree.general.pop("resource-calculator", None)
        if property is None or property.value.endswith("DefaultResourceCalculator"):
            of = property if property is not None else f"{PREFIX}resource-calculator"
            self.report.add("near", of, "all resources count, and not only memory as in YARN with DefaultResourceCalculator.")
        else:
            self.report.add("exact", property, "shares are those of the dominant resource.")
