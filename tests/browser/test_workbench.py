"""What only a browser shows of building, editing, running and coming back.

Acceptance numbers A-n and rules U-n are those of the interface design. Every test also fails on a console error or on a request
that leaves the machine (A-13).
"""

from __future__ import annotations

import pytest
from browser.pages import IN_VIEW, OVERFLOWING
from picture_scenes import preempting

from workbench import Workbench
from workbench.bench import texts
from workbench.widgets.regions import predict_tools

STATUS, WHY = ".wb-status", ".wb-why"
TENANTS, SYSTEM = "root.tenants", "root.system"
POSITION = "document.querySelector('.wb-rail').getAttribute('aria-valuenow')"
STOP_AT = f"""(number) => {{
  window.__pressedAt = null;
  const watch = new MutationObserver(() => {{
    const stop = [...document.querySelectorAll('.wb-screen button')].find((each) => each.textContent.trim() === 'Stop');
    if (!stop || Number({POSITION}) < number) return;
    watch.disconnect();
    window.__pressedAt = Number({POSITION});
    stop.click();
  }});
  watch.observe(document.querySelector('.wb-rail'), {{ attributes: true }});
}}"""
"""Press Stop as soon as the rail shows that step: whatever is taken after it was taken after the click."""
CELLS = "() => window.jupyterapp.shell.currentWidget.content.widgets.length"


def names(opened) -> list[str]:
    return opened.page.evaluate("[...document.querySelectorAll('.wb-screen .wb-row[data-path]')].map((row) => row.dataset.path)")


def wait_for_path(opened, path: str, there: bool = True) -> None:
    opened.page.wait_for_selector(f'[data-path="{path}"]', state="attached" if there else "detached")


# ---- checks -------------------------------------------------------------------------------------------------------------


def test_a_fence_without_effect_is_found_mended_and_comes_back_with_undo(opened):
    page = opened.page
    page.set_viewport_size({"width": 1366, "height": 768})
    tab = page.get_by_role("tab", name="Checks")
    assert tab.text_content().strip() == "Checks ▲ 1"
    tab.click()
    fence = page.locator(".wb-check.is-warning")
    assert "root.tenants has a priority fence and no priority.offset" in fence.text_content()
    opened.screenshots("checks", ".wb-middle > .wb-why")
    fence.get_by_role("button", name="root.tenants", exact=True).click()
    opened.wait_for_text(".wb-editor-head", TENANTS)
    fence.get_by_role("button", name="line 20").click()
    page.wait_for_function("document.activeElement?.tagName === 'TEXTAREA'")
    marked = page.evaluate(
        "(({value, selectionStart, selectionEnd}) => value.slice(selectionStart, selectionEnd))(document.activeElement)"
    )
    assert "priority.policy" in marked
    opened.screenshot("checks-line", ".wb-middle > .wb-why")
    tab.click()
    remedy = fence.get_by_role("button", name="Set priority.offset of root.tenants to 0.")
    remedy.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".wb-check.is-warning", state="detached")
    opened.wait_for_text(STATUS, "Applied: Set priority.offset of root.tenants to 0.")
    # The focus stays in the list, and the count is gone.
    assert page.evaluate("document.activeElement.closest('.wb-checks') !== null")
    page.wait_for_function("[...document.querySelectorAll('.lm-TabBar-tabLabel')].some((each) => each.textContent === 'Checks')")
    opened.screenshot("checks-mended", ".wb-middle > .wb-why")
    opened.button("Undo").click()
    fence.wait_for()
    assert tab.text_content().strip() == "Checks ▲ 1"


# ---- what pictures show -------------------------------------------------------------------------------------------------


def test_the_resource_of_a_picture_is_chosen_with_the_keyboard(opened):
    page = opened.page
    page.set_viewport_size({"width": 1366, "height": 768})
    region = page.locator(".wb-picture")
    for name in ("Usage", "Nodes", "Preemption"):
        region.get_by_role("tab", name=name, exact=True).click()
        opened.screenshots(f"options-{name.lower()}")
    region.get_by_role("tab", name="Usage", exact=True).click()
    choice = region.get_by_label("Resource").locator("visible=true")
    choice.focus()
    page.keyboard.press("ArrowDown")
    opened.wait_for_text(STATUS, "Usage shows resource memory.")
    assert page.evaluate("document.activeElement.tagName") == "SELECT"
    assert page.evaluate(OVERFLOWING, ".wb-picture-head") == []
    assert (
        page.evaluate("(({scrollHeight, clientHeight}) => scrollHeight - clientHeight)(document.querySelector('.wb-picture'))") <= 1
    )


