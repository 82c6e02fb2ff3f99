"""Everything that people hand over, damaged: each reader and each verb answers, or refuses in a sentence.

    python tests/properties/fuzz_inputs.py --count 500000 --seed 1

Valid texts of every reader are damaged, and every verb and every command gets values of any kind. What is raised must be a
`WorkbenchError` that can be printed; what a verb refused must have changed nothing. The same seed gives the same inputs. The
first failures of each kind are printed with the input that showed them; the exit code is 1 if there are any.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import inspect
import io
import random
import sys
import tempfile
import textwrap
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from workbench.bench import session_files
from workbench.bench.session import Packer, Session
from workbench.bench.workbench import Workbench
from workbench.cli import main
from workbench.config import edit, load_config, snippets
from workbench.config.service import load_service, save_service
from workbench.config.validation.regexp import RegexpError, compile_regexp
from workbench.config.write.export import from_configmap, other_data, to_configmap, to_yaml
from workbench.conformance.replay import replay
from workbench.conformance.tables import check_table
from workbench.importers.alibaba import load_alibaba
from workbench.importers.rest import load_rest, simulation_of
from workbench.scheduler.records.command_checks import FIELDS
from workbench.scheduler.records.commands import AddAllocation, AddApplication, AddAsk, ApplicationSpec, AskSpec
from workbench.simulation import Simulation
from workbench.simulation.scenario import example, parse_scenario, scenario_to_json, scenario_to_yaml
from workbench.values.durations import parse_duration
from workbench.values.errors import WorkbenchError
from workbench.values.quantities import QuantityError, parse_quantity
from workbench.values.resources import Resource

TESTS = Path(__file__).resolve().parents[1]

CONFIG = """\
partitions:
  - name: default
    placementrules: [{name: provided, create: true}, {name: tag, value: namespace, filter: {type: allow, users: ["dev.*"]}}]
    nodesortpolicy: {type: binpacking, resourceweights: {vcore: 1.5}}
    preemption: {enabled: true}
    limits: [{limit: all, users: ["*"], maxresources: {vcore: 9}, maxapplications: 7}]
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: a
            properties: {priority.offset: "3", application.sort.policy: fair, preemption.delay: 10s}
            resources: {max: {vcore: 8, memory: 4Gi}, guaranteed: {vcore: 500m}}
          - name: b
            parent: true
            childtemplate: {maxapplications: 3, resources: {max: {vcore: 2}}}
            queues: [{name: c, adminacl: "ann,bob dev"}]
"""
SCENARIO = "name: small\nconfig: |\n" + textwrap.indent(CONFIG, "  ")
SCENARIO += """\
events:
- add_node: {id: n, resources: {vcore: "8", memory: 16Gi}, attributes: {zone: a}, taints: ["k=v:NoSchedule"], repeat: 2}
- add_app: {id: x, queue: root.a, user: ann, groups: [dev], tags: {namespace: q}, placeholder_ask: {vcore: 2}, gang_style: Hard}
- add_ask: {app: x, key: k, resources: {vcore: 500m}, priority: 5, allowed_nodes: [n-000], tolerations: [k], created_ns: 3}
- add_ask: {app: x, key: p, resources: {vcore: 1}, placeholder: true, task_group: g, tags: {a: b}}
- schedule: 2
- add_allocation: {app: x, key: m, resources: {vcore: 1}, node: n-001, partition: default}
- advance_ms: 200
- release: {app: x, key: k, type: TIMEOUT}
- update_node: {id: n-000, resources: {vcore: 2}}
- drain_node: n-000
- update_config: "partitions: [{name: default, queues: [{name: root}]}]"
- at_ms: 5000
  remove_node: {id: n-001, partition: default}
