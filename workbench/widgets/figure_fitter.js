/* Keeps plotly pictures as wide as the region they stand in.
 *
 * A FigureWidget measures its place once, often before it has one, and later listens to the window only. This element
 * stands in the region, watches its size, and sends the window event whenever a picture in it is not as wide.
 */

function render({ el }) {
  el.style.display = "none";
  let region = null;
  let due = 0;

  const fit = () => {
    due = 0;
    const misfits = [...region.querySelectorAll(".js-plotly-plot")].some((plot) => {
      const drawn = plot.querySelector(".main-svg");
      const room = plot.parentElement?.clientWidth ?? 0;
      return drawn && plot.offsetParent !== null && room > 0 && Math.abs(drawn.clientWidth - room) > 2;
    });
    if (misfits) window.dispatchEvent(new Event("resize"));
  };
  const soon = () => {
    if (!due) due = requestAnimationFrame(fit);
  };
  const sizes = new ResizeObserver(soon);
  const arrivals = new MutationObserver(soon);
  // The element is put into the page after render returns.
  const start = requestAnimationFrame(function find() {
    region = el.closest(".wb-picture");
    if (!region) {
      if (el.isConnected) return;
      due = requestAnimationFrame(find);
      return;
    }
    due = 0;
    sizes.observe(region);
    arrivals.observe(region, { childList: true, subtree: true });
    soon();
  });
  return () => {
    cancelAnimationFrame(start);
    cancelAnimationFrame(due);
    sizes.disconnect();
    arrivals.disconnect();
  };
}

export default { render };
