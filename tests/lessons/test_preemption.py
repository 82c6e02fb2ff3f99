"""The lesson on preemption: its exercise, and the scenes that its text describes, which the real core was asked about."""

from __future__ import annotations

import pytest
from lessons.trying import assert_not_yet, with_settings
from picture_scenes import same_keys

from workbench import CommandError, Workbench, lessons

CLINIC, RESEARCH = "root.clinic", "root.research"
POLICY, DELAY = "preemption.policy", "preemption.delay"
FENCES = [(CLINIC, POLICY, "fence"), (RESEARCH, POLICY, "fence")]


@pytest.mark.parametrize(
    "changes",
    [
        [*FENCES, (f"{CLINIC}.emergency", DELAY, "10s"), (f"{RESEARCH}.study-a", DELAY, "1m")],
        [*FENCES, (CLINIC, DELAY, "15s"), (RESEARCH, DELAY, "2m")],
        [*FENCES, ("root", DELAY, "60s"), (f"{CLINIC}.emergency", DELAY, "1s")],
    ],
    ids=["delays on the leaves", "delays on the parents", "a delay for all, and an exception"],
)
def test_fences_and_delays_solve_it(exercise, bench, changes):  # P-13, P-22, P-30
    with_settings(bench, changes)
    assert exercise.check(bench).startswith("Solved.")
    assert bench.simulation.position == 0


def test_a_maximum_that_is_reached_is_a_fence_too(exercise, bench):  # P-32
    with_settings(bench, [FENCES[1], (CLINIC, DELAY, "15s"), (RESEARCH, DELAY, "60s")])
    bench.set(CLINIC, "resources.max", {"vcore": "6"})
    assert exercise.check(bench).startswith("Solved.")


@pytest.mark.parametrize(
    "changes, says",
    [
        ([], "E1 of emergency starts after 30.1 s, not within 20"),
        ([(CLINIC, DELAY, "10s")], "E1 of root.clinic.emergency stops S2 of root.research.study-b"),
        ([(f"{CLINIC}.emergency", POLICY, "fence"), (CLINIC, DELAY, "10s")], "E1 of emergency does not start in five minutes"),
        (
            [FENCES[0], (CLINIC, DELAY, "10s"), (RESEARCH, DELAY, "60s")],
            "A3 of root.research.study-a stops P1 of root.clinic.reports",
        ),
        ([*FENCES, ("root", DELAY, "10s")], "something is stopped for A2 of study-a after 10.4 s"),
        ([*FENCES, (CLINIC, DELAY, "10s"), (RESEARCH, DELAY, "1h")], "A2 of study-a does not start in five minutes"),
    ],
    ids=["as given", "no fence", "a fence on the leaf", "one fence", "one delay for all", "too patient"],
)
def test_what_does_not_solve_it_is_told_by_what_happens(exercise, bench, changes, says):
    with_settings(bench, changes)
    assert_not_yet(exercise, bench, says)


def test_stepping_and_waiting_before_the_check_changes_nothing(exercise, bench):
    with_settings(bench, [*FENCES, (CLINIC, DELAY, "15s"), (RESEARCH, DELAY, "60s")])
    bench.advance(40)
    bench.run()
    assert bench.simulation.position > 0
    assert exercise.check(bench).startswith("Solved.")


# ---- the scenes of the text -----------------------------------------------------------------------------------------


def ready() -> Workbench:
    """The first scene, when the delay has passed."""
    bench = Workbench.example("lessons/preemption")
    bench.advance(30)
    return bench


def test_the_newest_that_may_be_stopped_is_stopped_and_in_the_end_what_had_opted_out():  # P-60, P-72
    seen = lessons.watch(ready())
    assert [(each.key, [victim.key for victim in each.stopped]) for each in seen.happenings if each.stopped] == [
        ("R2", ["B3"]),
        ("R3", ["G1"]),
    ]
    assert seen.start_of("R4") is None


@pytest.mark.parametrize(
    "change, stopped",
    [
        (("root.company", POLICY, "fence"), ["B3"]),
        (("root.company.red", POLICY, "fence"), []),
        (("root.company.blue", POLICY, "disabled"), ["G1"]),
        (("root.guests", POLICY, "disabled"), ["B3"]),
        (("root.company.blue", "priority.offset", "1"), ["G1"]),
        (("root.company.red", "priority.offset", "5"), ["G2", "B3"]),
    ],
    ids=["a fence", "a fence on the leaf", "blue is disabled", "guests are disabled", "blue counts more", "red counts 5"],
)
def test_what_a_setting_makes_of_it(change, stopped):  # P-12, P-30, P-33
    bench = ready()
    bench.set(*change)
    assert [each.key for each in lessons.watch(bench).stopped] == stopped


