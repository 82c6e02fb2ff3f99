/* Lines of text with their numbers: a configuration, a list of limits, a table of requests.
 *
 * The draft is in the model, so that neither a redraw nor a reload of the page loses what was typed. What is wrong is said
 * below the text and marked at its line.
 */

const SEND_AFTER = 250;

/**
 * @typedef {object} Traits
 * @property {string} value
 * @property {string} draft
 * @property {string} problem
 * @property {number} problem_line 0 for none
 * @property {string} note
 * @property {string} hint
 * @property {string} name
 * @property {string} example
 * @property {number} lines
 * @property {boolean} disabled
 * @property {string} apply_label
 * @property {string} discard_label
 * 
 * @typedef {{verb: string, line: number}} Told
 */

class Editor {
  /** What the numbers were drawn for. */
  state = "";
  /** @type {ReturnType<typeof setTimeout> | 0} */
  timer = 0;

  /**
   * @param {Model<Traits, Told>} model
   * @param {HTMLElement} el
   */
  constructor(model, el) {
    this.model = model;
    this.root = element("div", "wb-lines", el);
    const frame = element("div", "wb-lines-frame", this.root);
    this.numbers = element("div", "wb-lines-numbers", frame);
    this.numbers.setAttribute("aria-hidden", "true");
    this.area = element("textarea", "wb-lines-text", frame);
    this.area.spellcheck = false;
    this.area.wrap = "off";
    this.problem = element("p", "wb-text-error", this.root);
    this.problem.setAttribute("role", "alert");
    this.problem.id = `wb-problem-${Math.random().toString(36).slice(2)}`;
    const line = element("div", "wb-lines-tools", this.root);
    this.apply = this.button(line, "apply");
    this.discard = this.button(line, "discard");
    this.note = element("span", "wb-text-note", line);
    this.area.addEventListener("input", () => this.typed());
    this.area.addEventListener("scroll", () => (this.numbers.scrollTop = this.area.scrollTop));
    this.area.addEventListener("blur", () => this.send());
    this.area.addEventListener("keydown", (event) => {
      // Everything typed here is text, neither a verb of the screen nor of the page around it.
      event.stopPropagation();
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        this.ask("apply");
      }
    });
  }

  /**
   * @param {HTMLElement} parent
   * @param {"apply" | "discard"} verb
   */
  button(parent, verb) {
    const button = element("button", "wb-tool", parent);
    button.type = "button";
    button.addEventListener("click", () => this.ask(verb));
    return button;
  }

  /** @param {"apply" | "discard"} verb */
  ask(verb) {
    this.send();
    this.model.send({ verb, text: this.area.value });
  }

  typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), SEND_AFTER);
    this.draw(false);
  }

  send() {
    clearTimeout(this.timer);
    this.timer = 0;
    if (this.model.get("draft") === this.area.value) return;
    this.model.set("draft", this.area.value);
    this.model.save_changes();
  }

  /**
   * Go to a line once the box is there to be seen: its tab may be on its way to the front.
   * @param {number} line
   */
  goto(line, tries = 60) {
    if (!this.area.clientHeight) {
      if (tries) requestAnimationFrame(() => this.goto(line, tries - 1));
      return;
    }
    const lines = this.area.value.split("\n");
    const at = Math.min(Math.max(line, 1), lines.length);
    const start = lines.slice(0, at - 1).join("\n").length + (at > 1 ? 1 : 0);
    this.area.focus();
    this.area.setSelectionRange(start, start + lines[at - 1].length);
    this.reveal(at);
  }

  redraw() {
    const draft = this.model.get("draft");
    // What was typed and is not sent yet is newer than anything that comes in.
    if (!this.timer && this.area.value !== draft) this.area.value = draft;
    this.draw(true);
  }

  /** @param {boolean} known what the model says of the text is of this text */
  draw(known) {
    const { model, area } = this;
    const wrong = known ? model.get("problem_line") : 0;
    const many = area.value.split("\n").length;
    const state = `${many} ${wrong}`;
    if (this.state !== state) {
      this.state = state;
      this.numbers.replaceChildren(...Array.from({ length: many }, (_, at) => {
        const number = element("div", at + 1 === wrong ? "is-wrong" : "");
        number.textContent = at + 1 === wrong ? `▸${at + 1}` : String(at + 1);
        return number;
      }));
      this.numbers.scrollTop = area.scrollTop;
      if (wrong > 0) this.reveal(wrong);
    }
    area.setAttribute("aria-label", model.get("name"));
    area.placeholder = model.get("example");
    area.disabled = model.get("disabled");
    area.rows = model.get("lines");
    const problem = model.get("problem");
    if (this.problem.textContent !== problem) this.problem.textContent = problem;
    this.problem.hidden = !problem;
    area.setAttribute("aria-invalid", String(Boolean(problem)));
    if (problem) area.setAttribute("aria-describedby", this.problem.id);
    else area.removeAttribute("aria-describedby");
    const changed = area.value !== model.get("value");
    this.apply.textContent = model.get("apply_label");
    this.discard.textContent = model.get("discard_label");
    this.apply.disabled = area.disabled || !changed;
    this.discard.disabled = !changed;
    this.note.textContent = changed ? model.get("note") : model.get("hint");
  }

  /** @param {number} line */
  reveal(line) {
    const height = this.area.scrollHeight / this.area.value.split("\n").length;
    const top = (line - 1) * height;
    if (top < this.area.scrollTop || top > this.area.scrollTop + this.area.clientHeight - 2 * height) {
      this.area.scrollTop = Math.max(0, top - 2 * height);
    }
  }
}

/** @type {Render<Traits, Told>} */
function render({ model, el }) {
  const editor = new Editor(model, el);
  const redraw = () => editor.redraw();
  /** @type {(keyof Traits)[]} */
  const names = ["value", "draft", "problem", "problem_line", "note", "hint", "name", "example", "disabled", "lines",
    "apply_label", "discard_label"];
  for (const name of names) model.on(`change:${name}`, redraw);
  /** @param {Told} message */
  const told = (message) => {
    if (message.verb === "reveal") editor.goto(message.line);
  };
  model.on("msg:custom", told);
  redraw();
  return () => {
    model.off("msg:custom", told);
    editor.send();
    for (const name of names) model.off(`change:${name}`, redraw);
  };
}

export default { render };
