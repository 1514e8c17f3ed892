// What would come of an action, in words beside it. It is fetched when something is pointed at.

import { all, byId } from "./dom.js";

/**
 * Says what would come of something, beside what else can be pressed and beside the numbers in the
 * middle of a board.
 * @param {SVGElement} g
 */
export function show(g) {
  const bubble = byId("table-would");
  bubble.hidden = false;
  bubble.textContent = g.dataset.would ?? "";
  const at = g.getBoundingClientRect(),
    table = byId("table").getBoundingClientRect(),
    { width, height } = bubble.getBoundingClientRect();
  const centre = (at.left + at.right - width) / 2,
    edge = (g.closest(".picture") ?? g).getBoundingClientRect(),
    within = Math.max(edge.left, Math.min(centre, edge.right - width)),
    middle = (at.top + at.bottom - height) / 2;
  const places = /** @type {[number, number][]} */ ([
    [at.left - width - 6, middle],
    [at.right + 6, middle],
    [within, at.bottom + 6],
    [within, at.top - height - 6],
  ]);
  const boxes = all(byId("table"), ".spot, .goal, .lead, .key")
    .filter(it => it !== /** @type {Element} */ (g))
    .map(it => it.getBoundingClientRect());
  const isFree = (/** @type {[number, number]} */ [x, y]) =>
    x > table.left &&
    x + width < table.right &&
    y > table.top &&
    y + height < table.bottom &&
    !boxes.some(it => x < it.right && it.left < x + width && y < it.bottom && it.top < y + height);
  const [x, y] = places.find(isFree) ?? [within, Math.max(table.top, at.top - height - 6)];
  bubble.style.left = `${x - table.left}px`;
  bubble.style.top = `${y - table.top}px`;
}
