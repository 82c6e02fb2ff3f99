"""What the applications that are there have to say to a configuration: L-12, L-17, L-19, L-27, L-29, L-40 to L-43 (E-40).

A configuration that is right for one workload is wrong for another. What is found here holds for the applications, asks and
allocations of the present instant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from statistics import median_low

from workbench.config.checks import Design, Finding, QueueFacts, texts_with
from workbench.config.checks.priorities import beyond_the_range
from workbench.config.may_preempt import can_reach, has_claim, is_disabled, is_fence, may_preempt
from workbench.config.properties import APPLICATION_SORT_POLICY, PREEMPTION_DELAY, PREEMPTION_POLICY
from workbench.config.validation.limits import WILDCARD
from workbench.scheduler.objects import tree
from workbench.scheduler.records.state import Allocation, Application, Cluster, Partition
from workbench.values.durations import SECOND
from workbench.values.resources import EMPTY, Resource, fit_in_max_undef, is_zero

DEFAULT_DELAY = "30s"
LARGE_SHARE = 2
"""One ask of more than a half of the guarantee is large."""
LONG_WAIT_NS = 60 * SECOND
"""After this an ask of a queue that holds nothing has waited long. The longest delay that preemption has by default is 30 s."""


def _applications(partition: Partition, path: str) -> list[Application]:
    """The active applications of a leaf, in the order of their creation."""
    return sorted(
        (app for app in partition.applications.values() if app.queue is not None and app.queue.path == path),
        key=lambda app: app.seq,
    )


def _asks(partition: Partition, path: str) -> list[Allocation]:
    """Everything asked for in a leaf, what is placed included."""
    return [ask for app in _applications(partition, path) for ask in app.asks.values()]


def _waiting(partition: Partition, path: str) -> list[Allocation]:
    return [ask for ask in _asks(partition, path) if not ask.allocated]


def offsets_and_priorities(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-12 for the priorities in use: with the offsets on their way they leave the 32 bits."""
    priorities = [ask.priority for app in partition.applications.values() for ask in app.asks.values() if not ask.allocated]
    if priorities:
        yield from beyond_the_range(design, min(priorities), max(priorities))


