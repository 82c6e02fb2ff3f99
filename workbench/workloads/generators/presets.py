"""Presets: made-up workloads of kinds of clusters that there are, each with a queue tree for it, so that a first run needs nothing.

Figures are round numbers of the right size, not measured ones; each preset says what it assumes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property

from workbench.simulation.scenario.document import Cursor
from workbench.values.errors import CommandError
from workbench.values.found import found, shown
from workbench.values.registry import Registry
from workbench.workloads.checks import MOST_NODES
from workbench.workloads.generators.notation import NUMBER, SPAN
from workbench.workloads.generators.reading import judged, read_spec, span_ms
from workbench.workloads.generators.spec import WEEK_MS, Synthetic
from workbench.workloads.model import Workload

LEAST_NODES = 2
KEYS = ("preset", "nodes", "load", "length", "seed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What a preset is made from.

    Attributes:
        title: a few words.
        words: what arrives, and what is assumed, in sentences for people.
        nodes: how many nodes there are by default.
        load: the load by default.
        describe: nodes -> the description of the workload but for load, length and seed, as it stands under `synthetic:`.
        design: nodes -> the text of a queues.yaml.
    """

    title: str
    words: str
    nodes: int
    load: float
    describe: Callable[[int], Mapping[str, object]]
    design: Callable[[int], str]


PRESETS: Registry[Recipe] = Registry("preset")
"""Name -> recipe."""


def register_preset(name: str, recipe: Recipe) -> Recipe:
    """Register a recipe under a name.

    Raises:
        CommandError: the name is empty or taken.
    """
    return PRESETS.register(name, recipe)


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A preset with its parameters: `workload(seed)` draws a workload, `design()` is a queue tree for it.

    Attributes:
        name: in `PRESETS`.
        nodes: how many there are; those of the rarer kind are a part of them.
        load: share of the cluster that is asked for, of the resource asked for most.
        length_ms: until when jobs arrive.
        seed: goes into every random stream.
    """

    name: str
    nodes: int
    load: float
    length_ms: int = WEEK_MS
    seed: int = 0

    @property
    def recipe(self) -> Recipe:
        """What it is made from."""
        return PRESETS[self.name]

    @cached_property
    def spec(self) -> Synthetic:
        """The description of its workload, to be changed with `dataclasses.replace` or written to a file."""
        spec = read_spec(Cursor({"name": self.recipe.title, **self.recipe.describe(self.nodes), "load": self.load}))
        return replace(spec, length_ms=self.length_ms, seed=self.seed)

    def workload(self, seed: int = 0) -> Workload:
        """One draw, as `Synthetic.workload`."""
        return self.spec.workload(seed)

    def design(self) -> str:
        """A queue tree for it, the text of a queues.yaml."""
        return self.recipe.design(self.nodes)

    def sentence(self) -> str:
        """What it is, in one sentence."""
        return self.spec.sentence()

    def __str__(self) -> str:
        return f"{self.recipe.words}\n\n{self.spec}"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p>{escape(self.recipe.words)}</p>{self.spec._repr_html_()}"

    def written(self) -> dict[str, object]:
        """As it stands in a file: the key `preset` and its parameters."""
        made: dict[str, object] = {"preset": self.name, "nodes": self.nodes, "load": NUMBER.write(self.load)}
        made["length"] = SPAN.write(self.length_ms)
        return {**made, "seed": self.seed} if self.seed else made


def preset(name: str, *, nodes: int | None = None, load: float | None = None, length: str | float = "7d", seed: int = 0) -> Preset:
    """A preset by name; the nodes and the load are those of the preset if they are not given.

    Raises:
        CommandError: there is no such preset; it says which there are.
        ScenarioError: a parameter that makes no sense.

    >>> print(preset("ci-farm", nodes=10, length="1d").sentence()[:24])
    CI farm: about 1,432 job
    """
    if name not in PRESETS:
        raise CommandError(_no_preset(name))
    given = {"preset": name, "nodes": nodes, "load": load, "length": length, "seed": seed}
    return read_preset(Cursor({key: value for key, value in given.items() if value is not None}))


def read_preset(cursor: Cursor) -> Preset:
    """The preset of a mapping with the key `preset`.

    Raises:
        ScenarioError: with the line, what was found and what is allowed.
    """
    given = cursor.fields(*KEYS)
    name = given["preset"].name()
    if name not in PRESETS:
        raise given["preset"].fault(_no_preset(name))
    recipe = PRESETS[name]
    load = judged(given["load"], lambda: NUMBER.read(given["load"].value)) if "load" in given else recipe.load
    if not 0 < load <= 100:
        raise given["load"].fault(f"the load must be above 0 and at most 100 times the cluster, found {found(load)}")
    return Preset(
        name=name,
        nodes=given["nodes"].integer(LEAST_NODES, MOST_NODES) if "nodes" in given else recipe.nodes,
        load=load,
        length_ms=span_ms(given["length"], least=1) if "length" in given else WEEK_MS,
        seed=given["seed"].integer(-(2**63), 2**63 - 1) if "seed" in given else 0,
    )


def _no_preset(name: str) -> str:
    near = get_close_matches(name, PRESETS, n=1)
    return f"there is no preset {shown(name)}; " + (f"did you mean {near[0]}? " if near else "") + f"there are {', '.join(PRESETS)}"


# -- Queue trees --------------------------------------------------------------------------------------------------------


def tree(queues: str, nodes: str = "") -> str:
    """A queues.yaml with these queues below the root; `nodes` is the node sorting policy, "" for the core's own."""
    sorting = f"    nodesortpolicy: {{type: {nodes}}}\n" if nodes else ""
    indented = "".join(f"          {line}\n" for line in queues.strip("\n").splitlines())
    top = 'queues:\n      - name: root\n        submitacl: "*"\n        queues:\n'
    return f"partitions:\n  - name: default\n{sorting}    {top}{indented}"


