/* Reports how wide the picture region is and how high the head of the picture in front, so that pictures are laid out for the
 * room they have. Shows nothing. */

const STEP = 10;

/** @typedef {{width: number, head: number}} Traits */

/** @type {Render<Traits>} */
function render({ model, el }) {
  el.style.display = "none";
  let frame = 0;
  /** @type {Element | null} */
  let region = null;

  const report = () => {
    if (!region) return;
    /** @type {NodeListOf<HTMLElement>} */
    const heads = region.querySelectorAll(".wb-picture-head");
    const width = Math.floor(region.clientWidth / STEP) * STEP;
    const head = Math.max(0, ...[...heads].map((each) => {
      if (!seen.has(each)) {
        seen.add(each);
        sizes.observe(each);
      }
      return each.offsetHeight;   // 0 behind another tab
    }));
    // A region that is not shown has no width; what it had stays.
    if (width <= 0 || head <= 0 || (width === model.get("width") && head === model.get("head"))) return;
    model.set({ width, head });
    model.save_changes();
  };
  const seen = new WeakSet();
  const sizes = new ResizeObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(report);
  });
  // A head comes into the page when its tab is first opened.
  const added = new MutationObserver((records) => {
    if (!records.some(({ addedNodes }) => addedNodes.length)) return;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(report);
  });
  // The element is put into the page after render returns.
  const find = () => {
    region = el.closest(".wb-picture-region");
    if (region) {
      sizes.observe(region);
      for (const panel of region.querySelectorAll(".lm-StackedPanel, .widget-tab-contents")) added.observe(panel, { childList: true });
    }
    else if (!el.isConnected) frame = requestAnimationFrame(find);
  };
  frame = requestAnimationFrame(find);
  return () => {
    cancelAnimationFrame(frame);
    sizes.disconnect();
    added.disconnect();
  };
}

export default { render };