"""
TABLE = "app,key,queue,user,priority,repeat,at,vcore,memory\nx,k,root.a,ann,5,2,9,500m,1Gi\ny,q,root.b.c,,,,,1,\n"
NODES = "sn,cpu_milli,memory_mib,gpu,model\nn-0,8000,1024,2,P100\nn-1,4000,512,0,\n"
TASKS = (
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,creation_time,deletion_time\n"
    "t-0,1000,10,1,500,P100,LS,0,9\nt-1,1,1,0,0,,BE,3,\n"
)
SERVICE = (
    "log.level: debug\nevent.maxStreams: '7'\nhealth.checkInterval: 30s\nadmissionController.filtering.bypassNamespaces: ^kube$\n"
)
REGEXPS = ["^a(b|c)*d{2,3}$", r"[[:alpha:]\d]+\.(?i)x?", "(?P<n>a|b)|[^a-z]{1000}", r"\pL\x{1F600}\Q.*\E$"]
TEXTS = [
    "vcore: 2, memory: 4Gi",
    "500m",
    "1h2m3.5s",
    "[{limit: a, users: [b], maxapplications: 1}]",
    "[{name: user, create: true}]",
]

BITS = [
    "", "\x00", "\ud800", "\ufeff", "\r", "\n", "\t", " ", "'", '"', "`", "|", ">", "&a ", "*a", "!!int ", "!!binary ", "? ",
    "- ", ": ", "{", "}", "[", "]", "[" * 300, "{a: " * 300, "(" * 1200, ",", "#", "%YAML 2.0\n", "---\n", "...", "<<: *a",
    "~", "null", "true", "yes", "0", "-1", "1.5", ".nan", ".inf", "1e999", "0x10", "9223372036854775807", "9223372036854775808",
    "9" * 5000, "-" * 50, "2024-99-99", "é", "\u2028", "\x85", "\U0001f600", "a" * 400, "\\", "\\u0000", "\\ud800", "\\x",
    "x{4294967296}", "{1000}", "[[:", "root.", "*", "m", "Ki", "Ei", "repeat: 999999", "priority: 3000000000", "at_ms: 0",
    "expect: {trace: [1], final: {}}", "snapshot: true", "partition: z",
]  # fmt: skip
"""What is put into texts."""

VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2, 3, 2**31, 2**63, -(2**63), 10**30, 10**400, 0.5, -0.5, 1e18, 1e308, float("nan"), float("inf"),
    2.5, "", "0", "5", "2.5", "a", "x", "k", "n", "root", "root.a", "root.b", "root.b.c", "root.a.x", "ROOT.A", "default",
    "vcore: 1", "vcore: 99999999999999999999", "vcore: -1", "{", "}", "priority.offset", "priority.policy", "fence", "max",
    "guaranteed", "path", "nodes", "usage", "pending", "full", "rerun", "reload", "1.4", "1.8", "\ud800", "\x00", "\x1b[31m",
    "x" * 300, "/", ".", "..", "\n", "a,b", CONFIG, TABLE, "allocated", "L-10", "next", "victims", "Hard", b"a", b"", [], ["a"],
    [1], (), ("a",), {}, {"vcore": 1}, {"vcore": "1"}, {"vcore": None}, {1: 2}, {"\ud800": "1"}, {"vcore": 2.5}, {"vcore": -1},
    {"vcore": "1e3"}, Resource(vcore=1000), Resource(vcore=-1), Resource({"": 1}), object, object(), len, Path("nothing.yaml"),
    Path("a\x00b"), complex(1, 2), range(3), frozenset({"a"}),
]  # fmt: skip
"""What is given to verbs and put into commands."""


class Found:
    """What went wrong so far: the first inputs of each kind of failure."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()

    def add(self, area: str, shown: str, error: BaseException | None, why: str = "") -> None:
        frames = traceback.extract_tb(error.__traceback__) if error is not None else []
        inside = next((frame for frame in reversed(frames) if "/workbench/" in frame.filename), None)
        place = f"{Path(inside.filename).name}:{inside.lineno} {inside.name}" if inside else ""
        kind = f"{area} | {type(error).__name__ if error else 'changed'} | {place} {why}"
        self.kinds[kind] += 1
        if self.kinds[kind] == 1:
            print(f"{kind}\n    {str(error)[:200]!r}\n    {shown[:900]!r}", flush=True)


