"""Answers of a YuniKorn REST API, saved as files in a folder, as a scenario: what a live cluster looked like.

Files are known by a word in their names: `config` (`/ws/v1/config`, YAML or JSON), `queues`
(`/ws/v1/partition/default/queues`), `nodes` (`.../nodes`) and `applications` (`.../applications`, of one queue, or several files
for several queues). Nodes and applications are needed; without `config` the queues are taken from `queues`.

What becomes what:

- A node is registered with its capacity; what others occupy on it becomes one foreign allocation.
- An application is submitted to the queue in which it was, in the order of its submission; what it held is reported as
  running, and what it still asked for waits, in the order in which it was asked for.
- Ended applications are left out.

The answers do not say everything. What they leave open, or what is left out here, is told as notes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from workbench.config import load_config
from workbench.files.reading import is_folder
from workbench.importers.imported import Imported, told_otherwise
from workbench.importers.look import Look, is_url, top_keys
from workbench.importers.registry import Importer, Option, register_importer
from workbench.importers.rest_answers import Answers, asked, of_word, saved
from workbench.importers.rest_notes import (
    AgesFromNow,
    ConstraintsUnknown,
    Elsewhere,
    EndedLeftOut,
    GangsSoft,
    Missing,
    NotAccepted,
    Note,
    OutOfStep,
    QueuesOnly,
    ServiceLeftOut,
)
from workbench.importers.rest_texts import rest_note
from workbench.scheduler.records.commands import (
    AddAllocation,
    AddApplication,
    AddAsk,
    AddNode,
    ApplicationSpec,
    AskSpec,
    Command,
    DrainNode,
)
from workbench.simulation import Simulation
from workbench.simulation.scenario import Scenario, ScenarioEvent
from workbench.simulation.scenario.checks import MOST_EVENTS, check_input
from workbench.simulation.scenario.document import Cursor, read
from workbench.values.errors import CommandError, ScenarioError
from workbench.values.quantities import MAX_INT64, format_quantity
from workbench.values.resources import EMPTY, Resource

Fields = Mapping[str, Cursor]

ENDED = ("completed", "completing", "failed", "failing", "rejected", "expired")
NAMESPACE_TAG = "kubernetes.io/meta/namespace"
_FREE_MAPS = ("properties", "guaranteed", "max", "maxresources", "resourceweights", "quota")
"""Keys of a configuration below which keys are somebody's own words."""


_BLOCK = re.compile(r"^(?=[A-Za-z])", re.MULTILINE)
_BESIDE = re.compile("(checksum|extra|deadlock[a-z]*):")
"""What the API tells beside the partitions."""


@dataclass(frozen=True, slots=True)
class Dump:
    """A cluster as its answers tell it.

    Attributes:
        scenario: the configuration, the nodes, and what ran and waited.
        queues: id of an application -> the queue in which it was.
        notes: what the answers leave open.
    """

    scenario: Scenario
    queues: Mapping[str, str]
    notes: tuple[Note, ...]


def recognises(look: Look) -> bool:
    """A folder of saved answers, with nodes and applications; objects of Kubernetes, which may be called likewise, are none."""
    if not look.is_folder:
        return False
    found = of_word(look.names, "nodes")
    return bool(found and of_word(look.names, "applications")) and "apiVersion" not in top_keys(look.head_of(found[0]))


def load_rest(folder: str | Path) -> Dump:
    """The answers in a folder as a scenario.

    Raises:
        ScenarioError: an answer is missing or cannot be read; with the file, the key, and what was found.
        ConfigError: the scheduler would refuse the configuration.
    """
    return load_answers(saved(Path(folder)))


def load_answers(answers: Answers) -> Dump:
    """The answers as a scenario. Raises as `load_rest`."""
    try:
        return _load(answers)
    except RecursionError:
        raise ScenarioError("an answer is nested too deeply", source=answers.source) from None


