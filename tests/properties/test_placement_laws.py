"""Laws of placement over generated rules and applications: it always answers, always the same, and only reads."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workbench.config import load_config
from workbench.config.model import PartitionConfig, PlacementRule, RuleFilter
from workbench.scheduler import invariants
from workbench.scheduler.engine import Engine
from workbench.scheduler.placement import Attempt, Placed, build_rules, identity, place
from workbench.scheduler.placement.rules import ALIASES, KINDS
from workbench.scheduler.records.commands import AddApplication, ApplicationSpec
from workbench.scheduler.records.events import ApplicationAccepted, ApplicationRejected
from workbench.simulation.digest import digest
from workbench.values.errors import ConfigError

CONFIG = load_config("""
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "sue,bob dev"
        childtemplate: {maxapplications: 2, properties: {application.sort.policy: fair}, resources: {max: {vcore: 2}}}
        queues:
          - {name: default, submitacl: bob}
          - {name: a, submitacl: "*"}
          - {name: p, parent: true, submitacl: " qa", queues: [{name: sue}, {name: dev, parent: true}]}
""")

names = st.sampled_from(["", "sue", "bob", "svc$", "x.y", "bad name", "dev", "qa", "a", "p", "root", "@recovery@"])
paths = st.one_of(names, st.lists(names, min_size=1, max_size=3).map(lambda parts: ".".join(["root", *parts])), st.text(max_size=8))
entries = st.one_of(names, st.sampled_from(["^s.*", "dev*", "(a+)+$", "(?i)SUE", r"(a)\1", "[", "x{2,3}"]))
filters = st.builds(
    RuleFilter,
    type=st.sampled_from(["", "allow", "deny", "DENY"]),
    users=st.lists(entries, max_size=2).map(tuple),
    groups=st.lists(entries, max_size=2).map(tuple),
)
values = st.sampled_from(["", "ns", "a", "p", "root", "root.p", "root.a", "rootless", "p.new", "Root.New"])
rules = st.recursive(
    st.builds(
        PlacementRule,
        name=st.sampled_from(sorted((KINDS | ALIASES).keys() - {"recovery"})),
        create=st.booleans(),
        value=values,
        filter=st.just(RuleFilter()) | filters,
    ),
    lambda inner: st.builds(
        PlacementRule,
        name=st.sampled_from(["user", "provided", "tag", "fixed", "secondarygroup"]),
        create=st.booleans(),
        value=values,
        parent=inner,
    ),
    max_leaves=3,
)
tags = st.dictionaries(
    st.sampled_from(
        ["ns", "NS", "application.type", "namespace.resourcequota", "namespace.resourcemaxapps", "yunikorn.apache.org/creationTime"]
    ),
    st.one_of(paths, st.sampled_from(['{"resources":{"vcore":{"value":1}}}', "7", "-1", "9" * 5000])),
    max_size=3,
)
forced = st.sampled_from([{}, {"Application.Create.Force": "true"}, {"application.create.force": "yes"}])
applications = st.builds(
    ApplicationSpec,
    id=st.text(min_size=1, max_size=4),
    queue=paths,
    user=names | st.text(max_size=4),
    groups=st.lists(names | st.text(max_size=4), max_size=3).map(tuple),
    tags=st.builds(lambda a, b: a | b, tags, forced),
)
identities = st.builds(identity.Identity, names, st.lists(names, max_size=3).map(tuple))


def engine_with(listed: list[PlacementRule]) -> Engine:
    """An engine with these rules in force; without any if they cannot be built, as after a first load (PL-23)."""
    engine = Engine(CONFIG)
    try:
        built = build_rules(PartitionConfig(placement_rules=tuple(listed)))
    except ConfigError:
        built = None
    engine.state.partitions["default"].placement_rules = built
    return engine


@given(st.lists(rules, max_size=3), applications, identities)
def test_placement_answers_whatever_is_asked_always_the_same_and_changes_nothing(listed, application, who):
    engine = engine_with(listed)
    partition, before = engine.state.partitions["default"], digest(engine.state)
    first = place(partition, application, who)
    assert place(partition, application, who) == first
    assert place(engine_with(listed).state.partitions["default"], application, who) == first
    assert digest(engine.state) == before


@given(st.lists(rules, max_size=3), applications, identities)
def test_a_trace_holds_a_reason_for_every_rule_but_the_one_that_won(listed, application, who):  # E-30
    result = place(engine_with(listed).state.partitions["default"], application, who)
    *passed_over, last = result.trace or (Attempt("none"),)
    assert all(attempt.refusal is not None for attempt in passed_over)
    if isinstance(result, Placed):
        assert last.refusal is None and last.path == result.path
    else:
        assert last.refusal is not None or not result.trace
        assert result.reason.startswith(f"failed to place application {application.id}: ")


@given(st.lists(rules, max_size=3), st.lists(applications, max_size=4))
def test_every_submission_is_accepted_or_rejected_and_can_be_undone(listed, submitted):  # PL-1, I8
    engine = engine_with(listed)
    for application in submitted:
        mark, before = engine.mark, digest(engine.state)
        command = AddApplication(application=application)
        events, after = engine.apply(command), digest(engine.state)
        answers = [event for event in events if isinstance(event, (ApplicationAccepted, ApplicationRejected))]
        assert [answer.application_id for answer in answers] == [application.id]
        assert invariants.check(engine.state) == []
        engine.unwind(mark)
        assert digest(engine.state) == before
        assert engine.apply(command) == events and digest(engine.state) == after


@given(applications)
def test_a_preview_of_the_identity_is_what_the_submission_then_uses(application):
    engine = Engine(CONFIG)
    expected = identity.preview(engine.state, application)
    assert engine.state.identities == {}
    events = engine.apply(AddApplication(application=application))
    refused = [event.reason for event in events if isinstance(event, ApplicationRejected)]
    accepted = engine.state.partitions["default"].applications.get(application.id)
    if isinstance(expected, str):
        assert refused == [expected]
    elif accepted is not None:
        assert (accepted.user, accepted.groups) == (expected.user, expected.groups)
