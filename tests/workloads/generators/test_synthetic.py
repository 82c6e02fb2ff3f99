"""Made-up workloads: the load asked for, streams of their own, files that say them, faults with their line."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given
from laws import examples
from synthetic_specs import specs

import workbench as wb
from workbench.simulation.scenario import document
from workbench.values.errors import CommandError, ScenarioError
from workbench.values.resources import Resource
from workbench.workloads.checks import check_workload
from workbench.workloads.generators import read
from workbench.workloads.generators.spec import Synthetic, capacity_of
from workbench.workloads.generators.writing import to_yaml
from workbench.workloads.model import Workload

ETL = {"name": "etl", "arrivals": "poisson(every=1m)", "duration": "exponential(5m)", "size": {"vcore": "1", "memory": "2Gi"}}
TRAIN = {
    "name": "train",
    "arrivals": "poisson(every=1h)",
    "duration": "lognormal(median=1h, p95=4h)",
    "size": {"vcore": "4", "nvidia.com/gpu": 1},
    "tasks": "empirical([1, 4])",
    "gang": {"style": "Hard", "timeout": "10m", "share": 0.5},
    "same_duration": True,
    "queue": "root.train",
}
POOLS = "cpu: 10 x vcore=8,memory=32Gi; gpu: 2 x vcore=64,memory=256Gi,nvidia.com/gpu=8"

quickly = examples(25, suppress_health_check=[HealthCheck.too_slow])


def made(**keys: object) -> Synthetic:
    return wb.workloads.synthetic({"pools": POOLS, "length": "2d", "classes": [ETL, TRAIN], **keys})


def work(workload: Workload) -> dict[str, float]:
    """What the jobs ask for in all: amount times milliseconds by type."""
    total: dict[str, float] = {}
    for job in workload.jobs:
        for tasks in job.tasks:
            ms = sum(tasks.duration_of(number) for number in range(tasks.count))
            for name, amount in tasks.resource.items():
                total[name] = total.get(name, 0) + amount * ms
    return total


# -- The same again ----------------------------------------------------------------------------------------------------


@given(specs())
@quickly
def test_the_same_seed_draws_the_same_and_all_of_it_makes_sense(spec):
    workload = spec.workload(3)
    check_workload(workload)
    assert workload == spec.workload(3)
    assert [job.submit_ms for job in workload.jobs] == sorted(job.submit_ms for job in workload.jobs)
    assert len({job.id for job in workload.jobs}) == len(workload.jobs)
    for job in workload.jobs:
        assert 0 <= job.submit_ms < spec.length_ms == workload.ends_ms
        (tasks,) = job.tasks
        assert tasks.count >= 1 and all(tasks.duration_of(number) >= 1 for number in range(tasks.count))
        assert all(amount >= 1 for amount in tasks.resource.values())
        assert job.gang is None or tasks.name


def test_another_seed_draws_another():
    assert made().workload(1).jobs != made().workload(2).jobs
    assert made(seed=1).workload().jobs != made(seed=2).workload().jobs


def test_a_class_more_changes_nothing_of_the_others():
    alone = made(classes=[ETL]).workload(5).jobs
    together = made(classes=[TRAIN, ETL]).workload(5).jobs
    assert tuple(job for job in together if job.kind == "etl") == alone


def test_longer_tasks_arrive_when_the_shorter_ones_did():
    short = made(classes=[ETL]).workload(5).jobs
    long = made(classes=[{**ETL, "duration": "exponential(10m)", "size": {"vcore": "2"}, "users": 30}]).workload(5).jobs
    assert [job.submit_ms for job in short] == [job.submit_ms for job in long]
    assert [job.tasks[0].duration_ms * 2 for job in short] == pytest.approx([job.tasks[0].duration_ms for job in long], abs=2)


def test_this_week_is_the_same_on_every_machine():
    jobs = made().workload(1).jobs
    assert (len(jobs), jobs[0].submit_ms, jobs[-1].submit_ms, jobs[-1].tasks[0].duration_ms) == KNOWN


KNOWN = (2965, 40536, 172774741, 187776)


# -- Load --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("load", [0.5, 0.9, 1.3])
def test_the_load_offered_is_the_one_asked_for(load):
    spec = made(classes=[{**ETL, "arrivals": "poisson(every=10m)", "duration": "exponential(50m)"}, TRAIN], load=load, length="14d")
    name, offered = spec.offered()
    assert offered == pytest.approx(load)
    capacity = capacity_of(spec.pools)[name] * spec.length_ms
    drawn = [work(spec.workload(seed))[name] / capacity for seed in range(6)]
    mean = math.fsum(drawn) / 6
    deviation = math.sqrt(math.fsum((each - mean) ** 2 for each in drawn) / 5)
    assert abs(mean - load) <= 4 * deviation / math.sqrt(6)
    assert deviation < 0.2 * load


def test_the_load_is_that_of_the_resource_asked_for_most():
    # Half the memory of a node per core: memory is asked for twice as much as cores are.
    spec = made(classes=[{**ETL, "size": {"vcore": "1", "memory": "16Gi"}}], pools="4 x vcore=8,memory=64Gi", load=0.6)
    assert spec.offered() == ("memory", pytest.approx(0.6))


def test_classes_have_the_share_of_the_load_that_they_are_given():
    shares = [{**ETL, "share": 0.25}, {**ETL, "name": "other", "duration": "10s", "share": 0.75}]
    spec = made(classes=shares, load=0.8, length="7d")
    etl, other = (each.work(spec.length_ms)["vcore"] for each in spec.scaled_classes())
    assert other / etl == pytest.approx(3)
    assert spec.offered()[1] == pytest.approx(0.8)


def test_a_daily_profile_keeps_the_load():
    classes = [{**ETL, "arrivals": "poisson(every=1m, day=office, week=workdays)"}]
    assert made(classes=classes, load=0.7, length="30h").offered()[1] == pytest.approx(0.7)


def test_a_pool_that_grows_counts_with_all_that_it_may_have():
    pool = [{"name": "n", "resources": {"vcore": "8"}, "count": 1, "minimum": 0, "maximum": 5}]
    assert capacity_of(made(pools=pool).pools) == {"vcore": 40_000}


def test_jobs_that_fit_on_no_node_are_told():
    workload = made(classes=[{**ETL, "size": {"vcore": "900"}}]).workload()
    assert f"{len(workload.jobs):,} jobs of class etl ask for more than any node has; they will wait for ever." in workload.notes


@pytest.mark.parametrize(
    ("keys", "part"),
    [
        ({"classes": [{**ETL, "duration": "pareto(1m, shape=1)"}], "load": 0.5}, "class etl has no finite load"),
        ({"pools": "2 x memory=4Gi", "load": 0.5}, "no node has nvidia.com/gpu, which the jobs ask for"),
        ({"classes": [{**ETL, "arrivals": "regular(every=1d, first=5d)"}], "load": 0.5}, "so no load can be told"),
        ({"classes": [{**ETL, "arrivals": "poisson(every=1ms)"}], "length": "100d"}, "at most 20,000,000 are made"),
    ],
)
def test_loads_that_cannot_be_are_told(keys, part):
    with pytest.raises(CommandError, match=part):
        made(**keys).workload()


# -- Files -------------------------------------------------------------------------------------------------------------


@given(specs())
@examples(8, suppress_health_check=[HealthCheck.too_slow])  # half a second each
def test_what_is_written_is_read_as_an_equal_one(spec):
    text = to_yaml({"synthetic": spec.written()})
    again = read(document.read(text))
    assert again == spec
    assert again.workload(2) == spec.workload(2)
    assert to_yaml({"synthetic": again.written()}) == text


def test_everything_of_a_file_is_read():
    spec = read(
        document.read(
            """
