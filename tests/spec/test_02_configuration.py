"""Chapter 02, sections 1 to 9: what a queue configuration may say, and the words with which the scheduler refuses it.

ACLs and queue properties are in test_02_properties_acls.py. Every recorded fact of configs.yaml is replayed by the
conformance tests; here each rule is stated once, in its smallest form.
"""

from __future__ import annotations

from textwrap import dedent

import pytest

from workbench.config import DEFAULT_CONFIG_TEXT, checksum, load_config, parse_config, validate
from workbench.config.model import EMPTY, PartitionConfig, QueueConfig, ResourcesConfig, SchedulerConfig
from workbench.config.read.tree_shape import completed
from workbench.config.validation.names import is_group_name, is_queue_name, is_rule_name, is_user_name
from workbench.values.errors import ConfigError

SUE = "{limit: x, users: [sue], maxapplications: 2}"


def refusal(text: str) -> ConfigError:
    """The error with which loading `text` ends."""
    with pytest.raises(ConfigError) as caught:
        load_config(dedent(text))
    return caught.value


def below_root(*queues: str, root: str = "", partition: str = "") -> str:
    """A configuration with `queues` (YAML in one line each) below root; `root` and `partition` are more keys there."""
    lines = ["partitions:", "- name: default", *(f"  {line}" for line in partition.splitlines())]
    lines += ["  queues:", "  - name: root", *(f"    {line}" for line in root.splitlines())]
    lines += ["    queues:", *(f"    - {queue}" for queue in queues)] if queues else []
    return "\n".join(lines) + "\n"


def placed_by(*rules: str, create_in: tuple[str, ...] = ("{name: a}", "{name: p, parent: true}")) -> str:
    """A configuration with these placement rules and a leaf `a` and a parent `p` below root."""
    return below_root(*create_in, partition="placementrules:\n" + "\n".join(f"- {rule}" for rule in rules))


def root_of(text: str) -> QueueConfig:
    return load_config(dedent(text)).partition().root


# -- 1 Two configurations ------------------------------------------------------------------------------------------


def test_the_default_configuration_places_by_namespace_and_lets_everybody_submit():  # C-3
    partition = load_config(DEFAULT_CONFIG_TEXT).partition("default")
    (rule,) = partition.placement_rules
    assert (rule.name, rule.value, rule.create) == ("tag", "namespace", True)
    assert partition.root.submit_acl == "*"


@pytest.mark.parametrize("text", ["", "# nothing\n", "~", "partitions:\n", "---\n"])
def test_an_empty_text_is_valid_and_has_no_partitions(text):  # C-3
    assert load_config(text).partitions == ()


# -- 2 Document rules ----------------------------------------------------------------------------------------------


def test_an_unknown_key_is_refused_with_its_line_and_the_nearest_known_one():  # C-10
    error = refusal(
        """
        partitions:
        - name: default
          queues:
          - name: a
            maxapps: 1
        """
    )
    assert error.text == "unknown key 'maxapps' in a queue"
    assert (error.line, error.hint) == (6, "did you mean 'maxapplications'?")


def test_keys_are_lower_case():  # C-10
    error = refusal(below_root("{name: a, submitACL: '*'}"))
    assert error.text == "unknown key 'submitACL' in a queue"
    assert error.hint == "did you mean 'submitacl'?"


def test_a_key_like_none_is_answered_with_the_allowed_ones():  # C-10
    error = refusal("partitions:\n- queues: []\nother: 1\n")
    assert (error.text, error.line) == ("unknown key 'other' in the document", 3)
    assert error.hint == "allowed: partitions, checksum"


def test_a_key_cannot_appear_twice():  # C-10
    error = refusal("partitions:\n- name: one\n  name: two\n  queues: []\n")
    assert (error.text, error.line) == ("key 'name' appears twice in a partition, first in line 2", 3)