def damaged(chance: random.Random, text: str) -> str:
    """The text with a few places cut, doubled, or filled with something else."""
    for _ in range(chance.randint(1, 4)):
        start = chance.randint(0, len(text))
        end = start + chance.choice([0, 0, 1, 2, 5, 30])
        piece = chance.choice(BITS) if chance.random() < 0.8 else text[end : end + chance.randint(0, 60)]
        text = text[:start] + piece + text[end:]
    return text


def planned_for(error: BaseException) -> bool:
    """Whether an error is one for people, and can be printed."""
    if not isinstance(error, WorkbenchError | QuantityError | RegexpError):
        return False
    try:
        str(error).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


# -- readers ----------------------------------------------------------------------------------------------------------


def as_bytes(chance: random.Random, text: str) -> bytes:
    encoding = chance.choice(["utf-8"] * 6 + ["utf-16", "latin-1", "utf-8-sig", "cp1252"])
    return text.encode(encoding, "surrogatepass" if encoding.startswith("utf") else "replace")


def configuration(text: str) -> None:
    config = load_config(text)
    assert load_config(to_yaml(config)) == config or config.checksum
    from_configmap(to_configmap(config))


def scenario(text: str, format: str = "yaml") -> None:
    read = parse_scenario(text, format)
    if len(read.events) < 1000:
        assert parse_scenario(scenario_to_yaml(read)) == parse_scenario(scenario_to_json(read), "json") == read


def recording(text: str) -> None:
    read = parse_scenario(text, "json")
    if sum(getattr(event.command, "cycles", 1) for event in read.events) < 2_000:
        replay(read)


def number(text: str) -> None:
    for parse in (parse_duration, lambda each: parse_quantity(each, "vcore")):
        with contextlib.suppress(ValueError):
            parse(text)


def regexp(text: str) -> None:
    compiled = compile_regexp(text)
    if len(compiled.program) < 3_000:
        compiled.search("abcd x")


def piece(text: str) -> None:
    for read in (snippets.read_limits, snippets.read_rules, snippets.read_template, snippets.read_weights, snippets.read_amounts):
        with contextlib.suppress(WorkbenchError):
            read(text)


def config_map(text: str) -> None:
    from_configmap(text)
    other_data(text)


def table(text: str) -> None:
    bench = Workbench(Simulation(CONFIG))
    before = bench.simulation.digest()
    try:
        bench.load_inputs(text + "\n")
    except WorkbenchError:
        assert bench.simulation.digest() == before
        raise


class Files:
    """Readers that want a file or a folder."""

    def __init__(self, folder: Path):
        self.folder = folder
        bench = Workbench(Simulation(CONFIG))
        bench.add_node("n", "vcore: 4")
        bench.add_request("x", "k", "vcore: 1", queue="root.a")
        self.kept = Packer().whole(Session("s", bench.study(), past=tuple(bench.past)), "kept.json").text
        facts = [(path.name, path.read_text(encoding="utf-8")) for path in sorted((TESTS / "conformance").glob("*.yaml"))]
        self.facts = [(name, text) for name, text in facts if len(text) < 12_000]
        self.answers = {path.name: path.read_text(encoding="utf-8") for path in sorted((TESTS / "importers" / "rest").iterdir())}

    def put(self, name: str, data: bytes) -> Path:
        path = self.folder / name
        path.write_bytes(data)
        return path

    def trace(self, chance: random.Random, text: str) -> None:
        nodes, tasks = (text, TASKS) if text.startswith("sn") else (NODES, text)
        found = load_alibaba(self.put("nodes.csv", as_bytes(chance, nodes)), self.put("tasks.csv", as_bytes(chance, tasks)))
        assert found.events

    def rest(self, chance: random.Random, name: str, text: str) -> None:
        folder = self.folder / "rest"
        folder.mkdir(exist_ok=True)
        for each, answer in self.answers.items():
            (folder / each).write_bytes(as_bytes(chance, text) if each == name else answer.encode())
        dump = load_rest(folder)
        if len(dump.scenario.events) < 500:
            simulation_of(dump)

    def kept_session(self, text: str) -> None:
        """The check sum fits, so that what is behind it is read."""
        body = text.partition("\n")[2].removesuffix("\n").encode("utf-8", "replace")
        digest = hashlib.sha256(body).hexdigest()
        head = f'{{"workbench-session": 1, "sha256": "{digest}"}}\n'.encode()
        try:
            session_files.read(self.put("kept.json", head + body + b"\n"))
        finally:
            for left in self.folder.glob("kept.json.*"):
                left.unlink()

    def service(self, chance: random.Random, text: str) -> None:
        config = load_service(text)
        config.problems()
        for key in config.values:
            with contextlib.suppress(KeyError):
                config.value(key)
        path = self.put("service.yaml", as_bytes(chance, damaged(chance, SERVICE)))
        before = path.read_bytes()
        try:
            save_service(config, path)
        except WorkbenchError:
            assert path.read_bytes() == before
            raise

    def command(self, chance: random.Random, text: str) -> None:
        """The command line on a file: ends with 0, 1 or 2."""
        words = chance.choice([["validate"], ["validate", "--strict"], ["replay"]])
        path = self.put(chance.choice(["a.json", "a.yaml"]), as_bytes(chance, text))
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            assert main([*words, str(path)]) in (0, 1, 2)


