"""The own format: YAML and JSON with the key `workload`. WL-10."""

from __future__ import annotations

import gzip
import sys
import types

import pytest
from hypothesis import given
from laws import examples
from workload_strategies import workloads

from workbench.values.errors import WorkloadError
from workbench.values.resources import Resource
from workbench.workloads import (
    Gang,
    Job,
    NodeEvent,
    Pool,
    Restarts,
    Tasks,
    Workload,
    parse_workload,
    preset,
    read,
    workload_to_json,
    workload_to_yaml,
    write,
)
from workbench.workloads.sources.registry import recognised

CORE = Resource(vcore=1000)


@examples(35)
@given(workloads())
def test_what_is_written_reads_back_equal(workload):
    assert parse_workload(workload_to_yaml(workload)) == workload
    assert parse_workload(workload_to_json(workload), "json") == workload


def jobs_of(*lines):
    return parse_workload("workload:\n  jobs:\n" + "".join(f"    - {line}\n" for line in lines)).jobs


def test_a_job_with_one_kind_of_task_says_of_it_what_it_likes_directly():
    assert jobs_of(
        '{submit: 10s, duration: 5m, queue: root.a, user: ann, class: web, resources: {vcore: "1"}, count: 3, preemptible: false}'
    ) == (
        Job(
            id="job-000001",
            submit_ms=10_000,
            user="ann",
            queue="root.a",
            kind="web",
            tasks=(Tasks(resource=CORE, count=3, duration_ms=300_000, preemptible=False),),
        ),
    )


def test_a_job_can_list_its_tasks_and_be_a_gang():
    (job,) = jobs_of(
        '{id: g, gang: {style: Hard, timeout: 10m}, tasks: [{name: d, resources: {vcore: "1"}}, '
        '{name: w, resources: {vcore: "1"}, count: 2, duration: [1m, forever], priority: 3, tags: {a: b}}]}'
    )
    assert job == Job(
        id="g",
        submit_ms=0,
        gang=Gang(style="Hard", timeout_ms=600_000),
        tasks=(
            Tasks(name="d", resource=CORE),
            Tasks(name="w", resource=CORE, count=2, duration_ms=(60_000, None), priority=3, tags={"a": "b"}),
        ),
    )


def test_a_gang_with_one_kind_of_task_needs_no_name_for_it():
    (job,) = jobs_of("{gang: true, count: 4, resources: {}}")
    assert job.gang == Gang() and [each.name for each in job.tasks] == ["tasks"]
    assert jobs_of("{gang: false, resources: {}}")[0].gang is None


def test_repeated_jobs_come_one_after_the_other_in_the_order_of_time():
    jobs = jobs_of(
        "{submit: 1m, repeat: 3, every: 30s, resources: {}}", "{submit: 75s, resources: {}}", "{id: x, repeat: 2, resources: {}}"
    )
    assert [(job.id, job.submit_ms) for job in jobs] == [
        ("x-000", 0),
        ("x-001", 0),
        ("job-000001", 60_000),
        ("job-000004", 75_000),
        ("job-000002", 90_000),
        ("job-000003", 120_000),
    ]


@pytest.mark.parametrize(
    ("text", "ms"),
    [("90s", 90_000), ("1h30m", 5_400_000), ("2d", 172_800_000), ("1w", 604_800_000), ("250ms", 250), ("2.5", 2500), ("90", 90_000)]
    + [("1.0005", 1000), (".5s", 500), ('" 5 m "', 300_000), ("0", 0)],
)
def test_spans_are_texts_with_units_or_numbers_of_seconds(text, ms):
    assert jobs_of(f"{{submit: {text}, resources: {{}}}}")[0].submit_ms == ms


def test_nodes_and_everything_else_can_be_said():
    workload = parse_workload(
        """
        workload:
          name: monday
          zero: '2024-03-04'
          start_delay: 2s
          warm_up: 1h
          ends: 1d
          restarts: {comes_back_after: never, how: keeps}
          pools:
            - {name: gpu, count: 1, resources: {vcore: "64"}, minimum: 0, maximum: 4, idle: 5m, taints: ["a=b:NoSchedule"]}
          node_events:
            - {at: 2h, node: gpu-000, happens: removed}
            - {at: 1h, node: gpu-000, happens: drained}
          notes: [made by hand]
        """
    )
    assert workload == Workload(
        name="monday",
        zero="2024-03-04",
        start_delay_ms=2000,
        warm_up_ms=3_600_000,
        ends_ms=86_400_000,
        restarts=Restarts(comes_back_after_ms=None, how="keeps"),
        pools=(
            Pool(
                name="gpu",
                capacity=Resource(vcore=64_000),
                count=1,
                minimum=0,
                maximum=4,
                idle_ms=300_000,
                taints=("a=b:NoSchedule",),
            ),
        ),
        node_events=(
            NodeEvent(at_ms=3_600_000, node_id="gpu-000", happens="drained"),
            NodeEvent(at_ms=7_200_000, node_id="gpu-000", happens="removed"),
        ),
        notes=("made by hand",),
    )


