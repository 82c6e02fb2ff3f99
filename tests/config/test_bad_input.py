"""Whatever is fed to `load_config`, it answers with a configuration or a ConfigError, soon, and with the right line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from workbench.config import DEFAULT_CONFIG_TEXT, load_config, load_path, parse_config
from workbench.config.model import SchedulerConfig
from workbench.config.read import yaml_nodes
from workbench.values.errors import ConfigError

FACTS = Path(__file__).parent.parent / "conformance" / "configs.yaml"
CASES = yaml.load(FACTS.read_text(encoding="utf-8"), Loader=yaml_nodes.LOADER)["cases"]
TEXTS = [case["config"] for case in CASES]
LOADERS = {"pure": yaml.SafeLoader, "fast": yaml_nodes.LOADER}

FULL = """\
partitions:
  - name: default
    placementrules:
      - {name: user, create: true, parent: {name: fixed, value: root.p}, filter: {users: ['s.*']}}
    nodesortpolicy: {type: binpacking, resourceweights: {vcore: 2.5}}
    preemption: {enabled: no}
    limits: &limits
      - limit: "all"
        users: [sue, '*']
        maxapplications: 3
        maxresources: {vcore: 2, memory: 8Gi}
    queues:
      - name: root
        submitacl: '*'
        queues:
          - name: p
            parent: true
            limits: *limits
            resources:
              guaranteed: {vcore: 500m}
              max: {memory: 16Gi}
            properties:
              priority.offset: 12
            childtemplate: {maxapplications: 1}
