"""Chapter 03, sections 1 to 11: who submits, which queue the rules lead to, and the queues made on the way."""

from __future__ import annotations

import pytest

from workbench.config import load_config
from workbench.config.model import PartitionConfig, PlacementRule, RuleFilter
from workbench.scheduler.engine import Engine
from workbench.scheduler.housekeeping import remove_empty_queues
from workbench.scheduler.objects import tree
from workbench.scheduler.placement import (
    Attempt,
    NotPlaced,
    Placed,
    build_rules,
    canonical_name,
    identity,
    is_extension,
    place,
    tags,
)
from workbench.scheduler.placement.filters import build, passes
from workbench.scheduler.placement.identity import FAILED_BEFORE, RESOLVERS, Identity, Unknown
from workbench.scheduler.records.commands import AddApplication, ApplicationSpec, UpdateConfig
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.events import ApplicationRejected, ConfigRejected
from workbench.scheduler.records.journal import Journal
from workbench.scheduler.records.refusals.placement import NoSubmitAccess
from workbench.values.errors import ConfigError
from workbench.values.resources import EMPTY, Resource

QUEUES = "[{name: a}, {name: p, parent: true}, {name: n, queues: [{name: c}]}]"
WITH_DEFAULT = "[{name: a}, {name: default}, {name: p, parent: true}]"
FORCE = {"application.create.force": "true"}
BAD_NAME = "invalid queue name, max 64 characters consisting of alphanumeric characters and '-', '_', '#', '@', '/', ':' allowed"
NO_MATCH = "application rejected: no placement rule matched"
BAD_USER = "invalid username, it contains invalid characters"


def text(rules: str = "[]", queues: str = QUEUES, root: str = 'submitacl: "*"') -> str:
    return f"partitions: [{{name: default, placementrules: {rules}, queues: [{{name: root, {root}, queues: {queues}}}]}}]"


def scheduler(rules: str = "[]", queues: str = QUEUES, root: str = 'submitacl: "*"') -> Engine:
    """A scheduler with these placement rules and these queues below root."""
    return Engine(load_config(text(rules, queues, root)))


def partition(engine: Engine):
    return engine.state.partitions["default"]


def spec(
    app: str = "app", *, user: str = "sue", groups: tuple[str, ...] = (), queue: str = "", tags=None, **fields
) -> ApplicationSpec:
    return ApplicationSpec(id=app, user=user, groups=groups, queue=queue, tags=tags or {}, **fields)


def submit(engine: Engine, app: str = "app", **fields) -> str:
    """The queue that the application was placed in, or the text of its rejection."""
    events = engine.apply(AddApplication(application=spec(app, **fields)))
    refused = [event.reason for event in events if isinstance(event, ApplicationRejected)]
    return refused[0] if refused else partition(engine).applications[app].queue_path


def placed(rules: str, queues: str = QUEUES, **fields) -> str:
    """As `submit`, in a new scheduler, and without the words before the reason."""
    return submit(scheduler(rules, queues), **fields).removeprefix("failed to place application app: ")


def trace(engine: Engine, **fields) -> tuple[Attempt, ...]:
    """What each rule came to."""
    application = spec(**fields)
    who = identity.preview(engine.state, application)
    assert isinstance(who, Identity)
    return place(partition(engine), application, who).trace


def codes(attempts: tuple[Attempt, ...]) -> list[tuple[str, str | None]]:
    return [(attempt.rule, attempt.refusal and attempt.refusal.code) for attempt in attempts]


def queues_of(engine: Engine) -> list[str]:
    return [queue.path for queue in tree.walk(partition(engine).root)]


def clean(engine: Engine) -> None:
    remove_empty_queues(Context(Journal(history=False), engine.state))


def who(engine: Engine, app: str) -> tuple[str, tuple[str, ...]]:
    application = partition(engine).applications[app]
    return application.user, application.groups


# -- 1 Submission sequence --------------------------------------------------------------------------------------------


def test_the_identity_is_resolved_before_the_partition_and_the_id_are_looked_at():  # PL-1
    engine = scheduler()
    assert submit(engine, queue="root.a") == "root.a"
    assert submit(engine, user="") == "empty user cannot resolve"
    assert submit(engine, queue="root.a") == ("adding application app to partition [rm:1]default, but application already existed")
    partition(engine).status = "Draining"
    assert submit(engine, "other", queue="root.nowhere") == (
        "partition [rm:1]default is stopped cannot add a new application other"
    )
    assert submit(engine, "other", user="") == "empty user cannot resolve"


def test_a_queue_made_for_an_application_that_is_then_refused_stays_until_it_is_cleaned():  # PL-1, PL-91
    fair = "[{name: p, parent: true, childtemplate: {properties: {application.sort.policy: fair}}}]"
    engine = scheduler("[{name: provided, create: true}]", fair)
    reason = submit(engine, queue="root.p.new", placeholder_ask=Resource(vcore=1))
    assert reason == "queue root.p.new cannot run application app with task group request: unsupported sort type"
    assert "root.p.new" in queues_of(engine)
    clean(engine)
    assert "root.p.new" not in queues_of(engine)