synthetic:
  name: demo
  length: 1d
  load: 0.5
  seed: 7
  warm_up: 1h
  start_delay: 2s
  restarts: {comes_back_after: never, how: checkpoint, checkpoint: 5m}
  pools:
    - {name: gpu, count: 2, resources: {vcore: "64", memory: 256Gi, nvidia.com/gpu: 8}, taints: [gpu], minimum: 1, maximum: 4}
  users: {count: 20, zipf: 1.2, groups: [red, blue]}
  classes:
    - name: train
      arrivals: {poisson: {every: 10m, day: office}}
      duration: lognormal(median=1h, p95=4h)
      sizes:
        - {vcore: "8", nvidia.com/gpu: 1, weight: 3}
        - {vcore: "uniform(8, 32)", nvidia.com/gpu: 4}
      tasks: empirical([1, 2])
      gang: {style: Hard, timeout: 10m, share: 0.5}
      priority: 5
      queue: root.train
      preemptible: false
      tolerations: [gpu]
      node_selector: {zone: a}
      tags: {team: x}
      users: [ann, bob]
"""
        )
    )
    (each,) = spec.classes
    assert (spec.name, spec.length_ms, spec.load, spec.seed, spec.warm_up_ms) == ("demo", 86_400_000, 0.5, 7, 3_600_000)
    assert spec.restarts.how == "checkpoint" and spec.restarts.comes_back_after_ms is None
    assert spec.pools[0].capacity == Resource({"vcore": 64_000, "memory": 256 * 2**30, "nvidia.com/gpu": 8})
    assert (spec.pools[0].maximum, spec.pools[0].taints) == (4, ("gpu",))
    assert (each.gang.style, each.gang.timeout_ms, each.gang_share) == ("Hard", 600_000, 0.5)
    assert each.users.names == ("ann", "bob") and spec.users.groups == ("red", "blue")
    assert [size.weight for size in each.sizes] == [3, 1]
    jobs = spec.workload().jobs
    assert {job.user for job in jobs} == {"ann", "bob"}
    assert {job.gang is None for job in jobs} == {True, False}
    assert {job.tasks[0].count for job in jobs} == {1, 2}


FILE = """synthetic:
  length: 7d
  classes:
    - name: etl
      arrivals: poisson(every=1m)
      duration: exponential(5m)
      size: {vcore: "1"}
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "part"),
    [
        ("length: 7d", "lenght: 7d", 2, "unknown key 'lenght' (did you mean length?"),
        ("length: 7d", "length: 7 days", 2, "no span of time: '7 days'"),
        ("length: 7d", "length: 7d\n  load: 0.5", 1, "give its nodes, too, such as pools: 20 x vcore=8,memory=32Gi"),
        ("length: 7d", "pools: 5 x 8", 2, "synthetic.pools"),
        ("length: 7d", "users: ann", 2, "users are a number, a list of names or a mapping"),
        ("length: 7d", "load: much", 2, "a number is needed, found the text 'much'"),
        ("poisson(every=1m)", "poisson(evry=1m)", 5, "poisson has no 'evry'"),
        ("exponential(5m)", "exponential(5 min)", 6, "no span of time: '5 min'"),
        ("exponential(5m)", "0s", 6, "a span of time of 0 is none"),
        ('vcore: "1"', "vcore: -1", 7, "cannot be below 0, found -1"),
        ('vcore: "1"', "vcore: uniform(1, 2)", 7, "in braces a value with a comma needs quotes"),
        ('vcore: "1"', "vcore: one", 7, "invalid quantity: 'one'"),
        ('size: {vcore: "1"}', "queue: root.a", 4, "size is missing"),
        ("name: etl", "gang: {style: hard}\n      name: etl", 4, "there is no style 'hard' (allowed are Soft and Hard)"),
        ("name: etl", "priority: high\n      name: etl", 4, "must be an integer"),
        ("name: etl", "share: 0.5\n      name: etl", 1, "must sum to 1"),
    ],
)
def test_a_fault_in_a_file_is_told_with_its_line(old, new, line, part):
    assert old in FILE
    with pytest.raises(ScenarioError) as told:
        read(document.read(FILE.replace(old, new), source="week.yaml"))
    assert part in str(told.value)
    assert told.value.line == line
    assert str(told.value).startswith(f"week.yaml:line {line}: ")


