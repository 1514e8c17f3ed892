// What the bot answers one person while they play: a sheet over the board, where they look, and not
// in the chat. It never changes the size of the board. It is fetched with the first answer.

import { post, roomPath } from "./api.js";
import { followed, shownPhase } from "./board.js";
import { all, byId, first, style } from "./dom.js";
import { change, draw, make } from "./messages.js";
import { refuse } from "./toasts.js";
import { spell } from "./words.js";

/** @typedef {import("./types").Message} Message */
/** @typedef {import("./types").Acts} Acts */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/** The size of a sheet at most, and of one that can well be read, in pixels. */
const WIDTH = 576,
  HEIGHT_MAX = 544,
  WIDTH_MIN = 200,
  HEIGHT = 320;
/** The distance to the edges, in pixels. */
const GAP = 8;

/** The message that is shown.
 * @type {Message | null} */
let shown = null;
/** @type {Acts | null} */
let act = null;
/** Table and phase in which the sheet was opened. */
let moment = "";

const PARTS = `
  <button id="note-close" class="icon" type="button" data-t-label="dismiss">✕</button>
  <div id="note-text"></div>
`;
const note = make("div");
note.id = "note";
note.hidden = true;
note.setAttribute("role", "group");
note.dataset.tLabel = "only_you";
note.innerHTML = PARTS;
byId("table").after(note);
spell(byId("main"));
const styled = style(new URL("./note.css", import.meta.url));
styled.catch(refuse);

/** Called with an answer that is in the chat again.
 * @type {(m: Message) => void} */
let leftToChat = () => {};

/**
 * @param {Acts} acts what the parts of a message can do
 * @param {(m: Message) => void} onLeft called with an answer that is in the chat again
 */
export function start(acts, onLeft) {
  leftToChat = onLeft;
  act = { ...acts, lives: () => false, used };
  byId("note-close").addEventListener("click", leave);
  document.addEventListener("keydown", escape, true);
  document.addEventListener("pointerdown", pressOutside, true);
  const sizes = new ResizeObserver(() => shown && place());
  for (const it of [byId("table"), byId("games")]) sizes.observe(it);
}

/** Where the chat is in front nothing is seen of a sheet. */
const isSeen = () => note.getClientRects().length > 0;

/** @param {KeyboardEvent} e */
function escape(e) {
  const isElsewhere = !byId("offers").hidden || first(document, "dialog[open]");
  if (e.key !== "Escape" || !isSeen() || isElsewhere) return;
  e.stopPropagation();
  e.preventDefault();
  leave();
}

/** What is pressed beside the sheet does what it does: the board can be played under a sheet. The
 * answer stays in the chat. The buttons of the head open something of their own.
 * @param {PointerEvent} e */
function pressOutside(e) {
  if (!isSeen() || !(e.target instanceof Element)) return;
  if (!e.target.closest("#note, #toasts, dialog, #top button")) hide();
}

/** What was pressed on the sheet is done: what it said is in the toast or on the board. A question
 * and pages that turn stay.
 * @param {{ id: number | null, room: string }} m
 * @param {import("./types").Whisper[]} whispers */
function used({ id, room }, whispers) {
  const isShown = shown?.id === id && shown.room === room;
  if (isShown && whispers.every(it => it.brief && !it.again)) leave();
}

function leave() {
  const isInside = note.contains(document.activeElement);
  close();
  if (isInside) byId("table").focus({ preventScroll: true });
}

/** Whether a message is shown here and not in the chat.
 * @param {Message} m */
export const shows = m => shown?.id === m.id && shown.room === m.room;

const now = () => `${followed()} ${shownPhase()}`;

/**
 * Shows an answer, or how it has changed.
 * @param {Message} m
 */
export function show(m) {
  // What would lie under the chat stays in the chat.
  if (m.gone || !act || !part()) return hide();
  const same = shows(m) && !note.hidden ? first(note, ".message") : null;
  shown = m;
  if (same) {
    // Buttons stay where they are while their answers change the words above them.
    const text = first(note, ".text");
    if (text) text.style.minHeight = `${text.offsetHeight}px`;
    return change(same, m, act);
  }
  const element = draw(m, act);
  element.id = "";
  byId("note-text").replaceChildren(element);
  moment = now();
  note.hidden = false;
  void styled.then(place, () => {});
  place();
}

