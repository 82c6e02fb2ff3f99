"""The architecture's promises, read from the syntax trees: who imports whom, who writes state, what decides nothing.

These checks look at the text of the package, not at a run, so they hold for code that no test happens to reach.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "workbench"

LAYERS = (
    {"values"},
    {"files"},
    {"config"},
    {"scheduler"},
    {"simulation"},
    {"rest"},
    {"explain", "plots"},
    {"advice"},
    {"importers"},
    {"conformance", "exporters"},
    {"workloads"},
    {"runs"},
    {"measures"},
    {"comparison"},
    {"sweeps"},
    {"expectations"},
    {"rollouts"},
    {"bench"},
    {"lessons", "widgets", "server"},
    {"lab"},
    {"cli", "__main__"},
)
"""Parts of the package, lowest first. A part may import itself and anything lower."""

SIDEWAYS = {("plots", "explain"), ("bench", ""), ("runs", ""), ("sweeps", ""), ("__main__", "cli"), ("cli", "")}
"""Imports inside one layer that are allowed all the same, as (importing part, imported part); "" is the package itself."""

RANK = {part: rank for rank, layer in enumerate(LAYERS) for part in layer}
DECIDING = {"values", "config", "scheduler"}
"""Everything below the simulation: same input, same output."""

UNPREDICTABLE = {
    "time",
    "random",
    "datetime",
    "threading",
    "subprocess",
    "numpy",
    "multiprocessing",
    "asyncio",
    "uuid",
    "secrets",
    "socket",
    "concurrent",
}
NOT_IN_A_BROWSER = {"threading", "subprocess", "multiprocessing", "concurrent"}
STARTS_PROCESSES = {
    "workbench.sweeps.executors.processes",
    "workbench.sweeps.executors.remote",
    "workbench.sweeps.executors.dask_cluster",
}
"""Modules that may use what a browser lacks, but only within a function: importing them needs nothing of it."""
STARTS_A_THREAD = {"workbench.server.own_thread"}
"""Imported when a workbench is served, which nobody does in a browser."""
LOCKS = {"threading.RLock"}
"""Starts no thread and is there in a browser, too; JupyterLab may have widgets answered in another thread than cells."""
UNSAFE = {"eval", "exec", "compile", "__import__", "pickle.load", "pickle.loads", "yaml.unsafe_load", "yaml.full_load"}
UNSAFE_LOADERS = {"Loader", "CLoader", "UnsafeLoader", "CUnsafeLoader", "FullLoader", "CFullLoader"}
FILE_WRITERS = {
    "write_text",
    "write_bytes",
    "symlink_to",
    "hardlink_to",
    "mkdir",
    "makedirs",
    "unlink",
    "rmdir",
    "removedirs",
    "rename",
}
OS_WRITERS = {
    ("os", name) for name in ("open", "replace", "rename", "renames", "remove", "link", "symlink", "truncate", "mkfifo", "fdopen")
}
WRITES_ELSEWHERE = {
    "workbench.cli.output": ("os.open()",),
    "workbench.lab.server": ("tempfile.mkdtemp()", "config.mkdir()", "runtime.mkdir()", "shutil.rmtree()"),
}
"""Module -> what it may do: with the device that takes everything, and in a folder that it makes for itself and removes again."""
STATE_WRITERS = {"journal.py", "state.py"}
MUTATORS = {
    "append",
    "add",
    "clear",
    "discard",
    "extend",
    "insert",
    "pop",
    "popitem",
    "remove",
    "reverse",
    "setdefault",
    "sort",
    "update",
    "__setitem__",
    "__setattr__",
}
FRESH = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
"""Expressions that make a container of their own, which the function that made it may fill."""
FRESH_CALLS = {"list", "dict", "set", "sorted", "defaultdict", "Counter", "deque", "fromkeys", "copy"}
STATE_FIELDS = {
    item.target.id
    for record in ast.parse((PACKAGE / "scheduler/records/state.py").read_text("utf-8")).body
    if isinstance(record, ast.ClassDef)
    for item in record.body
    if isinstance(item, ast.AnnAssign)
}


SIMULATIONS = {"simulation", "sim", "before", "after", "made"}
"""Names that modules give to a `Simulation`."""


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE.parent).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")


def part_of(path: Path) -> str:
    """First folder or module below the package: "config", "errors"; "" for the package's own __init__."""
    first = path.relative_to(PACKAGE).parts[0]
    return "" if first == "__init__.py" else first.removesuffix(".py")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of every import, those in functions and under TYPE_CHECKING included."""
    package = name_of(path) if path.name == "__init__.py" else name_of(path).rpartition(".")[0]
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"


def imported_parts(path: Path) -> Iterator[tuple[int, str]]:
    """(line, part) of every import of the package itself; part "" is a name that only `workbench` itself holds."""
    for line, name in imports(path):
        head, _, rest = name.partition(".")
        if head == PACKAGE.name:
            part = rest.partition(".")[0]
            known = (PACKAGE / part).is_dir() or (PACKAGE / f"{part}.py").is_file()
            yield line, part if part and known else ""


def calls(node: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, called name) of every call, save those that define an object's own hash."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            yield child.lineno, ast.unparse(child.func)
        if not (isinstance(child, ast.FunctionDef) and child.name == "__hash__"):
            yield from calls(child)


def test_every_part_of_the_package_has_a_layer():
    parts = {part_of(path) for path in modules()} - {""}
    assert parts - set(RANK) == set()


def test_every_folder_with_modules_is_a_package():
    folders = {path.parent for path in modules()}
    assert [folder.name for folder in sorted(folders) if not (folder / "__init__.py").is_file()] == []


@pytest.mark.parametrize("path", [p for p in modules() if part_of(p)], ids=name_of)
def test_a_module_imports_only_lower_layers(path):
    part = part_of(path)
    wrong = [
        f"line {line}: {part} imports {other or 'the package itself'}"
        for line, other in imported_parts(path)
        if other != part and (part, other) not in SIDEWAYS and not RANK.get(other, len(LAYERS)) < RANK[part]
    ]
    assert wrong == []


@pytest.mark.parametrize("path", [p for p in modules() if part_of(p) in DECIDING], ids=name_of)
def test_nothing_that_decides_can_see_a_clock_chance_threads_or_numpy(path):
    wrong = [f"line {line}: {name}" for line, name in imports(path) if name.partition(".")[0] in UNPREDICTABLE]
    wrong += [f"line {line}: {name}()" for line, name in calls(tree_of(path)) if name in {"id", "hash"}]
    assert wrong == []


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_threads_and_processes_are_used_only_to_start_jupyterlab_to_serve_and_to_sweep(path):
    found = {name.partition(".")[0] for _, name in imports(path) if name not in LOCKS} & NOT_IN_A_BROWSER
    assert not found or part_of(path) == "lab" or name_of(path) in STARTS_PROCESSES | STARTS_A_THREAD


@pytest.mark.parametrize("path", [p for p in modules() if part_of(p) == "sweeps"], ids=name_of)
def test_importing_sweeps_needs_nothing_that_a_browser_lacks(path):
    within = {
        line
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for child in ast.walk(node)
        if isinstance(child, ast.Import | ast.ImportFrom)
        for line in [child.lineno]
    }
    needs = {*NOT_IN_A_BROWSER, "queue", "sqlite3", "dask", "distributed", "optuna", "plotly", "ipywidgets"}
    assert [
        f"line {line}: {name}"
        for line, name in imports(path)
        if name.partition(".")[0] in needs and line not in within and not is_for_types(path, line)
    ] == []


def is_for_types(path: Path, line: int) -> bool:
    """Whether an import stands below `if TYPE_CHECKING:`."""
    return any(
        isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" and node.lineno < line <= (node.end_lineno or 0)
        for node in ast.walk(tree_of(path))
    )


def writes_of_files(tree: ast.Module) -> Iterator[str]:
    """Calls that make, change, move or remove a file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            owner, _, name = called.rpartition(".")
            given = [*node.args, *(each.value for each in node.keywords if each.arg == "mode")]
            modes = [each.value for each in given if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            opens = name == "open" and any(set(mode) <= set("rwaxbt+U") and set(mode) & set("wax+") for mode in modes)
            if opens or name in FILE_WRITERS or (owner, name) in OS_WRITERS or owner in {"tempfile", "shutil"}:
                yield f"line {node.lineno}: {called}()"


@pytest.mark.parametrize(
    "text",
    ["open(p, 'w')", "open(p, mode='ab')", "p.open('x')", "gzip.open(p, 'wb')", "io.open(p, 'r+')", "p.write_text(t)"]
    + ["os.replace(a, b)", "os.open(p, os.O_WRONLY)", "p.mkdir()", "tempfile.mkstemp()", "shutil.copyfile(a, b)", "p.unlink()"],
)
def test_a_call_that_writes_a_file_is_known(text):
    assert list(writes_of_files(ast.parse(text)))
    assert list(writes_of_files(ast.parse("open(p); open(p, 'rb'); p.open(); text.replace(a, b); os.path.realpath(p)"))) == []


@pytest.mark.parametrize("path", [p for p in modules() if part_of(p) != "files"], ids=name_of)
def test_only_the_room_for_files_writes_files(path):
    found = [
        each for each in writes_of_files(tree_of(path)) if each.partition(": ")[2] not in WRITES_ELSEWHERE.get(name_of(path), ())
    ]
    assert found == []


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_text_from_outside_is_never_evaluated(path):
    wrong = [f"line {line}: {name}()" for line, name in calls(tree_of(path)) if name in UNSAFE]
    wrong += [
        f"line {node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and node.attr in UNSAFE_LOADERS
    ]
    assert wrong == []


# -- A simulation keeps its insides to itself --------------------------------------------------------------------------


def insides_of_a_simulation() -> set[str]:
    """The private attributes and methods of `Simulation`."""
    tree = tree_of(PACKAGE / "simulation/simulation.py")
    found = next(item for item in tree.body if isinstance(item, ast.ClassDef) and item.name == "Simulation")
    return {
        node.attr
        for node in ast.walk(found)
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.startswith("__")
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    }


@pytest.mark.parametrize("path", [p for p in modules() if part_of(p) != "simulation"], ids=name_of)
def test_nobody_looks_into_a_simulation(path):
    insides = insides_of_a_simulation()
    wrong = [
        f"line {node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and node.attr in insides and ast.unparse(node.value).rpartition(".")[2] in SIMULATIONS
    ]
    assert wrong == []


# -- Only the journal writes state ------------------------------------------------------------------------------------


class StateWrites(ast.NodeVisitor):
    """Collects writes that could reach a state record: to anything but local names, own attributes and own containers.

    A write to a record would be undone by nobody, so every one has to go through the journal. Own are: names of the
    function, attributes of `self` and containers that hang on it, containers that this function or this module made,
    records of a class of this module, attributes that no state record has, and everything that only ever stands for one
    of these.
    """

    def __init__(self, tree: ast.Module):
        self.found: list[str] = []
        self.classes = {item.name for item in tree.body if isinstance(item, ast.ClassDef)}
        self.scopes = [bindings(tree)]
        self.visit(tree)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        bound = bindings(node)
        for parameter in (item for item in ast.walk(node.args) if isinstance(item, ast.arg)):
            bound.setdefault(parameter.arg, []).append(parameter)
        self.scopes.append(bound)
        self.generic_visit(node)
        self.scopes.pop()

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.ctx, (ast.Store, ast.Del)) and not self._own(node):
            self._note(node, "assigns")
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if isinstance(node.ctx, (ast.Store, ast.Del)) and not self._own(node.value):
            self._note(node, "assigns")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func
        if isinstance(called, ast.Name) and called.id in {"setattr", "delattr"}:
            self._note(node, "calls")
        if isinstance(called, ast.Attribute) and called.attr in MUTATORS and not self._own(called.value):
            self._note(node, "calls")
        self.generic_visit(node)

    def _own(self, value: ast.AST | None, following: tuple[str, ...] = ()) -> bool:
        """Whether a value is this module's own; `following` are the names whose values are being looked up."""
        match value:
            case ast.Import() | ast.ImportFrom():
                return True
            case ast.arg(arg=name, annotation=annotation):
                return name == "journal" or isinstance(annotation, ast.Name) and annotation.id in self.classes
            case ast.Name(id=name):
                bound = next((scope[name] for scope in reversed(self.scopes) if name in scope), [None])
                return name in following or all(self._own(each, (*following, name)) for each in bound)
            case ast.Attribute(value=owner, attr=name):
                return (
                    name not in STATE_FIELDS or isinstance(owner, ast.Name) and (owner.id == "self" or self._is_own_record(owner))
                )
            case ast.Call(func=ast.Attribute(value=owner, attr="setdefault")):
                return self._own(owner, following)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                return name in FRESH_CALLS or name in self.classes
            case ast.BinOp(left=left, right=right):
                return self._own(left, following) or self._own(right, following)
        return isinstance(value, FRESH)

    def _is_own_record(self, name: ast.Name) -> bool:
        """Whether a name is a parameter of a class of this module."""
        bound = next((scope[name.id] for scope in reversed(self.scopes) if name.id in scope), [])
        return bool(bound) and all(isinstance(each, ast.arg) and self._own(each) for each in bound)

    def _note(self, node: ast.expr, verb: str) -> None:
        self.found.append(f"line {node.lineno}: {verb} {ast.unparse(node)[:90]}")


