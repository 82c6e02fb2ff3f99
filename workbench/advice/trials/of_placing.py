"""Plans for what keeps requests from their place: types that nobody offers, rules, maxima, numbers of applications, shares."""

from __future__ import annotations

from workbench.advice.lints.limits import OneAtATime, OneOfAGroupAtATime
from workbench.advice.lints.nodes import GuaranteeOfWhatNoNodeHas
from workbench.advice.lints.proportions import StarvedByShares
from workbench.advice.lints.reach import NoRoomAtAll, NoRuleLeadsThere
from workbench.advice.lints.workload import GangInAFairLeaf, SmallerThanEveryAsk
from workbench.advice.trials.outcomes import GangRejected, OneWaits, OthersGotTheRest, Outcome
from workbench.advice.trials.plan import Plan, none_placed, tries
from workbench.advice.trials.scene import (
    CYCLES,
    HERE,
    OTHERS,
    PIECES,
    PLENTY,
    Played,
    alone,
    application,
    node,
    opened,
    wants,
)
from workbench.config.facts import Design
from workbench.config.validation.limits import WILDCARD
from workbench.scheduler.records.commands import AddAsk, AskSpec
from workbench.simulation.scenario import Happening, Schedule
from workbench.values.resources import EMPTY, Resource


@tries(GuaranteeOfWhatNoNodeHas)
def _type_of_no_node(lint: GuaranteeOfWhatNoNodeHas, path: str, design: Design) -> Plan:
    leaf = design.queues[path].leaves()[0]
    offered = dict.fromkeys(lint.offered, PLENTY)
    happenings: list[Happening] = [node(**offered), *wants(HERE, leaf.path, lint.type, 1, each=1), Schedule(2)]
    return Plan(alone(opened(design)), happenings, none_placed(leaf.path))


@tries(GangInAFairLeaf)
def _gang(lint: GangInAFairLeaf, path: str, design: Design) -> Plan:
    happenings: list[Happening] = [node(vcore=PLENTY), application(HERE, path, gang=Resource(vcore=1))]
    return Plan(alone(opened(design)), happenings, lambda played: GangRejected(played.rejected(HERE)))


@tries(NoRuleLeadsThere)
def _by_the_rules(lint: NoRuleLeadsThere, path: str, design: Design) -> Plan:
    happenings: list[Happening] = [node(vcore=PLENTY, memory=PLENTY), *wants(HERE, path, "vcore", 1), Schedule(3)]
    return Plan(alone(opened(design, rules=True)), happenings, none_placed(path))


@tries(NoRoomAtAll)
def _of_a_type_without_room(lint: NoRoomAtAll, path: str, design: Design) -> Plan:
    return _in_an_empty_leaf(path, design, lint.types[0], 1)


@tries(SmallerThanEveryAsk)
def _of_the_smallest_size(lint: SmallerThanEveryAsk, path: str, design: Design) -> Plan:
    return _in_an_empty_leaf(path, design, lint.type, lint.smallest)


def _in_an_empty_leaf(path: str, design: Design, kind: str, size: int) -> Plan:
    """L-19: an ask of the type that there is none of, or of the smallest size that is asked for."""
    leaf = design.queues[path].leaves()[0]
    happenings: list[Happening] = [node(**{kind: size}), *wants(HERE, leaf.path, kind, size, each=size), Schedule(3)]
    return Plan(alone(opened(design)), happenings, none_placed(leaf.path))


@tries(OneAtATime)
def _one_in_the_queue(lint: OneAtATime, path: str, design: Design) -> Plan:
    return _one_after_the_other(path, design, ())


@tries(OneOfAGroupAtATime)
def _one_of_the_group(lint: OneOfAGroupAtATime, path: str, design: Design) -> Plan:
    group = lint.groups[0]
    return _one_after_the_other(path, design, ("members" if group == WILDCARD else group,))


def _one_after_the_other(path: str, design: Design, groups: tuple[str, ...]) -> Plan:
    """L-23: two users of these groups, each with an application."""
    happenings: list[Happening] = [node(vcore=PLENTY)]
    for user in ("one", "two"):
        ask = AskSpec(application_id=user, key=f"{user}-0", resource=Resource(vcore=1))
        happenings += [application(user, path, user=user, groups=groups), AddAsk(ask=ask)]
    return Plan(
        alone(opened(design, counts=True)),
        [*happenings, Schedule(4)],
        lambda played: OneWaits(played.placed("one") > 0 and not played.placed("two")),
    )


@tries(StarvedByShares)
def _starved_by_shares(lint: StarvedByShares, path: str, design: Design) -> Plan:
    """L-44: all ask at once, and the node has room for one request of the queue and for all that the others want."""
    kind, size = lint.type, lint.size
    leaf, rest = design.queues[path].leaves()[0], max(PIECES, lint.capacity - size)
    others = [design.queues[other] for other in lint.others]
    rooms = [(other.limit or EMPTY).get(kind, rest) for other in others]
    asked: list[Happening] = []
    given = 0
    for number, (other, room) in enumerate(zip(others, rooms, strict=True)):
        amount = max(PIECES, rest * room // max(1, sum(rooms)))
        asked += wants(f"{OTHERS}-{number}", other.leaves()[0].path, kind, amount)
        given += amount
    wanted = 1 + PIECES
    happenings: list[Happening] = [
        node(**{kind: size + given}),
        *wants(HERE, leaf.path, kind, wanted * size, each=size),
        *asked,
        Schedule(CYCLES),
    ]

    def read(played: Played) -> Outcome:
        placed = played.placed(HERE)
        return OthersGotTheRest(placed <= 1, placed, wanted, lint.others)

    return Plan(alone(opened(design)), happenings, read)