@pytest.mark.parametrize("name", ["Path", "Slope", "Usage", "Nodes"])  # with and without a choice in the head
def test_no_picture_is_cut_off_at_its_foot(opened, name):  # U-10: the rows keep their height, so pictures must fit
    page = opened.page
    page.set_viewport_size({"width": 1366, "height": 768})
    page.locator(".wb-picture").get_by_role("tab", name=name, exact=True).click()
    page.wait_for_selector(".wb-picture .js-plotly-plot:visible .main-svg")
    # What the region clips counts: a box around it that has shrunk does not overflow itself.
    page.wait_for_function("""() => {
      const region = document.querySelector('.wb-picture-region');
      const plot = [...region.querySelectorAll('.js-plotly-plot')].find((each) => each.offsetParent);
      return plot && plot.getBoundingClientRect().bottom <= region.getBoundingClientRect().bottom + 1; }""")
    opened.screenshot(f"foot-{name.lower().replace(' ', '-')}")


def test_the_stages_of_a_preemption_are_walked_through_with_the_keyboard(opened, lab):  # G-7
    page = opened.page
    page.set_viewport_size({"width": 1366, "height": 768})
    Workbench(preempting()).save(lab.folder / "preempting.yaml")
    opened.execute("bench.load('preempting.yaml')")
    opened.execute("bench.goto(4)")
    region = page.locator(".wb-picture")
    region.get_by_role("tab", name="Preemption", exact=True).click()
    for stage in ("candidates", "chosen", "result"):
        button = region.get_by_role("button", name=stage, exact=True)
        button.focus()
        page.keyboard.press("Enter")
        opened.wait_for_text(STATUS, f"Preemption shows stage {stage}.")
        assert page.evaluate("document.activeElement.textContent.trim()") == stage
        opened.screenshots(f"stage-{stage}")
    assert page.evaluate(OVERFLOWING, ".wb-picture-head") == []


# ---- building in the tree -----------------------------------------------------------------------------------------------


def test_a_name_is_edited_in_its_row_and_a_refused_one_stays(opened):  # U-13, U-9
    page = opened.page
    opened.queue("root.tenants.tenant-a").click()
    page.keyboard.press("F2")
    page.keyboard.type("no blanks <b>")
    page.keyboard.press("Enter")
    page.wait_for_selector(".wb-name-problem:not(:empty)")
    assert "invalid queue name" in page.locator(".wb-name-problem").text_content()
    box = page.locator(".wb-name-input")
    assert box.input_value() == "no blanks <b>"
    opened.screenshot("refused-name")
    # Four apps name the queue: it is told first that they would be refused, and done when asked for once more.
    box.fill("gold")
    box.press("Enter")
    page.wait_for_function("document.querySelector('.wb-name-problem').textContent.includes('would refuse')")
    box.press("Enter")
    wait_for_path(opened, "root.tenants.gold")
    assert page.locator(".wb-name-input").count() == 0
    page.wait_for_function("document.activeElement?.dataset.path === 'root.tenants.gold'")
    # A double click opens it, Escape leaves it as it was.
    opened.queue("root.tenants.gold").locator(".wb-name").dblclick()
    page.keyboard.type("silver")
    page.keyboard.press("Escape")
    assert opened.queue("root.tenants.gold").count() == 1
    page.keyboard.press("u")
    wait_for_path(opened, "root.tenants.tenant-a")


def test_queues_are_added_copied_and_deleted_with_buttons_and_keys(opened):
    page = opened.page
    opened.queue(SYSTEM).click()
    opened.button("+ Add").click()
    page.keyboard.type("system-new")
    page.keyboard.press("Enter")
    page.wait_for_function("document.activeElement?.dataset.path === 'root.system.system-new'")
    page.keyboard.press("Control+d")
    page.wait_for_function("document.activeElement?.dataset.path === 'root.system.system-new-copy'")
    page.keyboard.press("Delete")
    wait_for_path(opened, "root.system.system-new-copy", there=False)
    opened.button("Undo").click()
    wait_for_path(opened, "root.system.system-new-copy")
    opened.queue("root").click()
    page.keyboard.press("Delete")
    opened.wait_for_text(STATUS, "the root queue cannot be removed")


