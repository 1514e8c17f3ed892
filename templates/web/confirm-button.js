// A button whose first press asked for a second one looks different until that would no longer
// count: for a minute, or until its reader has moved. It is fetched with the first question.

import { isOnTurn, shownMoment } from "./board.js";
import { byId } from "./dom.js";
import { t } from "./words.js";

/** So long a first press counts, in ms. */
const CONFIRM_WINDOW_MS = 60_000;
/** How often the table is looked at, in ms. */
const POLL_MS = 250;

/**
 * Marks a button. Its size stays, so that nothing moves under the pointer.
 * @param {Element} button
 * @param {string} question what is read out
 */
export function askToConfirm(button, question) {
  byId("said").textContent = question;
  if (!(button instanceof HTMLElement) || button.classList.contains("armed")) return;
  const label = button.textContent ?? "";
  const end = performance.now() + CONFIRM_WINDOW_MS;
  let moment = shownMoment(),
    wasOnTurn = isOnTurn();
  button.style.height = `${button.offsetHeight}px`;
  button.classList.add("armed");
  button.textContent = t("press_again", { label });
  const timer = setInterval(() => {
    const hasMoved = wasOnTurn && shownMoment() !== moment;
    [moment, wasOnTurn] = [shownMoment(), isOnTurn()];
    if (button.isConnected && !hasMoved && performance.now() < end) return;
    clearInterval(timer);
    button.style.height = "";
    button.classList.remove("armed");
    button.textContent = label;
  }, POLL_MS);
}
