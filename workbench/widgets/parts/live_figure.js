/* Draws the plotly figure in the model, and draws it again when it changes.
 *
 * The figure is the model's state and nothing else, so that a view made later, after a reload or in a second cell, draws the
 * present picture. Changes that come in while one is being drawn are drawn once, at the end. plotly.js itself is asked for
 * once per page: it is far too large to be part of every picture, and a picture that is thrown away while it comes loses nothing.
 */

const LIBRARIES = "__workbenchPlotly";
const PATIENCE = 10000;   // milliseconds until a picture that waits asks for itself

/* The library of the model's version: one promise for the page. Whichever picture is answered first answers for all. */
function library(model) {
  const known = (globalThis[LIBRARIES] ??= new Map());
  const version = model.get("version");
  if (!known.has(version)) {
    const entry = { asked: 0, loaded: false };
    entry.promise = new Promise((resolve) => (entry.resolve = resolve));
    known.set(version, entry);
  }
  const entry = known.get(version);
  if (entry.loaded) return entry.promise;
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

/** @type {Render} */
function render({ model, el }) {
  /** @type {HTMLDivElement & {on?: (event: string, handler: (told: any) => void) => void}} plotly adds `on` */
  const plot = document.createElement("div");
  plot.setAttribute("role", "img");
  el.appendChild(plot);
  let drawing = false;
  let due = false;
  let gone = false;
  let Plotly = null;

  const draw = async () => {
    due = true;
    if (drawing) return;
    drawing = true;
    try {
      plot.setAttribute("aria-label", model.get("label"));
      Plotly ??= await library(model);
      while (due && !gone) {
        due = false;
        plot.setAttribute("aria-label", model.get("label"));
        // plotly writes into what it is given.
        const { data, layout } = structuredClone(model.get("figure"));
        const first = !plot.on;
        await Plotly.react(plot, data ?? [], layout ?? {}, { displayModeBar: false });
        if (first && !gone) plot.on?.("plotly_click", clicked);
      }
    } catch (error) {
      // A page that takes the picture away, as a change of its theme or a cell run again may, leaves nothing to draw on.
      if (!gone && plot.isConnected) throw error;
    } finally {
      drawing = false;
      if (gone) Plotly?.purge(plot);
    }
  };
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
    if (!drawing) Plotly?.purge(plot);
  };
}

export default { render };
