// What is known of the rooms: people, messages, what has been read. No pixels here.

import { self } from "./api.js";

/** @typedef {import("./types").Message} Message */
/** @typedef {import("./types").ShownMessage} ShownMessage */
/** @typedef {import("./types").Room} Room */

/** @type {Map<string, Room>} */
const rooms = new Map();
const KEEP_READ = "read";

/**
 * A room by name, made when first asked for.
 * @param {string} name
 * @returns {Room}
 */
export function room(name) {
  let found = rooms.get(name);
  if (!found) {
    found = {
      name,
      info: null,
      messages: new Map(),
      older: new Map(),
      from: Infinity,
      sending: [],
      more: false,
      loaded: false,
      typing: new Map(),
      scroll: null,
      changed: new Set(),
    };
    rooms.set(name, found);
  }
  return found;
}

/** @param {string} name */
export const known = name => rooms.has(name);
/** @param {string} name */
export const forget = name => rooms.delete(name);

/**
 * Takes a message in. False if nothing is new in it.
 * @param {Message} m
 */
export function put(m) {
  const it = room(m.room);
  const old = findMessage(it, m.id);
  if (old && old.seq >= m.seq) return false;
  // A message before the loaded ones would leave a gap in the chat: only its board counts.
  const where = m.id >= it.from || it.messages.has(m.id) ? it.messages : it.older;
  where.set(m.id, m);
  return true;
}

/**
 * Takes in a page of messages: those from its first one on are loaded now.
 * @param {string} name
 * @param {Message[]} page
 * @param {boolean} more whether there are earlier ones
 */
export function putPage(name, page, more) {
  const it = room(name);
  it.from = more ? Math.min(it.from, page[0]?.id ?? it.from) : 0;
  page.forEach(put);
  for (const m of it.older.values()) {
    if (m.id < it.from) continue;
    it.older.delete(m.id);
    if (!it.messages.has(m.id)) it.messages.set(m.id, m);
  }
}

/** A message of a room, also one that is older than the loaded ones.
 * @param {Room} it @param {number} id */
export const findMessage = (it, id) => it.messages.get(id) ?? it.older.get(id);

/**
 * Messages in order, without those that are deleted.
 * @param {Room} it
 * @returns {ShownMessage[]}
 */
export const inOrder = it =>
  [...it.messages.values()].flatMap(m => (m.gone ? [] : [m])).sort((a, b) => a.id - b.id);

/** @param {Message} m */
export const mine = m => m.author?.id === self()?.id;

/**
 * Up to which message each room has been read.
 * @returns {Record<string, number>}
 */
function marks() {
  try {
    return JSON.parse(
      sessionStorage.getItem(KEEP_READ) ?? localStorage.getItem(KEEP_READ + self()?.id) ?? "{}",
    );
  } catch {
    return {};
  }
}

/** @param {string} name */
const readUpTo = name => marks()[name] ?? 0;

/** @param {string} name */
export function markRead(name) {
  const newest = Math.max(0, ...room(name).messages.keys());
  room(name).changed.clear();
  const all = marks();
  if (newest <= (all[name] ?? 0)) return false;
  all[name] = newest;
  sessionStorage.setItem(KEEP_READ, JSON.stringify(all));
  if (localStorage.getItem("me")) localStorage.setItem(KEEP_READ + self()?.id, JSON.stringify(all));
  return true;
}

/** @param {string} name */
export const unreadOnes = name => {
  const from = readUpTo(name),
    it = room(name);
  return inOrder(it).filter(m => !mine(m) && (m.id > from || it.changed.has(m.id)));
};

/** @param {string} name */
export const unread = name => unreadOnes(name).length;

/**
 * Whether a message is a private answer, not a hand.
 * @param {ShownMessage} m
 */
export const isAnswer = m => m.only && !m.table;

/**
 * The first private answer of a room that has not been read.
 * @param {string} name
 */
export const unreadAnswer = name => unreadOnes(name).find(isAnswer);

/**
 * Unread messages that call this person: by name, in private, or answering them.
 * @param {string} name
 */
export function waiting(name) {
  const it = room(name);
  const answers = (/** @type {Message} */ m) => {
    const said = m.reply_to && it.messages.get(m.reply_to);
    return said && mine(said);
  };
  const calls = (/** @type {ShownMessage} */ m) =>
    isAnswer(m) ||
    name === "@" ||
    m.spans?.some(span => span.kind === "mention" && span.person === self()?.id) ||
    answers(m);
  return unreadOnes(name).filter(calls).length;
}

/**
 * The boards in a room: the newest message of each table, in the order of the messages.
 * @param {string} name
 * @returns {ShownMessage[]}
 */
export function boards(name) {
  const it = room(name);
  /** @type {Map<string, ShownMessage>} */
  const newest = new Map();
  for (const m of [...it.older.values(), ...inOrder(it)]) {
    if (m.gone || !m.bot || m.only || !m.table || m.look || !(m.board || m.buttons.length)) continue;
    newest.delete(m.table);
    newest.set(m.table, m);
  }
  return [...newest.values()];
}

/** The address of a room. */
export const roomLink = (/** @type {string} */ name) =>
  `#/${encodeURIComponent(name).replace("%40", "@")}`;

/**
 * The address of a table in a room.
 * @param {string} name
 * @param {string} table
 */
export const tableLink = (name, table) => `${roomLink(name)}/t/${table}`;

/** Whether a person plays at the table of a board. */
export const plays = (/** @type {Message} */ m) => {
  const me = self()?.id ?? "";
  return m.board ? m.board.players.includes(me) : m.waits_for === me;
};

/**
 * Whether a message belongs to a table at which this person plays.
 * @param {ShownMessage} m
 */
export const isOfOwnTable = m =>
  m.table !== null && boards(m.room).some(it => it.table === m.table && plays(it));

/** Whether this person is asked to play at the table of a board. */
export const isAsked = (/** @type {Message} */ m) =>
  m.board?.phase === "lobby" && Boolean(m.board.invited?.includes(self()?.id ?? ""));

/** Whether the table of a board waits for players or is being played at. */
export const isOpen = (/** @type {ShownMessage} */ m) =>
  m.board ? m.board.phase === "lobby" || m.board.phase === "playing" : m.buttons.length > 0;

/**
 * Whether a board of a room waits for this person.
 * @param {string} name
 */
export function isMyTurn(name) {
  if (!known(name)) return false;
  const { messages, older } = room(name);
  return [...messages.values(), ...older.values()].some(
    m => !m.gone && m.waits_for === self()?.id && m.buttons.length > 0,
  );
}
