// @ts-check
/** A button that goes on doing what it does for as long as it is held down. */

const FIRST_MS = 400;
const EACH_MS = 110;

/**
 * @param {HTMLElement} button
 * @param {() => void} run
 * @param {() => boolean} ready whether the last time is done: what is held down leaves nothing to do when it is let go
 */
export function repeatWhileHeld(button, run, ready) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let repeated = false;
  const stop = () => clearTimeout(timer);
  const again = () => {
    repeated = true;
    if (ready()) run();
    timer = setTimeout(again, EACH_MS);
  };
  button.addEventListener("pointerdown", (event) => {
    repeated = false;
    stop();
    if (event.isPrimary && event.button === 0) timer = setTimeout(again, FIRST_MS);
  });
  for (const type of ["pointerup", "pointercancel", "pointerleave"]) button.addEventListener(type, stop);
  addEventListener("blur", stop);
  button.addEventListener("contextmenu", (event) => event.preventDefault()); // what a long press of a finger means elsewhere
  button.addEventListener("click", () => {
    // The click that ends a long press has been done already.
    if (!repeated) run();
    repeated = false;
  });
}
