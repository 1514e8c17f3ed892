// The Back button closes what lies over the board or the games, before it leaves the room: dialogs,
// the viewer, panels, the list of rooms. Loaded after the first view.

import { all, byId, targetOf } from "./dom.js";
import * as viewer from "./viewer-loader.js";

let closeSide = () => {};
/** Whether the history has an entry for what is open; one is enough for all of it. */
let hasEntry = false;

/** @param {() => unknown} close closes the list of rooms */
export function start(close) {
  closeSide = () => void close();
  const observer = new MutationObserver(updateEntry);
  observer.observe(document.body, {
    subtree: true,
    attributeFilter: ["open", "hidden", "aria-expanded", "data-panel"],
  });
  window.addEventListener("popstate", onBack);
  document.addEventListener("click", onLink);
  updateEntry();
  // A reload closes what was open, and keeps the entry.
  removeEntry();
}

/**
 * Functions that close what is open, the topmost first. The welcome must be answered.
 * @returns {(() => void)[]}
 */
function closers() {
  const dialogs = all(document, "dialog[open]:not(#welcome)").reverse();
  const isBack = (/** @type {HTMLElement} */ it) => it.textContent === "←" && it.offsetParent;
  const back = all(byId("games"), "button").find(isBack);
  return [
    ...dialogs.map(it => () => /** @type {HTMLDialogElement} */ (it).close()),
    ...(document.body.classList.contains("side-open") ? [closeSide] : []),
    ...(viewer.isOpen() ? [viewer.close] : []),
    ...(back ? [() => back.click()] : []),
  ];
}

/** Adds the entry once something is open, and removes it once all is closed. */
function updateEntry() {
  const isOpen = closers().length > 0;
  if (isOpen === hasEntry) return;
  hasEntry = isOpen;
  // What closes may lead to another room right after that.
  if (!isOpen) setTimeout(removeEntry);
  else if (!history.state?.isOverlay) history.pushState({ isOverlay: true }, "");
}

/** Leaves an entry for which nothing is open, unless a later one is shown. */
function removeEntry() {
  if (!hasEntry && history.state?.isOverlay) history.back();
}

/**
 * A link replaces the entry of what is open: between two rooms it would stop the Forward button.
 * @param {MouseEvent} e
 */
function onLink(e) {
  const link = targetOf(e).closest('a[href^="#/"]');
  if (!(link instanceof HTMLAnchorElement) || e.defaultPrevented) return;
  if (!history.state?.isOverlay || e.ctrlKey || e.metaKey || e.shiftKey) return;
  e.preventDefault();
  if (link.hash === location.hash) closers()[0]?.();
  else location.replace(link.href);
}

function onBack() {
  // Forward, or Back from a later entry.
  if (history.state?.isOverlay) return removeEntry();
  if (!hasEntry) return;
  hasEntry = false;
  closers()[0]?.();
  // What is still open gets another entry.
  updateEntry();
}