def part(total: int, share: float) -> int:
    """A share of a number in whole ones, at least 1."""
    return max(math.floor(total * share), 1)


# -- The presets --------------------------------------------------------------------------------------------------------


def _research(nodes: int) -> Mapping[str, object]:
    return {
        "pools": f"node: {nodes} x vcore=64,memory=256Gi",
        "users": {"count": 40, "zipf": 1.1, "groups": ["physics", "biology", "climate", "engineering"]},
        "restarts": {"how": "checkpoint", "checkpoint": "30m"},
        "classes": [
            {
                "name": "interactive",
                "queue": "root.interactive",
                "share": 0.1,
                "arrivals": "poisson(every=5m, day=office, week=workdays)",
                "duration": "lognormal(median=40m, p95=5h)",
                "sizes": [{"vcore": "4", "memory": "16Gi", "weight": 3}, {"vcore": "8", "memory": "32Gi"}],
                "priority": 10,
                "preemptible": False,
            },
            {
                "name": "batch",
                "queue": "root.batch",
                "share": 0.55,
                "arrivals": {
                    "bursts": {"every": "40m", "jobs": "lognormal(median=4, p95=40)", "day": "evening", "week": "workdays"}
                },
                "duration": "lognormal(median=45m, p95=8h)",
                "sizes": [
                    {"vcore": "1", "memory": "4Gi", "weight": 4},
                    {"vcore": "8", "memory": "32Gi", "weight": 3},
                    {"vcore": "32", "memory": "64Gi"},
                ],
            },
            {
                "name": "parallel",
                "queue": "root.parallel",
                "share": 0.35,
                "arrivals": "poisson(every=2h, day=office, week=workdays)",
                "duration": "lognormal(median=2h, p95=12h)",
                "size": {"vcore": "32", "memory": "96Gi"},
                "tasks": f"empirical([2, 4, {min(8, 2 * nodes)}])",
                "gang": {"style": "Hard", "timeout": "1d"},
                "same_duration": True,
            },
        ],
    }


def _research_design(nodes: int) -> str:
    cores = 64 * nodes
    return tree(
        f"""
- name: interactive
  properties: {{application.sort.policy: fifo, priority.offset: "100"}}
  resources: {{guaranteed: {{vcore: "{part(cores, 0.15)}", memory: {part(256 * nodes, 0.15)}Gi}}}}
- name: batch
  properties: {{application.sort.policy: fair}}
  resources: {{guaranteed: {{vcore: "{part(cores, 0.45)}", memory: {part(256 * nodes, 0.45)}Gi}}}}
- name: parallel
  properties: {{application.sort.policy: fifo}}
  resources: {{guaranteed: {{vcore: "{part(cores, 0.4)}", memory: {part(256 * nodes, 0.4)}Gi}}}}
"""
    )