def test_a_queue_is_dragged_into_another_and_between_others(opened):
    page = opened.page

    def drag(path: str, onto: str, share: float) -> None:
        start, end = (opened.queue(each).bounding_box() for each in (path, onto))
        page.mouse.move(start["x"] + 60, start["y"] + start["height"] / 2)
        page.mouse.down()
        page.mouse.move(start["x"] + 70, start["y"] + start["height"] / 2 + 8)
        page.mouse.move(end["x"] + 70, end["y"] + end["height"] * share, steps=4)

    drag("root.system.system-low", "root.tenants", 0.5)
    page.wait_for_selector(f'[data-path="{TENANTS}"].is-drop-into')
    opened.screenshot("dragging")
    page.mouse.up()
    # An app names the queue: it is told first what would be refused, and done when asked for once more.
    opened.wait_for_text(STATUS, "would refuse")
    drag("root.system.system-low", "root.tenants", 0.5)
    page.mouse.up()
    wait_for_path(opened, "root.tenants.system-low")
    drag("root.tenants.tenant-b", "root.tenants.tenant-a", 0.1)
    page.wait_for_selector('[data-path="root.tenants.tenant-a"].is-drop-before')
    page.mouse.up()
    page.wait_for_function("""() => {
      const paths = [...document.querySelectorAll('.wb-row[data-path]')].map((row) => row.dataset.path);
      return paths.indexOf('root.tenants.tenant-b') < paths.indexOf('root.tenants.tenant-a');
    }""")
    # Escape gives a drag up.
    before = names(opened)
    drag("root.tenants.tenant-a", "root.system", 0.5)
    page.keyboard.press("Escape")
    page.mouse.up()
    assert page.locator(".is-drop-into, .is-dragging").count() == 0
    assert names(opened) == before


def test_a_queue_is_moved_with_the_keyboard(opened):
    page = opened.page
    opened.queue("root.system.system-low").click()
    page.keyboard.press("Alt+ArrowUp")
    opened.wait_for_text(STATUS, "another place among its siblings")
    page.wait_for_function("""() => {
      const paths = [...document.querySelectorAll('.wb-row[data-path]')].map((row) => row.dataset.path);
      return paths.indexOf('root.system.system-low') < paths.indexOf('root.system.system-high');
    }""")
    page.keyboard.press("Alt+ArrowLeft")
    opened.wait_for_text(STATUS, "would refuse")  # what asks for the queue by its name; asked for once more, it is done
    page.keyboard.press("Alt+ArrowLeft")
    wait_for_path(opened, "root.system-low")
    page.wait_for_function("document.activeElement?.dataset.path === 'root.system-low'")
    page.keyboard.press("Alt+ArrowRight")
    wait_for_path(opened, "root.system.system-low")


# ---- editing ------------------------------------------------------------------------------------------------------------


def test_an_error_in_the_yaml_is_marked_at_its_line(opened):
    page = opened.page
    page.get_by_role("tab", name="YAML").click()
    box = page.get_by_role("textbox", name="YAML")
    box.wait_for()
    page.wait_for_function("document.querySelector('.wb-lines-text[aria-label=YAML]').value.includes('partitions')")
    text = box.input_value()
    wrong = text.replace("submitacl", "submitACL", 1)
    line = wrong.split("\n").index(next(each for each in wrong.split("\n") if "submitACL" in each)) + 1
    box.fill(wrong)
    opened.button("Apply").click()
    page.wait_for_selector(".wb-lines-numbers .is-wrong")
    assert page.locator(".wb-lines-numbers .is-wrong").text_content() == f"▸{line}"
    assert f"line {line}:" in page.locator(".wb-tables .wb-text-error").text_content()
    assert box.input_value() == wrong
    opened.screenshot("yaml-error")
    # Nothing is lost to a step meanwhile, and the design is the old one.
    opened.button("Step").click()
    opened.wait_for_step(1)
    assert box.input_value() == wrong
    box.fill(text.replace("priority.policy: fence", "priority.policy: default", 1))
    box.press("Control+Enter")
    opened.wait_for_text(STATUS, "The design is now what the YAML says")
    page.wait_for_function("path => !document.querySelector(`[data-path=\"${path}\"]`).textContent.includes('▣')", arg=TENANTS)


