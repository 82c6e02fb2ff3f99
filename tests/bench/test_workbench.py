"""The Workbench in a script: the verbs, their status line, edits and undo, and that none of it needs a screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench import CommandError, ConfigError, ScenarioError, Workbench
from workbench.simulation.scenario import example

TENANTS, SYSTEM_HIGH = "root.tenants", "root.system.system-high"
DOCUMENTED_ORDER = ["P1", "P10", "P2", "P8", "P6", "P5", "P4", "P9", "P8", "P7", "P3"]

CONFIG = """
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: only
"""


@pytest.fixture
def wb() -> Workbench:
    return Workbench.example("multitenancy")


def order(wb: Workbench) -> list[str]:
    return [step.decision.key for step in wb.simulation.steps[: wb.simulation.position]]


# ---- time ---------------------------------------------------------------------------------------------------------


def test_eleven_steps_serve_the_requests_in_the_documented_order(wb):
    for _ in range(11):
        wb.step()
    assert order(wb) == DOCUMENTED_ORDER


def test_a_twelfth_step_changes_nothing_and_says_so(wb):
    wb.run()
    decision = wb.step()
    assert decision.outcome == "nothing"
    assert wb.simulation.position == 11
    assert "Nothing is waiting" in wb.status.text


def test_three_steps_back_and_three_forward_restore_the_same_state(wb):
    wb.run(max_steps=6)
    digest = wb.simulation.digest()
    assert wb.back(3) == 3
    assert wb.simulation.digest() != digest
    for _ in range(3):
        wb.step()
    assert wb.simulation.digest() == digest


def test_back_stops_at_the_start_and_says_so(wb):
    wb.step()
    assert wb.back(5) == 0
    assert wb.back() == 0
    assert "no earlier step" in wb.status.text


def test_reset_keeps_the_steps_on_the_rail(wb):
    wb.run(max_steps=4)
    wb.reset()
    assert (wb.simulation.position, wb.simulation.recorded) == (0, 4)
    assert wb.goto(4) == 4


def test_run_stops_after_the_decision_that_was_waited_for(wb):
    assert wb.run(until=lambda decision: decision.key == "P2") == 3


def test_going_to_a_step_that_does_not_exist_is_refused_and_told(wb):
    with pytest.raises(CommandError):
        wb.goto(99)
    assert wb.status.is_error
    assert wb.status.call == "bench.goto(99)"


# ---- edits --------------------------------------------------------------------------------------------------------


def test_removing_the_fence_of_the_tenants_changes_who_is_served(wb):
    wb.run(max_steps=5)
    outcome = wb.set(TENANTS, "priority.policy", "default")
    assert wb.simulation.position == 5
    assert wb.differs_at == 2
    assert "first differs at step 2" in outcome
    assert order(wb) != DOCUMENTED_ORDER[:5]


def test_an_edit_at_the_start_says_what_is_next_now(wb):
    outcome = wb.set(SYSTEM_HIGH, "priority.offset", -2000)
    assert "Next is P10 of app system-normal instead of P1 of app system-high" in outcome
    assert wb.differs_at == 0


def test_undo_and_redo_move_through_the_edits(wb):  # U-4
    before = wb.config
    wb.set(TENANTS, "priority.policy", "default")
    after = wb.config
    assert (wb.can_undo, wb.can_redo) == (True, False)
    wb.undo()
    assert wb.config == before
    assert (wb.can_undo, wb.can_redo) == (False, True)
    wb.redo()
    assert wb.config == after


def test_a_new_edit_ends_the_way_forward(wb):
    wb.set(TENANTS, "priority.offset", 5)
    wb.undo()
    wb.set(TENANTS, "priority.offset", 6)
    assert not wb.can_redo
    with pytest.raises(CommandError):
        wb.redo()


def test_setting_what_is_set_already_is_no_edit(wb):
    wb.set(TENANTS, "priority.policy", "fence")
    assert not wb.can_undo
    assert "already" in wb.status.text


def test_none_removes_a_property(wb):
    wb.set(TENANTS, "priority.policy", None)
    assert "priority.policy" not in wb.partition.root.children["tenants"].own_properties


@pytest.mark.parametrize(
    ("path", "key", "value", "told"),
    [
        (TENANTS, "priority.offset", "ten", "'ten' is no whole number"),
        (TENANTS, "priority.offset", 2**31, "is not between"),
        (TENANTS, "priority.policy", "fenced", "Allowed: default, fence"),
        (TENANTS, "priority.ofset", "1", "did you mean priority.offset?"),
        ("root.tenant", "priority.offset", "1", "root.tenants"),
    ],
    ids=["no number", "out of range", "unknown word", "unknown key", "unknown queue"],
)
def test_a_refused_edit_leaves_design_and_state_as_they_were(wb, path, key, value, told):  # A-7, U-9
    wb.run(max_steps=3)
    config, digest = wb.config, wb.simulation.digest()
    with pytest.raises(ConfigError) as refused:
        wb.set(path, key, value)
    assert told in str(refused.value)
    assert wb.status.is_error and told in wb.status.text
    assert wb.config == config
    assert wb.simulation.digest() == digest
    assert not wb.can_undo


# ---- reading ------------------------------------------------------------------------------------------------------


def test_why_compares_on_the_way_down(wb):  # U-19
    assert "root: system (1001) before tenants (0)." in wb.why().splitlines()


def test_why_of_a_step_is_told_after_it_was_taken(wb):
    wb.run()
    assert wb.why(step=8).startswith("P9 of app child-b-1 was placed on node-1.")
    assert wb.simulation.position == 11


def test_why_not_names_the_fence(wb):
    assert "The fence at tenants makes its priority 9 count as 0 there." in wb.why_not("P9")


def test_a_key_that_two_applications_use_is_told_apart_by_the_application(wb):
    assert "child-b-2" in wb.why_not("P8", application="child-b-2")
    assert "child-a-1" in wb.why_not("P8", application="child-a-1")


def test_asking_for_a_request_that_does_not_wait_is_refused(wb):
    with pytest.raises(CommandError, match="no request P99 is waiting"):
        wb.why_not("P99")


def test_tables_are_stable_text(wb):
    assert wb.table("pending").splitlines()[1].split()[:3] == ["1", "P1", "system-high"]
    assert wb.table("pending") == Workbench.example("multitenancy").table("pending")
    wb.step()
    assert wb.table("order").splitlines()[1].split()[-1] == "node-1"
    with pytest.raises(
        CommandError, match="there are pending, priorities, running, events, records, changes, autoscaling, inputs, order"
    ):
        wb.table("nosuch")


def test_the_representation_is_three_stable_lines(wb):  # U-28
    assert repr(wb).splitlines() == [
        "Workbench multitenancy",
        "Step 0, 11 requests waiting",
        "Next: P1 of app system-high",
    ]


def test_text_shows_itself_without_quotes(wb):
    assert repr(wb.why()) == str(wb.why())


def test_long_sentences_are_broken_between_words_where_they_are_shown():
    wb = Workbench.example("documented/state-aware-run")
    wb.step()
    said, shown = wb.why_not("D2"), repr(wb.why_not("D2"))
    assert max(map(len, said.splitlines())) > 112 >= max(map(len, shown.splitlines()))
    assert shown.replace("\n    ", " ") == said


def test_the_step_that_will_serve_each_request_is_known_before(wb):  # U-2
    served = dict(wb.turns)
    wb.run()
    assert served == {(step.decision.application_id, step.decision.key): step.number for step in wb.simulation.steps}


def test_a_changed_design_changes_the_turns_at_once_at_the_start(wb):
    before = wb.table("pending")
    assert wb.turns["child-b-1", "P9"] == 8
    wb.set("root.tenants.tenant-b", "priority.offset", 20)
    assert wb.turns["child-b-1", "P9"] == 4
    assert wb.table("pending") != before


def test_what_will_never_be_served_has_no_turn():
    wb = Workbench.example("quota-headroom")
    waits_for_ever = {(item.application.id, item.ask.key) for item in wb.simulation.waiting()} - set(wb.turns)
    wb.run()
    assert {(item.application.id, item.ask.key) for item in wb.simulation.waiting()} == waits_for_ever != set()


# ---- the equivalent calls -----------------------------------------------------------------------------------------


def test_every_verb_says_its_call(wb):  # U-5
    wb.step()
    assert wb.status.call == "bench.step()"
    wb.set(TENANTS, "priority.offset", 5)
    assert wb.status.call == 'bench.set("root.tenants", "priority.offset", "5")'
    wb.select(TENANTS)
    assert wb.status.call == 'bench.select("root.tenants")'


def test_the_calls_lead_to_the_same_state_again(wb):
    wb.run(max_steps=5)
    wb.set(TENANTS, "priority.policy", "default")
    wb.back(2)
    wb.step()
    wb.select(request="P9")
    scope = {"Workbench": Workbench}
    exec("\n".join(wb.calls), scope)  # the calls are ours, made by the verbs above
    again = scope["bench"]
    assert again.simulation.digest() == wb.simulation.digest()
    assert again.config == wb.config
    assert again.selected_request == wb.selected_request


def test_of_a_row_of_moves_only_the_last_call_is_kept(wb):
    wb.run(max_steps=4)
    for step in (3, 2, 1, 2):
        wb.goto(step)
    assert wb.calls[-2:] == ["bench.run(max_steps=4)", "bench.goto(2)"]


def test_names_in_calls_are_literals():
    odd = 'a"b\\c\n<i>'
    wb = Workbench.example("multitenancy")
    with pytest.raises(CommandError):
        wb.select(odd)
    assert eval(wb.status.call.removeprefix("bench.select(").removesuffix(")")) == odd


# ---- opening ------------------------------------------------------------------------------------------------------


def test_a_queue_configuration_opens_from_text_and_from_a_file(tmp_path: Path):
    file = tmp_path / "queues.yaml"
    file.write_text(CONFIG)
    from_text, from_file, opened = Workbench.from_yaml(CONFIG), Workbench.from_yaml(file), Workbench.open(str(file))
    assert from_text.config == from_file.config == opened.config
    assert opened.name == "queues"
    assert "nothing" in repr(opened)


def test_a_scenario_opens_as_object_and_by_name():
    assert Workbench.from_scenario(example("multitenancy")).name == "multitenancy"
    assert Workbench.open("multitenancy").simulation.digest() == Workbench.example("multitenancy").simulation.digest()


def test_the_lab_hands_its_design_over_in_the_environment(monkeypatch):
    monkeypatch.setenv("WORKBENCH_DESIGN", "two-tenants")
    assert Workbench.open().name == "two-tenants"
    monkeypatch.delenv("WORKBENCH_DESIGN")
    assert Workbench.open().name == "multitenancy"


def test_a_design_that_does_not_exist_is_told_with_the_examples():
    with pytest.raises(ScenarioError, match="multitenancy"):
        Workbench.open("no-such-design")


def test_a_configuration_that_is_refused_tells_the_line():
    with pytest.raises(ConfigError) as refused:
        Workbench.from_yaml(CONFIG.replace("- name: only", "- name: only\n            nosuchkey: 1"))
    assert refused.value.line == 9


def test_another_design_is_loaded_and_undo_brings_the_first_one_back_with_its_edits_and_step(wb):  # U-4
    wb.set(TENANTS, "priority.offset", 5)
    wb.run(max_steps=3)
    wb.select(TENANTS)
    digest = wb.simulation.digest()
    wb.load("two-tenants")
    assert (wb.name, wb.selected, wb.simulation.position) == ("two-tenants", "", 0)
    loaded = wb.simulation.digest()
    wb.undo()
    assert (wb.name, wb.simulation.position, wb.simulation.digest()) == ("multitenancy", 3, digest)
    wb.redo()
    assert (wb.name, wb.simulation.digest()) == ("two-tenants", loaded)
    wb.undo()
    wb.undo()
    assert wb.config == Workbench.example("multitenancy").config


def test_a_design_that_cannot_be_loaded_leaves_the_present_one(wb):
    wb.step()
    with pytest.raises(ScenarioError):
        wb.load("no-such-design")
    assert (wb.name, wb.simulation.position) == ("multitenancy", 1)


def test_a_bug_in_a_verb_is_told_and_not_hidden(wb, monkeypatch):  # P10
    def broken():
        raise RuntimeError("engine trouble")

    monkeypatch.setattr(wb.simulation, "step", broken)
    with pytest.raises(RuntimeError):
        wb.step()
    assert wb.status.is_error
    assert "engine trouble" in wb.status.text


# ---- the release whose rules are followed ---------------------------------------------------------------------------


def test_another_engine_plays_the_same_inputs_by_its_own_rules_and_can_be_undone():  # section 3, Engine; R-572
    wb = Workbench.example("state-aware")
    assert wb.simulation.release == "1.4"
    wb.run()
    before, steps = wb.simulation.digest(), order(wb)
    assert "The outcome first differs at step" in wb.release("1.8")
    assert wb.simulation.release == "1.8"
    assert order(wb) != steps
    assert wb.calls[-1] == 'bench.release("1.8")'
    wb.undo()
    assert wb.simulation.release == "1.4"
    assert (wb.simulation.digest(), order(wb)) == (before, steps)


def test_an_unknown_release_is_refused_and_nothing_changes(wb):  # U-9
    wb.run(max_steps=2)
    before = wb.simulation.digest()
    with pytest.raises(CommandError, match="there is no release '2'; there are 1.8 and 1.4"):
        wb.release("2")
    assert wb.simulation.digest() == before
    assert not wb.can_undo
