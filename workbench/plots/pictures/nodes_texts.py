"""The title sentences and hover lines of the picture of the nodes."""

from __future__ import annotations

from workbench.explain.wording import counted, name


def takes_node(node: str, who: str, policy: str, mine: str, theirs: str) -> str:
    return f"{node} takes {who}: score {mine} before {theirs} under {name(policy)}"


def takes_node_tie(node: str, who: str, policy: str, score: str, other: str) -> str:
    return f"{node} takes {who}: score {score} like {other} under {name(policy)}, first by id"


def takes_node_alone(node: str, who: str) -> str:
    return f"{node} takes {who}: no other node could be chosen"


def takes_node_after(node: str, who: str, passed: int) -> str:
    return f"{node} takes {who}: {counted(passed, 'node')} before it {'has' if passed == 1 else 'have'} no room"


def takes_node_otherwise(node: str, who: str, outcome: str) -> str:
    texts = {
        "reserved": f"{who} reserves {node}: no node has room for it now",
        "replaced": f"{who} replaces a placeholder on {node}",
        "unreserved": f"The reservation of {who} on {node} ends",
    }
    return texts.get(outcome, f"{node} takes {who}: it is the node that {who} must or may use")


def next_node(node: str, policy: str, score: str) -> str:
    return f"{node} comes first under {name(policy)}: score {score}"


def more_nodes(number: int) -> str:
    return f"… and {counted(number, 'more node')}"


def capacity_axis(type_name: str) -> str:
    return f"{name(type_name)} of each node, in scheduling order"


def drawn_as_mean(number: int) -> str:
    return f"The bar is the mean of {counted(number, 'node')}."