@pytest.mark.parametrize(
    ("queue", "text"),
    [
        ("{name: [a]}", "'name' of a queue must be text, found a list"),
        ("{name: a, parent: maybe}", "'parent' of a queue must be true or false, found the text 'maybe'"),
        ("{name: a, parent: 'true'}", "'parent' of a queue must be true or false, found the text 'true'"),
        ("{name: a, queues: b}", "'queues' of a queue must be a list, found the text 'b'"),
        (
            "{name: a, queues: [b]}",
            "an item of 'queues' of a queue must be a map of keys and values, found the text 'b'",
        ),
        ("{name: a, resources: 5}", "'resources' of a queue must be a map of keys and values, found 5"),
        ("{name: a, properties: [x]}", "'properties' of a queue must be a map of keys and values, found a list"),
        ("{name: a, properties: {x: {}}}", "'x' in 'properties' of a queue must be text, found a map"),
        ("{name: a, limits: [{users: sue}]}", "'users' of a limit must be a list, found the text 'sue'"),
        ("{name: a, childtemplate: {submitacl: '*'}}", "unknown key 'submitacl' in a child template"),
        ("{name: a, resources: {min: {}}}", "unknown key 'min' in resources"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused(queue, text):  # C-10
    assert refusal(below_root(queue)).text == text


def test_only_the_first_document_is_read():  # C-11
    text = below_root("{name: a}") + "---\nthis: [is never read\n"
    assert [queue.name for queue in root_of(text).queues] == ["a"]


def test_an_unquoted_number_or_switch_is_fine_where_text_is_expected():  # C-12
    (queue,) = root_of(below_root("{name: 12, properties: {priority.offset: 0x10, x: true, y: 1.50}}")).queues
    assert queue.name == "12"
    assert queue.properties == {"priority.offset": "0x10", "x": "true", "y": "1.50"}


def test_a_null_text_is_the_empty_text():  # C-12
    (queue,) = root_of(below_root("{name: a, submitacl: ~, properties: {x: null}}")).queues
    assert (queue.submit_acl, queue.properties) == ("", {"x": ""})


@pytest.mark.parametrize("word", ["true", "True", "yes", "on", "y", "ON", '"yes"'])
def test_a_switch_is_on_for_true_yes_and_on(word):  # C-12
    assert root_of(below_root(f"{{name: a, parent: {word}}}")).queues[0].parent is True


@pytest.mark.parametrize("word", ["false", "FALSE", "no", "off", "n", "~"])
def test_a_switch_is_off_for_false_no_and_off(word):  # C-12
    assert root_of(below_root(f"{{name: a, parent: {word}}}")).queues[0].parent is False


@pytest.mark.parametrize("value", ['"5"', "-1", "ten", "true", "[]", "2020-01-01", "1e30"])
def test_a_count_is_no_text_and_not_negative(value):  # C-12
    error = refusal(below_root(f"{{name: a, maxapplications: {value}}}"))
    assert error.text.startswith("'maxapplications' of a queue must be a whole number from 0 up, found")
    assert error.line == 6


@pytest.mark.parametrize(
    ("value", "count"),
    [
        ("7", 7), ("0x10", 16), ("017", 15), ("1_000", 1000), ("~", 0), ("1.5", 1), ("5.0", 5), ("1e3", 1000),
        ("-1.5", 2**64 - 1), ("-0.5", 0), ("18446744073709551615", 2**64 - 1),
    ],
)  # fmt: skip
def test_a_float_count_is_truncated_and_a_negative_one_wraps(value, count):  # C-12, a quirk
    assert root_of(below_root(f"{{name: a, maxapplications: {value}}}")).queues[0].max_applications == count


def test_a_written_checksum_is_accepted_and_does_not_change_the_checksum():  # C-13
    text = below_root("{name: a}")
    signed = text + f"checksum: {'AB' * 32}"
    assert load_config(signed).partitions == load_config(text).partitions
    assert checksum(text) == checksum(text + "checksum: " + "0" * 64)
    assert checksum(signed) == checksum(text)


def test_the_checksum_is_upper_case_hex_of_sha_256():  # C-13
    assert checksum("") == "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"


# -- 3 Schema ------------------------------------------------------------------------------------------------------


def test_every_key_of_the_schema_reaches_the_model():  # section 3
    partition = load_config(
        dedent(
            """
            partitions:
            - name: Main
              placementrules:
              - name: user
                create: true
                parent: {name: fixed, value: p, create: yes}
                filter: {type: allow, users: [sue, bob], groups: [dev]}
              limits:
              - {limit: all, users: [sue], groups: [dev], maxapplications: 3, maxresources: {vcore: 2}}
              nodesortpolicy: {type: binpacking, resourceweights: {vcore: 2, memory: 0.5}}
              preemption: {enabled: false, quotapreemptionenabled: true}
              usergroupresolver: {type: os}
              queues:
              - name: root
                submitacl: "*"
                adminacl: "sue dev"
                queues:
                - name: p
                  parent: true
                  maxapplications: 4
                  properties: {priority.offset: 5}
                  resources: {guaranteed: {vcore: 500m}, max: {memory: 8Gi}}
                  childtemplate:
                    maxapplications: 2
                    properties: {a: b}
                    resources: {max: {vcore: 1}}
            """
        )
    ).partition("main")
    (rule,), (limit,), (queue,) = partition.placement_rules, partition.limits, partition.root.queues
    assert (rule.name, rule.create, rule.parent.value, rule.parent.create) == ("user", True, "p", True)
    assert (rule.filter.type, rule.filter.users, rule.filter.groups) == ("allow", ("sue", "bob"), ("dev",))
    assert (limit.limit, limit.users, limit.groups, limit.max_applications) == ("all", ("sue",), ("dev",), 3)
    assert limit.max_resources == {"vcore": "2"}
    assert (partition.node_sorting.type, partition.node_sorting.weights) == (
        "binpacking",
        {"vcore": 2.0, "memory": 0.5},
    )
    assert (partition.preemption.enabled, partition.preemption.quota_enabled) == (False, True)
    assert partition.user_group_resolver == "os"
    assert (partition.root.submit_acl, partition.root.admin_acl) == ("*", "sue dev")
    assert (queue.parent, queue.max_applications, queue.properties) == (True, 4, {"priority.offset": "5"})
    assert queue.resources == ResourcesConfig(guaranteed={"vcore": "500m"}, max={"memory": "8Gi"})
    template = queue.child_template
    assert (template.max_applications, template.properties) == (2, {"a": "b"})
    assert template.resources == ResourcesConfig(max={"vcore": "1"})


def test_absent_and_null_keys_leave_the_defaults():  # section 3
    nothing = {"parent", "queues", "maxapplications", "resources", "properties", "adminacl", "childtemplate", "limits"}
    nulls = ", ".join(f"{key}: ~" for key in sorted(nothing))
    (queue,) = root_of(below_root(f"{{name: a, {nulls}}}")).queues
    assert queue == QueueConfig(name="a") == root_of(below_root("{name: a}")).queues[0]
    partition = load_config("partitions: [{queues: []}]").partition()
    assert (partition.preemption.enabled, partition.preemption.quota_enabled) == (None, None)
    assert (partition.node_sorting.type, partition.node_sorting.weights) == ("", EMPTY)


def test_the_node_sort_policy_is_a_map():  # section 3
    error = refusal(below_root(partition="nodesortpolicy: fair"))
    assert (error.line, error.hint) == (3, "as in nodesortpolicy: {type: binpacking}")


def test_anchors_and_merge_keys_repeat_what_was_written():  # C-10: this much YAML the reference takes
    text = dedent(
        """
        partitions:
        - queues:
          - name: a
            limits: &limits
            - {limit: x, users: [sue], maxapplications: 1}
          - &b {name: b, maxapplications: 3, parent: true}
          - <<: *b
            name: c
            limits: *limits
        """
    )
    a, b, c = root_of(text).queues
    assert a.limits == c.limits
    assert (c.max_applications, c.parent) == (b.max_applications, b.parent) == (3, True)


def test_null_keys_and_null_items_are_passed_over():  # C-10, as the reference does
    queues = root_of(below_root("~", "{name: a, ~: 3, properties: {~: 1, x: y}}")).queues
    assert [queue.name for queue in queues] == ["a"]
    assert queues[0].properties == {"x": "y"}


# -- 4 Root insertion and partition names --------------------------------------------------------------------------


def test_a_single_top_queue_called_root_is_the_root():  # C-20
    root = root_of(below_root("{name: a, maxapplications: 1}", root="parent: false\nmaxapplications: 10"))
    assert (root.name, root.parent, root.max_applications) == ("root", True, 10)
    assert [queue.name for queue in root.queues] == ["a"]


@pytest.mark.parametrize("names", [[], ["a"], ["a", "b"], ["root", "a"]])
def test_any_other_top_gets_a_root_above_it(names):  # C-20: root next to a sibling yields root.root
    queues = ", ".join(f"{{name: {name}}}" for name in names)
    root = root_of(f"partitions: [{{queues: [{queues}]}}]")
    assert root == QueueConfig(name="root", parent=True, queues=tuple(QueueConfig(name=name) for name in names))


@pytest.mark.parametrize("name", ["Root", "ROOT"])
def test_a_root_with_capitals_is_valid_and_keeps_its_name(name):  # C-21: and no partition can be built from it
    assert root_of(f"partitions: [{{queues: [{{name: {name}}}]}}]").name == name


@pytest.mark.parametrize("text", ["partitions: [{name: default}]", "partitions: [{queues: ~}]"])
def test_a_partition_needs_the_key_queues(text):  # C-22, C-33
    assert refusal(text).text == "queue config is not set"


def test_an_empty_list_of_queues_is_a_bare_root():  # C-22
    assert root_of("partitions: [{queues: []}]").queues == ()


@pytest.mark.parametrize("name", ["", "name: '', ", "name: ~, ", "name: default, ", "name: DeFault, "])
def test_a_partition_without_a_name_is_called_default(name):  # C-23
    assert [p.name for p in load_config(f"partitions: [{{{name}queues: []}}]").partitions] == ["default"]


@pytest.mark.parametrize(
    ("first", "second", "shown"),
    [
        ("name: p1", "name: P1", "P1"),
        ("name: default", "limits: ~", "default"),
        ("name: default", "name: DEFAULT", "default"),
    ],
)
def test_partition_names_are_compared_ignoring_case(first, second, shown):  # C-23, C-32
    error = refusal(f"partitions:\n- {{queues: [], {first}}}\n- {{queues: [], {second}}}\n")
    assert error.text == f"duplicate partition name found with name {shown}"
    assert error.line == 3


def test_completing_a_complete_configuration_changes_nothing():  # C-20, C-23, C-85
    config = load_config(f"partitions: [{{limits: [{SUE}], queues: [{{name: root}}, {{name: a}}]}}]")
    assert completed(config) == config
    assert parse_config(config.text) != config


def test_a_configuration_made_in_code_is_validated_like_a_text():
    queue = QueueConfig(name="a.b")
    config = SchedulerConfig(partitions=(PartitionConfig(queues=(queue,)),))
    with pytest.raises(ConfigError, match="invalid queue name") as caught:
        validate(config)
    assert caught.value.line is None


# -- 5 Validation: order -------------------------------------------------------------------------------------------

FAULTS_IN_ORDER = {
    # step: (keys of the partition, keys of root, queues), text
    "b": ("", "resources: {max: {}}", "", "root queue must not have resource limits set"),
    "c": (
        "limits: [{limit: p, users: [sue], maxapplications: 1}]",
        "limits: [{limit: r, users: [sue], maxapplications: 1}]",
        "",
        "partition limits and root queue limits are not equivalent",
    ),
    "d": ("", "", "name: a, submitacl: 'a b c'", "multiple spaces found in ACL: 'a b c'"),
    "e": ("", "", "name: b, resources: {max: {vcore: x}}", "invalid quantity"),
    "f": ("placementrules: [{name: 1x}]", "", "", "invalid rule name 1x, a name must be a valid identifier"),
    "g": ("nodesortpolicy: {type: bad}", "", "", "undefined policy: bad"),
    "h": (
        "",
        "",
        "name: p, maxapplications: 1, queues: [{name: c, maxapplications: 2}]",
        "parent maxApplications must be larger than child maxApplications",
    ),
    "i": (
        "",
        "",
        "name: q, limits: [{limit: x, users: [sue], maxresources: {vcore: 1}}], "
        "queues: [{name: c, limits: [{limit: y, users: [sue], maxresources: {vcore: 2}}]}]",
        "user sue max resource map[vcore:2000] of queue c is greater than "
        "immediate or ancestor parent maximum resource map[vcore:1000]",
    ),
    "j": (
        "",
        "",
        "name: r, limits: [{limit: x, users: [sue], maxapplications: 1}], "
        "queues: [{name: c, limits: [{limit: y, users: [sue], maxapplications: 2}]}]",
        "user sue max applications 2 of queue c is greater than immediate or ancestor parent max applications 1",
    ),
}


@pytest.mark.parametrize("step", list(FAULTS_IN_ORDER))
def test_the_earliest_step_with_a_fault_reports_it(step):  # C-30
    steps = list(FAULTS_IN_ORDER)
    later = [FAULTS_IN_ORDER[name] for name in steps[steps.index(step) :]]
    # Later queues come first in the text: the order is that of the steps, not of the lines.
    queues = [f"{{{fault[2]}}}" for fault in reversed(later) if fault[2]]
    text = below_root(
        *queues,
        root="\n".join(fault[1] for fault in later if fault[1]),
        partition="\n".join(fault[0] for fault in later if fault[0]),
    )
    assert refusal(text).text == FAULTS_IN_ORDER[step][3]


def test_a_partition_is_checked_completely_before_the_next():  # C-30
    text = "partitions: [{name: a, queues: [], nodesortpolicy: {type: bad}}, {name: b}]"
    assert refusal(text).text == "undefined policy: bad"


def test_per_queue_acls_come_before_limits_before_the_names_of_all_children():  # C-30 (d)
    limits, acl, child = "limits: [{limit: x}]", "adminacl: 'a b c'", "queues: [{name: 'a.b'}]"
    assert refusal(below_root(f"{{name: q, {child}, {limits}, {acl}}}")).text.startswith("multiple spaces")
    assert refusal(below_root(f"{{name: q, {child}, {limits}}}")).text.startswith("empty user and group lists")
    # All children's names, then what is below the first child.
    assert refusal(below_root(f"{{name: q, {limits}}}", "{name: 'a.b'}")).text.startswith("invalid queue name")


def test_the_admin_acl_is_checked_before_the_submit_acl():  # C-30 (d), C-36
    error = refusal(below_root("{name: q, submitacl: '  1 2 3', adminacl: '  a  b c '}"))
    assert error.text == "multiple spaces found in ACL: 'a  b c'"
    assert error.hint.startswith("adminacl of root.q:")


def test_an_acl_with_white_space_around_passes_validation():  # C-36: it fails when the queue is built, C-102
    load_config(below_root("{name: q, submitacl: '  sue  dev '}"))


def test_the_name_of_a_top_queue_is_not_checked():  # C-31
    assert root_of("partitions: [{queues: [{name: RoOt}]}]").name == "RoOt"


@pytest.mark.parametrize("resources", ["{max: {vcore: 1}}", "{guaranteed: {memory: 1G}}", "{max: {}}", "{guaranteed: {}}"])
def test_root_has_no_resources(resources):  # C-34
    error = refusal(below_root(root=f"resources: {resources}"))
    assert (error.text, error.line) == ("root queue must not have resource limits set", 5)


@pytest.mark.parametrize("resources", ["{}", "~", "{max: ~}"])
def test_resources_of_root_that_say_nothing_are_fine(resources):  # C-34
    load_config(below_root(root=f"resources: {resources}"))


@pytest.mark.parametrize("name", ["a.b", "'a b'", "'a%b'", "'queueé'", "''", "a" * 65, '"a\\n"'])
def test_an_invalid_queue_name_is_refused(name):  # C-38, C-60
    error = refusal(below_root("{name: ok}", f"{{name: {name}}}"))
    assert error.text == (
        "invalid queue name, max 64 characters consisting of alphanumeric characters and '-', '_', '#', '@', '/', ':' allowed"
    )
    assert error.line == 7


def test_siblings_have_different_names_ignoring_case():  # C-39
    error = refusal(below_root("{name: a}", "{name: A}"))
    assert (error.text, error.line) == ("duplicate child name found with name 'A', level 1", 7)
    deeper = refusal(below_root("{name: p, queues: [{name: a}, {name: a}]}"))
    assert deeper.text == "duplicate child name found with name 'a', level 2"


def test_queues_on_different_levels_may_share_a_name():  # C-39
    load_config(below_root("{name: a, queues: [{name: a, queues: [{name: a}]}]}"))


@pytest.mark.parametrize(
    ("resources", "text", "entry"),
    [
        ("{max: {vcore: 1.5}}", "invalid quantity", "max of root.a: vcore: '1.5'"),
        ("{guaranteed: {memory: 500m}}", "invalid suffix", "guaranteed of root.a: memory: '500m'"),
        ("{max: {vcore: 1E}}", "invalid quantity: overflow", "max of root.a: vcore: '1E'"),
    ],
)
def test_a_bad_quantity_is_refused_and_the_hint_names_it(resources, text, entry):  # C-40
    error = refusal(below_root(f"{{name: a, resources: {resources}}}"))
    assert (error.text, error.line) == (text, 6)
    assert error.hint.startswith(entry)


@pytest.mark.parametrize("policy", ["random", "Fair", "BINPACKING"])
def test_the_node_sort_policy_is_known_and_lower_case(policy):  # C-52
    error = refusal(below_root(partition=f"nodesortpolicy:\n  type: {policy}"))
    assert (error.text, error.line) == (f"undefined policy: {policy}", 3)


def test_a_node_weight_may_be_zero_and_not_negative():  # C-52
    load_config(below_root(partition="nodesortpolicy: {resourceweights: {vcore: 0}}"))
    error = refusal(below_root(partition="nodesortpolicy: {resourceweights: {vcore: -1}}"))
    assert error.text == "negative resource weight for vcore is not allowed"


@pytest.mark.parametrize(
    "accepted",
    [
        below_root("{name: a, properties: {application.sort.policy: lifo, nosuch: x, priority.offset: 1e9}}"),
        below_root("{name: a, parent: true, childtemplate: {resources: {max: {vcore: nonsense}}}}"),
        below_root(partition="usergroupresolver: {type: nosuch}"),
        placed_by("{name: nosuch}"),
        placed_by("{name: recovery}"),
        placed_by("{name: tag}"),
    ],
    ids=["property values", "template contents", "resolver", "unknown rule", "recovery rule", "tag without value"],
)
def test_what_is_not_validated_is_accepted(accepted):  # C-55
    load_config(accepted)


# -- 5 Placement rules ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["''", "1user", "my-rule", "a b"])
def test_a_rule_name_is_an_identifier(name):  # C-45, C-63
    error = refusal(placed_by("{name: user}", f"{{name: {name}}}"))
    assert error.text == f"invalid rule name {name.strip(chr(39))}, a name must be a valid identifier"
    assert error.line == 5


def test_a_rule_is_checked_name_first_then_its_parents_then_its_filter():  # C-30 (f)
    assert "rule name 1x" in refusal(placed_by("{name: 1x, parent: {name: 2x}, filter: {type: z}}")).text
    assert "rule name 2x" in refusal(placed_by("{name: x, parent: {name: 2x}, filter: {type: z}}")).text
    assert "type y" in refusal(placed_by("{name: x, parent: {name: x, filter: {type: y}}, filter: {type: z}}")).text


def test_a_filter_allows_or_denies_in_any_case():  # C-46
    load_config(placed_by("{name: user, filter: {type: DENY}}"))
    error = refusal(placed_by("{name: user, filter: {type: block}}"))
    assert error.text == "invalid rule filter type block, filter type  must be either '', allow or deny"


@pytest.mark.parametrize(
    ("kind", "entry"),
    [
        ("user", "su(e"),
        ("user", ""),
        ("user", "1sue"),
        ("user", "a**"),
        ("group", "dev@x"),
        ("group", "dev["),
        ("group", "(?=x)a"),
    ],
)
def test_a_single_filter_entry_is_a_name_or_a_regular_expression(kind, entry):  # C-47
    error = refusal(placed_by(f"{{name: user, filter: {{{kind}s: ['{entry}']}}}}"))
    assert error.text == f"invalid rule filter {kind} list is not a proper list or regexp: [{entry}]"


@pytest.mark.parametrize("users", ["[sue]", "['su.*']", "['(?i)^SUE$']", "[svc$]", "['1x', 'su(e']", "[]"])
def test_names_expressions_and_longer_lists_are_fine_in_a_filter(users):  # C-47: longer lists are not looked at
    load_config(placed_by(f"{{name: user, filter: {{users: {users}}}}}"))


def test_a_complete_path_must_be_the_first_of_a_fixed_chain():  # C-48
    error = refusal(placed_by("{name: fixed, value: root.a, parent: {name: fixed, value: p}}"))
    assert error.text == "illegal fully qualified 'fixed' rule with value root.a"
    load_config(placed_by("{name: fixed, value: a, parent: {name: fixed, value: root.p}, create: true}"))


def test_c_48_is_not_raised_behind_a_dynamic_rule():  # C-48, C-56
    load_config(placed_by("{name: fixed, value: root.a, parent: {name: user, parent: {name: fixed, value: p}}, create: true}"))


def test_c_48_of_any_rule_comes_before_missing_queues():  # C-48
    rules = ("{name: fixed, value: nosuch}", "{name: fixed, value: root.a, parent: {name: fixed, value: p}}")
    assert refusal(placed_by(*rules)).text.startswith("illegal fully qualified")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("{name: fixed, value: root}", "(fixed) references a queue (root) which is not a leaf"),
        ("{name: fixed, value: p}", "(fixed) references a queue (root.p) which is not a leaf"),
        (
            "{name: user, parent: {name: fixed, value: a}}",
            "(fixed->user) references a queue (root.a) which is not a leaf",
        ),
    ],
)
def test_a_fixed_path_ends_on_a_leaf_and_a_dynamic_rule_needs_a_parent(rule, text):  # C-49, C-57
    assert refusal(placed_by(rule)).text == f"placement rule no. #0 {text}"


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ("{name: fixed, value: x}", "(fixed) references non-existing queues (root.x)"),
        ("{name: fixed}", "(fixed) references non-existing queues (root.)"),
        ("{name: fixed, value: Root.a}", "(fixed) references non-existing queues (root.Root.a)"),
        ("{name: fixed, value: rootless}", "(fixed) references non-existing queues (rootless)"),
        ("{name: fixed, value: p.x}", "(fixed) references non-existing queues (root.p.x)"),
        ("{name: user, parent: {name: fixed, value: x}}", "(fixed->user) references non-existing queues (root.x)"),
    ],
)
def test_a_missing_queue_needs_create(rule, path):  # C-50, C-56, C-57
    error = refusal(placed_by(rule))
    assert error.text == f"placement rule no. #0 {path} and create is 'false'"
    assert error.line == 4
    load_config(placed_by(rule[:-1] + ", create: true}"))


