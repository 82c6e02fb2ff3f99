"""The exercise of the lesson on rolling out, and the files that the lesson begins with."""

from __future__ import annotations

import pytest
from lessons.trying import assert_not_yet, with_settings

from workbench import CommandError, Workbench, diff, example, export, lessons, load_config
from workbench.simulation.scenario import Schedule

TEACHING, RESEARCH, PHYSICS, BIOLOGY = "root.teaching", "root.research", "root.research.physics", "root.research.biology"
RENAMED = [
    ("L-10", TEACHING, "Set priority.offset of root.teaching to 0."),
    ("L-13", RESEARCH, "Rename application.sort.polcy of root.research to application.sort.policy."),
]
REMOVED = [
    ("L-10", TEACHING, "Remove priority.policy of root.teaching."),
    ("L-13", RESEARCH, "Remove application.sort.polcy of root.research."),
]


@pytest.mark.parametrize("mends", [REMOVED, [RENAMED[0], REMOVED[1]]], ids=["without the fence", "with the fence"])
@pytest.mark.parametrize("path, offset", [(BIOLOGY, 1), (BIOLOGY, 100), (PHYSICS, -1)])
def test_an_offset_and_two_remedies_solve_it(exercise, bench, mends, path, offset):
    for mend in mends:
        bench.mend(*mend)
    bench.set(path, "priority.offset", offset)
    assert exercise.check(bench).startswith("Solved.")


@pytest.mark.parametrize(
    "mends, changes, says",
    [
        ([], [], "b1 is served after p1"),
        ([], [(BIOLOGY, "priority.offset", 10)], "check L-10 still reports"),
        (REMOVED[:1], [(BIOLOGY, "priority.offset", 10)], "check L-13 still reports"),
        (RENAMED, [(BIOLOGY, "priority.offset", 10)], "check L-18 still reports"),
        (REMOVED, [(BIOLOGY, "resources.guaranteed", {"vcore": 4})], "b1 is served after p1"),
        (REMOVED, [(RESEARCH, "priority.offset", 10)], "b1 is served after p1"),
        (
            REMOVED,
            [(BIOLOGY, "priority.offset", 10), (RESEARCH, "resources.max", None), ("root.scavenge", "priority.offset", 20)],
            "n2 is never served",
        ),
        (REMOVED, [(BIOLOGY, "priority.offset", 10), (BIOLOGY, "resources.max", {"vcore": 4, "memory": "16Gi"})], "5 keys differ"),
    ],
    ids=[
        "as given",
        "unchecked",
        "one slip left",
        "the slip put right",
        "a guarantee",
        "the parent's offset",
        "nothing left for the course",
        "too much",
    ],
)
def test_what_does_not_solve_it_is_told_by_what_happens(exercise, bench, mends, changes, says):
    for mend in mends:
        bench.mend(*mend)
    with_settings(bench, changes)
    assert_not_yet(exercise, bench, says)


def test_the_exercise_has_the_configuration_and_the_load_of_the_lesson():
    scenario, text = example("lessons/campus"), lessons.material("campus-configmap.yaml")
    imported = Workbench.from_configmap(text)
    assert not diff.diff(imported.config, load_config(scenario.config))
    imported.add_node("node", "vcore: 8, memory: 32Gi", repeat=2)
    imported.load_inputs(lessons.material("campus-morning.csv"))
    given = [event.command for event in scenario.events if not isinstance(event.command, Schedule)]
    assert [event.command for event in imported.simulation.inputs] == given


def test_the_configuration_goes_out_as_it_came_in_with_the_other_settings(bench):
    text = lessons.material("campus-configmap.yaml")
    back = Workbench.from_configmap(text).to_configmap(others=export.other_data(text))
    assert export.other_data(back) == {"log.level": "INFO", "service.schedulingInterval": "1s"}
    assert not diff.diff(Workbench.from_configmap(back).config, bench.config)


def test_material_that_is_not_there_is_told_with_what_is():
    with pytest.raises(CommandError, match="there are campus-configmap.yaml, campus-morning.csv"):
        lessons.material("../exercise.py")
