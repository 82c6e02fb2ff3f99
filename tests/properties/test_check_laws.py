"""Laws of the checks: they answer for every valid configuration and every state, always alike, and change nothing."""

from __future__ import annotations

import yaml
from command_lists import CONFIGS, commands, stories
from hypothesis import HealthCheck, Phase, assume, given
from hypothesis import strategies as st
from laws import examples
from scenes import config_text

import workbench as wb
from workbench.advice.lints.limits import LimitWithoutEffect
from workbench.advice.lints.preemption import FenceAroundEverything
from workbench.advice.lints.priorities import FenceWithoutRival, OffsetCountsNowhere
from workbench.advice.lints.property_texts import DocumentedKey, SortPolicyOfAParent, StateAware, UnknownKey
from workbench.advice.lints.quota import DelayWithoutMaximum, DelayWithoutSwitch, SwitchWithoutDelay
from workbench.advice.lints.reach import MaximumOfNothing, TemplateOfALeaf
from workbench.config import load_config, validate
from workbench.config.properties import PROPERTIES
from workbench.config.write.export import to_yaml
from workbench.scheduler.engine import Engine
from workbench.scheduler.records.commands import (
    AddAllocation,
    AddApplication,
    AddAsk,
    AddNode,
    Advance,
    ApplicationSpec,
    AskSpec,
    Command,
    Cycle,
)
from workbench.scheduler.records.events import Event
from workbench.simulation import driver
from workbench.simulation.digest import digest
from workbench.values.errors import ConfigError
from workbench.values.resources import Resource

NO_SHRINKING = (Phase.explicit, Phase.generate)
"""Trees shrink slowly, and a failure names the check that it is about."""

names = st.sampled_from(["a", "b", "A1", "root", "default"])
property_texts = st.sampled_from(["fence", "disabled", "fair", "stateaware", "5", "-2147483648", "10s", "0s", "Fair", "", "lots"])
keys = st.sampled_from([*PROPERTIES, "quota.preemption.delay", "priority.ofset"])
quantities = st.dictionaries(st.sampled_from(["vcore", "memory", "gpu"]), st.sampled_from(["0", "1", "4", "9"]), max_size=2)
limits = st.lists(
    st.fixed_dictionaries(
        {"limit": st.just("x"), "maxapplications": st.integers(1, 3)},
        optional={"users": st.sampled_from([["sue"], ["bob", "*"], ["*"]]), "groups": st.sampled_from([["dev"], ["dev", "*"]])},
    ),
    max_size=1,
)
templates = st.fixed_dictionaries(
    {},
    optional={
        "maxapplications": st.integers(0, 2),
        "properties": st.dictionaries(keys, property_texts, max_size=2),
        "resources": st.fixed_dictionaries({}, optional={"max": quantities}),
    },
)


@st.composite
def queues(draw, depth: int = 3) -> dict:
    made: dict = draw(st.dictionaries(keys, property_texts, max_size=2))
    for key, values in (
        ("guaranteed", quantities),
        ("max", quantities),
        ("limits", limits),
        ("template", templates),
        ("maxapplications", st.integers(0, 3)),
        ("parent", st.booleans()),
        ("submitacl", st.sampled_from(["*", "sue"])),
    ):
        if draw(st.integers(0, 3)) == 0:
            made[key] = draw(values)
    for name in draw(st.lists(names, max_size=3, unique_by=str.lower)) if depth else ():
        made[name] = draw(queues(depth - 1))
    return made


@st.composite
def fenced(draw, depth: int = 3) -> dict:
    """Chains and forks of queues with fences, offsets and quota delays, in which few have siblings."""
    made: dict = {}
    for key, texts in (
        ("priority.policy", ["fence"]),
        ("priority.offset", ["5", "-3", "2"]),
        ("preemption.policy", ["fence", "disabled"]),
        ("preemption.quota.delay", ["90s"]),
    ):
        if draw(st.integers(0, 2)) == 0:
            made[key] = draw(st.sampled_from(texts))
    if draw(st.integers(0, 2)) == 0:
        made["max"] = {"vcore": draw(st.integers(4, 9))}
    if draw(st.integers(0, 4)) == 0:
        made["guaranteed"] = {"vcore": draw(st.integers(1, 3))}
    for name in "ab"[: draw(st.sampled_from([1, 1, 2]))] if depth else "":
        made[name] = draw(fenced(depth - 1))
    return made


rules = st.recursive(
    st.fixed_dictionaries(
        {
            "name": st.sampled_from(["user", "tag", "provided", "fixed", "nosuch"]),
            "create": st.booleans(),
            "value": st.sampled_from(["root.a", "a", "root", "default"]),
        }
    ),
    lambda inner: st.fixed_dictionaries(
        {"name": st.sampled_from(["user", "fixed"]), "value": st.just("b"), "create": st.booleans(), "parent": inner}
    ),
    max_leaves=2,
)