def test_a_rejected_application_is_remembered_and_its_id_may_come_again():  # PL-2
    engine = scheduler()
    reason = submit(engine, queue="root.x")
    assert reason == f"failed to place application app: {NO_MATCH}"
    rejected = partition(engine).rejected["app"]
    assert (rejected.state, rejected.rejection) == ("Rejected", reason)
    assert submit(engine, queue="root.a") == "root.a"


def test_tag_names_count_in_any_case_and_tag_values_as_they_are():  # PL-3
    rule = "[{name: tag, value: namespace, create: true}]"
    assert placed(rule, tags={"NameSpace": "ns1"}) == "root.ns1"
    assert placed(rule, tags={"namespace": "a", "NAMESPACE": "b"}) == "root.a", "the exact spelling comes first"
    assert placed("[{name: tag, value: NAMESPACE, create: true}]", tags={"namespace": "ns1"}) == "root.ns1"
    assert placed(rule, tags={"namespace": " ns1"}) == BAD_NAME


# -- 2 Identity -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["1", "t", "T", "TRUE", "true", "True"])
def test_a_true_boolean_forces_a_submission(value):  # PL-10
    assert tags.is_forced({"Application.Create.Force": value})


@pytest.mark.parametrize("value", ["", "yes", "0", "false", "tRUE", " true", "2"])
def test_any_other_value_does_not_force(value):  # PL-10
    assert not tags.is_forced({"application.create.force": value})


def test_without_a_user_only_a_forced_submission_goes_on_and_is_nobodys():  # PL-11
    engine = scheduler()
    assert submit(engine, "one", user="") == "empty user cannot resolve"
    assert submit(engine, "two", user="", tags=FORCE) == "root.@recovery@"
    assert who(engine, "two") == ("nobody", ("nogroup",))


def test_the_user_name_is_checked_when_groups_come_with_it_and_only_then():  # PL-12, PL-13
    engine = scheduler()
    for number, user in enumerate(("1user", "bad user")):
        assert submit(engine, f"with-{number}", user=user, groups=("g",), queue="root.a") == BAD_USER
        assert submit(engine, f"without-{number}", user=user, queue="root.a") == "root.a"
        assert who(engine, f"without-{number}") == (user, (user,))


@pytest.mark.parametrize("type", ["", "os", "ldap", "nosuch"])
def test_without_a_directory_the_only_group_is_named_like_the_user(type):  # PL-14
    yaml = text().replace("name: default,", f"name: default, usergroupresolver: {{type: '{type}'}},", 1)
    engine = Engine(load_config(yaml))
    assert identity.preview(engine.state, spec(user="sue")) == Identity("sue", ("sue",))


@pytest.fixture
def directory(monkeypatch):
    """A resolver that knows sue only. Returns how often it was asked."""
    asked: list[str] = []

    def look_up(user: str) -> tuple[str, ...] | Unknown:
        asked.append(user)
        return ("staff", "1001") if user == "sue" else Unknown(f"user: unknown user {user}")

    monkeypatch.setitem(RESOLVERS, "os", look_up)
    return asked


def directory_scheduler() -> Engine:
    return Engine(load_config(text().replace("name: default,", "name: default, usergroupresolver: {type: OS},", 1)))


def test_a_resolver_is_asked_once_and_its_failure_is_remembered_for_good(directory):  # PL-14, PL-15
    engine = directory_scheduler()
    assert submit(engine, "one", queue="root.a") == "root.a"
    assert submit(engine, "two", queue="root.a") == "root.a"
    assert who(engine, "two") == ("sue", ("staff", "1001"))
    assert submit(engine, "three", user="joe", queue="root.a") == "user: unknown user joe"
    assert submit(engine, "three", user="joe", queue="root.a") == FAILED_BEFORE
    assert directory == ["sue", "joe"]


def test_a_forced_submission_survives_a_failed_resolution_unless_the_name_is_bad(directory):  # PL-15
    engine = directory_scheduler()
    assert submit(engine, "one", user="joe", queue="root.a", tags=FORCE) == "root.a"
    assert who(engine, "one") == ("joe", ("nogroup",))
    assert submit(engine, "two", user="bad user", queue="root.a", tags=FORCE) == BAD_USER
    assert submit(engine, "two", user="bad user", queue="root.a") == FAILED_BEFORE


def test_groups_once_given_are_kept_for_submissions_without_groups():  # PL-16
    engine = scheduler()
    for app, groups in (("one", ()), ("two", ("ops", "dev")), ("three", ())):
        submit(engine, app, user="zoe", groups=groups, queue="root.a")
    assert [who(engine, app)[1] for app in ("one", "two", "three")] == [("zoe",), ("ops", "dev"), ("ops", "dev")]


def test_what_is_known_of_users_is_undone_with_everything_else():  # PL-16, I8
    engine = scheduler()
    mark = engine.mark
    submit(engine, user="zoe", groups=("ops",), queue="root.a")
    assert identity.preview(engine.state, spec(user="zoe")) == Identity("zoe", ("ops",))
    engine.unwind(mark)
    assert identity.preview(engine.state, spec(user="zoe")) == Identity("zoe", ("zoe",))


def test_a_preview_remembers_nothing():
    engine = scheduler()
    identity.preview(engine.state, spec(user="zoe", groups=("ops",)))
    assert engine.state.identities == {}