def bindings(scope: ast.AST) -> dict[str, list[ast.AST | None]]:
    """Name -> what it is bound to directly in `scope`: expressions, the import, or None for what cannot be told."""
    bound: dict[str, list[ast.AST | None]] = {}

    def bind(target: ast.expr, values: list[ast.AST | None]) -> None:
        if isinstance(target, ast.Name):
            bound.setdefault(target.id, []).extend(values)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for index, item in enumerate(target.elts):
                bind(item, [value.elts[index] if isinstance(value, ast.Tuple) else None for value in values])

    def walk(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            match child:
                case ast.Import() | ast.ImportFrom():
                    for alias in child.names:
                        bound.setdefault(alias.asname or alias.name, []).append(child)
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        bind(target, [value])
                case ast.AnnAssign(target=target, value=value) if value is not None:
                    bind(target, [value])
                case ast.NamedExpr(target=target, value=value):
                    bind(target, [value])
                case ast.For(target=target, iter=values) | ast.comprehension(target=target, iter=values):
                    bind(target, list(values.elts) if isinstance(values, (ast.Tuple, ast.List)) else [None])
                case ast.withitem(optional_vars=target) if target is not None:
                    bind(target, [None])
            if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
                walk(child)

    walk(scope)
    return bound


def is_derived(path: Path) -> bool:
    """Whether the module keeps orders of its own, which it may fill and change."""
    return path.parent.name == "search"


@pytest.mark.parametrize(
    "path", [p for p in modules() if part_of(p) == "scheduler" and p.name not in STATE_WRITERS and not is_derived(p)], ids=name_of
)
def test_only_the_journal_writes_state(path):  # invariant I1
    assert StateWrites(tree_of(path)).found == []


@pytest.mark.parametrize("path", [p for p in modules() if is_derived(p)], ids=name_of)
def test_what_is_derived_from_the_state_does_not_write_it(path):  # invariant I1
    assert writes_of_state_fields(tree_of(path)) == []


def writes_of_state_fields(tree: ast.Module) -> list[str]:
    """Assignments to what is named like a field of a record, other than of `self`, and calls that change such a container."""
    found = []
    for node in ast.walk(tree):
        target = (
            node.func.value
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and (node.func.attr in MUTATORS)
            else node
        )
        written = target is not node or isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
        if isinstance(target, ast.Subscript):
            target = target.value
        if (
            written
            and isinstance(target, ast.Attribute)
            and target.attr in STATE_FIELDS
            and not (isinstance(target.value, ast.Name) and target.value.id == "self")
        ):
            found.append(f"line {node.lineno}: {ast.unparse(node)}")
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(queue):\n    queue.allocated = 1", 1),
        ("def f(app, ask):\n    app.asks[1] = ask", 1),
        ("def f(app):\n    del app.asks[1]", 1),
        ("def f(app):\n    app.asks.pop(1)", 1),
        ("class A:\n    def f(self, app):\n        self.line[1] = app\n        self.application = app.asks[2]", 0),
    ],
)
def test_writes_of_state_fields_are_found(text, expected):
    assert len(writes_of_state_fields(ast.parse(text))) == expected