def test_every_tab_of_the_editor_can_be_used(opened):  # U-14
    page = opened.page
    opened.queue(TENANTS).click()
    for tab in ("Basics", "Sorting", "Preemption", "Quota", "Limits", "Access", "Template", "Partition"):
        page.locator(".wb-editor").get_by_role("tab", name=tab).click()
        page.wait_for_selector(".wb-editor .wb-field >> visible=true")
        opened.screenshot(f"editor-{tab.lower()}")
        assert page.evaluate(OVERFLOWING, ".wb-editor .wb-field") == []
    page.locator(".wb-editor").get_by_role("tab", name="Quota").click()
    box = page.get_by_role("textbox", name="resources.max: vcore")
    box.fill("4")
    box.press("Enter")
    opened.wait_for_text(STATUS, "resources.max of root.tenants is now vcore: 4")
    page.locator(".wb-editor").get_by_role("tab", name="Limits").click()
    lines = page.get_by_role("textbox", name="limits", exact=True)
    lines.fill('- users: ["*"]\n  maxapplication: 2')
    lines.press("Control+Enter")
    page.wait_for_selector(".wb-editor .wb-lines-numbers .is-wrong")
    opened.screenshot("limits-error")


def test_an_edit_applied_from_now_is_a_diamond_on_the_rail(opened):  # U-16
    page = opened.page
    for number in (1, 2):
        opened.button("Step").click()
        opened.wait_for_step(number)
    opened.button("Apply from now").click()
    opened.queue(TENANTS).click()
    box = page.get_by_role("textbox", name="priority.offset")
    box.fill("50")
    box.press("Enter")
    opened.wait_for_text(STATUS, "Reloaded at step 2. Next is P8")
    assert page.locator(".wb-rail-dot.is-reload").get_attribute("title").endswith("The configuration was reloaded at step 2.")
    opened.screenshot("reload")
    opened.button("Step").click()
    opened.wait_for_step(3)
    assert page.locator(".wb-rail-dot.is-reload").count() == 1


# ---- time and keys ------------------------------------------------------------------------------------------------------


def test_after_stop_at_most_one_more_step_is_taken(opened):  # A-9, U-18: at 5 steps a second that is within 0.3 s
    page = opened.page
    opened.execute("bench.screen.bar.speed.value = 5")
    page.evaluate(STOP_AT, 3)
    opened.button("Play").click()
    opened.wait_for_text(STATUS, "Stopped after")
    opened.button("Play").wait_for()
    position = int(page.evaluate(POSITION))
    assert page.evaluate("window.__pressedAt") == 3
    assert 3 <= position <= 4
    opened.execute(f"assert bench.simulation.position == {position} and not bench.player.busy")
    # Five more would have come in that time.
    page.wait_for_timeout(1000)
    assert int(page.evaluate(POSITION)) == position


def test_letters_are_verbs_but_not_in_a_text_field(opened):  # U-17
    page = opened.page
    opened.queue(TENANTS).click()
    for key in ("n", "n", "n", "p"):
        page.keyboard.press(key)
    opened.wait_for_step(2)
    page.keyboard.press("?")
    opened.wait_for_text(".wb-help", "F2: rename")
    opened.screenshot("keys")
    page.keyboard.press("?")
    page.keyboard.press("/")
    page.wait_for_function("document.activeElement?.placeholder === 'queue or request'")
    page.keyboard.type("child-b-2")
    page.keyboard.press("Enter")
    page.wait_for_selector('[data-path="root.tenants.tenant-b.child-b-2"][aria-selected=true]')
    opened.wait_for_step(2)
    opened.button("Step").focus()
    page.keyboard.press("r")
    opened.wait_for_step(11)


