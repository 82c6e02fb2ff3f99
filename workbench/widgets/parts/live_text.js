/* Paragraphs that change and are announced politely. Text only, never HTML. */

/** @typedef {{paragraphs: {kind: string, text: string}[], name: string, live: boolean}} Traits */

/** @type {Render<Traits>} */
function render({ model, el }) {
  const region = document.createElement("div");
  region.className = "wb-text";
  region.setAttribute("role", model.get("live") ? "status" : "group");
  region.setAttribute("aria-live", model.get("live") ? "polite" : "off");
  el.appendChild(region);
  const redraw = () => {
    region.setAttribute("aria-label", model.get("name"));
    region.replaceChildren(
      ...model.get("paragraphs").map(({ kind, text }) => {
        const node = document.createElement(kind === "code" ? "code" : "p");
        node.className = `wb-text-${kind}`;
        node.textContent = text;
        return node;
      })
    );
  };
  model.on("change:paragraphs", redraw);
  model.on("change:name", redraw);
  redraw();
  return () => {
    model.off("change:paragraphs", redraw);
    model.off("change:name", redraw);
  };
}

export default { render };