/** Shows nothing any more; the answer is in the chat again. */
export function hide() {
  const m = shown;
  shown = null;
  note.hidden = true;
  byId("note-text").replaceChildren();
  if (m) leftToChat(m);
}

/** Shows nothing any more if the chat is in front now. */
export function giveWay() {
  if (shown && !isSeen()) hide();
}

/** Puts the answer away; it is gone from the chat, too. */
export function close() {
  const m = shown;
  hide();
  if (m) void post(roomPath(m.room, "/dismiss"), { message: m.id }).catch(() => {});
}

/** The table has changed: a sheet of another table or of a phase that has passed has no use, and one
 * that lies over what its reader may do now gives way. */
export function settle() {
  if (!shown) return;
  // Who looks at another table or room finds the answer in the chat again.
  if (!moment.startsWith(`${followed()} `)) return hide();
  if (moment !== now()) return close();
  const needed = need();
  if (needed && overlaps(note.getBoundingClientRect(), needed)) place();
}

// ---- where it lies -----------------------------------------------------------------------

/** @param {Box} a @param {Box} b */
const overlaps = (a, b) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/**
 * What the player needs: what can be touched on the board, the hand and the buttons beside it.
 * @returns {Box | null}
 */
function need() {
  const table = byId("table"),
    spots = all(table, ".spot rect");
  // Where spots can be touched, the keys say the same once more, except beside a hand.
  const isHand = !byId("table-hand").hidden;
  const others = isHand ? "#table-hand, #table-keys" : "#table-keys";
  const found = isHand || !spots.length ? [...spots, ...all(table, others)] : spots;
  const boxes = found.map(it => it.getBoundingClientRect()).filter(it => it.height);
  if (!boxes.length) return null;
  return {
    left: Math.min(...boxes.map(it => it.left)),
    top: Math.min(...boxes.map(it => it.top)),
    right: Math.max(...boxes.map(it => it.right)),
    bottom: Math.max(...boxes.map(it => it.bottom)),
  };
}

/** What is in the place of the board, unless the chat is: there may be games, or something to look
 * at. */
const part = () =>
  all(byId("main"), "#table, #look, #games").find(it => it.getClientRects().length);

/** Lays the sheet where it covers least of what its reader needs. */
function place() {
  const below = part();
  if (!below) return;
  const table = below.getBoundingClientRect();
  const { left, top, right, bottom } = table,
    needed = below.id === "table" ? need() : null;
  if (!needed) return lie(table, "bottom", 0.7 * table.height);
  // Below it is nearest to the thumb.
  /** @type {[Box, "top" | "bottom"][]} */
  const sides = [
    [{ left, right, top: needed.bottom, bottom }, "bottom"],
    [{ left, right, top, bottom: needed.top }, "top"],
    [{ left, right: needed.left, top, bottom }, "bottom"],
    [{ left: needed.right, right, top, bottom }, "bottom"],
  ];
  const [box, edge] = sides.sort((a, b) => room(b[0]) - room(a[0]))[0] ?? [table, "bottom"];
  lie(box, edge, Math.max(box.bottom - box.top - 2 * GAP, 0.4 * table.height));
}

/** How much of a sheet has room in a box.
 * @param {Box} box */
function room({ left, top, right, bottom }) {
  const wide = Math.min(right - left - 2 * GAP, WIDTH);
  return wide < WIDTH_MIN ? 0 : wide * Math.min(bottom - top - 2 * GAP, HEIGHT);
}

/**
 * @param {Box} box
 * @param {"top" | "bottom"} edge
 * @param {number} high what it may take at most
 */
function lie(box, edge, high) {
  const wide = Math.min(box.right - box.left - 2 * GAP, WIDTH),
    px = (/** @type {number} */ it) => `${Math.round(it)}px`;
  Object.assign(note.style, {
    left: px((box.left + box.right - wide) / 2),
    width: px(wide),
    maxHeight: px(Math.min(high, HEIGHT_MAX)),
    top: edge === "top" ? px(box.top + GAP) : "",
    bottom: edge === "bottom" ? px(innerHeight - box.bottom + GAP) : "",
  });
}
