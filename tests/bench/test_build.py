"""Building the queue tree: each verb is one undo entry, and what would be invalid is refused and loses nothing."""

from __future__ import annotations

import pytest

from workbench import CommandError, ConfigError, Workbench
from workbench.bench import session_files
from workbench.config import edit

TENANTS, SYSTEM = "root.tenants", "root.system"
LOW = "root.system.system-low"


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


def children(bench: Workbench, path: str) -> list[str]:
    return [queue.name for queue in edit.queue_at(bench.config, path).queues]


def test_a_queue_is_added_selected_and_undone(bench):
    bench.add_queue(TENANTS, "tenant-c")
    assert children(bench, TENANTS) == ["tenant-a", "tenant-b", "tenant-c"]
    assert bench.selected == "root.tenants.tenant-c"
    assert bench.status.call == 'bench.add_queue("root.tenants", "tenant-c")'
    bench.undo()
    assert children(bench, TENANTS) == ["tenant-a", "tenant-b"]
    assert bench.selected == ""
    bench.redo()
    assert children(bench, TENANTS)[-1] == "tenant-c"


def test_a_queue_can_be_added_at_the_first_place(bench):
    bench.add_queue(TENANTS, "tenant-0", index=0)
    assert children(bench, TENANTS)[0] == "tenant-0"
    assert bench.status.call.endswith("index=0)")


def test_a_renamed_queue_keeps_its_place_and_stays_selected(bench):
    bench.rename_queue("root.tenants.tenant-a", "gold")
    assert children(bench, TENANTS) == ["gold", "tenant-b"]
    assert bench.selected == "root.tenants.gold"


def test_a_copy_stands_behind_its_original(bench):
    bench.duplicate_queue("root.tenants.tenant-a")
    assert children(bench, TENANTS) == ["tenant-a", "tenant-a-copy", "tenant-b"]
    assert bench.selected == "root.tenants.tenant-a-copy"
    assert children(bench, "root.tenants.tenant-a-copy") == ["child-a-1", "child-a-2"]


def test_a_queue_moves_to_another_parent_and_among_its_siblings(bench):
    bench.move_queue("root.tenants.tenant-b", SYSTEM, index=0)
    assert children(bench, SYSTEM)[0] == "tenant-b"
    assert bench.selected == "root.system.tenant-b"
    bench.move_queue(LOW, SYSTEM, index=0)
    assert children(bench, SYSTEM)[0] == "system-low"


def test_a_deleted_queue_comes_back_with_undo(bench):
    before = bench.config
    bench.delete_queue(TENANTS)
    assert children(bench, "root") == ["system"]
    assert bench.selected == "root"
    bench.undo()
    assert bench.config == before


@pytest.mark.parametrize(
    ("verb", "arguments", "told"),
    [
        ("add_queue", ("root.nosuch", "a"), "no queue"),
        ("add_queue", (TENANTS, "tenant-a"), "has a child"),
        ("add_queue", (TENANTS, "no blank"), "invalid queue name"),
        ("rename_queue", ("root", "other"), "root queue cannot be renamed"),
        ("rename_queue", (LOW, "a.b"), "cannot name a queue"),
        ("rename_queue", (LOW, "system-high"), "has a child"),
        ("duplicate_queue", ("root",), "root queue cannot be duplicated"),
        ("move_queue", (TENANTS, "root.tenants.tenant-a"), "below itself"),
        ("delete_queue", ("root",), "root queue cannot be removed"),
        ("set", (SYSTEM, "resources.max", "vcore"), "invalid quantity"),
        ("set", (SYSTEM, "resources.max", "vcore: [1]"), "line 1"),
        ("set", (SYSTEM, "maxapplications", "-1"), "no whole number"),
        ("set", (SYSTEM, "limits", "- user: [a]"), "line 1"),
        ("set", ("partition", "nodesortpolicy.type", "best"), "Allowed: fair, binpacking"),
        ("edit_yaml", ("partitions: [",), "not valid YAML"),
    ],
)
def test_a_refused_change_is_told_and_loses_nothing(bench, verb, arguments, told):
    bench.run(max_steps=2)
    bench.select(LOW)
    config, digest = bench.config, bench.simulation.digest()
    with pytest.raises(ConfigError) as refused:
        getattr(bench, verb)(*arguments)
    assert told in str(refused.value)
    assert bench.status.is_error and told in bench.status.text
    assert (bench.config, bench.simulation.digest(), bench.selected, bench.can_undo) == (config, digest, LOW, False)


