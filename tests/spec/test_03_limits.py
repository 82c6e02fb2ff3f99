"""Chapter 03 sections 12 and 13: what users and groups may hold, which group counts, and what a reload does to it."""

from __future__ import annotations

import pytest
import yaml
from scenes import Scene, amounts, config_text

from workbench.config.acl import NOBODY
from workbench.scheduler.objects import dynamic_queues, users
from workbench.scheduler.records.commands import UpdateConfig
from workbench.scheduler.records.context import Context
from workbench.scheduler.records.journal import Journal
from workbench.scheduler.records.state import NO_GROUP
from workbench.values.errors import ConfigError
from workbench.values.resources import Resource


def user(name: str = "sue", **limit) -> dict:
    return {"limit": name, "users": [name], **limit}


def group(name: str = "dev", **limit) -> dict:
    return {"limit": name, "groups": [name], **limit}


def tree(*limits: dict, **more) -> str:
    """Leaves a and b; the limits stand at a, unless other queues are given by name."""
    queues = {"a": {"limits": list(limits)}, "b": {}}
    queues.update(more)
    return yaml.safe_dump(queues)


def scene(queues: str, **partition) -> Scene:
    return Scene(queues, **partition).node("n1", vcore=100)


def tracked(made: Scene, name: str, path: str = "root.a", *, groups: bool = False) -> Resource:
    """What a user or group holds at a queue."""
    table = made.partition.users.groups if groups else made.partition.users.users
    return table[name].levels[path].usage


def test_the_user_rule_and_limits_meet_in_dynamic_queues():  # PL-51, PL-101
    made = scene(
        "p: {parent: true, limits: [{limit: x, users: [sue], maxresources: {vcore: 2}}]}",
        placementrules=[{"name": "user", "create": True, "parent": {"name": "fixed", "value": "root.p"}}],
    )
    made.app("x", "", "sue").asks("x", 3)
    assert made.application("x").queue_path == "root.p.sue"
    assert made.cycles(4) == ["x-0", "x-1"]
    assert tracked(made, "sue", "root.p") == amounts(vcore=2)


def test_a_fixed_rule_to_the_root_is_refused_by_validation():  # PL-56
    with pytest.raises(ConfigError, match="references a queue .root. which is not a leaf"):
        scene("a: {}", placementrules=[{"name": "fixed", "value": "root", "create": True}])


def test_submit_access_is_asked_again_when_a_queue_is_created():  # PL-81, PL-35
    made = scene("p: {parent: true}", placementrules=[{"name": "provided", "create": True}])
    made.app("x", "root.p.new", "sue")
    assert made.has_queue("root.p.new")
    closed = Scene("p: {parent: true, submitacl: bob}", placementrules=[{"name": "provided", "create": True}])
    assert closed.app("x", "root.p.new", "sue").refused() == []  # root lets everybody in, and the walk goes up to it


def test_without_submit_access_to_the_nearest_queue_nothing_is_created():  # PL-81
    made = Scene("{submitacl: '', p: {parent: true, submitacl: sue}}")
    made.engine.state.partitions["default"].root.submit_acl = NOBODY
    ctx = Context(Journal(history=False), made.engine.state)
    assert dynamic_queues.create(ctx, made.partition, "root.p.new", "sue", ()).path == "root.p.new"
    with pytest.raises(ConfigError) as refused:
        dynamic_queues.create(ctx, made.partition, "root.p.other", "bob", ())
    assert refused.value.text == "submit access to queue root.p denied during create of: root.p.other"


def test_every_partition_has_trackers_of_its_own():  # PL-100, a quirk not kept
    def partition(name: str, cores: int) -> str:
        text = config_text(tree(user(maxresources={"vcore": cores})))
        return text.replace("partitions:\n", "").replace("name: default", f"name: {name}")

    made = Scene().send(UpdateConfig(config="partitions:\n" + partition("default", 1) + partition("other", 2)))
    for name, cores in (("default", 1), ("other", 2)):
        sue = made.engine.state.partitions[name].users.users["sue"].levels["root.a"]
        assert sue.maximum == amounts(vcore=cores)


def test_each_user_and_group_has_a_tracker_that_mirrors_queue_paths():  # PL-100
    made = scene(tree(user(maxresources={"vcore": 9}), group(maxresources={"vcore": 9})))
    made.app("x", "root.a", "sue", ("dev",)).ask("x", "k", vcore=2)
    made.cycles(1)
    assert set(made.partition.users.users["sue"].levels) == {"root", "root.a"}
    assert tracked(made, "sue") == tracked(made, "dev", groups=True) == amounts(vcore=2)


