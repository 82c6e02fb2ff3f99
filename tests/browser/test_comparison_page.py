"""The page of a comparison: it unpacks its drawing script, draws every picture, asks nobody, and reads no name as markup. CP-7"""

from __future__ import annotations

from comparisons import FIRST, PLAIN, behind_nightly_work

import workbench as wb
from workbench.comparison.pictures import PICTURES


def test_the_page_draws_its_pictures_and_asks_nobody(tmp_path, chromium):
    found = wb.compare(PLAIN, FIRST, workload=behind_nightly_work(), names=["today", "<img src=x onerror=alert(1)>"])
    found.to_html(tmp_path / "page.html")
    page = chromium.new_page(viewport={"width": 1366, "height": 768})
    asked, errors = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((tmp_path / "page.html").as_uri())
    page.wait_for_function("document.documentElement.dataset.drawn === 'yes'")
    assert page.locator("[data-picture] .main-svg:first-child").count() == sum(
        bool(found.picture_table(which).rows) for which in PICTURES
    )
    assert page.locator("img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 1366
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert errors == []
    page.close()
