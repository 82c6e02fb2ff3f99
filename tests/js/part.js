// A browser part as the page gets it: what is shared put before its file, on a page without a browser.

import { readFile } from "node:fs/promises";
import { JSDOM } from "jsdom";

const PARTS = new URL("../../workbench/widgets/parts/", import.meta.url);

/** The traits of a part, as anywidget gives them to it; what it asks for is kept in `sent`. */
export class Model {
  constructor(traits) {
    this.traits = { ...traits };
    this.handlers = new Map();
    this.sent = [];
    this.saved = 0;
  }

  get(name) {
    if (!(name in this.traits)) throw new Error(`no trait ${name}`);
    return this.traits[name];
  }

  set(name, value) {
    Object.assign(this.traits, typeof name === "string" ? { [name]: value } : name);
  }

  save_changes() {
    this.saved += 1;
  }

  send(content) {
    this.sent.push(content);
  }

  on(event, handler) {
    this.handlers.set(event, [...(this.handlers.get(event) ?? []), handler]);
  }

  off(event, handler) {
    this.handlers.set(event, (this.handlers.get(event) ?? []).filter((each) => each !== handler));
  }

  get listeners() {
    return [...this.handlers.values()].flat().length;
  }

  /** Traits change as when Python changes them. */
  change(traits) {
    this.set(traits);
    for (const name of Object.keys(traits)) for (const handler of this.handlers.get(`change:${name}`) ?? []) handler();
  }
}

/** The part of that file, drawn: its model, its element, and what ends it. */
export async function drawn(file, traits, around = (el) => el) {
  const { window } = new JSDOM("<!doctype html><body></body>", { pretendToBeVisual: true });
  const used = ["window", "document", "HTMLElement", "HTMLButtonElement", "Element", "requestAnimationFrame", "cancelAnimationFrame"];
  for (const name of used) globalThis[name] = name === "window" ? window : window[name];
  const [shared, own] = await Promise.all(["dom.js", file].map((name) => readFile(new URL(name, PARTS), "utf8")));
  const { default: part } = await import(`data:text/javascript,${encodeURIComponent(shared + own)}`);
  const el = window.document.createElement("div");
  around(el);
  if (!el.isConnected) window.document.body.append(el);
  const model = new Model(traits);
  const end = part.render({ model, el });
  return { model, el, end, window };
}