RECORDING = (TESTS / "conformance" / "scenarios" / "churn-0.json").read_text(encoding="utf-8")
SCENARIO_JSON = scenario_to_json(parse_scenario(SCENARIO))
CONFIG_MAP = to_configmap(load_config(CONFIG), others={"log.level": "info"})

TEXT_READERS: dict[str, tuple[tuple[str, ...], Callable[[str], object]]] = {
    "configuration": ((CONFIG,), configuration),
    "scenario": ((SCENARIO,), scenario),
    "scenario as JSON": ((SCENARIO_JSON,), lambda text: scenario(text, "json")),
    "recording": ((RECORDING,), recording),
    "table": ((TABLE,), table),
    "ConfigMap": ((CONFIG_MAP,), config_map),
    "regular expression": (tuple(REGEXPS), regexp),
    "number": (tuple(TEXTS), number),
    "piece": (tuple(TEXTS), piece),
    "screen": ((CONFIG,), Workbench.from_yaml),
    "screen, ConfigMap": ((CONFIG_MAP,), Workbench.from_configmap),
}
"""What is read -> valid texts, and the reader."""
FILE_READERS = ("trace", "answers", "session", "service", "facts", "command")
READINGS = [*TEXT_READERS, *FILE_READERS, "configuration", "configuration", "scenario", "scenario", "regular expression"]


def read_one(chance: random.Random, files: Files, found: Found) -> None:
    """One damaged text for one reader."""
    area = chance.choice(READINGS)
    text = ""
    try:
        if area in TEXT_READERS:
            texts, read = TEXT_READERS[area]
            text = damaged(chance, chance.choice(texts))
            read(text)
        elif area == "trace":
            text = damaged(chance, chance.choice([NODES, TASKS]))
            files.trace(chance, text)
        elif area == "answers":
            name = chance.choice(sorted(files.answers))
            text = damaged(chance, files.answers[name])
            files.rest(chance, name, text)
        elif area == "session":
            text = damaged(chance, files.kept)
            files.kept_session(text)
        elif area == "service":
            text = damaged(chance, SERVICE)
            files.service(chance, text)
        elif area == "facts":
            name, whole = chance.choice(files.facts)
            text = damaged(chance, whole)
            check_table(files.put(name, text.encode("utf-8", "replace")))
        else:
            text = damaged(chance, chance.choice([CONFIG, CONFIG_MAP, SERVICE, RECORDING]))
            files.command(chance, text)
    except (Exception, SystemExit) as error:
        if not planned_for(error):
            found.add(area, text, error)


# -- commands and verbs -----------------------------------------------------------------------------------------------

LEFT_OUT = {"why_not_sentences", "trial_of", "autosave", "resume", "play", "stop", "report"}
"""What takes objects of our own, writes files beside a notebook, or needs an event loop."""
VERBS = sorted(
    name for name, verb in vars(Workbench).items() if inspect.isfunction(verb) and not name.startswith("_") and name not in LEFT_OUT
)
NEEDED = {"node_id", "capacity", "application_id", "key", "resource", "id", "text", "ns"}
RECORDS = [kind for kind in FIELDS if kind not in (ApplicationSpec, AskSpec)]

