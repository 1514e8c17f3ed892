// Elements of the page: how they are found.

/**
 * An element that the page has.
 * @template {string} Id
 * @param {Id} id
 * @returns {import("./types").ElementOf<Id>}
 */
export function byId(id) {
  /** @type {unknown} */
  const found = document.getElementById(id);
  if (!found) throw new Error(`there is no #${id}`);
  return /** @type {import("./types").ElementOf<Id>} */ (found);
}

/**
 * All elements that fit.
 * @param {ParentNode} within
 * @param {string} css
 */
export const all = (within, css) =>
  /** @type {HTMLElement[]} */ ([...within.querySelectorAll(css)]);

/**
 * The first element that fits, if there is one.
 * @param {ParentNode} within
 * @param {string} css
 */
export const first = (within, css) => /** @type {HTMLElement | null} */ (within.querySelector(css));

/** What has the focus. */
export const focused = () => /** @type {HTMLElement | null} */ (document.activeElement);

/**
 * What an event has come to.
 * @param {Event} event
 */
export const target = event => /** @type {HTMLElement} */ (event.target);

/**
 * What must be scrolled to be read can be reached by keys.
 * @param {HTMLElement} it
 */
export function reachable(it) {
  it.tabIndex = it.scrollHeight > it.clientHeight ? 0 : -1;
}
