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
def bench() -> Workbench:
    return Workbench.example("multitenancy")


def order(bench: Workbench) -> list[str]:
    return [step.decision.key for step in bench.simulation.steps[: bench.simulation.position]]


# ---- time ---------------------------------------------------------------------------------------------------------


def test_eleven_steps_serve_the_requests_in_the_documented_order(bench):
    for _ in range(11):
        bench.step()
    assert order(bench) == DOCUMENTED_ORDER


def test_a_twelfth_step_changes_nothing_and_says_so(bench):
    bench.run()
    decision = bench.step()
    assert decision.outcome == "nothing"
    assert bench.simulation.position == 11
    assert "Nothing is waiting" in bench.status.text


def test_three_steps_back_and_three_forward_restore_the_same_state(bench):
    bench.run(max_steps=6)
    digest = bench.simulation.digest()
    assert bench.back(3) == 3
    assert bench.simulation.digest() != digest
    for _ in range(3):
        bench.step()
    assert bench.simulation.digest() == digest


def test_back_stops_at_the_start_and_says_so(bench):
    bench.step()
    assert bench.back(5) == 0
    assert bench.back() == 0
    assert "no earlier step" in bench.status.text


def test_reset_keeps_the_steps_on_the_rail(bench):
    bench.run(max_steps=4)
    bench.reset()
    assert (bench.simulation.position, bench.simulation.recorded) == (0, 4)
    assert bench.goto(4) == 4


def test_run_stops_after_the_decision_that_was_waited_for(bench):
    assert bench.run(until=lambda decision: decision.key == "P2") == 3


def test_going_to_a_step_that_does_not_exist_is_refused_and_told(bench):
    with pytest.raises(CommandError):
        bench.goto(99)
    assert bench.status.is_error
    assert bench.status.call == "bench.goto(99)"


# ---- edits --------------------------------------------------------------------------------------------------------


def test_removing_the_fence_of_the_tenants_changes_who_is_served(bench):
    bench.run(max_steps=5)
    outcome = bench.set(TENANTS, "priority.policy", "default")
    assert bench.simulation.position == 5
    assert bench.differs_at == 2
    assert "first differs at step 2" in outcome
    assert order(bench) != DOCUMENTED_ORDER[:5]


def test_an_edit_at_the_start_says_what_is_next_now(bench):
    outcome = bench.set(SYSTEM_HIGH, "priority.offset", -2000)
    assert "Next is P10 of app system-normal instead of P1 of app system-high" in outcome
    assert bench.differs_at == 0


def test_undo_and_redo_move_through_the_edits(bench):  # U-4
    before = bench.config
    bench.set(TENANTS, "priority.policy", "default")
    after = bench.config
    assert (bench.can_undo, bench.can_redo) == (True, False)
    bench.undo()
    assert bench.config == before
    assert (bench.can_undo, bench.can_redo) == (False, True)
    bench.redo()
    assert bench.config == after


def test_a_new_edit_ends_the_way_forward(bench):
    bench.set(TENANTS, "priority.offset", 5)
    bench.undo()
    bench.set(TENANTS, "priority.offset", 6)
    assert not bench.can_redo
    with pytest.raises(CommandError):
        bench.redo()


def test_setting_what_is_set_already_is_no_edit(bench):
    bench.set(TENANTS, "priority.policy", "fence")
    assert not bench.can_undo
    assert "already" in bench.status.text


def test_none_removes_a_property(bench):
    bench.set(TENANTS, "priority.policy", None)
    assert "priority.policy" not in bench.partition.root.children["tenants"].own_properties


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
def test_a_refused_edit_leaves_design_and_state_as_they_were(bench, path, key, value, told):  # A-7, U-9
    bench.run(max_steps=3)
    config, digest = bench.config, bench.simulation.digest()
    with pytest.raises(ConfigError) as refused:
        bench.set(path, key, value)
    assert told in str(refused.value)
    assert bench.status.is_error and told in bench.status.text
    assert bench.config == config
    assert bench.simulation.digest() == digest
    assert not bench.can_undo


