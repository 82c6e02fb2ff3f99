"""Every check speaks up where it should and nowhere else, and every remedy mends what it is offered for. E-40, section 6."""

from __future__ import annotations

import re
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
from advice_cases import CASES, of
from scenes import config_text

import workbench as wb
from workbench.advice import Lint, lints
from workbench.advice.lint import SEVERITIES
from workbench.advice.lints.table import CHECKS
from workbench.advice.trials.plan import PLANS
from workbench.config import load_config, parse_config, validate
from workbench.config.write.export import to_yaml

LINTS = [
    each
    for module in iter_modules(lints.__path__, f"{lints.__name__}.")
    for each in vars(import_module(module.name)).values()
    if isinstance(each, type) and issubclass(each, Lint) and each.__module__ == module.name and hasattr(each, "code")
]
CHAPTER = Path(__file__).resolve().parents[1] / "spec" / "09-explaining-decisions.md"


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_check_speaks_up_where_it_should(case):
    (check, *more) = of(case, case.flagged_config)
    assert not more
    assert check.severity in ("warning", "hint")
    assert check.rules and check.text.endswith(".") and check.text == check.text.strip()
    assert len(check.remedies) == case.remedies


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_check_is_silent_about_a_design_without_the_fault(case):
    assert of(case, case.clean_config) == []


@pytest.mark.parametrize("case", [case for case in CASES if case.remedies], ids=str)
def test_every_remedy_mends_what_it_is_offered_for_and_is_accepted(case):
    config = case.flagged_config
    (check,) = of(case, config)
    before = to_yaml(config)
    for remedy in check.remedies:
        mended = remedy.apply(config)
        validate(mended)
        assert of(case, load_config(to_yaml(mended))) == [], remedy.description
        assert re.fullmatch(r"[A-Z][^\n]*\.", remedy.description)
    assert to_yaml(config) == before, "the given configuration stays as it is"


def test_every_check_of_a_configuration_has_a_case():
    """The packages' functions name the lints in their docstrings; each lint is one of the cases."""
    lints = {
        code
        for check in CHECKS
        for code in re.findall(r"\b(?:L-\d\d|C-121|PL-104|PL-36)\b", (check.__doc__ or "").partition(":")[0])
    }
    assert lints <= {case.code for case in CASES}


def test_every_lint_of_the_chapter_is_told_somewhere():
    chapter = set(re.findall(r"^\| (L-\d\d) \|", CHAPTER.read_text("utf-8"), re.MULTILINE))
    # L-05 is always refused by validation: see below.
    assert chapter - {lint.code for lint in LINTS} == {"L-05"}


@pytest.mark.parametrize("lint", LINTS, ids=lambda lint: lint.__name__)
def test_what_depends_on_the_workload_says_what_it_assumes_and_can_be_tried(lint):  # E-40
    assert lint.code and lint.rules and lint.severity in SEVERITIES
    assert ("E-40" in lint.rules) == bool(lint.assumption) == (lint in PLANS)
    assert not lint.assumption or re.fullmatch(r"This assumes that [^\n]*\.", lint.assumption)


@pytest.mark.parametrize("lint", LINTS, ids=lambda lint: lint.__name__)
def test_what_was_found_is_a_value_with_declared_fields_and_no_mapping_to_be_looked_up_in(lint):
    assert lint.__dataclass_params__.frozen and not hasattr(lint, "numbers")
    kinds = {str(field.type) for field in fields(lint)}
    assert kinds <= {"str", "int", "float", "bool", "Resource", "tuple[str, ...]"}


@pytest.mark.parametrize(
    "queues",
    [
        "a: {guaranteed: {vcore: 3}, max: {vcore: 2}}",
        "p: {max: {vcore: 2}, a: {guaranteed: {vcore: 3}}}",
        "p: {max: {vcore: 2}, mid: {guaranteed: {memory: 1}, a: {guaranteed: {vcore: 3, memory: 1}}}}",
    ],
    ids=["of its own", "of its parent", "behind a queue that omits the type"],
)
def test_a_guarantee_above_a_maximum_is_an_error_of_the_loader(queues):  # L-05, C-41, C-44
    config = wb.load_config("partitions: []")
    with pytest.raises(wb.ConfigError):
        load_config(config_text(queues))
    (check,) = wb.checks(parse_config(config_text(queues)))
    assert (check.severity, check.code) == ("error", "invalid")
    assert "guaranteed resource" in check.text and check.line is not None
    assert wb.checks(config) == ()


