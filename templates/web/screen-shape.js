// The shape of the screen, for boards that have another layout on upright ones. The keyboard of a
// phone makes a screen wide while a person types; such a change counts only if it stays afterwards.

import { uprightScreen } from "./svg-scene.js";

/** The longest time in which a keyboard disappears after its field has lost the focus. */
const KEYBOARD_MS = 700;

let upright = uprightScreen.matches;
/** @type {(() => void)[]} */
const listeners = [];

/** Whether boards are drawn for an upright screen. */
export const isUpright = () => upright;

/**
 * Registers a callback for changes of the shape.
 * @param {() => void} listener
 */
export const onShape = listener => void listeners.push(listener);

function check() {
  const isTyping = document.activeElement?.matches(":read-write");
  if (isTyping || upright === uprightScreen.matches) return;
  upright = uprightScreen.matches;
  for (const it of listeners) it();
}

uprightScreen.addEventListener("change", check);
document.addEventListener("focusout", () => setTimeout(check, KEYBOARD_MS));