def _load(given: Answers) -> Dump:
    notes: list[Note] = list(given.notes)
    config = _config(given, notes)
    load_config(config, source="config")
    nodes = [_node(each) for each in _answers(given, "nodes")]
    known = {node.node_id for node, _, _ in nodes}
    answers = list(_answers(given, "applications"))
    _refuse_too_many(answers)
    applications = sorted((_application(each) for each in answers), key=lambda each: each.submitted)
    ended = sum(each.ended for each in applications)
    if ended:
        notes.append(EndedLeftOut(ended))
    live = [each for each in applications if not each.ended]
    if given.live:
        live = _in_step(live, known, notes)
    events: list[Any] = [node for node, _, _ in nodes]
    events += [foreign for _, foreign, _ in nodes if foreign is not None]
    events += [event for each in live for event in _events(each, known)]
    events += [DrainNode(node_id=node.node_id) for node, _, is_open in nodes if not is_open]
    if any(each.placeholders for each in live):
        notes.append(GangsSoft())
    notes += [AgesFromNow(), ConstraintsUnknown()]
    scenario = Scenario(
        name=given.name,
        config=config,
        events=tuple(ScenarioEvent(event, index=index) for index, event in enumerate(events)),
    )
    return Dump(scenario, {each.id: each.queue for each in live}, tuple(notes))


def simulation_of(dump: Dump) -> tuple[Simulation, tuple[Note, ...]]:
    """The cluster, ready to go on, and all notes: also what the scheduler did not take as the answers tell it."""
    simulation = Simulation.from_scenario(dump.scenario)
    elsewhere, rejected = told_otherwise(simulation, dump.queues)
    notes = list(dump.notes)
    if elsewhere:
        notes.append(Elsewhere(elsewhere))
    if rejected:
        notes.append(NotAccepted(rejected))
    return simulation, tuple(notes)


# -- files ----------------------------------------------------------------------------------------------------------------


def _answers(given: Answers, word: str) -> Iterator[Cursor]:
    """Every entry of the answers of that word, each a mapping."""
    texts = given.texts.get(word, ())
    if not texts and not given.live:
        raise ScenarioError(
            f"there is no answer with {word} in its name",
            source=given.source,
            hint=f"save /ws/v1/partition/default/{word} as {word}.json",
        )
    for name, text in texts:
        top = read(text, "json", source=name)
        _refuse_error(top)
        if isinstance(top.value, dict):
            yield top
        elif top.value is not None:
            yield from top.items()


def _refuse_error(top: Cursor) -> None:
    """The API answers an error as an object with a message."""
    if isinstance(top.value, dict) and "status_code" in top.value:
        raise top.fault(f"the API answered an error: {str(top.value.get('message', ''))[:200]}", "ask it again")


# -- configuration --------------------------------------------------------------------------------------------------------


def _config(given: Answers, notes: list[Note]) -> str:
    if given.texts.get("config"):
        return _config_text(*given.texts["config"][0], notes)
    tops = list(_answers(given, "queues"))
    if len(tops) != 1:
        raise ScenarioError(f"there are {len(tops)} root queues, not one", source=given.source)
    notes.append(QueuesOnly())
    queue = _queue(tops[0])
    queue["submitacl"] = "*"
    return yaml.safe_dump({"partitions": [{"name": "default", "queues": [queue]}]}, sort_keys=False, allow_unicode=True)


def _config_text(name: str, text: str, notes: list[Note]) -> str:
    """The text of a queues.yaml. The API also tells it as JSON, with keys as its programmers write them.

    Beside the partitions the API tells the settings of the service, and others that no queues.yaml may have.
    """
    if not text.lstrip("\ufeff \t\r\n").startswith("{"):
        blocks = _BLOCK.split(text)
        extra = [block for block in blocks if block.startswith("extra:")]
        if extra:
            notes.append(ServiceLeftOut(extra[0].count("\n    ")))
        return "".join(block for block in blocks if not _BESIDE.match(block))
    top = read(text, "json", source=name)
    _refuse_error(top)
    plain = _lowered(top.plain())
    if plain.get("extra"):
        notes.append(ServiceLeftOut(len(plain["extra"])))
    plain = {key: each for key, each in plain.items() if not _BESIDE.match(f"{key}:")}
    return yaml.safe_dump(plain, sort_keys=False, allow_unicode=True)


