// What is known of the rooms: people, messages, what has been read. No pixels here.

import { currentIdentity } from "./api.js";

/** @typedef {import("./types").Message} Message */
/** @typedef {import("./types").ShownMessage} ShownMessage */
/** @typedef {import("./types").Room} Room */

/** @type {Map<string, Room>} */
const rooms = new Map();
const READ_KEY = "read";

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
      olderBoards: new Map(),
      loadedFrom: Infinity,
      outgoing: [],
      hasEarlier: false,
      loaded: false,
      typing: new Map(),
      scrollTop: null,
      changedReplies: new Set(),
    };
    rooms.set(name, found);
  }
  return found;
}

/** @param {string} name */
export const hasRoom = name => rooms.has(name);
/** @param {string} name */
export const forgetRoom = name => rooms.delete(name);

/**
 * Takes a message in. False if nothing is new in it.
 * @param {Message} m
 */
export function applyMessage(m) {
  const it = room(m.room);
  const old = findMessage(it, m.id);
  if (old && old.seq >= m.seq) return false;
  // A message before the loaded ones would leave a gap in the chat: only its board counts.
  const where = m.id >= it.loadedFrom || it.messages.has(m.id) ? it.messages : it.olderBoards;
  where.set(m.id, m);
  return true;
}

/**
 * Takes in a page of messages: those from its first one on are loaded now.
 * @param {string} name
 * @param {Message[]} page
 * @param {boolean} more whether there are earlier ones
 */
export function applyMessagePage(name, page, more) {
  const it = room(name);
  it.loadedFrom = more ? Math.min(it.loadedFrom, page[0]?.id ?? it.loadedFrom) : 0;
  page.forEach(applyMessage);
  for (const m of it.olderBoards.values()) {
    if (m.id < it.loadedFrom) continue;
    it.olderBoards.delete(m.id);
    if (!it.messages.has(m.id)) it.messages.set(m.id, m);
  }
}

/** A message of a room, also one that is older than the loaded ones.
 * @param {Room} it @param {number} id */
export const findMessage = (it, id) => it.messages.get(id) ?? it.olderBoards.get(id);

/**
 * Messages in order, without those that are deleted.
 * @param {Room} it
 * @returns {ShownMessage[]}
 */
export const messagesInOrder = it =>
  [...it.messages.values()].flatMap(m => (m.gone ? [] : [m])).sort((a, b) => a.id - b.id);

/** @param {Message} m */
export const isOwnMessage = m => m.author?.id === currentIdentity()?.id;

/**
 * Up to which message each room has been read.
 * @returns {Record<string, number>}
 */
function readMarks() {
  try {
    return JSON.parse(
      sessionStorage.getItem(READ_KEY) ??
        localStorage.getItem(READ_KEY + currentIdentity()?.id) ??
        "{}",
    );
  } catch {
    return {};
  }
}

/** @param {string} name */
const readUpTo = name => readMarks()[name] ?? 0;

/** @param {string} name */
export function markRead(name) {
  const newest = Math.max(0, ...room(name).messages.keys());
  room(name).changedReplies.clear();
  const all = readMarks();
  if (newest <= (all[name] ?? 0)) return false;
  all[name] = newest;
  sessionStorage.setItem(READ_KEY, JSON.stringify(all));
  if (localStorage.getItem("me"))
    localStorage.setItem(READ_KEY + currentIdentity()?.id, JSON.stringify(all));
  return true;
}

/** @param {string} name */
export const unreadMessages = name => {
  const from = readUpTo(name),
    it = room(name);
  return messagesInOrder(it).filter(
    m => !isOwnMessage(m) && (m.id > from || it.changedReplies.has(m.id)),
  );
};

/** @param {string} name */
export const unreadCount = name => unreadMessages(name).length;

/**
 * Whether a message is a private answer, not a hand.
 * @param {ShownMessage} m
 */
export const isPrivateReply = m => m.only && !m.table;

/**
 * The first private answer of a room that has not been read.
 * @param {string} name
 */
export const firstUnreadReply = name => unreadMessages(name).find(isPrivateReply);

/**
 * Unread messages that call this person: by name, in private, or answering them.
 * @param {string} name
 */
export function mentionCount(name) {
  const it = room(name);
  const repliesToMe = (/** @type {Message} */ m) => {
    const quoted = m.reply_to && it.messages.get(m.reply_to);
    return quoted && isOwnMessage(quoted);
  };
  const mentionsMe = (/** @type {ShownMessage} */ m) =>
    isPrivateReply(m) ||
    name === "@" ||
    m.spans?.some(span => span.kind === "mention" && span.person === currentIdentity()?.id) ||
    repliesToMe(m);
  return unreadMessages(name).filter(mentionsMe).length;
}

/**
 * The boards in a room: the newest message of each table, in the order of the messages.
 * @param {string} name
 * @returns {ShownMessage[]}
 */
export function tableMessages(name) {
  const it = room(name);
  /** @type {Map<string, ShownMessage>} */
  const newest = new Map();
  for (const m of [...it.olderBoards.values(), ...messagesInOrder(it)]) {
    if (m.gone || !m.bot || m.only || !m.table || m.look || !(m.board || m.buttons.length))
      continue;
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
export const isPlayer = (/** @type {Message} */ m) => {
  const me = currentIdentity()?.id ?? "";
  return m.board ? m.board.players.includes(me) : m.waits_for === me;
};

/**
 * Whether a message belongs to a table at which this person plays.
 * @param {ShownMessage} m
 */
export const belongsToOwnTable = m =>
  m.table !== null && tableMessages(m.room).some(it => it.table === m.table && isPlayer(it));

/** Whether this person is asked to play at the table of a board. */
export const isInvited = (/** @type {Message} */ m) =>
  m.board?.phase === "lobby" && Boolean(m.board.invited?.includes(currentIdentity()?.id ?? ""));

/** Whether the table of a board waits for players or is being played at. */
export const isTableOpen = (/** @type {ShownMessage} */ m) =>
  m.board ? m.board.phase === "lobby" || m.board.phase === "playing" : m.buttons.length > 0;

/**
 * Whether a board of a room waits for this person.
 * @param {string} name
 */
export function isMyTurnInRoom(name) {
  if (!hasRoom(name)) return false;
  const { messages, olderBoards: older } = room(name);
  return [...messages.values(), ...older.values()].some(
    m => !m.gone && m.waits_for === currentIdentity()?.id && m.buttons.length > 0,
  );
}
