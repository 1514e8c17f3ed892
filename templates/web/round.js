// The result of a finished round: it stays until it has been read. It lies over the board alone,
// never over a hand or its buttons, and becomes a bar that can be opened again as soon as play goes
// on. It is fetched with the first one.

import { byId, loadStylesheet } from "./dom.js";
import { createElement } from "./messages.js";
import { showError } from "./toasts.js";
import { t } from "./words.js";

loadStylesheet(new URL("./round.css", import.meta.url)).catch(showError);

const panel = createElement("details");
panel.id = "round";
/** The moment of the game in which the result was shown; `null` once play has gone on.
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
 * The game is at this moment now: what is open gives way to what goes on below it.
 * @param {number} now
 */
export function collapseIfMoved(now) {
  if (moment === null || now === moment) return;
  panel.open = false;
  moment = null;
}

/** Shows no result any more. */
export function hide() {
  panel.remove();
}
