// What is known of the rooms: people, messages, what has been read. No pixels here.

import { self } from "./api.js";

/** @typedef {import("./types").Message} Message */
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
      sending: [],
      more: false,
      loaded: false,
      typing: new Map(),
      scroll: null,
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
 * @param {Message} message
 */
export function put(message) {
  const { messages } = room(message.room);
  const old = messages.get(message.id);
  if (old && old.seq >= message.seq) return false;
  messages.set(message.id, message);
  return true;
}

/**
 * Messages in order.
 * @param {Room} it
 */
export const inOrder = it =>
  [...it.messages.values()].filter(m => !m.gone).sort((a, b) => a.id - b.id);

/** @param {Message} message */
export const mine = message => message.author?.id === self()?.id;

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
  const all = marks();
  if (newest <= (all[name] ?? 0)) return false;
  all[name] = newest;
  sessionStorage.setItem(KEEP_READ, JSON.stringify(all));
  if (localStorage.getItem("me")) localStorage.setItem(KEEP_READ + self()?.id, JSON.stringify(all));
  return true;
}

/** @param {string} name */
export function unread(name) {
  const from = readUpTo(name);
  return inOrder(room(name)).filter(m => m.id > from && !mine(m)).length;
}

/**
 * Unread messages that call this person: by name, in private, or answering them.
 * @param {string} name
 */
export function waiting(name) {
  const from = readUpTo(name),
    it = room(name);
  const answers = (/** @type {Message} */ m) => {
    const said = m.reply_to && it.messages.get(m.reply_to);
    return said && mine(said);
  };
  const calls = (/** @type {Message} */ m) =>
    m.only ||
    name === "@" ||
    m.spans?.some(span => span.kind === "mention" && span.person === self()?.id) ||
    answers(m);
  return inOrder(it).filter(m => m.id > from && !mine(m) && calls(m)).length;
}

/**
 * Whether the board of a room waits for this person.
 * @param {string} name
 */
export const isMyTurn = name => known(name) && board(name)?.waits_for === self()?.id;

/**
 * The message people play on: the newest picture with buttons that all can see.
 * @param {string} name
 */
export function board(name) {
  return inOrder(room(name)).findLast(
    m => m.bot && !m.only && m.image && m.buttons.length && !m.look,
  ) ?? null;
}
