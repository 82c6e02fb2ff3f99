"""Chapter 02, sections 10 and 12: access control lists, queue properties, durations."""

from __future__ import annotations

import pytest

from workbench.config import load_config
from workbench.config.acl import EVERYBODY, NOBODY, Acl, check_acl, dropped_names
from workbench.config.properties import (
    DEFAULT_SETTINGS,
    DOCUMENTED_QUOTA_PREEMPTION_DELAY,
    PROPERTIES,
    QueueSettings,
    inherited,
    merged,
    problem,
    settings,
)
from workbench.scheduler.objects.access import may_administer, may_submit
from workbench.scheduler.objects.applications import gang_fault
from workbench.scheduler.objects.tree import add_dynamic, build
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.journal import Journal
from workbench.scheduler.records.state import RECOVERY_QUEUE, Cluster, Queue
from workbench.values.durations import LONGEST, format_duration, parse_duration
from workbench.values.errors import ConfigError
from workbench.values.resources import EMPTY, Resource

SECOND = 10**9


# --- ACLs ---


@pytest.mark.parametrize(
    ("text", "user", "groups", "allowed"),
    [
        ("*", "bob", [], True),
        ("sue,bob", "bob", [], True),
        ("sue,bob", "joe", ["sue"], False),
        ("sue dev,qa", "joe", ["qa"], True),
        (" dev", "joe", ["dev"], True),
        (" dev", "dev", [], False),
        ("", "bob", ["dev"], False),
        (" ", "bob", ["dev"], False),
    ],
)
def test_an_acl_is_a_star_or_users_and_after_one_blank_groups(text, user, groups, allowed):  # C-100
    assert Acl.parse(text).allows(user, groups) is allowed


@pytest.mark.parametrize("text", ["", " ", "sue", "sue dev", " sue dev ", "sue\tdev", "\n sue \n dev\n", "  "])
def test_the_validator_trims_and_counts_parts_between_any_white_space(text):  # C-101
    assert check_acl(text) is None


def test_the_validator_refuses_a_third_part_and_quotes_the_trimmed_text():  # C-101
    assert check_acl(" sue dev qa ") == "multiple spaces found in ACL: 'sue dev qa'"
    assert check_acl("sue,bob dev, qa") == "multiple spaces found in ACL: 'sue,bob dev, qa'"


@pytest.mark.parametrize("text", [" sue dev", "sue dev ", "sue  dev", "  "])
def test_building_does_not_trim_and_so_refuses_what_the_validator_lets_pass(text):  # C-102
    assert check_acl(text) is None
    with pytest.raises(ConfigError) as error:
        Acl.parse(text)
    assert error.value.text == f"multiple spaces found in ACL: '{text}'"


def test_names_that_do_not_comply_are_dropped_without_a_word():  # C-103
    acl = Acl.parse("sue,1up,a:b,a#b,a/b,robot$,a$b,x.y-z@w,_x dev,d.v,d:v,_q-a")
    assert acl.users == {"sue", "robot$", "x.y-z@w", "_x"}
    assert acl.groups == {"dev", "_q-a"}
    assert not acl.allows("a:b") and not acl.allows("joe", ["d.v"])
    assert dropped_names("sue,1up dev,d.v") == ("1up", "d.v")
    assert dropped_names("*") == dropped_names("sue  dev") == ()


@pytest.mark.parametrize("text", ["*", " *", "* ", "*\n", "sue *", "* dev", "* *"])
def test_a_star_as_the_whole_text_or_a_whole_part_lets_everybody_in(text):  # C-104
    assert Acl.parse(text) == EVERYBODY
    assert EVERYBODY.allows("anybody")


@pytest.mark.parametrize("text", ["sue,*", "*,sue", "sue *,dev"])
def test_a_star_among_other_names_is_no_wildcard(text):  # C-104
    acl = Acl.parse(text)
    assert acl.allows("sue") and not acl.allows("bob")


def test_matching_is_exact_and_an_absent_acl_denies():  # C-105
    acl = Acl.parse("sue dev")
    assert acl.allows("sue") and not acl.allows("Sue") and not acl.allows("su")
    assert acl.allows("bob", ["qa", "dev"]) and not acl.allows("bob", ["Dev"])
    assert Acl.parse(r"s.e").users == {"s.e"} and not Acl.parse("s.e").allows("sue"), "a point is a point"
    assert Acl.parse("") == NOBODY and not NOBODY.allows("sue", ["dev"])