def _ci(nodes: int) -> Mapping[str, object]:
    return {
        "pools": f"runner: {nodes} x vcore=16,memory=64Gi",
        "users": {"count": 60, "zipf": 0.9, "prefix": "dev-", "groups": ["web", "backend", "mobile"]},
        "classes": [
            {
                "name": "merge",
                "queue": "root.ci.merge",
                "share": 0.25,
                "arrivals": "poisson(every=10m, day=office, week=workdays)",
                "duration": "lognormal(median=8m, p95=20m)",
                "tasks": "uniform(2, 8)",
                "size": {"vcore": "2", "memory": "4Gi"},
                "priority": 10,
            },
            {
                "name": "pull-request",
                "queue": "root.ci.pull-requests",
                "share": 0.5,
                "arrivals": "poisson(every=2m, day=office, week=workdays)",
                "duration": "lognormal(median=4m, p95=18m)",
                "tasks": "empirical([1, 1, 2, 4, 6])",
                "sizes": [{"vcore": "2", "memory": "4Gi", "weight": 3}, {"vcore": "4", "memory": "8Gi"}],
            },
            {
                "name": "nightly",
                "queue": "root.nightly",
                "share": 0.25,
                "arrivals": "regular(every=1d, first=1h, jobs=40)",
                "duration": "lognormal(median=30m, p95=1h30m)",
                "tasks": "empirical([1, 2])",
                "size": {"vcore": "4", "memory": "16Gi"},
                "users": ["nightly"],
            },
        ],
    }


def _ci_design(nodes: int) -> str:
    cores, memory = 16 * nodes, 64 * nodes
    return tree(
        f"""
- name: ci
  resources: {{guaranteed: {{vcore: "{part(cores, 0.7)}", memory: {part(memory, 0.7)}Gi}}}}
  queues:
    - name: merge
      properties: {{application.sort.policy: fifo, priority.offset: "100"}}
      resources: {{guaranteed: {{vcore: "{part(cores, 0.3)}", memory: {part(memory, 0.3)}Gi}}}}
    - name: pull-requests
      properties: {{application.sort.policy: fair}}
      resources: {{guaranteed: {{vcore: "{part(cores, 0.3)}", memory: {part(memory, 0.3)}Gi}}}}
- name: nightly
  properties: {{application.sort.policy: fifo}}
  resources: {{max: {{vcore: "{part(cores, 0.8)}", memory: {part(memory, 0.8)}Gi}}}}
""",
        "binpacking",
    )


def _training(nodes: int) -> Mapping[str, object]:
    return {
        "pools": f"gpu: {nodes} x vcore=64,memory=512Gi,nvidia.com/gpu=8",
        "users": {"count": 25, "zipf": 1.2, "groups": ["vision", "language", "ranking"]},
        "restarts": {"how": "checkpoint", "checkpoint": "20m"},
        "classes": [
            {
                "name": "inference",
                "queue": "root.inference",
                "share": 0.3,
                "arrivals": "poisson(every=5m, day=evening)",
                "duration": "lognormal(median=1h, p95=4h)",
                "size": {"vcore": "4", "memory": "24Gi", "nvidia.com/gpu": 1},
                "priority": 100,
                "preemptible": False,
                "users": ["serving"],
            },
            {
                "name": "experiment",
                "queue": "root.research",
                "share": 0.25,
                "arrivals": {"storms": {"every": "20m", "in_storm": "90s", "calm": "6h", "storm": "30m"}},
                "duration": "lognormal(median=30m, p95=6h)",
                "sizes": [
                    {"vcore": "6", "memory": "48Gi", "nvidia.com/gpu": 1, "weight": 3},
                    {"vcore": "12", "memory": "96Gi", "nvidia.com/gpu": 2},
                ],
            },
            {
                "name": "training",
                "queue": "root.training",
                "share": 0.45,
                "arrivals": "poisson(every=2h, day=office, week=workdays)",
                "duration": "lognormal(median=3h, p95=20h)",
                "size": {"vcore": "48", "memory": "400Gi", "nvidia.com/gpu": 8},
                "tasks": f"empirical([1, 1, 2, {min(4, nodes)}])",
                "gang": {"style": "Hard", "timeout": "2d"},
                "same_duration": True,
                "priority": 10,
            },
        ],
    }


