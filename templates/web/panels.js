// What takes the place of the games of a room: one of the parts that are fetched when they are
// wanted.

import { byId } from "./dom.js";

/**
 * Whether a part is shown.
 * @param {string} name
 */
export const isPanel = name => byId("games").dataset.panel === name;

/**
 * Shows a part in place of the games, or of another part.
 * @param {string} name
 */
export function showPanel(name) {
  byId("games").dataset.panel = name;
  byId("games").scrollTop = 0;
}

/**
 * Shows the games again, if this part is in their place.
 * @param {string} name
 */
export function hidePanel(name) {
  if (!isPanel(name)) return;
  delete byId("games").dataset.panel;
  byId("games").scrollTop = 0;
}
