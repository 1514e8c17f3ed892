// What would come of an action, in words beside it. It is fetched when something is pointed at.

import { all, byId } from "./dom.js";

/** The distance from what it speaks of, and between the places that are tried, in pixels. */
const GAP = 6,
  STEP = 12;
/** How much worse it is to hide a word or a number than something that can be pressed. */
const TEXT_WEIGHT = 8;

/** @typedef {[number, number]} Corner */

/**
 * Says what would come of something: beside it, where this hides no word or number of the board and
 * as little as possible of what else can be pressed.
 * @param {SVGElement} g
 */
export function show(g) {
  const bubble = byId("table-would");
  bubble.hidden = false;
  bubble.textContent = g.dataset.would ?? "";
  const table = byId("table").getBoundingClientRect(),
    { width, height } = bubble.getBoundingClientRect();
  const boxes = all(byId("table"), ".spot, .goal, .lead, .key, .sheet text").map(it => ({
    box: it.getBoundingClientRect(),
    worth: it.matches("text") ? TEXT_WEIGHT : 1,
  }));
  const hiddenArea = (/** @type {Corner} */ [x, y]) => {
    const isInside =
      x > table.left && x + width < table.right && y > table.top && y + height < table.bottom;
    if (!isInside) return Infinity;
    return boxes.reduce((sum, { box, worth }) => {
      const wide = Math.min(x + width, box.right) - Math.max(x, box.left),
        high = Math.min(y + height, box.bottom) - Math.max(y, box.top);
      return wide > 0 && high > 0 ? sum + worth * wide * high : sum;
    }, 0);
  };
  let [best, least] = [/** @type {Corner} */ ([table.left, table.top]), Infinity];
  for (const corner of corners(g, table, width, height)) {
    const much = hiddenArea(corner);
    if (much < least) [best, least] = [corner, much];
    if (!least) break;
  }
  bubble.style.left = `${best[0] - table.left}px`;
  bubble.style.top = `${best[1] - table.top}px`;
}

/**
 * Where it may lie: at one of the four sides, then everywhere on the table from near to far.
 * @param {SVGElement} g
 * @param {DOMRect} table
 * @param {number} width
 * @param {number} height
 * @returns {Corner[]}
 */
function corners(g, table, width, height) {
  const at = g.getBoundingClientRect(),
    edge = (g.closest(".picture") ?? g).getBoundingClientRect(),
    centre = (at.left + at.right - width) / 2,
    middle = (at.top + at.bottom - height) / 2,
    within = Math.max(edge.left, Math.min(centre, edge.right - width)),
    [before, after] = [at.left - width - GAP, at.right + GAP];
  /** @type {Corner[]} */
  const beside = [
    [before, middle],
    [after, middle],
    [within, at.bottom + GAP],
    [within, at.top - height - GAP],
  ];
  /** @type {Corner[]} */
  const others = [];
  for (let y = table.top + 1; y + height < table.bottom; y += STEP) {
    for (let x = table.left + 1; x + width < table.right; x += STEP) others.push([x, y]);
  }
  const far = (/** @type {Corner} */ [x, y]) => Math.hypot(x - centre, y - middle);
  return [...beside, ...others.sort((a, b) => far(a) - far(b))];
}