def test_pools_can_be_a_line_of_text():
    assert parse_workload("workload: {pools: 20 x vcore=8}").pools == (Pool(name="node", count=20, capacity=Resource(vcore=8000)),)


def test_a_workload_may_stand_in_a_scenario():
    assert parse_workload("name: x\nconfig: 'partitions: []'\nevents: []\nworkload: {jobs: [{resources: {}}]}").jobs


W = "workload:\n  "
J = W + "jobs:\n    - "

WRONG = [
    ("", "the text is empty"),
    ("a: 1", "the key workload is missing (a file of a workload has the key workload, with jobs below it)"),
    ("[1]", "this is no workload"),
    ("workload:", "the key workload has no value"),
    ("workload: 5", "line 1: workload: must be a mapping of keys to values, found 5"),
    ("workload: {job: []}", "workload: unknown key 'job' (did you mean jobs?"),
    ("workload: {jobs: [", "line 1: not valid YAML"),
    (J + "{submit: -5s, resources: {}}", "line 3: workload.jobs[0].submit: is negative: '-5s'"),
    (J + "{submit: -5, resources: {}}", "line 3: workload.jobs[0].submit: is negative: -5"),
    (J + "{submit: 5x, resources: {}}", "line 3: workload.jobs[0].submit: no span of time: '5x' (write 90s,"),
    (J + "{submit: .inf, resources: {}}", "line 3: workload.jobs[0].submit: must be a span of time"),
    (J + "{submit: 40000d, resources: {}}", "line 3: workload.jobs[0].submit: longer than 36525d"),
    (
        J + "{duration: soon, resources: {}}",
        "no span of time: 'soon' (write 90s, 5m, 1h30m, 2d,",
    ),
    (J + "{duration: [1, 2], resources: {}}", "workload.jobs[0].duration: has 2 entries, count is 1"),
    (J + "{count: 0, resources: {}}", "workload.jobs[0].count: 0 is out of range (allowed are 1 to"),
    (J + "{user: ann}", "workload.jobs[0]: the key resources is missing"),
    (J + "{tasks: []}", "workload.jobs[0].tasks: job 'job-000001' has no tasks"),
    (J + "{tasks: [{count: 1}]}", "workload.jobs[0].tasks[0]: the key resources is missing"),
    (J + "{count: 2, tasks: [{resources: {}}]}", "workload.jobs[0].count: stands beside tasks"),
    (J + "{resources: {vcore: '1x'}}", "workload.jobs[0].resources.vcore: invalid quantity: '1x'"),
    (J + "{resources: {}, every: 1s}", "workload.jobs[0].every: says how far apart repeated jobs are"),
    (J + "{resources: {}, gang: {style: soft}}", "workload.jobs[0].gang.style: there is no style 'soft'"),
    (J + "{gang: yes, tasks: [{resources: {}}]}", "must be a mapping of keys to values"),
    (J + "{gang: true, tasks: [{resources: {}}]}", "is a gang with tasks that have no name"),
    (
        J + "{id: a, resources: {}}\n    - {id: a, resources: {}}",
        "line 4: workload.jobs[1]: job 'a' occurs twice, as on line 3",
    ),
    (
        J + "{id: a, resources: {}, after: [b]}",
        "line 3: workload.jobs[0]: job 'a' waits for 'b', which is no job",
    ),
    (
        J + "{id: a, resources: {}, after: [a]}",
        "line 3: workload.jobs[0]: jobs wait for each other in a circle: 'a' -> 'a'",
    ),
    (J + "{resources: {}, repeat: 10000001}", "workload.jobs[0].repeat: 10000001 is out of range"),
    (J + "{resources: {}, repeat: 9000, count: 9000}", "with this there are more than 10000000 tasks"),
    (
        J + "{resources: {}, submit: 36525d, repeat: 2, every: 1s}",
        "submit_ms must be a whole number of milliseconds",
    ),
    (W + "pools: 5 nodes", "line 2: workload.pools: '5 nodes' is no amount of a resource"),
    (W + "pools: [{name: a}]", "workload.pools[0]: the key resources is missing"),
    (
        W + "pools: [{name: a, resources: {}}, {name: a, resources: {}}]",
        "line 2: workload.pools: two pools are called 'a'",
    ),
    (W + "pools: [{name: a, resources: {}, maximum: 3}]", "has only one of minimum and maximum"),
    (
        W + "node_events: [{at: 1s, node: a, happens: lost}]",
        "workload.node_events[0].happens: node 'a': happens must be one of added",
    ),
    (
        W + "node_events: [{at: 1s, node: a, happens: added}]",
        "workload.node_events[0]: node 'a': is added without a capacity",
    ),
    ("workload:\n  restarts: {how: never}", "workload.restarts.how: restarts: how must be one of from_start, keeps, checkpoint"),
    ("workload:\n  restarts: {comes_back_after: soon}", "workload.restarts.comes_back_after: no span of time: 'soon'"),
    ("workload:\n  warm_up: 2h\n  ends: 1h", "line 3: workload.ends: the record ends at 3600000 ms, before the warm-up"),
]