def test_an_error_stands_alone_and_says_what_the_loader_says():  # C-30
    text = config_text("a: {preemption.policy: fenced, max: {vcore: lots}}")
    (check,) = wb.checks(parse_config(text))
    assert str(check).startswith("line 9: error invalid: The scheduler refuses this configuration: invalid quantity")


@pytest.mark.parametrize(
    "queues, partition, code, said",
    [
        ("a: {submitacl: 'sue  dev'}", {}, "not-loaded", "multiple spaces found in ACL: 'sue  dev'"),  # C-102
        ("p: {parent: true, template: {resources: {max: {vcore: lots}}}}", {}, "not-loaded", "invalid quantity"),  # C-125
        ("a: {}", {"placementrules": [{"name": "nosuch"}]}, "no-rules", "unknown rule name specified nosuch"),  # PL-21, PL-23
    ],
    ids=["an ACL", "a template", "a rule"],
)
def test_what_passes_validation_and_does_not_load_is_an_error(queues, partition, code, said):
    check = wb.checks(load_config(config_text(queues, **partition)))[0]
    assert (check.severity, check.code) == ("error", code)
    assert said in check.text


def test_the_line_is_that_of_the_key():
    text = """\
partitions:
  - name: default
    nodesortpolicy:
      resourceweights:
        vcore: 0
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: batch
            properties:
              preemption.delay: 30s
              priority.offset: many
            limits:
              - limit: everybody
                users: ["*"]
                maxresources: {vcore: 3}
"""
    told = {check.code: check.line for check in wb.checks(load_config(text))}
    assert told == {"L-37": 4, "L-12": 13, "L-25": 16}
    assert {check.line for check in wb.checks(wb.edit.with_max(load_config(text), "root.batch", {"vcore": "9"}))} <= {2, 3, 4, None}


def test_a_configuration_without_a_root_gets_its_lines_too():  # C-20
    text = "partitions:\n- queues:\n  - name: A\n    properties: {priority.offset: many}\n    submitacl: '*'\n  - {name: b}\n"
    (offset,) = [check for check in wb.checks(load_config(text)) if check.code == "L-12"]
    assert (offset.path, offset.line) == ("root.a", 4)


def test_errors_come_first_then_warnings_then_hints_in_the_order_of_the_tree():
    config = load_config(
        config_text(
            "z: {priority.offset: x, limits: [{limit: w, users: ['*'], maxapplications: 2}]}\na: {priority.offset: y}",
            placementrules=[{"name": "nosuch"}],
        )
    )
    told = [(check.severity, check.code, check.path) for check in wb.checks(config)]
    assert [each for each in told if each[1] != "L-19"] == [
        ("error", "no-rules", ""),
        ("warning", "L-12", "root.z"),
        ("warning", "L-12", "root.a"),
        ("hint", "L-25", "root.z"),
    ]


TRUE_OF_THE_EXAMPLES = {
    "multitenancy": [("L-10", "root.tenants"), ("L-09", "root.tenants.tenant-a")],
    "node-packing": [],
    "node-weights": [],
    "quota-headroom": [],
    "state-aware": [("L-15", "root.reports")],
    "two-tenants": [],
}
"""The fence at tenants says no offset, which behind it makes that of tenant-a count inside only; stateaware is for 1.4."""


@pytest.mark.parametrize("name", wb.example_names())
def test_the_packaged_examples_raise_no_false_alarm(name):
    sim = wb.Simulation.from_scenario(wb.example(name))
    assert [(check.code, check.path) for check in wb.checks(sim.config)] == TRUE_OF_THE_EXAMPLES[name]


@pytest.mark.parametrize("name", wb.example_names())
def test_what_the_examples_run_into_is_true_too(name):
    """After the run: amounts of a type without a maximum, an ask of 4 in a queue of 3 with 1 guaranteed."""
    sim = wb.Simulation.from_scenario(wb.example(name))
    sim.run()
    before = sim.digest()
    told = {(check.code, check.path) for check in wb.checks(sim.config, sim.state) if check.severity == "warning"}
    assert told == {"multitenancy": {("L-10", "root.tenants")}, "quota-headroom": {("L-42", "root.org.dev")}}.get(name, set())
    assert sim.digest() == before, "looking changes nothing"


def test_checks_are_public_and_load_on_first_use():
    assert wb.checks is not None and wb.Check.__module__ == "workbench.advice.check"
