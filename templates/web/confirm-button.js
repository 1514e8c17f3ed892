// A button that asks for a second press, for a minute or until the user has moved. Loaded on first
// use.

import { isOnTurn, shownMoment } from "./board.js";
import { byId } from "./dom.js";
import { t } from "./words.js";

/** How long the server waits for the second press. */
const CONFIRM_WINDOW_MS = 60_000;
/** The interval between checks of the table. */
const POLL_MS = 250;

/**
 * Asks for a second press of a button. Its size stays, so that nothing moves under the pointer.
 * @param {Element} button
 * @param {string} question the question for screen readers
 */
export function askToConfirm(button, question) {
  byId("said").textContent = question;
  if (!(button instanceof HTMLElement) || button.classList.contains("armed")) return;
  const content = [...button.childNodes],
    label = button.textContent?.trim() ?? "";
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
    button.replaceChildren(...content);
  }, POLL_MS);
}
