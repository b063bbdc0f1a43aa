// @ts-check
/** Small helpers for elements. */

/** The element with an id, which the page must have. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element #${id}`);
  return element;
}

/**
 * A new element.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Copy a text to where it can be pasted from. @param {string} text @returns {Promise<boolean>} whether the browser let it */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // refused, or not there outside of https
  }
}

/** @param {string} id @returns {HTMLDialogElement} */
export const dialog = (id) => /** @type {HTMLDialogElement} */ (byId(id));

/** What had the focus before the first dialog opened, and whether that was seen, as it is after a key. */
let before = { element: /** @type {Element | null} */ (null), seen: false };

/** The one before closes under the new one: in between the whole page would come to life, and be styled for it. @param {string} id */
export function openDialog(id) {
  const { activeElement: element } = document;
  const open = /** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll("dialog[open]"));
  if (!open.length) before = { element, seen: Boolean(element?.matches(":focus-visible")) };
  if (!dialog(id).open) dialog(id).showModal();
  for (const other of open) if (other.id !== id) other.close();
}

/** @returns {Promise<unknown>} when some dialog has closed; another may be open in its place */
export function dialogClosed() {
  return new Promise((resolve) => document.addEventListener("close", resolve, { capture: true, once: true }));
}

/** A press beside a dialog, or on its close button, closes it. */
export function closeDialogsByPress() {
  document.addEventListener("click", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const closes = target instanceof HTMLDialogElement ? !inside(target, event) : target.closest("[data-closes]");
    if (closes) target.closest("dialog")?.close();
  });
}

/**
 * After the last dialog the focus is where the keyboard opened it, as browsers have it, or where the dialog's end has put
 * it; but who opened it by a press, or from what is gone, goes on elsewhere.
 * @param {() => void} goOn
 */
export function leaveDialogsTo(goOn) {
  const closed = () => {
    if (document.querySelector("dialog[open]")) return;
    const { activeElement: now, body } = document;
    const lost = now === body || Boolean(now?.closest("dialog")); // browsers leave it for a moment in what is closed
    if (lost && before.seen) /** @type {HTMLElement | null} */ (before.element)?.focus();
    if ((lost && document.activeElement === now) || (now === before.element && !before.seen)) goOn();
  };
  document.addEventListener("close", closed, { capture: true });
}

/** @param {HTMLElement} element @param {MouseEvent} event */
function inside(element, event) {
  const box = element.getBoundingClientRect();
  return event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
}

/**
 * Options of a select.
 * @param {HTMLSelectElement} select
 * @param {[string, string][]} options value and text
 * @param {string} chosen
 */
export function fillSelect(select, options, chosen) {
  select.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
  select.value = chosen;
}
