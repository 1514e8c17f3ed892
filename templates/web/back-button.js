// The Back button closes dialogs, the viewer, panels and the list of rooms before it leaves the
// room; links of the page close all of them but panels. Loaded after the first view.

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

/** The open dialogs, the topmost first. The welcome must be answered. */
const openDialogs = () =>
  /** @type {HTMLDialogElement[]} */ (all(document, "dialog[open]:not(#welcome)").reverse());

/**
 * Functions that close what is open, the topmost first.
 * @returns {(() => void)[]}
 */
function closers() {
  const isBack = (/** @type {HTMLElement} */ it) => it.textContent === "←" && it.offsetParent;
  const back = all(byId("games"), "button").find(isBack);
  return [
    ...openDialogs().map(it => () => it.close()),
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
 * Follows links to rooms, tables and messages without a request, also to the current address.
 * @param {MouseEvent} e
 */
function onLink(e) {
  const link = targetOf(e).closest("a");
  if (!link || e.defaultPrevented || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
  const isOfPage = link.origin === location.origin && link.pathname === location.pathname;
  if (!isOfPage || !link.hash.startsWith("#/") || link.target || link.download) return;
  e.preventDefault();
  // The table is shown by an earlier listener.
  const focus = () => byId("table").focus({ preventScroll: true });
  if (link.closest("#own-tables")) window.addEventListener("hashchange", focus, { once: true });
  openAddress(link.hash);
}

/**
 * Closes what lies over the board, and opens an address of the page. It replaces the entry of what
 * was open: between two rooms that would stop the Forward button.
 * @param {string} hash
 */
export function openAddress(hash) {
  for (const it of openDialogs()) it.close();
  closeSide();
  viewer.close();
  // A browser reports no change to the same address.
  if (hash === location.hash) window.dispatchEvent(new HashChangeEvent("hashchange"));
  else if (history.state?.isOverlay) location.replace(hash);
  else location.hash = hash;
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
