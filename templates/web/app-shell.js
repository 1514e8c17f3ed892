// The app shell around the messages: sidebar, header, hints, window title.

import { get, currentIdentity } from "./api.js";
import { byId, setText, update } from "./dom.js";
import { avatar, createElement } from "./messages.js";
import {
  messagesInOrder,
  isMyTurnInRoom,
  room,
  roomLink,
  unreadCount,
  mentionCount,
} from "./rooms.js";
import { t } from "./words.js";

/** @typedef {import("./types").PageState} PageState */
/** @typedef {import("./types").OwnTable} OwnTable */

/** The first room of a new user. */
export const HOME = "lobby";

/**
 * Draws the app shell.
 * @param {PageState} view
 */
export function drawShell(view) {
  const { currentRoom } = view;
  const it = room(currentRoom),
    { info } = it,
    shown = messagesInOrder(it);
  if (!info) return;
  setText(byId("room-name"), currentRoom === "@" ? t("private") : currentRoom);
  byId("room-name").classList.toggle("room", currentRoom !== "@");
  const note = currentRoom === "@" ? t("private_note") : t("people", info.people.length);
  setText(byId("room-note"), info.bot ? note : `${note} · ${t("bot_absent")}`);
  byId("earlier").hidden = !it.hasEarlier;
  drawHint(currentRoom, shown.length === 0 && !it.outgoing.length);
  drawFaces(info.people);
  drawEndButton(view);
  drawSidebar(view);
}

/** @param {import("./types").RoomMember[]} all */
function drawFaces(all) {
  const first = [...all].sort((a, b) => Number(b.online) - Number(a.online)).slice(0, 4);
  const round = (/** @type {typeof first[0]} */ it) => avatar(it.id, it.name);
  update(byId("people-open"), first, it => `${it.id} ${it.name}`, round, (it, { online }) =>
    it.classList.toggle("here", online),
  );
  byId("people-open").setAttribute(
    "aria-label",
    `${t("people", all.length)}: ${all.map(it => it.name).join(", ")}`,
  );
}

/**
 * @param {string} roomName
 * @param {boolean} isVisible
 */
function drawHint(roomName, isVisible) {
  byId("hint").hidden = !isVisible;
  if (!isVisible) return;
  const words = t(roomName === "@" ? "hint_private" : "hint", { help: "/help" });
  /** @type {["h2" | "p", string][]} */
  const parts = [
    ["h2", t("hint_title")],
    ["p", words],
  ];
  update(
    byId("hint"),
    parts,
    ([tag]) => tag,
    ([tag]) => createElement(tag),
    (it, [, text]) => setText(it, text),
  );
}

/**
 * Draws the button that scrolls to the end of the chat.
 * @param {PageState} view
 */
function drawEndButton({ currentRoom, atEnd }) {
  const count = unreadCount(currentRoom);
  byId("to-end").hidden = atEnd;
  setText(byId("to-end"), `↓ ${count ? t("new_messages", count) : ""}`);
  byId("to-end").setAttribute("aria-label", t("new_messages", count));
}

/**
 * Draws the list of rooms with their unread counts, the user, and the window title.
 * @param {PageState} view
 */
export function drawSidebar({ currentRoom, joinedRooms, atEnd, table }) {
  const names = [
    "@",
    ...joinedRooms
      .filter(it => it !== "@")
      .sort((a, b) => Number(b === HOME) - Number(a === HOME) || a.localeCompare(b)),
  ];
  let mentions = 0,
    unreadElsewhere = 0;
  const rooms = names.map(name => {
    const count = unreadCount(name),
      calls = mentionCount(name),
      away = name !== currentRoom || document.hidden || !atEnd;
    mentions += calls;
    if (name !== currentRoom) unreadElsewhere += count;
    const turn = away && isMyTurnInRoom(name);
    return { name, current: name === currentRoom, turn, count: away ? count : 0, calls: calls > 0 };
  });
  update(byId("room-list"), rooms, it => it.name, linkLine, updateRoomLine);
  // A link to a room, or to a table that is not on the board, where it is the user's turn.
  const turnRoom = rooms.find(it => it.turn && !it.current),
    turnTable = document.querySelector(`.yours[href^="/#"]:not([href$="${table}"])`),
    turnLink = turnRoom ? roomLink(turnRoom.name) : turnTable?.getAttribute("href"),
    turns = turnLink || rooms.some(it => it.turn);
  byId("turn-open").hidden = !turnLink;
  byId("turn-open").setAttribute("href", turnLink ?? "");
  byId("side-badge").hidden = !unreadElsewhere && !turns;
  setText(byId("side-badge"), turns ? "▶" : String(unreadElsewhere));
  const calls = turns ? t("your_turn") : unreadElsewhere ? t("unread", unreadElsewhere) : "";
  byId("side-open").setAttribute("aria-label", [t("rooms"), calls].filter(Boolean).join(": "));
  const me = currentIdentity();
  const people = me ? [me] : [];
  update(
    byId("me-open"),
    people,
    it => `${it.id} ${it.name}`,
    it => avatar(it.id, it.name),
  );
  setText(byId("me-name"), me?.name ?? "");
  const title = currentRoom === "@" ? t("private") : currentRoom;
  const icon = turns ? "icon-turn.svg" : "icon.svg";
  const link = document.querySelector("link[rel=icon]");
  if (!link?.getAttribute("href")?.endsWith(`/${icon}`)) {
    link?.setAttribute("href", new URL(icon, import.meta.url).pathname);
  }
  const mark = turns ? "▶ " : "";
  document.title = `${mark}${mentions ? `(${mentions}) ` : ""}${title} · Caravanserai`;
}

