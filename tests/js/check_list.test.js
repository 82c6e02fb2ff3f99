import assert from "node:assert/strict";
import test from "node:test";
import { drawn } from "./part.js";

const ITEM = {
  id: "one", severity: "warning", mark: "!", word: "warning", place: "root.a", selects: true, key: "priority.offset", line: "line 3",
  code: "L-12", text: "It counts as 0.", assumption: "", trial: "", tries: "Try it", remedies: ["Remove it."],
};
const TRAITS = { items: [ITEM], empty: "Nothing to say.", note: "", again: "", name: "Checks", try_hint: "Tries it out." };
const button = (el, text) => [...el.querySelectorAll("button")].find((each) => each.textContent === text);

test("every button asks for what it says", async () => {
  const { el, model } = await drawn("check_list.js", TRAITS);
  for (const text of ["root.a", "line 3", "Try it", "Remove it."]) button(el, text).click();
  assert.deepEqual(model.sent, [
    { verb: "select", id: "one" },
    { verb: "line", id: "one" },
    { verb: "try", id: "one" },
    { verb: "mend", id: "one", remedy: "Remove it." },
  ]);
});

test("several changes are one redraw, and the focus stays where it was", async () => {
  const { el, model } = await drawn("check_list.js", TRAITS);
  button(el, "Try it").focus();
  model.change({ items: [{ ...ITEM, id: "zero", tries: "" }, ITEM], note: "New." });
  await Promise.resolve();
  assert.equal(el.ownerDocument.activeElement.dataset.focus, "try one");
  assert.equal(el.querySelectorAll("li").length, 2);
});

test("when its check is gone the focus goes to what came into its place, or to the list", async () => {
  const { el, model } = await drawn("check_list.js", TRAITS);
  button(el, "Remove it.").focus();
  model.change({ items: [] });
  await Promise.resolve();
  assert.equal(el.ownerDocument.activeElement, el.querySelector(".wb-checks"));
  assert.equal(el.textContent, "Nothing to say.");
});

test("a name is text and never markup", async () => {
  const bad = "<script>alert(1)</script>";
  const { el } = await drawn("check_list.js", { ...TRAITS, items: [{ ...ITEM, place: bad, text: bad, remedies: [bad], key: bad }] });
  assert.equal(el.querySelectorAll("script").length, 0);
  assert.ok(button(el, bad));
});