@examples(15, phases=NO_SHRINKING)
@given(queues(), st.lists(rules, max_size=2), st.sampled_from([{}, {"preemption": {"quotapreemptionenabled": True}}]))
def test_every_valid_configuration_is_answered_for_and_always_alike(tree, placement, more):  # E-40
    tree = {key: value for key, value in tree.items() if key not in ("guaranteed", "max")}
    try:
        config = load_config(config_text(yaml.safe_dump(tree), placementrules=placement, **more))
    except ConfigError:
        assume(False)
    told = wb.checks(config)
    assert told == wb.checks(load_config(config.text)), "the same text, the same answer"
    for check in told:
        assert str(check) and check.rules
        for remedy in check.remedies:
            mended = remedy.apply(config)
            if check.severity != "error":
                validate(mended)
                left = {(each.code, each.path, each.key, each.text) for each in wb.checks(load_config(to_yaml(mended)))}
                assert (check.code, check.path, check.key, check.text) not in left, remedy.description


@examples(40)
@given(stories(), st.sampled_from(sorted(CONFIGS)))
def test_every_state_is_answered_for_always_alike_and_left_as_it_is(story, other):  # E-40, E-1
    engine = story.engine()
    for _ in commands(engine, story.steps):
        pass
    before = digest(engine.state)
    for config in (engine.state.config, load_config(CONFIGS[other])):
        told = wb.checks(config, engine.state)
        assert told == wb.checks(config, engine.state)
        assert all(str(check) for check in told)
        for remedy in (remedy for check in told for remedy in check.remedies):
            validate(remedy.apply(config))
    assert digest(engine.state) == before


WITHOUT_EFFECT = {
    OffsetCountsNowhere,
    FenceWithoutRival,
    UnknownKey,
    DocumentedKey,
    StateAware,
    SortPolicyOfAParent,
    MaximumOfNothing,
    TemplateOfALeaf,
    LimitWithoutEffect,
    DelayWithoutSwitch,
    DelayWithoutMaximum,
    SwitchWithoutDelay,
    FenceAroundEverything,
}
"""What is said to be ignored or without any effect: with it or without it, everything goes the same way."""


@st.composite
def workloads(draw, leaves: list[str]) -> list[Command]:
    """What runs on one node and what is asked for, in some of the leaves, by users with limits and without."""
    size = st.integers(1, 3).map(lambda cores: Resource(vcore=cores * 1000, memory=1))
    made: list[Command] = [AddNode(node_id="n1", capacity=Resource(vcore=draw(st.integers(4, 10)) * 1000, memory=20))]
    for number, leaf in enumerate(draw(st.lists(st.sampled_from(leaves), min_size=1, max_size=5))):
        app = f"app-{number}"
        user, groups = draw(st.sampled_from([("sue", ()), ("bob", ("dev",)), ("joe", ())]))
        made.append(AddApplication(application=ApplicationSpec(id=app, queue=leaf, user=user, groups=groups)))
        for key in range(draw(st.integers(1, 3))):
            spec = AskSpec(
                application_id=app, key=f"{app}-{key}", resource=draw(size), priority=draw(st.sampled_from([0, 0, 1, 5, -3]))
            )
            made.append(AddAllocation(ask=spec, node_id="n1") if draw(st.booleans()) else AddAsk(ask=spec))
    return made


def history(config: wb.SchedulerConfig, workload: list[Command]) -> list[Event]:
    """Everything that the scheduler answers, until well after the time at which asks preempt."""
    engine = Engine(config)
    events = [event for command in workload for event in engine.apply(command)]
    for pause_s in (0, 31, 31):
        events += engine.apply(Advance(ns=pause_s * 10**9))
        for _ in range(8):
            caused = engine.apply(Cycle())
            events += caused
            events += driver.confirm(engine, driver.announced(caused))
            events += engine.apply(Advance(ns=10**8))
    return events


@examples(20, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow], phases=NO_SHRINKING)
@given(queues() | fenced(), st.sampled_from([{}, {"preemption": {"quotapreemptionenabled": True}}]), st.data())
def test_what_is_said_to_have_no_effect_has_none(tree, more, data):  # E-40
    tree = {key: value for key, value in tree.items() if key not in ("guaranteed", "max")}
    try:
        config = load_config(config_text(yaml.safe_dump({**tree, "submitacl": "*"}), **more))
    except ConfigError:
        assume(False)
    idle = [check for check in wb.checks(config) if type(check.lint) in WITHOUT_EFFECT and check.remedies]
    leaves = [path for path, queue in wb.edit.walk(config.partition().root) if not queue.queues and not queue.parent]
    assume(idle and leaves)
    workload = data.draw(workloads(leaves))
    for check in idle:
        # Without what is said to do nothing: the last remedy is to remove it, where another one would make it count.
        assert history(check.remedies[-1].apply(config), workload) == history(config, workload), str(check)
