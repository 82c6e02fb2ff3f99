/* Draws the plotly figure in the model, and draws it again when it changes.
 *
 * The figure is the model's state and nothing else, so that a view made later, after a reload or in a second cell, draws the
 * present picture. Changes that come in while one is being drawn are drawn once, at the end. plotly.js itself is asked for
 * once per page: it is far too large to be part of every picture, and a picture that is thrown away while it comes loses nothing.
 */

const PATIENCE = 10000;   // milliseconds until a picture that waits asks for itself

/** @typedef {{figure: {data?: object[], layout?: object}, label: string, version: string}} Traits */
/** @typedef {{event: string} | null} Told a library comes with its text as buffer */

/**
 * The library of the model's version: one promise for the page. Whichever picture is answered first answers for all.
 * @param {Model<Traits, Told>} model
 */
function library(model) {
  const known = (globalThis.__workbenchPlotly ??= new Map());
  const version = model.get("version");
  const entry = known.get(version) ?? awaited();
  known.set(version, entry);
  if (entry.loaded) return entry.promise;
  /**
   * @param {Told} message
   * @param {DataView<ArrayBuffer>[]} buffers
   */
  const received = async (message, buffers) => {
    if (message?.event !== "library" || entry.loaded) return;
    entry.loaded = true;
    const url = URL.createObjectURL(new Blob([buffers[0]], { type: "text/javascript" }));
    entry.resolve((await import(url)).default);
    URL.revokeObjectURL(url);
  };
  const ask = () => {
    if (entry.loaded || Date.now() - entry.asked < PATIENCE) return;
    entry.asked = Date.now();
    model.send({ event: "library" });
  };
  const again = setInterval(ask, PATIENCE / 4);
  model.on("msg:custom", received);
  ask();
  return entry.promise.finally(() => {
    clearInterval(again);
    model.off("msg:custom", received);
  });
}

/**
 * A library that nobody has asked for yet.
 * @returns {PlotlyLibrary}
 */
function awaited() {
  /** @type {(library: Plotly) => void} */
  let resolve = () => {};
  /** @type {Promise<Plotly>} */
  const promise = new Promise((kept) => (resolve = kept));
  return { asked: 0, loaded: false, promise, resolve };
}

/** @type {Render<Traits, Told>} */
function render({ model, el }) {
  /** @type {PlotElement} */
  const plot = document.createElement("div");
  plot.setAttribute("role", "img");
  el.appendChild(plot);
  let drawing = false;
  let due = false;
  let gone = false;
  /** @type {Plotly | undefined} */
  let drawn;

  const draw = async () => {
    due = true;
    if (drawing) return;
    drawing = true;
    try {
      plot.setAttribute("aria-label", model.get("label"));
      const plotly = (drawn ??= await library(model));
      while (due && !gone) {
        due = false;
        plot.setAttribute("aria-label", model.get("label"));
        // plotly writes into what it is given.
        const { data, layout } = structuredClone(model.get("figure"));
        const first = !plot.on;
        await plotly.react(plot, data ?? [], layout ?? {}, { displayModeBar: false });
        if (first && !gone) plot.on?.("plotly_click", clicked);
      }
    } catch (error) {
      // A page that takes the picture away, as a change of its theme or a cell run again may, leaves nothing to draw on.
      if (!gone && plot.isConnected) throw error;
    } finally {
      drawing = false;
      if (gone) drawn?.purge(plot);
    }
  };
  /** @param {{points: {curveNumber: number, pointNumber: number}[]}} told */
  const clicked = ({ points }) => {
    if (points.length) model.send({ event: "click", trace: points[0].curveNumber, point: points[0].pointNumber });
  };
  model.on("change:figure", draw);
  model.on("change:label", draw);
  draw();
  return () => {
    gone = true;
    model.off("change:figure", draw);
    model.off("change:label", draw);
    // What is being drawn would stumble over an emptied picture; it is emptied as soon as that has ended.
    if (!drawing) drawn?.purge(plot);
  };
}

export default { render };
