"""The properties that have no counterpart: for each what is nearest to it, and what that means for people."""

from __future__ import annotations

import re

PER_QUEUE = {
    "maximum-applications": "how many may wait is not bounded; maxapplications bounds how many run.",
    "maximum-am-resource-percent": "what drivers and application masters may take is not bounded; maxapplications is nearest.",
    "minimum-user-limit-percent": "users are promised no share; application.sort.policy fair, or limits, come nearest.",
    "maximum-application-lifetime": "applications are not stopped when they are too old; activeDeadlineSeconds of a job does that.",
    "default-application-lifetime": "applications are not stopped when they are too old; activeDeadlineSeconds of a job does that.",
    "default-application-priority": "the priority is that of the pod; a PriorityClass with globalDefault is nearest.",
    "maximum-allocation-mb": "the largest request is not bounded by queue; a LimitRange of the namespace does that.",
    "maximum-allocation-vcores": "the largest request is not bounded by queue; a LimitRange of the namespace does that.",
    "maximum-allocation": "the largest request is not bounded by queue; a LimitRange of the namespace does that.",
    "acl_application_max_priority": "who may use which priority is not told by queue; quotas of PriorityClasses are nearest.",
    "reservable": "there are no reservations of times to come.",
    "allow-zero-capacity-sum": "nothing has to be allowed: a queue without a guarantee is none that is wrong.",
    "accessible-node-labels": "queues have no labels of nodes; pods choose nodes with a node selector, and taints keep others off.",
    "default-node-label-expression": "queues have no labels of nodes; pods choose nodes with a node selector.",
    "default-application-node-label-expression": "queues have no labels of nodes; pods choose nodes with a node selector.",
    "intra-queue-preemption": "within a queue nobody is preempted but for priority.",
    "multi-node-sorting": "nodes are sorted alike for all queues: nodesortpolicy of the partition.",
    "user-settings": "users have no weights; a limit for each of these users is nearest.",
    "reservations-continue-look-all-nodes": "what is reserved is looked for on all nodes anyway.",
    "max-am-resource-percent": "what drivers and application masters may take is not bounded; maxapplications is nearest.",
    "ordering-policy.fair.enable-size-based-weight": "large applications get no more than small ones; shares are equal.",
    "ordering-policy": "only fifo and fair have a counterpart in a queue of applications.",
    "dynamic-queue": "when a queue that was made for an application goes is the scheduler's own business.",
}
"""First word, or words, of a key of a queue -> what becomes of it."""

GENERAL = {
    "maximum-applications": PER_QUEUE["maximum-applications"],
    "maximum-am-resource-percent": PER_QUEUE["maximum-am-resource-percent"],
    "node-locality-delay": "where data lies is not looked at; affinity of the pods is nearest.",
    "rack-locality-additional-delay": "where data lies is not looked at; affinity of the pods is nearest.",
    "rack-locality-full-reset": "where data lies is not looked at.",
    "per-node-heartbeat": "nodes do not ask for work: a cycle gives out one request after the other.",
    "schedule-asynchronously": "cycles follow one another in any case.",
    "application.fail-fast": "an application that cannot be placed is rejected.",
    "fail-fast": "an application that cannot be placed is rejected.",
    "workflow-priority-mappings": "the priority is that of the pod.",
    "workflow-priority-mappings-override": "the priority is that of the pod.",
    "mapping-rule-format": "only queue-mappings are read; write the rules as placementrules.",
    "mapping-rule-json": "only queue-mappings are read; write the rules as placementrules.",
    "mapping-rule-json-file": "only queue-mappings are read; write the rules as placementrules.",
    "app-queue-mappings": "applications are not placed by their names; a tag of the application with the rule tag is nearest.",
    "queue-mappings-override.enable": "is told by the order of the placement rules.",
    "multi-node-placement-enabled": "nodes are always compared: nodesortpolicy of the partition.",
    "multi-node-sorting": "nodes are sorted alike for all queues: nodesortpolicy of the partition.",
    "skip-allocate-on-nodes-with-reserved-containers": "how reserved nodes are passed over is fixed.",
    "reservations-continue-look-all-nodes": "what is reserved is looked for on all nodes anyway.",
    "legacy-queue-mode.enabled": "each capacity says of itself what it is.",
    "user.max-parallel-apps": "how many applications a user may run is not bounded; a limit on root does that.",
    "maximum-allocation-mb": PER_QUEUE["maximum-allocation-mb"],
    "maximum-allocation-vcores": PER_QUEUE["maximum-allocation-vcores"],
    "lazy-preemption-enabled": "preemption has no rounds to choose from.",
    "global-queue-max-application": "how many may wait is not bounded; maxapplications bounds how many run.",
    "configuration": "where YARN keeps its configuration does not matter here.",
    "queue-management-policy": "when a queue that was made for an application goes is the scheduler's own business.",
    "max-parallel-apps": "is counted by queue, and was written to each.",
}

OTHERS = {
    "yarn.resourcemanager.monitor.capacity.preemption.": "preemption has no rounds; preemption.delay of a queue is nearest.",
    "yarn.resourcemanager.scheduler.monitor.": "preemption has no monitors; preemption.enabled of the partition switches it.",
    "yarn.scheduler.maximum-allocation": PER_QUEUE["maximum-allocation-mb"],
    "yarn.scheduler.minimum-allocation": "requests are not rounded up: a pod gets what it asks for.",
    "yarn.resource-types": "resources have the names that the nodes tell.",
    "yarn.cluster.max-application-priority": "priorities are those of PriorityClasses.",
    "yarn.node-labels.": PER_QUEUE["default-node-label-expression"],
}
"""Beginning of a property that is not the capacity scheduler's -> what becomes of it."""

NOT_ABOUT_QUEUES = "is not about queues."
UNKNOWN = "is no property of the capacity scheduler that is known here; is it written as it should be?"
STRANGER = "is about a queue that no list of queues names; YARN passes over it as well."


def of_queue(key: str) -> str:
    """What becomes of a key of a queue."""
    return _longest(PER_QUEUE, key) or UNKNOWN


def of_scheduler(key: str) -> str:
    """What becomes of a key of the scheduler as a whole."""
    if re.fullmatch(r"user\.[^.]+\.max-parallel-apps", key):
        return GENERAL["user.max-parallel-apps"]
    return _longest(GENERAL, key) or UNKNOWN


def of_another(name: str) -> str:
    """What becomes of a property of something else."""
    return next((text for start, text in OTHERS.items() if name.startswith(start)), NOT_ABOUT_QUEUES)


def _longest(known: dict[str, str], key: str) -> str:
    """The text of the key, or of the longest beginning of it that ends before a dot."""
    while key:
        if key in known:
            return known[key]
        key = key.rpartition(".")[0]
    return ""
