// What is before one's eyes: one table of a room or none, and on small screens one of three parts.
// Board, chat and games ask here; nothing else decides it.

import { currentIdentity } from "./api.js";
import { tableMessages, isTableOpen, isPlayer } from "./rooms.js";

/** @typedef {import("./types").Message} Message */
/** @typedef {"board" | "games" | "chat"} PagePart */

/** The table that a link leads to, until one goes elsewhere. */
let linkedTableCode = "";
/** By room: the own table that is shown there; "" after it was put away.
 * @type {Map<string, string>} */
const ownTableByRoom = new Map();
/** Own tables that have been shown once: one that is new comes to the front.
 * @type {Set<string>} */
const seenTables = new Set();
/** @type {PagePart} */
let visiblePart = "board";

/** The part that a small screen shows. */
export const shownPart = () => visiblePart;

/** @param {PagePart} next */
export function showPart(next) {
  visiblePart = next;
}

/**
 * A link has led here: to a table, or to the room itself.
 * @param {string} table
 */
export function followLink(table) {
  linkedTableCode = table;
}

/** The table that a link has led to. */
export const linkedTable = () => linkedTableCode;

/** By room: the finished own table that this person has put away.
 * @returns {Record<string, string>} */
const closedTables = () =>
  JSON.parse(localStorage.getItem(`seen ${currentIdentity()?.id}`) ?? "{}");

/**
 * Puts the table of a room away: its games are to be seen.
 * @param {string} room
 */
export function closeTable(room) {
  const last = lastFinished(room)?.table;
  if (last && (linkedTableCode || ownTableByRoom.get(room)) === last) {
    localStorage.setItem(
      `seen ${currentIdentity()?.id}`,
      JSON.stringify({ ...closedTables(), [room]: last }),
    );
  }
  linkedTableCode = "";
  tableMessages(room).forEach(markSeen);
  ownTableByRoom.set(room, "");
}

/**
 * Shows an own table of a room.
 * @param {string} room
 * @param {string} table
 */
export function openTable(room, table) {
  linkedTableCode = "";
  ownTableByRoom.set(room, table);
}

/** @param {Message} m */
function markSeen(m) {
  if (m.table && isPlayer(m)) seenTables.add(m.table);
}

/**
 * The own tables of a room that are open, the one to be shown first.
 * @param {string} room
 */
export function ownTables(room) {
  const own = tableMessages(room).filter(m => isPlayer(m) && isTableOpen(m));
  const waitsForMe = (/** @type {Message} */ m) => Number(m.waits_for === currentIdentity()?.id);
  return own.sort((a, b) => waitsForMe(b) - waitsForMe(a) || b.id - a.id);
}

/**
 * The last own game of a room that is over.
 * @param {string} room
 */
export const lastFinished = room =>
  tableMessages(room).findLast(m => isPlayer(m) && m.board?.phase === "over");

/** The same until it was put away.
 * @param {string} room */
function unclosedFinishedTable(room) {
  const last = lastFinished(room)?.table;
  return last && closedTables()[room] !== last ? last : "";
}

/**
 * The table that is shown in a room: the one that a link leads to, else an own one. No game of
 * others appears by itself, and only a new own game replaces the own one.
 * @param {string} room
 * @returns {string | null}
 */
export function shownTable(room) {
  const isFirst = !ownTableByRoom.has(room);
  const ownOpenTables = ownTables(room);
  const newTable = ownOpenTables.find(m => m.table && !seenTables.has(m.table));
  ownOpenTables.forEach(markSeen);
  if (isFirst) ownTableByRoom.set(room, ownOpenTables[0]?.table ?? unclosedFinishedTable(room));
  else if (newTable?.table) openTable(room, newTable.table);
  linkedTableCode = followRematch(room, linkedTableCode);
  return linkedTableCode || ownTableByRoom.get(room) || null;
}

/**
 * A spectator of a finished game goes on to its rematch.
 * @param {string} room
 * @param {string} table
 */
function followRematch(room, table) {
  const all = tableMessages(room);
  const now = all.find(m => m.table === table);
  if (!now || isTableOpen(now)) return table;
  const players = (/** @type {Message} */ m) => [...(m.board?.players ?? [])].sort().join();
  const next = all.findLast(m => m.id > now.id && isTableOpen(m) && players(m) === players(now));
  return next?.table ?? table;
}
