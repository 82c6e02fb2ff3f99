"""What preemption makes of the applications that are there: delays too long, asks too large, pods that nothing protects.

L-29, second half, and L-40 to L-43 (E-40). What is found here holds for the present instant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median_low

from workbench.advice.edits import SetGuaranteed, SetProperty, accepted
from workbench.advice.lint import Finding, Lint, finding, named
from workbench.advice.lints import looking
from workbench.config.facts import Design, QueueFacts, texts_with
from workbench.config.may_preempt import can_reach, has_claim, is_disabled, is_fence, may_preempt
from workbench.config.properties import PREEMPTION_DELAY, PREEMPTION_POLICY
from workbench.explain.wording import counted, name, seconds
from workbench.scheduler.objects import tree
from workbench.scheduler.records.state import Cluster, Partition
from workbench.values.durations import SECOND
from workbench.values.quantities import format_quantity
from workbench.values.resources import EMPTY

DEFAULT_DELAY = "30s"
LARGE_SHARE = 2
"""One ask of more than a half of the guarantee is large."""


@dataclass(frozen=True, slots=True)
class DelayBeyondTheRuntime(Lint):
    """A delay, set at `owner`, that is longer than half of so many applications took."""

    code = "L-29"
    rules = ("P-21", "P-22", "E-40")
    assumption = "This assumes that later applications run as long as those that finished."
    applications: int
    delay_ns: int
    usual_ns: int
    owner: str

    def sentence(self, where: str) -> str:
        return (
            f"Requests of {where} wait {seconds(self.delay_ns)} before they preempt (set at {name(self.owner)}), and of the "
            f"{counted(self.applications, 'application')} that finished, half took no more than "
            f"{seconds(self.usual_ns)}: room comes back by itself before. Shorten the delay, or leave it out."
        )


def delay_beyond_the_runtime(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-29, second half: what runs outside ends by itself before the delay has passed."""
    times = [
        app.finished_ns - app.started_ns
        for app in partition.completed.values()
        if app.started_ns is not None and app.finished_ns is not None and app.state == "Completed"
    ]
    if not times or not design.preempts:
        return
    usual_ns = median_low(sorted(times))
    for leaf in design.leaves:
        owner = next((at for at in leaf.up() if at.has(PREEMPTION_DELAY)), None)
        delay_ns = leaf.settings.preemption_delay_ns
        if owner is not None and delay_ns > usual_ns and has_claim(leaf):
            lint = DelayBeyondTheRuntime(len(times), delay_ns, usual_ns, owner.path)
            shorter = (SetProperty(design.place(owner), PREEMPTION_DELAY, DEFAULT_DELAY),) if usual_ns >= 30 * SECOND else None
            yield finding(design, leaf, f"properties.{PREEMPTION_DELAY}", lint, shorter)


@dataclass(frozen=True, slots=True)
class OptedOutAndNotProtected(Lint):
    """So many asks of a leaf are not to be preempted, and requests of `takers` may stop them."""

    code = "L-40"
    severity = "hint"
    rules = ("P-72", "P-12", "E-40")
    assumption = "This assumes that these pods are missed when they are stopped."
    asks: int
    takers: tuple[str, ...]

    def sentence(self, where: str) -> str:
        return (
            f"{counted(self.asks, 'pod')} in {where} asked not to be preempted. That only puts them last: when nothing else is "
            f"left, requests of {named(self.takers)} may stop them. Set preemption.policy: disabled here to protect them."
        )


