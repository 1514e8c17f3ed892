// Renders a scene as SVG, animates its changes, and handles pointing at its targets.

import { timeLimit, urlOf } from "./api.js";
import { reorderChildren, byId } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
/** The prefix of the ids of drawings in the sheets. */
const ID = "art-";
/** Nodes that move further than this, in units, move above the others; nearer ones only shift. */
const FLIGHT_DISTANCE = 60;

/** @typedef {import("./types").VectorScene} VectorScene */
/** @typedef {import("./types").TextItem} TextItem */
/** @typedef {import("./types").PathItem} PathItem */
/** @typedef {import("./types").DrawnItem} DrawnItem */
/** @typedef {[string, number, number, number, number, number?]} Figure */
/** The pixels per unit, and the offset of a scene in its frame.
 * @typedef {{ unit: number, left: number, top: number }} Scale */
/** A drawn item: `key` identifies the item and its place.
 * @typedef {{ key: string, item: DrawnItem, element: SVGElement }} SceneNode */

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} attributes
 */
export function shape(tag, attributes = {}) {
  const it = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) it.setAttribute(name, String(value));
  return it;
}

/** The longest time in which a sheet arrives. */
const SHEET_MS = 30000;
/** @type {Map<string, Promise<void>>} */
const sheets = new Map();

/**
 * Loads sheets of drawings into the page, each one once.
 * @param {string[]} names
 */
export function loadSheets(names) {
  return Promise.all(
    names.map(name => {
      if (!sheets.has(name)) {
        const fetched = fetchSheet(name).catch(e => {
          sheets.delete(name);
          throw e;
        });
        sheets.set(name, fetched);
      }
      return sheets.get(name);
    }),
  );
}

/** @param {string} name */
async function fetchSheet(name) {
  // A connection may be dead without an error.
  const response = await fetch(urlOf(`/art/${encodeURIComponent(name)}.svg`), {
    signal: timeLimit(SHEET_MS),
  });
  if (!response.ok) throw new Error(`no drawings ${name}`);
  const parsed = new DOMParser().parseFromString(await response.text(), "image/svg+xml");
  const sheet = document.importNode(parsed.documentElement, true);
  sheet.setAttribute("class", "drawings");
  sheet.setAttribute("aria-hidden", "true");
  // Themes use the same ids: removes the sheets of the other theme.
  const [theme = ""] = name.split("-");
  for (const old of document.querySelectorAll(".drawings")) {
    if (old.getAttribute("data-theme") === theme) continue;
    old.remove();
    sheets.delete(String(old.getAttribute("data-name")));
  }
  sheet.setAttribute("data-theme", theme);
  sheet.setAttribute("data-name", name);
  document.body.append(sheet);
}

/**
 * Expands an item to single drawings `[name, x, y, width, height, degrees?]`.
 * @param {VectorScene["items"][number]} item
 * @returns {DrawnItem[]}
 */
function expandItem(item) {
  if (!Array.isArray(item)) return [item];
  const [name, width, height, at, turn] = item;
  /** @type {DrawnItem[]} */
  const all = [];
  for (let n = 0; n < at.length; n += 2) {
    all.push([name, Number(at[n]), Number(at[n + 1]), width, height, turn]);
  }
  return all;
}

/**
 * The name of a drawing; null for texts and lines.
 * @param {DrawnItem} item
 */
const nameOf = item => (Array.isArray(item) ? item[0] : null);

/**
 * @param {DrawnItem} item
 * @returns {SVGElement}
 */
function createElement(item) {
  if (Array.isArray(item)) return createSprite(item);
  if ("text" in item) return createText(item);
  const g = shape("g");
  const { d, head, thick, ink } = item;
  g.append(
    shape("path", {
      d,
      fill: "none",
      stroke: ink,
      "stroke-width": thick,
      "stroke-linejoin": "round",
      "stroke-linecap": head ? "butt" : "round",
    }),
  );
  if (head) g.append(shape("path", { d: `${head}Z`, fill: ink }));
  return g;
}

/** @param {Figure} item */
function createSprite(item) {
  const [name, , , width, height] = item;
  const g = shape("g");
  for (const one of name.split("+")) {
    g.append(shape("use", { href: `#${ID}${one}`, width, height }));
  }
  placeSprite(g, item);
  return g;
}

/**
 * Sets the position of a drawing.
 * @param {SVGElement} g
 * @param {Figure} item
 */
function placeSprite(g, [, x, y, width, height, turn]) {
  for (const use of g.children) {
    use.setAttribute("x", String(x - width / 2));
    use.setAttribute("y", String(y - height / 2));
    if (turn) use.setAttribute("transform", `rotate(${turn} ${x} ${y})`);
    else use.removeAttribute("transform");
  }
}

