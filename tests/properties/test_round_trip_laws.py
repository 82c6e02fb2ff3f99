"""Laws of writing an edited configuration back into its text, over generated texts full of comments and all kinds of edits."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from config_strategies import configs, counts, limit_lists, maps, names, queues, rules, templates, texts
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from workbench.config import edit, parse_config
from workbench.config.model import NodeSorting, PreemptionSwitches, SchedulerConfig
from workbench.config.read.tree_shape import completed
from workbench.config.write.export import to_yaml
from workbench.config.write.plain_data import data_of
from workbench.config.write.round_trip import rewritten
from workbench.config.write.scalars import in_flow, plain_text, quoted, scalar_text
from workbench.values.errors import ConfigError

Owner = tuple[str, str]
"""Queue path, "" for the partition, and the key there with the key inside it, if it has one."""


@dataclass
class Writer:
    """Writes a configuration with comments, blank lines, quotes and brackets at random, and remembers what each line is about."""

    random: Random
    step: int = 2
    dash: int = 0
    lines: list[tuple[str, Owner | None]] = field(default_factory=list)
    comments: int = 0

    def one_in(self, number: int) -> bool:
        return self.random.randrange(number) == 0

    def comment(self) -> str:
        self.comments += 1
        return f"#\tnote {self.comments}."

    def line(self, text: str, column: int, owner: Owner | None) -> None:
        if self.one_in(8):
            self.lines.append((" " * self.random.choice([0, column]), None))
        if self.one_in(4):
            self.lines.append((" " * column + self.comment(), owner))
        end = "  " * self.one_in(3) + (f" {self.comment()}" if self.one_in(3) else "")
        self.lines.append((text + end, owner))

    def scalar(self, value: object) -> str:
        if isinstance(value, str) and self.one_in(3):
            return quoted(value, self.random.choice("'\""))
        return scalar_text(value)

    def flow(self, value: object) -> str:
        blank = " " * self.random.randrange(3)
        if isinstance(value, dict):
            return (
                "{" + f",{blank}".join(f"{in_flow(plain_text(key), key)}: {self.flow(each)}" for key, each in value.items()) + "}"
            )
        if isinstance(value, list):
            return "[" + f",{blank}".join(map(self.flow, value)) + "]"
        return in_flow(self.scalar(value), value)

    def map(self, data: dict, column: int, path: str, inside: str = "", dash: int | None = None) -> None:
        """The keys of a map; the first stands behind the dash at column `dash`, if there is one."""
        for key, value in data.items():
            lead = " " * column if dash is None else " " * dash + "-" + " " * (column - dash - 1)
            owner = (path, f"{inside}.{key}" if inside in ("properties", "max", "guaranteed") else inside or key)
            head = f"{lead}{plain_text(key)}:"
            at, dash = column if dash is None else dash, None
            if isinstance(value, dict | list) and value and (key in ("queues", "partitions") or not self.one_in(3)):
                self.line(head, at, owner)
                name = key if key in ("properties", "max", "guaranteed") and "." not in inside and not self.deep else owner[1]
                if isinstance(value, dict):
                    deep, self.deep = self.deep, self.deep or key == "childtemplate"
                    self.map(value, column + self.step, path, name)
                    self.deep = deep
                else:
                    for item in value:
                        self.item(item, column + self.dash, path, key, owner)
            elif isinstance(value, dict | list):
                self.line(f"{head} {self.flow(value)}", at, owner)
            else:
                self.line(f"{head}{' ' * self.random.choice([1, 1, 4])}{self.scalar(value)}", at, owner)

    deep = False
    """Inside a child template or a limit, whose keys are one with it."""

    def item(self, item: object, column: int, path: str, key: str, owner: Owner) -> None:
        if key == "queues":
            path = f"{path}.{item['name'].lower()}".lstrip(".")
            self.map(item, column + 2, path, dash=column)
        elif key == "partitions":
            self.map(item, column + 2, "", dash=column)
        elif isinstance(item, dict) and item:
            self.deep = True
            self.map(item, column + 2, path, owner[1], dash=column)
            self.deep = False
        else:
            self.line(f"{' ' * column}- {self.scalar(item) if not isinstance(item, dict) else '{}'}", column, owner)


@st.composite
def texts_of_configs(draw) -> tuple[SchedulerConfig, list[tuple[str, Owner | None]]]:
    """A configuration read from a text, and the lines of the text with their owners."""
    config = draw(configs().filter(lambda each: len(each.partitions) == 1))
    writer = Writer(
        draw(st.randoms(use_true_random=False)), step=draw(st.sampled_from([1, 2, 4])), dash=draw(st.sampled_from([0, 2]))
    )
    writer.lines.append(("# of all", None))
    writer.map(data_of(config), 0, "")
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    text = newline.join(line for line, _ in writer.lines) + newline * draw(st.booleans())
    read = completed(parse_config(text))
    assert read == config, "the test writes what it means to"
    return read, writer.lines


@st.composite
def edits(draw, config: SchedulerConfig) -> tuple:
    """An edit that is about what is there."""
    known = edit.paths(config)
    path = draw(st.sampled_from(known[len(known) > 1 :] if draw(st.booleans()) else known))
    keys = st.sampled_from(sorted(edit.queue_at(config, path).properties) or ["x"]) | texts
    kind = draw(st.sampled_from([
        edit.with_property, edit.with_max, edit.with_guaranteed, edit.with_field, edit.with_queue_added, edit.without_queue,
        edit.with_queue_renamed, edit.with_queue_moved, edit.with_queue_duplicated, edit.with_placement_rules,
        edit.with_node_sorting, edit.with_preemption,
    ]))  # fmt: skip
    match kind:
        case edit.with_property:
            return kind, path, draw(keys), draw(st.none() | texts)
        case edit.with_max | edit.with_guaranteed:
            return kind, path, draw(st.none() | maps)
        case edit.with_field:
            values = {
                "parent": st.booleans(), "maxapplications": counts, "limits": limit_lists(), "childtemplate": st.none() | templates,
                "submitacl": texts, "adminacl": texts,
            }  # fmt: skip
            field = draw(st.sampled_from(sorted(values)))
            return kind, path, field, draw(values[field])
        case edit.with_queue_added:
            return kind, path, draw(names.flatmap(lambda name: queues(name, 1)))
        case edit.with_queue_renamed:
            return kind, path, draw(names | st.just("new"))
        case edit.with_queue_moved:
            return kind, path, draw(st.sampled_from(known))
        case edit.with_placement_rules:
            return kind, draw(st.lists(rules, max_size=3).map(tuple))
        case edit.with_node_sorting:
            return kind, draw(st.builds(NodeSorting, type=st.sampled_from(["", "fair"]), weights=st.just({"vcore": 2.5})))
        case edit.with_preemption:
            return kind, draw(st.builds(PreemptionSwitches, enabled=st.none() | st.booleans()))
    return kind, path


ON_PARTITION = {
    edit.with_placement_rules: "placementrules",
    edit.with_node_sorting: "nodesortpolicy",
    edit.with_preemption: "preemption",
}


def touched(owner: Owner, change: tuple) -> bool:
    """Whether an edit is about what a line is about. Moved queues are looked at apart."""
    path, key = owner
    kind, at, *rest = change
    if kind in ON_PARTITION:
        return path == "" and key.split(".")[0] == ON_PARTITION[kind]
    if kind is edit.without_queue or kind is edit.with_queue_moved:
        # With its last child goes the key that the children stood below.
        return f"{path}.".startswith(f"{at}.") or (path, key) == (at.rpartition(".")[0], "queues")
    if kind is edit.with_queue_renamed:
        return path == at and key == "name"
    if kind is edit.with_property:
        return path == at and key in ("properties", f"properties.{rest[0]}")
    if kind in (edit.with_max, edit.with_guaranteed):
        return path == at and key.split(".")[0] in ("resources", "max", "guaranteed")
    if kind is edit.with_field:
        return path in (at, "") and key == rest[0]
    return False


def is_within(wanted: list[str], lines: list[str]) -> bool:
    """Whether the wanted lines are among the lines, in their order."""
    rest = iter(lines)
    return all(any(line == each for each in rest) for line in wanted)


def notes(text: str) -> Counter[str]:
    return Counter(re.findall(r"#\tnote \d+\.", text))


@examples(10)
@given(st.data(), texts_of_configs())
def test_an_edit_changes_the_lines_that_it_is_about_and_no_other(data, written):
    config, lines = written
    change = data.draw(edits(config))
    try:
        changed = change[0](config, *change[1:])
    except ConfigError:
        return
    found = rewritten(config.text, changed)
    assert found is not None, "every edit of such a text can be written"
    text = found.text
    assert completed(parse_config(text)) == completed(changed)
    assert text.count("\r\n") == ("\r\n" in config.text) * text.count("\n")
    assert set(notes(text).values()) <= {1}, "no comment is there twice"
    others = [line for line, owner in lines if owner is not None and not touched(owner, change)]
    found = text.replace("\r\n", "\n").split("\n")
    assert is_within(others, found)
    if change[0] is edit.with_queue_moved:
        below = Counter(line.strip() for line, owner in lines if owner and f"{owner[0]}.".startswith(f"{change[1]}."))
        assert not below - Counter(line.strip() for line in found), "a moved queue takes along what is written about it"


@examples(5)
@given(st.data(), texts_of_configs())
def test_whatever_was_edited_at_once_or_bit_by_bit_the_text_says_it(data, written):
    config, _ = written
    by_and_by = config
    for _ in range(4):
        change, *arguments = data.draw(edits(config))
        try:
            config, again = change(config, *arguments), change(by_and_by, *arguments)
        except ConfigError:
            continue
        by_and_by = completed(parse_config(to_yaml(again)))
        assert by_and_by == completed(again)
    text = to_yaml(config)
    assert completed(parse_config(text)) == completed(config) == by_and_by
    assert set(notes(text).values()) <= {1}


@examples(5)
@given(texts_of_configs())
def test_a_text_that_says_it_already_is_left_alone(written):
    config, _ = written
    assert to_yaml(config) == config.text
