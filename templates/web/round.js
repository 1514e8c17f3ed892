// The result of a finished round: it stays until it has been read. It lies over the board alone,
// never over a hand or its buttons, and becomes a bar that can be opened again as soon as play goes
// on. It is fetched with the first one.

import { byId, style } from "./dom.js";
import { make } from "./messages.js";
import { refuse } from "./toasts.js";
import { t } from "./words.js";

style(new URL("./round.css", import.meta.url)).catch(refuse);

const panel = make("details");
panel.id = "round";
/** The moment of the game in which the result was shown; `null` once play has gone on.
 * @type {number | null} */
let moment = null;

/**
 * Shows the result of a round.
 * @param {{ number: number, says: string[] }} round
 * @param {number} at the moment of the game
 */
export function show({ number, says }, at) {
  moment = at;
  const title = make("b", "", t("round", { n: String(number) }));
  const brief = make("span", "brief", says[0] ?? "");
  const on = make("button", "good", t("go_on"));
  on.type = "button";
  on.addEventListener("click", () => {
    hide();
    byId("table").focus({ preventScroll: true });
  });
  const lines = says.map(it => make("p", "", it));
  panel.replaceChildren(make("summary", "", title, brief), ...lines, on);
  panel.open = true;
  byId("table").append(panel);
}

/**
 * The game is at this moment now: what is open gives way to what goes on below it.
 * @param {number} now
 */
export function goOn(now) {
  if (moment === null || now === moment) return;
  panel.open = false;
  moment = null;
}

/** Shows no result any more. */
export function hide() {
  panel.remove();
}
