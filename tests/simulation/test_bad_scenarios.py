"""Whatever is fed to the readers of scenarios, they answer with a scenario or a ScenarioError."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from workbench.scheduler.records.commands import AddApplication, AddAsk, AddNode, ApplicationSpec, AskSpec, Release, UpdateConfig
from workbench.simulation.scenario import (
    AdvanceMs,
    Scenario,
    ScenarioEvent,
    Schedule,
    example,
    load_scenario,
    parse_scenario,
    scenario_to_dict,
    scenario_to_json,
    scenario_to_yaml,
)
from workbench.values.errors import ScenarioError
from workbench.values.resources import Resource

RECORDED = Path(__file__).resolve().parents[1] / "conformance" / "scenarios"
GOOD = scenario_to_dict(example("quota-headroom"))
KEYS = sorted(
    {
        "config",
        "events",
        "name",
        "description",
        "expect",
        "confirm_releases",
        "snapshot",
        "schedule",
        "advance_ms",
        "add_node",
        "update_node",
        "drain_node",
        "add_app",
        "add_ask",
        "add_allocation",
        "release",
        "update_config",
        "id",
        "app",
        "key",
        "resources",
        "attributes",
        "tags",
        "groups",
        "node",
        "foreign",
        "priority",
        "repeat",
        "allowed_nodes",
        "placeholder_ask",
        "execution_timeout_ms",
        "vcore",
    }
)
SNIPPETS = [
    "&a ",
    "*a",
    "<<: ",
    "~",
    "yes",
    '"',
    "'",
    "\n",
    "\t",
    "- ",
    ": ",
    "{",
    "}",
    "[",
    "]",
    "#",
    "!!int ",
    "!!binary ",
    "!foo ",
    "|\n",
    "? ",
    "---\n",
    "%YAML 1.2\n",
    "0x1",
    "-1",
    "1e999",
    ".nan",
    "NaN",
    "\\ud800",
    "\x00",
    "\x85",
    "\u2028",
    "\ufeff",
    "\U0001f600",
    "9" * 25,
    "null",
    "events: []\n",
]

leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(KEYS)
    | st.sampled_from([2**31, 2**63, -(2**63) - 1, 10**50, "500m", "8Gi", "1.5", "", "\ud800"])
)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def answers(text: str, format: str) -> None:
    """A scenario, or a ScenarioError whose message can be shown."""
    try:
        assert isinstance(parse_scenario(text, format, source="plan"), Scenario)
    except ScenarioError as error:
        assert error.text
        assert (
            error.line is None
            or 1
            <= error.line
            <= text.count("\n") + text.count("\r") + text.count("\x85") + text.count("\u2028") + text.count("\u2029") + 1
        )
        str(error).encode("utf-8", "backslashreplace")


@given(st.text(max_size=200), st.sampled_from(["yaml", "json"]))
@examples(100)
def test_any_text(text, format):
    answers(text, format)


@given(values, st.sampled_from(["yaml", "json"]))
@examples(100)
def test_any_value(value, format):
    answers(json.dumps(value), format)


@given(
    st.lists(st.dictionaries(st.sampled_from(KEYS), values, min_size=1, max_size=2), max_size=4), st.sampled_from(["yaml", "json"])
)
@examples(100)
def test_any_events(events, format):
    answers(json.dumps({"config": "", "events": events}), format)


def places(value, path=()):
    """Paths of all values of a document."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from places(inner, (*path, index))


@given(st.sampled_from(sorted(places(GOOD), key=repr)), values, st.sampled_from(["yaml", "json"]))
@examples(150)
def test_a_good_scenario_with_one_value_replaced(path, value, format):
    document = json.loads(json.dumps(GOOD))
    if path:
        at = document
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = value
    else:
        document = value
    answers(json.dumps(document), format)


@given(st.data(), st.sampled_from(["yaml", "json"]))
@examples(100)
def test_a_good_scenario_with_something_put_into_its_text(data, format):
    text = (scenario_to_yaml if format == "yaml" else scenario_to_json)(example("node-weights"))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 5)))
        text = text[:start] + data.draw(st.sampled_from(SNIPPETS)) + text[end:]
    answers(text, format)