def test_the_resolver_of_the_first_partition_serves_all_and_outlives_a_reload(directory):  # PL-17, C-157
    first = "{name: default, usergroupresolver: {type: os}, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}"
    second = "{name: gpu, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}"
    engine = Engine(load_config(f"partitions: [{first}, {second}]"))
    engine.apply(AddApplication(application=spec("one", queue="root.a"), partition="gpu"))
    assert engine.state.partitions["gpu"].applications["one"].groups == ("staff", "1001")
    changed = f"partitions: [{first.replace('usergroupresolver: {type: os}, ', '')}, {second}]"
    assert not [event for event in engine.apply(UpdateConfig(config=changed)) if isinstance(event, ConfigRejected)]
    assert submit(engine, "two", user="joe", queue="root.a") == "user: unknown user joe"


# -- 3 Rule set -------------------------------------------------------------------------------------------------------


def rules_of(*rules: PlacementRule):
    return build_rules(PartitionConfig(placement_rules=rules))


def test_without_rules_the_requested_queue_must_exist():  # PL-20, PL-74
    assert [(rule.name, rule.create) for rule in rules_of()] == [("provided", False)]
    assert placed("[]", queue="root.a") == placed("[]", queue="a") == "root.a"
    assert placed("[]", queue="root.x") == NO_MATCH


def test_the_recovery_rule_is_always_the_last():  # PL-20
    engine = scheduler("[{name: user}, {name: tag, value: namespace}]")
    assert codes(trace(engine)) == [("user", "rule-missing"), ("tag", "rule-input"), ("recovery", "rule-input")]


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (PlacementRule(name="nosuch"), "unknown rule name specified nosuch, failing placement rule config"),
        (PlacementRule(name="Recovery"), "recovery rule cannot be part of the config, failing placement rule config"),
        (PlacementRule(name="tag"), "a tag queue rule must have a tag name set"),
        (PlacementRule(name="fixed"), "a fixed queue rule must have a queue name set"),
        (PlacementRule(name="fixed", value="a!b"), BAD_NAME),
        (PlacementRule(name="fixed", value="root.a."), BAD_NAME),
        (PlacementRule(name="user", parent=PlacementRule(name="tag")), "a tag queue rule must have a tag name set"),
    ],
    ids=lambda each: each if isinstance(each, str) else f"{each.name} {each.value}",
)
def test_a_rule_that_cannot_be_built_is_an_error_in_the_words_of_the_core(rule, message):  # PL-21, PL-22
    with pytest.raises(ConfigError) as error:
        rules_of(rule)
    assert error.value.text == message


def test_a_fixed_value_from_root_down_has_no_room_for_a_parent_rule():  # PL-22
    with pytest.raises(ConfigError) as error:
        rules_of(PlacementRule(name="fixed", value="Root.a", parent=PlacementRule(name="user")))
    assert error.value.text.startswith("cannot have a fixed queue rule with qualified queue getName and a parent rule: ")


def test_rule_names_count_in_any_case():  # PL-21
    assert [rule.name for rule in rules_of(PlacementRule(name="USER"), PlacementRule(name="Fixed", value="a"))] == ["user", "fixed"]


def test_the_rule_named_test_is_known_and_leads_nowhere():  # PL-21
    assert placed("[{name: test}, {name: fixed, value: root.a}]") == "root.a"


@pytest.mark.parametrize("tags", [{}, FORCE], ids=["plain", "forced"])
def test_rules_that_cannot_be_built_at_first_load_leave_the_partition_without_any(tags):  # PL-23
    engine = scheduler("[{name: nosuch}]", WITH_DEFAULT)
    assert submit(engine, queue="root.a", tags=tags) == f"failed to place application app: {NO_MATCH}"
    assert trace(engine, queue="root.a", tags=tags) == ()


def test_on_update_the_same_error_rejects_and_the_old_rules_stay():  # PL-23
    engine = scheduler("[{name: fixed, value: root.a}]")
    rejected = [
        event.reason for event in engine.apply(UpdateConfig(config=text("[{name: nosuch}]"))) if isinstance(event, ConfigRejected)
    ]
    assert rejected and rejected[0].endswith("unknown rule name specified nosuch, failing placement rule config")
    assert submit(engine) == "root.a"


# -- 4 Rule loop ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tags", [{}, FORCE], ids=["plain", "forced"])
def test_an_error_ends_placement_whatever_comes_later(tags):  # PL-30
    rules = "[{name: user, create: true}, {name: fixed, value: root.a}]"
    assert placed(rules, WITH_DEFAULT, user="svc$", tags=tags) == BAD_NAME


def test_the_default_queue_takes_what_no_rule_accepts_and_nobody_forces():  # PL-31
    assert placed("[]", WITH_DEFAULT, queue="root.x") == "root.default"
    assert placed("[]", WITH_DEFAULT, queue="root.x", tags=FORCE) == "root.@recovery@"


def test_the_default_queue_is_checked_like_any_other():  # PL-31
    engine = scheduler(queues="[{name: a}, {name: default, submitacl: bob}]", root="submitacl: ''")
    assert submit(engine, "one", queue="root.x") == f"failed to place application one: {NO_MATCH}"
    assert submit(engine, "two", user="bob", queue="root.x") == "root.default"
    assert codes(trace(engine))[-1] == ("default queue", "queue-access")


