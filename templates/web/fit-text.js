// Keeps the text of a table in sight without scrolling: smaller if need be, then without the oldest
// lines, which the chat has. Loaded after the first view.

import { shownPhase } from "./board.js";
import { all, byId } from "./dom.js";

/** The sizes that are tried, as parts of the usual one; the last one can still be read. */
const SIZES = ["", "0.93em", "0.87em", "0.81em", "0.76em"];

const place = byId("table-text");

/** Fits the text into its place. */
function fit() {
  const parts = all(place, ":scope > div"),
    lines = all(place, ".rest > p");
  const isWhole = () =>
    [place, ...parts].every(it => it.scrollHeight <= it.clientHeight + 1 || !it.clientHeight);
  lines.forEach(it => (it.hidden = false));
  for (const size of SIZES) {
    parts.forEach(it => (it.style.fontSize = size));
    if (isWhole()) return;
  }
  // After the end of a game all of its result can be read.
  if (shownPhase() !== "playing") return;
  for (const it of lines.slice(0, -1)) {
    it.hidden = true;
    if (isWhole()) return;
  }
}

/** Fits the text now, and whenever it or its place changes. */
export function start() {
  new MutationObserver(fit).observe(place, { childList: true, subtree: true });
  new ResizeObserver(fit).observe(place);
  fit();
}
