// @ts-check
/** Keeps score and time clear of the buttons beside them, whatever the words of a language and a game take. */

/** From one to the next the bar takes less room: buttons without words, then no name of the game. */
const LESS = ["tight", "tighter"];

export function fitBar() {
  const bar = /** @type {HTMLElement} */ (document.querySelector(".bar"));
  const actions = /** @type {HTMLElement} */ (document.querySelector(".actions"));
  const status = /** @type {HTMLElement} */ (document.querySelector(".status"));
  const fit = () => {
    bar.parentElement?.classList.remove(...LESS);
    for (const less of [...LESS, null]) {
      const isBeside = actions.offsetTop < bar.offsetTop + bar.offsetHeight;
      bar.style.setProperty("--beside", isBeside ? `${actions.offsetWidth}px` : "0px");
      if (less === null || bar.scrollWidth <= bar.clientWidth) return;
      bar.parentElement?.classList.add(less);
    }
  };
  const watcher = new ResizeObserver(fit);
  for (const part of [bar, status, actions]) watcher.observe(part);
}
