"""`workbench lab` in an empty folder: its page leads to the workbench, to a lesson and to an example, and each of them runs.

Every test also fails on a console error or on a request that leaves the machine (A-13).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from browser.conftest import RUN_ALL, Lab, Notebook, running_lab
from browser.pages import OVERFLOWING, TOO_FAINT

from workbench.lab.folder import NOTEBOOK, START_PAGE

PAGE = ".jp-MarkdownViewer .jp-RenderedMarkdown"
LESSON, EXAMPLE = "tutorials/06-fences.ipynb", "notebooks/priorities-multitenancy.ipynb"
PATH = "() => window.jupyterapp.shell.currentWidget?.context?.path"
FAILED_CELLS = """() => window.jupyterapp.shell.currentWidget.content.widgets.filter((cell) => cell.model.type === 'code'
  && cell.model.outputs.toJSON().some((output) => output.output_type === 'error')).map((cell) => cell.model.sharedModel.source)"""


@pytest.fixture(scope="module")
def lab(needs_browser: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Started without a design, in a folder with nothing in it."""
    with running_lab(tmp_path_factory.mktemp("start")) as running:
        yield running


@pytest.fixture
def start(lab: Lab, chromium: Any) -> Iterator[Notebook]:
    """The page as the address in the terminal opens it, on a small laptop."""
    context = chromium.new_context(viewport={"width": 1366, "height": 768})
    opened = Notebook(lab, context.new_page())
    opened.page.goto(f"{lab.address}/doc/tree/{START_PAGE}?reset&token={lab.token}", wait_until="domcontentloaded")
    opened.page.wait_for_selector(f"{PAGE} h1")
    opened.page.wait_for_selector(f"{PAGE} a[href*='/files/']")
    yield opened
    context.close()
    opened.check()


def wait_for_document(opened: Notebook, path: str) -> None:
    """The notebook of that path is the one that is seen, in the same tab of the browser, and its kernel is ready."""
    opened.name = path
    opened.page.wait_for_function(f"path => ({PATH})() === path", arg=path)
    assert opened.page.url.endswith(f"/doc/tree/{path}")
    assert len(opened.page.context.pages) == 1
    opened.wait_until_ready()


@pytest.mark.parametrize(
    ("link", "path"), [("Open the workbench", NOTEBOOK), ("Lesson 6, fences", LESSON), ("Priorities in a shared tree", EXAMPLE)]
)
def test_a_link_opens_a_notebook_that_runs_and_the_menu_leads_back(lab, start, link, path):
    page = start.page
    page.locator(PAGE).get_by_role("link", name=link, exact=True).click()
    wait_for_document(start, path)
    try:
        # Whoever runs a cell before the kernel is there is told so, instead of being asked which kernel to take.
        assert page.evaluate("window.jupyterapp.shell.currentWidget.content.notebookConfig.enableKernelInitNotification")
        page.evaluate(RUN_ALL)
        page.wait_for_function("window.__done !== null")
        assert page.evaluate(FAILED_CELLS) == []
        page.wait_for_selector(".wb-screen")
        page.wait_for_selector(".js-plotly-plot .main-svg")
        page.get_by_role("menuitem", name="Tabs").click()
        page.locator(".lm-Menu-item", has_text=START_PAGE).click()
        page.wait_for_function(f"path => ({PATH})() === path", arg=START_PAGE)
        page.wait_for_selector(f"{PAGE} h1", state="visible")
    finally:
        lab.shut_down(path)


def test_the_keyboard_alone_reaches_the_workbench(lab, start):  # U-24
    page = start.page
    page.locator(f"{PAGE} h1 a").focus()
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Open the workbench":
            break
    page.keyboard.press("Enter")
    wait_for_document(start, NOTEBOOK)
    lab.shut_down(NOTEBOOK)


def is_in_view(start: Notebook, selector: str) -> bool:
    box = start.page.locator(selector).bounding_box()
    return box["y"] >= 0 and box["y"] + box["height"] <= start.page.viewport_size["height"]


@pytest.mark.parametrize(("link", "heading"), [("all lessons", "Lessons"), ("The documented examples", "Documented examples")])
def test_links_within_the_page_lead_to_its_lists(start, link, heading):
    start.page.set_viewport_size({"width": 1366, "height": 500})
    assert not is_in_view(start, f"{PAGE} h2:has-text('{heading}')")
    start.page.locator(PAGE).get_by_role("link", name=link, exact=True).click()
    start.page.wait_for_function(
        "heading => [...document.querySelectorAll('h2')].some((each) => each.textContent.startsWith(heading)"
        " && each.getBoundingClientRect().bottom <= window.innerHeight)",
        arg=heading,
    )


@pytest.mark.parametrize("theme", ["Dark", "Light"])
def test_all_ways_in_are_seen_at_once_and_readable(start, theme):  # U-22
    if theme == "Dark":  # JupyterLab stumbles over a change to what it shows already.
        start.theme(theme)
    start.screenshot(f"start-page-{theme.lower()}", f"{PAGE} h1")
    try:
        for way in ("Try it now", "Learn", "Look up an example", "Your own design"):
            assert is_in_view(start, f"{PAGE} h2:has-text('{way}') + p"), way
        assert start.page.evaluate(OVERFLOWING, PAGE) == []
        assert start.page.evaluate(TOO_FAINT, f"{PAGE} *") == []
    finally:
        if theme == "Dark":
            start.theme("Light")


def test_another_page_of_the_folder_is_shown_rendered_too(lab, start):
    start.page.goto(f"{lab.address}/doc/tree/tutorials/README.md?reset", wait_until="domcontentloaded")
    start.page.wait_for_selector(f"{PAGE} h1:has-text('Tutorials')")