def gang_in_a_fair_leaf(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-17: gang applications came to a leaf that sorts fair, which rejects them."""
    refused = Counter(app.queue_path.lower() for app in partition.rejected.values() if not is_zero(app.placeholder_ask))
    for leaf in design.leaves:
        if leaf.settings.application_sort_policy == "fair" and refused[leaf.path]:
            yield design.finding(
                "L-17",
                "warning",
                leaf,
                f"properties.{APPLICATION_SORT_POLICY}",
                "C-135",
                "PL-91",
                "E-40",
                repairs=((design.edit("property", leaf, APPLICATION_SORT_POLICY, "fifo"),),),
                applications=refused[leaf.path],
            )


def smaller_than_every_ask(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-19, by size: nothing that is asked for in the leaf fits its maximum, even when the leaf is empty."""
    for leaf in design.leaves:
        asks = _asks(partition, leaf.path)
        if not asks or leaf.limit is None or any(fit_in_max_undef(leaf.limit, ask.resource) for ask in asks):
            continue
        kind = min(kind for kind, amount in asks[0].resource.items() if amount > leaf.limit.get(kind, amount))
        smallest = min(ask.resource.get(kind, 0) for ask in asks)
        yield design.finding(
            "L-19",
            "warning",
            leaf,
            f"resources.max.{kind}",
            "R-57",
            "C-124",
            "E-40",
            case="asks",
            type=kind,
            smallest=smallest,
            maximum=leaf.limit[kind],
            asks=len(asks),
        )


def users_of_several_groups(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-27: a user counts in one group only, the first of the list, so the other group limits do not hold for him."""
    apps = sorted(partition.applications.values(), key=lambda app: app.seq)
    for queue in design.queues.values():
        named = list(dict.fromkeys(group for limit in queue.config.limits for group in limit.groups if group != WILDCARD))
        told: set[tuple[str, ...]] = set()
        for app in apps if len(named) > 1 else ():
            mine = tuple(group for group in named if group in app.groups)
            if len(mine) > 1 and mine not in told and _is_below(app, queue):
                told.add(mine)
                yield design.finding(
                    "L-27", "warning", queue, "limits", "PL-111", "PL-110", "PL-113", user=app.user, counts=mine[0], others=mine[1:]
                )


def _is_below(app: Application, queue: QueueFacts) -> bool:
    return app.queue is not None and f"{app.queue.path}.".startswith(f"{queue.path}.")


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
        if owner is not None and leaf.settings.preemption_delay_ns > usual_ns and has_claim(leaf):
            shorter = (design.edit("property", owner, PREEMPTION_DELAY, DEFAULT_DELAY),)
            yield design.finding(
                "L-29",
                "warning",
                leaf,
                f"properties.{PREEMPTION_DELAY}",
                "P-21",
                "P-22",
                "E-40",
                case="long",
                repairs=(shorter if usual_ns >= 30 * SECOND else None,),
                applications=len(times),
                delay_ns=leaf.settings.preemption_delay_ns,
                usual_ns=usual_ns,
                owner=owner.path,
            )


def opted_out_and_not_protected(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-40: what asked not to be preempted is only put last; a queue protects it."""
    if not design.preempts or not any(queue.guaranteed for queue in design.queues.values()):
        return
    for leaf in design.leaves:
        spared = [ask for ask in _asks(partition, leaf.path) if not ask.allow_preempt_self and not ask.placeholder]
        takers = [other for other in design.leaves if may_preempt(other, leaf)]
        if spared and takers:
            yield design.finding(
                "L-40",
                "hint",
                leaf,
                f"properties.{PREEMPTION_POLICY}",
                "P-72",
                "P-12",
                "E-40",
                repairs=((design.edit("property", leaf, PREEMPTION_POLICY, "disabled"),),),
                asks=len(spared),
                takers=tuple(other.path for other in takers),
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
        starved = [
            leaf.path
            for leaf in queue.leaves()
            if has_claim(leaf) and any(ask.resource.get(kind, 0) for ask in _waiting(partition, leaf.path) for kind in full)
        ]
        outside = [leaf for leaf in design.leaves if queue not in leaf.up()] or design.grows(design.root)
        if full and open_ and starved and outside and not is_fence(queue):
            yield design.finding(
                "L-41",
                "warning",
                queue,
                "resources.max",
                "P-32",
                "E-40",
                repairs=((design.edit("property", queue, PREEMPTION_POLICY, "fence"),),),
                full=full,
                open=open_,
                leaves=tuple(starved),
            )


def large_for_the_guarantee(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """L-42: an ask triggers preemption only if it fits whole in what is left of the guarantee (P-60)."""
    for leaf in design.leaves:
        asks = [ask for ask in _asks(partition, leaf.path) if not ask.placeholder]
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
            raised = texts_with(leaf.config.resources.guaranteed, {kind: enough})
            yield design.finding(
                "L-42",
                "warning",
                leaf,
                f"resources.guaranteed.{kind}",
                "P-60",
                "P-74",
                "E-40",
                repairs=(design.accepted(design.edit("guaranteed", leaf, value=raised)),),
                type=kind,
                size=size,
                guaranteed=amount,
                lost=amount % size if size <= amount else amount,
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
            if not others or told & {*paths} or not any(_waiting(partition, path) for path in paths):
                continue
            told |= {*paths}
            teams = list(dict.fromkeys((team, *(its for _, its in others))))
            yield design.finding(
                "L-43",
                "warning",
                leaf,
                "resources.guaranteed",
                "P-46",
                "P-42",
                "E-40",
                repairs=(tuple(design.edit("property", each, PREEMPTION_POLICY, "fence") for each in teams),),
                type=kind,
                others=tuple(paths[1:]),
                teams=tuple(each.path for each in teams),
            )


def _is_over(partition: Partition, queue: QueueFacts, kind: str) -> bool:
    """Whether the queue holds more of a type than it is guaranteed."""
    state = tree.find(partition, queue.path)
    promised = (queue.guaranteed or EMPTY).get(kind)
    return state is not None and promised is not None and state.allocated.get(kind, 0) > promised


def waits_for_long(design: Design, partition: Partition, cluster: Cluster) -> Iterator[Finding]:
    """A leaf that starves: its asks wait, and it holds less than its guarantee, or nothing at all."""
    for leaf in design.leaves:
        waiting, state = _waiting(partition, leaf.path), tree.find(partition, leaf.path)
        if not waiting or state is None:
            continue
        oldest_ns = cluster.now_ns - min(ask.created_ns for ask in waiting)
        wanted = {kind for ask in waiting for kind, amount in ask.resource.items() if amount > 0}
        short = Resource(
            {
                kind: amount - state.allocated.get(kind, 0)
                for kind, amount in (leaf.guaranteed or EMPTY).items()
                if kind in wanted and state.allocated.get(kind, 0) < amount
            }
        )
        if oldest_ns >= LONG_WAIT_NS and (short or is_zero(state.allocated)):
            yield design.finding(
                "starving",
                "warning",
                leaf,
                "",
                "P-22",
                "R-521",
                asks=len(waiting),
                waits_ns=oldest_ns,
                allocated=state.allocated,
                guaranteed=leaf.guaranteed,
                short=short,
            )


def users_of(partition: Partition, path: str) -> tuple[str, ...]:
    """Who has applications in a leaf, each once."""
    finished = chain(partition.applications.values(), partition.completed.values())
    return tuple(dict.fromkeys(app.user for app in finished if app.queue_path.lower() == path))


CHECKS = (
    offsets_and_priorities,
    gang_in_a_fair_leaf,
    smaller_than_every_ask,
    users_of_several_groups,
    delay_beyond_the_runtime,
    opted_out_and_not_protected,
    full_in_one_type_only,
    large_for_the_guarantee,
    robbing_each_other,
    waits_for_long,
)
