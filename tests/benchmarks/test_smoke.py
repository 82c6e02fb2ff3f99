"""The benchmarks still run, do the work they claim, and report it. How long anything takes is not asked here."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path

import pytest
from scenes import config_text

from benchmarks import life_cycles, peer, replay, report, rollout, rollout_runs, screen, server, trace
from benchmarks.measure import Figure, Measured, Options, Target, compared, in_turn
from workbench.conformance.replay import replay as compare
from workbench.scheduler.records.commands import AddApplication, AddAsk, AddNode, ApplicationSpec, AskSpec
from workbench.simulation.scenario import AdvanceMs, Scenario, ScenarioEvent, Schedule, load_scenario
from workbench.values.resources import Resource

TINY = Options(rounds=1, scale=0.0001, allocations=3, requests=40)
RECORDED = Path(__file__).parents[1] / "conformance" / "scenarios"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """The report of everything at the smallest sizes: what was returned, printed and written."""
    printed, written = io.StringIO(), tmp_path_factory.mktemp("report") / "report.json"
    found = report.report(TINY, report.SECTIONS, json_file=written, file=printed)
    return found, printed.getvalue(), json.loads(written.read_text())


def test_every_section_reports(tiny):
    found, _, _ = tiny
    assert {figure["section"] for figure in found["figures"]} == set(report.SECTIONS)


def test_the_table_and_the_file_hold_every_figure(tiny):
    found, printed, written = tiny
    assert written["figures"] == json.loads(json.dumps(found["figures"]))
    rows = printed.splitlines()[2:]
    assert [row.split(" | ")[1] for row in rows] == [figure["name"] for figure in found["figures"]]


def test_what_needs_another_program_or_data_is_told_as_not_measured(tiny):
    found, _, _ = tiny
    missing = [figure for figure in found["figures"] if figure["value"] is None]
    assert {figure["section"] for figure in missing} >= {"peer", "trace"}
    assert all(figure["note"].startswith("not measured: ") and figure["met"] == "" for figure in missing)


def test_both_sides_of_a_ratio_do_the_same_amount_of_work(tiny):
    found, _, _ = tiny
    pairs = [figure["details"] for figure in found["figures"] if "one" in figure["details"]]
    assert len(pairs) >= 13
    assert all(pair["one"]["count"] == pair["other"]["count"] for pair in pairs)


def test_our_side_of_the_cores_benchmark_allocates_every_request():
    _, details = peer.ours(nodes=3, requests=20, queues=2, limit_s=60)
    assert details["allocated"] == 20


def test_every_address_that_the_clients_ask_for_is_there(tmp_path):
    with server.serving(4, 50, tmp_path) as served:

        async def statuses() -> set[int]:
            async with server.Client(served.port) as client:
                return {(await client.ask("GET", address))[0] for address in server.addresses(4, 50)}

        assert asyncio.run(statuses()) == {200}
        assert len(served.small_answers(clients=3, requests=20)) > 30


def test_life_cycles_leave_only_what_stays():
    engine = life_cycles.small_cluster(history=False)
    life_cycles.live(engine, "task", 5)
    applications = engine.state.partitions["default"].applications
    assert list(applications["app"].allocations) == ["stays-0"]
    assert engine.state.cycle == 6


# -- the recording made for the comparison with the core ---------------------------------------------------------------


@pytest.mark.parametrize("name", ["churn-0", "gang-0", "documented-preemption-normal"])
def test_the_recording_of_a_scenario_is_the_one_that_the_core_made(name, tmp_path):
    scenario = load_scenario(RECORDED / f"{name}.json")
    assert compare(scenario).agrees
    mine, cores = tmp_path / "mine.json", tmp_path / "core.json"
    mine.write_text(json.dumps(replay.recording(scenario)))
    cores.write_text(json.dumps(dict(scenario.expect)))
    assert trace.agreement(mine, cores) == (len(scenario.expect["trace"]),) * 2


def test_moments_that_differ_or_are_missing_are_not_alike(tmp_path):
    paths = [tmp_path / name for name in "ab"]
    for path, ids in zip(paths, (["a", "b", "c"], ["a", "x"])):
        path.write_text(json.dumps({"trace": [{"event": 0, "t_ms": 1, "outcomes": [{"app_accepted": id}]} for id in ids]}))
    assert trace.agreement(*paths) == (1, 3)


def test_long_waits_are_shortened_and_nothing_else():
    events = (
        ScenarioEvent(AddNode(node_id="n", capacity=Resource(vcore=1000))),
        ScenarioEvent(AdvanceMs(10**9), index=1),
        ScenarioEvent(AdvanceMs(7), index=2),
        ScenarioEvent(Schedule(3), index=3),
    )
    scenario = Scenario(config=config_text(), events=events)
    assert [event.command for event in trace.shortened(scenario).events] == [
        events[0].command,
        AdvanceMs(trace.LONGEST_WAIT_MS),
        AdvanceMs(7),
        Schedule(3),
    ]


def test_a_trace_replayed_by_a_fresh_process_is_recorded(tmp_path):
    (tmp_path / trace.NODES).write_text("sn,cpu_milli,memory_mib,gpu,model\nn1,4000,4096,0,\n")
    (tmp_path / trace.TASKS).write_text(
        "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n"
        "t1,1000,64,0,0,,LS,Running,5,900,5\n"
    )
    (figure,) = trace.figures(Options(trace=tmp_path))
    assert figure.note.startswith("not measured: no --peer; ours alone: ")
    assert figure.name.startswith("1 nodes and 1 tasks")


# -- runs of workloads --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "told"),
    [(("steady", "200", "4"), {"jobs": 20, "tasks": 200}), (("month", "60", "4", "3", "1"), {"jobs": 60, "tasks": 120})],
)
def test_a_run_that_is_measured_finishes_all_its_jobs(arguments, told):
    found = rollout_runs.main(*arguments)
    assert found["finished"] == found["jobs"] and told.items() <= found.items()


def test_the_most_memory_of_a_run_is_no_less_than_what_it_holds_at_its_end():
    found = rollout_runs.main("steady", "200", "4")
    assert found["bytes"] >= found["bytes_at_end"] > 0


def test_twice_the_idle_time_are_the_same_jobs_over_twice_the_days():
    once, twice = (rollout_runs.month(90, 4, 3, days_apart=days) for days in (1, 2))
    assert [job.tasks for job in once.jobs] == [job.tasks for job in twice.jobs]
    assert once.jobs[-1].submit_ms // rollout_runs.DAY_MS == 29
    assert twice.jobs[-1].submit_ms // rollout_runs.DAY_MS == 58


def test_the_file_for_another_simulator_is_read_as_single_tasks(tmp_path):
    file = tmp_path / "jobs.swf"
    file.write_text(rollout_runs.swf_text(20, 500, 16))
    assert rollout_runs.main("swf", str(file))["finished"] == 20


def test_months_of_the_trace_are_played_and_given_to_the_core(tmp_path):
    day_s = 24 * 3600
    (tmp_path / trace.NODES).write_text("sn,cpu_milli,memory_mib,gpu,model\nn1,4000,4096,0,\n")
    (tmp_path / trace.TASKS).write_text(
        "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n"
        f"t1,1000,64,0,0,,LS,Running,5,{90 * day_s},5\n"
    )
    given = tmp_path / "scenario.json"
    assert rollout_runs.main("trace", str(tmp_path), str(given))["days"] == 90
    assert load_scenario(given).pace.cycle_ns == 0
    figure = rollout._trace(Options(trace=tmp_path))
    assert figure.name.startswith("1 tasks of the trace over 90 days") and figure.note.startswith("not measured: no --peer")


# -- measuring --------------------------------------------------------------------------------------------------------


def test_pairs_are_measured_in_turn_and_the_first_one_alternates():
    order = []
    in_turn(lambda: order.append("a"), lambda: order.append("b"), 3)
    assert order == ["a", "b", "b", "a", "a", "b"]


def test_a_measurement_that_was_stopped_early_is_told():
    figure = compared("s", "n", lambda: lambda _: 3, lambda: lambda _: 5, Options(rounds=2), target=None, note="so")
    assert figure.note.endswith(" us; so; stopped early: 3 instead of 5")


def test_a_measurement_that_did_nothing_is_an_error():
    with pytest.raises(AssertionError, match="nothing was done"):
        compared("s", "n", lambda: lambda _: 0, lambda: lambda _: 5, Options(), target=None)


def test_time_counts_for_each_thing_done():
    assert Measured(count=4, seconds=2.0, setup_s=9.0).each_us == 500_000


@pytest.mark.parametrize(
    ("value", "target", "verdict"),
    [
        (5.0, Target(">=", 5), "yes"),
        (4.9, Target(">=", 5), "no"),
        (1.5, Target("<=", 1.5), "yes"),
        (1.6, Target("<=", 1.5), "no"),
        (None, Target("<=", 1), ""),
        (3.0, None, ""),
    ],
)
def test_a_figure_says_whether_it_met_its_target(value, target, verdict):
    assert Figure("s", "n", value, target=target).verdict == verdict


def test_a_cycle_that_places_nothing_stops_the_benchmark():
    engine = life_cycles.small_cluster(history=False)
    engine.apply(AddApplication(application=ApplicationSpec(id="x", queue="root.q", user="u")))
    engine.apply(AddAsk(ask=AskSpec(application_id="x", key="k", resource=Resource(vcore=10**9))))
    with pytest.raises(AssertionError, match="outcome='nothing'"):
        life_cycles.allocate(engine)


# -- the screen: the browser is asked only by hand ---------------------------------------------------------------------


@pytest.mark.parametrize(("queues", "requests"), [size[:2] for size in screen.SIZES])
def test_the_screen_is_measured_with_the_sizes_that_it_names(queues, requests):
    workbench, bare = ("".join(cell["source"]) for cell in screen.notebook(queues, requests)["cells"])
    made = {}
    exec(workbench, made)
    assert str(made["bench"].to_yaml()).count("- name: ") - 1 == queues
    assert f"range({queues})" in bare
    compile(bare, "bare", "exec")
