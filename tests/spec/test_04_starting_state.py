"""Chapter 04, section 6: the state STARTING of release 1.4, and what a gang's time-outs were like there."""

from __future__ import annotations

import pytest
from scenes import Scene

from workbench.scheduler.objects import lifecycle
from workbench.scheduler.releases.profiles import PROFILES, STARTING_NS, V1_4, V1_8, profile_of
from workbench.values.errors import CommandError

EVENTS = ("runApplication", "rejectApplication", "completeApplication", "failApplication", "expireApplication", "resumeApplication")
TAG = "application.stateaware.disable"


def starting(**fields) -> Scene:
    """An application `x` of release 1.4 with one of its asks allocated."""
    scene = Scene(release="1.4").node("n1", vcore=10).app("x", **fields).ask("x", "first")
    scene.cycle()
    return scene


def running_count(scene: Scene) -> int:
    """What leaf and root count; they must agree."""
    (count,) = {scene.queue(path).running_applications for path in ("root", "root.a")}
    return count


# -- the state --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "row"),
    [
        ("Accepted", ("Starting", None, "Completing", "Failing", None, "Resuming")),
        ("Starting", ("Running", None, "Completing", "Failing", None, None)),
    ],
)
def test_starting_lies_between_accepted_and_running(state, row):
    assert tuple(lifecycle.next_state(V1_4.transitions, state, event) for event in EVENTS) == row


def test_all_other_rows_are_those_of_1_8():
    others = V1_4.transitions.keys() - {"Accepted", "Starting"}
    assert others == V1_8.transitions.keys() - {"Accepted"}
    assert all(V1_4.transitions[state] == V1_8.transitions[state] for state in others)


def test_the_first_allocation_starts_an_application_and_the_second_makes_it_run():
    scene = starting()
    assert scene.state("x") == "Starting"
    scene.ask("x", "second").cycle()
    assert scene.states("x") == ["Accepted", "Starting", "Running"]


def test_an_allocation_reported_for_a_new_application_starts_it():
    scene = Scene(release="1.4").node("n1", vcore=10).app("x").ask("x", "k", on="n1")
    assert scene.states("x") == ["Accepted", "Starting"]


def test_a_complete_set_of_placeholders_starts_an_application():
    scene = Scene(release="1.4").node("n1", vcore=10).app("g", gang={"vcore": 4}).placeholders("g", 2, vcore=2)
    scene.cycle()
    assert scene.state("g") == "Accepted"
    scene.cycle()
    assert scene.state("g") == "Starting"


def test_of_a_complete_gang_the_second_replacement_makes_it_run():
    scene = Scene(release="1.4").node("n1", vcore=10).app("g", gang={"vcore": 4}).placeholders("g", 2, vcore=2)
    scene.cycles(2)
    scene.ask("g", "r1", group="tg", vcore=2).ask("g", "r2", group="tg", vcore=2)
    scene.cycle()
    assert scene.state("g") == "Starting"
    scene.cycle()
    assert scene.state("g") == "Running"


def test_new_asks_change_nothing_while_it_starts():
    assert starting().ask("x", "second").state("x") == "Starting"


# -- its timer --------------------------------------------------------------------------------------------------------


def test_after_five_minutes_it_runs_with_one_allocation_only():
    scene = starting()
    scene.advance(298.9)
    assert scene.state("x") == "Starting"
    scene.advance(2)
    assert scene.state("x") == "Running"
    assert STARTING_NS == 5 * 60 * 10**9


def test_running_earlier_stops_the_timer():
    scene = starting().advance(100)
    scene.ask("x", "second").cycle()
    scene.forget().advance(400)
    assert scene.states("x") == []


def test_undoing_brings_the_timer_back():
    scene = starting()
    mark = scene.engine.mark
    scene.ask("x", "second").cycle()
    assert scene.state("x") == "Running"
    scene.engine.unwind(mark)
    assert scene.state("x") == "Starting"
    assert scene.advance(301).state("x") == "Running"


# -- the running counter ----------------------------------------------------------------------------------------------


def test_an_application_counts_as_running_from_its_start_and_once():
    scene = starting()
    assert running_count(scene) == 1
    scene.ask("x", "second").cycle()
    assert (scene.state("x"), running_count(scene)) == ("Running", 1)


def test_it_no_longer_counts_when_it_completes_from_its_start():
    scene = starting().release("x", "first")
    assert (scene.state("x"), running_count(scene)) == ("Completing", 0)


def test_it_no_longer_counts_when_it_fails_from_its_start():
    scene = starting()
    lifecycle.fire(scene.engine._ctx, scene.partition, scene.application("x"), "failApplication")
    assert (scene.state("x"), running_count(scene)) == ("Failing", 0)