def queue(name: str, parent: Queue | None = None, *, submit: str = "", admin: str = "") -> Queue:
    path = f"{parent.path}.{name}" if parent else name
    return Queue(
        name=name,
        path=path,
        parent=parent,
        seq=0,
        is_leaf=True,
        is_managed=True,
        settings=DEFAULT_SETTINGS,
        properties={},
        own_properties={},
        maximum=None,
        guaranteed=None,
        max_applications=0,
        submit_acl=Acl.parse(submit),
        admin_acl=Acl.parse(admin),
        template=None,
    )


def test_submission_asks_the_submit_and_admin_lists_of_the_queue_then_of_its_ancestors():  # C-106
    root = queue("root", admin="boss")
    parent = queue("p", root, submit=" dev")
    leaf = queue("a", parent, submit="sue", admin="ann")
    assert all(may_submit(leaf, user, []) for user in ("sue", "ann", "boss"))
    assert may_submit(leaf, "bob", ["dev"]) and not may_submit(leaf, "bob", ["qa"])
    assert not may_submit(parent, "sue", []), "a list holds downwards only"
    assert may_administer(leaf, "ann", []) and may_administer(leaf, "boss", [])
    assert not may_administer(leaf, "sue", []) and not may_administer(leaf, "bob", ["dev"])


def test_the_recovery_queue_denies_every_submission():  # C-106
    root = queue("root", submit="*", admin="*")
    recovery = queue(RECOVERY_QUEUE.removeprefix("root."), root)
    assert not may_submit(recovery, "sue", [])


def test_without_any_list_nobody_may_submit():  # C-107
    root = queue("root")
    assert not may_submit(queue("a", root), "root", ["root"]) and not may_administer(root, "root", ["root"])


def test_a_list_stands_for_itself_and_can_be_asked_without_any_queue():  # C-108
    scheduler_acl = Acl.parse("ops admins")
    assert scheduler_acl.allows("ops") and scheduler_acl.allows("eve", ["admins"])
    assert not may_submit(queue("root"), "ops", []), "rights of the scheduler are none in a queue"


# --- Properties ---


FENCED = {"priority.policy": "fence", "priority.offset": "5", "preemption.policy": "fence"}


def test_children_do_not_inherit_fences_and_offsets_but_their_defaults():  # C-130
    assert inherited(FENCED) == {"priority.policy": "default", "priority.offset": "0", "preemption.policy": "default"}
    assert inherited({}) == {}, "only keys that the parent has"


def test_children_inherit_every_other_property_known_or_not():  # C-130
    others = {
        "application.sort.policy": "fair",
        "application.sort.priority": "disabled",
        "preemption.delay": "10s",
        "preemption.quota.delay": "1m",
        "application.unschedasks.backoff": "3",
        "application.unschedasks.backoff.delay": "5s",
        "custom.key": "v",
        "": "",
    }
    assert inherited(others) == others


def test_only_disabled_preemption_is_inherited_and_a_child_may_enable_it_again():  # C-130
    disabled = {"preemption.policy": "disabled"}
    assert merged(disabled, {}) == disabled
    assert merged(merged(disabled, {}), {}) == disabled, "through every level"
    again = merged(disabled, {"preemption.policy": "default"})
    assert settings(again, is_leaf=True).preemption_policy == "default"


