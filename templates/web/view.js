// What is before one's eyes: one table of a room or none, and on small screens one of three parts.
// Board, chat and games ask here; nothing else decides it.

import { self } from "./api.js";
import { boards, isOpen, plays } from "./rooms.js";

/** @typedef {import("./types").Message} Message */
/** @typedef {"board" | "games" | "chat"} Part */

/** The table that a link leads to, until one goes elsewhere. */
let linked = "";
/** By room: the own table that is shown there; "" after it was put away.
 * @type {Map<string, string>} */
const own = new Map();
/** Own tables that have been shown once: one that is new comes to the front.
 * @type {Set<string>} */
const met = new Set();
/** @type {Part} */
let part = "board";

/** The part that a small screen shows. */
export const shownPart = () => part;

/** @param {Part} next */
export function showPart(next) {
  part = next;
}

/**
 * A link has led here: to a table, or to the room itself.
 * @param {string} table
 */
export function followLink(table) {
  linked = table;
}

/** The table that a link has led to. */
export const linkedTable = () => linked;

/** By room: the finished own table that this person has put away.
 * @returns {Record<string, string>} */
const seen = () => JSON.parse(localStorage.getItem(`seen ${self()?.id}`) ?? "{}");

/**
 * Puts the table of a room away: its games are to be seen.
 * @param {string} room
 */
export function putAway(room) {
  const last = lastFinished(room)?.table;
  if (last && (linked || own.get(room)) === last) {
    localStorage.setItem(`seen ${self()?.id}`, JSON.stringify({ ...seen(), [room]: last }));
  }
  linked = "";
  boards(room).forEach(meet);
  own.set(room, "");
}

/**
 * Shows an own table of a room.
 * @param {string} room
 * @param {string} table
 */
export function bringBack(room, table) {
  linked = "";
  own.set(room, table);
}

/** @param {Message} m */
function meet(m) {
  if (m.table && plays(m)) met.add(m.table);
}

/**
 * The own tables of a room that are open, the one to be shown first.
 * @param {string} room
 */
export function ownTables(room) {
  const mine = boards(room).filter(m => plays(m) && isOpen(m));
  const waits = (/** @type {Message} */ m) => Number(m.waits_for === self()?.id);
  return mine.sort((a, b) => waits(b) - waits(a) || b.id - a.id);
}

/**
 * The last own game of a room that is over.
 * @param {string} room
 */
export const lastFinished = room =>
  boards(room).findLast(m => plays(m) && m.board?.phase === "over");

/** The same until it was put away.
 * @param {string} room */
function unseen(room) {
  const last = lastFinished(room)?.table;
  return last && seen()[room] !== last ? last : "";
}

/**
 * The table that is shown in a room: the one that a link leads to, else an own one. No game of
 * others appears by itself, and only a new own game replaces the own one.
 * @param {string} room
 * @returns {string | null}
 */
export function shownTable(room) {
  const isFirst = !own.has(room);
  const mine = ownTables(room);
  const fresh = mine.find(m => m.table && !met.has(m.table));
  mine.forEach(meet);
  if (isFirst) own.set(room, mine[0]?.table ?? unseen(room));
  else if (fresh?.table) bringBack(room, fresh.table);
  linked = continued(room, linked);
  return linked || own.get(room) || null;
}

/**
 * A spectator of a finished game goes on to its rematch.
 * @param {string} room
 * @param {string} table
 */
function continued(room, table) {
  const all = boards(room);
  const now = all.find(m => m.table === table);
  if (!now || isOpen(now)) return table;
  const players = (/** @type {Message} */ m) => [...(m.board?.players ?? [])].sort().join();
  const next = all.findLast(m => m.id > now.id && isOpen(m) && players(m) === players(now));
  return next?.table ?? table;
}
