"""What can be chosen about a picture: by its control, by the verb, remembered per picture and in the session."""

from __future__ import annotations

import pytest

pytest.importorskip("ipywidgets")

from kernels import killed
from picture_scenes import preempting

from workbench import CommandError, Workbench
from workbench.bench.pictures import PICTURES


@pytest.fixture
def bench() -> Workbench:
    return Workbench.example("multitenancy")


def front(bench: Workbench, name: str):
    picture = bench.screen.picture
    picture.tabs.selected_index = list(PICTURES).index(name)
    return picture


@pytest.mark.parametrize("name", ["usage", "nodes"])
def test_the_resource_is_chosen_in_the_head_and_remembered(bench, name):
    picture = front(bench, name)
    control = picture.controls[name]["resource"]
    assert (control.description, control.value, [value for _, value in control.options]) == (
        "Resource",
        "vcore",
        ["vcore", "memory"],
    )
    first = str(picture.figures[name].figure)
    control.value = "memory"
    assert bench.pictures == {name: {"resource": "memory"}}
    assert str(picture.figures[name].figure) != first
    assert bench.status.call == f'bench.picture("{name}", resource="memory")'
    front(bench, "path")
    bench.step()
    assert front(bench, name).controls[name]["resource"].value == "memory"


def test_the_call_is_kept_once_and_leads_there_again(bench):
    front(bench, "usage")
    control = bench.screen.picture.controls["usage"]["resource"]
    control.value = "memory"
    control.value = "vcore"
    control.value = "memory"
    assert bench.calls[1:] == ['bench.picture("usage", resource="memory")']
    assert bench.figure("usage") != Workbench.example("multitenancy").figure("usage")


def test_without_a_preemption_there_is_one_stage(bench):
    control = front(bench, "preemption").controls["preemption"]["stage"]
    assert (control.value, control.layout.display) == ("chosen", "none")
    with pytest.raises(CommandError, match="there is no stage 'result'; there are chosen"):
        bench.picture("preemption", stage="result")


def test_the_stages_of_a_preemption_are_walked_through():
    bench = Workbench(preempting())
    picture = front(bench, "preemption")
    control = picture.controls["preemption"]["stage"]
    assert ([value for _, value in control.options], control.layout.display) == (["candidates", "chosen", "result"], None)
    seen = set()
    for stage in ("candidates", "chosen", "result"):
        control.value = stage
        seen.add(picture.captions["preemption"].text)
    assert bench.pictures == {"preemption": {"stage": "result"}}
    assert len(seen) == 3
    bench.step()  # what was preempted stays to be seen, at the stage that was chosen
    assert control.value == "result" and picture.captions["preemption"].text.startswith("Step 5: ")
    bench.step()
    assert control.value == "chosen"
    bench.back(2)
    assert control.value == "result"


def test_a_picture_is_brought_to_the_front_once(bench):  # U-5; a tab that somebody opens afterwards stays
    bench.picture("nodes")
    assert bench.status.text == "Nodes is in front."
    assert bench.pictures == {}
    picture = bench.screen.picture
    assert picture.visible == "nodes"
    front(bench, "order")
    bench.step()
    assert picture.visible == "order"
    bench.picture("nodes")
    assert picture.visible == "nodes"
    bench.picture("usage", resource="memory")
    assert picture.visible == "usage"


def test_the_session_remembers(bench, tmp_path, monkeypatch):
    path = tmp_path / "a.session.json"
    bench.autosave(path)
    bench.picture("usage", resource="memory")
    killed(monkeypatch)
    again = Workbench.recover(path)
    assert again.pictures == {"usage": {"resource": "memory"}}
    assert front(again, "usage").controls["usage"]["resource"].value == "memory"


def test_bars_of_usage_are_amounts_or_shares_of_the_maximum(bench):  # G-4
    picture = front(bench, "usage")
    control = picture.controls["usage"]["measure"]
    assert [(word, value) for word, value in control.options] == [("amount", "amount"), ("share of max", "share")]
    bench.run(max_steps=4)
    control.value = "share"
    assert bench.status.call == 'bench.picture("usage", measure="share")'
    assert "%" in str(picture.figures["usage"].figure["layout"])
    control.value = "amount"
    assert "%" not in str(picture.figures["usage"].figure["layout"])


def test_the_resource_of_the_preemption_picture_begins_with_that_of_the_ask():  # G-7
    bench = Workbench(preempting())
    bench.goto(4)
    picture = front(bench, "preemption")
    control = picture.controls["preemption"]["resource"]
    assert control.value == "vcore" and control.layout.display == "none"  # there is no other
    bench.add_node("node-9", {"vcore": 1, "memory": "8Gi"})
    assert [value for _, value in control.options] == ["vcore", "memory"] and control.layout.display is None
    control.value = "memory"
    assert "memory used" in str(picture.figures["preemption"].figure)
    assert bench.pictures["preemption"] == {"resource": "memory"}


def test_a_sentence_of_two_lines_takes_its_second_one_from_the_picture(bench):  # U-10
    picture = front(bench, "slope")
    one_line = picture.figures["slope"].figure["layout"]["height"]
    picture.region.head = 25
    assert picture.figures["slope"].figure["layout"]["height"] == one_line
    picture.region.head = 48
    assert picture.figures["slope"].figure["layout"]["height"] == one_line - 22
    picture.region.head = 400
    assert picture.figures["slope"].figure["layout"]["height"] >= 150