def test_create_is_that_of_the_rule_itself_and_not_of_its_parents():  # C-57
    assert "create is 'false'" in refusal(placed_by("{name: user, parent: {name: fixed, value: x, create: true}}")).text


@pytest.mark.parametrize("create", ["true", "false"])
def test_nothing_can_be_created_below_a_leaf(create):  # C-51
    error = refusal(placed_by(f"{{name: fixed, value: a.x, create: {create}}}"))
    assert error.text == (
        "placement rule no. #0 (fixed) references non-existing queues (root.a.x) "
        "which cannot be created because the last queue (a) in the hierarchy is a leaf"
    )


def test_a_chain_that_starts_with_a_dynamic_rule_is_not_checked():  # C-56
    load_config(placed_by("{name: fixed, value: nosuch, parent: {name: tag, value: x}}"))


def test_fixed_in_another_case_counts_as_dynamic():  # C-56, a quirk
    load_config(placed_by("{name: Fixed, value: nosuch}"))


def test_a_path_is_lower_cased_but_shown_as_written():  # C-57
    load_config(placed_by("{name: fixed, value: A}"))
    assert "(root.X.Y)" in refusal(placed_by("{name: fixed, value: X.Y}")).text


def test_a_configured_name_with_capitals_is_never_found():  # C-57, a quirk
    error = refusal(placed_by("{name: fixed, value: Dev}", create_in=("{name: Dev}",)))
    assert error.text == "placement rule no. #0 (fixed) references non-existing queues (root.Dev) and create is 'false'"


