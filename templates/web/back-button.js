// The Back button closes dialogs, the viewer, panels and the list of rooms before it leaves the
// room. Loaded after the first view.

import { all, byId, targetOf } from "./dom.js";
import * as viewer from "./viewer-loader.js";

let closeSide = () => {};
/** Whether the current entry of the history is the one for what is open. */
let isOnEntry = false;
/** The address of that entry, and of the one below it. */
let address = "";

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

/** Adds the entry once something is open. It stays when all is closed: see `onBack`. */
function updateEntry() {
  if (!history.state?.isOverlay && closers().length) history.pushState({ isOverlay: true }, "");
  isOnEntry = Boolean(history.state?.isOverlay);
  if (isOnEntry) address = location.hash;
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
  const wasOnEntry = isOnEntry;
  isOnEntry = Boolean(history.state?.isOverlay);
  // Forward, or from one room to another.
  if (!wasOnEntry || isOnEntry || location.hash !== address) return;
  const [close] = closers();
  // Everything is closed already: the press is meant for the entry below.
  if (!close) return history.back();
  close();
  // Anything still open gets another entry.
  updateEntry();
}
