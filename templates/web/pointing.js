// What can be pointed at on a picture: by a finger, a mouse, arrow keys; and what is said beside it.

import { byId } from "./dom.js";
import { shape } from "./picture.js";

/** @typedef {import("./types").Area} Area */

/**
 * Where arrow keys lead: in the order of reading, and up or down where something lies there.
 * @type {Record<string, { step: number, down: number }>}
 */
export const ARROWS = {
  ArrowRight: { step: 1, down: 0 },
  ArrowDown: { step: 1, down: 1 },
  ArrowLeft: { step: -1, down: 0 },
  ArrowUp: { step: -1, down: -1 },
};
/** So long a finger lies on something to ask what it would do, in ms. */
const LONG = 450;

/**
 * @param {Area} area
 * @param {string} kind
 */
export function area([x, y, width, height, turn], kind) {
  const g = shape("g", { class: kind });
  const rect = shape("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 14 });
  if (turn) rect.setAttribute("transform", `rotate(${turn} ${x} ${y})`);
  g.append(rect);
  return g;
}

/**
 * @param {SVGElement} g
 * @param {string} label
 * @param {string} press
 * @param {string} would
 */
export function name(g, label, press, would = "") {
  g.setAttribute("role", "button");
  g.setAttribute("tabindex", "-1");
  g.setAttribute("aria-label", would ? `${label}: ${would}` : label);
  Object.assign(g.dataset, { label, press, would });
}

/**
 * Shows what a press would do while a person points at something, has the focus on it, or keeps a
 * finger on it for a while: then nothing is done when the finger is lifted.
 * @param {SVGElement | HTMLElement} g
 * @param {() => void} show
 * @param {() => void} hide
 */
export function asks(g, show, hide) {
  let timer = 0,
    since = 0,
    touched = false;
  g.onpointerenter = show;
  // A person who touches it sees it already.
  g.onfocus = () => {
    if (!touched && g.matches(":focus-visible")) show();
  };
  g.onpointerleave = g.onblur = hide;
  g.oncontextmenu = e => e.preventDefault();
  g.onpointerdown = e => {
    since = e.timeStamp;
    touched = true;
    clearTimeout(timer);
    timer = setTimeout(() => {
      g.dataset.held = "yes";
      show();
    }, LONG);
  };
  for (const end of /** @type {const} */ (["pointerup", "pointercancel", "pointerleave"])) {
    g.addEventListener(end, e => {
      clearTimeout(timer);
      // A busy page hears late that it was lifted.
      if (end === "pointerup") g.dataset.held = e.timeStamp - since < LONG ? "" : "yes";
      // A finger that is gone points at nothing, though the focus may come after it.
      if (/** @type {PointerEvent} */ (e).pointerType === "touch") hide();
      setTimeout(() => (touched = false), LONG);
    });
  }
}

export const isHeld = (/** @type {SVGElement | HTMLElement} */ g) => {
  const held = g.dataset.held === "yes";
  delete g.dataset.held;
  return held;
};

/** The action whose preview is wanted; it may have changed before its place is known.
 * @type {SVGElement | null} */
let told = null;

/**
 * Says beside something what would come of it; nothing of nothing.
 * @param {SVGElement | null} g
 */
export function tell(g) {
  told = g?.dataset.would ? g : null;
  byId("table-would").hidden = true;
  if (told) void import("./bubble.js").then(it => told === g && told && it.show(told));
}

/**
 * What comes next in a direction.
 * @param {HTMLElement} here
 * @param {HTMLElement[]} every
 * @param {{ step: number, down: number }} arrow
 */
export function beside(here, every, { step, down }) {
  const from = here.getBoundingClientRect();
  const far = (/** @type {HTMLElement} */ it) => {
    const to = it.getBoundingClientRect(),
      along = (to.top + to.bottom - from.top - from.bottom) * down,
      aside = Math.abs(to.left + to.right - from.left - from.right);
    return along > from.height ? along + 2 * aside : Infinity;
  };
  const [nearest] = down ? [...every].sort((a, b) => far(a) - far(b)) : [];
  if (nearest && far(nearest) < Infinity) return nearest;
  return every[(every.indexOf(here) + step + every.length) % every.length];
}
