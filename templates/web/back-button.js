// The Back button closes what lies over the board or the games, before it leaves the room: dialogs,
// the viewer, panels, the list of rooms. Loaded after the first view.

import { all, byId } from "./dom.js";
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

/** Adds the entry once something is open, and removes it once all is closed. */
function updateEntry() {
  const isOpen = closers().length > 0;
  if (isOpen === hasEntry) return;
  hasEntry = isOpen;
  if (isOpen) history.pushState({ isOverlay: true }, "");
  // After a link to another room the entry is no longer the last one.
  else if (history.state?.isOverlay) history.back();
}

function onBack() {
  if (!hasEntry || history.state?.isOverlay) return;
  hasEntry = false;
  closers()[0]?.();
  // What is still open gets another entry.
  updateEntry();
}