def test_own_properties_win_over_inherited_ones():  # C-130
    properties = merged({"application.sort.policy": "fair", "priority.offset": "7"}, {"priority.offset": "-3"})
    assert properties == {"application.sort.policy": "fair", "priority.offset": "-3"}


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("application.sort.policy", "fair", "fair"),
        ("application.sort.policy", "stateaware", "fifo"),
        ("application.sort.policy", "", "fifo"),
        ("application.sort.policy", "Fair", "fifo"),
        ("application.sort.policy", "lifo", "fifo"),
        ("application.sort.priority", "disabled", False),
        ("application.sort.priority", "Disabled", False),
        ("application.sort.priority", "maybe", True),
        ("priority.policy", "FENCE", "fence"),
        ("priority.policy", "wall", "default"),
        ("priority.offset", "-3", -3),
        ("priority.offset", "+7", 7),
        ("priority.offset", "2147483647", 2147483647),
        ("priority.offset", "-2147483648", -2147483648),
        ("priority.offset", "2147483648", 0),
        ("priority.offset", "99999999999", 0),
        ("priority.offset", "9" * 5000, 0),
        ("priority.offset", "1.0", 0),
        ("priority.offset", " 1", 0),
        ("priority.offset", "1_0", 0),
        ("priority.offset", "\u0661", 0),
        ("preemption.policy", "Disabled", "disabled"),
        ("preemption.policy", "", "default"),
        ("preemption.policy", "never", "default"),
        ("preemption.delay", "90s", 90 * SECOND),
        ("preemption.delay", "-5s", 30 * SECOND),
        ("preemption.delay", "0", 30 * SECOND),
        ("preemption.delay", "30", 30 * SECOND),
        ("preemption.quota.delay", "1m", 60 * SECOND),
        ("preemption.quota.delay", "0", 0),
        ("preemption.quota.delay", "soon", 0),
        ("application.unschedasks.backoff", "18446744073709551615", 2**64 - 1),
        ("application.unschedasks.backoff", "18446744073709551616", 0),
        ("application.unschedasks.backoff", "-1", 0),
        ("application.unschedasks.backoff", "+1", 0),
        ("application.unschedasks.backoff.delay", "250ms", SECOND // 4),
        ("application.unschedasks.backoff.delay", "1d", 30 * SECOND),
    ],
)
def test_a_value_means_what_it_says_and_a_bad_one_the_default(key, text, value):  # C-131
    assert getattr(settings({key: text}, is_leaf=True), PROPERTIES[key].field) == value


@pytest.mark.parametrize(("key", "text", "told"), [
    ("application.sort.policy", "Fair", "'Fair' is none of fifo, fair, stateaware; the default holds: fifo"),
    ("priority.policy", "wall", "'wall' is none of default, fence; the default holds: default"),
    ("priority.offset", "ten", "'ten' is no whole number; the default holds: 0"),
    ("priority.offset", "99999999999", "99999999999 is not between -2147483648 and 2147483647; the default holds: 0"),
    ("preemption.delay", "-5s", "'-5s' is not positive; the default holds: 30s"),
    ("preemption.delay", "30", "no duration: '30'; write numbers with units, such as 30s, 250ms or 1h30m; "
                               "the default holds: 30s"),
])  # fmt: skip
def test_a_value_that_would_be_ignored_can_be_explained_before_it_is_set(key, text, told):  # C-131
    assert problem(key, text) == told


def test_a_bad_sort_policy_on_a_leaf_gives_fifo_not_the_policy_of_the_parent():  # C-131
    properties = merged({"application.sort.policy": "fair"}, {"application.sort.policy": "lifo"})
    assert settings(properties, is_leaf=True).application_sort_policy == "fifo"


def test_nothing_set_means_the_defaults_of_the_table():  # C-131
    assert settings({}, is_leaf=True) == DEFAULT_SETTINGS == QueueSettings(
        application_sort_policy="fifo", priority_sorting=True, priority_policy="default", priority_offset=0,
        preemption_policy="default", preemption_delay_ns=30 * SECOND, quota_preemption_delay_ns=0,
        backoff_threshold=0, backoff_delay_ns=30 * SECOND,
    )  # fmt: skip
    for each in PROPERTIES.values():
        assert problem(each.key, each.default) is None
        assert getattr(settings({each.key: each.default}, is_leaf=True), each.field) == getattr(DEFAULT_SETTINGS, each.field)
        assert all(problem(each.key, text) is None for text in each.allowed)


def test_parents_sort_fair_and_keep_the_default_delay_whatever_they_hand_down():  # C-131, R-430
    properties = {
        "application.sort.policy": "fifo",
        "preemption.delay": "10s",
        "priority.policy": "fence",
        "priority.offset": "5",
        "preemption.quota.delay": "1m",
        "application.sort.priority": "disabled",
    }
    parent = settings(properties, is_leaf=False)
    assert (parent.application_sort_policy, parent.preemption_delay_ns) == ("fair", 30 * SECOND)
    assert (parent.priority_policy, parent.priority_offset, parent.priority_sorting) == ("fence", 5, False)
    assert parent.quota_preemption_delay_ns == 60 * SECOND
    assert settings(merged(properties, {}), is_leaf=True).preemption_delay_ns == 10 * SECOND


