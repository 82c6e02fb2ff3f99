"""Building the queue tree: each verb is one undo entry, and what would be invalid is refused and loses nothing."""

from __future__ import annotations

import pytest

from workbench import ConfigError, Workbench
from workbench.bench import session_files
from workbench.config import edit

TENANTS, SYSTEM = "root.tenants", "root.system"
LOW = "root.system.system-low"


@pytest.fixture
def wb() -> Workbench:
    return Workbench.example("multitenancy")


def children(wb: Workbench, path: str) -> list[str]:
    return [queue.name for queue in edit.queue_at(wb.config, path).queues]


def test_a_queue_is_added_selected_and_undone(wb):
    wb.add_queue(TENANTS, "tenant-c")
    assert children(wb, TENANTS) == ["tenant-a", "tenant-b", "tenant-c"]
    assert wb.selected == "root.tenants.tenant-c"
    assert wb.status.call == 'bench.add_queue("root.tenants", "tenant-c")'
    wb.undo()
    assert children(wb, TENANTS) == ["tenant-a", "tenant-b"]
    assert wb.selected == ""
    wb.redo()
    assert children(wb, TENANTS)[-1] == "tenant-c"


def test_a_queue_can_be_added_at_the_first_place(wb):
    wb.add_queue(TENANTS, "tenant-0", index=0)
    assert children(wb, TENANTS)[0] == "tenant-0"
    assert wb.status.call.endswith("index=0)")


def test_a_renamed_queue_keeps_its_place_and_stays_selected(wb):
    wb.rename_queue("root.tenants.tenant-a", "gold")
    assert children(wb, TENANTS) == ["gold", "tenant-b"]
    assert wb.selected == "root.tenants.gold"


def test_a_copy_stands_behind_its_original(wb):
    wb.duplicate_queue("root.tenants.tenant-a")
    assert children(wb, TENANTS) == ["tenant-a", "tenant-a-copy", "tenant-b"]
    assert wb.selected == "root.tenants.tenant-a-copy"
    assert children(wb, "root.tenants.tenant-a-copy") == ["child-a-1", "child-a-2"]


def test_a_queue_moves_to_another_parent_and_among_its_siblings(wb):
    wb.move_queue("root.tenants.tenant-b", SYSTEM, index=0)
    assert children(wb, SYSTEM)[0] == "tenant-b"
    assert wb.selected == "root.system.tenant-b"
    wb.move_queue(LOW, SYSTEM, index=0)
    assert children(wb, SYSTEM)[0] == "system-low"


def test_a_deleted_queue_comes_back_with_undo(wb):
    before = wb.config
    wb.delete_queue(TENANTS)
    assert children(wb, "root") == ["system"]
    assert wb.selected == "root"
    wb.undo()
    assert wb.config == before


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
def test_a_refused_change_is_told_and_loses_nothing(wb, verb, arguments, told):
    wb.run(max_steps=2)
    wb.select(LOW)
    config, digest = wb.config, wb.simulation.digest()
    with pytest.raises(ConfigError) as refused:
        getattr(wb, verb)(*arguments)
    assert told in str(refused.value)
    assert wb.status.is_error and told in wb.status.text
    assert (wb.config, wb.simulation.digest(), wb.selected, wb.can_undo) == (config, digest, LOW, False)


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


def test_an_acl_that_names_groups_only_keeps_its_first_blank(wb):  # C-100; without it the group would be a user
    wb.set(SYSTEM, "submitacl", " admins ")
    assert edit.queue_at(wb.config, SYSTEM).submit_acl == " admins"
    wb.set(SYSTEM, "submitacl", "  ")
    assert edit.queue_at(wb.config, SYSTEM).submit_acl == ""


def test_every_setting_of_the_table_is_tried_here():
    from workbench.bench import schema

    assert {key for _, key, _ in SETTINGS} == {*schema.SETTINGS, *schema.OF_PARTITION}


