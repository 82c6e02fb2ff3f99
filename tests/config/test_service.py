"""The service configuration: keys, defaults, faults, and writing it back. C-170, C-171."""

from __future__ import annotations

import os

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from workbench.config.service import SERVICE_KEYS, ServiceConfig, load_service, save_service
from workbench.values.errors import ConfigError, FileError

SECOND = 10**9


def test_every_key_has_a_default_of_its_own():  # C-170
    config = ServiceConfig()
    assert config.value("event.requestCapacity") == 1000
    assert config.value("event.ringBufferCapacity") == 100_000
    assert config.value("health.checkInterval") == 30 * SECOND
    assert config.value("service.policyGroup") == "queues"
    assert {key: config.value(key) for key in SERVICE_KEYS} == {key: each.default for key, each in SERVICE_KEYS.items()}


@pytest.mark.parametrize(("key", "text", "value"), [
    ("event.trackingEnabled", "false", False),
    ("event.requestCapacity", "0", 1000),
    ("event.maxStreams", "7", 7),
    ("health.checkInterval", "-1s", -SECOND),
    ("log.level", "debug", -1),
    ("log.level", "5", 5),
    ("log.level", "loud", 0),
    ("event.trackingEnabled", "maybe", True),
])  # fmt: skip
def test_an_unusable_value_falls_back_to_the_default(key, text, value):  # C-170
    assert ServiceConfig({key: text}).value(key) == value


def test_the_longest_configured_prefix_gives_a_logger_its_level():  # C-170
    config = ServiceConfig({"log.level": "warn", "log.core.level": "error", "log.core.scheduler.level": "debug"})
    assert config.log_level("core.scheduler.queue") == -1
    assert config.log_level("core.config") == 2
    assert config.log_level("shim") == 1


def test_a_documented_spelling_that_the_core_does_not_match_is_pointed_out():  # C-170
    config = load_service("event.ringbufferCapacity: '5'\nlog.leval: info\n")
    assert config.value("event.ringBufferCapacity") == 100_000
    assert [(each.key, each.line) for each in config.problems()] == [("event.ringbufferCapacity", 1), ("log.leval", 2)]
    assert "event.ringBufferCapacity" in config.problems()[0].text
    assert "log.level" in config.problems()[1].text


def test_a_configmap_is_read_without_its_queue_configuration():  # C-2
    config = load_service("kind: ConfigMap\ndata:\n  queues.yaml: |\n    partitions: []\n  log.level: error\n")
    assert config.values == {"log.level": "error"}


def test_changes_that_wait_for_a_restart_are_named():  # C-170
    old = ServiceConfig({"kubernetes.qps": "10"})
    assert old.needs_restart(ServiceConfig({"kubernetes.qps": "20", "log.level": "debug"})) == ["kubernetes.qps"]


def test_setting_an_unknown_key_or_an_unusable_value_is_refused():
    with pytest.raises(ConfigError, match="event.maxStreams"):
        ServiceConfig().with_value("event.maxStream", "1")
    with pytest.raises(ConfigError, match="whole number"):
        ServiceConfig().with_value("event.maxStreams", "many")
    assert ServiceConfig({"log.level": "info"}).with_value("log.level", None).values == {}


def test_writing_back_keeps_the_configmap_and_leaves_no_other_file(tmp_path):
    path = tmp_path / "map.yaml"
    path.write_text("kind: ConfigMap\nmetadata: {name: defaults}\ndata:\n  queues.yaml: 'partitions: []'\n  log.level: info\n")
    save_service(load_service(path.read_text()).with_value("log.level", "debug"), path)
    written = yaml.safe_load(path.read_text())
    assert written["metadata"] == {"name": "defaults"}
    assert written["data"] == {"queues.yaml": "partitions: []", "log.level": "debug"}
    assert os.listdir(tmp_path) == ["map.yaml"]


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "service.yaml"
    path.write_text("log.level: info\n")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(FileError, match="disk full"):
        save_service(ServiceConfig({"log.level": "debug"}), path)
    assert path.read_text() == "log.level: info\n"
    assert os.listdir(tmp_path) == ["service.yaml"]


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused_with_a_configuration_error(text):
    try:
        load_service(text).problems()
    except ConfigError as error:
        assert str(error)


@pytest.mark.parametrize(
    "expression",
    ["x{4294967296}", "[" * 3000, "(" * 3000, "(?<=a)b", r"\1", "[[:" * 30_000],
    ids=["repeats", "brackets", "groups", "look-behind", "back reference", "open classes"],
)
def test_an_expression_that_the_service_cannot_use_falls_back_to_the_default_and_is_told(expression):  # C-170
    config = ServiceConfig({"admissionController.filtering.bypassNamespaces": expression})
    assert config.value("admissionController.filtering.bypassNamespaces") == "^kube-system$"
    assert "the default holds" in config.problems()[0].text
    with pytest.raises(ConfigError, match="cannot be used"):
        ServiceConfig().with_value("admissionController.filtering.bypassNamespaces", expression)


@pytest.mark.parametrize(
    ("old", "said"),
    [
        (b"data: {", "not valid YAML"),
        (b"a: " + b"[" * 3000, "nested deeper than 200 levels"),
        (b"a: 2024-99-99", "not valid YAML: month must be"),
        (b"a: !!python/object:os.system {}", "not valid YAML"),
        (b"? [a]\n: b", "not valid YAML"),
        (b"caf\xe9: 1", "not UTF-8 text"),
    ],
    ids=["half", "deep", "date", "tag", "key", "Latin-1"],
)
def test_a_file_that_cannot_be_read_is_not_written_over(tmp_path, old, said):
    path = tmp_path / "service.yaml"
    path.write_bytes(old)
    with pytest.raises(ConfigError, match=said) as caught:
        save_service(ServiceConfig({"log.level": "debug"}), path)
    assert caught.value.source == str(path)
    assert path.read_bytes() == old


def test_a_text_that_no_file_holds_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="whole characters"):
        ServiceConfig().with_value("service.clusterId", "a\ud800")
    with pytest.raises(ConfigError, match="whole characters"):
        save_service(ServiceConfig({"service.clusterId": "a\ud800"}), tmp_path / "service.yaml")
    assert os.listdir(tmp_path) == []