def test_a_forced_application_needs_no_access_to_the_recovery_queue():  # PL-33, PL-54
    engine = scheduler(root="submitacl: ''")
    assert submit(engine, queue="root.a") == f"failed to place application app: {NO_MATCH}"
    assert submit(engine, queue="root.a", tags=FORCE) == "root.@recovery@"


@pytest.mark.parametrize(
    ("queues", "code"),
    [
        ("[{name: p, parent: true}, {name: a, submitacl: '*'}]", "queue-parent"),
        ("[{name: p, submitacl: bob}, {name: a, submitacl: '*'}]", "queue-access"),
    ],
)
def test_a_queue_that_does_not_take_the_application_hands_it_to_the_next_rule(queues, code):  # PL-32, PL-34
    engine = scheduler("[{name: provided}, {name: fixed, value: root.a}]", queues, root="submitacl: ''")
    assert codes(trace(engine, queue="root.p")) == [("provided", code), ("fixed", None)]
    assert submit(engine, queue="root.p") == "root.a"


def test_a_draining_queue_hands_the_application_to_the_next_rule():  # PL-34, R-431
    engine = scheduler("[{name: provided}, {name: fixed, value: root.a}]", "[{name: a}, {name: b}]")
    engine.apply(UpdateConfig(config=text("[{name: provided}, {name: fixed, value: root.a}]", "[{name: a}]")))
    assert codes(trace(engine, queue="root.b")) == [("provided", "queue-draining"), ("fixed", None)]
    assert submit(engine, queue="root.b") == "root.a"


def test_the_nearest_existing_queue_decides_who_may_create_below_it():  # PL-35
    queues = "[{name: p, parent: true, submitacl: sue}, {name: a, submitacl: '*'}]"
    engine = scheduler("[{name: provided, create: true}, {name: fixed, value: root.a}]", queues, root="submitacl: ''")
    assert submit(engine, "one", queue="root.p.x.y") == "root.p.x.y"
    assert submit(engine, "two", user="bob", queue="root.p.z") == "root.a"


def test_below_a_leaf_nothing_can_be_created_and_no_further_rule_is_tried():  # PL-35, PL-82, PL-83
    engine = scheduler("[{name: provided, create: true}, {name: fixed, value: root.a}]")
    assert submit(engine, queue="root.a.b") == (
        "failed to create rule based queue root.a.b for application app\n"
        "creation of queue root.a.b failed parent is already a leaf: root.a"
    )


def test_the_first_accepted_rule_wins():  # PL-36
    assert placed("[{name: user, create: true}, {name: fixed, value: root.a}]") == "root.sue"


def test_a_stopped_queue_still_takes_applications():  # PL-37
    engine = scheduler()
    tree.find(partition(engine), "root.a").status = "Stopped"
    assert submit(engine, queue="root.a") == "root.a"


# -- 5 Common rule behaviour ------------------------------------------------------------------------------------------


def test_provided_and_tag_look_for_their_input_before_the_filter_user_and_fixed_after():  # PL-40
    deny = "filter: {type: deny}"
    engine = scheduler(
        f"[{{name: provided, {deny}}}, {{name: tag, value: t, {deny}}}, {{name: user, {deny}}}, "
        f"{{name: fixed, value: root.a, {deny}}}]"
    )
    attempts = trace(engine)
    assert codes(attempts)[:4] == [
        ("provided", "rule-input"),
        ("tag", "rule-input"),
        ("user", "rule-filter"),
        ("fixed", "rule-filter"),
    ]
    assert [attempt.passed_filter for attempt in attempts[:4]] == [None, None, False, False]


def test_dots_of_a_single_name_are_replaced_before_it_is_checked():  # PL-41
    rule = "[{name: user, create: true}]"
    assert placed(rule, user="finance.test") == "root.finance_dot_test"
    assert placed(rule, user="sue@example.com") == "root.sue@example_dot_com"
    assert placed(rule, user="svc$") == BAD_NAME
    assert placed(rule, user="x" * 64) == f"root.{'x' * 64}"
    assert placed(rule, user="x" * 60 + ".x") == BAD_NAME, "the replacement makes it too long"


@pytest.mark.parametrize(
    ("queue", "path"),
    [
        ("root.x.y", "root.x.y"),
        ("x.y", "root.x_dot_y"),
        ("ROOT.a", "root.root_dot_a"),
        ("root", "root.root"),
        ("root.", BAD_NAME),
        ("root.x..y", BAD_NAME),
        ("root.x y", BAD_NAME),
    ],
)
def test_only_what_begins_with_root_and_a_dot_has_levels(queue, path):  # PL-42
    assert placed("[{name: provided, create: true}]", queue=queue) == path
    assert placed("[{name: tag, value: t, create: true}]", tags={"t": queue}) == path


def test_a_qualified_name_does_not_ask_the_parent_rule():  # PL-42
    rule = "[{name: provided, create: true, parent: {name: fixed, value: root.p}}]"
    assert placed(rule, queue="root.n.new") == "root.n.new"
    assert placed(rule, queue="new") == "root.p.new"


