"""The registries of orders: what each brings, how another one is added, and what is asked of its key.

An order of the core is registered as it is. One that is added from outside is closed: its key is checked to be comparable, and
the creation number is put behind it, so that no two are equal and the outcome depends on nothing else.
"""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from workbench.config import vocabulary
from workbench.scheduler.records.refusals.base import Refusal
from workbench.scheduler.records.state import Application, Node, Queue
from workbench.values.errors import CommandError
from workbench.values.registry import Registry
from workbench.values.resources import Resource

Share = float | tuple[float, ...]
"""What sibling queues are compared by: one number, or several, the most telling first (R-521, R-528)."""

ApplicationKey = Callable[[Application, Resource | None, bool], tuple[Any, ...]]
Admission = Callable[[Queue, Sequence[Application], int], Mapping[str, Refusal]]
QueueShare = Callable[[Queue, Resource | None], Share]
NodeScore = Callable[[Node, Mapping[str, float]], float]


@dataclass(frozen=True, slots=True)
class ApplicationOrder:
    """A sort policy of leaves.

    Attributes:
        name: as `application.sort.policy` says it.
        key: `(application, guaranteed of the leaf, by_priority)` -> a named tuple that ends in the application's `seq`.
        admission: for an order that keeps some out: `(leaf, those with something pending, now in ns)` -> refusals by id.
        takes_gangs: applications with task groups may run in such a leaf. R-702.
        is_kept: the key reads nothing but the arguments' own fields, so that it stands until one of them is touched.
    """

    name: str
    key: ApplicationKey
    admission: Admission | None = None
    takes_gangs: bool = False
    is_kept: bool = True


@dataclass(frozen=True, slots=True)
class QueueOrder:
    """What sibling queues are compared by, beside priority and before what they wait for. A release names it (`Profile`).

    Attributes:
        share: `(queue, its fair maximum)` -> a number or a tuple of numbers; smaller goes first.
        has_ratios: the share is the largest ratio of use to a guarantee, which explanations spell out.
        to_fair_maximum: types without a guarantee are measured against the fair maximum. R-521.
        unlimited: types without any measure count as plain amounts. R-83.
        is_kept: the share reads nothing but the arguments' own fields, so that it stands until the queue is touched.
    """

    name: str
    share: QueueShare
    has_ratios: bool = False
    to_fair_maximum: bool = False
    unlimited: bool = False
    is_kept: bool = True


@dataclass(frozen=True, slots=True)
class NodeOrder:
    """A sort policy of nodes: `(node, weights of the types)` -> its score; smaller goes first, equals by id (R-557).

    A score is stored when something about the node changes (R-559), so that it can depend on the node alone.
    """

    name: str
    score: NodeScore


APPLICATION_ORDERS: Registry[ApplicationOrder] = Registry("sort policy of applications")
QUEUE_ORDERS: Registry[QueueOrder] = Registry("order of queues")
NODE_ORDERS: Registry[NodeOrder] = Registry("sort policy of nodes")
KEY_WORDS: dict[str, str] = {}
"""Field of a key of an added order -> what it is called in explanations."""


def register_application_order(
    name: str,
    key: Callable[[Application, Resource | None, bool], Any],
    *,
    words: Mapping[str, str] | None = None,
    admission: Admission | None = None,
    takes_gangs: bool = False,
    is_kept: bool = False,
) -> ApplicationOrder:
    """Add a sort policy of leaves; `application.sort.policy` takes its name from now on, in every release.

    `key(application, guaranteed, by_priority)` gives a number, a text, or a (named) tuple of them, always of one form; the
    creation number closes it. `words` say what its fields are called. Only with `is_kept` is a key asked for again no sooner
    than its application, or guarantee or settings of the leaf, change; the others of the arguments are those of
    `ApplicationOrder`.

    Raises:
        CommandError: the name is taken.
    """
    order = ApplicationOrder(name, closed(f"sort policy {name!r}", name, key), admission, takes_gangs, is_kept)
    APPLICATION_ORDERS.register(name, order)
    vocabulary.allow(vocabulary.APPLICATION_SORT_POLICIES, name)
    KEY_WORDS.update(words or {})
    return order


