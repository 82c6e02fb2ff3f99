"""`workbench validate` says what the scheduler would say, and in which line."""

from __future__ import annotations

import pytest

from workbench.cli import main

GOOD = """\
partitions:
  - name: default
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: batch
          - name: serving
"""
TWICE = GOOD.replace("serving", "Batch")


def validate(tmp_path, capsys, *texts, options=()):
    """Exit code and printed lines for files of these texts, named 0.yaml, 1.yaml ..."""
    paths = []
    for number, text in enumerate(texts):
        path = tmp_path / f"{number}.yaml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        paths.append(str(path))
    code = main(["validate", *paths, *options])
    output = capsys.readouterr()
    assert output.err == ""
    return code, output.out.replace(f"{tmp_path}/", "").splitlines()


def test_a_valid_configuration_is_counted(tmp_path, capsys):
    assert validate(tmp_path, capsys, GOOD) == (0, ["0.yaml: valid: 1 partition, 3 queues"])


def test_a_refused_configuration_is_told_with_its_line_in_the_words_of_the_scheduler(tmp_path, capsys):  # C-39
    code, lines = validate(tmp_path, capsys, TWICE)
    assert code == 1
    assert lines[0].startswith("0.yaml:line 8: duplicate child name found with name 'Batch', level 1")


def test_every_file_is_looked_at_and_one_bad_one_decides_the_exit_code(tmp_path, capsys):
    code, lines = validate(tmp_path, capsys, TWICE, GOOD)
    assert code == 1
    assert lines[1] == "1.yaml: valid: 1 partition, 3 queues"


@pytest.mark.parametrize(
    "text",
    [
        b"\xff\xfe\x00",
        b"\x00\x01\x02",
        b"",
        b"partitions: [",
        b"- 1",
        b"partitions: 1",
        b"partitions: {}",
        b"&a [*a, *a]",
        b"!!python/object/apply:os.system ['true']",
        b"x" * 100_000,
        b"[" * 50_000,
    ],
    ids=[
        "half a character",
        "control characters",
        "nothing",
        "half a list",
        "a list",
        "a number",
        "a map",
        "a list that holds itself",
        "a tag that would run a program",
        "one long word",
        "deeply nested",
    ],
)
def test_a_broken_file_is_told_in_one_line(tmp_path, capsys, text):
    code, lines = validate(tmp_path, capsys, text)
    assert len(lines) == 1
    assert code == (0 if ": valid: " in lines[0] else 1)


def test_a_file_that_does_not_exist_is_told(capsys):
    assert main(["validate", "no-such-file.yaml"]) == 2
    assert capsys.readouterr().out.startswith("no-such-file.yaml: cannot be read: No such file")


ODD = (
    GOOD
    + """\
            properties:
              priority.offset: many
            limits:
              - {limit: each, users: ["*"], maxapplications: 2}
"""
)


@pytest.mark.parametrize("options, code", [((), 0), (("--strict",), 1)], ids=["as it is", "strict"])
def test_what_has_no_effect_is_told_after_a_valid_configuration(tmp_path, capsys, options, code):  # L-12, L-25
    assert validate(tmp_path, capsys, ODD, options=options) == (
        code,
        [
            "0.yaml: valid: 1 partition, 3 queues; 1 warning, 1 hint",
            "0.yaml:line 10: warning L-12: root.serving: properties.priority.offset: priority.offset is 'many', which is no whole "
            "number of 32 bits; it counts as 0 without a word. Write a number from -2147483648 to 2147483647.",
            "    remedy: Remove priority.offset of root.serving.",
            "0.yaml:line 12: hint L-25: root.serving: limits[0].users: The limit of user * holds for each user separately, not for "
            "all together. For one limit on all, use the maximum of the queue, or groups.",
        ],
    )


def test_hints_do_not_count_even_when_it_is_strict(tmp_path, capsys):
    assert validate(tmp_path, capsys, ODD.replace("many", "5"), options=["--strict"])[0] == 0


def test_quietly_only_errors_are_told(tmp_path, capsys):
    broken = GOOD.replace('"*"', '"sue  dev"')
    assert validate(tmp_path, capsys, ODD, options=["--quiet"]) == (0, ["0.yaml: valid: 1 partition, 3 queues; 1 warning, 1 hint"])
    code, lines = validate(tmp_path, capsys, broken, options=["--quiet"])
    assert code == 0, "the validation itself accepts it (C-172)"
    assert validate(tmp_path, capsys, broken, options=["--quiet", "--strict"])[0] == 1
    assert lines[1].startswith("0.yaml:line 4: error not-loaded: Validation accepts this configuration, but loading it fails:")


CONFIG_MAP = """\
kind: ConfigMap
metadata: {name: yunikorn-configs}
data:
  log.level: loud
  event.ringbufferCapacity: "5"
  queues.yaml: |
    partitions:
    - name: default
      queues: [{name: root}]
"""


def test_a_config_map_is_judged_by_its_queue_configuration_and_its_service_keys(tmp_path, capsys):  # C-170
    code, lines = validate(tmp_path, capsys, CONFIG_MAP)
    assert code == 0
    assert "valid: 1 partition, 1 queue" in lines[0]
    assert "line 4: warning: 'log.level': 'loud' cannot be used" in lines[1]
    assert "line 5: warning: 'event.ringbufferCapacity': unknown key; the core matches" in lines[2]
    assert validate(tmp_path, capsys, CONFIG_MAP, options=["--strict"])[0] == 1
    assert len(validate(tmp_path, capsys, CONFIG_MAP, options=["--quiet"])[1]) == 1


def test_a_refused_queue_configuration_in_a_config_map_is_told_with_its_own_line(tmp_path, capsys):
    code, lines = validate(tmp_path, capsys, CONFIG_MAP.replace("name: root", "nome: root"))
    assert code == 1
    assert ", queue configuration:line 3: " in lines[0]
    code, lines = validate(tmp_path, capsys, "kind: ConfigMap\ndata: {}\n")
    assert code == 1
    assert "has no text under 'queues.yaml'" in lines[0]