def test_keys_pressed_on_the_screen_leave_the_notebook_alone(opened):  # P8
    page, before = opened.page, opened.page.evaluate(CELLS)
    opened.button("Step").focus()
    for key in ("b", "a", "d", "d", "x", "y", "m", "0", "0", "c", "v"):
        page.keyboard.press(key)
    opened.queue(TENANTS).click()
    for key in ("b", "a", "d", "d", "x", "m"):
        page.keyboard.press(key)
    page.wait_for_timeout(300)
    assert page.evaluate(CELLS) == before
    opened.button("Step").click()
    opened.wait_for_text(STATUS, "Step 1:")


def test_keys_can_be_turned_off(opened):  # U-17
    opened.execute("bench.keys = False; bench.refresh()")
    opened.queue(TENANTS).click()
    opened.page.keyboard.press("n")
    opened.page.wait_for_timeout(400)
    opened.wait_for_step(0)


# ---- inputs -------------------------------------------------------------------------------------------------------------


def test_a_request_is_put_in_by_form_and_by_table(opened):
    page = opened.page
    page.get_by_role("tab", name="Inputs").click()
    for name, text in (("app", "mine"), ("key", "urgent"), ("queue", "root.system.system-high"), ("priority", "9")):
        page.locator(".wb-input-form").get_by_role("textbox", name=name, exact=True).fill(text)
    opened.button("Add").click()
    opened.wait_for_text(STATUS, "App mine asks for request urgent")
    opened.wait_for_text(WHY, "urgent of app mine is next")
    opened.screenshot("inputs")
    page.get_by_role("combobox", name="Input").select_option("Table of requests")
    box = page.get_by_role("textbox", name="Table of requests")
    box.fill("app,key,vcore\nmine,a,1\nmine,b,one")
    opened.button("Add rows").click()
    page.wait_for_selector(".wb-inputs .wb-lines-numbers .is-wrong")
    assert page.locator(".wb-inputs .wb-lines-numbers .is-wrong").text_content() == "▸3"
    opened.screenshot("inputs-table")
    box.fill("app,key,vcore\nmine,a,1\nmine,b,2")
    opened.button("Add rows").click()
    opened.wait_for_text(STATUS, "2 commands")


def test_why_not_names_the_fence_and_what_it_suggests_works(opened):
    page = opened.page
    opened.execute("bench.run(max_steps=3)")
    opened.wait_for_step(3)
    page.locator("tr", has_text="P9").first.click()
    opened.wait_for_text(WHY, "The fence at tenant-b makes its priority 9 count as 0 there.")
    opened.wait_for_text(WHY, "An offset of at least 11 on root.tenants.tenant-b would make it the next (tried).")
    opened.button("Apply from now").click()
    opened.queue("root.tenants.tenant-b").click()
    box = page.get_by_role("textbox", name="priority.offset")
    box.fill("11")
    box.press("Enter")
    opened.wait_for_text(WHY, "P9 of app child-b-1 is next")


# ---- coming back --------------------------------------------------------------------------------------------------------


def test_a_killed_kernel_comes_back_with_one_call(lab, notebook):
    notebook.open(lab.copy("killed.ipynb"))
    notebook.run_all()
    notebook.execute("bench.run(max_steps=3); bench.set('root.tenants', 'priority.offset', 5); bench.add_queue('root', 'kept')")
    notebook.wait_for_text(STATUS, "root.kept is added")
    assert (lab.folder / ".killed.session.json").exists()
    notebook.execute("import os, signal; before = bench.simulation.digest(); open('digest', 'w').write(before)")
    lab.restart_kernel("killed.ipynb")
    notebook.page.reload(wait_until="domcontentloaded")
    notebook.page.wait_for_selector(".jp-Notebook .jp-Cell")
    notebook.wait_until_ready()
    notebook.run_all()
    notebook.wait_for_text(STATUS, "Workbench.recover()")
    notebook.execute(
        "bench = Workbench.recover()\nassert bench.simulation.digest() == open('digest').read()\n"
        "assert bench.simulation.position == 3 and bench.can_undo"
    )
    notebook.errors[:] = [error for error in notebook.errors if "widget model not found" not in error]