def register_queue_order(name: str, share: QueueShare, *, is_kept: bool = False) -> QueueOrder:
    """Add an order of sibling queues, for a `Profile` to name. CommandError if the name is taken."""

    def checked(queue: Queue, fair_maximum: Resource | None) -> Share:
        found = share(queue, fair_maximum)
        for part in found if isinstance(found, tuple) else (found,):
            if not is_number(part):
                raise CommandError(f"order of queues {name!r}: the share of {queue.path} must be numbers, found {found!r}")
        return found

    return QUEUE_ORDERS.register(name, QueueOrder(name, checked, is_kept=is_kept))


def register_node_order(name: str, score: NodeScore) -> NodeOrder:
    """Add a sort policy of nodes; `nodesortpolicy.type` takes its name from now on. CommandError if the name is taken."""

    def checked(node: Node, weights: Mapping[str, float]) -> float:
        found = score(node, weights)
        if not is_number(found):
            raise CommandError(f"sort policy {name!r}: the score of node {node.id} must be a number, found {found!r}")
        return float(found)

    order = NODE_ORDERS.register(name, NodeOrder(name, checked))
    vocabulary.allow(vocabulary.NODE_SORT_POLICIES, name)
    return order


def is_number(value: object) -> bool:
    """Whether it can be compared with every other number: not a number at all, or NaN, cannot."""
    return isinstance(value, (int, float)) and not math.isnan(value)


# -- keys from outside --------------------------------------------------------------------------------------------------

Owner = TypeVar("Owner")


def _named(names: Sequence[str]) -> Callable[..., tuple[Any, ...]]:
    """A named tuple with these fields and the creation number. They are known only when the first key is made."""
    make: Callable[..., Any] = namedtuple
    kind: Callable[..., tuple[Any, ...]] = make("Key", [*names, "seq"])
    return kind


@dataclass(slots=True)
class Closing:
    """Makes keys comparable and total: checks the parts, and puts the creation number behind them."""

    what: str
    field_name: str
    made: dict[tuple[str, ...], Callable[..., tuple[Any, ...]]] = field(default_factory=dict)
    """Names of the fields -> the named tuple that has them and `seq`."""
    form: tuple[type, ...] | None = None
    """Kinds of the parts of the first key, which those of all others must have."""

    def close(self, owner: str, seq: int, found: Any) -> tuple[Any, ...]:
        parts = tuple(found) if isinstance(found, tuple) else (found,)
        names = getattr(found, "_fields", None) or self._names(len(parts))
        if names[-1] == "seq":
            names, parts = names[:-1], parts[:-1]
        form = tuple(self._kind(owner, part) for part in parts)
        if self.form is None:
            self.form = form
        elif form != self.form:
            raise CommandError(
                f"{self.what}: keys must have one form, {_told(self.form)} as at first; that of {owner} has {_told(form)}"
            )
        made = self.made.get(names)
        if made is None:
            made = self.made[names] = _named(names)
        return made(*parts, seq)

    def _names(self, count: int) -> tuple[str, ...]:
        stem = self.field_name if self.field_name.isidentifier() and self.field_name != "seq" else "value"
        return (stem,) if count == 1 else tuple(f"{stem}_{number}" for number in range(1, count + 1))

    def _kind(self, owner: str, part: object) -> type:
        if is_number(part):
            return float
        if isinstance(part, str):
            return str
        if isinstance(part, tuple) and all(map(is_number, part)):
            return tuple
        raise CommandError(f"{self.what}: a key is made of numbers, texts and tuples of numbers; that of {owner} has {part!r}")


def _told(form: tuple[type, ...]) -> str:
    return ", ".join({float: "a number", str: "a text", tuple: "a tuple"}[kind] for kind in form) or "nothing"


def closed(what: str, field_name: str, key: Callable[[Application, Resource | None, bool], Any]) -> ApplicationKey:
    """A key function from outside with keys that can be compared with each other, and of which no two are equal."""
    closings = {True: Closing(what, field_name), False: Closing(what, field_name)}

    def key_of(application: Application, guaranteed: Resource | None, by_priority: bool) -> tuple[Any, ...]:
        found = key(application, guaranteed, by_priority)
        return closings[by_priority].close(f"application {application.id}", application.seq, found)

    return key_of