def test_a_limit_covers_everything_below_its_queue():  # PL-101
    made = scene("p: {limits: [{limit: x, users: [sue], maxresources: {vcore: 3}}], a: {}, b: {}}")
    made.app("x", "root.p.a", "sue").asks("x", 2).app("y", "root.p.b", "sue").asks("y", 2)
    assert len(made.cycles(4)) == 3


def test_a_wildcard_is_for_each_unlisted_user_and_a_named_entry_replaces_it():  # PL-102
    made = scene(tree(user("sue", maxresources={"memory": 5}), user("*", maxresources={"vcore": 1})))
    for name in ("sue", "bob", "tom"):
        made.app(name, "root.a", name).asks(name, 2)
    assert sorted(made.cycles(6)) == ["bob-0", "sue-0", "sue-1", "tom-0"]


def test_a_group_limit_is_shared_and_so_is_the_group_wildcard():  # PL-103
    made = scene(tree(group("dev", maxresources={"vcore": 2}), group("*", maxresources={"vcore": 1})))
    for name, groups in (("sue", ("dev",)), ("bob", ("dev",)), ("tom", ("ops",)), ("ann", ("qa",))):
        made.app(name, "root.a", name, groups).asks(name, 2)
    placed = made.cycles(8)
    assert len([key for key in placed if key[:3] in ("sue", "bob")]) == 2
    assert len([key for key in placed if key[:3] in ("tom", "ann")]) == 1


def test_a_limit_on_a_queue_written_with_capitals_never_applies():  # PL-104
    made = scene("Team: {limits: [{limit: x, users: [sue], maxresources: {vcore: 1}}]}")
    made.app("x", "root.team", "sue").asks("x", 3)
    assert len(made.cycles(3)) == 3


def test_an_application_counts_in_one_group_chosen_at_its_first_call():  # PL-110
    made = scene(tree(group("dev", maxresources={"vcore": 9})))
    made.app("x", "root.a", "sue", ("dev", "qa")).app("y", "root.a", "bob", ("qa",)).ask("x", "k").ask("y", "l")
    made.cycles(2)
    assert made.partition.users.group_of == {"x": "dev", "y": NO_GROUP}


def test_counting_in_no_group_is_final_for_an_application():  # PL-110
    made = scene(tree(group("qa", maxresources={"vcore": 9})))
    made.app("x", "root.a", "sue", ("dev",)).asks("x", 3).cycles(1)
    made.reload(tree(group("qa", maxresources={"vcore": 9}), group("dev", maxresources={"vcore": 1})))
    assert len(made.cycles(3)) == 2
    made.app("y", "root.a", "bob", ("dev",)).asks("y", 3)
    assert len(made.cycles(3)) == 1


@pytest.mark.parametrize(("queues", "groups", "chosen"), [
    (tree(group("qa", maxapplications=9), group("dev", maxapplications=9)), ("dev", "qa"), "qa"),
    ("p: {limits: [{limit: x, groups: [dev], maxapplications: 9}], "
     "a: {limits: [{limit: y, groups: [qa], maxapplications: 9}]}}", ("dev", "qa"), "qa"),
    ("p: {limits: [{limit: x, groups: [dev], maxapplications: 9}], "
     "a: {limits: [{limit: y, groups: [qa], maxapplications: 9}, {limit: z, groups: ['*'], maxapplications: 9}]}}",
     ("dev",), "*"),
    (tree(group("qa", maxapplications=9)), ("ops",), NO_GROUP),
], ids=["configuration order", "leaf first", "a wildcard below hides a name above", "none"])  # fmt: skip
def test_the_group_is_looked_for_from_the_leaf_up_in_configuration_order(queues, groups, chosen):  # PL-111
    made = scene(queues)
    path = "root.p.a" if made.has_queue("root.p.a") else "root.a"
    made.app("x", path, "sue", groups).ask("x", "k").cycles(1)
    assert made.partition.users.group_of["x"] == chosen


def test_a_user_of_no_listed_group_is_not_even_in_the_wildcard_without_groups():  # PL-112
    made = scene(tree(group("dev", maxresources={"vcore": 9}), group("*", maxresources={"vcore": 1})))
    room = users.headroom(Journal(history=False), made.partition.users, "root.a", "sue", (), "x")
    assert room is None


