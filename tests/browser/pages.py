"""Questions to a page, as scripts that run in it."""

OVERFLOWING = """(selector) => [...document.querySelectorAll(selector)]
  .filter((node) => node.offsetParent !== null && node.scrollWidth > node.clientWidth + 2)
  .map((node) => `${node.className.slice(0, 60)}: ${node.scrollWidth} > ${node.clientWidth}`)"""
"""The elements whose content is wider than they are."""

IN_VIEW = """(selector) => {
  const node = document.querySelector(selector);
  if (!node) return null;
  const box = node.getBoundingClientRect();
  return box.top >= 0 && box.bottom <= window.innerHeight;
}"""
"""Whether the first such element is inside the window; null without one."""

TOO_FAINT = """(selector) => {
  const parse = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = ([r, g, b]) => {
    const linear = (part) => (part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  };
  const background = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const [r, g, b, alpha = 1] = parse(getComputedStyle(at).backgroundColor);
      if (alpha > 0.5) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const faint = [];
  for (const node of document.querySelectorAll(selector)) {
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
    const style = getComputedStyle(node);
    if (!own || node.closest('svg') || node.offsetParent === null || node.disabled || style.visibility === 'hidden') continue;
    const [a, b] = [luminance(parse(style.color)), luminance(background(node))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) faint.push(`${node.textContent.trim().slice(0, 30)}: ${ratio.toFixed(2)}`);
  }
  return [...new Set(faint)];
}"""
"""The texts of such elements whose contrast with their background is under 4.5; disabled controls are not asked for."""