"""
SNIPPETS = [
    "&limits ", "*limits", "<<: *limits\n", "~", "yes", '"', "'", "\n", "\t", "- ", ": ", "{", "}", "[", "]", "#",
    "!!int ", "!foo ", "!!binary ", "|\n", ">-\n", "? ", "---\n", "...\n", "%YAML 1.2\n", "0x1", "-1", "1e999", ".nan",
    "\x00", "\x85", "\u2028", "\ufeff", "\\ud800", "\U0001f600", "queues: []\n", "name: root\n", "9" * 5000,
]  # fmt: skip


@contextmanager
def loader(name: str) -> Iterator[None]:
    """Read YAML with the pure Python scanner or with the fast one, where there is one."""
    before = yaml_nodes.LOADER
    yaml_nodes.LOADER = LOADERS[name]
    try:
        yield
    finally:
        yaml_nodes.LOADER = before


def outcome(text: str) -> SchedulerConfig | str:
    """The configuration or the text of its ConfigError; any other exception fails the test."""
    try:
        return load_config(text)
    except ConfigError as error:
        assert error.text
        assert error.line is None or 1 <= error.line <= len(text.splitlines()) + 1
        return error.text


# -- nothing but ConfigError ---------------------------------------------------------------------------------------

yaml_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(["root", "*", "1", "fixed", "x"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "name queues parent resources guaranteed max properties limits limit users groups maxapplications "
                "maxresources adminacl submitacl childtemplate placementrules create value filter type nodesortpolicy "
                "resourceweights preemption enabled usergroupresolver checksum partitions".split()
            )
            | st.text(max_size=3),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@given(value=yaml_values)
@examples(65)
def test_any_yaml_is_loaded_or_refused(value):
    outcome(yaml.safe_dump(value))
    outcome(yaml.safe_dump({"partitions": [{"queues": value}]}))
    outcome(yaml.safe_dump({"partitions": [{"queues": [{"name": "root", "queues": [{"name": "a", "limits": value}]}]}]}))


@given(text=st.text())
@examples(300)
def test_any_text_is_loaded_or_refused(text):
    outcome(text)
    with loader("pure"):
        outcome(text)


@pytest.mark.parametrize("name", list(LOADERS))
@given(data=st.data())
@examples(150)
def test_a_damaged_configuration_is_loaded_or_refused(name, data):
    text = data.draw(st.sampled_from([FULL, *TEXTS]))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.integers(0, 6))
        text = text[:start] + data.draw(st.sampled_from(SNIPPETS) | st.text(max_size=2)) + text[end:]
    with loader(name):
        outcome(text)


@pytest.mark.parametrize("name", list(LOADERS))
def test_a_configuration_cut_anywhere_is_loaded_or_refused(name):
    with loader(name):
        for end in range(len(FULL)):
            outcome(FULL[:end])


@given(data=st.binary() | st.text().map(str.encode))
@examples(100)
def test_any_file_is_loaded_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("bytes") / "queues.yaml"
    path.write_bytes(data)
    try:
        load_path(path)
    except ConfigError as error:
        assert error.source == str(path)


# -- files ---------------------------------------------------------------------------------------------------------


def test_a_file_is_loaded_and_named_in_its_errors(tmp_path):
    path = tmp_path / "queues.yaml"
    path.write_text(DEFAULT_CONFIG_TEXT, encoding="utf-8")
    assert load_path(path) == load_config(DEFAULT_CONFIG_TEXT)
    path.write_text("partitions: [{name: a}]\n", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_path(str(path))
    assert str(caught.value).startswith(f"{path}:line 1: queue config is not set")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_tells_the_encoding(tmp_path, encoding):
    path = tmp_path / "queues.yaml"
    path.write_text(DEFAULT_CONFIG_TEXT, encoding=encoding)
    assert load_path(path) == load_config(DEFAULT_CONFIG_TEXT)


def test_bytes_that_are_no_text_are_refused_with_their_line(tmp_path):
    path = tmp_path / "queues.yaml"
    path.write_bytes(b"partitions:\n- queues: []\n  name: \xff\n")
    with pytest.raises(ConfigError, match="not UTF-8 text: byte 0xff") as caught:
        load_path(path)
    assert caught.value.line == 3


@pytest.mark.parametrize("path", ["no/such/file.yaml", ".", "nul\x00inside"])
def test_a_file_that_cannot_be_read_is_refused(path):
    with pytest.raises(ConfigError, match="cannot be read: "):
        load_path(path)


def test_the_name_of_a_text_stands_before_the_line():
    with pytest.raises(ConfigError) as caught:
        load_config("partitions: 5\n", source="form")
    assert str(caught.value).startswith("form:line 1: 'partitions' of the document must be a list, found 5")


# -- both loaders --------------------------------------------------------------------------------------------------


def test_the_pure_python_scanner_agrees_with_the_fast_one():
    for text in TEXTS:
        fast = outcome(text)
        with loader("pure"):
            pure = outcome(text)
        # What is wrong with a text that is no YAML is said in the words of the library.
        assert pure == fast or (str(fast).startswith("not valid YAML") and str(pure).startswith("not valid YAML"))


# -- attacks and accidents -----------------------------------------------------------------------------------------


def nested_queues(levels: int) -> str:
    return "partitions:\n- queues:\n" + "".join(f"{'  ' * n}  - name: q\n{'  ' * n}    queues:\n" for n in range(levels))


def doubling(levels: int) -> str:
    """Each queue repeats the one before twice: as many queues as 2 to the power of `levels`."""
    queue = "  - name: q{}\n    queues: &a{}\n    - {{name: l, queues: *a{}}}\n    - {{name: r, queues: *a{}}}\n"
    first = "partitions:\n- queues:\n  - name: q\n    queues: &a0 [{name: x}]\n"
    return first + "".join(queue.format(n, n + 1, n, n) for n in range(levels))


def chained(levels: int, repeated: str) -> str:
    """A list per level, holding an alias of the list before; `repeated` stands for it."""
    lines = (f"a{n + 1}: &a{n + 1} [{repeated.replace('*', f'*a{n}')}]\n" for n in range(levels))
    return "a0: &a0 [x]\n" + "".join(lines)


@pytest.mark.parametrize("name", list(LOADERS))
@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[" * 100_000, "the text is nested deeper than 200 levels"),
        ("{" * 100_000, "the text is nested deeper than 200 levels"),
        ("- " * 50_000, "the text is nested deeper than 200 levels"),
        (nested_queues(3000), "the text is nested deeper than 200 levels"),
        (chained(300, "*"), "the text is nested deeper than 200 levels"),
        (chained(90, "*, *"), "aliases repeat more than"),
        (doubling(90), "aliases repeat more than"),
        ("partitions: &a [*a]", "not valid YAML: the value of anchor &a contains itself"),
        ("partitions: &a {<<: *a}", "not valid YAML: the value of anchor &a contains itself"),
        ("partitions: *nowhere", "not valid YAML: *nowhere refers to no anchor above it"),
        ("*nowhere", "not valid YAML: *nowhere refers to no anchor above it"),
        ("<<: 5", "the merge key '<<' takes a map or a list of maps"),
        ("<<: [[a]]", "the merge key '<<' takes a map or a list of maps"),
        ('"<<": {partitions: []}', "unknown key '<<' in the document"),
        ("? [a]\n: b", "a key in the document must be text, found a list"),
        # A tag on a list is passed over, nothing is constructed from it.
        ("partitions: !!python/object/apply:os.system [x]", "an item of 'partitions' of the document must be a map"),
        ("partitions: !!binary aGk=", "a value must be text, found a !!binary value"),
        ("partitions: !!int x", "a value must be a value of its tag !!int, found 'x'"),
        ("partitions: [\x00]", "not valid YAML: the text holds the control or invisible character U+0000"),
        ("partitions: \ud800", "not valid YAML: the text holds the control or invisible character U+D800"),
        ('partitions: "\\ud800"', "not valid YAML"),
        ('partitions: "\\Uffffffff"', "not valid YAML"),
        ("%YAML 9." + "9" * 5000 + "\n---\na: b\n", "not valid YAML"),
    ],
)
def test_an_attack_is_refused(name, text, fault):
    with loader(name):
        assert str(outcome(text)).startswith(fault)


def test_a_tree_of_ninety_levels_is_loaded():
    queue, depth = load_config(nested_queues(90)).partition().root, 0
    while queue.queues:
        queue, depth = queue.queues[0], depth + 1
    assert depth == 90


@pytest.mark.parametrize(
    ("maxima", "refused"),
    [(range(20_000), None), ([*range(19_999), "x"], 100_000)],
    ids=["all well", "a fault in the last queue"],
)
def test_a_configuration_of_100_000_lines_is_loaded(maxima, refused):
    queues = "".join(
        f"  - name: q{n}\n    properties:\n      priority.offset: {n}\n    resources:\n      max: {{vcore: {m}}}\n"
        for n, m in enumerate(maxima)
    )
    text = f"partitions:\n- queues:\n{queues}"
    assert text.count("\n") == 100_002
    if refused is None:
        assert len(load_config(text).partition().root.queues) == 20_000
    else:
        with pytest.raises(ConfigError, match="invalid quantity") as caught:
            load_config(text)
        assert text.splitlines()[caught.value.line - 1] == "    resources:"
        assert caught.value.line == 100_001


def test_many_limits_above_many_queues_are_loaded():
    limits = "".join(f"    - {{limit: x, users: [u{n}], maxapplications: 1}}\n" for n in range(1000))
    leaf = "    - name: q{}\n      limits: [{{limit: x, users: [u1], maxapplications: 1}}]\n"
    leaves = "".join(leaf.format(n) for n in range(5000))
    text = f"partitions:\n- queues:\n  - name: root\n    limits:\n{limits}    queues:\n{leaves}"
    load_config(text)


# -- lines ---------------------------------------------------------------------------------------------------------

LAYOUT = """\
# line 1
partitions:

- name: default
  queues:
    - name: root
      queues:
        - parent: true
          name: p
          resources:
            max:
              vcore: 4
          limits:
            - limit: first
              users: [sue]
              maxapplications: 1

            - limit: second
              users:
                - bob
              maxapplications: 1
          queues:
            - name: c
  placementrules:
    - name: user
    - name: fixed
      value: p
      create: true
      parent:
        name: fixed
        value: p
"""


def test_every_object_knows_its_line():
    partition = parse_config(LAYOUT).partitions[0]
    (root,) = partition.queues
    (p,) = root.queues
    user, fixed = partition.placement_rules
    assert (partition.line, root.line, p.line, p.queues[0].line) == (4, 6, 8, 23)
    assert (p.resources.line, [limit.line for limit in p.limits]) == (10, [14, 18])
    assert (user.line, fixed.line, fixed.parent.line) == (25, 26, 29)


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ("parent: true\n", "parent: perhaps\n", 8),
        ("          name: p\n", "          nam: p\n", 9),
        ("vcore: 4", "vcore: x", 10),  # the resources; the hint names the entry
        ("vcore: 4", "vcore: [4]", 12),
        ("bob", "1bob", 18),
        ("bob", "sue", 18),
        ("name: c", "name: c.d", 23),
        ("- name: user", "- name: 1user", 25),
        ("  value: p\n      create", "  value: root.p\n      create", 26),
        ("name: default\n  queues", "name: default\n  queue", 5),
        ("        value: p\n", "        value: p\n      value: q\n", 32),
        ("        value: p\n", "\t value: p\n", 31),
        ("# line 1", "# line 1\n@", 2),
    ],
)
def test_an_error_points_at_the_line_to_look_at(before, after, line):
    text = LAYOUT.replace(before, after)
    assert text != LAYOUT
    with pytest.raises(ConfigError) as caught:
        load_config(text)
    assert caught.value.line == line, str(caught.value)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("a:\n\tb: 1\n", "indent with blanks; YAML allows no tabs there"),
        ("partitions:\n- queues:\n  - name: a\n    submitacl: *\n", "needs quotes, as in submitacl: '*'"),
        ("partitions:\n- queues:\n  - name: @a\n", "needs quotes"),
        ("partitions:\n- queues:\n  - name: a: b\n", "quote a value that holds ': '"),
        ("partitions: [\n", "every quote and bracket is closed"),
        ("partitions:\n- queues:\n  - name: a\n    maxapplications: '5'\n", "remove the quotes"),
        ("partitions:\n- queues:\n  - name: a\n    parent: 'true'\n", "remove the quotes"),
        ("partitions:\n- name: a\n  statedumpfilepath: x\n", "delete the line"),
    ],
)
@pytest.mark.parametrize("name", list(LOADERS))
def test_a_hint_says_what_to_do(name, text, hint):
    with loader(name), pytest.raises(ConfigError) as caught:
        load_config(text)
    assert hint in caught.value.hint
    assert caught.value.line
