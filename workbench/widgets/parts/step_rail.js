/* The step rail: one place per step, filled where the present is; only recorded steps can be gone to.
 *
 * A slider for the keyboard and for screen readers. It asks by message ({verb: "goto", step}) and waits for the
 * answer in the `position` trait before it asks again, so dragging never queues up work.
 */

const MOST_DOTS = 60;
const MOST_LABELS = 24;

/**
 * @typedef {object} Mark a sign at a step
 * @property {number} step
 * @property {string} kind
 * @property {string} [sign]
 * @property {string} [text]
 * 
 * @typedef {object} Traits
 * @property {number} position
 * @property {number} recorded
 * @property {number} total
 * @property {string[]} labels
 * @property {string[]} hints
 * @property {number} differs_at 0 for no step
 * @property {string} difference
 * @property {Mark[]} marks
 * @property {string} caption
 * @property {string} name
 * @property {string} start
 */

class Rail {
  /** The step that was asked for last, and whether its answer is to come. */
  wanted = 0;
  waiting = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  patience;

  /**
   * @param {Model<Traits>} model
   * @param {HTMLElement} el
   */
  constructor(model, el) {
    this.model = model;
    this.root = element("div", "wb-rail", el);
    this.root.setAttribute("role", "slider");
    this.root.tabIndex = 0;
    this.line = element("div", "wb-rail-line", this.root);
    this.done = element("div", "wb-rail-done", this.root);
    this.recordedLine = element("div", "wb-rail-recorded", this.root);
    this.dots = element("div", "wb-rail-dots", this.root);
    this.handle = element("div", "wb-rail-handle", this.root);
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    this.root.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.root.setPointerCapture(event.pointerId);
      this.root.focus({ preventScroll: true });
      this.ask(this.stepAt(event));
    });
    this.root.addEventListener("pointermove", (event) => {
      if (this.root.hasPointerCapture(event.pointerId)) this.ask(this.stepAt(event));
    });
  }

  total() {
    return Math.max(1, this.model.get("total"), this.model.get("recorded"));
  }

  /** @param {number} step */
  place(step) {
    return `${(100 * step) / this.total()}%`;
  }

  /** @param {PointerEvent} event */
  stepAt(event) {
    const box = this.dots.getBoundingClientRect();
    return Math.round(((event.clientX - box.left) / box.width) * this.total());
  }

  /** @param {number} step */
  ask(step) {
    this.wanted = Math.max(0, Math.min(this.model.get("recorded"), step));
    if (this.waiting || this.wanted === this.model.get("position")) return;
    this.waiting = true;
    this.model.send({ verb: "goto", step: this.wanted });
    // An answer that leaves the position as it is sends no change.
    clearTimeout(this.patience);
    this.patience = setTimeout(() => (this.waiting = false), 1500);
  }

  answered() {
    const more = this.waiting && this.wanted !== this.model.get("position");
    this.waiting = false;
    if (more) this.ask(this.wanted);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const here = this.waiting ? this.wanted : this.model.get("position");
    /** @type {Record<string, number>} */
    const steps = {
      ArrowLeft: here - 1, ArrowDown: here - 1, ArrowRight: here + 1, ArrowUp: here + 1,
      PageDown: here - 10, PageUp: here + 10, Home: 0, End: this.model.get("recorded"),
    };
    if (!(event.key in steps)) return;
    this.ask(steps[event.key]);
    event.preventDefault();
    event.stopPropagation();
  }

  redraw() {
    const { model } = this;
    const [position, recorded, total] = [model.get("position"), model.get("recorded"), this.total()];
    const labels = model.get("labels");
    this.root.setAttribute("aria-label", model.get("name"));
    this.root.setAttribute("aria-valuemin", "0");
    this.root.setAttribute("aria-valuemax", String(recorded));
    this.root.setAttribute("aria-valuenow", String(position));
    this.root.setAttribute("aria-valuetext", model.get("caption"));
    this.handle.style.left = this.done.style.width = this.place(position);
    this.recordedLine.style.width = this.place(recorded);
    this.root.classList.toggle("is-dense", total > MOST_DOTS);
    this.root.classList.toggle("has-labels", total <= MOST_LABELS);

    const dots = [];
    const differs = model.get("differs_at");
    const marks = new Map(model.get("marks").map((mark) => [mark.step, mark]));
    const shown = total <= MOST_DOTS ? [...Array(total + 1).keys()]
      : [...new Set([...(differs > 0 ? [differs] : []), ...marks.keys()])];
    for (const step of shown) {
      const dot = element("div", "wb-rail-dot");
      dot.style.left = this.place(step);
      dot.classList.toggle("is-recorded", step <= recorded);
      dot.classList.toggle("is-past", step <= position);
      dot.classList.toggle("is-different", differs > 0 && step === differs);
      const mark = marks.get(step);
      if (mark) {
        dot.classList.add(`is-${mark.kind}`);
      }
      const signs = [mark?.sign ?? "", differs > 0 && step === differs ? "≠" : ""].join("");
      if (signs) element("span", "wb-rail-sign", dot).textContent = signs;
      const said = [step > 0 && step <= recorded ? model.get("hints")[step - 1] ?? "" : "", mark?.text ?? "",
        differs > 0 && step === differs ? model.get("difference") : ""];
      dot.title = said.filter(Boolean).join("\n");
      dots.push(dot);
      if (total <= MOST_LABELS) {
        const label = element("span", "wb-rail-label");
        label.textContent = step === 0 ? model.get("start") : labels[step - 1] ?? "";
        label.style.left = this.place(step);
        label.style.width = `${96 / total}%`;
        label.classList.toggle("is-past", step <= position);
        dots.push(label);
      }
    }
    this.dots.replaceChildren(...dots);
  }
}

/** @type {Render<Traits>} */
function render({ model, el }) {
  const rail = new Rail(model, el);
  const redraw = () => rail.redraw();
  const answered = () => rail.answered();
  /** @type {(keyof Traits)[]} */
  const names = ["position", "recorded", "total", "labels", "hints", "differs_at", "difference", "marks", "caption", "name", "start"];
  for (const name of names) model.on(`change:${name}`, redraw);
  model.on("change:position", answered);
  redraw();
  return () => {
    for (const name of names) model.off(`change:${name}`, redraw);
    model.off("change:position", answered);
  };
}

export default { render };