def test_the_parent_rule_yields_the_queue_above():  # PL-43, PL-44
    assert placed("[{name: user, create: true, parent: {name: fixed, value: root.p}}]") == "root.p.sue"
    assert (
        placed(
            "[{name: user, create: true, parent: {name: tag, value: ns, create: true, parent: {name: fixed, value: p}}}]",
            tags={"ns": "ns1"},
        )
        == "root.p.ns1.sue"
    )
    assert placed("[{name: user, create: true}]") == "root.sue"


def test_a_parent_rule_without_result_leaves_this_rule_without_one():  # PL-43
    rule = "[{name: user, create: true, parent: {name: tag, value: ns, create: true}}, {name: fixed, value: root.a}]"
    engine = scheduler(rule)
    first = trace(engine)[0]
    assert (first.refusal.code, first.parent.rule, first.parent.refusal.code) == ("rule-parent", "tag", "rule-input")
    assert submit(engine) == "root.a"


def test_an_error_of_the_parent_rule_ends_placement():  # PL-43, PL-30
    rules = "[{name: fixed, value: x, create: true, parent: {name: user, create: true}}, {name: fixed, value: root.a}]"
    assert placed(rules, user="svc$") == BAD_NAME


def test_a_leaf_as_parent_is_an_error():  # PL-43
    rule = "[{name: user, create: true, parent: {name: tag, value: ns}}]"
    assert placed(rule, tags={"ns": "a"}) == "parent rule returned a leaf queue: root.a"


def test_the_name_is_checked_before_the_parent_rule_runs():  # PL-41, PL-43
    rule = "[{name: user, create: true, parent: {name: tag, value: ns}}]"
    assert placed(rule, user="svc$", tags={"ns": "a"}) == BAD_NAME


def test_root_as_result_of_a_parent_rule_gets_the_prefix_too():  # PL-43
    engine = scheduler(
        "[{name: user, create: true, parent: {name: fixed, value: root, create: true}}]", "[{name: a}, {name: p, parent: true}]"
    )
    assert submit(engine) == "root.root.sue"


def test_without_create_a_missing_queue_is_no_result():  # PL-45
    engine = scheduler("[{name: user}]")
    attempt = trace(engine)[0]
    assert (attempt.path, attempt.refusal.code, attempt.create) == ("root.sue", "rule-missing", False)
    assert placed("[{name: user}]", user="a") == "root.a"


def test_each_rule_of_a_chain_needs_its_own_create():  # PL-45
    chain = "[{{name: provided, create: {}, parent: {{name: user, create: {}}}}}]"
    assert placed(chain.format("true", "true"), queue="q") == "root.sue.q"
    assert placed(chain.format("true", "false"), queue="q") == NO_MATCH
    assert placed(chain.format("false", "true"), queue="q") == NO_MATCH


def test_lookups_ignore_case_and_the_application_records_the_real_path():  # PL-46
    assert placed("[]", queue="root.A") == "root.a"
    assert placed("[{name: provided, create: true}]", queue="root.New") == "root.new"


# -- 6 The rules ------------------------------------------------------------------------------------------------------


def test_an_empty_request_is_no_result_of_provided():  # PL-50
    assert placed("[{name: provided, create: true}]", queue="") == NO_MATCH


@pytest.mark.parametrize("tags", [{}, {"ns": ""}, {"other": "x"}], ids=["no tags", "empty", "other tag"])
def test_a_missing_or_empty_tag_is_no_result_of_tag(tags):  # PL-52
    assert placed("[{name: tag, value: ns, create: true}]", tags=tags) == NO_MATCH


def test_the_dots_of_a_fixed_value_are_levels_and_its_case_does_not_count():  # PL-53
    assert placed("[{name: fixed, value: N.c}]") == placed("[{name: fixed, value: root.N.C}]") == "root.n.c"
    assert (
        placed("[{name: fixed, value: sub.leaf, create: true, parent: {name: tag, value: ns, create: true}}]", tags={"ns": "x.y"})
        == "root.x_dot_y.sub.leaf"
    )


def test_a_value_that_only_begins_with_the_letters_root_is_relative():  # PL-55
    # The reference crashes here; the chapter names this as the sane behaviour.
    assert placed("[{name: fixed, value: rootless, create: true}]") == "root.rootless"


def test_the_recovery_queue_can_be_asked_for_where_provided_may_create():  # PL-57
    engine = scheduler("[{name: provided, create: true}]")
    assert submit(engine, "one", queue="root.@recovery@") == "root.@recovery@"
    assert submit(engine, "two", queue="root.@recovery@") == f"failed to place application two: {NO_MATCH}"
    assert submit(engine, "two", queue="root.p.@recovery@") == (
        "failed to create rule based queue root.p.@recovery@ for application two\ndynamic queue cannot be root.@recovery@"
    )
    assert submit(engine, "two", queue="root.@recovery@", tags=FORCE) == "root.@recovery@"


# -- 7 Filters --------------------------------------------------------------------------------------------------------


def lets_pass(
    type: str = "", users: tuple[str, ...] = (), groups: tuple[str, ...] = (), *, user: str = "sue", member_of: tuple[str, ...] = ()
) -> bool:
    return passes(build(RuleFilter(type=type, users=users, groups=groups)), user, member_of)