/** @param {TextItem} item */
function createText({ text, x, y, size, long, anchor, bold, ink }) {
  const it = shape("text", { x, y, "font-size": size, "text-anchor": anchor, fill: ink });
  if (bold) it.setAttribute("font-weight", "bold");
  if (long > 0) {
    it.setAttribute("textLength", String(long));
    it.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  it.textContent = text;
  return it;
}

/** Matches upright screens, for which boards have another layout. */
export const uprightScreen = matchMedia("(max-width: 600px) and (max-aspect-ratio: 3/4)");

/** The most nodes that are animated at once: each is a layer of its own. */
const MOVING_MAX = 24;
/** Drawings that cover a larger share of the scene are background and are not animated. */
const LARGE_SHARE = 1 / 12;

/** A scene in an element; updates touch changed items only. */
export class SceneView {
  /** @param {HTMLElement} frame */
  constructor(frame) {
    this.svg = shape("svg", { role: "img", class: "sheet" });
    this.overlay = shape("svg", { role: "group", class: "sheet spots" });
    /** The background has many lines and never moves, so it is a layer of its own. */
    this.background = shape("svg", { "aria-hidden": "true", class: "sheet background-layer" });
    /** Animations run in a layer above, so that nothing else is redrawn. */
    this.animationLayer = document.createElement("div");
    this.animationLayer.className = "animation-layer";
    frame.replaceChildren(this.svg, this.background, this.animationLayer, this.overlay);
    /** @type {SceneNode[]} */
    this.nodes = [];
    /** @type {SceneNode[]} */
    this.backgroundNodes = [];
    /** @type {SceneNode[]} */
    this.moving = [];
    this.size = [1, 1];
    /** The vertical alignment in a frame that is too high: 0 top, 1 bottom. */
    this.verticalAlign = 0.5;
  }

  /**
   * Aligns the scene at the top (0), the middle (0.5) or the bottom (1) of its frame.
   * @param {0 | 0.5 | 1} standing
   */
  alignVertically(standing) {
    this.verticalAlign = standing;
    const align = { 0: "xMidYMin", 0.5: "xMidYMid", 1: "xMidYMax" }[standing];
    for (const it of [this.svg, this.background, this.overlay]) {
      it.setAttribute("preserveAspectRatio", align);
    }
  }

  /**
   * Shows a scene; moved items are animated for `ms`.
   * @param {VectorScene} picture
   * @param {number} ms
   */
  show(picture, ms) {
    this.finishAnimations();
    this.size = [picture.width, picture.height];
    // Measured before any change, to avoid a second layout.
    const scale = ms ? this.scale() : null;
    for (const it of [this.svg, this.background, this.overlay]) {
      it.setAttribute("viewBox", `0 0 ${this.size.join(" ")}`);
    }
    const items = picture.items.flatMap(expandItem);
    const first = items.findIndex(it => !this.isLarge(it));
    const below = first < 0 ? items.length : first;
    this.backgroundNodes = diffNodes(this.backgroundNodes, items.slice(0, below)).next;
    reorderChildren(
      this.background,
      elementsOf(this.backgroundNodes),
      this.drawBackground(picture).nextSibling,
    );
    const { next, gone, fresh } = diffNodes(this.nodes, items.slice(below));
    reorderChildren(this.svg, elementsOf(next));
    this.nodes = next;
    if (scale) this.animateChanges(gone, fresh, ms, scale);
  }

  /**
   * Draws the background colour.
   * @param {VectorScene} picture
   */
  drawBackground({ width, height, ground }) {
    const it = this.background.firstElementChild ?? this.background.appendChild(shape("rect"));
    for (const [name, value] of Object.entries({ width, height, fill: ground })) {
      it.setAttribute(name, String(value));
    }
    return it;
  }

  /** Removes the scene. */
  clear() {
    this.finishAnimations();
    for (const it of [this.svg, this.background, this.overlay]) it.replaceChildren();
    this.nodes = [];
    this.backgroundNodes = [];
  }

  /** Finishes all animations. */
  finishAnimations() {
    this.animationLayer.replaceChildren();
    for (const it of this.moving) it.element.style.visibility = "";
    this.moving = [];
  }

  /**
   * Animates new nodes from the positions of removed nodes of the same kind.
   * @param {SceneNode[]} gone
   * @param {SceneNode[]} fresh
   * @param {number} ms
   * @param {Scale} scale
   */
  animateChanges(gone, fresh, ms, scale) {
    const pairs = matchByDistance(gone, fresh).filter(it => this.isAnimated(it.to));
    const used = new Set(pairs.map(it => it.to));
    const going = pairs.filter(it => it.far > 1).sort((a, b) => b.far - a.far);
    const far = going.filter(it => it.far > FLIGHT_DISTANCE).reverse();
    const near = going.filter(it => it.far <= FLIGHT_DISTANCE);
    /** @type {(() => Animation)[]} */
    const moves = [
      ...far.map((it, n) => () => {
        const delay = (ms * 0.4 * n) / Math.max(far.length, 1);
        return this.animateMove(it.to, scale, moveKeyframes(it, scale), ms * 0.6, delay);
      }),
      ...fresh
        .filter(it => !used.has(it) && this.isAnimated(it))
        .map(
          it => () => this.animateMove(it, scale, [{ opacity: 0 }, { opacity: 1 }], ms * 0.5, 0),
        ),
      ...near.map(
        it => () => this.animateMove(it.to, scale, moveKeyframes(it, scale), ms * 0.3, 0),
      ),
    ];
    const all = moves.slice(0, MOVING_MAX).map(it => it().finished);
    const current = this.moving;
    // All finish together, because each end redraws the scene.
    const finish = () => this.moving === current && this.finishAnimations();
    Promise.all(all).then(finish, () => {});
  }

  /** Whether changes are animated: those of texts, lines, backgrounds and marks of the player to
   * move are not. */
  isAnimated(/** @type {SceneNode} */ { item }) {
    return !/^$|turn/.test(nameOf(item) ?? "") && !this.isLarge(item);
  }

  /** Whether a drawing is background. */
  isLarge(/** @type {DrawnItem} */ item) {
    const [, , width, height] = boundsOf({ item }),
      [wide = 1, high = 1] = this.size;
    return width * height >= LARGE_SHARE * wide * high;
  }

  /**
   * Measures the scale of the scene in its frame.
   * @returns {Scale}
   */
  scale() {
    const { width, height } = this.svg.getBoundingClientRect(),
      [wide = 1, high = 1] = this.size;
    const unit = Math.min(width / wide, height / high);
    return {
      unit,
      left: (width - unit * wide) / 2,
      top: (height - unit * high) * this.verticalAlign,
    };
  }

  /**
   * Animates a node in the layer above the scene.
   * @param {SceneNode} node
   * @param {Scale} scale
   * @param {Keyframe[]} frames
   * @param {number} duration
   * @param {number} delay
   */
  animateMove(node, { unit, left, top }, frames, duration, delay) {
    const [x, y, width, height] = boundsOf(node);
    // Leaves space for rotation.
    const side = Math.hypot(width, height),
      corner = [x - side / 2, y - side / 2];
    const viewBox = `${corner.join(" ")} ${side} ${side}`,
      box = shape("svg", { viewBox, class: "moving-node" });
    box.append(createElement(node.item));
    box.style.left = `${left + unit * (x - side / 2)}px`;
    box.style.top = `${top + unit * (y - side / 2)}px`;
    box.style.width = box.style.height = `${unit * side}px`;
    this.animationLayer.append(box);
    node.element.style.visibility = "hidden";
    this.moving.push(node);
    return box.animate(frames, { duration, delay, easing: "ease-in-out", fill: "both" });
  }
}

/**
 * Computes the new nodes of a scene; unchanged and moved ones keep their elements.
 * @param {SceneNode[]} before
 * @param {DrawnItem[]} items
 */
function diffNodes(before, items) {
  const same = byName(before, it => it.key),
    keys = items.map(it => JSON.stringify(it));
  const stays = keys.map(key => same.get(key)?.shift());
  const gone = [...same.values()].flat(),
    like = byName(gone, it => appearanceOf(it.item));
  /** @type {SceneNode[]} */
  const fresh = [];
  const next = items.map((item, n) => {
    const stayed = stays[n];
    if (stayed) return stayed;
    const spare = Array.isArray(item) ? like.get(appearanceOf(item))?.shift()?.element : undefined;
    if (spare && Array.isArray(item)) placeSprite(spare, item);
    const made = { key: keys[n] ?? "", item, element: spare ?? createElement(item) };
    fresh.push(made);
    return made;
  });
  [...like.values()].flat().forEach(it => it.element.remove());
  return { next, gone, fresh };
}

const elementsOf = (/** @type {SceneNode[]} */ nodes) => nodes.map(it => it.element);

/**
 * Groups nodes by a name.
 * @param {SceneNode[]} nodes
 * @param {(it: SceneNode) => string} nameOfNode
 */
function byName(nodes, nameOfNode) {
  /** @type {Map<string, SceneNode[]>} */
  const all = new Map();
  for (const it of nodes) {
    const here = all.get(nameOfNode(it));
    if (here) here.push(it);
    else all.set(nameOfNode(it), [it]);
  }
  return all;
}

/**
 * A key for the appearance of an item, independent of its place.
 * @param {DrawnItem} item
 */
function appearanceOf(item) {
  if (!Array.isArray(item)) return JSON.stringify(item);
  const [name, , , width, height] = item;
  return [name, width, height].join();
}

/**
 * Pairs each new node with the nearest removed node of the same kind.
 * @param {SceneNode[]} gone
 * @param {SceneNode[]} fresh
 */
function matchByDistance(gone, fresh) {
  const pairs = [];
  for (const to of fresh.filter(it => nameOf(it.item))) {
    for (const from of gone.filter(it => isSameKind(nameOf(it.item), nameOf(to.item)))) {
      const [ax, ay] = boundsOf(from),
        [bx, by] = boundsOf(to);
      pairs.push({ from, to, far: Math.hypot(ax - bx, ay - by) });
    }
  }
  pairs.sort((a, b) => a.far - b.far);
  const used = new Set();
  return pairs.filter(({ from, to }) => {
    if (used.has(from) || used.has(to)) return false;
    used.add(from).add(to);
    return true;
  });
}

/**
 * Centre, width and height of a drawing.
 * @param {{ item: DrawnItem }} node
 * @returns {[number, number, number, number]}
 */
const boundsOf = ({ item }) =>
  Array.isArray(item) ? [item[1], item[2], item[3], item[4]] : [0, 0, 1, 1];

/**
 * Whether two drawings are of the same kind, perhaps in different sizes.
 * @param {string | null} a
 * @param {string | null} b
 */
const isSameKind = (a, b) =>
  a === b || (a && b && (a.startsWith(`${b}-`) || b.startsWith(`${a}-`)));

/**
 * @param {{ from: SceneNode, to: SceneNode }} pair
 * @param {{ unit: number }} scale
 */
function moveKeyframes({ from, to }, { unit }) {
  const [ax, ay, aw] = boundsOf(from),
    [bx, by, bw] = boundsOf(to);
  const back = `translate(${unit * (ax - bx)}px, ${unit * (ay - by)}px) scale(${aw / bw})`;
  return [{ transform: back }, { transform: "none" }];
}

// ---- targets: pointers, arrow keys, tooltips ----

/** @typedef {import("./types").Area} Area */

/**
 * Arrow keys: steps in reading order, or down and up if there is a target.
 * @type {Record<string, { step: number, down: number }>}
 */
export const ARROWS = {
  ArrowRight: { step: 1, down: 0 },
  ArrowDown: { step: 1, down: 1 },
  ArrowLeft: { step: -1, down: 0 },
  ArrowUp: { step: -1, down: -1 },
};
/** The duration of a long press, which shows the preview. */
const LONG_PRESS_MS = 450;

/**
 * @param {Area} area
 * @param {string} kind
 */
export function createArea([x, y, width, height, turn], kind) {
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
export function labelTarget(g, label, press, would = "") {
  g.setAttribute("role", "button");
  g.setAttribute("tabindex", "-1");
  g.setAttribute("aria-label", would ? `${label}: ${would}` : label);
  Object.assign(g.dataset, { label, press, would });
}

/**
 * Shows the preview of a target on hover, on keyboard focus, and on a long press, after which
 * lifting the finger does not press.
 * @param {SVGElement | HTMLElement} g
 * @param {() => void} show
 * @param {() => void} hide
 */
export function attachPreview(g, show, hide) {
  let timer = 0,
    since = 0,
    touched = false;
  g.onpointerenter = show;
  // No preview for focus by touch.
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
    }, LONG_PRESS_MS);
  };
  for (const end of /** @type {const} */ (["pointerup", "pointercancel", "pointerleave"])) {
    g.addEventListener(end, e => {
      clearTimeout(timer);
      // Uses event times, because a busy page runs timers late.
      if (end === "pointerup") g.dataset.held = e.timeStamp - since < LONG_PRESS_MS ? "" : "yes";
      // A lifted finger no longer points, though focus may follow it.
      if (/** @type {PointerEvent} */ (e).pointerType === "touch") hide();
      setTimeout(() => (touched = false), LONG_PRESS_MS);
    });
  }
}

/** Whether the last press was a long one; resets that. */
export const consumeLongPress = (/** @type {SVGElement | HTMLElement} */ g) => {
  const held = g.dataset.held === "yes";
  delete g.dataset.held;
  return held;
};

/** The target of the tooltip; it may change while the module loads.
 * @type {SVGElement | null} */
let tooltipTarget = null;

/**
 * Shows the tooltip of a target with its consequences, or hides it.
 * @param {SVGElement | null} g
 */
export function showTooltip(g) {
  tooltipTarget = g?.dataset.would ? g : null;
  byId("move-preview").hidden = true;
  if (tooltipTarget)
    void import("./tooltip.js").then(
      it => tooltipTarget === g && tooltipTarget && it.show(tooltipTarget),
    );
}

/**
 * The next target in a direction.
 * @param {HTMLElement} here
 * @param {HTMLElement[]} every
 * @param {{ step: number, down: number }} arrow
 */
export function nextInDirection(here, every, { step, down }) {
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