@given(st.binary(max_size=200), st.sampled_from(["a.json", "a.yaml", "a.json.gz", "a.yml.gz"]), st.booleans())
@examples(100)
def test_any_bytes_in_a_file(tmp_path_factory, data, name, packed):
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(gzip.compress(data) if packed else data)
    try:
        load_scenario(path)
    except ScenarioError as error:
        assert error.source == str(path)


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [*a]",
        "a: &a {b: *a}",
        "<<: 1",
        "? [a]\n: b",
        "? {a: b}\n: c",
        "!!python/object:os.system {}",
        "config: !!binary aGk=\nevents: []",
        "config: ''\nevents: [!!int x]",
        "config: ''\nevents: &e [*e]",
        "config: ''\nevents: []\nexpect: &x {a: *x}",
        "a: &a [1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
        "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n"
        "g: [*f,*f,*f,*f,*f,*f,*f,*f,*f]",
    ],
)
def test_yaml_that_is_no_plain_data_is_refused(text):
    with pytest.raises(ScenarioError):
        parse_scenario(text)


def test_an_expectation_that_is_nested_without_end_is_refused():
    deep = '{"a":' * 300 + "1" + "}" * 300
    with pytest.raises(ScenarioError, match="expect: is nested too deeply"):
        parse_scenario(f'{{"config": "", "events": [], "expect": {deep}}}', "json")


# -- what is written reads back as the same ---------------------------------------------------------------------------

TRICKY = [
    "no",
    "on",
    "~",
    "null",
    "1e3",
    "0x1",
    "0o17",
    "010",
    "1_000",
    "12:30:45",
    "2001-01-01",
    ".nan",
    "+1",
    "=",
    "<<",
    "- a",
    "a: b",
    "a #b",
    " a",
    "a ",
    "\n",
    "a\n",
    "a\n\nb",
    "a\r\nb",
    "\ta\n b",
    "\x85",
    "\u2028",
    "\ufeff",
    "\x7f",
    "\x00",
    "'",
    '"',
    "|",
    ">",
    "%",
    "@",
    "`",
]
"""Texts that YAML would read as something else, were they not quoted."""

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(TRICKY)
names = texts.filter(bool)
amounts = st.dictionaries(names, st.integers(0, 2**63 - 1), max_size=3).map(Resource)
commands = st.one_of(
    st.builds(AddNode, node_id=names, capacity=amounts, attributes=st.dictionaries(texts, texts, max_size=2)),
    st.builds(
        AddApplication,
        application=st.builds(
            ApplicationSpec,
            id=names,
            queue=texts,
            user=texts,
            groups=st.lists(texts, max_size=2).map(tuple),
            tags=st.dictionaries(texts, texts, max_size=2),
            placeholder_ask=st.none() | amounts,
            gang_style=texts,
            execution_timeout_ns=st.integers(-(10**6), 10**6).map(lambda ms: ms * 1_000_000),
        ),
    ),
    st.builds(
        AddAsk,
        ask=st.builds(
            AskSpec,
            application_id=names,
            key=names,
            resource=amounts,
            priority=st.integers(-(2**31), 2**31 - 1),
            task_group=texts,
            placeholder=st.booleans(),
            originator=st.booleans(),
            allow_preempt_self=st.booleans(),
            allow_preempt_other=st.booleans(),
            required_node=texts,
            allowed_nodes=st.none() | st.lists(texts, min_size=1, max_size=2).map(tuple),
        ),
    ),
    st.builds(Release, application_id=names, key=texts),
    st.builds(UpdateConfig, config=texts),
    st.builds(AdvanceMs, st.integers(1, 10**9)),
    st.builds(Schedule, st.integers(1, 10**6)),
)
scenarios = st.builds(
    lambda happenings, **more: Scenario(
        events=tuple(ScenarioEvent(command, snapshot, index) for index, (command, snapshot) in enumerate(happenings)), **more
    ),
    st.lists(st.tuples(commands, st.booleans()), max_size=4),
    config=texts,
    name=texts,
    description=texts,
    confirm_releases=st.booleans(),
    expect=st.none() | st.just({"trace": [], "final": {"apps": {"x": {"pending": {}}}}}),
)


@given(scenarios)
@examples(100)
def test_a_scenario_written_as_json_reads_back_as_the_same(scenario):
    assert parse_scenario(scenario_to_json(scenario), "json") == scenario


@given(scenarios)
@examples(105)
def test_a_scenario_written_as_yaml_reads_back_as_the_same(scenario):
    text = scenario_to_yaml(scenario)
    assert yaml.safe_load(text) is not None
    assert parse_scenario(text) == scenario
