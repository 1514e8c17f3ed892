// The tooltip with the consequences of an action. Loaded on first use.

import { all, byId } from "./dom.js";

/** The distance from the target, and between candidate positions, in pixels. */
const GAP = 6,
  STEP = 12;
/** The weight of hidden text compared to hidden targets. */
const TEXT_WEIGHT = 8;

/** @typedef {[number, number]} Corner */

/**
 * Shows the tooltip of a target where it hides no text of the board and as little as possible of
 * other targets.
 * @param {SVGElement} g
 */
export function show(g) {
  const bubble = byId("move-preview");
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
 * Candidate positions: the four sides, then the whole table from near to far.
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
