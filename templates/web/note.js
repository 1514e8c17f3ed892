// What the bot answers one person while they play: it lies over the lower part of the board, where
// they look, and not in the chat. It is fetched with the first answer.

import { post, roomPath } from "./api.js";
import { byId } from "./dom.js";
import { draw } from "./messages.js";

/** @typedef {import("./types").Message} Message */
/** @typedef {import("./types").Acts} Acts */

/** The message that is shown.
 * @type {Message | null} */
let shown = null;
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

/** Whether a message is shown here and not in the chat.
 * @param {Message} m */
export const shows = m => shown?.id === m.id && shown.room === m.room;

/**
 * Shows an answer, or how it has changed.
 * @param {Message} m
 */
export function show(m) {
  if (m.gone || !act) return hide();
  shown = m;
  const element = draw(m, { ...act, lives: () => false });
  element.id = "";
  byId("note-text").replaceChildren(element);
  byId("note").hidden = false;
}

/** Shows nothing any more; the answer is in the chat again. */
export function hide() {
  shown = null;
  byId("note").hidden = true;
  byId("note-text").replaceChildren();
}

/** Puts the answer away; it is gone from the chat, too. */
export function close() {
  const m = shown;
  hide();
  if (m) void post(roomPath(m.room, "/dismiss"), { message: m.id }).catch(() => {});
}
