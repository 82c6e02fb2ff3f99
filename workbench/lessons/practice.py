"""Practice without end: a small design with one right answer, a reason, and wrong answers that each come from something overlooked.

    task = wb.practice("fences", level=3, seed=7)
    task                       # the question, and what can be answered
    task.bench                 # the design on the screen, with the question open
    task.answer("P5")          # right, or what was overlooked and one more try
    task = task.next()         # harder after a right answer, easier after two wrong ones

The same topic, level and seed make the same task everywhere. A design is drawn by chance and kept only if it makes a question:
what is next is computed by the engine, does not hang on the order in which equals stand, and somebody who overlooks something
would answer otherwise. Wrong answers are computed in the same way, by the engine, from designs without what was overlooked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from random import Random

from workbench import explain
from workbench.bench import grading, misconceptions, prediction
from workbench.bench.controller import Text
from workbench.bench.prediction import NODE, REQUEST
from workbench.bench.scores import FIRST, WRONG, score
from workbench.bench.workbench import Workbench
from workbench.config import load_config
from workbench.config.model import NodeSorting
from workbench.explain import render
from workbench.explain.tables import Table
from workbench.explain.wording import amounts, listing, name
from workbench.scheduler.records.commands import AddAllocation, AddAsk, AddNode, AskSpec
from workbench.simulation.simulation import Simulation, amounts_of, asks
from workbench.simulation.waiting import Waiting
from workbench.values.errors import CommandError, ConfigError
from workbench.values.resources import Resource

LEVELS = (1, 5)
MOST_DRAWN = 400
"""Designs that are drawn before a task is given up; a few are enough."""
MOST_STEPS = 200
NAMES = ("A", "B")
PAIR_SEEDS = 1000
MOST_PAIRS = 20
"""How far on another task is looked for where one makes no pair, and how often."""
WITHOUT_PAIRS = frozenset(("priority-moves", "spread-or-pack"))
"""Topics without settings that could differ in what is served first."""
LETTERS = "abcdefgh"
WAITING_COLUMNS = ("request", "app", "queue", "priority", "asks for")
SORT_DEFAULTS = {"application.sort.policy": "fifo", "application.sort.priority": "enabled"}
FIRST_NODE = "node-000"
GROUPS = ("north", "south", "east")

Draw = Callable[[Random, int, bool], Simulation]
"""Chance, level, and whether queues that are equal stand the other way round -> a design with what waits in it."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong answer, the word for what was overlooked, and what is told to whoever gives it."""

    answer: str
    overlooked: str
    reply: str


@dataclass
class Practice:
    """One task.

    Attributes:
        topic, level, seed: what it was made of.
        asked: "request" or "node".
        right: the only right answer.
        reason: why, in lines.
        wrong: the answers of those who overlook something, at least one.
        bench: the design, with the question open.
    """

    topic: str
    level: int
    seed: int
    asked: str
    right: str
    reason: str
    wrong: tuple[Wrong, ...]
    bench: Workbench = field(repr=False)

    @property
    def choices(self) -> tuple[str, ...]:
        """What can be answered, the right one and the wrong ones among it, in an order that tells nothing."""
        return (
            grading.choices(self.asked, self.bench.partition, self.bench.simulation.waiting()) if self.bench.question_open else ()
        )

    def answer(self, answer: str) -> Text:
        """Answer on the bench: right, or what was overlooked and one more try, then the reasons."""
        return self.bench.predict(answer, ask=self.asked)

    def next(self) -> Practice:
        """Another task: a level harder after a right answer, a level easier after a wrong one, else of this level."""
        made = self.bench.score
        change = 1 if made.right else -1 if made.made and not made.second else 0
        return practice(self.topic, level=min(max(self.level + change, LEVELS[0]), LEVELS[1]), seed=self.seed + 1)

    def __repr__(self) -> str:
        shown = [str(self.bench.table(table)) for table in SHOWN[self.topic]]
        if self.asked == NODE:
            shown.insert(0, sorted_by(self.bench.config.partitions[0].node_sorting))
        else:
            shown.append(render(waiting_table(prediction.as_they_came(self.bench.simulation.waiting()))))
        if self.topic == "first-in-a-queue":
            shown.insert(0, in_the_leaf(self.bench.config.partitions[0].root.queues[0].properties))
        return "\n\n".join([question(self.topic, self.level, self.seed), *shown, self.bench.question[0]])