def opted_out_and_not_protected(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-40: what asked not to be preempted is only put last; a queue protects it."""
    if not design.preempts or not any(queue.guaranteed for queue in design.queues.values()):
        return
    for leaf in design.leaves:
        spared = [ask for ask in looking.asks(partition, leaf.path) if not ask.allow_preempt_self and not ask.placeholder]
        takers = tuple(other.path for other in design.leaves if may_preempt(other, leaf))
        if spared and takers:
            disabled = (SetProperty(design.place(leaf), PREEMPTION_POLICY, "disabled"),)
            lint = OptedOutAndNotProtected(len(spared), takers)
            yield finding(design, leaf, f"properties.{PREEMPTION_POLICY}", lint, disabled)


@dataclass(frozen=True, slots=True)
class FullInOneTypeOnly(Lint):
    """A queue is at its maximum in some types but not in all, with these leaves wanting more."""

    code = "L-41"
    rules = ("P-32", "E-40")
    assumption = "This assumes that the present use is the usual one."
    full: tuple[str, ...]
    open: tuple[str, ...]
    leaves: tuple[str, ...]

    def sentence(self, where: str) -> str:
        return (
            f"{where} is at its maximum in {named(self.full)} but not in {named(self.open)}. It would limit "
            "preemption to itself only if it were exactly full in every type, so requests below it look for victims outside as "
            "well, which then does not help them. Set preemption.policy: fence here."
        )


def full_in_one_type_only(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-41: a parent full in one type but not in the other limits nobody's search for victims to itself."""
    for queue in design.queues.values():
        state = tree.find(partition, queue.path)
        if not design.preempts or queue.is_leaf or queue.parent is None or queue.maximum is None or state is None:
            continue
        full = tuple(kind for kind, most in queue.maximum.items() if most > 0 and state.allocated.get(kind, 0) >= most)
        open_ = tuple(
            kind for kind in {**queue.maximum, **state.allocated} if state.allocated.get(kind, 0) != queue.maximum.get(kind, 0)
        )
        starved = tuple(
            leaf.path
            for leaf in queue.leaves()
            if has_claim(leaf) and any(ask.resource.get(kind, 0) for ask in looking.waiting(partition, leaf.path) for kind in full)
        )
        outside = [leaf for leaf in design.leaves if queue not in leaf.up()] or design.grows(design.root)
        if full and open_ and starved and outside and not is_fence(queue):
            fenced = (SetProperty(design.place(queue), PREEMPTION_POLICY, "fence"),)
            yield finding(design, queue, "resources.max", FullInOneTypeOnly(full, open_, starved), fenced)


@dataclass(frozen=True, slots=True)
class LargeForTheGuarantee(Lint):
    """Asks of such a size leave so much of a guarantee that can never be claimed; none is `lost` where only one is large."""

    code = "L-42"
    rules = ("P-60", "P-74", "E-40")
    assumption = "This assumes that later requests are of the same size."
    type: str
    size: int
    guaranteed: int
    lost: int

    def sentence(self, where: str) -> str:
        kind = self.type
        size, most, lost = (format_quantity(amount, kind) for amount in (self.size, self.guaranteed, self.lost))
        said = (
            f"Requests in {where} need up to {name(kind)} {size} each, of {most} guaranteed. A request preempts only if it fits "
            "whole into what is left of the guarantee"
        )
        rest = f", so {lost} of it can never be claimed that way" if self.lost else ""
        return f"{said}{rest}; and stopping one of that size may leave {where} far below its guarantee. Raise the guarantee."


def large_for_the_guarantee(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-42: an ask triggers preemption only if it fits whole in what is left of the guarantee (P-60)."""
    for leaf in design.leaves:
        asks = [ask for ask in looking.asks(partition, leaf.path) if not ask.placeholder]
        for kind, amount in (leaf.guaranteed or EMPTY).items() if asks and design.preempts else ():
            sizes = {ask.resource.get(kind, 0) for ask in asks} - {0}
            if not sizes or amount <= 0:
                continue
            size = max(sizes)
            # Asks of one size that fill the guarantee whole lose nothing of it, and one less is never below it.
            equal = len(sizes) == 1
            if amount % size == 0 if equal else size * LARGE_SHARE <= amount:
                continue
            enough = max(-(-amount // size), 1 if equal else LARGE_SHARE) * size
            texts = texts_with(leaf.config.resources.guaranteed, {kind: enough})
            raised = accepted(design, SetGuaranteed(design.place(leaf), texts))
            lint = LargeForTheGuarantee(kind, size, amount, amount % size if size <= amount else amount)
            yield finding(design, leaf, f"resources.guaranteed.{kind}", lint, raised)


@dataclass(frozen=True, slots=True)
class RobbingEachOther(Lint):
    """A leaf and `others` are below their guarantees of a type, in `teams` above theirs."""

    code = "L-43"
    rules = ("P-46", "P-42", "E-40")
    assumption = "This assumes that pods that are stopped are requested again."
    type: str
    others: tuple[str, ...]
    teams: tuple[str, ...]

    def sentence(self, where: str) -> str:
        return (
            f"{where} holds less {name(self.type)} than it is guaranteed, and so does {named(self.others)}, but "
            f"{named(self.teams)} hold more than they are guaranteed. So the requests of one stop the pods of the other, "
            "and when those come back, they stop the first again, without end. With preemption.policy: fence on these parents each "
            "takes from its own."
        )


def robbing_each_other(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-43: leaves below their guarantees, in teams above theirs, are victims of each other, and so without end (P-46)."""
    exposed: dict[str, list[tuple[QueueFacts, QueueFacts]]] = {}
    for leaf in design.leaves if design.preempts else ():
        here = tree.find(partition, leaf.path)
        if here is None or is_disabled(leaf):
            continue
        for kind, promised in (leaf.guaranteed or EMPTY).items():
            team = next((at for at in leaf.up() if at is not leaf and _is_over(partition, at, kind)), None)
            if team is not None and 0 < here.allocated.get(kind, 0) < promised:
                exposed.setdefault(kind, []).append((leaf, team))
    told: set[str] = set()
    for kind, found in exposed.items():
        for leaf, team in found:
            others = [
                (other, its)
                for other, its in found
                if team not in other.up() and its not in leaf.up() and can_reach(leaf, other) and can_reach(other, leaf)
            ]
            paths = [leaf.path, *(other.path for other, _ in others)]
            if not others or told & {*paths} or not any(looking.waiting(partition, path) for path in paths):
                continue
            told |= {*paths}
            teams = list(dict.fromkeys((team, *(its for _, its in others))))
            fenced = tuple(SetProperty(design.place(each), PREEMPTION_POLICY, "fence") for each in teams)
            lint = RobbingEachOther(kind, tuple(paths[1:]), tuple(each.path for each in teams))
            yield finding(design, leaf, "resources.guaranteed", lint, fenced)


def _is_over(partition: Partition, queue: QueueFacts, kind: str) -> bool:
    """Whether the queue holds more of a type than it is guaranteed."""
    state = tree.find(partition, queue.path)
    promised = (queue.guaranteed or EMPTY).get(kind)
    return state is not None and promised is not None and state.allocated.get(kind, 0) > promised


CHECKS = (
    delay_beyond_the_runtime,
    opted_out_and_not_protected,
    full_in_one_type_only,
    large_for_the_guarantee,
    robbing_each_other,
)
