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

/**
 * Adds a style sheet to the page, and waits until it counts.
 * @param {URL} address
 */
export async function style(address) {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = address.href;
  const loaded = new Promise((done, fail) => {
    sheet.addEventListener("load", done);
    sheet.addEventListener("error", fail);
  });
  document.head.append(sheet);
  await loaded;
}

/**
 * Updates the children of an element to one for each item. An item keeps its element:
 * an element that stays keeps its focus, its place in the reading order and its running pictures.
 * @template T
 * @template {HTMLElement} E
 * @param {Element} parent
 * @param {T[]} items
 * @param {(item: T) => string} key what an item is known by
 * @param {(item: T) => E} create
 * @param {(element: E, item: T) => void} change called for new elements, too
 */
export function update(parent, items, key, create, change) {
  const old = new Map(all(parent, ":scope > [data-key]").map(it => [it.dataset.key ?? "", it]));
  const wanted = new Set(items.map(key));
  for (const [name, it] of old) if (!wanted.has(name)) it.remove();
  let next = parent.firstElementChild;
  for (const item of items) {
    const name = key(item);
    const element = /** @type {E | undefined} */ (old.get(name)) ?? create(item);
    element.dataset.key = name;
    change(element, item);
    if (element === next) next = next.nextElementSibling;
    else parent.insertBefore(element, next);
  }
}