def _lowered(value: Any, *, free: bool = False) -> Any:
    """Keys in lower case, except somebody's own words; what is empty left out."""
    if isinstance(value, dict):
        kept = ((key if free else key.lower(), each) for key, each in value.items())
        return {key: _lowered(each, free=free or key in _FREE_MAPS) for key, each in kept if each not in (None, "", [], {})}
    return [_lowered(each) for each in value] if isinstance(value, list) else value


def _queue(at: Cursor) -> dict[str, Any]:
    """A queue of the answer as one of a queues.yaml. Those that placement created are left out: it creates them again."""
    given = at.mapping()
    path = _name(given, at, "queuename")
    found: dict[str, Any] = {"name": path.rpartition(".")[2]}
    children = (
        [child for child in given["children"].items() if _switch(child.mapping(), "isManaged", True)]
        if ("children" in given)
        else []
    )
    if not _switch(given, "isLeaf", not children):
        found["parent"] = True
    if "properties" in given and given["properties"].value:
        found["properties"] = {key: each.text() for key, each in given["properties"].mapping().items()}
    is_root = "." not in path
    if not is_root and "maxRunningApps" in given and given["maxRunningApps"].integer(0, 2**63 - 1):
        found["maxapplications"] = given["maxRunningApps"].value
    limits = {"guaranteed": _amounts(given, "guaranteedResource"), "max": {} if is_root else _amounts(given, "maxResource")}
    if any(limits.values()) and not is_root:
        found["resources"] = {key: each for key, each in limits.items() if each}
    if children:
        found["queues"] = [_queue(child) for child in children]
    return found


def _amounts(given: Fields, key: str) -> dict[str, str]:
    resource = given[key].resource() if key in given else EMPTY
    return {kind: format_quantity(amount, kind) for kind, amount in resource.items()}


# -- nodes and applications -----------------------------------------------------------------------------------------------


def _node(at: Cursor) -> tuple[AddNode, AddAllocation | None, bool]:
    """The node, what others occupy on it, and whether it takes new work."""
    given = at.mapping()
    id = _name(given, at, "nodeID")
    attributes = given["attributes"].text_map() if "attributes" in given else {}
    node = AddNode(node_id=id, capacity=_resource(given, at, "capacity"), attributes=attributes)
    occupied = _without_zeros(given["occupied"].resource()) if "occupied" in given else EMPTY
    foreign = (
        AddAllocation(ask=AskSpec(application_id="", key=f"{id}-occupied", resource=occupied), node_id=id, foreign=True)
        if occupied
        else None
    )
    return node, foreign, _switch(given, "schedulable", True)


@dataclass(frozen=True, slots=True)
class _Application:
    id: str
    queue: str
    submitted: int
    ended: bool
    spec: ApplicationSpec
    running: tuple[tuple[AskSpec, str, Cursor], ...]
    """What it held: the ask, the id of the node, and where the answer says so."""
    waiting: tuple[AskSpec, ...]
    placeholders: bool