def test_limits_of_the_chosen_group_count_at_every_level():  # PL-113
    made = scene(
        "p: {limits: [{limit: x, groups: [qa], maxresources: {vcore: 1}}], "
        "a: {limits: [{limit: y, groups: [qa], maxresources: {vcore: 1}}]}, b: {}}"
    )
    made.app("x", "root.p.a", "sue", ("qa",)).ask("x", "k").app("y", "root.p.b", "bob", ("qa",)).ask("y", "l")
    assert len(made.cycles(2)) == 1


def test_headroom_is_the_smallest_of_maximum_minus_usage_over_the_path():  # PL-120, PL-121, PL-123
    made = Scene(
        "a: {limits: [{limit: y, users: [sue], maxresources: {vcore: 3}}]}\nb: {}",
        limits=[{"limit": "x", "users": ["sue"], "maxresources": {"vcore": 5, "memory": 10}}],
    )
    made.node("n1", vcore=100, memory=100)
    made.app("x", "root.b", "sue").ask("x", "k", vcore=4, memory=1).cycles(1)
    journal = Journal(history=False)
    assert users.headroom(journal, made.partition.users, "root.a", "sue", ("sue",), "y") == Resource(vcore=1000, memory=9)
    assert users.headroom(journal, made.partition.users, "root.a", "bob", ("bob",), "z") is None


def test_user_and_group_room_combine_by_the_smaller_value():  # PL-121
    made = scene(tree({"limit": "x", "users": ["sue"], "groups": ["dev"], "maxresources": {"vcore": 3}}))
    made.app("y", "root.a", "bob", ("dev",)).asks("y", 2).cycles(2)
    made.app("x", "root.a", "sue", ("dev",)).asks("x", 2)
    assert made.cycles(2) == ["x-0"]


def test_a_request_without_room_for_its_user_is_skipped_before_the_queue_is_asked():  # PL-122, W-10
    made = scene(tree(user(maxresources={"vcore": 1}), b={"max": {"vcore": 1}}))
    made.app("x", "root.a", "sue").ask("x", "large", vcore=2, priority=5).ask("x", "small")
    decision = made.cycle()
    assert decision.key == "small"
    assert next(level for level in decision.levels if level.kind == "ask").candidates[0].refusal.code == "W-10"
    assert "Not enough user quota" in made.allocation("x", "large").log


def test_a_negative_headroom_blocks_only_what_asks_for_that_type():  # PL-122, PL-130
    made = Scene(tree(user(maxresources={"vcore": 5, "memory": 5}))).node("n1", vcore=10, memory=10)
    made.app("x", "root.a", "sue").ask("x", "k", vcore=3).cycles(1)
    made.reload(tree(user(maxresources={"vcore": 1, "memory": 5})))
    made.ask("x", "cores", vcore=1, memory=1).ask("x", "memory", memory=1).ask("x", "none-of-it", vcore=0, memory=1)
    assert made.cycles(3) == ["memory", "none-of-it"]


def test_an_application_may_start_while_its_user_has_a_slot_at_every_level():  # PL-125, PL-126, R-542
    made = scene(
        "p: {limits: [{limit: x, users: [sue], maxapplications: 2}], "
        "a: {limits: [{limit: y, users: [sue], maxapplications: 1}]}, b: {}}"
    )
    for name, queue in (("x", "a"), ("y", "a"), ("z", "b"), ("w", "b")):
        made.app(name, f"root.p.{queue}", "sue").asks(name, 2)
    assert sorted(made.cycles(8)) == ["x-0", "x-1", "z-0", "z-1"]
    assert made.state("y") == made.state("w") == "Accepted"


def test_lowered_limits_do_not_stop_what_runs():  # PL-126, PL-130
    made = scene(tree(user(maxapplications=2, maxresources={"vcore": 9})))
    made.app("x", "root.a", "sue").asks("x", 3).cycles(2)
    made.reload(tree(user(maxapplications=1, maxresources={"vcore": 1})))
    assert made.state("x") == "Running"
    assert made.cycles(1) == []
    assert tracked(made, "sue") == amounts(vcore=2)


def test_an_application_counts_from_its_first_allocation_until_it_completes():  # PL-127
    made = scene(tree(user(maxapplications=1)))
    made.app("x", "root.a", "sue").app("y", "root.a", "sue").ask("y", "l")
    made.ask("x", "k", priority=5).cycles(1)
    counted = made.partition.users.users["sue"].levels["root.a"].applications
    assert list(counted) in (["x"], ["y"])
    running = next(iter(counted))
    made.release(running, "k" if running == "x" else "l")
    assert made.state(running) == "Completing"
    assert running not in made.partition.users.users["sue"].levels["root.a"].applications
    assert len(made.cycles(1)) == 1