def test_a_parent_without_the_flag_is_refused_as_parent_and_accepted_as_leaf():  # C-58, a quirk
    queues = ("{name: n, queues: [{name: c}]}",)
    error = refusal(placed_by("{name: user, parent: {name: fixed, value: n}}", create_in=queues))
    assert error.text == "placement rule no. #0 (fixed->user) references a queue (root.n) which is not a leaf"
    load_config(placed_by("{name: fixed, value: n}", create_in=queues))


def test_rules_are_numbered_from_0_and_chains_read_parent_first():  # C-59
    error = refusal(placed_by("{name: user}", "{name: tag, parent: {name: fixed, value: x, parent: {name: fixed, value: p}}}"))
    assert error.text.startswith("placement rule no. #1 (fixed->fixed->tag) references non-existing queues (root.p.x)")


# -- 6 Names -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("allowed", "good", "bad"),
    [
        (is_queue_name, ["a", "A-_:#/@9", "@recovery@", "a" * 64], ["", "a.b", "a b", "é", "a" * 65, "a\n"]),
        (is_user_name, ["s", "_x", "sue:#/_.@-1", "svc$"], ["", "1sue", "su$e", "a b", "sué", "-a", "a\n"]),
        (is_group_name, ["d", "_x", "dev:_.-1"], ["", "1d", "d@x", "d$", "d/x", "a\n"]),
        (is_rule_name, ["user", "_x", "User1"], ["", "1x", "a-b", "a b", "a\n"]),
    ],
)  # C-60 to C-63
def test_names(allowed, good, bad):
    assert all(map(allowed, good))
    assert not any(map(allowed, bad))


