import assert from "node:assert/strict";
import test from "node:test";
import { drawn } from "./part.js";

const TRAITS = { enabled: true, bindings: { n: "step", u: "undo", " ": "play", w: "why" } };

async function screen(traits = TRAITS) {
  const made = await drawn("keyboard.js", traits, (el) => {
    const top = document.createElement("div");
    top.className = "wb-screen";
    const button = document.createElement("button");
    const input = document.createElement("input");
    const area = document.createElement("div");
    area.className = "plain";
    top.append(button, input, area, el);
    document.body.append(top);
  });
  await new Promise((resolve) => made.window.requestAnimationFrame(resolve));
  const press = (selector, key, more = {}) => {
    const event = new made.window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
    made.window.document.querySelector(selector).dispatchEvent(event);
    return event;
  };
  return { ...made, press };
}

test("a key asks for its verb", async () => {
  const { model, press } = await screen();
  assert.ok(press(".plain", "n").defaultPrevented);
  assert.deepEqual(model.sent, [{ verb: "step" }]);
});

test("letters are text in a text field", async () => {
  const { model, press } = await screen();
  press("input", "n");
  assert.deepEqual(model.sent, []);
});

test("space presses a button instead of playing", async () => {
  const { model, press } = await screen();
  press("button", " ");
  assert.deepEqual(model.sent, []);
  press(".plain", " ");
  assert.deepEqual(model.sent, [{ verb: "play" }]);
});

test("a key that is held repeats steps only", async () => {
  const { model, press } = await screen();
  press(".plain", "u", { repeat: true });
  press(".plain", "n", { repeat: true });
  assert.deepEqual(model.sent, [{ verb: "step" }]);
});

test("keys with Ctrl belong to the browser, and all of them when they are turned off", async () => {
  const { model, press } = await screen({ ...TRAITS, enabled: false });
  press(".plain", "n");
  press(".plain", "n", { ctrlKey: true });
  assert.deepEqual(model.sent, []);
});

test("no plain key reaches the notebook, whose command mode would cut cells", async () => {
  const { press, window } = await screen();
  let reached = 0;
  window.document.body.addEventListener("keydown", () => (reached += 1));
  press(".plain", "x");
  press(".plain", "Delete");
  assert.equal(reached, 0);
});

test("wherever the pointer is pressed, the screen has the focus, and what has it inside keeps it", async () => {
  const { press, window } = await screen();
  const { document } = window;
  const point = (selector, kind) => document.querySelector(selector).dispatchEvent(new window.Event(kind, { bubbles: true }));
  for (const kind of ["pointerdown", "pointerup", "click"]) {
    document.activeElement?.blur?.();
    point(".plain", kind);
    assert.equal(document.activeElement.className, "wb-screen");
  }
  document.querySelector("input").focus();
  point(".plain", "pointerdown");
  assert.equal(document.activeElement.tagName, "INPUT");
  assert.ok(press(".wb-screen", "n").defaultPrevented);
});

test("what the notebook does with the focus after a press is taken back", async () => {
  const { window } = await screen();
  const { document } = window;
  const cell = document.createElement("button");
  document.body.append(cell);
  document.body.addEventListener("pointerdown", () => cell.focus());
  document.querySelector(".plain").dispatchEvent(new window.Event("pointerdown", { bubbles: true }));
  await new Promise((resolve) => window.requestAnimationFrame(() => window.requestAnimationFrame(resolve)));
  assert.equal(document.activeElement.className, "wb-screen");
});

test("no plain key gets out, and those with Ctrl do", async () => {
  const { press, window } = await screen();
  const out = [];
  window.document.body.addEventListener("keydown", (event) => out.push(event.key));
  for (const key of ["r", "R", "Escape", "F2", "Home", "PageDown", "Enter", "Delete", "ArrowUp", "1"]) press(".plain", key);
  press("input", "Escape");
  assert.deepEqual(out, []);
  press(".plain", "s", { ctrlKey: true });
  assert.deepEqual(out, ["s"]);
});

test("Escape leaves Find for the screen, where letters are verbs again", async () => {
  const { model, press, window } = await screen();
  const { document } = window;
  document.querySelector("input").classList.add("wb-find");
  document.querySelector("input").addEventListener("keydown", (event) => event.stopPropagation()); // as ipywidgets does
  document.querySelector("input").focus();
  press("input", "Escape");
  assert.equal(document.activeElement.className, "wb-screen");
  press(".wb-screen", "n");
  assert.deepEqual(model.sent, [{ verb: "step" }]);
});
