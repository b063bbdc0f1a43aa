"""What a program that plays at the page asks it, as functions that run there."""

from typing import Final

UNTIL_SHOWN: Final = """([version, patience]) => new Promise((resolve, reject) => {
  const table = document.getElementById("table");
  const shown = () => table.dataset.version === String(version) && !("busy" in table.dataset);
  const observer = new MutationObserver(() => shown() && done(resolve));
  const late = () => reject(new Error(`version ${table.dataset.version}, not ${version}`));
  const timer = setTimeout(() => done(late), patience);
  const done = (end) => { observer.disconnect(); clearTimeout(timer); end(); };
  observer.observe(table, { attributes: true });
  if (shown()) done(resolve);
})"""
"""Resolves as soon as a version is on the table and nothing is under way: faster than asking again and again."""

REST: Final = """(selector) => {
  const table = document.getElementById("table").getBoundingClientRect();
  const element = document.querySelector(selector);
  const at = (name) => parseFloat(element.style.getPropertyValue(name));
  return [table.x + at("--x"), table.y + at("--y"), element.offsetWidth, element.offsetHeight];
}"""
"""Where an element lies when its flight is over: x, y, width, height."""
