"""EX-3: an expectation that fails is opened at its moment, as somebody who was told so by `workbench test` would do it."""

from __future__ import annotations

from shutil import copytree

import pytest
from browser.conftest import ROOT, Notebook, running_lab

NAME = "nobody is stopped in prod"
WHY = ".wb-why .wb-why-text"


@pytest.fixture(scope="module")
def failing(needs_browser, chromium, tmp_path_factory):
    """The screen at the failing step."""
    home = tmp_path_factory.mktemp("failing")
    copytree(ROOT / "notebooks" / "expectations", home / "designs")
    file = home / "designs" / "queues.expect.yaml"
    file.write_text(file.read_text().replace("design: queues.yaml", "design: draft.yaml"))
    with running_lab(home, str(file), "--failing", NAME) as lab:
        page = chromium.new_page(viewport={"width": 1366, "height": 768})
        opened = Notebook(lab, page)
        opened.open()
        opened.run_all(step=None)
        yield opened
        page.close()


def test_the_screen_stands_at_the_step_and_says_why(failing):
    failing.wait_for_text(WHY, "study-07")
    failing.screenshot("failing-expectation")
    failing.screenshot("failing-expectation-why", ".wb-middle")
    failing.check()
