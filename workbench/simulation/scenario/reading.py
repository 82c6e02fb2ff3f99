"""Scenario files read into values: the recorded JSON form as it is, and YAML of the same shape for hand-written ones.

Resources are integers in base units (millicores, bytes, counts), or quantities as text in the words of the
configuration: `vcore: 500` and `vcore: "500m"` are the same, `vcore: "2"` is two cores. One addition for people:
`repeat: n` in `add_node`, `add_app` and `add_ask` makes n of them, named with -000, -001 and so on. An unknown key is
an error, as in the harness that records scenarios. A second addition: `engine: "1.4"`, in quotes, has the scenario played
by the rules of that release of the core (`workbench.scheduler.releases.profiles`); without it they are those of 1.8. The
key stays `engine`, as files say it, where code says `release`. A third: `at_ms: 5000` beside the kind of an event gives it
a time; it is taken out of the order and happens when the clock is there. What else code can say has keys of its own: `pace:
{message_ns: 1000, cycle_ns: 0}` for other times than those of the recorded form, `until_ns` for time that passes up to an
instant, `partition` in every message (of a node or an application that is only named, `{id: name, partition: other}`),
`schedulable: false` in add_node, `tags` and `created_ns` of an ask, `type` of a release.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from workbench.files.reading import read_text
from workbench.scheduler.records.command_checks import LEAST_PRIORITY, MOST_MS, MOST_PRIORITY, RELEASE_TYPES, CommandFault, is_whole
from workbench.scheduler.records.commands import (
    NOTHING,
    AddAllocation,
    AddApplication,
    AddAsk,
    AddNode,
    ApplicationSpec,
    AskSpec,
    Command,
    DrainNode,
    Release,
    RemoveApplication,
    RemoveNode,
    UndrainNode,
    UpdateConfig,
    UpdateNode,
)
from workbench.scheduler.releases.profiles import DEFAULT, PROFILES, release_names
from workbench.simulation.scenario.checks import MOST_CYCLES, MOST_EVENTS, MS_NS, check_input
from workbench.simulation.scenario.document import Cursor, read
from workbench.simulation.scenario.model import (
    LAST_MS,
    RECORDED,
    AdvanceMs,
    Happening,
    Pace,
    Planned,
    Scenario,
    ScenarioEvent,
    Schedule,
    Until,
)
from workbench.values.errors import CommandError, ScenarioError
from workbench.values.quantities import MAX_INT64, MIN_INT64

Fields = dict[str, Cursor]


def load_scenario(path: str | Path) -> Scenario:
    """The scenario in a file: `.json`, `.yaml` or `.yml`, each also with `.gz` behind it.

    A scenario without a name gets that of its file. ScenarioError if it cannot be read.
    """
    path = Path(path)
    suffixes = [suffix.lower() for suffix in path.suffixes]
    packed = suffixes[-1:] == [".gz"]
    suffix = "".join(suffixes[-2:-1] if packed else suffixes[-1:])
    if suffix not in (".json", ".yaml", ".yml"):
        raise ScenarioError(
            f"cannot tell the format from the name {path.name!r}",
            source=str(path),
            hint="the name must end in .json, .yaml or .yml, or in one of them and .gz",
        )
    format = "json" if suffix == ".json" else "yaml"
    stem = path.name[: -len(suffix) - (3 if packed else 0)]
    return parse_scenario(read_text(path, error=ScenarioError, packed=packed), format, source=str(path), name=stem)


def parse_scenario(text: str, format: str = "yaml", *, source: str | None = None, name: str = "") -> Scenario:
    """The scenario that a text says. `format` is "yaml" or "json"; `name` is for a scenario that gives none.

    Raises:
        ScenarioError: with the line (YAML), the path of the value, what was found and what is allowed.
    """
    top = read(text, format, source=source)
    if isinstance(top.value, dict) and "partitions" in top.value and "config" not in top.value:
        raise top.fault("this is a queue configuration, not a scenario", "put its text under the key config, beside events")
    given = top.fields("name", "description", "engine", "config", "confirm_releases", "pace", "events", "expect")
    for key in ("config", "events"):
        if key not in given:
            raise top.fault(f"the key {key} is missing", "a scenario has at least the keys config and events")
    events, planned = _events(given["events"])
    return Scenario(
        name=given["name"].text() if "name" in given else name,
        description=given["description"].text() if "description" in given else "",
        config=given["config"].text(),
        events=events,
        planned=planned,
        confirm_releases=given["confirm_releases"].switch() if "confirm_releases" in given else True,
        pace=_pace(given["pace"]) if "pace" in given else RECORDED,
        engine=_engine(given["engine"]) if "engine" in given else DEFAULT.version,
        expect=_expectation(given["expect"]) if "expect" in given else None,
    )


def parse_inputs(text: str, format: str = "json", *, source: str | None = None) -> tuple[Command | Planned, ...]:
    """The inputs that a text says: one event of a scenario, or a list of them. Inputs with a time come last, the earliest first.

    Raises:
        ScenarioError: as `parse_scenario`; also for an event that lets time pass, which is no input.
    """
    top = read(text, format, source=source)
    events, planned = _events(top if isinstance(top.value, list) else Cursor([top.value], "", top.line, top.source))
    for event in events:
        if isinstance(event.command, Schedule | AdvanceMs | Until):
            raise top.fault("an event that lets time pass is no input", f"the inputs are {', '.join(INPUTS)}")
    return (*(event.command for event in events if not isinstance(event.command, Schedule | AdvanceMs | Until)), *planned)


def _engine(at: Cursor) -> str:
    release = at.text()
    if release not in PROFILES:
        raise at.fault(f"there is no release {release[:20]!r}", f"there are {release_names()}")
    return release


def _pace(at: Cursor) -> Pace:
    given = at.fields("message_ns", "cycle_ns")
    return Pace(**{name: each.integer(0, LAST_MS * MS_NS) for name, each in given.items()})


def _expectation(at: Cursor) -> Any:
    at.mapping()
    pending, depth = [at.value], 0
    while pending:  # level by level, so that no depth exhausts the stack
        pending = [
            inner
            for value in pending
            if isinstance(value, (dict, list))
            for inner in (value.values() if isinstance(value, dict) else value)
        ]
        depth += 1
        if depth > 64:
            raise at.fault("is nested too deeply")
    return at.plain()


# -- events -----------------------------------------------------------------------------------------------------------


def _events(at: Cursor) -> tuple[tuple[ScenarioEvent, ...], tuple[Planned, ...]]:
    """The events in order, and those that have a time, by their time."""
    found = list(_happenings(at))
    planned = [each for each in found if isinstance(each, Planned)]
    return (tuple(each for each in found if isinstance(each, ScenarioEvent)), tuple(sorted(planned, key=lambda each: each.at_ms)))


def _happenings(at: Cursor) -> Iterator[ScenarioEvent | Planned]:
    index = count = 0
    for entry in at.items():
        given = entry.fields(*READERS, "snapshot", "at_ms")
        at_ms = given.pop("at_ms", None)
        wanted = given.pop("snapshot").switch() if "snapshot" in given else False
        if len(given) != 1:
            found = " and ".join(given) or "none"
            raise entry.fault(f"an event must have exactly one kind, found {found}", f"the kinds are {', '.join(READERS)}")
        ((kind, body),) = given.items()
        count += _wanted(body)  # before they are made
        if count > MOST_EVENTS:
            raise entry.fault(f"the scenario has more than {MOST_EVENTS} events", "split it, or repeat less")
        happenings = READERS[kind](body)
        _check(body, happenings)
        if at_ms is not None:
            if kind in ("schedule", "advance_ms", "until_ns") or wanted:
                raise at_ms.fault("only an input can have a time", "remove at_ms, or the snapshot beside it")
            when = at_ms.integer(1, LAST_MS)
            yield from (Planned(when, each) for each in happenings if not isinstance(each, (Schedule, AdvanceMs, Until)))
            continue
        for place, command in enumerate(happenings, 1):
            # A repeated event is looked at once, when all of it has happened.
            yield ScenarioEvent(command, wanted and place == len(happenings), index)
            index += 1


def _wanted(at: Cursor) -> int:
    """How many events one entry stands for; 1 where its `repeat` is wrong, which its reader tells."""
    repeat = at.value.get("repeat") if isinstance(at.value, dict) else None
    return int(repeat) if is_whole(repeat, 1, MOST_EVENTS) and repeat is not None else 1


def _check(at: Cursor, happenings: list[Happening]) -> None:
    """What is read passes the gate of every other input. Of repeated ones, which differ in a number, one is looked at."""
    try:
        for happening in happenings[:1]:
            check_input(happening)
    except CommandFault as fault:
        key = _KEYS.get((fault.command, fault.field)) or _KEYS.get(("", fault.field), fault.field)
        place = at.at(key) if isinstance(at.value, dict) and key in at.value else at
        raise place.fault(f"must be {fault.allowed}, found {fault.found}") from None
    except CommandError as error:
        raise at.fault(str(error)) from None


_KEYS = {
    ("add_app", "id"): "id",
    ("add_allocation", "node_id"): "node",
    ("", "node_id"): "id",
    ("", "capacity"): "resources",
    ("", "application_id"): "app",
    ("", "resource"): "resources",
    ("", "execution_timeout_ns"): "execution_timeout_ms",
}
"""(Kind of event, or "" for any, and field of its command) -> key of the form, where they differ."""


def _add_node(at: Cursor) -> list[Happening]:
    given = _given(at, ("id", "resources"), ("attributes", "taints", "schedulable", "partition", "repeat"))
    taints = given["taints"].texts() if "taints" in given else ()
    capacity, attributes = given["resources"].resource(), given["attributes"].text_map() if "attributes" in given else NOTHING
    schedulable = given["schedulable"].switch() if "schedulable" in given else True
    partition = _partition_of(given)
    return [
        AddNode(node_id=name, capacity=capacity, attributes=attributes, taints=taints, schedulable=schedulable, partition=partition)
        for name in _names(given, "id")
    ]


def _update_node(at: Cursor) -> list[Happening]:
    given = _given(at, ("id", "resources"), ("partition",))
    partition = _partition_of(given)
    return [UpdateNode(node_id=given["id"].name(), capacity=given["resources"].resource(), partition=partition)]


def _of_node(command: type) -> Callable[[Cursor], list[Happening]]:
    def read(at: Cursor) -> list[Happening]:
        name, partition = _named(at)
        return [command(node_id=name, partition=partition)]

    return read


def _add_app(at: Cursor) -> list[Happening]:
    given = _given(
        at,
        ("id",),
        ("queue", "user", "groups", "tags", "placeholder_ask", "gang_style", "execution_timeout_ms", "partition", "repeat"),
    )
    timeout = given["execution_timeout_ms"].integer(-MOST_MS, MOST_MS) if "execution_timeout_ms" in given else 0
    partition = _partition_of(given)
    return [
        AddApplication(
            application=ApplicationSpec(
                id=name,
                queue=_text_of(given, "queue"),
                user=_text_of(given, "user"),
                groups=given["groups"].texts() if "groups" in given else (),
                tags=given["tags"].text_map() if "tags" in given else NOTHING,
                placeholder_ask=given["placeholder_ask"].resource() if "placeholder_ask" in given else None,
                gang_style=_text_of(given, "gang_style"),
                execution_timeout_ns=timeout * MS_NS,
            ),
            partition=partition,
        )
        for name in _names(given, "id")
    ]


def _remove_app(at: Cursor) -> list[Happening]:
    name, partition = _named(at)
    return [RemoveApplication(application_id=name, partition=partition)]


ASK_FIELDS = (
    "priority",
    "task_group",
    "placeholder",
    "originator",
    "allow_preempt_self",
    "allow_preempt_other",
    "required_node",
    "allowed_nodes",
    "node_selector",
    "tolerations",
    "tags",
    "created_ns",
    "partition",
)


def _add_ask(at: Cursor) -> list[Happening]:
    given = _given(at, ("app", "key", "resources"), (*ASK_FIELDS, "repeat"))
    application_id, partition = given["app"].name(), _partition_of(given)
    return [AddAsk(ask=_ask(given, application_id, key), partition=partition) for key in _names(given, "key")]


def _add_allocation(at: Cursor) -> list[Happening]:
    given = _given(at, ("key", "resources", "node"), ("app", "foreign", *ASK_FIELDS))
    foreign = given["foreign"].switch() if "foreign" in given else False
    application_id = _text_of(given, "app")
    if not application_id and not foreign:
        raise at.fault("the key app is missing", "only an allocation with foreign: true belongs to no application")
    return [
        AddAllocation(
            ask=_ask(given, application_id, given["key"].name()),
            node_id=given["node"].name(),
            foreign=foreign,
            partition=_partition_of(given),
        )
    ]


def _ask(given: Fields, application_id: str, key: str) -> AskSpec:
    switches = {
        name: given[name].switch()
        for name in ("placeholder", "originator", "allow_preempt_self", "allow_preempt_other")
        if name in given
    }
    allowed = given["allowed_nodes"].texts() if "allowed_nodes" in given else None
    if allowed == ():
        raise given["allowed_nodes"].fault("is empty", "leave it out if every node will do")
    return AskSpec(
        application_id=application_id,
        key=key,
        resource=given["resources"].resource(),
        priority=given["priority"].integer(LEAST_PRIORITY, MOST_PRIORITY) if "priority" in given else 0,
        task_group=_text_of(given, "task_group"),
        required_node=_text_of(given, "required_node"),
        allowed_nodes=allowed,
        node_selector=given["node_selector"].text_map() if "node_selector" in given else NOTHING,
        tolerations=given["tolerations"].texts() if "tolerations" in given else (),
        tags=given["tags"].text_map() if "tags" in given else NOTHING,
        created_ns=given["created_ns"].integer(MIN_INT64, MAX_INT64) if "created_ns" in given else None,
        **switches,
    )


def _release(at: Cursor) -> list[Happening]:
    given = _given(at, (), ("app", "key", "type", "partition"))
    application_id, key = _text_of(given, "app"), _text_of(given, "key")
    if not application_id and not key:
        raise at.fault("names nothing", "give app and key, app alone for all it has, or key alone for a foreign allocation")
    return [
        Release(
            application_id=application_id,
            key=key,
            type=given["type"].text() if "type" in given else RELEASE_TYPES[0],
            partition=_partition_of(given),
        )
    ]


def _update_config(at: Cursor) -> list[Happening]:
    return [UpdateConfig(config=at.text())]


def _advance_ms(at: Cursor) -> list[Happening]:
    return [AdvanceMs(at.integer(1, LAST_MS))]


def _until_ns(at: Cursor) -> list[Happening]:
    return [Until(at.integer(1, LAST_MS * MS_NS))]


def _schedule(at: Cursor) -> list[Happening]:
    return [Schedule(at.integer(1, MOST_CYCLES))]


READERS: dict[str, Callable[[Cursor], list[Happening]]] = {
    "add_node": _add_node,
    "update_node": _update_node,
    "drain_node": _of_node(DrainNode),
    "undrain_node": _of_node(UndrainNode),
    "remove_node": _of_node(RemoveNode),
    "add_app": _add_app,
    "remove_app": _remove_app,
    "add_ask": _add_ask,
    "add_allocation": _add_allocation,
    "release": _release,
    "update_config": _update_config,
    "advance_ms": _advance_ms,
    "until_ns": _until_ns,
    "schedule": _schedule,
}
"""Kind of event -> its reader."""
INPUTS = tuple(kind for kind in READERS if kind not in ("advance_ms", "until_ns", "schedule"))
"""The kinds that somebody outside sends to the scheduler."""


def _given(at: Cursor, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> Fields:
    given = at.fields(*required, *optional)
    for key in required:
        if key not in given:
            raise at.fault(f"the key {key} is missing")
    return given


def _text_of(given: Fields, key: str) -> str:
    return given[key].text() if key in given else ""


def _partition_of(given: Fields) -> str:
    return given["partition"].name() if "partition" in given else "default"


def _named(at: Cursor) -> tuple[str, str]:
    """A name and its partition: the name alone, or both as a mapping."""
    if not isinstance(at.value, dict):
        return at.name(), "default"
    given = _given(at, ("id",), ("partition",))
    return given["id"].name(), _partition_of(given)


def _names(given: Fields, key: str) -> list[str]:
    """The name under `key`, or as many numbered ones as `repeat` says."""
    name = given[key].name()
    if "repeat" not in given:
        return [name]
    count = given["repeat"].integer(1, MOST_EVENTS)
    return [f"{name}-{number:03d}" for number in range(count)]