SETTINGS = [
    (SYSTEM, "parent", "true"),
    (LOW, "maxapplications", "3"),
    (SYSTEM, "priority.policy", "fence"),
    (SYSTEM, "priority.offset", "-7"),
    (LOW, "application.sort.policy", "fair"),
    (SYSTEM, "application.sort.priority", "disabled"),
    (LOW, "application.unschedasks.backoff", "4"),
    (LOW, "application.unschedasks.backoff.delay", "10s"),
    (SYSTEM, "preemption.policy", "fence"),
    (LOW, "preemption.delay", "5s"),
    (SYSTEM, "preemption.quota.delay", "1m"),
    (SYSTEM, "quota.preemption.delay", "1m"),
    (SYSTEM, "resources.guaranteed", "vcore: 2, memory: 4Gi"),
    (SYSTEM, "resources.max", "vcore: 8, memory: 16Gi"),
    (SYSTEM, "limits", "- limit: all\n  users:\n    - alice\n  maxapplications: 2"),
    (SYSTEM, "submitacl", "alice,bob developers"),
    (SYSTEM, "adminacl", "*"),
    (TENANTS, "childtemplate", "maxapplications: 5\nproperties:\n  priority.offset: 1"),
    ("partition", "nodesortpolicy.type", "binpacking"),
    ("partition", "nodesortpolicy.resourceweights", "vcore: 2, memory: 1"),
    ("partition", "preemption.enabled", "false"),
    ("partition", "preemption.quotapreemptionenabled", "true"),
    ("partition", "placementrules", "- name: provided\n  create: true"),
]


def test_an_acl_that_names_groups_only_keeps_its_first_blank(bench):  # C-100; without it the group would be a user
    bench.set(SYSTEM, "submitacl", " admins ")
    assert edit.queue_at(bench.config, SYSTEM).submit_acl == " admins"
    bench.set(SYSTEM, "submitacl", "  ")
    assert edit.queue_at(bench.config, SYSTEM).submit_acl == ""


def test_every_setting_of_the_table_is_tried_here():
    from workbench.bench import schema

    assert {key for _, key, _ in SETTINGS} == {*schema.SETTINGS, *schema.OF_PARTITION}


@pytest.mark.parametrize(("path", "key", "value"), SETTINGS, ids=[key for _, key, _ in SETTINGS])
def test_every_setting_is_set_read_back_and_removed(bench, path, key, value):  # chapter 02, sections 3 and 12
    from workbench.bench import schema
    from workbench.config import load_config

    setting = schema.OF_PARTITION[key] if path == "partition" else schema.SETTINGS[key]

    def own(config):
        return setting.read(config.partition() if path == "partition" else edit.queue_at(config, path))

    before = bench.config
    bench.set(path, key, value)
    assert own(bench.config) == value
    assert own(load_config(str(bench.to_yaml()))) == value
    bench.set(path, key, None)
    assert own(bench.config) is None
    assert bench.config == before or path == LOW and own(before) is None or own(before) is not None
    bench.undo()
    assert own(bench.config) == value


def test_amounts_may_be_given_as_a_dict_and_blocks_as_text(bench):
    bench.set(SYSTEM, "resources.max", {"vcore": 8, "nvidia.com/gpu": "2"})
    assert dict(edit.queue_at(bench.config, SYSTEM).resources.max) == {"vcore": "8", "nvidia.com/gpu": "2"}


def test_the_error_of_a_block_tells_the_line_of_the_block(bench):
    with pytest.raises(ConfigError) as refused:
        bench.set(SYSTEM, "limits", "- users: [a]\n  maxapplications: 1\n  nosuchkey: 2")
    assert refused.value.line == 3


def test_a_rule_that_the_validation_refuses_tells_its_own_line(bench):
    with pytest.raises(ConfigError) as refused:
        bench.set("partition", "placementrules", "- name: provided\n- name: fixed\n  value: root.nowhere")
    assert refused.value.line == 2
    with pytest.raises(ConfigError) as refused:
        bench.set(SYSTEM, "limits", "- users: [a]\n  maxapplications: 1\n- users: [a]\n  maxapplications: 2")
    assert refused.value.line == 3


def test_an_error_elsewhere_in_the_design_has_no_line_of_what_was_typed(bench):
    bench.set("root.system.system-low", "resources.max", {"vcore": 8})
    with pytest.raises(ConfigError) as refused:
        bench.set(SYSTEM, "resources.max", {"vcore": 4})
    assert refused.value.line is None


