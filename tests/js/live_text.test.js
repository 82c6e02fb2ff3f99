import assert from "node:assert/strict";
import test from "node:test";
import { drawn } from "./part.js";

const TRAITS = { paragraphs: [{ kind: "lead", text: "P1 is next." }, { kind: "code", text: "wb.step()" }], live: true, name: "Why" };

test("paragraphs are announced politely, and drawn anew when they change", async () => {
  const { el, model } = await drawn("live_text.js", TRAITS);
  const region = el.querySelector(".wb-text");
  assert.deepEqual([region.getAttribute("role"), region.getAttribute("aria-live")], ["status", "polite"]);
  model.change({ paragraphs: [{ kind: "lead", text: "<b>P2</b> is next." }] });
  assert.deepEqual([...region.children].map((each) => each.textContent), ["<b>P2</b> is next."]);
});

test("what is ended listens no more", async () => {
  const { end, model } = await drawn("live_text.js", TRAITS);
  end();
  assert.equal(model.listeners, 0);
});
