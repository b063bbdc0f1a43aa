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

UNTIL_IDLE: Final = """(patience) => new Promise((resolve, reject) => {
  const table = document.getElementById("table");
  const observer = new MutationObserver(() => "busy" in table.dataset || done(resolve));
  const timer = setTimeout(() => done(() => reject(new Error("a move is not answered"))), patience);
  const done = (end) => { observer.disconnect(); clearTimeout(timer); end(); };
  observer.observe(table, { attributes: true, attributeFilter: ["data-busy"] });
  if (!("busy" in table.dataset)) done(resolve);
})"""
"""Resolves as soon as nothing is under way, whatever has come of it."""

UNTIL_PAINTED: Final = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Resolves when all that has changed by now is on the screen, and noted."""

REST: Final = """(selector) => {
  const table = document.getElementById("table").getBoundingClientRect();
  const element = document.querySelector(selector);
  const at = (name) => parseFloat(element.style.getPropertyValue(name));
  return [table.x + at("--x"), table.y + at("--y"), element.offsetWidth, element.offsetHeight];
}"""
"""Where an element lies when its flight is over: x, y, width, height."""

REST_OF_A_MOVABLE: Final = """(share) => {
  const table = document.getElementById("table").getBoundingClientRect();
  const movable = document.querySelectorAll("#table .card.movable:not([data-pile^=F])");
  const element = movable[Math.floor(share * movable.length)];
  if (!element) return null;
  const at = (name) => parseFloat(element.style.getPropertyValue(name));
  return [table.x + at("--x"), table.y + at("--y"), element.offsetWidth, element.offsetHeight];
}"""
"""The same for one of the cards that can be moved, the share (0 to 1) says which; null where there is none."""

OPEN_NUMBER: Final = """() => { document.getElementById("deal-number").closest("details").open = true; }"""

WATCH: Final = """() => {
  const found = { latencies: [], tasks: [], frames: [] };
  window.bench = found;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) found.tasks.push([startTime, duration]);
  }).observe({ type: "longtask" });
  let input = null;
  let flying = 0;
  for (const type of ["pointerup", "keydown"]) {
    addEventListener(type, (event) => { input = event.timeStamp; }, { capture: true });
  }
  // A callback of a frame runs before it is painted, and the message that it sends after. One channel for all: a
  // browser never frees one whose ends are open.
  const { port1, port2 } = new MessageChannel();
  const painted = [];
  port1.onmessage = () => painted.shift()();
  const afterPaint = (run) => requestAnimationFrame(() => {
    painted.push(run);
    port2.postMessage(null);
  });
  const watchFrames = (now) => requestAnimationFrame((next) => {
    found.frames.push(next - now);
    if (next < flying) watchFrames(next);
  });
  new MutationObserver(() => {
    if (input === null) return;
    const start = input;
    input = null;
    afterPaint(() => found.latencies.push(performance.now() - start));
    const idle = flying < performance.now();
    flying = performance.now() + 190;
    if (idle) requestAnimationFrame(watchFrames);
  }).observe(document.getElementById("table"), { subtree: true, childList: true, attributeFilter: ["data-place"] });
}"""
"""Notes, from an input to the paint of the first frame in which a card has another place; long tasks, as start and
duration; and the time between frames while cards fly."""

TAKE_OFF: Final = "() => Object.fromEntries(Object.entries(bench).map(([name, noted]) => [name, noted.splice(0)]))"
"""Gives what was noted and forgets it, so that the page does not grow by it."""