def test_a_reload_evaluates_the_listed_keys_on_top_of_what_is_in_force():  # C-131, R-429
    now = settings({"priority.offset": "100", "application.sort.policy": "fair"}, is_leaf=True)
    later = settings({"application.sort.policy": "lifo"}, is_leaf=True, base=now)
    assert (later.priority_offset, later.application_sort_policy) == (100, "fifo")
    assert settings({"priority.offset": "0"}, is_leaf=True, base=now).priority_offset == 0
    former_parent = settings({}, is_leaf=False)
    assert settings({}, is_leaf=True, base=former_parent).application_sort_policy == "fair"


@pytest.mark.parametrize(("text", "printed"), [
    ("1h2m3.5s", "1h2m3.5s"), ("90s", "1m30s"), ("2m", "2m0s"), ("1m1m", "2m0s"), ("250ms", "250ms"),
    ("1us", "1\u00b5s"), ("1\u00b5s", "1\u00b5s"), ("1\u03bcs", "1\u00b5s"), ("1500ns", "1.5\u00b5s"),
    (".5s", "500ms"), ("5.s", "5s"),
    ("1.5h", "1h30m0s"), ("+5s", "5s"), ("-5s", "-5s"), ("0", "0s"), ("-0", "0s"), ("0s", "0s"), ("1ns", "1ns"),
    ("9223372036s", "2562047h47m16s"), ("9223372036854775807ns", "2562047h47m16.854775807s"),
    ("00000000000000000000000001s", "1s"), ("0.0000000001s", "0s"), ("1h0.5m", "1h0m30s"),
])  # fmt: skip
def test_durations_are_numbers_with_units_and_print_in_one_form(text, printed):  # C-132
    assert format_duration(parse_duration(text)) == printed


@pytest.mark.parametrize("text", [
    "", "+", "-", "30", "1d", "5S", "5 s", "1h 2m", " 5s", "s", ".s", ".", "1.2.3s", "--5s", "1e3s", "\u0661s", "00",
    "9223372037s", "9223372036854775808ns", "9" * 5000 + "s", "9223372036s1h",
])  # fmt: skip
def test_anything_else_is_no_duration(text):  # C-132
    with pytest.raises(ValueError, match="duration"):
        parse_duration(text)


def test_the_longest_duration_is_that_of_64_bits():  # C-132
    assert parse_duration(f"{LONGEST}ns") == LONGEST == 2**63 - 1


def test_the_documented_key_of_the_quota_delay_is_unknown_and_the_working_one_is_another():  # C-133
    assert settings({"preemption.quota.delay": "1m"}, is_leaf=True).quota_preemption_delay_ns == 60 * SECOND
    assert DOCUMENTED_QUOTA_PREEMPTION_DELAY == "quota.preemption.delay" not in PROPERTIES
    assert settings({"quota.preemption.delay": "1m"}, is_leaf=True) == DEFAULT_SETTINGS


def test_a_dynamic_queue_gets_its_properties_from_the_child_template_and_never_from_its_parent():  # C-134
    config = load_config("""
        partitions:
          - queues:
              - name: root
                queues:
                  - {name: plain, parent: true, properties: {application.sort.policy: fair, own.key: v}}
                  - {name: templated, parent: true, childtemplate: {properties: {application.sort.policy: fair}}}
        """)
    context = Context(Journal(history=False), Cluster(config))
    root = build(context, config.partition())
    plain = add_dynamic(context, root.children["plain"], "user-a", is_leaf=True)
    assert plain.properties == {} and plain.settings == DEFAULT_SETTINGS
    templated = add_dynamic(context, root.children["templated"], "user-a", is_leaf=True)
    assert templated.settings.application_sort_policy == "fair"


@pytest.mark.parametrize(("policy", "takes_gangs"), [("fifo", True), ("stateaware", True), ("", True), ("fair", False)])
def test_gang_applications_need_a_leaf_that_sorts_fifo(policy, takes_gangs):  # C-135
    leaf = queue("root.a")
    leaf.settings = settings({"application.sort.policy": policy}, is_leaf=True)
    assert (gang_fault(leaf, "app-1", Resource(vcore=1)) is None) is takes_gangs
    assert gang_fault(leaf, "app-1", EMPTY) is None, "without placeholders any policy will do"