def practice(topic: str, *, level: int = 1, seed: int = 0) -> Practice:
    """A task of a topic, which is the name of a lesson: see `topics`. CommandError for another name, or a level beyond 1 to 5."""
    if topic not in TOPICS:
        near = get_close_matches(topic, TOPICS, n=1, cutoff=0.4)
        raise CommandError(no_topic(topic, near[0] if near else ""))
    if not isinstance(level, int) or not LEVELS[0] <= level <= LEVELS[1]:
        raise CommandError(no_level(level))
    draw, asked, least = TOPICS[topic]
    for attempt in range(MOST_DRAWN):
        drawn = f"{topic} {level} {seed} {attempt}"
        simulation = draw(Random(drawn), level, False)
        right = _answer(simulation, asked)
        if not right or right != _answer(draw(Random(drawn), level, True), asked):
            continue
        wrong = _wrong(simulation, asked, right)
        # The harder ones have more ways to go wrong; after many draws one is enough.
        if len(wrong) >= (least(level) if attempt < MOST_DRAWN // 2 else 1):
            bench = Workbench(simulation, name=f"practice-{topic}")
            reason = str(explain.why(simulation.preview()))
            bench.predict(ask=asked, blind=asked == REQUEST, question=f"practice {topic} {level}.{seed}")
            return Practice(topic, level, seed, asked, right, reason, wrong, bench)
    raise CommandError(nothing_drawn(topic, level, seed))


@dataclass
class Pair:
    """Two designs with the same requests, of which one serves a request earlier.

    Attributes:
        key: the request that is asked about.
        right: "A" or "B".
        reason: the step at which each serves it.
        overlooked: what the designs differ in.
        benches: of A and of B, at the start.
    """

    topic: str
    level: int
    seed: int
    key: str
    right: str
    reason: str
    overlooked: str
    benches: tuple[Workbench, Workbench] = field(repr=False)

    def answer(self, answer: str) -> Text:
        """ "A" or "B". The reason is told either way. CommandError for anything else."""
        said = answer.strip().upper()
        if said not in NAMES:
            raise CommandError(neither(answer))
        is_right = said == self.right
        score.answered(
            f"practice pair {self.topic} {self.level}.{self.seed}", FIRST if is_right else WRONG, ("" if is_right else said, "")
        )
        return Text(f"{'Right.' if is_right else f'Not {said}.'} {self.reason}")

    def __repr__(self) -> str:
        tables = [str(bench.table("settings")).splitlines() for bench in self.benches]
        width = max(len(line) for line in tables[0]) + 4
        high = max(len(table) for table in tables)
        left, right = ([*table, *[""] * (high - len(table))] for table in tables)
        side_by_side = [f"{a:{width}}{b}".rstrip() for a, b in zip((NAMES[0], *left), (NAMES[1], *right))]
        waiting = render(waiting_table(prediction.as_they_came(self.benches[0].simulation.waiting())))
        head = question(self.topic, self.level, self.seed)
        return "\n".join([head, "", *side_by_side, "", waiting, "", which_is_earlier(self.key)])


def practice_pair(topic: str, *, level: int = 1, seed: int = 0) -> Pair:
    """Two designs side by side, and the question which of them serves a request first. CommandError as of `practice`."""
    if topic in WITHOUT_PAIRS:
        raise CommandError(no_pair(topic))
    for further in range(MOST_PAIRS):
        found = _pair(topic, level, seed, practice(topic, level=level, seed=seed + PAIR_SEEDS * further).bench)
        if found is not None:
            return found
    raise CommandError(nothing_drawn(topic, level, seed))


def _pair(topic: str, level: int, seed: int, bench: Workbench) -> Pair | None:
    """The design of a task beside the one of somebody who misreads it, in an order that tells nothing; None if nothing differs."""
    config, chance = bench.config, Random(f"pair {topic} {level} {seed}")
    for each in misconceptions.WAITING_MISREAD:
        misread = misconceptions.misread_by(config, each)
        if misread.partitions == config.partitions:
            continue
        try:
            designs = [bench.simulation.with_config(which) for which in (config, misread)]
        except ConfigError:
            continue
        if chance.random() < 0.5:
            designs.reverse()
        a, b = (_steps(simulation) for simulation in designs)
        keys = sorted(key for key in a if key in b and a[key] != b[key])
        if keys:
            key = chance.choice(keys)
            benches = tuple(Workbench(simulation, name=f"practice-{topic}-{name}") for simulation, name in zip(designs, NAMES))
            right = NAMES[a[key] > b[key]]
            return Pair(topic, level, seed, key, right, served_at(key, a[key], b[key]), each.code, (benches[0], benches[1]))
    return None


def _steps(simulation: Simulation) -> dict[str, int]:
    """Request -> the step that serves it, from the start."""
    simulation.run(max_steps=MOST_STEPS)
    found = {step.decision.key: step.number for step in simulation.steps}
    simulation.reset()
    return found


def topics() -> tuple[str, ...]:
    """What can be practised."""
    return tuple(TOPICS)


def _answer(simulation: Simulation, asked: str) -> str:
    """What is next, "" if nothing is."""
    decision = simulation.preview()
    return "" if decision.outcome != "allocated" else decision.node_id if asked == NODE else decision.key


def _wrong(simulation: Simulation, asked: str, right: str) -> tuple[Wrong, ...]:
    """What somebody answers who overlooks something: the first thing that leads to each answer."""
    found: dict[str, Wrong] = {}
    config = simulation.state.config
    for each in misconceptions.NODES_MISREAD if asked == NODE else misconceptions.WAITING_MISREAD:
        misread = misconceptions.misread_by(config, each)
        if misread.partitions == config.partitions:
            continue
        try:
            other = simulation.preview_under(misread)
        except ConfigError:
            continue
        answer = "" if other is None else other.node_id if asked == NODE else other.key
        if answer and answer != right:
            found.setdefault(answer, Wrong(answer, each.code, each.reply))
    if asked == REQUEST:
        loudest = max(simulation.waiting(), key=lambda item: item.ask.priority)
        if loudest.ask.key != right:
            found.setdefault(loudest.ask.key, Wrong(loudest.ask.key, "own priorities", LOUDEST))
    return tuple(found.values())


# ---- designs ----------------------------------------------------------------------------------------------------------


def _simulation(queues: Sequence[str], *, cores: int = 64, sorting: str = "", reverse: bool = False) -> Simulation:
    """A cluster of one node, with queues given as blocks of configuration below root."""
    blocks = "".join(reversed(queues) if reverse else queues)
    head = f"partitions:\n  - name: default\n    preemption: {{enabled: false}}\n{sorting}    queues:\n      - name: root\n"
    simulation = Simulation(load_config(f"{head}        submitacl: '*'\n        queues:\n{blocks}"))
    if cores:
        simulation.add_nodes(1, prefix="node-", vcore=str(cores))
    return simulation


def _block(path: str, settings: Mapping[str, str], children: Sequence[str] = (), *, deep: int = 10) -> str:
    """A queue as lines of configuration."""
    pad = " " * deep
    lines = [f"{pad}- name: {path}\n"]
    properties = {key: value for key, value in settings.items() if "." in key and not key.startswith("resources.")}
    resources = {key.partition(".")[2]: value for key, value in settings.items() if key.startswith("resources.")}
    if properties:
        lines += [f"{pad}  properties:\n", *(f"{pad}    {key}: '{value}'\n" for key, value in properties.items())]
    if resources:
        lines += [f"{pad}  resources:\n", *(f"{pad}    {key}: {{vcore: {value}}}\n" for key, value in resources.items())]
    if children:
        lines += [f"{pad}  queues:\n", *children]
    return "".join(lines)


def _tree(
    chance: Random, level: int, reverse: bool, *, offsets: bool = False, fences: bool = False, stuck: bool = False
) -> Simulation:
    """Groups with leaves; each leaf has an application with requests of different priorities, named after them.

    `stuck`: one request more, the most urgent of all, which no node can take.
    """
    groups = GROUPS[: 2 + (level > 3)]
    number = iter(LETTERS)
    leaves: dict[str, list[str]] = {group: [next(number) for _ in range(2 if level > 1 else 1)] for group in groups}
    blocks = []
    for group in groups:
        own = _numbers(chance, level, offsets, fences)
        inside = [_numbers(chance, level, offsets and level > 1, fences and level > 2) for _ in leaves[group]]
        below = [_block(leaf, settings, deep=14) for leaf, settings in zip(leaves[group], inside)]
        blocks.append(_block(group, own, below[::-1] if reverse else below))
    simulation = _simulation(blocks, reverse=reverse)
    count = sum(len(each) for each in leaves.values())
    priorities = chance.sample(range(1, 3 * count + 6), 2 * count)
    for group, names in leaves.items():
        for leaf in names:
            simulation.submit(leaf, queue=f"root.{group}.{leaf}")
            for _ in range(1 + (level > 2)):
                priority = priorities.pop()
                _ask(simulation, leaf, f"P{priority}", priority)
    if stuck:
        _ask(simulation, chance.choice([leaf for names in leaves.values() for leaf in names]), "P99", 99, cores=99)
    for _ in range(max(0, level - 3)):
        simulation.step()
    return simulation


def _numbers(chance: Random, level: int, offsets: bool, fences: bool) -> dict[str, str]:
    settings = {}
    if offsets and chance.random() < 0.7:
        settings["priority.offset"] = str(chance.choice((-20, -10, -5, 5, 10, 20)))
    if fences and chance.random() < 0.6:
        settings["priority.policy"] = "fence"
    return settings


def _ask(simulation: Simulation, application: str, key: str, priority: int = 0, cores: int = 1) -> None:
    (made,) = asks(1, prefix="", priority=priority, vcore=str(cores))
    simulation.apply(AddAsk(ask=replace(made, key=key, application_id=application)))


def _hold(simulation: Simulation, application: str, cores: int) -> None:
    """The application runs on so many cores already."""
    if cores:
        held = AskSpec(key=f"{application}-runs", application_id=application, resource=amounts_of({"vcore": str(cores)}))
        simulation.apply(AddAllocation(ask=held, node_id=FIRST_NODE))


def _shares(chance: Random, level: int, reverse: bool) -> Simulation:
    """Queues that use something already, most of them with a guarantee."""
    names = LETTERS[: 2 + (level + 1) // 2]
    blocks = []
    for each in names:
        guaranteed = chance.choice((2, 3, 4, 5, 6, 8, 10))
        without = level > 2 and chance.random() < 0.3
        blocks.append(_block(each, {} if without else {"resources.guaranteed": str(guaranteed)}))
    simulation = _simulation(blocks, cores=24, reverse=reverse)
    for each in names:
        simulation.submit(each, queue=f"root.{each}")
        _hold(simulation, each, chance.randrange(0, 6))
    for each in names:
        _ask(simulation, each, f"{each}-next", priority=1 if level > 3 and chance.random() < 0.2 else 0)
    return simulation


def _applications(chance: Random, level: int, reverse: bool) -> Simulation:
    """One leaf with applications that came one after the other, use something, and some of which are urgent."""
    settings = {"application.sort.policy": chance.choice(("fifo", "fair")), "resources.guaranteed": "20"}
    if level > 1 and chance.random() < 0.5:
        settings["application.sort.priority"] = "disabled"
    simulation = _simulation([_block("team", settings)])
    names = LETTERS[: 2 + (level + 1) // 2]
    used = chance.sample(range(0, 8), len(names))
    for each, held in zip(names, used):
        simulation.submit(each, queue="root.team")
        _hold(simulation, each, held)
    for each in names:
        _ask(simulation, each, f"{each}-next", priority=chance.choice((0, 0, 1, 5)) if level > 1 else 0)
    return simulation


def _quotas(chance: Random, level: int, reverse: bool) -> Simulation:
    """Groups with a maximum, leaves some of which have one, and requests of different sizes."""
    groups = GROUPS[: 1 + (level > 1) + (level > 3)]
    number = iter(LETTERS)
    leaves = {group: [next(number), next(number)] for group in groups}
    blocks = []
    for group in groups:
        most = chance.choice((4, 5, 6, 8))
        own = [{"resources.max": str(chance.randrange(2, most + 1))} if chance.random() < 0.6 else {} for _ in leaves[group]]
        below = [_block(leaf, settings, deep=14) for leaf, settings in zip(leaves[group], own)]
        blocks.append(_block(group, {"resources.max": str(most)}, below[::-1] if reverse else below))
    simulation = _simulation(blocks, cores=20, reverse=reverse)
    names = [(group, leaf) for group, each in leaves.items() for leaf in each]
    priorities = chance.sample(range(1, 20), 2 * len(names))
    for group, leaf in names:
        simulation.submit(leaf, queue=f"root.{group}.{leaf}")
        for _ in range(1 + (level > 2)):
            priority = priorities.pop()
            _ask(simulation, leaf, f"P{priority}", priority, cores=chance.randrange(1, 8))
    for _ in range(max(0, level - 3)):
        simulation.step()
    return simulation


def _nodes(chance: Random, level: int, reverse: bool) -> Simulation:
    """Nodes that are in use already, one policy for all, and from the third level on weights."""
    kind = chance.choice(("fair", "binpacking"))
    weights = (
        f"      resourceweights: {{vcore: {chance.choice((1, 2, 4))}, memory: {chance.choice((1, 2, 4))}}}\n" if level > 2 else ""
    )
    sorting = f"    nodesortpolicy:\n      type: {kind}\n{weights}"
    simulation = _simulation([_block("work", {})], cores=0, sorting=sorting)
    simulation.submit("busy", queue="root.work")
    for number in range(2 + (level + 1) // 2):
        node = f"node-{number + 1}"
        simulation.apply(AddNode(node_id=node, capacity=amounts_of({"vcore": "10", "memory": "100"})))
        used = amounts_of({"vcore": str(chance.randrange(1, 9)), "memory": str(10 * chance.randrange(1, 9))})
        simulation.apply(AddAllocation(ask=AskSpec(key=f"on-{node}", application_id="busy", resource=used), node_id=node))
    simulation.submit("next", queue="root.work", asks=asks(1, prefix="P", vcore="1", memory="10"))
    return simulation


TOPICS: Mapping[str, tuple[Draw, str, Callable[[int], int]]] = {
    "priority-moves": (lambda chance, level, reverse: _tree(chance, level, reverse, stuck=True), REQUEST, lambda _: 1),
    "offsets": (lambda chance, level, reverse: _tree(chance, level, reverse, offsets=True), REQUEST, lambda _: 1),
    "fences": (
        lambda chance, level, reverse: _tree(chance, level, reverse, offsets=True, fences=True),
        REQUEST,
        lambda level: 1 + (level > 2),
    ),
    "fair-between-queues": (_shares, REQUEST, lambda _: 1),
    "first-in-a-queue": (_applications, REQUEST, lambda _: 1),
    "quotas": (_quotas, REQUEST, lambda _: 1),
    "spread-or-pack": (_nodes, NODE, lambda _: 1),
}
"""Topic -> what draws a design, what is asked, and how many wrong answers a task of a level has at least."""
SHOWN: Mapping[str, tuple[str, ...]] = {
    "priority-moves": ("nodes",),
    "offsets": ("settings",),
    "fences": ("settings",),
    "fair-between-queues": ("queues",),
    "first-in-a-queue": ("applications",),
    "quotas": ("queues", "nodes"),
    "spread-or-pack": ("nodes",),
}
"""Topic -> the tables that the task is shown with."""


# ---- in words ---------------------------------------------------------------------------------------------------------

LOUDEST = "if the request with the highest priority were always first. But queues are compared first, by what they show."


def question(topic: str, level: int, seed: int) -> str:
    return f"Practice: {topic}, level {level}, number {seed}."


def sorted_by(sorting: NodeSorting) -> str:
    weights = ", ".join(f"{kind} {weight:g}" for kind, weight in sorting.weights.items())
    return (
        f"nodesortpolicy: {sorting.type}{f', weights {weights}' if weights else ''}. The next request takes vcore 1 and memory 10."
    )


def in_the_leaf(properties: Mapping[str, str]) -> str:
    settings = (f"{key}: {properties.get(key, default)}" for key, default in SORT_DEFAULTS.items())
    return f"root.team, guaranteed vcore 20: {', '.join(settings)}. Nobody came at the same time; the oldest stands first."


def waiting_table(waiting: Sequence[Waiting]) -> Table:
    """What waits, in the order of arrival, with what each asks for."""
    rows = tuple(
        (
            each.ask.key,
            each.application.id,
            each.application.queue_path,
            str(each.ask.priority),
            amounts(each.ask.resource or Resource()),
        )
        for each in waiting
    )
    return Table("", WAITING_COLUMNS, rows, frozenset(("priority",)))


def which_is_earlier(key: str) -> str:
    return f"Which of the two serves {name(key)} first, A or B?"


def served_at(key: str, a: int, b: int) -> str:
    return f"A serves {name(key)} at step {a}, B at step {b}."


def neither(answer: str) -> str:
    return f"{name(answer)}: answer A or B"


def no_pair(topic: str) -> str:
    return f"{name(topic)} has no pairs; there are those of {listing([name(each) for each in TOPICS if each not in WITHOUT_PAIRS])}"


def no_topic(topic: str, near: str) -> str:
    meant = f"did you mean {near}?" if near else f"there are {listing([name(each) for each in TOPICS])}"
    return f"there is nothing to practise of the name {name(topic)}; {meant}"


def no_level(level: object) -> str:
    return f"practice: level must be a whole number from {LEVELS[0]} to {LEVELS[1]}, not {level!r}"


def nothing_drawn(topic: str, level: int, seed: int) -> str:
    return f"no task of {topic} was found for level {level} and seed {seed}; take another seed"