def test_usage_goes_up_with_an_allocation_and_down_with_its_release_and_follows_a_resize():  # PL-128
    made = scene(tree(user(maxresources={"vcore": 9})))
    made.app("x", "root.a", "sue").asks("x", 2, vcore=2).cycles(2)
    assert tracked(made, "sue") == amounts(vcore=4)
    made.ask("x", "x-0", vcore=3)
    assert tracked(made, "sue") == amounts(vcore=5)
    made.release("x", "x-0")
    assert tracked(made, "sue") == amounts(vcore=2)


def test_a_replacement_lowers_by_the_placeholder_and_raises_by_the_real_one():  # PL-128, R-750
    made = scene(tree(user(maxresources={"vcore": 9})))
    made.app("g", "root.a", "sue", gang={"vcore": 2}).placeholders("g", 1, vcore=2).cycles(1)
    made.ask("g", "real", group="tg", vcore=1).cycle()
    assert tracked(made, "sue") == amounts(vcore=1)


def test_looking_at_the_room_of_a_user_makes_him_known():  # PL-129
    made = scene(tree(user("zed", maxapplications=1), a={"max": {"vcore": 1}}))
    assert "sue" not in made.partition.users.users
    made.app("x", "root.a", "sue").ask("x", "too-large", vcore=2).cycles(1)
    assert set(made.partition.users.users["sue"].levels) == {"root", "root.a"}


def test_trackers_without_anything_are_dropped():  # PL-129
    made = scene(tree(user("zed", maxapplications=1)))
    made.app("x", "root.a", "sue").ask("x", "k").cycles(1)
    assert sorted(made.partition.users.users) == ["sue", "zed"]
    made.release("x", "k")
    assert sorted(made.partition.users.users) == ["zed"]


def test_a_removed_user_entry_lets_the_wildcard_of_the_new_configuration_in():  # PL-131
    made = scene(tree(user("sue", maxresources={"vcore": 5}), user("*", maxresources={"vcore": 2})))
    made.app("x", "root.a", "sue").asks("x", 4).cycles(1)
    made.reload(tree(user("*", maxresources={"vcore": 2})))
    assert made.cycles(4) == ["x-1"]


def test_a_removed_group_entry_forgets_its_usage_and_the_group_of_its_applications():  # PL-131
    made = scene(tree(group("dev", maxresources={"vcore": 5}), group("qa", maxresources={"vcore": 5})))
    made.app("x", "root.a", "sue", ("dev", "qa")).asks("x", 3).cycles(2)
    made.reload(tree(group("qa", maxresources={"vcore": 5})))
    assert "x" not in made.partition.users.group_of
    assert made.cycles(1) == ["x-2"]
    assert made.partition.users.group_of["x"] == "qa"
    assert tracked(made, "qa", groups=True) == amounts(vcore=1)


def test_a_group_limit_that_comes_back_does_not_count_what_started_before():  # PL-131, a quirk
    both = tree(group("dev", maxresources={"vcore": 3}), group("qa", maxresources={"vcore": 9}))
    made = scene(both)
    made.app("x", "root.a", "sue", ("dev",)).asks("x", 9).cycles(2)
    made.reload(tree(group("qa", maxresources={"vcore": 9}))).reload(both)
    assert len(made.cycles(9)) == 3
    assert tracked(made, "dev", groups=True) == amounts(vcore=3)
    assert made.used("root.a") == 5


def test_a_limit_of_an_idle_group_that_moves_further_down_is_lost_until_it_is_written_again():  # PL-131, a quirk
    def below(cores: int) -> str:
        return yaml.safe_dump({"p": {"a": {}, "limits": [group("qa", maxresources={"vcore": cores})]}})

    made = Scene("p: {a: {}}", limits=[group("qa", maxresources={"vcore": 2})]).node("n1", vcore=100)
    made.reload(below(1)).app("x", "root.p.a", "sue", ("qa",)).asks("x", 9)
    assert len(made.cycles(3)) == 3
    assert tracked(made, "qa", "root.p", groups=True) == amounts(vcore=3)  # counted all the same
    made.reload(below(5))
    assert len(made.cycles(6)) == 2