def test_the_default_may_be_written_also_where_the_scheduler_calls_it_bad(bench):
    bench.set(SYSTEM, "preemption.quota.delay", "0s")
    assert edit.queue_at(bench.config, SYSTEM).properties["preemption.quota.delay"] == "0s"


def test_a_design_without_a_partition_is_refused(bench):
    for mode in ("rerun", "reload"):
        bench.edit_mode(mode)
        with pytest.raises(ConfigError):
            bench.edit_yaml("partitions: []")
    assert bench.partition.name == "default"


def test_yaml_replaces_the_design_and_its_error_tells_the_line(bench):
    text = str(bench.to_yaml())
    bench.edit_yaml(text.replace("priority.policy: fence", "priority.policy: default", 1))
    assert edit.queue_at(bench.config, TENANTS).properties["priority.policy"] == "default"
    with pytest.raises(ConfigError) as refused:
        bench.edit_yaml(text.replace("queues:", "ques:", 1))
    assert refused.value.line == 3
    bench.undo()
    assert str(bench.to_yaml()) == text


def test_yaml_and_configmap_round_trip(bench):
    bench.set(SYSTEM, "resources.max", "vcore: 8")
    assert Workbench.from_yaml(str(bench.to_yaml())).config == bench.config
    assert Workbench.from_configmap(str(bench.to_configmap())).config == bench.config


COMMENTED = """\
# our queues
partitions:
  - name: default
    queues:
      - name: root
        submitacl: '*'    # all

        queues:
          # the first
          - name: a       # one
            resources: {max: {vcore:   "4"}}
          # the second
          - name: b
"""


@pytest.mark.parametrize("mode", ["rerun", "reload"])
def test_the_comments_of_a_design_survive_what_is_edited_on_the_screen(mode):
    bench = Workbench.from_yaml(COMMENTED)
    bench.edit_mode(mode)
    bench.set("root.a", "resources.max", {"vcore": "5"})
    assert str(bench.to_yaml()) == COMMENTED.replace('"4"', '"5"')
    bench.rename_queue("root.a", "c")
    bench.move_queue("root.c", "root")
    first, second = "# the first\n          - name: c       # one", "# the second\n          - name: b"
    text = str(bench.to_yaml())
    assert first in text and second in text and text.index(second) < text.index(first)
    for _ in range(3):
        bench.undo()
    assert str(bench.to_yaml()) == COMMENTED


def test_what_is_saved_has_the_comments_of_the_design(tmp_path):
    bench = Workbench.from_yaml(COMMENTED)
    bench.set("root.b", "priority.offset", 3)
    bench.save(tmp_path / "design.yaml")
    again = Workbench.open(tmp_path / "design.yaml")
    assert str(again.to_yaml()) == COMMENTED + "            properties:\n              priority.offset: 3\n"


def test_a_design_is_written_to_a_file(tmp_path):
    bench = Workbench.example("multitenancy")
    bench.set("root.tenants", "priority.offset", 5)
    path = tmp_path / "queues.yaml"
    bench.save_config(path)
    assert path.read_text() == bench.to_yaml()
    assert bench.status.text == f"The design is in {path}, as a queues.yaml."
    assert bench.status.call == f'bench.save_config("{path}")' and bench.status.call not in bench.calls
    assert Workbench.open(path).config == bench.config
    bench.save_config(path, form="configmap")
    assert path.read_text() == bench.to_configmap() and bench.status.call.endswith('form="configmap")')
    bench.save_config(path, name="queues", namespace="batch")
    assert path.read_text() == bench.to_configmap(name="queues", namespace="batch")


def test_a_design_out_of_a_configmap_is_written_back_into_it(tmp_path):
    text = str(Workbench.example("multitenancy").to_configmap(others={"log.level": "debug"}))
    bench = Workbench.from_configmap(text.replace("metadata:", "metadata:  # ours"))
    bench.set("root.tenants", "priority.offset", 5)
    bench.save_config(tmp_path / "map.yaml")
    assert (tmp_path / "map.yaml").read_text() == bench.to_configmap()
    assert "# ours" in bench.to_configmap() and "log.level" in bench.to_configmap()
    bench.save_config(tmp_path / "queues.yaml", form="yaml")
    assert (tmp_path / "queues.yaml").read_text() == bench.to_yaml()