/** A part of a line: its key, class, text, and label for screen readers.
 * @typedef {{ part: string, look: string, text: string, label?: string }} LinePart */

const linkLine = () => createElement("li", "", createElement("a"));

/**
 * Updates the line of a list.
 * @param {HTMLElement} line
 * @param {string} href
 * @param {LinePart[]} pieces
 */
function updateLine(line, href, pieces) {
  const link = /** @type {HTMLAnchorElement} */ (line.firstElementChild);
  if (link.getAttribute("href") !== href) link.href = href;
  update(
    link,
    pieces,
    it => it.part,
    () => createElement("span"),
    (it, { look, text, label }) => {
      it.className = look;
      setText(it, text);
      // Screen readers skip decorative signs.
      if (label === "") it.setAttribute("aria-hidden", "true");
      if (!label) return;
      it.setAttribute("role", "img");
      it.setAttribute("aria-label", label);
      it.title = label;
    },
  );
  return link;
}

/** @returns {LinePart} */
const turnBadge = () => ({ part: "turn", look: "badge calls", text: "▶", label: t("your_turn") });

/**
 * Updates the line of a room.
 * @param {HTMLElement} line
 * @param {{ name: string, current: boolean, turn: boolean, count: number, calls: boolean }} room
 */
function updateRoomLine(line, { name, current, turn, count, calls }) {
  const isPrivate = name === "@",
    look = calls ? "badge calls" : "badge",
    label = t("unread", count);
  const link = updateLine(line, roomLink(name), [
    { part: "sign", look: "sign", text: isPrivate ? "✉" : "#", label: "" },
    { part: "name", look: "name", text: isPrivate ? t("private") : name },
    ...(turn ? [turnBadge()] : []),
    ...(count ? [{ part: "count", look, text: String(count), label }] : []),
  ]);
  link.className = current ? "current" : "";
  if (current) link.setAttribute("aria-current", "page");
  else link.removeAttribute("aria-current");
}

// ---- own tables, first those where it is the user's turn ----

/** The minimum interval between two requests for the list. */
const FETCH_INTERVAL_MS = 1500;
/** The delay before a failed request is retried. */
const RETRY_MS = 3000;

let timer = 0,
  fetchedAt = -Infinity;

/**
 * Schedules one fetch of the list for all changes that happen together.
 * @param {() => void} onDrawn
 */
export function scheduleTableList(onDrawn) {
  if (timer) return;
  timer = setTimeout(
    () => void fetchTableList(onDrawn),
    Math.max(200, fetchedAt + FETCH_INTERVAL_MS - performance.now()),
  );
}

/** @param {() => void} onDrawn */
async function fetchTableList(onDrawn) {
  fetchedAt = performance.now();
  timer = 0;
  /** @type {{ tables: OwnTable[] | null }} */
  const { tables } = await get("/api/tables").catch(() => ({ tables: null }));
  if (!tables) {
    fetchedAt = performance.now() + RETRY_MS - FETCH_INTERVAL_MS;
    return scheduleTableList(onDrawn);
  }
  drawTables(tables);
  onDrawn();
}

/** @param {OwnTable[]} tables */
function drawTables(tables) {
  const linked = tables.filter(it => it.link);
  byId("own-tables").hidden = linked.length === 0;
  update(byId("own-tables"), linked, it => it.table, linkLine, (line, it) => {
    const link = updateLine(line, it.link ?? "", [
      ...(it.your_turn ? [turnBadge()] : []),
      { part: "name", look: "name", text: it.says },
    ]);
    link.className = it.your_turn ? "yours" : "";
  });
}