LIKELY: dict[str, Callable[[random.Random], Any]] = {
    "path": lambda chance: chance.choice(["root", "root.a", "root.b.c"]),
    "parent": lambda chance: chance.choice(["root", "root.b"]),
    "queue": lambda chance: chance.choice(["root.a", "root.b.c"]),
    "app": lambda chance: "x",
    "application": lambda chance: chance.choice([None, "x"]),
    "request": lambda chance: chance.choice(["k-000", None]),
    "id": lambda chance: chance.choice(["n", "x", "new"]),
    "resources": lambda chance: "vcore: 1",
    "repeat": lambda chance: chance.choice([1, 2]),
    "members": lambda chance: 2,
    "seconds": lambda chance: chance.choice([0.5, 31]),
    "at": lambda chance: chance.choice([None, 40, 900]),
    "n": lambda chance: chance.choice([0, 1, 2]),
    "max_steps": lambda chance: 2,
    "text": lambda chance: damaged(chance, CONFIG),
    "table": lambda chance: damaged(chance, TABLE),
}
"""Argument -> values that get past the first check."""
ANSWERS = {"why", "why_not", "why_placed", "rules_asked", "what_changed", "picture", "use_since", "figure", "table", "to_yaml",
           "to_configmap", "to_python", "tree_text", "refresh"}  # fmt: skip
"""Verbs that answer a question and leave the status alone."""
STEPWISE = {"run", "run_until"}
"""Verbs whose whole steps stay when a later one is refused."""


def value(chance: random.Random) -> Any:
    if chance.random() < 0.1:
        return damaged(chance, chance.choice(["root.a", "vcore: 1", "x", "L-10"]))
    return chance.choice(VALUES)


def a_record(chance: random.Random, kind: type) -> Any:
    given = {name: value(chance) for name in FIELDS[kind] if name in NEEDED or chance.random() < 0.3}
    if kind is AddApplication:
        given["application"] = a_record(chance, ApplicationSpec) if chance.random() < 0.9 else value(chance)
    if kind in (AddAsk, AddAllocation):
        given["ask"] = a_record(chance, AskSpec) if chance.random() < 0.9 else value(chance)
    return kind(**given)