# ---- reading ------------------------------------------------------------------------------------------------------


def test_why_compares_on_the_way_down(bench):  # U-19
    assert "root: system (1001) before tenants (0)." in bench.why().splitlines()


def test_why_of_a_step_is_told_after_it_was_taken(bench):
    bench.run()
    assert bench.why(step=8).startswith("P9 of app child-b-1 was placed on node-1.")
    assert bench.simulation.position == 11


def test_why_not_names_the_fence(bench):
    assert "The fence at tenants makes its priority 9 count as 0 there." in bench.why_not("P9")


def test_a_key_that_two_applications_use_is_told_apart_by_the_application(bench):
    assert "child-b-2" in bench.why_not("P8", application="child-b-2")
    assert "child-a-1" in bench.why_not("P8", application="child-a-1")


def test_asking_for_a_request_that_does_not_wait_is_refused(bench):
    with pytest.raises(CommandError, match="no request P99 is waiting"):
        bench.why_not("P99")


def test_tables_are_stable_text(bench):
    assert bench.table("pending").splitlines()[1].split()[:3] == ["1", "P1", "system-high"]
    assert bench.table("pending") == Workbench.example("multitenancy").table("pending")
    bench.step()
    assert bench.table("order").splitlines()[1].split()[-1] == "node-1"
    with pytest.raises(
        CommandError, match="there are pending, priorities, running, events, records, changes, autoscaling, inputs, order"
    ):
        bench.table("nosuch")


def test_the_representation_is_three_stable_lines(bench):  # U-28
    assert repr(bench).splitlines() == [
        "Workbench multitenancy",
        "Step 0, 11 requests waiting",
        "Next: P1 of app system-high",
    ]


def test_text_shows_itself_without_quotes(bench):
    assert repr(bench.why()) == str(bench.why())


def test_long_sentences_are_broken_between_words_where_they_are_shown():
    bench = Workbench.example("documented/state-aware-run")
    bench.step()
    said, shown = bench.why_not("D2"), repr(bench.why_not("D2"))
    assert max(map(len, said.splitlines())) > 112 >= max(map(len, shown.splitlines()))
    assert shown.replace("\n    ", " ") == said


def test_the_step_that_will_serve_each_request_is_known_before(bench):  # U-2
    served = dict(bench.turns)
    bench.run()
    assert served == {(step.decision.application_id, step.decision.key): step.number for step in bench.simulation.steps}


def test_a_changed_design_changes_the_turns_at_once_at_the_start(bench):
    before = bench.table("pending")
    assert bench.turns["child-b-1", "P9"] == 8
    bench.set("root.tenants.tenant-b", "priority.offset", 20)
    assert bench.turns["child-b-1", "P9"] == 4
    assert bench.table("pending") != before


def test_what_will_never_be_served_has_no_turn():
    bench = Workbench.example("quota-headroom")
    waits_for_ever = {(item.application.id, item.ask.key) for item in bench.simulation.waiting()} - set(bench.turns)
    bench.run()
    assert {(item.application.id, item.ask.key) for item in bench.simulation.waiting()} == waits_for_ever != set()


# ---- the equivalent calls -----------------------------------------------------------------------------------------


def test_every_verb_says_its_call(bench):  # U-5
    bench.step()
    assert bench.status.call == "bench.step()"
    bench.set(TENANTS, "priority.offset", 5)
    assert bench.status.call == 'bench.set("root.tenants", "priority.offset", "5")'
    bench.select(TENANTS)
    assert bench.status.call == 'bench.select("root.tenants")'


def test_the_calls_lead_to_the_same_state_again(bench):
    bench.run(max_steps=5)
    bench.set(TENANTS, "priority.policy", "default")
    bench.back(2)
    bench.step()
    bench.select(request="P9")
    scope = {"Workbench": Workbench}
    exec("\n".join(bench.calls), scope)  # the calls are ours, made by the verbs above
    again = scope["bench"]
    assert again.simulation.digest() == bench.simulation.digest()
    assert again.config == bench.config
    assert again.selected_request == bench.selected_request


