"""A JSON or YAML text as values that know their place, so that every fault can be told with path and line.

A `Cursor` stands on one value and answers questions of the form "the text here", "the integer here"; the wrong kind of
value is a `ScenarioError` that says what was found, where, and what is allowed. Nothing is constructed from a tag, and
no input can exhaust the stack. YAML values know their line; JSON values know their path only.
"""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, NoReturn

from workbench.config.read import yaml_nodes, yaml_scalars
from workbench.files.reading import refuse_long
from workbench.values.errors import ConfigError, ScenarioError
from workbench.values.found import found as phrase
from workbench.values.found import number, shown
from workbench.values.quantities import MAX_INT64, QuantityError, parse_quantity
from workbench.values.resources import Resource
from workbench.values.text import is_text

FORMATS = ("yaml", "json")


class _Lined:
    """Mixed into a container of a YAML text: its own line and those of its values."""

    line: int
    lines: Any
    """Of a mapping by key, of a list by place."""


class _Dict(_Lined, dict[str, Any]):
    __slots__ = ("line", "lines")


class _List(_Lined, list[Any]):
    __slots__ = ("line", "lines")


class Cursor:
    """One value of a document and its place.

    Attributes:
        value: None, bool, int, float, str, list or dict.
        path: how to get there from the top, such as `events[3].add_ask.key`; "" at the top.
        line: line of the text from 1, None when it is not known.
        source: name of the file, for messages.
    """

    __slots__ = ("value", "path", "line", "source")

    def __init__(self, value: Any, path: str = "", line: int | None = None, source: str | None = None):
        self.value, self.path, self.line, self.source = value, path, line, source

    def fault(self, text: str, hint: str = "") -> ScenarioError:
        """An error about this value, ready to be raised."""
        return ScenarioError(f"{self.path}: {text}" if self.path else text, line=self.line, source=self.source, hint=hint)

    def at(self, key: str | int) -> Cursor:
        """The value under a key or index that exists."""
        path = f"{self.path}[{key}]" if isinstance(key, int) else f"{self.path}.{key}" if self.path else key
        line = self.value.lines[key] if isinstance(self.value, _Lined) else None
        return Cursor(self.value[key], path, line, self.source)

    def mapping(self) -> dict[str, Cursor]:
        """The values by key; keys whose value is null count as absent."""
        if not isinstance(self.value, dict):
            self._wrong("a mapping of keys to values")
        return {key: self.at(key) for key, value in self.value.items() if value is not None}

    def fields(self, *allowed: str) -> dict[str, Cursor]:
        """The values by key, where only `allowed` keys may occur."""
        given = self.mapping()
        for key in self.value:
            if key not in allowed:
                place = self.at(key)
                raise ScenarioError(
                    f"{self.path + ': ' if self.path else ''}unknown key {shown(key)}",
                    line=place.line,
                    source=self.source,
                    hint=_suggestion(key, allowed),
                )
        return given

    def without(self, *keys: str) -> Cursor:
        """The same mapping without some of its keys, for whoever allows no others than theirs."""
        if not isinstance(self.value, dict):
            self._wrong("a mapping of keys to values")
        left: dict[str, Any] = {key: value for key, value in self.value.items() if key not in keys}
        if isinstance(self.value, _Lined):
            lined = _Dict(left)
            lined.line, lined.lines = self.value.line, self.value.lines
            left = lined
        return Cursor(left, self.path, self.line, self.source)

    def items(self) -> Iterator[Cursor]:
        """The entries of a list."""
        if not isinstance(self.value, list):
            self._wrong("a list")
        return (self.at(index) for index in range(len(self.value)))

    def text(self) -> str:
        """A text, possibly empty."""
        if not isinstance(self.value, str):
            plain = self.value is not None and not isinstance(self.value, (list, dict))
            self._wrong("a text", "put it in quotes" if plain else "")
        self._refuse_half_characters(self.value)
        return self.value

    def name(self) -> str:
        """A text that is not empty."""
        text = self.text()
        if not text:
            raise self.fault("is empty", "give a name")
        return text

    def texts(self) -> tuple[str, ...]:
        """A list of texts."""
        return tuple(item.text() for item in self.items())

    def text_map(self) -> dict[str, str]:
        """A mapping of texts to texts."""
        found = {key: value.text() for key, value in self.mapping().items()}
        for key in found:
            self._refuse_half_characters(key)
        return found

    def integer(self, least: int, most: int) -> int:
        """An integer between the bounds, both included."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            self._wrong("an integer", "remove the quotes" if isinstance(self.value, str) and self.value.isdigit() else "")
        if not least <= self.value <= most:
            raise self.fault(f"{number(self.value)} is out of range", f"allowed are {least} to {most}")
        return self.value

    def switch(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self._wrong("true or false")
        return self.value

    def resource(self) -> Resource:
        """Amounts by resource type: integers in base units (millicores, bytes), or quantities as text. R-4, R-10."""
        amounts = {}
        for type_name, amount in self.mapping().items():
            if not type_name:
                raise self.fault("has a resource type without a name")
            self._refuse_half_characters(type_name)
            amounts[type_name] = amount._quantity(type_name)
        return Resource(amounts)

    def configured_resource(self) -> Resource:
        """Amounts as a configuration says them: `vcore: 2` is two cores, whether it is a number or a text. R-15."""
        amounts = {}
        for type_name, amount in self.mapping().items():
            if not type_name:
                raise self.fault("has a resource type without a name")
            self._refuse_half_characters(type_name)
            is_number = isinstance(amount.value, int) and not isinstance(amount.value, bool)
            said = Cursor(str(amount.value), amount.path, amount.line, amount.source) if is_number else amount
            amounts[type_name] = said._quantity(type_name)
        return Resource(amounts)

    def plain(self) -> Any:
        """The value as plain dicts and lists."""
        return _plain(self.value)

    def _quantity(self, type_name: str) -> int:
        if isinstance(self.value, str):
            try:
                return parse_quantity(self.value, type_name)
            except QuantityError as error:
                raise self.fault(
                    f"{error}: {shown(self.value)}", 'allowed are texts such as "2", "500m" for vcore, "8Gi"'
                ) from None
        if isinstance(self.value, float):
            self._wrong("an integer in base units or a quantity as text", 'write 1.5 cores as "1500m"')
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            self._wrong("an integer in base units or a quantity as text")
        return self.integer(0, MAX_INT64)

    def _refuse_half_characters(self, text: str) -> None:
        if not is_text(text):
            raise self.fault("holds half a surrogate pair, which is no character")

    def _wrong(self, wanted: str, hint: str = "") -> NoReturn:
        raise self.fault(f"must be {wanted}, found {phrase(self.value)}", hint)


def read(text: str, format: str = "yaml", *, source: str | None = None) -> Cursor:
    """A cursor on the top of a document. ScenarioError if the text is no JSON or YAML, or holds a key twice."""
    if format not in FORMATS:
        raise ScenarioError(f"unknown format {shown(str(format))}", source=source, hint=f"use {' or '.join(FORMATS)}")
    refuse_long(text, source=source, error=ScenarioError)
    if not text.strip():
        raise ScenarioError("the text is empty", source=source, hint="a scenario has the keys config and events")
    return _read_json(text, source) if format == "json" else _read_yaml(text, source)


def _read_json(text: str, source: str | None) -> Cursor:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            key = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
            raise ScenarioError(f"key {shown(key)} occurs twice in one object", source=source, hint="keep one of them")
        return found

    def no_number(word: str) -> NoReturn:
        raise ScenarioError(f"{word} is no JSON value", source=source)

    try:
        value = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=unique, parse_constant=no_number)
    except json.JSONDecodeError as error:
        raise ScenarioError(f"not valid JSON: {error.msg} at column {error.colno}", line=error.lineno, source=source) from None
    except ValueError:  # Python refuses to convert thousands of digits
        raise ScenarioError("not valid: it holds an integer of thousands of digits", source=source) from None
    except RecursionError:
        raise ScenarioError("the text is nested too deeply", source=source) from None
    return Cursor(value, source=source)


def _read_yaml(text: str, source: str | None) -> Cursor:
    try:
        node = yaml_nodes.first_document(text)
    except ConfigError as error:
        raise ScenarioError(error.text, line=error.line, source=source, hint=error.hint) from None
    if node is None:
        raise ScenarioError("the text holds no values", source=source, hint="a scenario has the keys config and events")
    return Cursor(_yaml_value(node, source), line=node.line, source=source)


def _yaml_value(node: yaml_nodes.Node, source: str | None) -> Any:
    """The tree as containers with lines. Its depth and the size of repeated parts are bounded by `yaml_nodes`."""
    if isinstance(node, yaml_nodes.ScalarNode):
        try:
            return yaml_scalars.meaning(node)
        except yaml_scalars.WrongType as error:
            raise ScenarioError(str(error), line=node.line, source=source, hint=error.hint) from None
    if isinstance(node, yaml_nodes.ListNode):
        entries = _List(_yaml_value(item, source) for item in node.items)
        entries.line, entries.lines = node.line, [item.line for item in node.items]
        return entries
    found = _Dict()
    found.line, found.lines = node.line, {}
    for key, value in node.pairs:
        if not isinstance(key, yaml_nodes.ScalarNode):
            raise ScenarioError("a key must be a text, found a list or mapping", line=key.line, source=source)
        if key.text in found:
            raise ScenarioError(
                f"key {shown(key.text)} occurs twice in one mapping",
                line=key.line,
                source=source,
                hint=f"keep one of them; the first is on line {found.lines[key.text]}",
            )
        found[key.text], found.lines[key.text] = _yaml_value(value, source), key.line
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, _Dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, _List):
        return [_plain(entry) for entry in value]
    return value


# -- phrases of messages ----------------------------------------------------------------------------------------------


def _suggestion(key: str, allowed: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(key, allowed, n=1)
    listed = ", ".join(allowed)
    return f"did you mean {near[0]}? allowed are {listed}" if near else f"allowed are {listed}"