def test_without_lists_everybody_passes_save_through_deny():  # PL-60
    assert lets_pass("") and lets_pass("allow") and not lets_pass("deny")


def test_a_user_or_any_group_makes_the_match():  # PL-61
    assert lets_pass(users=("bob",), groups=("dev",), member_of=("qa", "dev"))
    assert lets_pass(users=("sue",), groups=("dev",))
    assert not lets_pass(users=("bob",), groups=("dev",), member_of=("qa",))
    assert not lets_pass("deny", users=("sue",)) and lets_pass("deny", users=("bob",))


def test_only_lower_case_deny_denies():  # PL-62
    assert lets_pass("DENY", users=("sue",)) and not lets_pass("DENY", users=("bob",))


@pytest.mark.parametrize(
    ("entry", "user", "match"),
    [
        ("^s.*", "sue", True),
        ("u.?", "sue", True),
        ("^x.*", "sue", False),
        ("s.e", "sue", False),
        ("s.e", "s.e", True),
        ("svc$", "svc", True),
        ("svc$", "svc$", False),
        ("1x", "1x", False),
        ("(?i)^SUE$", "sue", True),
        ("SUE", "sue", False),
        ("(a+)+$", "a" * 200 + "b", False),
    ],
)
def test_a_single_entry_with_a_special_character_is_an_expression_searched_anywhere(entry, user, match):  # PL-63, PL-66
    assert lets_pass(users=(entry,), user=user) is match


def test_several_entries_are_names_and_what_is_none_is_dropped():  # PL-64
    assert lets_pass(users=("sue", "bob", "bob")) and not lets_pass(users=("s.*", "bob"))
    assert lets_pass(users=("svc$", "bob"), user="svc$"), "a name in a list, an expression alone"
    assert not lets_pass(groups=("a/b", "dev"), member_of=("a/b",)), "no group has a slash (C-62)"


def test_a_list_without_a_usable_name_is_not_an_empty_filter():  # PL-64
    assert not lets_pass(users=("1x", "2y"))
    assert lets_pass("deny", users=("1x", "2y"))


def test_groups_are_matched_one_by_one_the_primary_one_too():  # PL-65
    assert lets_pass(groups=("dev*",), member_of=("mydept",))
    assert lets_pass(groups=("^dev$",), member_of=("dev", "qa"))
    assert lets_pass(groups=("^qa$",), member_of=("dev", "qa"))
    assert not lets_pass(groups=("dev.*qa",), member_of=("dev", "qa"))


def test_an_expression_outside_re2_fails_the_rule_set_where_nobody_validated_it():  # C-47, PL-23
    with pytest.raises(ConfigError):
        rules_of(PlacementRule(name="user", filter=RuleFilter(users=(r"(a)\1",))))


def test_a_filter_of_the_parent_rule_counts_for_the_chain():  # PL-43, PL-61
    rules = (
        "[{name: tag, value: ns, create: true, parent: {name: fixed, value: root.p, filter: {users: [john]}}}, "
        "{name: fixed, value: root.a}]"
    )
    assert placed(rules, user="john", tags={"ns": "x"}) == "root.p.x"
    assert placed(rules, user="sue", tags={"ns": "x"}) == "root.a"


# -- 8 Extensions: rules of the 0.8.0 design --------------------------------------------------------------------------


def test_the_primary_group_names_the_queue():  # PL-70
    rule = "[{name: primarygroup, create: true}]"
    assert placed(rule, groups=("data.science", "dev")) == "root.data_dot_science"
    engine = scheduler(rule)
    assert place(partition(engine), spec(), Identity("sue", ())).reason.endswith(NO_MATCH)


def test_the_first_further_group_that_the_filter_lets_pass_names_the_queue():  # PL-71
    rule = "[{name: secondarygroup, create: true, filter: {groups: ['^company.*']}}]"
    assert placed(rule, groups=("companyZ", "dev", "companyB", "companyA")) == "root.companyb"
    assert placed(rule, groups=("companyZ", "dev")) == NO_MATCH
    assert placed("[{name: secondarygroup, create: true}]", groups=("dev", "qa")) == "root.qa"


def test_the_design_example_of_a_secondary_group_above_a_user():  # PL-71
    rule = (
        "[{name: user, create: true, parent: {name: secondarygroup, create: true, filter: {type: allow, groups: ['company.*']}}}]"
    )
    assert placed(rule, user="user1", groups=("user1", "companyA")) == "root.companya.user1"


def test_without_create_a_group_without_a_queue_is_passed_over_for_the_next():  # PL-71
    engine = scheduler("[{name: secondarygroup}]")
    assert submit(engine, "one", groups=("sue", "x", "a")) == "root.a"
    refusal = trace(engine, groups=("sue", "x", "y"))[0].refusal
    assert (refusal.code, refusal.missing) == ("rule-missing", ("root.x", "root.y"))


