"""A Hadoop configuration file: its properties, each with the line on which it stands.

Read with the parser that only tells what stands there. Nothing outside the file is ever looked at: a document type, in which
entities could be declared, is refused, and `xi:include` is told and not followed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.parsers import expat

from workbench.files.reading import read_bytes
from workbench.values.errors import ConfigError
from workbench.values.found import shown

MOST_BYTES = 2**24
"""The largest file: 16 MiB. The largest real ones have some thousand queues and are a tenth of it."""
MOST_PROPERTIES = 200_000
MOST_TEXT = 4 * MOST_BYTES
"""Characters of all values together, once variables are filled in; files without any may be several."""

_DEEPEST = 8
_VARIABLE = re.compile(r"\$\{([^}$\s]+)\}")
_ROUNDS = 20
"""So often variables in the values of variables are filled in, as Hadoop does."""


@dataclass(frozen=True, slots=True)
class Property:
    """One property.

    Attributes:
        name: without blanks around it.
        text: the value as it stands there; variables in it are filled in from the same files.
        line, source: where it stands.
    """

    name: str
    text: str
    line: int
    source: str

    @property
    def value(self) -> str:
        """The text without blanks around it."""
        return self.text.strip()

    def fault(self, text: str, hint: str = "") -> ConfigError:
        """An error about it, ready to be raised."""
        return ConfigError(f"{self.name}: {text}", line=self.line, source=self.source, hint=hint)


@dataclass(slots=True)
class Document:
    """Attributes:
    properties: name -> the property that counts, in the order of the files.
    overridden: those that another one with the same name takes the place of, each with that one.
    includes: where `xi:include` stands, and what it names.
    """

    properties: dict[str, Property] = field(default_factory=dict)
    overridden: list[tuple[Property, Property]] = field(default_factory=list)
    includes: list[Property] = field(default_factory=list)


def read_documents(paths: Iterable[Path]) -> Document:
    """The properties of one or several files, later ones over earlier ones unless those are final.

    Raises:
        ConfigError: with file and line: not XML, no Hadoop configuration, a document type, a variable that nothing sets.
    """
    found = Document()
    final: set[str] = set()
    for path in paths:
        for property, is_final in _Reader(path).read(found.includes):
            there = found.properties.get(property.name)
            if there is not None and property.name in final:
                found.overridden.append((property, there))
                continue
            if there is not None:
                found.overridden.append((there, property))
            if is_final:
                final.add(property.name)
            found.properties[property.name] = property
    whole: dict[str, Property] = {}
    size = 0
    for name, each in found.properties.items():
        whole[name] = _filled(each, found.properties)
        size += len(whole[name].text)
        if size > MOST_TEXT:
            raise each.fault("the variables of all properties stand for too long a text")
    found.properties = whole
    return found


def _filled(property: Property, known: dict[str, Property]) -> Property:
    """The property with the variables of its value filled in."""
    value = property.text
    for _ in range(_ROUNDS):
        names = _VARIABLE.findall(value)
        if not names:
            break
        missing = [name for name in names if name not in known]
        if missing:
            raise property.fault(
                f"nothing in the files sets {shown('${' + missing[0] + '}')}", "give the file that sets it, too, or write the value"
            )
        if len(value) + sum(len(known[name].text) for name in names) > MOST_BYTES:
            raise property.fault("its variables stand for too long a text")
        value = _VARIABLE.sub(lambda match: known[match[1]].text, value)
    else:
        raise property.fault("its variables lead round in a circle")
    return property if value == property.text else Property(property.name, value, property.line, property.source)


class _Reader:
    """One file."""

    def __init__(self, path: Path):
        self.source = str(path)
        self.data = read_bytes(path, packed=path.name.lower().endswith(".gz"))
        if len(self.data) > MOST_BYTES:
            raise ConfigError(f"larger than {MOST_BYTES} bytes", source=self.source, hint="is it the right file?")
        self.open: list[str] = []
        self.text: list[str] = []
        self.parts: dict[str, str] = {}
        self.line = 0
        self.found: list[tuple[Property, bool]] = []
        self.includes: list[Property] = []
        self.parser = expat.ParserCreate()
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self.parser.buffer_text = True
        handlers: dict[str, Callable[..., Any]] = {
            "StartElementHandler": self.start,
            "EndElementHandler": self.end,
            "CharacterDataHandler": self.text.append,
            "StartDoctypeDeclHandler": self.doctype,
        }
        for name, handler in handlers.items():
            setattr(self.parser, name, handler)

    def read(self, includes: list[Property]) -> list[tuple[Property, bool]]:
        """Its properties, each with whether it is final; what it includes is added to `includes`."""
        try:
            self.parser.Parse(self.data, True)
        except expat.ExpatError as error:
            raise ConfigError(f"not valid XML: {expat.ErrorString(error.code)}", line=error.lineno, source=self.source) from None
        except (LookupError, ValueError):
            raise ConfigError("its encoding is not known", line=1, source=self.source, hint="save the file as UTF-8") from None
        includes += self.includes
        return self.found

    def fault(self, text: str, hint: str = "") -> ConfigError:
        return ConfigError(text, line=self.parser.CurrentLineNumber, source=self.source, hint=hint)

    def doctype(self, *_: object) -> None:
        raise self.fault("a document type (<!DOCTYPE>) is not read", "a configuration of Hadoop needs none; remove it")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if not self.open and tag != "configuration":
            raise self.fault(*_no_configuration(tag))
        self.open.append(tag)
        if len(self.open) > _DEEPEST:
            raise self.fault("elements are nested too deeply", "a property has a name, a value, and nothing within them")
        if tag == "property":
            self.line = self.parser.CurrentLineNumber
            self.parts = {key: value for key, value in attributes.items() if key in ("name", "value", "final")}
        elif tag.rpartition(":")[2] == "include":
            self.includes.append(Property("xi:include", attributes.get("href", ""), self.parser.CurrentLineNumber, self.source))
        self.text.clear()

    def end(self, tag: str) -> None:
        self.open.pop()
        if tag in ("name", "value", "final") and self.open[-1:] == ["property"]:
            if tag in self.parts:
                raise self.fault(f"a property has two elements <{tag}>", "each property has one name and one value")
            self.parts[tag] = "".join(self.text)
        elif tag == "property":
            if not self.parts.get("name", "").strip():
                raise self.fault("a property has no name", "it needs <name> and <value>")
            if "value" not in self.parts:
                raise self.fault(f"the property {shown(self.parts['name'])} has no value", "it needs <name> and <value>")
            if len(self.found) >= MOST_PROPERTIES:
                raise self.fault(f"there are more than {MOST_PROPERTIES} properties", "is it the right file?")
            property = Property(self.parts["name"].strip(), self.parts["value"], self.line, self.source)
            self.found.append((property, self.parts.get("final", "").strip() == "true"))
        self.text.clear()


def _no_configuration(tag: str) -> tuple[str, str]:
    if tag == "allocations":
        return (
            "these are allocations of YARN's Fair Scheduler",
            "Hadoop itself converts them: 'yarn fs2cs -y yarn-site.xml -f fair-scheduler.xml -o FOLDER' writes the "
            "capacity-scheduler.xml that can be imported",
        )
    return (
        f"the outermost element is <{tag[:40]}>, not <configuration>",
        "capacity-scheduler.xml is expected",
    )
