// What the bot answers one person while they play: it lies over the lower part of the board, where
// they look, and not only in the chat.

import { post, roomPath } from "./api.js";
import { byId } from "./dom.js";
import { draw } from "./messages.js";
import { inOrder, room } from "./rooms.js";

/** @typedef {import("./types").Message} Message */
/** @typedef {import("./types").Acts} Acts */

/** What comes so soon after a press comes of it, in ms. */
const SOON = 8000;

/** The message that is shown. */
let shown = 0,
  here = "";
/** Messages up to this one were there before the board came, or were put away. */
let done = 0,
  pressedAt = -Infinity;
/** @type {Acts | null} */
let act = null;

/** @param {Acts} acts what the parts of a message can do */
export function start(acts) {
  act = acts;
  const leave = () => {
    close();
    byId("table").focus({ preventScroll: true });
  };
  byId("note-close").addEventListener("click", leave);
  byId("note").addEventListener("keydown", e => {
    if (e.key !== "Escape") return;
    e.stopPropagation();
    leave();
  });
}

/** Something was pressed on the board: what was answered before has been seen, and what is answered
 * soon belongs here, too. */
export function expect() {
  close();
  awaits();
}

/** What is answered soon belongs here, however large the window is. */
export function awaits() {
  pressedAt = performance.now();
}

/** Whether an answer is expected here. */
const isAwaited = () => performance.now() - pressedAt < SOON;

/** Whether a message is shown here and not in the chat.
 * @param {Message} m */
export const shows = m => m.id === shown && m.room === here;

/** Whether this is an answer that belongs beside the board. */
const fits = (/** @type {Message} */ m) => m.only && !m.table && !m.look && !m.gone;

/**
 * Another room is shown, or another table: what was answered before stays in the chat.
 * @param {string} name
 */
export function enter(name) {
  here = name;
  hide();
  done = Math.max(0, ...room(name).messages.keys());
}

/**
 * A message has come or changed.
 * @param {Message} m
 * @param {boolean} chatIsSeen where it would be seen as well
 */
export function heard(m, chatIsSeen) {
  if (m.room !== here || (m.id !== shown && chatIsSeen && !isAwaited())) return;
  if (m.id === shown && !fits(m)) return hide();
  if (m.id < shown || (m.id <= done && m.id !== shown) || !fits(m) || !act) return;
  shown = m.id;
  const element = draw(m, { ...act, lives: () => false });
  element.id = "";
  byId("note-text").replaceChildren(element);
  byId("note").hidden = false;
}

function hide() {
  shown = 0;
  byId("note").hidden = true;
  byId("note-text").replaceChildren();
}

/** Puts the answer away; it is gone from the chat, too. */
function close() {
  const id = shown;
  done = Math.max(done, id);
  hide();
  const known = inOrder(room(here)).some(it => it.id === id);
  if (known) void post(roomPath(here, "/dismiss"), { message: id }).catch(() => {});
}
