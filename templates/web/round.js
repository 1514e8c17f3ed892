// The result of a finished round: it stays over the board until it has been read, whatever goes on
// below. It is fetched with the first one.

import { byId, style } from "./dom.js";
import { make } from "./messages.js";
import { refuse } from "./toasts.js";
import { t } from "./words.js";

style(new URL("./round.css", import.meta.url)).catch(refuse);

const panel = make("section");
panel.id = "round";

/**
 * Shows the result of a round.
 * @param {{ number: number, says: string[] }} round
 */
export function show({ number, says }) {
  const title = make("h2", "", t("round", { n: String(number) }));
  title.id = "round-title";
  panel.setAttribute("aria-labelledby", title.id);
  const on = make("button", "good", t("go_on"));
  on.type = "button";
  on.addEventListener("click", () => {
    hide();
    byId("table").focus({ preventScroll: true });
  });
  panel.replaceChildren(title, ...says.map(it => make("p", "", it)), on);
  byId("table").append(panel);
}

/** Shows no result any more. */
export function hide() {
  panel.remove();
}
