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
