"""Laws of the checks: they answer for every valid configuration and every state, always alike, and change nothing."""

from __future__ import annotations

import yaml
from command_lists import CONFIGS, commands, stories
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scenes import config_text

import workbench as wb
from workbench.config import load_config, validate
from workbench.config.export import to_yaml
from workbench.config.properties import PROPERTIES
from workbench.errors import ConfigError
from workbench.simulation.digest import digest

names = st.sampled_from(["a", "b", "A1", "root", "default"])
property_texts = st.sampled_from(["fence", "disabled", "fair", "stateaware", "5", "-2147483648", "10s", "0s", "Fair", "", "lots"])
keys = st.sampled_from([*PROPERTIES, "quota.preemption.delay", "priority.ofset"])
quantities = st.dictionaries(st.sampled_from(["vcore", "memory", "gpu"]), st.sampled_from(["0", "1", "4", "9"]), max_size=2)
limits = st.lists(st.fixed_dictionaries(
    {"limit": st.just("x"), "maxapplications": st.integers(1, 3)},
    optional={"users": st.sampled_from([["sue"], ["bob", "*"], ["*"]]), "groups": st.sampled_from([["dev"], ["dev", "*"]])}),
    max_size=1)
templates = st.fixed_dictionaries({}, optional={
    "maxapplications": st.integers(0, 2), "properties": st.dictionaries(keys, property_texts, max_size=2),
    "resources": st.fixed_dictionaries({}, optional={"max": quantities})})


@st.composite
def queues(draw, depth: int = 3) -> dict:
    made: dict = draw(st.dictionaries(keys, property_texts, max_size=2))
    for key, values in (("guaranteed", quantities), ("max", quantities), ("limits", limits), ("template", templates),
                        ("maxapplications", st.integers(0, 3)), ("parent", st.booleans()), ("submitacl", st.sampled_from(["*",
                         "sue"]))):
        if draw(st.integers(0, 3)) == 0:
            made[key] = draw(values)
    for name in draw(st.lists(names, max_size=3, unique_by=str.lower)) if depth else ():
        made[name] = draw(queues(depth - 1))
    return made


rules = st.recursive(
    st.fixed_dictionaries({"name": st.sampled_from(["user", "tag", "provided", "fixed", "nosuch"]), "create": st.booleans(),
                           "value": st.sampled_from(["root.a", "a", "root", "default"])}),
    lambda inner: st.fixed_dictionaries({"name": st.sampled_from(["user", "fixed"]), "value": st.just("b"), "create": st.booleans(),
                                         "parent": inner}), max_leaves=2)


@settings(max_examples=150)
@given(queues(), st.lists(rules, max_size=2), st.sampled_from([{}, {"preemption": {"quotapreemptionenabled": True}}]))
def test_every_valid_configuration_is_answered_for_and_always_alike(tree, placement, more):   # E-40
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


@settings(max_examples=40)
@given(stories(), st.sampled_from(sorted(CONFIGS)))
def test_every_state_is_answered_for_always_alike_and_left_as_it_is(story, other):   # E-40, E-1
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
