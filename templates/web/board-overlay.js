// Marks over a board: played and better moves, hints, previews. Sign, side and line distinguish
// them, not only colour. Loaded on first use.

import { all, byId, loadStylesheet } from "./dom.js";
import { showError } from "./toasts.js";
import { shape } from "./svg-scene.js";

loadStylesheet(new URL("./board-overlay.css", import.meta.url)).catch(showError);

/** @typedef {import("./replay.js").PictureMark} Mark */

/** Creates the mark of an action: a frame around its start, an arrow to its target, and a sign if
 * it has one.
 * @param {string} kind @param {string} sign @param {Mark} mark @param {boolean} inHand
 */
export function createMark(kind, sign, { at, to }, inHand) {
  const g = shape("g", { class: `mark ${kind}` });
  const [x, y, width, height, degrees] = at;
  const frame = shape("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 14 });
  if (degrees) frame.setAttribute("transform", `rotate(${degrees} ${x} ${y})`);
  g.append(frame);
  if (to) {
    const ax = to[0] - x,
      ay = to[1] - y,
      far = Math.hypot(ax, ay);
    if (far > 60) {
      const endX = to[0] - (ax / far) * 34,
        endY = to[1] - (ay / far) * 34;
      const turned = `translate(${to[0]} ${to[1]}) rotate(${(Math.atan2(ay, ax) * 180) / Math.PI})`;
      // Curves around what lies between, each kind on its own side.
      const bow = (kind === "played" ? 0.18 : -0.18) * (Math.abs(ax) > Math.abs(ay) ? 1 : 0.5);
      const middle = [(x + endX) / 2 - ay * bow, (y + endY) / 2 + ax * bow];
      g.append(
        shape("path", { d: `M${x} ${y}Q${middle.join(" ")} ${endX} ${endY}`, class: "shaft" }),
        shape("path", { d: "M0 0L-40 -22L-40 22Z", transform: turned, class: "head" }),
      );
    }
  }
  if (!sign) return g;
  const place = kind === "played" ? -1 : 1;
  const tx = x + place * (width / 2 - 22),
    ty = y - height / 2 + (inHand ? 4 : 0);
  const disc = shape("circle", { cx: tx, cy: ty, r: 27, class: "disc" });
  const label = shape("text", { x: tx, y: ty + 14, "text-anchor": "middle", "font-size": 40 });
  label.textContent = sign;
  g.append(disc, label);
  return g;
}

/**
 * Marks the action that a hint recommends: an arrow on the picture, a frame round its button.
 * @param {import("./svg-scene.js").SceneView} on
 * @param {boolean} inHand whether this is the picture of a hand
 * @param {import("./types").ActionState | null | undefined} action none removes the marks
 */
export function drawHint(on, inHand, action) {
  on.overlay.querySelector(".mark.better")?.remove();
  for (const it of all(byId("table-keys"), ".key")) {
    it.classList.toggle("hinted", it.dataset.press === action?.press);
  }
  const at = action?.at ?? action?.also;
  if (at) on.overlay.append(createMark("better", "★", { at, to: action?.to ?? null }, inHand));
}

/**
 * Shows the moves that an action would make.
 * @param {import("./svg-scene.js").SceneView} on
 * @param {{ at: import("./types").Area, to: import("./types").Area, takes?: boolean }[]} paths
 */
export function drawPreview(on, paths) {
  on.overlay.querySelectorAll(".lead").forEach(it => it.remove());
  const kind = (/** @type {{ takes?: boolean }} */ it) => (it.takes ? "lead takes" : "lead");
  on.overlay.prepend(...paths.map(it => createMark(`${kind(it)} preview`, "", it, false)));
}
