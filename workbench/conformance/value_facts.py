"""Facts about single values: quantities, operations on resources, access control lists."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.config.acl import Acl, check_acl
from workbench.conformance.fact import Fact, Finding, difference
from workbench.values import resources
from workbench.values.errors import ConfigError
from workbench.values.quantities import QuantityError, parse_quantity
from workbench.values.resources import Resource


def quantities(facts: list[Fact]) -> Iterator[Finding]:
    """The integer behind a text, or the error."""
    for fact in facts:
        try:
            got: Fact = {"value": parse_quantity(fact["text"], fact["type"])}
        except QuantityError as error:
            got = {"error": str(error)}
        expected = {key: fact[key] for key in ("value", "error") if key in fact}
        yield difference(f"{fact['type']} {fact['text']!r}", expected, got)


def resource_operations(facts: list[Fact]) -> Iterator[Finding]:
    """The result of an operation, floats compared exactly."""
    for fact in facts:
        operation = getattr(resources, fact["op"])
        result = operation(*(Resource(each) if isinstance(each, dict) else each for each in fact["args"]))
        got: Fact = {"result": result}
        if "error" in fact:
            got = {"result": result[0], "error": result[1]}
        got["result"] = dict(got["result"]) if isinstance(got["result"], Resource) else got["result"]
        expected = {key: fact[key] for key in ("result", "error") if key in fact}
        yield difference(f"{fact['op']}{tuple(fact['args'])}", expected, got)


def acls(facts: list[Fact]) -> Iterator[Finding]:
    """What validation says to an ACL, what building it says, and whom it lets in."""
    for fact in facts:
        got: Fact = {}
        problem = check_acl(fact["acl"])
        if problem is not None:
            got["config_error"] = problem
        try:
            got["allowed"] = Acl.parse(fact["acl"]).allows(fact["user"], fact["groups"])
        except ConfigError as error:
            got["error"] = error.text
        expected = {key: fact[key] for key in ("config_error", "allowed", "error") if key in fact}
        yield difference(f"{fact['acl']!r} for {fact['user']} of {fact['groups']}", expected, got)
