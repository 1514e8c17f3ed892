// The result of a finished round, over the board but never over a hand or buttons. Collapses to a
// bar when play continues, and stays until the player closes it. Loaded on first use.

import { byId, loadStylesheet } from "./dom.js";
import { createElement } from "./messages.js";
import { showError } from "./toasts.js";
import { t } from "./words.js";

loadStylesheet(new URL("./round.css", import.meta.url)).catch(showError);

const panel = createElement("details");
panel.id = "round";
/** The moment in which the result was shown; `null` after it was collapsed.
 * @type {number | null} */
let moment = null;

/**
 * Shows the result of a round.
 * @param {{ number: number, says: string[] }} round
 * @param {number} shownAt the moment of the game
 */
export function show({ number, says }, shownAt) {
  moment = shownAt;
  const title = createElement("b", "", t("round", { n: String(number) }));
  const brief = createElement("span", "brief", says[0] ?? "");
  const on = createElement("button", "good", t("go_on"));
  on.type = "button";
  on.addEventListener("click", () => {
    hide();
    byId("table").focus({ preventScroll: true });
  });
  const lines = says.map(it => createElement("p", "", it));
  panel.replaceChildren(createElement("summary", "", title, brief), ...lines, on);
  panel.open = true;
  byId("table").append(panel);
}

/**
 * Collapses the result if the game has moved on.
 * @param {number} now
 */
export function collapseIfMoved(now) {
  if (moment === null || now === moment) return;
  panel.open = false;
  moment = null;
}

/** Removes the result. */
export function hide() {
  panel.remove();
}
