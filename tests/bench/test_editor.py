"""The editor's tabs, the YAML tab, the tree's wishes and the presets, without a browser."""

from __future__ import annotations

import pytest

from workbench import Workbench
from workbench.bench import schema
from workbench.config.properties import PROPERTIES
from workbench.scheduler.releases.profiles import profile_of


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


def test_every_setting_has_a_tab_and_every_tab_a_setting():
    tabs = {setting.tab for setting in (*schema.QUEUE_SETTINGS, *schema.PARTITION_SETTINGS)}
    assert tabs == set(schema.TABS)


def test_every_setting_is_called_by_its_key_with_a_hint_beside_it():  # U-8
    keys = {setting.key for setting in (*schema.QUEUE_SETTINGS, *schema.PARTITION_SETTINGS)}
    assert set(PROPERTIES) <= keys
    assert all(setting.hint for setting in (*schema.QUEUE_SETTINGS, *schema.PARTITION_SETTINGS))


def test_what_is_suggested_works_when_applied(bench):
    bench.run(max_steps=3)
    assert "An offset of at least 11 on root.tenants.tenant-b would make it the next (tried)." in bench.why_not("P9")
    bench.edit_mode("reload")
    bench.set("root.tenants.tenant-b", "priority.offset", 11)
    assert bench.simulation.preview().key == "P9"


@pytest.mark.parametrize(
    "release, shown", [("1.9", "quota.preemption.delay"), ("1.8", "preemption.quota.delay"), ("1.4", "preemption.quota.delay")]
)
def test_a_setting_that_was_renamed_is_shown_by_the_name_that_the_release_reads(release, shown):
    keys = [setting.key for setting in schema.queue_settings(profile_of(release)) if setting.key in schema.QUOTA_DELAYS]
    assert keys == [shown]