# -- 7 Guaranteed and maximum --------------------------------------------------------------------------------------


def test_guaranteed_fits_in_the_own_maximum():  # C-41, C-70
    error = refusal(below_root("{name: a, resources: {guaranteed: {vcore: 5}, max: {vcore: 4}}}"))
    assert error.text == "guaranteed resource map[vcore:5000] is larger than maximum resource map[vcore:4000] for queue a"
    load_config(below_root("{name: a, resources: {guaranteed: {vcore: 5}, max: {memory: 1}}}"))


def test_the_maximum_fits_in_that_of_the_parent():  # C-42, C-71
    error = refusal(below_root("{name: p, resources: {max: {vcore: 4}}, queues: [{name: c, resources: {max: {vcore: 5}}}]}"))
    assert error.text == ("max resource of parent map[vcore:4000] is smaller than maximum resource map[vcore:5000] for queue c")


def test_a_type_that_the_parent_does_not_limit_is_free_and_sums_of_maxima_too():  # C-71
    load_config(
        below_root(
            "{name: p, resources: {max: {vcore: 4}}, queues: "
            "[{name: c, resources: {max: {vcore: 4, memory: 9}}}, {name: d, resources: {max: {vcore: 4}}}]}"
        )
    )


def test_the_maximum_of_an_ancestor_holds_through_levels_that_do_not_mention_it():  # C-71
    inner = "{name: m, resources: {max: {memory: 1}}, queues: [{name: c, resources: {max: {vcore: 5}}}]}"
    error = refusal(below_root(f"{{name: p, resources: {{max: {{vcore: 4}}}}, queues: [{inner}]}}"))
    assert error.text == (
        "max resource of parent map[memory:1 vcore:4000] is smaller than maximum resource map[vcore:5000] for queue c"
    )