@pytest.mark.parametrize(("text", "said"), WRONG, ids=[said[:50] for _, said in WRONG])
def test_what_is_wrong_is_told_with_its_line_and_what_is_allowed(text, said):
    with pytest.raises(WorkloadError) as told:
        parse_workload(text, source="w.yaml")
    assert str(told.value).startswith("w.yaml")
    assert said in str(told.value)


def test_jobs_that_cannot_be_read_are_left_out_and_said_where_that_is_wanted():
    text = (
        J + "{id: a, resources: {}}\n    - {id: b, submit: -1, resources: {}}\n    - {id: a, resources: {}}\n"
        "    - {id: c, after: [b, a], resources: {}}"
    )
    workload = parse_workload(text, keep_going=True)

    assert [(job.id, job.after) for job in workload.jobs] == [("a", ()), ("c", ("a",))]
    assert workload.notes == (
        "1 job waits for jobs that are not here; it is as if these had ended.",
        "2 jobs could not be read and were left out: line 4: workload.jobs[1].submit: is negative: -1; "
        "line 5: workload.jobs[2]: job 'a' occurs twice, as on line 3.",
    )


def test_only_the_first_jobs_can_be_taken_and_it_is_said():
    text = "workload: {jobs: [{resources: {}}, {repeat: 5, resources: {}}]}"
    assert len(parse_workload(text, first=3).jobs) == 3
    assert parse_workload(text, first=3).notes == ("Only the first 3 jobs were taken.",)
    assert parse_workload(text, first=6).notes == ()


@pytest.mark.parametrize("name", ["w.yaml", "w.yml.gz", "w.json", "w.json.gz"])
def test_files_are_written_and_read_back_packed_or_not(tmp_path, name):
    workload = Workload(name="w", jobs=(Job(id="é", submit_ms=1, tasks=(Tasks(resource=CORE),)),))
    write(workload, tmp_path / name)
    assert read(tmp_path / name) == workload


def test_other_encodings_are_told_with_file_and_line(tmp_path):
    path = tmp_path / "w.yaml"
    path.write_bytes((J + "{user: José, resources: {}}\n").encode("latin-1"))
    with pytest.raises(WorkloadError, match=r"w\.yaml:line 3: not UTF-8 text: byte 0xe9"):
        read(path)


@pytest.mark.parametrize(
    ("content", "format"),
    [
        (b"workload: {}", "yaml"),
        (b"\xef\xbb\xbfworkload: {}", "yaml"),
        (b"# hello\nconfig: x\nworkload: {}\n", "yaml"),
        (b'{"workload": {}}', "json"),
        ("workload: {}".encode("utf-16"), "yaml"),
        (gzip.compress(b"workload: {}", mtime=0), "yaml"),
    ],
)
def test_the_own_format_is_recognised_by_its_key(tmp_path, content, format):
    path = tmp_path / "anything"
    path.write_bytes(content)
    assert recognised(path) == format
    assert read(path) == Workload(name="anything")


@pytest.mark.parametrize("key", ["synthetic", "preset"])
def test_a_description_of_a_synthetic_workload_is_handed_on(monkeypatch, key):
    module = types.ModuleType("made_up")
    module.read = lambda cursor: (cursor.path, cursor.value[key])
    monkeypatch.setitem(sys.modules, "made_up", module)
    module.__spec__ = types.SimpleNamespace()
    monkeypatch.setattr("workbench.workloads.reading.GENERATORS", {key: "made_up"})
    assert parse_workload(f"workload: {{{key}: day, load: 2}}") == ("workload", "day")


@pytest.mark.parametrize(
    "text",
    ["preset: ci-farm\nnodes: 4", "# a farm\npreset: ci-farm\nnodes: 4", '{"preset": "ci-farm", "nodes": 4}'],
    ids=["yaml", "comment", "json"],
)
def test_a_file_with_nothing_but_a_description_needs_no_key_above_it(tmp_path, text):
    path = tmp_path / "farm"
    path.write_text(text)
    assert read(path) == preset("ci-farm", nodes=4)


def test_a_description_with_keys_of_a_scenario_beside_it_is_told_what_is_wrong():
    with pytest.raises(WorkloadError, match="line 2"):
        parse_workload("preset: ci-farm\nevents: []")


def test_where_nobody_makes_synthetic_workloads_it_is_said(monkeypatch):
    monkeypatch.setattr("workbench.workloads.reading.GENERATORS", {"synthetic": "workbench.workloads.no_such_module"})
    with pytest.raises(WorkloadError, match="workload.synthetic: synthetic is not known here"):
        parse_workload("workload: {synthetic: 1}")