@pytest.mark.parametrize(("path", "key", "value"), SETTINGS, ids=[key for _, key, _ in SETTINGS])
def test_every_setting_is_set_read_back_and_removed(wb, path, key, value):  # chapter 02, sections 3 and 12
    from workbench.bench import schema
    from workbench.config import load_config

    setting = schema.OF_PARTITION[key] if path == "partition" else schema.SETTINGS[key]

    def own(config):
        return setting.read(config.partition() if path == "partition" else edit.queue_at(config, path))

    before = wb.config
    wb.set(path, key, value)
    assert own(wb.config) == value
    assert own(load_config(str(wb.to_yaml()))) == value
    wb.set(path, key, None)
    assert own(wb.config) is None
    assert wb.config == before or path == LOW and own(before) is None or own(before) is not None
    wb.undo()
    assert own(wb.config) == value


def test_amounts_may_be_given_as_a_dict_and_blocks_as_text(wb):
    wb.set(SYSTEM, "resources.max", {"vcore": 8, "nvidia.com/gpu": "2"})
    assert dict(edit.queue_at(wb.config, SYSTEM).resources.max) == {"vcore": "8", "nvidia.com/gpu": "2"}


def test_the_error_of_a_block_tells_the_line_of_the_block(wb):
    with pytest.raises(ConfigError) as refused:
        wb.set(SYSTEM, "limits", "- users: [a]\n  maxapplications: 1\n  nosuchkey: 2")
    assert refused.value.line == 3


def test_a_rule_that_the_validation_refuses_tells_its_own_line(wb):
    with pytest.raises(ConfigError) as refused:
        wb.set("partition", "placementrules", "- name: provided\n- name: fixed\n  value: root.nowhere")
    assert refused.value.line == 2
    with pytest.raises(ConfigError) as refused:
        wb.set(SYSTEM, "limits", "- users: [a]\n  maxapplications: 1\n- users: [a]\n  maxapplications: 2")
    assert refused.value.line == 3


def test_an_error_elsewhere_in_the_design_has_no_line_of_what_was_typed(wb):
    wb.set("root.system.system-low", "resources.max", {"vcore": 8})
    with pytest.raises(ConfigError) as refused:
        wb.set(SYSTEM, "resources.max", {"vcore": 4})
    assert refused.value.line is None


def test_the_default_may_be_written_also_where_the_scheduler_calls_it_bad(wb):
    wb.set(SYSTEM, "preemption.quota.delay", "0s")
    assert edit.queue_at(wb.config, SYSTEM).properties["preemption.quota.delay"] == "0s"


def test_a_design_without_a_partition_is_refused(wb):
    for mode in ("rerun", "reload"):
        wb.edit_mode(mode)
        with pytest.raises(ConfigError):
            wb.edit_yaml("partitions: []")
    assert wb.partition.name == "default"


def test_yaml_replaces_the_design_and_its_error_tells_the_line(wb):
    text = str(wb.to_yaml())
    wb.edit_yaml(text.replace("priority.policy: fence", "priority.policy: default", 1))
    assert edit.queue_at(wb.config, TENANTS).properties["priority.policy"] == "default"
    with pytest.raises(ConfigError) as refused:
        wb.edit_yaml(text.replace("queues:", "ques:", 1))
    assert refused.value.line == 3
    wb.undo()
    assert str(wb.to_yaml()) == text


def test_yaml_and_configmap_round_trip(wb):
    wb.set(SYSTEM, "resources.max", "vcore: 8")
    assert Workbench.from_yaml(str(wb.to_yaml())).config == wb.config
    assert Workbench.from_configmap(str(wb.to_configmap())).config == wb.config


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
    wb = Workbench.from_yaml(COMMENTED)
    wb.edit_mode(mode)
    wb.set("root.a", "resources.max", {"vcore": "5"})
    assert str(wb.to_yaml()) == COMMENTED.replace('"4"', '"5"')
    wb.rename_queue("root.a", "c")
    wb.move_queue("root.c", "root")
    first, second = "# the first\n          - name: c       # one", "# the second\n          - name: b"
    text = str(wb.to_yaml())
    assert first in text and second in text and text.index(second) < text.index(first)
    for _ in range(3):
        wb.undo()
    assert str(wb.to_yaml()) == COMMENTED