def _training_design(nodes: int) -> str:
    gpus = 8 * nodes
    return tree(
        f"""
- name: inference
  properties: {{priority.offset: "1000", preemption.delay: 30s}}
  resources: {{guaranteed: {{nvidia.com/gpu: "{part(gpus, 0.35)}"}}}}
- name: training
  properties: {{application.sort.policy: fifo}}
  resources: {{guaranteed: {{nvidia.com/gpu: "{part(gpus, 0.45)}"}}}}
- name: research
  properties: {{application.sort.policy: fair}}
  resources: {{guaranteed: {{nvidia.com/gpu: "{part(gpus, 0.2)}"}}, max: {{nvidia.com/gpu: "{part(gpus, 0.6)}"}}}}
""",
        "binpacking",
    )


def _data(nodes: int) -> Mapping[str, object]:
    executor = {"vcore": "4", "memory": "16Gi"}
    return {
        "pools": f"node: {nodes} x vcore=32,memory=128Gi",
        "users": {"count": 15, "zipf": 1.0, "groups": ["analytics", "platform"]},
        "classes": [
            {
                "name": "pipeline",
                "queue": "root.pipelines",
                "share": 0.5,
                "arrivals": "regular(every=1h, first=5m, jobs=12)",
                "duration": "lognormal(median=15m, p95=45m)",
                "tasks": "lognormal(median=4, p95=16)",
                "size": executor,
                "gang": {"style": "Soft", "timeout": "5m", "share": 0.5},
                "priority": 10,
                "users": ["airflow"],
            },
            {
                "name": "query",
                "queue": "root.adhoc",
                "share": 0.2,
                "arrivals": "poisson(every=3m, day=office, week=workdays)",
                "duration": "lognormal(median=5m, p95=30m)",
                "tasks": "lognormal(median=4, p95=16)",
                "size": executor,
            },
            {
                "name": "backfill",
                "queue": "root.backfill",
                "share": 0.3,
                "arrivals": "bursts(every=12h, jobs=10)",
                "duration": "weibull(mean=40m, shape=1.5)",
                "tasks": "uniform(5, 20)",
                "size": executor,
            },
        ],
    }


def _data_design(nodes: int) -> str:
    cores, memory = 32 * nodes, 128 * nodes
    return tree(
        f"""
- name: pipelines
  properties: {{application.sort.policy: fifo, priority.offset: "100"}}
  resources: {{guaranteed: {{vcore: "{part(cores, 0.5)}", memory: {part(memory, 0.5)}Gi}}}}
- name: adhoc
  properties: {{application.sort.policy: fair}}
  resources: {{guaranteed: {{vcore: "{part(cores, 0.25)}", memory: {part(memory, 0.25)}Gi}}}}
- name: backfill
  properties: {{priority.offset: "-100"}}
  resources: {{max: {{vcore: "{part(cores, 0.7)}", memory: {part(memory, 0.7)}Gi}}}}
"""
    )


register_preset(
    "research-cluster",
    Recipe(
        title="Research cluster by day and night",
        words="A research cluster: people try things out by day, arrays of jobs are left for the night, and parallel jobs "
        "need several nodes at once or do not start. Forty users, a few of whom submit most. Assumed: jobs write "
        "checkpoints every half hour.",
        nodes=20,
        load=0.9,
        describe=_research,
        design=_research_design,
    ),
)
register_preset(
    "ci-farm",
    Recipe(
        title="CI farm",
        words="A farm that builds and tests: pull requests and merges in working hours, short jobs in great number, and at "
        "one in the morning all nightly builds at once. Assumed: no job depends on another, and a job that is stopped "
        "starts again.",
        nodes=20,
        load=0.4,
        describe=_ci,
        design=_ci_design,
    ),
)
register_preset(
    "training-and-inference",
    Recipe(
        title="Training and inference",
        words="Nodes with eight GPUs each: inference that must have its place, most of it in the evening; training in gangs "
        "over several nodes for hours; and experiments that come in storms before a deadline. Assumed: checkpoints "
        "every twenty minutes, and replicas of inference that come and go with the load.",
        nodes=16,
        load=0.95,
        describe=_training,
        design=_training_design,
    ),
)
register_preset(
    "data-platform",
    Recipe(
        title="Data platform",
        words="Pipelines that start every hour on the hour, a dozen at once; queries of analysts in working hours; and now "
        "and then a backfill of many jobs. Each is a driver's worth of executors of one size; half of the pipelines "
        "are gangs.",
        nodes=20,
        load=0.7,
        describe=_data,
        design=_data_design,
    ),
)
