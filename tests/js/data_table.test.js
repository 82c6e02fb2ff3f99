import assert from "node:assert/strict";
import test from "node:test";
import { drawn } from "./part.js";

const TRAITS = {
  rows: [["2", "beta"], ["10", "alpha"], ["1", "gamma"]],
  row_keys: ["b", "a", "c"],
  columns: ["rank", "name"],
  numeric: ["rank"],
  selected: "",
  empty: "Nothing waits.",
  note: "",
  name: "Pending",
};
const column = (el, at) => [...el.querySelectorAll("tbody tr")].map((line) => line.children[at].textContent);
const head = (el, text) => [...el.querySelectorAll(".wb-table-head")].find((each) => each.textContent.startsWith(text));

test("rows come in the order of the model", async () => {
  const { el } = await drawn("data_table.js", TRAITS);
  assert.deepEqual(column(el, 1), ["beta", "alpha", "gamma"]);
});

test("a head sorts upwards, then downwards, then not at all, numbers as numbers", async () => {
  const { el } = await drawn("data_table.js", TRAITS);
  const orders = [1, 2, 3].map(() => {
    head(el, "rank").click();
    return column(el, 0);
  });
  assert.deepEqual(orders, [["1", "2", "10"], ["10", "2", "1"], ["2", "10", "1"]]);
});

test("a name is text and never markup", async () => {
  const name = "<img src=x onerror=alert(1)>";
  const { el } = await drawn("data_table.js", { ...TRAITS, rows: [["1", name]], row_keys: ["x"], name, empty: name });
  assert.equal(el.querySelectorAll("img").length, 0);
  assert.deepEqual(column(el, 1), [name]);
});

test("a click selects a row, and another one clears it", async () => {
  const { el, model } = await drawn("data_table.js", TRAITS);
  el.querySelectorAll("tbody tr")[1].click();
  assert.deepEqual([model.get("selected"), model.saved], ["a", 1]);
  el.querySelectorAll("tbody tr")[1].click();
  assert.deepEqual([model.get("selected"), model.saved], ["", 2]);
});

test("a line keeps standing for what it stood for", async () => {
  const { el, model } = await drawn("data_table.js", TRAITS);
  const line = el.querySelectorAll("tbody tr")[2];
  model.change({ rows: [["1", "gamma"], ["2", "beta"]], row_keys: ["c", "b"] });
  await Promise.resolve();
  assert.equal(el.querySelectorAll("tbody tr")[0], line);
  assert.deepEqual(column(el, 1), ["gamma", "beta"]);
});

test("after a hundred rows comes the next page", async () => {
  const rows = Array.from({ length: 101 }, (_, at) => [String(at), `q${at}`]);
  const { el } = await drawn("data_table.js", { ...TRAITS, rows, row_keys: rows.map(([key]) => key) });
  assert.equal(column(el, 0).length, 100);
  el.querySelector("[aria-label='next page']").click();
  assert.deepEqual(column(el, 1), ["q100"]);
});

test("a table without rows says so", async () => {
  const { el } = await drawn("data_table.js", { ...TRAITS, rows: [], row_keys: [] });
  assert.equal(el.textContent, "Nothing waits.");
});

test("what is ended listens no more", async () => {
  const { end, model } = await drawn("data_table.js", TRAITS);
  assert.ok(model.listeners > 0);
  end();
  assert.equal(model.listeners, 0);
});
