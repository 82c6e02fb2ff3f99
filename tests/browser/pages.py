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