def guaranteeing(parent: str, *children: str) -> str:
    queues = ", ".join(f"{{name: c{n}, resources: {{guaranteed: {child}}}}}" for n, child in enumerate(children))
    return below_root(f"{{name: p, resources: {parent}, queues: [{queues}]}}")


def test_the_guarantees_of_the_children_fit_in_that_of_the_parent():  # C-43, C-72
    load_config(guaranteeing("{guaranteed: {vcore: 5}}", "{vcore: 2}", "{vcore: 3}"))
    error = refusal(guaranteeing("{guaranteed: {vcore: 4}}", "{vcore: 2}", "{vcore: 3}"))
    assert error.text == (
        "guaranteed resource of parent map[vcore:4000] is smaller than sum of guaranteed resources "
        "map[vcore:5000] of the children for queue p"
    )


def test_the_guarantees_of_the_children_fit_in_the_maximum_of_the_parent():  # C-44, C-72
    error = refusal(guaranteeing("{max: {vcore: 4}}", "{vcore: 2}", "{vcore: 3}"))
    assert error.text == (
        "max resource map[vcore:4000] is smaller than sum of guaranteed resources map[vcore:5000] of the children for queue p"
    )


def test_a_guaranteed_zero_refuses_guarantees_of_that_type_below():  # C-72
    assert refusal(guaranteeing("{guaranteed: {vcore: 0}}", "{vcore: 1}")).text.startswith("guaranteed resource of parent")
    load_config(guaranteeing("{guaranteed: {memory: 1}}", "{vcore: 1}"))


def test_a_queue_without_guarantee_passes_on_the_sum_of_its_children():  # C-73
    middle = "{name: m, resources: {guaranteed: {vcore: 0}}, queues: [{name: c}]}"
    load_config(below_root(f"{{name: p, resources: {{guaranteed: {{vcore: 4}}}}, queues: [{middle}]}}"))
    leaf = "{name: c, resources: {guaranteed: {vcore: 5}}}"
    text = below_root(f"{{name: p, resources: {{guaranteed: {{vcore: 4}}}}, queues: [{{name: m, queues: [{leaf}]}}]}}")
    assert refusal(text).text.endswith("map[vcore:5000] of the children for queue p")


def test_a_middle_queue_hides_the_guarantees_of_types_it_does_not_list():  # C-73, a quirk
    leaf = "{name: c, resources: {guaranteed: {memory: 9}}}"
    middle = f"{{name: m, resources: {{guaranteed: {{vcore: 1}}}}, queues: [{leaf}]}}"
    load_config(below_root(f"{{name: p, resources: {{guaranteed: {{memory: 1}}}}, queues: [{middle}]}}"))


def test_a_maximum_of_zero_is_a_limit():  # C-74
    text = below_root("{name: p, resources: {max: {vcore: 0}}, queues: [{name: c, resources: {max: {vcore: 1}}}]}")
    assert refusal(text).text.startswith("max resource of parent map[vcore:0] is smaller")


# -- 8 maxapplications ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("child", ["{name: c}", "{name: c, maxapplications: 0}"])
def test_below_a_parent_with_maxapplications_every_child_has_one(child):  # C-80
    error = refusal(below_root(f"{{name: p, maxapplications: 3, queues: [{child}]}}"))
    assert error.text == (
        "maxApplications is either undefined or zero, which is not allowed when parent queue's maxApplications is defined"
    )


def test_no_child_has_a_larger_maxapplications_than_its_parent():  # C-80: equal and sums are fine
    load_config(below_root("{name: p, maxapplications: 3, queues: "
                           "[{name: c, maxapplications: 3}, {name: d, maxapplications: 3}]}"))  # fmt: skip
    error = refusal(below_root("{name: p, maxapplications: 3, queues: [{name: c, maxapplications: 4}]}"))
    assert error.text == "parent maxApplications must be larger than child maxApplications"
    assert error.hint == "root.p.c has 4, its parent 3; equal is fine"


def test_maxapplications_of_a_branch_are_checked_before_the_next_sibling():  # C-80
    branch = "{name: b, maxapplications: 5, queues: [{name: c, maxapplications: 9}]}"
    assert "must be larger" in refusal(below_root(branch, "{name: d}", root="maxapplications: 9")).text


def test_the_rule_holds_for_root_and_not_below_a_parent_without_maxapplications():  # C-80
    assert "undefined or zero" in refusal(below_root("{name: a}", root="maxapplications: 5")).text
    load_config(below_root("{name: p, queues: [{name: c, maxapplications: 9}]}"))


