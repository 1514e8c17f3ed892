// Decides which table and which pane are visible. Board, chat and games ask this module.

import { currentIdentity, local } from "./api.js";
import { tableMessages, isTableOpen, isPlayer } from "./rooms.js";

/** @typedef {import("./types").Message} Message */
/** @typedef {import("./types").ShownMessage} ShownMessage */
/** @typedef {"board" | "games" | "chat"} PagePart */

/** The table that the address links to, or an empty string. */
let linkedTableCode = "";
/** The own table shown in each room; "" after the user has closed it.
 * @type {Map<string, string>} */
const ownTableByRoom = new Map();
/** Own tables that were shown before; a table not in this set is opened by itself.
 * @type {Set<string>} */
const seenTables = new Set();
/** @type {PagePart} */
let visiblePart = "board";

/** The pane that a small screen shows. */
export const shownPart = () => visiblePart;

/** @param {PagePart} next */
export function showPart(next) {
  visiblePart = next;
}

/**
 * Opens the table of a link; an empty code opens the room itself.
 * @param {string} table
 */
export function followLink(table) {
  linkedTableCode = table;
}

/** The table of the current link, or an empty string. */
export const linkedTable = () => linkedTableCode;

/** The finished own table that the user has closed, by room.
 * @returns {Record<string, string>} */
const closedTables = () =>
  JSON.parse(local.getItem(`seen ${currentIdentity()?.id}`) ?? "{}");

/**
 * Closes the table of a room, which then shows its games.
 * @param {string} room
 */
export function closeTable(room) {
  const last = lastFinished(room)?.table;
  if (last && (linkedTableCode || ownTableByRoom.get(room)) === last) {
    local.setItem(
      `seen ${currentIdentity()?.id}`,
      JSON.stringify({ ...closedTables(), [room]: last }),
    );
  }
  linkedTableCode = "";
  tableMessages(room).forEach(markSeen);
  ownTableByRoom.set(room, "");
}

/**
 * Opens an own table of a room.
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

/** Whether a table waits for the user: for a move, or for the answer to an offered rematch.
 * @param {Message} m */
export const waitsForMe = m => m.waits_for === currentIdentity()?.id;

/**
 * The own tables of a room that are open, and after them finished ones whose rematch is offered:
 * first those that wait for the user, then the newest.
 * @param {string} room
 */
export function ownTables(room) {
  const own = tableMessages(room).filter(m => isPlayer(m) && (isTableOpen(m) || waitsForMe(m)));
  const rank = (/** @type {ShownMessage} */ m) => Number(isTableOpen(m)) * 2 + Number(waitsForMe(m));
  return own.sort((a, b) => rank(b) - rank(a) || b.id - a.id);
}

/**
 * The user's last finished game in a room.
 * @param {string} room
 */
export const lastFinished = room =>
  tableMessages(room).findLast(m => isPlayer(m) && m.board?.phase === "over");

/** The code of that game until the user closes it, then an empty string.
 * @param {string} room */
function unclosedFinishedTable(room) {
  const last = lastFinished(room)?.table;
  return last && closedTables()[room] !== last ? last : "";
}

/**
 * The table to show in a room: the linked one, otherwise an own one. Games of other people never
 * open by themselves, and only a new own game replaces an own game.
 * @param {string} room
 * @returns {string | null}
 */
export function shownTable(room) {
  const isFirst = !ownTableByRoom.has(room);
  const own = ownTables(room);
  const newTable = own.find(m => m.table && isTableOpen(m) && !seenTables.has(m.table));
  own.filter(isTableOpen).forEach(markSeen);
  // A finished game makes room for another one whose rematch is offered.
  const shown = ownTableByRoom.get(room);
  const asked = own.some(m => m.table === shown) ? null : own.find(m => !isTableOpen(m));
  if (isFirst) ownTableByRoom.set(room, own[0]?.table ?? unclosedFinishedTable(room));
  else if (newTable?.table) openTable(room, newTable.table);
  else if (shown && !linkedTableCode && asked?.table) openTable(room, asked.table);
  linkedTableCode = followRematch(room, linkedTableCode);
  return linkedTableCode || ownTableByRoom.get(room) || null;
}

/**
 * Returns the rematch of a finished table that the user watches, otherwise the same table.
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