@pytest.mark.parametrize(("wrong", "text"), [
    ({"form": "json"}, 'json.*yaml.*configmap'),
    ({"form": "yaml", "namespace": "batch"}, "namespace can be given for a ConfigMap only"),
    ({"key": "no such key!"}, "cannot be a key of a ConfigMap"),
])  # fmt: skip
def test_a_design_that_cannot_be_written_so_leaves_the_file(tmp_path, wrong, text):
    path = tmp_path / "queues.yaml"
    path.write_text("mine")
    with pytest.raises((CommandError, ConfigError), match=text):
        Workbench.example("multitenancy").save_config(path, **wrong)
    assert path.read_text() == "mine"


def test_a_design_goes_back_into_its_configmap(tmp_path):
    block = "".join(f"    {line}\n" if line else "\n" for line in COMMENTED.splitlines())
    text = f"kind: ConfigMap  # ours\ndata:\n  log.level: '0'\n  queues.yaml: |\n{block}  service.policyGroup: queues\n"
    bench = Workbench.from_configmap(text)
    assert str(bench.to_configmap()) == text
    bench.autosave(tmp_path / "session")
    bench.set("root.a", "resources.max", {"vcore": "5"})
    assert str(bench.to_configmap()) == text.replace('"4"', '"5"')
    assert session_files.read(tmp_path / "session").configmap == text, "also after the kernel was lost"
    bench.load("two-tenants")
    assert "# ours" not in str(bench.to_configmap()), "another design is not put there"


# ---- edits in mid-run -------------------------------------------------------------------------------------------------


def test_a_reload_keeps_the_past_and_changes_the_future(bench):  # U-16
    bench.run(max_steps=2)
    bench.edit_mode("reload")
    bench.set(TENANTS, "priority.offset", 50)
    assert [step.decision.key for step in bench.simulation.steps] == ["P1", "P10"]
    assert bench.simulation.preview().key == "P8"

    assert bench.simulation.reloads == (2,)
    bench.run(max_steps=2)
    assert bench.simulation.reloads == (2,)


def test_a_reload_is_undone_and_made_again(bench):
    bench.run(max_steps=2)
    digest = bench.simulation.digest()
    bench.edit_mode("reload")
    bench.set(TENANTS, "priority.offset", 50)
    reloaded = bench.simulation.digest()
    bench.undo()
    assert bench.simulation.digest() == digest
    bench.redo()
    assert bench.simulation.digest() == reloaded


def test_an_edit_after_a_reload_changes_what_was_reloaded(bench):
    bench.run(max_steps=2)
    bench.edit_mode("reload")
    bench.set(TENANTS, "priority.offset", 50)
    bench.edit_mode("rerun")
    bench.set(TENANTS, "priority.offset", 60)
    assert [step.decision.key for step in bench.simulation.steps] == ["P1", "P10"]
    assert bench.partition.root.children["tenants"].settings.priority_offset == 60


def test_going_back_before_a_reload_shows_the_design_of_then(bench):
    bench.run(max_steps=2)
    bench.edit_mode("reload")
    bench.set(TENANTS, "priority.offset", 50)
    bench.step()
    bench.goto(1)
    assert bench.partition.root.children["tenants"].settings.priority_offset == 0
    bench.goto(3)
    assert bench.partition.root.children["tenants"].settings.priority_offset == 50


def test_a_reload_that_the_scheduler_rejects_changes_nothing(bench):
    bench.run(max_steps=2)
    digest = bench.simulation.digest()
    bench.edit_mode("reload")
    with pytest.raises(ConfigError):
        bench.set("partition", "placementrules", "- name: nosuchrule")
    assert bench.simulation.digest() == digest
    assert not bench.can_undo
    bench.run()
    assert bench.simulation.position == 11


def test_an_edit_keeps_the_inputs_put_in_by_hand(bench):
    bench.run(max_steps=3)
    bench.add_request("late", "now", {"vcore": "1"}, queue=LOW)
    bench.set(TENANTS, "priority.offset", 1)
    assert bench.simulation.position == 3
    assert "now" in [item.ask.key for item in bench.simulation.waiting()]


def test_an_unknown_edit_mode_is_refused(bench):
    from workbench import CommandError

    with pytest.raises(CommandError, match="rerun, reload"):
        bench.edit_mode("maybe")


def test_after_a_reload_a_priority_that_the_scheduler_does_not_pass_up_is_told():
    bench = Workbench.example("multitenancy")
    bench.edit_mode("reload")
    bench.run(max_steps=3)
    told = str(bench.set("root.tenants", "priority.offset", 2000))
    assert (bench.partition.root.priority, bench.partition.root.children["tenants"].priority) == (0, 2000)
    assert "root shows 0, not 2000, until something is asked for or placed below" in told
