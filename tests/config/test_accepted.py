"""An edited configuration is judged as it is: no text has to be written and read for it, and what is said is the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from config_strategies import configs, edits
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from workbench import Workbench
from workbench.config import edit, load_config, parse_config
from workbench.config.model import QueueConfig, SchedulerConfig
from workbench.config.read import known, load
from workbench.config.read.tree_shape import completed
from workbench.config.write import export
from workbench.config.write.export import accepted, plain_yaml, to_yaml, written
from workbench.values.errors import ConfigError

FACTS = Path(__file__).parents[1] / "conformance" / "configs.yaml"
CASES = {case["name"]: case["config"] for case in yaml.safe_load(FACTS.read_text(encoding="utf-8"))["cases"]}


def verdict(judge, config) -> tuple[str, str] | None:
    """What is said of a configuration, None if it is accepted. Lines are another matter: what was edited has none yet."""
    try:
        judge(config)
    except ConfigError as error:
        return error.text, error.hint
    return None


def by_text(config: SchedulerConfig) -> None:
    load_config(plain_yaml(config))


@pytest.mark.parametrize("text", CASES.values(), ids=CASES.keys())
def test_what_the_core_refuses_is_refused_with_the_same_words_without_its_text(text):
    try:
        config = completed(parse_config(text))
    except ConfigError:
        return  # nothing that could be edited
    made = replace(config, text="", checksum="")
    if all(partition.queues is not None for partition in made.partitions):
        assert verdict(accepted, made) == verdict(by_text, made)


@examples(8)
@given(configs(), st.lists(edits, max_size=3))
def test_an_edited_configuration_is_judged_as_its_text_is(config, steps):
    for change, *arguments in steps:
        try:
            config = change(config, *arguments)
        except ConfigError:
            continue
    assert verdict(accepted, config) == verdict(by_text, config)


def test_what_no_text_can_say_is_refused_at_once():
    config = load_config("partitions: [{queues: [{name: a}]}]")
    with pytest.raises(ConfigError, match="Unicode"):
        accepted(edit.with_property(config, "root.a", "x", "\ud800"))
    deep = QueueConfig(name="leaf")
    for _ in range(150):
        deep = QueueConfig(name="q", queues=(deep,))
    with pytest.raises(ConfigError, match="nested deeper"):
        accepted(edit.with_queue_added(config, "root.a", deep))


def test_the_text_has_the_lines_and_is_written_once(monkeypatch):
    config = load_config("partitions:\n- queues:\n  - name: a # one\n  - name: b\n")
    edited = accepted(edit.with_property(config, "root.a", "x", "1"))
    assert edited.text == ""
    text = written(edited)
    assert text == edited and text.text == to_yaml(edited)
    assert [queue.line for queue in text.partition().root.queues] == [3, 6]
    monkeypatch.setattr(export, "rewritten", None)
    assert written(edited) is text and written(text) is text


def test_a_further_edit_is_made_in_the_text_that_was_written():
    config = load_config("partitions:\n- queues:\n  - name: a # one\n  - name: b # two\n")
    renamed = accepted(edit.with_queue_renamed(edit.with_queue_renamed(config, "root.a", "c"), "root.b", "d"))
    written(renamed)
    assert "name: c # one" in to_yaml(edit.with_property(renamed, "root.c", "x", "1"))


def test_a_copy_of_an_edited_configuration_has_a_text_of_its_own():
    edited = accepted(edit.with_property(load_config("partitions: [{queues: [{name: a}]}]"), "root.a", "x", "1"))
    written(edited)
    other = replace(edited, partitions=edit.with_property(edited, "root.a", "x", "2").partitions)
    assert load_config(to_yaml(other)) == other == written(other)


def counted(monkeypatch, module, name: str) -> list[object]:
    calls: list[object] = []
    real = getattr(module, name)

    def counting(*args, **kwargs):
        calls.append(args)
        return real(*args, **kwargs)

    monkeypatch.setattr(module, name, counting)
    return calls


def test_an_edit_on_the_screen_costs_one_validation_and_no_reading(monkeypatch):
    wb = Workbench.example("multitenancy")
    wb.run(max_steps=2)
    readings = [counted(monkeypatch, load, "parse_config"), counted(monkeypatch, export, "_written")]
    validations = [counted(monkeypatch, load, "validate"), counted(monkeypatch, export, "validate")]
    wb.set("root.tenants", "priority.offset", 5)
    wb.add_queue("root.tenants", "tenant-z")
    assert [len(calls) for calls in readings] == [0, 0]
    assert [len(calls) for calls in validations] == [0, 2]
    wb.undo()
    wb.redo()
    assert [len(calls) for calls in readings] == [0, 0]
    text = str(wb.to_yaml())
    assert [len(calls) for calls in readings] == [0, 1]
    assert load_config(text) == wb.config, "and what was written is not read again"
    assert [len(calls) for calls in readings] == [0, 1]


def test_neither_a_reload_nor_a_session_has_the_text_of_an_edit_written(monkeypatch, tmp_path):
    wb = Workbench.example("multitenancy")
    wb.autosave(tmp_path / "kept.json")
    wb.run(max_steps=2)
    readings = [counted(monkeypatch, load, "parse_config"), counted(monkeypatch, export, "_written")]
    for mode in ("rerun", "reload"):
        wb.edit_mode(mode)
        wb.set("root.tenants", "priority.offset", 5 + len(wb.calls))
        wb.add_queue("root.tenants", f"tenant-{mode}")
        wb.set("root.tenants", "priority.offset", None)
        wb.undo()
        wb.undo()
        wb.redo()
    wb.edit_mode("rerun")
    wb.set("root.tenants", "priority.offset", 7)  # in the place of the reload
    assert [len(calls) for calls in readings] == [0, 0]
    assert not wb.warning and (tmp_path / "kept.json").exists()


def test_few_texts_are_known_and_no_long_one():
    for number in range(3 * known.MOST_KNOWN):
        load_config(f"partitions: [{{queues: [{{name: a{number}}}]}}]")
    assert len(known._KNOWN) == known.MOST_KNOWN
    long = "partitions: [{queues: [{name: long}]}]" + " " * known.MOST_CHARACTERS
    load_config(long)
    assert known.known(long) is None


def test_a_refused_text_is_refused_each_time():
    for source in ("one.yaml", "two.yaml"):
        with pytest.raises(ConfigError) as refused:
            load_config("partitions: [{queues: [{name: a b}]}]", source=source)
        assert refused.value.source == source
