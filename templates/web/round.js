// The result of a finished round, over the board but never over a hand or buttons. Collapses to a
// bar when play continues, and stays until the player closes it, also over a reload. Loaded on first
// use.

import { session } from "./api.js";
import { byId, loadStylesheet } from "./dom.js";
import { createElement, drawIcons } from "./messages.js";
import { showError } from "./toasts.js";
import { t } from "./words.js";

loadStylesheet(new URL("./round.css", import.meta.url)).catch(showError);

const panel = createElement("details");
panel.id = "round";
/** The table and the number of the shown round, its text, and the moment in which it was shown; the
 * moment is `null` after the result was collapsed.
 * @typedef {{ table: string, number: number, text: string, moment: number | null }} ShownRound */
/** @type {ShownRound | null} */
let shown = null;

/** The storage key of the number of the last round at a table whose result was closed. */
const closedKey = (/** @type {string} */ table) => `round ${table}`;
const lastClosed = (/** @type {string} */ table) =>
  Number(session.getItem(closedKey(table)) ?? 0);

/** @typedef {import("./types").TableStateView} TableStateView */

/**
 * Shows the result of the last round, unless it was closed before. One that has just ended is open;
 * one that ended before this visit is a bar.
 * @param {TableStateView | null} old the state before, `null` on the first one of a visit
 * @param {TableStateView | null} state
 */
export function showLast(old, state) {
  const round = state?.round;
  const isPlayed = state?.phase === "playing" || (state?.phase === "over" && old);
  if (!state || !round || !isPlayed || round.number <= lastClosed(state.table)) return hide();
  const { table, moment } = state;
  const isNew = old?.table === table && round.number > (old.round?.number ?? 0);
  const isShown = shown?.table === table && shown.number === round.number,
    before = isShown && !isNew ? shown : null,
    text = [titleOf(round), ...round.says].join("\n"),
    next = { table, number: round.number, text };
  if (!before) return draw(round, { ...next, moment: isNew ? moment : null });
  if (before.moment !== null && before.moment !== moment) {
    panel.open = false;
    before.moment = null;
  }
  // Another language.
  if (before.text !== text) draw(round, { ...next, moment: before.moment }, panel.open);
}

/** @param {{ number: number }} round */
const titleOf = ({ number }) => t("round", { n: String(number) });

/**
 * Draws the result of a round.
 * @param {{ number: number, says: string[] }} round
 * @param {ShownRound} next
 * @param {boolean} isOpen
 */
function draw({ number, says }, next, isOpen = next.moment !== null) {
  shown = next;
  const title = createElement("b", "", titleOf({ number }));
  const brief = createElement("span", "brief", says[0] ?? "");
  const on = createElement("button", "good", t("go_on"));
  on.type = "button";
  on.addEventListener("click", () => {
    session.setItem(closedKey(next.table), String(number));
    hide();
    byId("table").focus({ preventScroll: true });
  });
  const lines = says.map(it => createElement("p", "", it));
  panel.replaceChildren(createElement("summary", "", title, brief), ...lines, on);
  panel.open = isOpen;
  drawIcons(panel, true);
  byId("table").append(panel);
}

/** Removes the result. */
function hide() {
  shown = null;
  panel.remove();
}