def test_of_a_row_of_moves_only_the_last_call_is_kept(bench):
    bench.run(max_steps=4)
    for step in (3, 2, 1, 2):
        bench.goto(step)
    assert bench.calls[-2:] == ["bench.run(max_steps=4)", "bench.goto(2)"]


def test_names_in_calls_are_literals():
    odd = 'a"b\\c\n<i>'
    bench = Workbench.example("multitenancy")
    with pytest.raises(CommandError):
        bench.select(odd)
    assert eval(bench.status.call.removeprefix("bench.select(").removesuffix(")")) == odd


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


def test_a_workbench_is_made_of_a_scenario_as_of_its_simulation():
    scenario = example("multitenancy")
    made = Workbench(scenario)
    assert made.name == "multitenancy" and "bench = Workbench.from_scenario(scenario)" in made.calls
    made.add_request("mine", "urgent", {"vcore": "1"}, queue=SYSTEM_HIGH)
    assert repr(Workbench(scenario)) == repr(Workbench.from_scenario(scenario))
    assert Workbench(scenario, name="mine").name == "mine"


@pytest.mark.parametrize(
    ("given", "found"),
    [("multitenancy", "the text 'multitenancy'"), (None, "nothing"), (object(), "a value of type object")],
)
def test_what_is_no_design_is_refused_when_the_workbench_is_made(given, found):
    with pytest.raises(CommandError) as refused:
        Workbench(given)
    assert str(refused.value) == (
        f"a Workbench is made of a Simulation or a Scenario, found {found}; "
        "Workbench.open takes names and paths, Workbench.from_yaml the text of a queues.yaml"
    )


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


def test_another_design_is_loaded_and_undo_brings_the_first_one_back_with_its_edits_and_step(bench):  # U-4
    bench.set(TENANTS, "priority.offset", 5)
    bench.run(max_steps=3)
    bench.select(TENANTS)
    digest = bench.simulation.digest()
    bench.load("two-tenants")
    assert (bench.name, bench.selected, bench.simulation.position) == ("two-tenants", "", 0)
    loaded = bench.simulation.digest()
    bench.undo()
    assert (bench.name, bench.simulation.position, bench.simulation.digest()) == ("multitenancy", 3, digest)
    bench.redo()
    assert (bench.name, bench.simulation.digest()) == ("two-tenants", loaded)
    bench.undo()
    bench.undo()
    assert bench.config == Workbench.example("multitenancy").config


def test_a_design_that_cannot_be_loaded_leaves_the_present_one(bench):
    bench.step()
    with pytest.raises(ScenarioError):
        bench.load("no-such-design")
    assert (bench.name, bench.simulation.position) == ("multitenancy", 1)


def test_a_bug_in_a_verb_is_told_and_not_hidden(bench, monkeypatch):  # P10
    def broken():
        raise RuntimeError("engine trouble")

    monkeypatch.setattr(bench.simulation, "step", broken)
    with pytest.raises(RuntimeError):
        bench.step()
    assert bench.status.is_error
    assert "engine trouble" in bench.status.text


# ---- the release whose rules are followed ---------------------------------------------------------------------------


def test_another_engine_plays_the_same_inputs_by_its_own_rules_and_can_be_undone():  # section 3, Engine; R-572
    bench = Workbench.example("state-aware")
    assert bench.simulation.release == "1.4"
    bench.run()
    before, steps = bench.simulation.digest(), order(bench)
    assert "The outcome first differs at step" in bench.release("1.8")
    assert bench.simulation.release == "1.8"
    assert order(bench) != steps
    assert bench.calls[-1] == 'bench.release("1.8")'
    bench.undo()
    assert bench.simulation.release == "1.4"
    assert (bench.simulation.digest(), order(bench)) == (before, steps)


def test_an_unknown_release_is_refused_and_nothing_changes(bench):  # U-9
    bench.run(max_steps=2)
    before = bench.simulation.digest()
    with pytest.raises(CommandError, match="there is no release '2'; there are 1.9, 1.8 and 1.4"):
        bench.release("2")
    assert bench.simulation.digest() == before
    assert not bench.can_undo
