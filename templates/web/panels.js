// Panels in place of the games panel: analysis, ratings, history.

import { byId } from "./dom.js";

/**
 * Whether a panel is shown.
 * @param {string} name
 */
export const isPanel = name => byId("games").dataset.panel === name;

/**
 * Shows a panel in place of the games or another panel.
 * @param {string} name
 */
export function showPanel(name) {
  byId("games").dataset.panel = name;
  byId("games").scrollTop = 0;
}

/**
 * Closes a panel, so the games are visible again.
 * @param {string} name
 */
export function hidePanel(name) {
  if (!isPanel(name)) return;
  delete byId("games").dataset.panel;
  byId("games").scrollTop = 0;
}

/**
 * Lets Escape in a panel go back, unless something in the panel has used the key.
 * @param {HTMLElement} section
 * @param {() => unknown} goBack
 */
export function goBackOnEscape(section, goBack) {
  section.addEventListener("keydown", e => {
    if (e.key !== "Escape" || e.defaultPrevented) return;
    e.preventDefault();
    e.stopPropagation();
    goBack();
  });
}