def test_a_limit_of_an_idle_user_that_moves_further_down_gives_way_to_the_wildcard():  # PL-131, PL-102, a quirk
    made = Scene("p: {a: {}}", limits=[user(maxresources={"vcore": 9})]).node("n1", vcore=100)
    made.reload(yaml.safe_dump({"p": {"a": {}, "limits": [user(maxresources={"vcore": 5}), user("*", maxresources={"vcore": 1})]}}))
    made.app("x", "root.p.a", "sue").asks("x", 9)
    assert len(made.cycles(3)) == 1


def test_no_group_between_two_reloads_stays_so():  # PL-131, PL-110, a quirk
    both = tree(group("dev", maxresources={"vcore": 3}), group("qa", maxresources={"vcore": 9}))
    made = scene(both)
    made.app("x", "root.a", "sue", ("dev",)).asks("x", 9).cycles(2)
    made.reload(tree(group("qa", maxresources={"vcore": 9}))).cycles(1)
    made.reload(both)
    assert len(made.cycles(9)) == 6


@pytest.mark.parametrize(("before", "after", "more"), [
    ([], [user("*", maxresources={"vcore": 3})], 2),
    ([user("*", maxresources={"vcore": 3})], [user("*", maxresources={"vcore": 2})], 1),
    ([user("*", maxresources={"vcore": 3})], [user("*", maxapplications=1)], 5),
    ([user("sue", maxresources={"vcore": 5}), user("*", maxresources={"vcore": 2})],
     [user("sue", maxresources={"vcore": 5}), user("*", maxresources={"vcore": 1})], 4),
], ids=["added", "changed", "changed to one without resources", "of no concern to a named user"])  # fmt: skip
def test_a_changed_wildcard_holds_for_users_that_are_known_already(before, after, more):  # PL-132
    made = scene(tree(*before))
    made.app("x", "root.a", "sue").asks("x", 6).cycles(1)
    made.reload(tree(*after))
    assert len(made.cycles(6)) == more


@pytest.mark.parametrize(("after", "left"), [
    ([user("zed", maxapplications=1)], 2),
    ([], 0),
], ids=["next to named entries before and after", "with all entries gone"])  # fmt: skip
def test_quirk_a_removed_wildcard_stays_for_known_users_next_to_named_entries(after, left):  # PL-132
    made = scene(tree(user("zed", maxapplications=1), user("*", maxresources={"vcore": 2})))
    made.app("x", "root.a", "sue").asks("x", 5).cycles(1)
    made.reload(tree(*after) if after else tree(b={"limits": [user("zed", maxapplications=1)]}))
    assert len(made.cycles(5)) == (left - 1 if left else 4)


def test_a_named_entry_added_over_a_wildcard_replaces_it():  # PL-132
    made = scene(tree(user("*", maxresources={"vcore": 1})))
    made.app("x", "root.a", "sue").asks("x", 5).cycles(1)
    made.reload(tree(user("sue", maxresources={"vcore": 3}), user("*", maxresources={"vcore": 1})))
    assert len(made.cycles(5)) == 2


def test_both_values_of_an_entry_change_together():  # PL-133
    made = scene(tree(user(maxapplications=1, maxresources={"vcore": 2})))
    made.app("x", "root.a", "sue").asks("x", 4).app("y", "root.a", "sue").asks("y", 4).cycles(4)
    made.reload(tree(user(maxresources={"vcore": 4})))
    assert len(made.cycles(4)) == 2


def test_without_rules_the_provided_rule_is_implied_as_in_every_release_since_1_4():  # PL-140, PL-141
    made = scene("a: {}\ndefault: {}")
    assert made.app("x", "root.a").refused() == []
    assert made.app("y", "root.missing").refused() == []
    assert made.application("y").queue_path == "root.default"  # the fallback exists in 1.8


def test_a_draining_queue_is_checked_during_placement_in_1_8():  # PL-141, R-431
    made = scene("a: {}\nb: {}")
    made.app("old", "root.b").ask("old", "k").reload("a: {}")
    assert "no placement rule matched" in made.app("new", "root.b").refused()[0]


def test_generated_names_and_user_names_are_validated_at_submission_in_1_8():  # PL-142
    made = scene("a: {}", placementrules=[{"name": "user", "create": True}])
    assert "invalid queue name" in made.app("x", "", "svc$").refused()[0]
    assert "invalid username" in made.forget().app("y", "root.a", "bad user", ("dev",)).refused()[0]


def test_limits_are_enforced_not_only_counted_in_1_8():  # PL-143
    made = scene(tree(user(maxresources={"vcore": 1}))).app("x", "root.a", "sue").asks("x", 2)
    assert made.cycles(2) == ["x-0"]