# The comparison with recorded facts is let out: it asks single functions, on records of its own.
@pytest.mark.parametrize(
    "path", [p for p in modules() if RANK.get(part_of(p), 0) > RANK["scheduler"] and part_of(p) != "conformance"], ids=name_of
)
def test_nothing_above_the_scheduler_holds_its_journal(path):
    wrong = [f"line {line}: {name}" for line, name in imports(path) if name.startswith("workbench.scheduler.records.journal")]
    assert wrong == []


@pytest.mark.parametrize(
    "text, writes",
    [
        ("def f(queue):\n    queue.allocated = 1", 1),
        ("def f(queue):\n    queue.children['a'] = 1", 1),
        ("def f(queue):\n    del queue.children['a']", 1),
        ("def f(queue):\n    children = queue.children\n    children['a'] = 1", 1),
        ("def f(asks):\n    asks.append(1)", 1),
        ("def f(app):\n    app.ask_order.sort()", 1),
        ("def f(app):\n    setattr(app, 'state', 'New')", 1),
        ("def f(app):\n    for app.state in 'ab': pass", 1),
        ("def f(app):\n    app.seq += 1", 1),
        ("def f(journal, app):\n    journal.set(app, 'state', 'New')\n    journal.insert(app.ask_order, 0, 1)", 0),
        ("def f(app):\n    found = []\n    found.append(app)\n    order = dict(app.asks)\n    order['a'] = 1", 0),
        ("def f(app):\n    first, asks = [], app.asks\n    asks['a'] = first", 1),
        ("class Walk:\n    def f(self):\n        self.app.asks['a'] = 1", 1),
        ("from x import applications\ndef f(app):\n    applications.remove(app)", 0),
        ("def f(app):\n    for asks in (app.asks, {}):\n        asks.clear()", 1),
        ("def f(app):\n    order = app.ask_order\n    order = []\n    order.append(1)", 1),
        ("def f(make):\n    found = make()\n    found.append(1)", 1),
        ("def f(key):\n    found = {}\n    found.setdefault(key, []).append(1)", 0),
        ("def f():\n    one, two = {}, {}\n    for table, key in ((one, 1), (two, 2)):\n        table[key] = 1", 0),
        ("class Left:\n    count: int\ndef f(left: Left):\n    left.count -= 1", 0),
        ("from x import TaskGroup\ndef f(group: TaskGroup):\n    group.count -= 1", 1),
        ("class Walk:\n    def __init__(self):\n        self.seen = {}\n    def f(self):\n        self.seen['a'] = 1", 0),
    ],
)
def test_the_check_for_writes_sees_what_it_should(text, writes):
    assert len(StateWrites(ast.parse(text)).found) == writes
