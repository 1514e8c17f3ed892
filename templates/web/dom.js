// Helpers for finding and updating elements.

/**
 * Returns the element with an id; throws if there is none.
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
 * All elements that match a selector.
 * @param {ParentNode} within
 * @param {string} css
 */
export const all = (within, css) =>
  /** @type {HTMLElement[]} */ ([...within.querySelectorAll(css)]);

/**
 * The first element that matches a selector, if any.
 * @param {ParentNode} within
 * @param {string} css
 */
export const first = (within, css) => /** @type {HTMLElement | null} */ (within.querySelector(css));

/** The focused element. */
export const focusedElement = () => /** @type {HTMLElement | null} */ (document.activeElement);

/**
 * The target of an event.
 * @param {Event} event
 */
export const targetOf = event => /** @type {HTMLElement} */ (event.target);

/**
 * Makes an element focusable while its content overflows, so that keys can scroll it.
 * @param {HTMLElement} it
 */
export function focusIfScrollable(it) {
  it.tabIndex = it.scrollHeight > it.clientHeight ? 0 : -1;
}

/**
 * Adds a style sheet to the page and waits until it is loaded.
 * @param {URL} address
 */
export async function loadStylesheet(address) {
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
 * Sets the text of an element if it differs: screen readers do not read unchanged text again, and
 * it stays selected.
 * @param {Element} it
 * @param {string} text
 */
export function setText(it, text) {
  if (it.textContent !== text) it.textContent = text;
}

/**
 * Updates the children of an element to one for each item. An item keeps its element with its
 * focus, scroll position and animations. Children without a key stay behind those with one.
 * @template T
 * @template {HTMLElement} E
 * @param {Element} parent
 * @param {T[]} items
 * @param {(item: T) => string} key the unique key of an item
 * @param {(item: T) => E} create
 * @param {(element: E, item: T) => void} [change] called for new elements, too
 */
export function update(parent, items, key, create, change) {
  const old = new Map(all(parent, ":scope > [data-key]").map(it => [it.dataset.key ?? "", it]));
  const elements = items.map(item => {
    const name = key(item);
    const element = /** @type {E | undefined} */ (old.get(name)) ?? create(item);
    old.delete(name);
    element.dataset.key = name;
    change?.(element, item);
    return element;
  });
  for (const it of old.values()) it.remove();
  reorderChildren(parent, elements);
}

/**
 * Puts elements in this order, before all other children from one on. Moving restarts animations,
 * so few elements are moved, and never the focused one.
 * @param {Element} parent
 * @param {Element[]} elements
 * @param {ChildNode | null} [from] the position of the first one
 */
export function reorderChildren(parent, elements, from = parent.firstChild) {
  const active = document.activeElement;
  const n = elements.findIndex(it => it.parentNode === parent && it.contains(active));
  const focused = elements[n];
  const place = (/** @type {Element[]} */ part, /** @type {ChildNode | null} */ next) => {
    for (const it of part) {
      // An element that moves back is moved later, instead of all elements behind it.
      if (next && next !== it && next !== focused && next.nextSibling === it) next = it;
      if (next === it) next = it.nextSibling;
      else parent.insertBefore(it, next);
    }
  };
  place(elements.slice(0, Math.max(n, 0)), from);
  place(elements.slice(n + 1), focused ? focused.nextSibling : from);
}