def _application(at: Cursor) -> _Application:
    given = at.mapping()
    id, queue = _name(given, at, "applicationID"), _name(given, at, "queueName")
    running = [_ask(each, id) for each in _list(given, "allocations")]
    held = {ask.key for ask, _, _ in running}
    waiting = [ask for each in _list(given, "requests") for ask in _pending(each, id) if ask.key not in held]
    groups = [each.mapping() for each in _list(given, "placeholderData")]
    gang = EMPTY
    for group in groups:
        if "minResource" in group:
            count = group["count"].integer(0, 10**6) if "count" in group else 0
            size = group["minResource"].resource()
            amounts = {kind: gang.get(kind, 0) + count * size.get(kind, 0) for kind in {*gang, *size}}
            if max(amounts.values(), default=0) > MAX_INT64:
                raise group["minResource"].fault("all the members together are more than 64 bits of a resource")
            gang = Resource(amounts)
    namespaces = (
        each.mapping()["allocationTags"].mapping().get(NAMESPACE_TAG)
        for key in ("allocations", "requests")
        for each in _list(given, key)
        if "allocationTags" in each.mapping()
    )
    namespace = next((each.text() for each in namespaces if each is not None), "")
    spec = ApplicationSpec(
        id=id,
        queue=queue,
        user=given["user"].text() if "user" in given else "nobody",
        groups=given["groups"].texts() if "groups" in given else (),
        tags={"namespace": namespace} if namespace else {},
        placeholder_ask=_without_zeros(gang) or None,
    )
    state = given["applicationState"].text().lower() if "applicationState" in given else ""
    return _Application(
        id,
        queue,
        _integer(given, "submissionTime"),
        state in ENDED,
        spec,
        tuple((ask, _name(fields, cursor, "nodeId"), cursor) for ask, fields, cursor in running),
        tuple(waiting),
        bool(groups) or any(ask.placeholder for ask, _, _ in running),
    )


def _in_step(applications: list[_Application], known: Collection[str], notes: list[Note]) -> list[_Application]:
    """Without what was placed on nodes that were not there yet, or no longer, when nodes were asked for."""
    lost = 0
    found = []
    for each in applications:
        held = tuple(one for one in each.running if one[1] in known)
        lost += len(each.running) - len(held)
        found.append(replace(each, running=held))
    if lost:
        notes.append(OutOfStep(lost))
    return found


def _events(each: _Application, nodes: Iterable[str]) -> Iterator[Any]:
    yield AddApplication(application=each.spec)
    for ask, node_id, at in each.running:
        if node_id not in nodes:
            raise at.fault(f"nodeId {node_id!r} is none of the nodes", "save the answers at the same time")
        yield AddAllocation(ask=ask, node_id=node_id)
    for ask in each.waiting:
        yield AddAsk(ask=ask)


def _ask(at: Cursor, application_id: str) -> tuple[AskSpec, Fields, Cursor]:
    given = at.mapping()
    size = "resource" if "resource" in given else "resourcePerAlloc"
    required = given["requiredNodeId"].text() if "requiredNodeId" in given else ""
    ask = AskSpec(
        application_id=application_id,
        key=_name(given, at, "allocationKey"),
        resource=_resource(given, at, size),
        priority=_integer(given, "priority"),
        task_group=given["taskGroupName"].text() if "taskGroupName" in given else "",
        placeholder=_switch(given, "placeholder", False),
        originator=_switch(given, "originator", False),
        required_node=required,
    )
    _passed(AddAsk(ask=ask), at)
    return ask, given, at


def _refuse_too_many(answers: Iterable[Cursor]) -> None:
    """Counted requests are counted before any of them is made."""
    total = 0
    for answer in answers:
        given = answer.mapping()
        for request in given["requests"].items() if "requests" in given else ():
            total += _count(request.mapping())
            if total > MOST_EVENTS:
                raise request.fault(
                    f"the answers stand for more than {MOST_EVENTS} waiting requests", "open fewer applications at once"
                )


def _count(given: Fields) -> int:
    return given["pendingCount"].integer(0, MOST_EVENTS) if "pendingCount" in given else 1


def _passed(command: Command, at: Cursor) -> None:
    """What is read passes the gate of every other input. ScenarioError with the place."""
    try:
        check_input(command)
    except CommandError as error:
        raise at.fault(str(error)) from None


def _pending(at: Cursor, application_id: str) -> list[AskSpec]:
    """A request as it waits; older releases count equal ones."""
    ask, given, _ = _ask(at, application_id)
    count = _count(given)
    if count <= 1:
        return [ask] * count
    return [
        AskSpec(
            application_id=application_id,
            key=f"{ask.key}-{number:03d}",
            resource=ask.resource,
            priority=ask.priority,
            task_group=ask.task_group,
            placeholder=ask.placeholder,
            required_node=ask.required_node,
        )
        for number in range(count)
    ]