def test_a_full_disk_stands_in_the_status_until_a_save_works(lab, notebook):
    notebook.open(lab.copy("full.ipynb"))
    notebook.run_all()
    notebook.execute("import os\nusual = os.fsync\ndef full(handle): raise OSError(28, 'No space left on device')\nos.fsync = full")
    for step in (1, 2):
        notebook.button("Step").click()
        notebook.wait_for_step(step)
        notebook.wait_for_text(STATUS, "The session is not saved: .full.session.json could not be written")
    assert not (lab.folder / ".full.session.json").exists()
    notebook.execute("os.fsync = usual")
    # Nobody does anything: it is tried again by itself.
    notebook.page.wait_for_function("() => !document.querySelector('.wb-status').textContent.includes('not saved')")
    assert (lab.folder / ".full.session.json").exists()


def test_a_report_opens_by_itself_and_asks_nobody(lab, opened, chromium):
    opened.execute("bench.run(max_steps=3); bench.select(request='P9'); bench.report('report.html')")
    opened.wait_for_text(STATUS, "The report is in")
    page = chromium.new_page()
    asked, errors = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((lab.folder / "report.html").as_uri())
    page.wait_for_selector(".js-plotly-plot .main-svg")
    assert "Not yet: P9" in page.locator("#why").text_content()
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert errors == []
    page.close()


# ---- size ---------------------------------------------------------------------------------------------------------------


def test_the_screen_fits_a_small_laptop(opened):  # section 3: about 820 px
    opened.page.set_viewport_size({"width": 1366, "height": 768})
    opened.page.wait_for_timeout(300)
    opened.screenshot("laptop")
    height = opened.page.evaluate("document.querySelector('.wb-screen').getBoundingClientRect().height")
    assert height <= 830, height


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_it_can_be_used_at_twice_the_size(opened, theme):  # U-25
    # Twice the size in a window of 1366 x 768 is what the page has in one of 683 x 384.
    opened.page.set_viewport_size({"width": 683, "height": 384})
    opened.theme(theme)
    try:
        opened.queue(TENANTS).click()
        opened.page.wait_for_timeout(500)
        opened.screenshot(f"zoomed-{theme.lower()}")
        assert opened.page.evaluate(OVERFLOWING, ".wb-screen, .wb-region, .wb-bar-line, .wb-field") == []
        box = opened.page.get_by_role("textbox", name="priority.offset")
        box.fill("3")
        box.press("Enter")
        opened.wait_for_text(STATUS, "is now 3")
        assert opened.page.evaluate(IN_VIEW, "input:focus") in (True, None)
    finally:
        opened.theme("Light")


@pytest.mark.parametrize("view", ["teach", "inspect", "edit"])
def test_presets(opened, view):  # U-11
    opened.execute(f"bench.show_as({view!r})")
    opened.wait_for_text(STATUS, f"Shown as {view}")
    shown = {
        name: opened.page.locator(f".wb-{name}").first.is_visible()
        for name in ("queues", "picture", "editing", "why", "tables", "status")
    }
    expected = {
        "teach": {"queues", "picture", "why", "status"},
        "inspect": {"why", "tables", "status"},
        "edit": {"queues", "editing", "tables", "status"},
    }[view]
    assert {name for name, visible in shown.items() if visible} == expected
    opened.screenshot(f"view-{view}")


def test_a_prediction_is_asked_for_answered_and_scored(opened):  # section 5, `predict`; U-2
    page = opened.page
    opened.button("Predict").focus()
    page.keyboard.press("Enter")
    opened.wait_for_text(WHY, texts.PREDICT_QUESTION)
    page.wait_for_function("!document.querySelector('.wb-picture .js-plotly-plot')?.offsetParent")
    page.wait_for_selector(f"text={texts.COVERED_PICTURE}")
    assert opened.button(predict_tools.CHOOSE_AN_ANSWER).is_disabled()
    opened.queue("root.system.system-high").click()
    answer = opened.button("Answer: system-high")
    answer.wait_for()
    opened.screenshots("prediction")
    answer.click()
    opened.wait_for_step(1)
    opened.wait_for_text(STATUS, "Right. P1 of app system-high was placed on node-1. 1 of 1 prediction right.")
    opened.button(predict_tools.SHOW_NEXT).click()
    page.wait_for_function("document.querySelector('.wb-picture .js-plotly-plot')?.offsetParent")
    opened.wait_for_text(WHY, "P10 of app system-normal is next")
