/* Draws the plotly figure in the model, and draws it again when it changes. Python puts plotly.js itself in front.
 *
 * The figure is the model's state and nothing else, so that a view made later, after a reload or in a second cell, draws the
 * present picture. Changes that come in while one is being drawn are drawn once, at the end.
 */

function render({ model, el }) {
  const plot = document.createElement("div");
  plot.setAttribute("role", "img");
  el.appendChild(plot);
  let drawing = false;
  let due = false;
  let gone = false;

  const draw = async () => {
    due = true;
    if (drawing) return;
    drawing = true;
    try {
      while (due && !gone) {
        due = false;
        plot.setAttribute("aria-label", model.get("label"));
        // plotly writes into what it is given.
        const { data, layout } = structuredClone(model.get("figure"));
        const first = !plot.on;
        await Plotly.react(plot, data ?? [], layout ?? {}, { displaylogo: false });
        if (first && !gone) plot.on("plotly_click", clicked);
      }
    } finally {
      drawing = false;
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
    Plotly.purge(plot);
  };
}

export default { render };