# -- values ---------------------------------------------------------------------------------------------------------------


def _list(given: Fields, key: str) -> list[Cursor]:
    """The entries under a key, those that were asked for first before others."""
    if key not in given:
        return []
    entries = list(given[key].items())
    return sorted(entries, key=lambda each: _integer(each.mapping(), "requestTime"))


def _name(given: Fields, at: Cursor, key: str) -> str:
    if key not in given:
        raise at.fault(f"the key {key} is missing", f"there are {', '.join(sorted(given)[:8]) or 'none'}")
    return given[key].name()


def _resource(given: Fields, at: Cursor, key: str) -> Resource:
    if key not in given:
        raise at.fault(f"the key {key} is missing", f"there are {', '.join(sorted(given)[:8]) or 'none'}")
    return _without_zeros(given[key].resource())


def _without_zeros(resource: Resource) -> Resource:
    return Resource({kind: amount for kind, amount in resource.items() if amount})


def _integer(given: Fields, key: str) -> int:
    """A number, which some releases write as text; 0 where it is missing."""
    if key not in given:
        return 0
    value = given[key].value
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,20}", value):
        return int(value)
    return given[key].integer(-(2**64), 2**64)


def _switch(given: Fields, key: str, default: bool) -> bool:
    """True or false, which some releases write as text."""
    if key not in given:
        return default
    value = given[key].value
    return value == "true" if value in ("true", "false") else given[key].switch()


# -- registry -------------------------------------------------------------------------------------------------------------


def import_rest(
    source: str,
    *,
    token_file: Path | None = None,
    header: str | None = None,
    timeout: int | None = None,
    save: Path | None = None,
    progress: Callable[[float, str], None] | None = None,
) -> Imported:
    """A cluster by the answers of its scheduler, which is only asked and never told anything.

    Args:
        source: a folder with saved answers, or the address of a scheduler that runs, such as "http://localhost:9080".
        token_file: holds the token of a service that wants one.
        header: one more, such as "X-Team: research".
        timeout: seconds that an answer may take.
        save: a folder that gets the answers, so that they can be read again.

    Raises:
        RestError: nobody answers, or nothing that makes a cluster.
        ScenarioError, ConfigError: an answer cannot be read; with the file or address, the key, and what was found.
    """
    from workbench.importers.rest_client import SECONDS, client, credentials

    if is_url(source):
        if save is not None and not is_folder(save, error=ScenarioError):
            raise CommandError(f"there is no folder {save} for the answers; make it")
        answers = asked(client(source, **credentials(token_file, header), seconds=timeout or SECONDS), progress)
        if save is not None:
            answers.save(save)
    else:
        answers = saved(Path(source))
    dump = load_answers(answers)
    partial = any(isinstance(note, Missing) for note in dump.notes)
    return Imported(dump.scenario, tuple(rest_note(note) for note in dump.notes), dump.queues, partial=partial)


register_importer(
    "rest",
    Importer(
        "answers of a scheduler's REST interface",
        "Reads what a scheduler answers on YuniKorn's REST interface, which is only asked and never told anything: of one that "
        "runs, by its address, or saved as files in a folder, known by a word in their names: config, queues, nodes, "
        "applications. What ran is running, and what waited waits. What could not be asked is told, and the rest is kept; the "
        "exit code is then 1.",
        (
            Option("source", "the address, such as http://localhost:9080, or the folder with the answers", str, "URL|FOLDER", True),
            Option("token_file", "a file with the token of a service that wants one", Path, "FILE"),
            Option("header", "a header to send, such as 'X-Team: research'", str, "'NAME: VALUE'"),
            Option("timeout", "seconds that an answer may take; 30 if not given", int, "SECONDS"),
            Option("save", "a folder that gets the answers of a scheduler, so that they can be read again", Path, "FOLDER"),
        ),
        import_rest,
        recognises=recognises,
        known_by="answers of the REST interface (a folder with files of nodes and applications)",
        tells_progress=True,
    ),
)