def test_the_type_of_an_application_comes_from_a_tag():  # PL-72
    tags = {"application.type": "spark", "kind": "root.p.batch"}
    assert placed("[{name: applicationtype, create: true}]", tags=tags) == "root.spark"
    assert placed("[{name: applicationtype, value: kind, create: true}]", tags=tags) == "root.p.batch"
    assert placed("[{name: applicationtype, create: true}]") == NO_MATCH


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("UserName", "user"),
        ("PrimaryGroupName", "primarygroup"),
        ("SecondaryGroupName", "secondarygroup"),
        ("ApplicationType", "applicationtype"),
    ],
)
def test_the_older_spellings_are_aliases_and_marked_as_unknown_to_the_reference(spelling, name):  # PL-73
    assert canonical_name(spelling) == name
    assert is_extension(spelling)


def test_the_rules_of_the_reference_are_no_extensions():  # section 8
    assert not any(map(is_extension, ("provided", "User", "tag", "fixed", "nosuch")))


# -- 9 Dynamic queues -------------------------------------------------------------------------------------------------


def test_missing_levels_are_made_from_the_top_all_but_the_last_as_parents():  # PL-80
    engine = scheduler("[{name: provided, create: true}]")
    assert submit(engine, queue="root.p.X.y.z") == "root.p.x.y.z"
    made = [tree.find(partition(engine), path) for path in ("root.p.x", "root.p.x.y", "root.p.x.y.z")]
    assert [(queue.is_leaf, queue.is_managed, queue.status) for queue in made] == [
        (False, False, "Active"),
        (False, False, "Active"),
        (True, False, "Active"),
    ]


def test_a_draining_queue_takes_no_new_child():  # PL-82, PL-83
    engine = scheduler("[{name: provided, create: true}]")
    submit(engine, "one", queue="root.p.d")
    engine.apply(UpdateConfig(config=text("[{name: provided, create: true}]", "[{name: a}]")))
    assert submit(engine, "two", queue="root.p.e") == (
        "failed to create rule based queue root.p.e for application two\ndynamic queue creation failed: \n"
        "cannot add a child queue when queue is marked for deletion: root.p"
    )
    assert submit(engine, "two", queue="root.p.d") == "root.p.d", "its dynamic children go on"


TEMPLATE = (
    "[{name: p, parent: true, childtemplate: {maxapplications: 4, properties: {priority.offset: '3'}, "
    "resources: {guaranteed: {vcore: 1}, max: {vcore: 2}}}}, {name: q, parent: true, "
    "properties: {application.sort.policy: fair}}]"
)


def test_a_dynamic_leaf_takes_its_settings_from_the_child_template_only():  # PL-84, C-134, C-142
    engine = scheduler("[{name: provided, create: true}]", TEMPLATE)
    submit(engine, "one", queue="root.p.x.y")
    submit(engine, "two", queue="root.q.z")
    leaf, plain = tree.find(partition(engine), "root.p.x.y"), tree.find(partition(engine), "root.q.z")
    assert (leaf.maximum, leaf.guaranteed) == (Resource(vcore=2000), Resource(vcore=1000))
    assert (leaf.max_applications, leaf.settings.priority_offset) == (4, 3)
    assert (plain.maximum, plain.guaranteed, plain.max_applications, dict(plain.properties)) == (None, None, 0, {})
    assert plain.settings.application_sort_policy == "fifo"
    assert not leaf.submit_acl.allows("sue") and not leaf.admin_acl.allows("sue")


def test_an_empty_dynamic_branch_is_removed_and_until_then_reused():  # PL-85, C-163
    engine = scheduler("[{name: provided, create: true}]")
    submit(engine, "one", queue="root.d.e", placeholder_ask=EMPTY)
    clean(engine)
    assert submit(engine, "two", queue="root.d.e") == "root.d.e"
    assert queues_of(engine).count("root.d.e") == 1


QUOTA = '{"resources":{"vcore":{"value":9000}}}'
GUARANTEED = '{"resources":{"vcore":{"value":1000}}}'


@pytest.mark.parametrize(
    "value",
    [
        "",
        "{vcore: 1}",
        "[]",
        "null",
        '{"resources":{"vcore":{"value":0}}}',
        '{"resources":{"vcore":{"value":5},"memory":{"value":-1}}}',
        '{"resources":{"vcore":{"value":"5"}}}',
    ],
)
def test_a_quota_tag_that_cannot_be_read_or_limits_nothing_is_ignored(value):  # PL-86
    assert tags.quota({"namespace.resourcequota": value}) == tags.Quota()


@pytest.mark.parametrize(
    ("value", "count"),
    [
        ("7", 7),
        ("007", 7),
        ("many", 0),
        ("-1", 0),
        ("+1", 0),
        ("1.5", 0),
        ("1_000", 0),
        (" 7", 0),
        ("18446744073709551615", 2**64 - 1),
        ("18446744073709551616", 0),
        ("9" * 5000, 0),
    ],
)
def test_the_number_of_applications_is_an_unsigned_decimal(value, count):  # PL-86
    assert tags.quota({"Namespace.ResourceMaxApps": value}).max_applications == count


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("1700000000", 1700000000),
        ("+5", 5),
        ("0", None),
        ("-5", None),
        ("", None),
        ("1e3", None),
        (str(2**63 - 1), 2**63 - 1),
        (str(2**63), None),
        ("9" * 5000, None),
    ],
)
def test_the_creation_time_is_a_positive_number_of_seconds(value, seconds):
    assert tags.creation_seconds({"yunikorn.apache.org/creationTime": value}) == seconds


