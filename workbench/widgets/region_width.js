/* Reports how wide the picture region is, so that pictures are laid out for the room they have. Shows nothing. */

const STEP = 10;

function render({ model, el }) {
  el.style.display = "none";
  let frame = 0;
  let region = null;

  const report = () => {
    const width = Math.floor(region.clientWidth / STEP) * STEP;
    // A region that is not shown has no width; what it had stays.
    if (width <= 0 || width === model.get("width")) return;
    model.set("width", width);
    model.save_changes();
  };
  const sizes = new ResizeObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(report);
  });
  // The element is put into the page after render returns.
  const find = () => {
    region = el.closest(".wb-picture-region");
    if (region) sizes.observe(region);
    else if (!el.isConnected) frame = requestAnimationFrame(find);
  };
  frame = requestAnimationFrame(find);
  return () => {
    cancelAnimationFrame(frame);
    sizes.disconnect();
  };
}

export default { render };