# -- 9 Limits ------------------------------------------------------------------------------------------------------


def limited(*limits: str, queue: str = "submitacl: ''") -> str:
    """A leaf root.a with these limits, one per line from line 9; `queue` is one more key of it, in line 7."""
    leaf = ["    - name: a", f"      {queue}", "      limits:", *(f"      - {limit}" for limit in limits)]
    return "\n".join(["partitions:", "- name: default", "  queues:", "  - name: root", "    queues:", *leaf]) + "\n"


def test_limits_of_the_partition_become_those_of_root():  # C-85
    assert [limit.limit for limit in root_of(below_root(partition=f"limits: [{SUE}]")).limits] == ["x"]
    assert root_of(f"partitions: [{{limits: [{SUE}], queues: [{{name: a}}]}}]").limits[0].users == ("sue",)


def test_limits_of_partition_and_root_must_be_the_same():  # C-35, C-85
    load_config(below_root(partition=f"limits: [{SUE}]", root=f"limits: [{SUE}]"))
    other = SUE.replace("2", "3")
    error = refusal(below_root(partition=f"limits: [{SUE}]", root=f"limits: [{other}]"))
    assert error.text == "partition limits and root queue limits are not equivalent"


def test_limits_of_the_partition_are_checked_on_root():  # C-85
    assert "invalid limit user name '1x'" in refusal(below_root(partition=f"limits: [{SUE.replace('sue', '1x')}]")).text


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        ("{limit: x}", "{x [] [] map[] 0}"),
        ("{limit: x y, users: [], maxapplications: 1}", "{x y [] [] map[] 1}"),
        ("{maxresources: {vcore: 2, memory: 1G}}", "{ [] [] map[memory:1G vcore:2] 0}"),
    ],
)
def test_a_limit_names_somebody(limit, text):  # C-86
    assert refusal(limited(limit)).text == f"empty user and group lists defined in limit '{text}'"


@pytest.mark.parametrize("name", ["1sue", "''", "su.*", "'*x'"])
def test_a_limited_user_has_a_valid_name(name):  # C-87
    error = refusal(limited(SUE, SUE.replace("sue", name)))
    assert error.text == f"invalid limit user name '{name.strip(chr(39))}' in limit definition"
    assert error.line == 10


def test_a_user_is_limited_once_per_queue():  # C-88
    assert refusal(limited(SUE, SUE)).text == "duplicated user name 'sue', already exists"
    assert refusal(limited(SUE.replace("sue", "sue, sue"))).line == 9
    assert refusal(limited(SUE.replace("sue", "'*', '*'"))).text == "duplicated user name '*', already exists"


def test_the_wildcard_user_comes_last():  # C-89
    load_config(limited(SUE, SUE.replace("sue", "'*'")))
    load_config(limited(SUE.replace("sue", "'*'")))
    error = refusal(limited(SUE.replace("sue", "'*'"), SUE))
    assert error.text == "should not set no wildcard user sue after wildcard user limit"
    assert error.line == 10


@pytest.mark.parametrize(
    ("groups", "text"),
    [
        ("dev@x", "invalid limit group name 'dev@x' in limit definition"),
        ("dev, dev", "duplicated group name 'dev'"),
        ("dev, '*', test", "should not set no wildcard group test after wildcard group limit"),
        ("'*', '*'", "duplicated group name '*'"),
    ],
)
def test_groups_follow_the_rules_of_users(groups, text):  # C-90
    assert refusal(limited(f"{{limit: x, groups: [{groups}], maxapplications: 1}}")).text == text


def test_the_wildcard_group_is_never_alone():  # C-91
    error = refusal(limited("{limit: x, groups: ['*'], maxapplications: 1}", "{limit: y, groups: [dev], maxapplications: 1}"))
    assert error.text == (
        "should not specify only one group limit that is using the wildcard. "
        "There must be at least one limit with a group name defined "
    )
    load_config(limited("{limit: y, groups: [dev], maxapplications: 1}", "{limit: x, groups: ['*'], maxapplications: 1}"))
    load_config(limited("{limit: x, groups: [dev, '*'], maxapplications: 1}"))


def test_the_resources_of_a_limit_are_quantities():  # C-92
    error = refusal(limited("{limit: x, users: [sue], maxresources: {memory: 1m}}"))
    assert (error.text, error.line) == ("invalid suffix", 9)
    assert error.hint.startswith("maxresources of a limit of root.a: memory: '1m'")


def test_the_resources_of_a_limit_are_not_all_zero():  # C-93
    limit = "{limit: x, users: [sue], maxapplications: 1, maxresources: {vcore: 0, memory: 0}}"
    assert refusal(limited(limit)).text == "MaxResources should be greater than zero in 'x' limit"
    load_config(limited(limit.replace("memory: 0", "memory: 1")))


@pytest.mark.parametrize("amounts", ["", ", maxapplications: 0", ", maxresources: {}"])
def test_a_limit_limits_something(amounts):  # C-94
    error = refusal(limited(f"{{limit: x, users: [sue]{amounts}}}"))
    assert error.text == "invalid resource combination for limit x all resource limits are null"


def test_a_limit_is_not_above_the_maxapplications_of_its_queue():  # C-95
    load_config(limited(SUE, queue="maxapplications: 2"))
    error = refusal(limited(SUE, queue="maxapplications: 1"))
    assert error.text == "invalid MaxApplications settings for limit x exceed current the queue MaxApplications"
    assert "exceed current" in refusal(below_root(root=f"limits: [{SUE}]\nmaxapplications: 1")).text


def test_an_unreadable_maximum_of_the_queue_is_reported_with_its_limits():  # C-96
    error = refusal(limited(SUE, queue="resources: {max: {vcore: x}}"))
    assert (error.text, error.line) == ("parse queue a max resource failed: invalid quantity", 7)


def test_a_limit_fits_in_the_maximum_of_its_own_queue():  # C-97
    limit = "{limit: x, users: [sue], maxresources: {vcore: 3, memory: 9}}"
    load_config(limited(limit, queue="resources: {max: {vcore: 3}}"))
    error = refusal(limited(limit, queue="resources: {max: {vcore: 2}}"))
    assert error.text == "invalid MaxResources settings for limit x exeecd current the queue MaxResources"