def test_no_value_of_a_file_ends_in_anything_but_a_told_fault():
    strange: list[object] = [
        None,
        [],
        {},
        "",
        "x",
        -1,
        0,
        1e400,
        10**400,
        True,
        [[]],
        {"a": {}},
        "nan",
        "()",
        "a(",
        "lognormal(nan)",
    ]
    for key in ("length", "load", "seed", "pools", "users", "warm_up", "classes", "restarts", "name"):
        for value in strange:
            try:
                made(**{key: value})
            except ScenarioError:
                continue
    for key in ("arrivals", "duration", "size", "sizes", "tasks", "gang", "users", "share", "tags", "name", "priority", "queue"):
        for value in strange:
            try:
                made(classes=[{**ETL, key: value}])
            except ScenarioError:
                continue


def test_a_file_of_a_workload_may_hold_a_description():
    made_up = wb.workloads.parse_workload("workload:\n" + "".join(f"  {line}\n" for line in FILE.splitlines()))
    assert isinstance(made_up, Synthetic) and made_up.classes[0].name == "etl"


# -- Shown -------------------------------------------------------------------------------------------------------------


def test_it_says_itself_in_a_sentence():
    assert made(load=0.5, length="7d", name="demo").sentence().startswith("demo: about ")
    assert "; they ask for 50% of the nvidia.com/gpu of 12 nodes on average." in made(load=0.5).sentence()


def test_names_are_escaped_in_html():
    spec = made(classes=[{**ETL, "name": "<script>", "queue": "root.<b>"}], name="<i>")
    html = spec._repr_html_()
    assert "&lt;script&gt;" in html and "root.&lt;b&gt;" in html and "&lt;i&gt;" in html
    assert "<script>" not in html and "<b>" not in html and "<i>" not in html


def test_the_text_has_a_line_for_each_class():
    lines = str(made()).splitlines()
    assert [line.split()[0] for line in lines[2:]] == ["class", "etl", "train"]


def test_a_spec_can_be_changed_with_replace():
    spec = made(load=0.5)
    assert replace(spec, load=1.0).expected_jobs() == pytest.approx(2 * spec.expected_jobs())