class Screens:
    """A workbench that verbs are tried on, made anew now and then."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.count, self.left = folder, 0, 0
        self.bench = self.made()

    def made(self) -> Workbench:
        self.count += 1
        self.left = 150
        bench = Workbench(Simulation.from_scenario(example("multitenancy")) if self.count % 3 == 0 else Simulation(CONFIG))
        bench.add_node("n", "vcore: 4")
        bench.add_request("x", "k", "vcore: 1", queue="root.a", repeat=3)
        return bench

    def state(self, *, whole: bool) -> tuple[object, ...]:
        """What must not change: every tenth time all of it, else what tells quickly that something was carried out."""
        simulation = self.bench.simulation
        quick = (simulation.now_ns, simulation.position, simulation.recorded, simulation.state.next_seq, simulation.planned)
        return (*quick, simulation.digest(), simulation.inputs, to_yaml(self.bench.config)) if whole else quick

    def one(self, chance: random.Random, found: Found) -> None:
        self.left -= 1
        if not self.left or len(self.bench.simulation.inputs) > 60 or self.bench.simulation.recorded > 60:
            self.bench = self.made()
        if chance.random() < 0.4:
            self.command(chance, found)
        else:
            self.verb(chance, found)

    def verb(self, chance: random.Random, found: Found) -> None:
        name = chance.choice(VERBS)
        verb = getattr(self.bench, name)
        args, kwargs = self.arguments(chance, name, verb)
        shown = f"{name}{args!r:.600} {kwargs!r:.300}"
        whole = chance.random() < 0.1
        before, position = self.state(whole=whole), self.bench.simulation.position
        try:
            verb(*args, **kwargs)
        except (Exception, SystemExit) as error:
            if not planned_for(error):
                found.add(f"verb {name}", shown, error)
            steps_stay = name in STEPWISE and self.bench.simulation.position > position
            if self.state(whole=whole) != before and not steps_stay:
                found.add(f"verb {name}", shown, None, "refused, but something changed")
            if not self.bench.status.is_error and name not in ANSWERS:
                found.add(f"verb {name}", shown, None, "refused, but the status does not say so")

    def arguments(self, chance: random.Random, name: str, verb: Callable[..., Any]) -> tuple[list[Any], dict[str, Any]]:
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for parameter in inspect.signature(verb).parameters.values():
            given = LIKELY[parameter.name](chance) if parameter.name in LIKELY and chance.random() < 0.6 else value(chance)
            if parameter.name == "until":  # what somebody's own function raises is theirs
                given = None
            if parameter.kind is parameter.VAR_POSITIONAL:
                args += [a_record(chance, chance.choice(RECORDS)) for _ in range(chance.randint(0, 2))]
            elif parameter.kind is parameter.KEYWORD_ONLY and chance.random() < 0.4:
                kwargs[parameter.name] = given
            elif parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
                args.append(given)
        if name == "save" and isinstance(args[0], str | Path):  # nowhere else
            args[0] = self.folder / chance.choice(["saved.yaml", "saved.json", "no/such.yaml", "x" * 300])
        return args, kwargs

    def command(self, chance: random.Random, found: Found) -> None:
        simulation = self.bench.simulation
        command, at_ms = a_record(chance, chance.choice(RECORDS)), chance.choice([None, 5, 90_000, value(chance)])
        whole = chance.random() < 0.1
        before = self.state(whole=whole)
        try:
            if at_ms is None:
                simulation.apply(command)
            else:
                simulation.plan(command, at_ms)
        except (Exception, SystemExit) as error:
            if not planned_for(error):
                found.add("command", f"{command!r:.700} {at_ms!r:.60}", error)
            if self.state(whole=whole) != before:
                found.add("command", f"{command!r:.700} {at_ms!r:.60}", None, "refused, but something changed")
        self.bench.refresh()


EDITS = (edit.with_property, edit.with_max, edit.with_guaranteed, edit.with_field, edit.with_queue_added, edit.without_queue,
         edit.with_queue_renamed, edit.with_queue_moved, edit.with_queue_duplicated)  # fmt: skip


def edit_one(chance: random.Random, found: Found) -> None:
    """One edit of a configuration with values of any kind."""
    change = chance.choice(EDITS)
    parameters = list(inspect.signature(change).parameters.values())[2:]
    args = [value(chance) for each in parameters if each.kind is not each.KEYWORD_ONLY]
    path = chance.choice(["root.a", "root.b", "root.b.c", value(chance)])
    try:
        load_config(to_yaml(change(load_config(CONFIG), path, *args)))
    except (Exception, SystemExit) as error:
        if not planned_for(error):
            found.add(f"edit {change.__name__}", f"{path!r:.100} {args!r:.600}", error)


def fuzz(count: int, seed: int, seconds: float = 0) -> Found:
    """So many inputs, or as many as `seconds` allow."""
    chance, found = random.Random(seed), Found()
    ends = time.monotonic() + seconds if seconds else 0
    done = 0
    with tempfile.TemporaryDirectory() as name:
        files, screens = Files(Path(name)), Screens(Path(name))
        while done < count and not (ends and time.monotonic() > ends):
            kind = chance.random()
            if kind < 0.5:
                read_one(chance, files, found)
            elif kind < 0.95:
                screens.one(chance, found)
            else:
                edit_one(chance, found)
            done += 1
            if not done % 5_000:
                print(f"{done} inputs with seed {seed}, {sum(found.kinds.values())} failures", file=sys.stderr, flush=True)
    failures = sum(found.kinds.values())
    print(f"{done} inputs with seed {seed}: {failures} failures of {len(found.kinds)} kinds", file=sys.stderr, flush=True)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0, help="stop after so many seconds")
    chosen = parser.parse_args()
    sys.exit(1 if fuzz(chosen.count, chosen.seed, chosen.seconds).kinds else 0)
