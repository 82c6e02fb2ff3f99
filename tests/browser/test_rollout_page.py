"""The page of a rollout: fits the screen in light and dark, asks nobody, and reads no name as markup. RO-1"""

from __future__ import annotations

import pytest
from rollout_scenes import Cluster, design

import workbench as wb

HOSTILE = "<img src=x onerror=alert(1)>"
QUOTA = {"preemption": "{quotapreemptionenabled: true}"}
LONG = "a-queue-with-a-name-as-long-as-names-of-queues-may-be-in-a-text"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_reads_no_name_as_markup_and_asks_nobody(tmp_path, chromium, scheme):
    settings = "properties: {quota.preemption.delay: 2m}"
    today = design(f"{LONG}: {{resources: {{max: {{vcore: 8}}}}, {settings}}}\nb:\nold:", **QUOTA)
    new = design(f"{LONG}: {{resources: {{max: {{vcore: 4}}}}, {settings}}}\nb: {{properties: {{x: '{HOSTILE}'}}}}", **QUOTA)
    live = Cluster(today, release="1.9").runs(HOSTILE * 4, f"root.{LONG}", 6).runs("x", "root.old", 2).waits("y", "root.b", 4)
    found = wb.rollout(new, live.scenario)
    found.to_html(tmp_path / "page.html")
    page = chromium.new_page(viewport={"width": 1366, "height": 768}, color_scheme=scheme)
    asked, errors = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("dialog", lambda dialog: errors.append(dialog.message))
    page.goto((tmp_path / "page.html").as_uri())
    assert page.locator("strong").first.text_content() == f"✗ {found.sentence}"
    assert page.locator("section:not(#outcome) h2").count() == 7
    assert page.locator(".uses svg").count() == len([path for path, _ in found.effects.uses if path != "root"])
    assert page.locator("img, script").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 1366
    # What each part comes to is seen without scrolling.
    assert page.locator("#outcome").bounding_box()["y"] + page.locator("#outcome").bounding_box()["height"] <= 768
    paper, ink = (page.evaluate(f"getComputedStyle(document.body).{each}") for each in ("backgroundColor", "color"))
    assert (paper, ink) == {
        "light": ("rgb(255, 255, 255)", "rgb(26, 26, 26)"),
        "dark": ("rgb(22, 24, 27)", "rgb(232, 232, 232)"),
    }[scheme]
    assert [url for url in asked if not url.startswith("file:")] == []
    assert errors == []
    page.close()