def test_it_no_longer_counts_when_it_stops_running():
    scene = starting().advance(301)
    assert (scene.state("x"), running_count(scene)) == ("Running", 1)
    scene.release("x", "first")
    assert (scene.state("x"), running_count(scene)) == ("Completing", 0)


def test_a_starting_application_takes_a_slot_of_its_queue():
    scene = Scene("a: {maxapplications: 1}", release="1.4").node("n1", vcore=10).wants("x", "root.a").wants("y", "root.a")
    assert scene.cycles(3) == ["x-0"]
    assert scene.queue("root.a").allocating_accepted == {}


def test_the_slot_of_a_gang_passes_from_its_placeholders_to_its_start():
    scene = Scene("a: {maxapplications: 1}", release="1.4").node("n1", vcore=10)
    scene.app("g", gang={"vcore": 4}).placeholders("g", 2, vcore=2)
    scene.cycle()
    assert (list(scene.queue("root.a").allocating_accepted), running_count(scene)) == (["g"], 0)
    scene.cycle()
    assert (list(scene.queue("root.a").allocating_accepted), running_count(scene)) == ([], 1)


# -- the tag ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["true", "false", "0", " "])
def test_any_value_of_the_tag_takes_it_through_starting_at_once(value):
    scene = starting(tags={TAG: value})
    assert scene.states("x") == ["Accepted", "Starting", "Running"]
    assert [state for _, state in scene.application("x").state_log] == ["Accepted", "Starting", "Running"]
    assert running_count(scene) == 1


def test_an_empty_tag_says_nothing():
    assert starting(tags={TAG: ""}).state("x") == "Starting"


def test_the_name_of_the_tag_is_read_in_any_case():
    assert starting(tags={TAG.upper(): "true"}).state("x") == "Running"


# -- and back ---------------------------------------------------------------------------------------------------------


def test_completing_goes_back_to_running_and_never_to_starting():
    scene = starting().release("x", "first").forget()
    scene.ask("x", "second")
    assert (scene.states("x"), running_count(scene)) == (["Running"], 1)
    scene.cycle()
    scene.advance(400)
    assert scene.states("x") == ["Running"]


# -- versions ---------------------------------------------------------------------------------------------------------


def test_1_8_knows_neither_the_state_nor_its_timer_nor_the_tag():
    assert "Starting" not in V1_8.transitions
    assert "Starting" not in V1_8.state_timers
    scene = Scene().node("n1", vcore=10).app("x", tags={TAG: "true"}).ask("x", "first")
    scene.cycle()
    assert scene.states("x") == ["Accepted", "Running"]


@pytest.mark.parametrize("release", ["1.2", "1.80", "", "v1.4"])
def test_there_are_the_versions_1_9_and_1_8_and_1_4_and_no_other(release):  # C-180, C-181, PL-140
    with pytest.raises(CommandError, match="there are 1.9, 1.8 and 1.4"):
        profile_of(release)
    assert list(PROFILES) == ["1.9", "1.8", "1.4"]


# -- gangs in 1.4 -----------------------------------------------------------------------------------------------------


def gang(style: str = "", *, node: int = 10, confirm: bool = True) -> Scene:
    """Two placeholders of two cores; on a node of two only one of them finds room. They time out after 5 s."""
    scene = Scene(release="1.4", confirm=confirm).node("n1", vcore=node).app("g", gang={"vcore": 4}, style=style, timeout_s=5)
    scene.placeholders("g", 2, vcore=2).cycles(2)
    return scene.forget()


def timed_out(scene: Scene) -> int:
    return scene.application("g").task_groups["tg"].timed_out


def test_a_starting_gang_that_times_out_loses_its_placeholders_only():
    scene = gang("Hard").advance(5)
    assert scene.released("TIMEOUT") == ["g-ph-0", "g-ph-1"]
    assert scene.states("g") == ["Completing"]


def test_placeholders_count_as_timed_out_when_that_is_announced():
    scene = gang(confirm=False).advance(5)
    assert timed_out(scene) == 2
    scene.confirm_releases()
    assert timed_out(scene) == 2


def test_a_whole_group_counts_as_timed_out_when_an_incomplete_gang_times_out():
    assert timed_out(gang(node=2, confirm=False).advance(5)) == 2


def test_a_placeholder_that_the_resource_manager_takes_away_counts_when_it_is_gone():
    assert timed_out(gang().release("g", "g-ph-0")) == 1


def test_what_a_larger_ask_makes_unusable_does_not_keep_it_waiting():
    scene = gang().ask("g", "large", group="tg", vcore=3)
    assert scene.cycles(1) == ["large"]
    assert timed_out(scene) == 2