def nested_limits(above: str, below: str, *, between: str = "") -> str:
    """Limits (kind, name and amount) on root.p and on the leaf root.p.c, or root.p.m.c with `between` on root.p.m."""

    def limits(*texts: str) -> str:
        return ", ".join(f"limits: [{text}]" for text in texts if text)

    leaf = f"{{name: c, {limits(below)}}}"
    inner = f"{{name: m, {limits(between)}{', ' if between else ''}queues: [{leaf}]}}" if between else leaf
    return below_root(f"{{name: p, {limits(above)}, queues: [{inner}]}}")


def users(name: str, **amounts: str | int) -> str:
    return "{limit: x, users: ['" + name + "'], " + ", ".join(f"{key}: {value}" for key, value in amounts.items()) + "}"


def groups(name: str, **amounts: str | int) -> str:
    return users(name, **amounts).replace("users", "groups").replace("['*']", "[other, '*']")


@pytest.mark.parametrize(("kind", "limit"), [("user", users), ("group", groups)])
def test_a_limit_below_allows_no_more_resources_than_the_same_name_above(kind, limit):  # C-98
    load_config(nested_limits(limit("n", maxresources="{vcore: 2}"), limit("n", maxresources="{vcore: 2, memory: 9}")))
    error = refusal(nested_limits(limit("n", maxresources="{vcore: 2}"), limit("n", maxresources="{vcore: 3}")))
    assert error.text == (
        f"{kind} n max resource map[vcore:3000] of queue c is greater than "
        "immediate or ancestor parent maximum resource map[vcore:2000]"
    )


@pytest.mark.parametrize(("kind", "limit"), [("user", users), ("group", groups)])
def test_a_name_without_limit_above_is_compared_with_the_wildcard(kind, limit):  # C-98
    error = refusal(nested_limits(limit("*", maxresources="{vcore: 2}"), limit("n", maxresources="{vcore: 3}")))
    assert error.text == (
        f"{kind} n max resource map[vcore:3000] of queue c is greater than "
        "wildcard maximum resource map[vcore:2000] of immediate or ancestor parent queue"
    )


def test_a_wildcard_is_compared_with_the_wildcard_and_not_with_names():  # C-98
    load_config(nested_limits(users("sue", maxresources="{vcore: 2}"), users("*", maxresources="{vcore: 9}")))
    error = refusal(nested_limits(users("*", maxresources="{vcore: 2}"), users("*", maxresources="{vcore: 3}")))
    assert "user * max resource map[vcore:3000]" in error.text
    assert "immediate or ancestor parent maximum resource" in error.text


def test_the_smallest_resources_on_the_way_down_hold():  # C-98
    text = nested_limits(
        users("sue", maxresources="{vcore: 2}"),
        users("sue", maxresources="{vcore: 3}"),
        between=users("sue", maxresources="{memory: 1}"),
    )
    assert "maximum resource map[memory:1 vcore:2000]" in refusal(text).text


def test_next_to_the_wildcard_only_the_new_value_is_handed_down():  # C-98, a quirk
    load_config(
        nested_limits(
            users("*", maxresources="{vcore: 2}"),
            users("sue", maxresources="{vcore: 9}"),
            between=users("sue", maxresources="{memory: 1}"),
        )
    )


@pytest.mark.parametrize(("kind", "limit"), [("user", users), ("group", groups)])
def test_a_limit_below_allows_no_more_applications_than_above(kind, limit):  # C-99
    load_config(nested_limits(limit("n", maxapplications=2), limit("n", maxapplications=2)))
    error = refusal(nested_limits(limit("n", maxapplications=2), limit("n", maxapplications=3)))
    assert error.text == (f"{kind} n max applications 3 of queue c is greater than immediate or ancestor parent max applications 2")
    wild = refusal(nested_limits(limit("*", maxapplications=2), limit("n", maxapplications=3)))
    assert wild.text == (
        f"{kind} n max applications 3 of queue c is greater than wildcard max applications 2 of immediate or ancestor parent queue"
    )


def test_a_limit_of_resources_only_is_too_much_below_one_of_applications():  # C-99
    error = refusal(nested_limits(users("sue", maxapplications=2), users("sue", maxresources="{vcore: 1}")))
    assert error.text.startswith("user sue max applications 0 of queue c is greater")


def test_a_limit_above_without_applications_enforces_none():  # C-99
    load_config(nested_limits(users("sue", maxresources="{vcore: 1}"), users("sue", maxapplications=9)))


def test_limits_hold_through_queues_without_limits():  # C-98, C-99
    leaf = f"{{name: c, limits: [{users('sue', maxapplications=3)}]}}"
    middle = f"{{name: m, queues: [{leaf}]}}"
    text = below_root(f"{{name: p, limits: [{SUE}], queues: [{middle}]}}")
    assert refusal(text).text.startswith("user sue max applications 3 of queue c")


# -- a nested queue called root (observed by running the reference) ------------------------------------------------


def test_limits_of_a_nested_queue_called_root_replace_those_of_root_for_the_queues_behind_it():  # C-98, C-99, a quirk
    nested, later = f"{{name: root, limits: [{SUE}]}}", f"{{name: d, limits: [{users('sue', maxapplications=4)}]}}"
    assert refusal(below_root(nested, later)).text == (
        "user sue max applications 4 of queue d is greater than immediate or ancestor parent max applications 2"
    )
    load_config(below_root(later, nested))
    load_config(below_root("{name: root}", later, root=f"limits: [{SUE}]"))


def test_limits_of_a_nested_queue_called_root_are_not_compared_with_its_own_maximum():  # C-97, a quirk
    limit = users("sue", maxresources="{vcore: 5}")
    load_config(below_root(f"{{name: root, resources: {{max: {{vcore: 1}}}}, limits: [{limit}]}}"))
    assert "exeecd" in refusal(below_root(f"{{name: q, resources: {{max: {{vcore: 1}}}}, limits: [{limit}]}}")).text