def limits_after(engine: Engine, path: str):
    queue = tree.find(partition(engine), path)
    return queue.maximum, queue.guaranteed, queue.max_applications


def test_quota_tags_replace_maximum_and_guaranteed_of_a_dynamic_leaf_as_a_pair():  # PL-87
    engine = scheduler("[{name: provided, create: true}]", TEMPLATE)
    submit(engine, "one", queue="root.p.d")
    assert limits_after(engine, "root.p.d") == (Resource(vcore=2000), Resource(vcore=1000), 4)
    submit(engine, "two", queue="root.p.d", tags={"namespace.resourcequota": QUOTA})
    assert limits_after(engine, "root.p.d") == (Resource(vcore=9000), None, 4), "the quota alone wipes the guaranteed"
    submit(engine, "three", queue="root.p.d", tags={"namespace.resourcemaxapps": "7"})
    assert limits_after(engine, "root.p.d") == (Resource(vcore=9000), None, 7)
    submit(engine, "four", queue="root.p.d", tags={"namespace.resourceguaranteed": GUARANTEED})
    assert limits_after(engine, "root.p.d") == (None, Resource(vcore=1000), 7)


def test_managed_queues_and_the_recovery_queue_ignore_quota_tags():  # PL-86, PL-88
    engine = scheduler()
    quota = {"namespace.resourcequota": QUOTA, "namespace.resourcemaxapps": "7"}
    submit(engine, "one", queue="root.a", tags=quota)
    submit(engine, "two", tags=quota | FORCE)
    assert limits_after(engine, "root.a") == limits_after(engine, "root.@recovery@") == (None, None, 0)


def test_the_recovery_queue_takes_limits_from_the_template_of_root_and_stays_fifo():  # PL-89, R-430
    root = (
        "submitacl: '*', childtemplate: {maxapplications: 3, properties: {application.sort.policy: fair}, "
        "resources: {max: {vcore: 2}}}"
    )
    engine = scheduler(root=root)
    assert submit(engine, tags=FORCE) == "root.@recovery@"
    queue = tree.find(partition(engine), "root.@recovery@")
    assert (queue.is_managed, queue.is_leaf) == (False, True)
    assert (queue.maximum, queue.max_applications) == (Resource(vcore=2000), 3)
    assert queue.settings.application_sort_policy == "fifo"


# -- 10 Admission after placement -------------------------------------------------------------------------------------


GANG = "[{name: fair, properties: {application.sort.policy: fair}}, {name: small, resources: {max: {vcore: 2}}}]"


def test_a_gang_needs_a_fifo_leaf_with_room_for_all_placeholders_below_the_maximum():  # PL-91
    engine = scheduler(queues=GANG)
    assert submit(engine, queue="root.fair", placeholder_ask=Resource(vcore=1)) == (
        "queue root.fair cannot run application app with task group request: unsupported sort type"
    )
    assert submit(engine, queue="root.small", placeholder_ask=Resource(vcore=2001)) == (
        "queue root.small cannot fit application app: task group request map[vcore:2001] larger than "
        "max queue allocation map[vcore:2000]"
    )
    assert submit(engine, queue="root.small", placeholder_ask=Resource(vcore=2000, memory=7)) == "root.small"


# -- Explaining a placement -------------------------------------------------------------------------------------------


def test_a_trace_tells_of_each_rule_what_it_produced_and_why_it_was_passed_over():  # E-30
    queues = "[{name: a, submitacl: bob}, {name: p, parent: true, queues: [{name: q}]}]"
    engine = scheduler(
        "[{name: tag, value: ns}, {name: user, filter: {users: [bob]}}, {name: provided}, {name: fixed, value: root.a}]",
        queues,
        root="submitacl: ops",
    )
    attempts = trace(engine, queue="root.p")
    assert codes(attempts) == [
        ("tag", "rule-input"),
        ("user", "rule-filter"),
        ("provided", "queue-parent"),
        ("fixed", "queue-access"),
        ("recovery", "rule-input"),
    ]
    assert [attempt.path for attempt in attempts] == ["", "", "root.p", "root.a", ""]
    assert [attempt.passed_filter for attempt in attempts] == [None, False, True, True, True]
    assert attempts[3].refusal == NoSubmitAccess("root.a", "sue", ("sue",), ("root.a", "root"))


def test_the_trace_of_a_placement_ends_with_the_rule_that_won():  # E-30
    engine = scheduler("[{name: tag, value: ns}, {name: fixed, value: root.a}, {name: user, create: true}]")
    result = place(partition(engine), spec(), Identity("sue", ()))
    assert isinstance(result, Placed) and result.path == "root.a"
    assert codes(result.trace) == [("tag", "rule-input"), ("fixed", None)]


def test_the_trace_of_an_error_ends_with_it():  # E-30, PL-30
    result = place(partition(scheduler("[{name: user}, {name: fixed, value: root.a}]")), spec(), Identity("svc$", ()))
    assert isinstance(result, NotPlaced)
    assert codes(result.trace) == [("user", "rule-error")]
    assert result.trace[0].refusal.text == BAD_NAME
