"""The Checks tab and the verbs behind it: what is wrong, where, and mending it with one undoable edit."""

from __future__ import annotations

import pytest

from workbench import CommandError, Workbench
from workbench.bench import texts

TENANTS = "root.tenants"
FENCE = "L-10"


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


def test_the_verb_gives_the_checks_and_reads_as_text(bench):
    found = bench.check()
    assert [each.code for each in found] == [FENCE, "L-09"]
    assert repr(found).startswith("line 20: warning L-10: root.tenants")
    assert f"remedy: Set priority.offset of {TENANTS} to 0." in repr(found)
    assert bench.status.text == "Checks: 1 warning, 1 hint."
    assert bench.calls == ['bench = Workbench.example("multitenancy")']
    assert " ".join(repr(Workbench.example("node-packing").check()).split()) == texts.NO_CHECKS


def test_long_checks_are_wrapped_between_words():  # a notebook breaks lines that are too long anywhere
    lines = repr(Workbench.example("documented/preemption-fence").check()).splitlines()
    assert max(map(len, lines)) <= 112 < max(len(str(each)) for each in Workbench.example("documented/preemption-fence").check())
    assert "  never preempts anything. Set the fence on a parent, or remove it." in lines


@pytest.mark.parametrize(
    ("code", "path", "remedy", "said"),
    [
        ("L-99", TENANTS, "", "no check L-99"),
        (FENCE, TENANTS, "Pray.", "has no such remedy; it has Set priority.offset"),
        ("L-09", "root.tenants.tenant-a", "", "it has none"),
    ],
)
def test_a_remedy_that_is_not_there_is_refused(bench, code, path, remedy, said):
    with pytest.raises(CommandError, match=said):
        bench.mend(code, path, remedy)
    assert not bench.can_undo
