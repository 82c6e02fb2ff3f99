"""The architecture's promises, read from the syntax trees: who imports whom, who writes state, what decides nothing.

These checks look at the text of the package, not at a run, so they hold for code that no test happens to reach.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "workbench"

LAYERS = (
    {"errors", "quantities", "resources"},
    {"config"},
    {"scheduler"},
    {"simulation"},
    {"importers", "explain", "plots", "conformance"},
    {"widgets"},
    {"lab"},
    {"cli", "__main__"},
)
"""Parts of the package, lowest first. A part may import itself and anything lower."""

SIDEWAYS = {("plots", "explain"), ("resources", "quantities"), ("resources", "errors"), ("quantities", "errors"),
            ("__main__", "cli"), ("cli", "")}
"""Imports inside one layer that are allowed all the same, as (importing part, imported part); "" is the package itself."""

RANK = {part: rank for rank, layer in enumerate(LAYERS) for part in layer}
DECIDING = {"errors", "quantities", "resources", "config", "scheduler"}
"""Everything below the simulation: same input, same output."""

UNPREDICTABLE = {"time", "random", "datetime", "threading", "subprocess", "numpy", "multiprocessing", "asyncio", "uuid",
                 "secrets", "socket", "concurrent"}
NOT_IN_A_BROWSER = {"threading", "subprocess", "multiprocessing", "concurrent"}
UNSAFE = {"eval", "exec", "compile", "__import__", "pickle.load", "pickle.loads",
          "yaml.load", "yaml.unsafe_load", "yaml.full_load"}
STATE_WRITERS = {"journal.py", "state.py"}
MUTATORS = {"append", "add", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "reverse",
            "setdefault", "sort", "update", "__setitem__", "__setattr__"}
FRESH = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
"""Expressions that make a container of their own, which the function that made it may fill."""
FRESH_CALLS = {"list", "dict", "set", "sorted", "defaultdict", "Counter", "deque", "fromkeys", "copy"}
STATE_FIELDS = {item.target.id for record in ast.parse((PACKAGE / "scheduler/state.py").read_text("utf-8")).body
                if isinstance(record, ast.ClassDef) for item in record.body if isinstance(item, ast.AnnAssign)}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE.parent).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")


def part_of(path: Path) -> str:
    """First folder or module below the package: "config", "errors"; "" for the package's own __init__."""
    first = path.relative_to(PACKAGE).parts[0]
    return "" if first == "__init__.py" else first.removesuffix(".py")


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
    wrong = [f"line {line}: {part} imports {other or 'the package itself'}" for line, other in imported_parts(path)
             if other != part and (part, other) not in SIDEWAYS and not RANK.get(other, len(LAYERS)) < RANK[part]]
    assert wrong == []


@pytest.mark.parametrize("path", [p for p in modules() if part_of(p) in DECIDING], ids=name_of)
def test_nothing_that_decides_can_see_a_clock_chance_threads_or_numpy(path):
    wrong = [f"line {line}: {name}" for line, name in imports(path) if name.partition(".")[0] in UNPREDICTABLE]
    wrong += [f"line {line}: {name}()" for line, name in calls(tree_of(path)) if name in {"id", "hash"}]
    assert wrong == []


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_threads_and_processes_are_used_only_to_start_jupyterlab(path):
    found = {name.partition(".")[0] for _, name in imports(path)} & NOT_IN_A_BROWSER
    assert not found or part_of(path) == "lab"


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_text_from_outside_is_never_evaluated(path):
    wrong = [f"line {line}: {name}()" for line, name in calls(tree_of(path)) if name in UNSAFE]
    assert wrong == []


# -- Only the journal writes state ------------------------------------------------------------------------------------


class StateWrites(ast.NodeVisitor):
    """Collects writes that could reach a state record: to anything but local names, own attributes and own containers.

    A write to a record would be undone by nobody, so every one has to go through the journal. Own are: names of the
    function, attributes of `self` and containers that hang on it, containers that this function or this module made,
    and attributes that no state record has.
    """

    def __init__(self, tree: ast.Module):
        self.found: list[str] = []
        self.scopes: list[dict[str, bool]] = [_made_names(tree)]
        self.visit(tree)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        parameters = {a.arg: False for a in ast.walk(node.args) if isinstance(a, ast.arg)}
        self.scopes.append(parameters | _made_names(node))
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

    def _own(self, base: ast.expr) -> bool:
        if isinstance(base, ast.Attribute):
            return base.attr not in STATE_FIELDS or isinstance(base.value, ast.Name) and base.value.id == "self"
        if isinstance(base, ast.Name):
            made = next((scope[base.id] for scope in reversed(self.scopes) if base.id in scope), False)
            return made or base.id == "journal"
        return isinstance(base, (*FRESH, ast.Call)) and _is_fresh(base)

    def _note(self, node: ast.expr, verb: str) -> None:
        self.found.append(f"line {node.lineno}: {verb} {ast.unparse(node)[:90]}")


def _is_fresh(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Call):
        called = value.func
        name = called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
        return name in FRESH_CALLS
    if isinstance(value, ast.BinOp):
        return _is_fresh(value.left) or _is_fresh(value.right)
    return isinstance(value, FRESH)


def _made_names(scope: ast.AST) -> dict[str, bool]:
    """Names bound directly in `scope`: True when every binding makes a new container, or names a module."""
    made: dict[str, bool] = {}

    def bind(target: ast.expr, fresh: bool) -> None:
        if isinstance(target, ast.Name):
            made[target.id] = made.get(target.id, True) and fresh
        elif isinstance(target, (ast.Tuple, ast.List)):
            for item in target.elts:
                bind(item, False)

    def walk(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Assign):
                for target in child.targets:
                    if isinstance(target, ast.Tuple) and isinstance(child.value, ast.Tuple):
                        for item, value in zip(target.elts, child.value.elts):
                            bind(item, _is_fresh(value))
                    else:
                        bind(target, _is_fresh(child.value))
            elif isinstance(child, (ast.Import, ast.ImportFrom)):
                made.update((alias.asname or alias.name, True) for alias in child.names)
            elif isinstance(child, ast.AnnAssign) and child.value is not None:
                bind(child.target, _is_fresh(child.value))
            elif isinstance(child, ast.NamedExpr):
                bind(child.target, _is_fresh(child.value))
            elif isinstance(child, (ast.For, ast.comprehension)):
                bind(child.target, False)
            elif isinstance(child, ast.withitem) and child.optional_vars is not None:
                bind(child.optional_vars, False)
            if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
                walk(child)

    walk(scope)
    return made


@pytest.mark.parametrize("path", [p for p in modules() if part_of(p) == "scheduler" and p.name not in STATE_WRITERS],
                         ids=name_of)
def test_only_the_journal_writes_state(path):   # invariant I1
    assert StateWrites(tree_of(path)).found == []


@pytest.mark.parametrize("path", [p for p in modules() if RANK.get(part_of(p), 0) > RANK["scheduler"]], ids=name_of)
def test_nothing_above_the_scheduler_holds_its_journal(path):
    wrong = [f"line {line}: {name}" for line, name in imports(path) if name.startswith("workbench.scheduler.journal")]
    assert wrong == []


@pytest.mark.parametrize("text, writes", [
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
    ("class Walk:\n    def __init__(self):\n        self.seen = {}\n    def f(self):\n        self.seen['a'] = 1", 0),
])
def test_the_check_for_writes_sees_what_it_should(text, writes):
    assert len(StateWrites(ast.parse(text)).found) == writes
