// Room state; no DOM access.

import { currentIdentity, local, parseStored, session } from "./api.js";

/** @typedef {import("./types").Message} Message */
/** @typedef {import("./types").ShownMessage} ShownMessage */
/** @typedef {import("./types").Room} Room */

/** @type {Map<string, Room>} */
const rooms = new Map();
const READ_KEY = "read";

/**
 * Returns a room by name; creates it on first use.
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
      readFrom: "",
      changedReplies: new Set(),
    };
    rooms.set(name, found);
  }
  return found;
}

/** The rooms that were used and are not forgotten. */
export const allRooms = () => rooms.values();
/** @param {string} name */
export const forgetRoom = name => rooms.delete(name);

/**
 * Stores a message. Returns false if a version at least as new was stored before.
 * @param {Message} m
 */
export function applyMessage(m) {
  const it = room(m.room);
  const old = findMessage(it, m.id);
  if (old && old.seq >= m.seq) return false;
  // A message before the loaded ones would leave a gap in the chat, so only its board is used.
  const where = m.id >= it.loadedFrom || it.messages.has(m.id) ? it.messages : it.olderBoards;
  where.set(m.id, m);
  return true;
}

/**
 * Stores a page of messages; all from its first one on are loaded then.
 * @param {string} name
 * @param {Message[]} page
 * @param {boolean} more whether there are earlier messages
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

/** Finds a message of a room, also among boards older than the loaded messages.
 * @param {Room} it @param {number} id */
export const findMessage = (it, id) => it.messages.get(id) ?? it.olderBoards.get(id);

/**
 * The messages in order, without deleted ones.
 * @param {Room} it
 * @returns {ShownMessage[]}
 */
export const messagesInOrder = it =>
  [...it.messages.values()].flatMap(m => (m.gone ? [] : [m])).sort((a, b) => a.id - b.id);

/** @param {Message} m */
export const isOwnMessage = m => m.author?.id === currentIdentity()?.id;

/** The key of the read marks that the browser keeps. */
const keptKey = () => READ_KEY + currentIdentity()?.id;

/** The id of the last message of each room that was read in this tab.
 * @returns {Record<string, number> | null} */
const readMarks = () => parseStored(session.getItem(READ_KEY) ?? local.getItem(keptKey()));

/** @param {string} name */
const readUpTo = name => readMarks()?.[name] ?? 0;

/** @param {string} name */
const newestId = name => Math.max(0, ...room(name).messages.keys());

/** @param {string} name */
export function markRead(name) {
  const newest = newestId(name);
  room(name).changedReplies.clear();
  if (newest > readUpTo(name)) storeReadMark(name, newest);
}

/**
 * @param {string} name
 * @param {number} id
 * @param {boolean} [isLower] whether a higher mark is wrong, also that of another tab
 */
function storeReadMark(name, id, isLower) {
  session.setItem(READ_KEY, JSON.stringify({ ...readMarks(), [name]: id }));
  const kept = parseStored(local.getItem(keptKey()));
  if (local.getItem("me") && (isLower || !(kept?.[name] >= id)))
    local.setItem(keptKey(), JSON.stringify({ ...kept, [name]: id }));
}

/**
 * Lowers the mark of a room to its newest message: in a room that was deleted and opened again the
 * ids begin again.
 * @param {string} name
 */
export function limitReadMark(name) {
  if (readUpTo(name) > newestId(name)) storeReadMark(name, newestId(name), true);
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
 * Whether a message is a private reply, not a hand of cards.
 * @param {ShownMessage} m
 */
export const isPrivateReply = m => m.only && !m.table;

/**
 * The first unread private reply of a room.
 * @param {string} name
 */
export const firstUnreadReply = name => unreadMessages(name).find(isPrivateReply);

/**
 * The number of unread messages that mention the user, reply to them or are private.
 * @param {string} name
 */
export function mentionCount(name) {
  const { messages } = room(name),
    me = currentIdentity()?.id;
  const isForMe = (/** @type {ShownMessage} */ m) =>
    isPrivateReply(m) ||
    name === "@" ||
    m.spans?.some(span => span.kind === "mention" && span.person === me) ||
    messages.get(m.reply_to ?? 0)?.author?.id === me;
  return unreadMessages(name).filter(isForMe).length;
}

/**
 * The newest message of each table in a room, in the order of the messages.
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

/**
 * The address with which other people join a table, also one in a room that they cannot enter.
 * @param {string} name
 * @param {string} table
 */
export const inviteLink = (name, table) =>
  name === "@" || room(name).info?.closed ? `#/@?play=${table}` : tableLink(name, table);

/** Whether the user plays at the table of a message. */
export const isPlayer = (/** @type {Message} */ m) => {
  const me = currentIdentity()?.id ?? "";
  return m.board ? m.board.players.includes(me) : m.waits_for === me;
};

/**
 * Whether a message belongs to a table at which the user plays.
 * @param {ShownMessage} m
 */
export const belongsToOwnTable = m =>
  m.table !== null && tableMessages(m.room).some(it => it.table === m.table && isPlayer(it));

/** Whether the user is invited to the table of a message. */
export const isInvited = (/** @type {Message} */ m) =>
  m.board?.phase === "lobby" && Boolean(m.board.invited?.includes(currentIdentity()?.id ?? ""));

/** Whether the table of a message is a lobby or a running game. */
export const isTableOpen = (/** @type {ShownMessage} */ m) =>
  m.board ? m.board.phase === "lobby" || m.board.phase === "playing" : m.buttons.length > 0;

/**
 * Whether it is the user's turn at a table of a room.
 * @param {string} name
 */
export function isMyTurnInRoom(name) {
  const { messages, olderBoards: older } = room(name);
  return [...messages.values(), ...older.values()].some(
    m => !m.gone && m.waits_for === currentIdentity()?.id && m.buttons.length > 0,
  );
}