def storm(**policies: str) -> Workbench:
    bench = Workbench.example("lessons/preemption-storm")
    for team, policy in policies.items():
        bench.set(f"root.team-{team}", POLICY, policy)
    return bench


def test_two_teams_stop_each_other_without_end():  # P-46
    seen = lessons.watch(storm(), 300)
    assert [each.key for each in seen.stopped] == ["B1", "A2", "B1.2", "A2.2", "B1.3", "A2.3", "B1.4", "A2.4", "B1.5"]
    assert len(seen.returned) == 7
    assert "9 stopped, 7 of these had been stopped before" in repr(seen)


def test_what_comes_back_comes_back_to_its_own_application_though_others_use_the_same_key():
    seen = lessons.watch(Workbench(same_keys()), 60)
    assert [(each.application_id, each.key, each.queue) for each in seen.stopped] == [("one", "p", "root.team.guest")]
    apps = seen.simulation.state.partitions["default"].applications
    assert [sorted(apps[app].asks) for app in ("one", "two", "three")] == [["p.2"], ["p"], ["p"]]


def test_a_longer_delay_slows_the_storm_and_ends_it_not():
    bench = storm()
    bench.set("root", DELAY, "2m")
    assert [each.key for each in lessons.watch(bench, 600).stopped] == ["B1", "A2", "B1.2", "A2.2"]


def test_fences_end_the_storm_and_the_checks_say_what_they_cost():  # L-31
    bench = storm(a="fence", b="fence")
    assert lessons.watch(bench).stopped == ()
    assert [(check.code, check.path) for check in bench.check()] == [
        ("L-31", "root.team-a.train-a"),
        ("L-31", "root.team-b.train-b"),
    ]


def test_without_the_guarantees_of_the_teams_there_is_no_storm():  # P-46
    bench = storm()
    for team in ("root.team-a", "root.team-b"):
        bench.set(team, "resources.guaranteed", {})
    assert lessons.watch(bench).stopped == ()
    assert not bench.check()


def test_a_fence_protects_nobody_inside():  # P-31
    bench = ready()
    bench.set("root.company", POLICY, "fence")
    bench.set("root.company.red", "resources.guaranteed", {"vcore": "2"})
    bench.set("root.guests", "resources.guaranteed", {"vcore": "6"})
    bench.add_request("visitors", "G3", "vcore: 2")
    assert [each.key for each in lessons.watch(bench, 60).stopped] == ["B3"]


def test_a_shorter_delay_is_kept_and_warned_of():  # L-29, L-40
    bench = Workbench.example("lessons/preemption")
    bench.set("root.company", DELAY, "10s")
    assert [int(each.waited_ns / 1e9) for each in lessons.watch(bench, 60).happenings if each.stopped] == [10, 10]
    assert [check.code for check in bench.check()] == ["L-29", "L-40"]


def test_one_fence_decides_who_loses():  # P-31
    assert [each.key for each in lessons.watch(storm(b="fence")).stopped] == ["B1"]


# ---- watching -------------------------------------------------------------------------------------------------------


def test_watching_leaves_the_workbench_as_it_is():
    bench = storm()
    before = bench.simulation.digest()
    text = repr(lessons.watch(bench, 60))
    assert (bench.simulation.digest(), bench.simulation.position, bench.calls) == (before, 0, storm().calls)
    assert text == repr(lessons.watch(bench, 60))


def test_second_lives_are_counted_only_where_there_are_some():
    assert "In 120 s: 2 stopped.\nUsed at the end: blue vcore 4, red vcore 6, guests vcore 2." in repr(lessons.watch(ready(), 120))


def test_who_starts_without_stopping_anything_has_a_row_of_its_own():
    bench = Workbench.example("two-tenants")
    assert "starts" in repr(lessons.watch(bench, 10))
    assert "0 stopped." in repr(lessons.watch(bench, 10))


@pytest.mark.parametrize("seconds", [0, -1, 3601])
def test_no_time_or_too_much_is_refused(seconds):
    with pytest.raises(CommandError, match="watching takes"):
        lessons.watch(storm(), seconds)