def test_what_is_saved_has_the_comments_of_the_design(tmp_path):
    wb = Workbench.from_yaml(COMMENTED)
    wb.set("root.b", "priority.offset", 3)
    wb.save(tmp_path / "design.yaml")
    again = Workbench.open(tmp_path / "design.yaml")
    assert str(again.to_yaml()) == COMMENTED + "            properties:\n              priority.offset: 3\n"


def test_a_design_goes_back_into_its_configmap(tmp_path):
    block = "".join(f"    {line}\n" if line else "\n" for line in COMMENTED.splitlines())
    text = f"kind: ConfigMap  # ours\ndata:\n  log.level: '0'\n  queues.yaml: |\n{block}  service.policyGroup: queues\n"
    wb = Workbench.from_configmap(text)
    assert str(wb.to_configmap()) == text
    wb.autosave(tmp_path / "session")
    wb.set("root.a", "resources.max", {"vcore": "5"})
    assert str(wb.to_configmap()) == text.replace('"4"', '"5"')
    assert session_files.read(tmp_path / "session").configmap == text, "also after the kernel was lost"
    wb.load("two-tenants")
    assert "# ours" not in str(wb.to_configmap()), "another design is not put there"


# ---- edits in mid-run -------------------------------------------------------------------------------------------------


def test_a_reload_keeps_the_past_and_changes_the_future(wb):  # U-16
    wb.run(max_steps=2)
    wb.edit_mode("reload")
    wb.set(TENANTS, "priority.offset", 50)
    assert [step.decision.key for step in wb.simulation.steps] == ["P1", "P10"]
    assert wb.simulation.preview().key == "P8"

    assert wb.simulation.reloads == (2,)
    wb.run(max_steps=2)
    assert wb.simulation.reloads == (2,)


def test_a_reload_is_undone_and_made_again(wb):
    wb.run(max_steps=2)
    digest = wb.simulation.digest()
    wb.edit_mode("reload")
    wb.set(TENANTS, "priority.offset", 50)
    reloaded = wb.simulation.digest()
    wb.undo()
    assert wb.simulation.digest() == digest
    wb.redo()
    assert wb.simulation.digest() == reloaded


def test_an_edit_after_a_reload_changes_what_was_reloaded(wb):
    wb.run(max_steps=2)
    wb.edit_mode("reload")
    wb.set(TENANTS, "priority.offset", 50)
    wb.edit_mode("rerun")
    wb.set(TENANTS, "priority.offset", 60)
    assert [step.decision.key for step in wb.simulation.steps] == ["P1", "P10"]
    assert wb.partition.root.children["tenants"].settings.priority_offset == 60


def test_going_back_before_a_reload_shows_the_design_of_then(wb):
    wb.run(max_steps=2)
    wb.edit_mode("reload")
    wb.set(TENANTS, "priority.offset", 50)
    wb.step()
    wb.goto(1)
    assert wb.partition.root.children["tenants"].settings.priority_offset == 0
    wb.goto(3)
    assert wb.partition.root.children["tenants"].settings.priority_offset == 50


def test_a_reload_that_the_scheduler_rejects_changes_nothing(wb):
    wb.run(max_steps=2)
    digest = wb.simulation.digest()
    wb.edit_mode("reload")
    with pytest.raises(ConfigError):
        wb.set("partition", "placementrules", "- name: nosuchrule")
    assert wb.simulation.digest() == digest
    assert not wb.can_undo
    wb.run()
    assert wb.simulation.position == 11


def test_an_edit_keeps_the_inputs_put_in_by_hand(wb):
    wb.run(max_steps=3)
    wb.add_request("late", "now", {"vcore": "1"}, queue=LOW)
    wb.set(TENANTS, "priority.offset", 1)
    assert wb.simulation.position == 3
    assert "now" in [item.ask.key for item in wb.simulation.waiting()]


def test_an_unknown_edit_mode_is_refused(wb):
    from workbench import CommandError

    with pytest.raises(CommandError, match="rerun, reload"):
        wb.edit_mode("maybe")
