// The entry point of the page: connects rooms, board, chat and live events.

import {
  followEvents,
  get,
  getWithRetry,
  setIdentity,
  rememberedIdentity,
  onConnectionChange,
  post,
  postWithRetry,
  roomPath,
  unsentRequests,
  updateName,
  local,
  session,
  currentIdentity,
  delay,
} from "./api.js";
import * as board from "./board.js";
import * as viewer from "./viewer-loader.js";
import * as composer from "./composer.js";
import * as shell from "./app-shell.js";
import { byId, setText, update } from "./dom.js";
import { updateMessage, createMessage, avatar, createElement, dayOf } from "./messages.js";
import {
  allRooms,
  findMessage,
  forgetRoom,
  messagesInOrder,
  isPrivateReply,
  belongsToOwnTable,
  limitReadMark,
  markRead,
  isOwnMessage,
  applyMessage,
  applyMessagePage,
  room,
  roomLink,
  inviteLink,
  tableLink,
  firstUnreadReply,
  unreadMessages,
} from "./rooms.js";
import { showConnection as showBanner, showError, toast } from "./toasts.js";
import * as view from "./visible-table.js";
import { currentLanguage, preferredLanguage, onLanguage, setLanguage, t } from "./words.js";

/** @typedef {import("./types").Message} Message */
/** @typedef {import("./types").RoomPage} RoomPage */
/** @typedef {import("./types").RoomView} RoomView */

const log = byId("log"),
  main = byId("main"),
  list = byId("messages"),
  { HOME } = shell;

/** The shown room; empty before the first one. */
let currentRoom = "";
/** @type {string[]} */
let joinedRooms = [];
let atEnd = true;
const loading = new Set();
/** The element of a message, if it is shown. */
const elementOf = (/** @type {number} */ id) => document.getElementById(`m${id}`);

/** A private reply this soon after a press outside the chat is shown over the board. */
const REPLY_WINDOW_MS = 8000;
/** How long the chat waits for the board to show a change first. */
const BOARD_WAIT_MAX_MS = 6000;
let pressedAt = -Infinity;
/** Whether this press wrote a command of the games panel, or was in a lesson: its reply belongs to
 * the chat. */
let isCommand = false;
/** @type {typeof import("./answer-sheet.js") | null} */
let answerSheet = null;
/** The module of the dialogs, after one was opened.
 * @type {typeof import("./dialogs.js") | null} */
let dialogsModule = null;
const notePress = (ofCommand = false) => {
  pressedAt = performance.now();
  isCommand = ofCommand;
};

const isShownOnBoard = (/** @type {Message} */ m) =>
  Boolean(m.table && m.room === currentRoom && board.isFollowing(m.table)) ||
  viewer.isMessageShown(m) ||
  Boolean(answerSheet?.isMessageShown(m));
const openInViewer = (/** @type {import("./types").ShownMessage} */ m) =>
  viewer.open(m.room, m.look ?? "", m).catch(showError);
/** @type {import("./types").MessageActions} */
const messageActions = {
  startReply: composer.startReply,
  jumpToMessage,
  dismiss,
  isOnBoard: isShownOnBoard,
  openInViewer,
  onPressAnswered,
  markHint: board.markHint,
};

// ---- rooms -------------------------------------------------------------------------------

function parseLocation() {
  const [address = "", query] = location.hash.replace(/^#\/?/, "").split("?");
  const [path, , table = ""] = address.split("/");
  const params = new URLSearchParams(query);
  const message = Number(params.get("m")) || null;
  const invite = params.get("i");
  const play = params.get("play");
  let name = HOME;
  try {
    name = decodeURIComponent(path ?? "").toLowerCase().normalize() || HOME;
  } catch {
    /* a broken address */
  }
  return { name, table: table.toLowerCase(), message, invite, play };
}

/** Focuses the input line; not on a touch screen, where this would bring up its keyboard. */
const focusComposer = () => {
  if (!matchMedia("(pointer: coarse)").matches) composer.focus();
};

const goToRoom = (/** @type {string} */ name) => {
  location.hash = roomLink(name);
};

async function openRoomFromAddress() {
  const { name, table, message, invite, play } = parseLocation();
  closeSide();
  try {
    if (!joinedRooms.includes(name)) await joinRoom(name, invite);
    else if (!room(name).loaded) await loadRoom(name);
  } catch (e) {
    return (await import("./refused-room.js")).onRefused(e, name, openRoomFromAddress);
  }
  if (parseLocation().name !== name) return;
  view.followLink(table);
  const isNew = currentRoom !== name;
  if (isNew) {
    currentRoom = name;
    atEnd = !room(name).readFrom;
    viewer.close();
    composer.enterRoom(name);
  }
  showPart("board");
  showRoomTable();
  if (isNew) {
    answerSheet?.hide();
    redrawChat();
    const place = document.getElementById(room(name).readFrom);
    if (place) place.scrollIntoView();
    else scrollToEnd();
    focusComposer();
  }
  if (play) await import("./games.js").then(it => it.joinLinkedTable(play)).catch(showError);
  // A board is shown beside the chat; other messages are looked for in the chat.
  const linkedMessage = message === null ? undefined : room(name).messages.get(message);
  if (message !== null && !(linkedMessage && isShownOnBoard(linkedMessage))) {
    showPart("chat");
    void jumpToMessage(message);
  }
}

// ---- the board ---------------------------------------------------------------------------

/** Shows the visible table of the current room, or its games. */
function showRoomTable() {
  const before = board.followedTable();
  const table = view.shownTable(currentRoom);
  // Removes the linked table from the address after an own new game has replaced it.
  const linked = view.linkedTable();
  if (parseLocation().table && parseLocation().table !== linked) {
    history.replaceState(null, "", linked ? tableLink(currentRoom, linked) : roomLink(currentRoom));
  }
  if (table && table !== before) {
    viewer.close();
    view.showPart("board");
  }
  board.followTable(currentRoom, table);
  drawPagePart();
}

/** Redraws after the board or the viewer was opened or closed: messages of a shown table have no
 * image. */
function onBoardChanged() {
  drawPagePart();
  byId("viewer-open").hidden = !board.startedTable();
  answerSheet?.onTableChanged();
  if (currentRoom) redrawChat();
}

/** Brings the viewer to the front when it was opened from the chat. */
function onViewerOpened() {
  if (viewer.isOpen() && view.shownPart() === "chat") showPart("board");
}

/** Shows the selected part of the page: board, games or chat. */
function drawPagePart() {
  const looking = viewer.isOpen(),
    playing = !byId("table").hidden,
    part = view.shownPart();
  const inGames = !looking && (part === "games" || !playing);
  document.body.classList.toggle("has-table", Boolean(currentRoom));
  document.body.classList.toggle("games-open", inGames);
  document.body.classList.toggle("chat-open", part === "chat");
  byId("games").hidden = !inGames;
  byId("board-open").hidden = !playing && !looking;
  for (const [id, on] of /** @type {[string, boolean][]} */ ([
    ["board-open", part !== "chat" && !inGames],
    ["games-open", part !== "chat" && inGames],
    ["chat-open", part === "chat"],
  ])) {
    byId(id).setAttribute("aria-pressed", String(on));
  }
  if (inGames) void drawGames().catch(showError);
}

/** @type {Promise<typeof import("./games.js")> | null} */
let gamesModule = null;

/** Draws the games of the room. The module is loaded on first use. */
async function drawGames() {
  gamesModule ??= import("./games.js").then(async it => {
    await it.start(() => notePress(true));
    return it;
  });
  const it = await gamesModule.catch(e => {
    gamesModule = null;
    throw e;
  });
  if (currentRoom && !byId("games").hidden) it.drawGamesPanel(currentRoom);
}

/**
 * Selects a part of the page; on wide screens the chat is always visible.
 * @param {"board" | "games" | "chat"} part
 */
function showPart(part) {
  view.showPart(part);
  if (part === "games") viewer.close();
  drawPagePart();
  if (part !== "chat") return drawFrame();
  // An answer sheet under the chat moves into it.
  answerSheet?.hideIfCovered();
  const answer = firstUnreadReply(currentRoom);
  scrollToEnd();
  // A reply that arrived while the chat was hidden may be far above its end.
  const card = answer && elementOf(answer.id);
  const isAbove = card && card.getBoundingClientRect().top < log.getBoundingClientRect().top;
  if (!isAbove) return;
  atEnd = false;
  drawFrame();
  void jumpToMessage(answer.id);
}

/**
 * Dismisses a private card after a press on it that got no private reply: its effect is public.
 * @param {{ id: number | null, room: string }} m
 * @param {import("./types").PrivateReply[]} replies
 */
function onPressAnswered({ id, room: name }, replies) {
  const card = id === null ? undefined : room(name).messages.get(id);
  if (card?.only && !card.table && !card.look && !replies.length) void dismiss(card);
}

const isChatVisible = () => byId("chat").offsetParent !== null;

/**
 * @param {string} name
 * @param {string | null} invite
 */
async function joinRoom(name, invite) {
  applyRoomPage(await postWithRetry("/api/rooms", { name, invite }));
  if (!joinedRooms.includes(name)) joinedRooms.push(name);
}

/**
 * @param {string} name
 * @param {number | null} before
 */
async function loadRoom(name, before = null) {
  const path = roomPath(name, before ? `?before=${before}&limit=60` : "?limit=60");
  applyRoomPage(await (before ? get(path) : getWithRetry(path, () => {})), before !== null);
}

/**
 * @param {RoomPage} page
 * @param {boolean} older
 */
function applyRoomPage(page, older = false) {
  const it = room(page.room);
  applyMessagePage(page.room, page.messages, page.more);
  page.boards?.forEach(applyMessage);
  it.hasEarlier = page.more;
  if (older) return;
  limitReadMark(page.room);
  // An event may have arrived before this response: the newer state wins.
  if (!it.info || page.seq >= it.info.seq) it.info = page;
  it.loaded = true;
}

async function loadEarlier() {
  const where = currentRoom;
  const first = messagesInOrder(room(where))[0];
  const height = log.scrollHeight - log.scrollTop;
  await loadRoom(where, first?.id ?? null).catch(showError);
  if (where !== currentRoom) return;
  redrawChat();
  log.scrollTop = log.scrollHeight - height;
}

// ---- drawing -----------------------------------------------------------------------------

function redrawChat() {
  const before = log.scrollTop;
  // Screen readers must not read redrawn messages again.
  log.setAttribute("aria-busy", "true");
  drawMessages(() => true);
  log.setAttribute("aria-busy", "false");
  log.scrollTop = atEnd ? log.scrollHeight : before;
  lastScrollTop = log.scrollTop;
  drawFrame();
}

/** An entry of the chat: the line of a day, a message, or an outgoing message.
 * @typedef {{ key: string, day?: number, m?: import("./types").ShownMessage, more?: boolean,
 *   sent?: import("./types").OutgoingMessage }} ChatEntry */

/**
 * The entries of the chat in order. Successive messages of one author are joined; each day has a
 * line.
 * @returns {ChatEntry[]}
 */
function chatEntries() {
  const it = room(currentRoom);
  /** @type {Message | undefined} */
  let last;
  const said = messagesInOrder(it).flatMap(m => {
    const day = new Date(m.time).toDateString(),
      isSameDay = last && new Date(last.time).toDateString() === day,
      isOfBoth = last?.author?.id === m.author?.id && !m.only && !last?.only,
      more = Boolean(isSameDay && isOfBoth && m.time - (last?.time ?? 0) < 300000);
    last = m;
    /** @type {ChatEntry[]} */
    const lines = isSameDay ? [] : [{ key: `day ${day}`, day: m.time }];
    return [...lines, { key: String(m.id), m, more }];
  });
  return [...said, ...it.outgoing.map(sent => ({ key: `sending ${sent.key} ${sent.refused}`, sent }))];
}

/**
 * Updates the messages of the chat.
 * @param {(m: import("./types").ShownMessage) => boolean} isChanged whether a shown message
 *   must be updated
 */
function drawMessages(isChanged) {
  /** @type {Set<HTMLElement>} */
  const created = new Set();
  const create = (/** @type {ChatEntry} */ { m, sent }) => {
    const it = m
      ? createMessage(m, messageActions)
      : sent
        ? outgoingMessage(sent)
        : createElement("p", "day", createElement("span"));
    created.add(it);
    // Screen readers read a new message; later changes are announced in one sentence.
    if (m) setTimeout(() => it.setAttribute("aria-live", "off"), 1000);
    return it;
  };
  // Elements contain translated texts that are never updated, so the language is part of the key.
  const key = (/** @type {ChatEntry} */ it) => `${currentRoom} ${currentLanguage()} ${it.key}`;
  update(list, chatEntries(), key, create, (it, { m, more, day }) => {
    if (day) setText(it.children[0] ?? it, dayName(day));
    if (!m) return;
    it.classList.toggle("more", Boolean(more));
    if (!created.has(it) && isChanged(m)) updateMessage(it, m, messageActions);
  });
}

/** @param {number} time */
function dayName(time) {
  const midnight = (/** @type {Date} */ it) => it.setHours(0, 0, 0, 0),
    days = Math.round((midnight(new Date()) - midnight(new Date(time))) / 86400000);
  if (days === 0) return t("today");
  return days === 1 ? t("yesterday") : dayOf({ time });
}

/** @param {Message} m */
function redrawMessage(m) {
  const old = elementOf(m.id);
  if (m.gone && old?.contains(document.activeElement)) focusComposer();
  drawMessages(it => it === m);
  if (old && !m.gone && m.bot && m.image && !isShownOnBoard(m)) {
    announce(m.only ? m.text : t("board_changed", { text: m.text }));
  }
  drawFrame();
}

/**
 * The element of an outgoing message.
 * @param {import("./types").OutgoingMessage} sent
 */
function outgoingMessage(sent) {
  const me = currentIdentity(),
    name = me?.name ?? "";
  const head = createElement(
      "header",
      "",
      createElement("b", "who", name),
      createElement("small", "", t("sending")),
    ),
    body = createElement("div", "body", createElement("div", "text", sent.text));
  const bubble = createElement("div", "bubble", head, body);
  const it = createElement("article", "message mine sending", avatar(me?.id ?? "", name), bubble);
  if (sent.refused)
    import("./refused-message.js").then(refused => refused.showRefused(it, sent)).catch(showError);
  return it;
}

/** Versions of messages that were read in the viewer.
 * @type {Set<string>} */
const readInViewer = new Set();

/**
 * Whether a message is read on a board or in the viewer, not in the chat.
 * @param {import("./types").ShownMessage} m
 */
function isReadOnBoard(m) {
  const key = `${m.room} ${m.id} ${m.seq}`;
  if (viewer.isMessageShown(m)) readInViewer.add(key);
  return isShownOnBoard(m) || belongsToOwnTable(m) || readInViewer.has(key);
}

/** Everything around the messages. */
function drawFrame() {
  if (!currentRoom) return;
  if (!document.hidden && atEnd && isChatVisible()) markRead(currentRoom);
  const unread = unreadMessages(currentRoom).filter(m => !isReadOnBoard(m)),
    count = isChatVisible() ? 0 : unread.length,
    isForMe = count > 0 && unread.some(isPrivateReply);
  byId("chat-badge").hidden = !count;
  setText(byId("chat-badge"), isForMe ? `◉ ${count}` : String(count));
  const open = [count && t("unread", count), isForMe && t("only_you")].filter(Boolean).join(", ");
  byId("chat-open").setAttribute("aria-label", open ? `${t("chat")}: ${open}` : t("chat"));
  shell.drawShell(pageState());
  dialogsModule?.refreshPeople();
  // A failure was shown when the panel was opened.
  if (!byId("games").hidden) void drawGames().catch(() => {});
}

/** @returns {import("./types").PageState} */
const pageState = () => ({ currentRoom, joinedRooms, atEnd, table: board.followedTable() });
const drawSide = () => {
  if (currentRoom) shell.drawSidebar(pageState());
};

/** @param {string} text */
function announce(text) {
  byId("said").textContent = text;
}

// ---- scrolling ---------------------------------------------------------------------------

function scrollToEnd() {
  atEnd = true;
  log.scrollTop = log.scrollHeight;
  drawFrame();
}

/**
 * Scrolls to a message, loading earlier ones until it is there.
 * @param {number} id
 */
async function jumpToMessage(id) {
  const where = currentRoom;
  const isEarlier = () => id < (messagesInOrder(room(where))[0]?.id ?? 0);
  while (!elementOf(id) && room(where).hasEarlier && isEarlier()) {
    const count = room(where).messages.size;
    await loadEarlier();
    if (currentRoom !== where || room(where).messages.size === count) return;
  }
  const it = elementOf(id);
  if (!it) return toast(t("gone"));
  it.scrollIntoView({ block: "center" });
  it.classList.remove("found");
  void it.offsetWidth;
  it.classList.add("found");
  it.focus({ preventScroll: true });
}

const logSize = () => `${log.clientWidth} ${log.clientHeight}`;
let measuredSize = "",
  lastScrollTop = 0;

log.addEventListener("scroll", () => {
  const isUp = log.scrollTop < lastScrollTop;
  lastScrollTop = log.scrollTop;
  // Ignores scrolling by a resized window.
  if (logSize() !== measuredSize) return;
  const end = log.scrollHeight - lastScrollTop - log.clientHeight < 60;
  // Ignores scrolling by content that grows above, such as loaded images.
  if (end === atEnd || !(end || isUp)) return;
  atEnd = end;
  drawFrame();
});

// Keeps the chat at its end when images load or the window is resized.
const resizeObserver = new ResizeObserver(() => {
  measuredSize = logSize();
  if (atEnd) log.scrollTop = log.scrollHeight;
});
resizeObserver.observe(list, { box: "border-box" });
resizeObserver.observe(log);

// ---- events ------------------------------------------------------------------------------

/** @param {import("./types").ServerEvent} update */
function onServerEvent({ name, data }) {
  if (name === "message") onMessage(data);
  else if (name === "room") onRoomChanged(data);
  else if (name === "me") onIdentityChanged(data);
  else if (name === "busy") onTyping(data);
  else if (name === "presence") onPresence(data);
  else if (name === "ready") {
    shell.scheduleTableList(drawSide);
    void board.refresh();
    void import("./offline.js").then(it => it.onConnected());
  } else if (name === "reset") location.reload();
  else if (name === "stranger") void checkToken().finally(() => location.reload());
}

/** @param {Message} m */
function onMessage(m) {
  const it = room(m.room),
    old = findMessage(it, m.id),
    isNew = !old;
  if (!applyMessage(m)) return;
  if (!m.gone && m.waits_for === currentIdentity()?.id && old?.waits_for !== m.waits_for)
    alertTurn(m);
  if (m.bot && !m.only && m.table) shell.scheduleTableList(drawSide);
  if (m.author) it.typing.delete(m.author.id);
  if (isNew && m.image && !m.table) {
    const { src } = m.image;
    import("./files.js").then(it => it.imageUrl(src)).catch(() => {});
  }
  composer.removeDelivered(m.room);
  const isChangedReply =
    m.only && !m.table && old && old.text !== m.text && !viewer.isMessageShown(m);
  if (isChangedReply && (m.room !== currentRoom || !isChatVisible())) it.changedReplies.add(m.id);
  if (m.room !== currentRoom) return shell.drawSidebar(pageState());
  const keepsEnd = atEnd || (isNew && (isOwnMessage(m) || m.only));
  showRoomTable();
  viewer.onMessage(m, isNew || old?.look !== m.look);
  const isOnBoard = Boolean(m.table && isShownOnBoard(m));
  if (isOnBoard) void viewer.refresh(m.table ?? null);
  showAnswer(m, old);
  if (!isOnBoard) return drawChangedMessage(m, keepsEnd);
  // The board shows the change before the chat does.
  const shown = Promise.race([board.refresh(), delay(BOARD_WAIT_MAX_MS)]);
  void shown.then(() => {
    const now = findMessage(it, m.id);
    if (now && now.room === currentRoom && now.seq === m.seq)
      drawChangedMessage(now, keepsEnd && atEnd);
  });
}

/**
 * Draws a new or changed message.
 * @param {Message} m
 * @param {boolean} stay whether the chat stays at its end
 */
function drawChangedMessage(m, stay) {
  if (room(m.room).olderBoards.has(m.id)) return drawFrame();
  redrawMessage(m);
  drawTyping();
  if (stay) scrollToEnd();
  // A long reply is read from its start.
  const card = m.only ? elementOf(m.id) : null;
  if (card && stay && !isShownOnBoard(m) && card.offsetHeight > log.clientHeight)
    card.scrollIntoView();
}

/**
 * Shows a private reply over the board, if it answers a press there. Hands of cards are not
 * replies, even when they lose their table at the end of a game.
 * @param {Message} m
 * @param {Message | undefined} old
 */
function showAnswer(m, old) {
  if (answerSheet?.isMessageShown(m)) return answerSheet.show(m);
  const isAwaited = performance.now() - pressedAt < REPLY_WINDOW_MS,
    isForPress = isAwaited && !isCommand;
  const isNewReply = !m.gone && isPrivateReply(m) && !old?.table && !m.look;
  if (!isNewReply || !(isAwaited || (!old && !isChatVisible()))) return;
  if (answerSheet) return answerSheet.show(m, isForPress, isAwaited);
  import("./answer-sheet.js").then(it => {
    if (!answerSheet) it.start({ ...messageActions, beforePress: () => notePress() }, onReturnedToChat);
    answerSheet = it;
    if (m.room === currentRoom) it.show(m, isForPress, isAwaited);
    redrawMessage(m);
  }, showError);
}

/** @param {Message} m */
function onReturnedToChat(m) {
  if (m.room !== currentRoom) return;
  drawMessages(it => it.id === m.id);
  drawFrame();
}

/**
 * Alerts the user that it is their turn at a table they do not see.
 * @param {import("./types").ShownMessage} m
 */
function alertTurn(m) {
  if (!["sounds", "notices"].some(it => local.getItem(it) === "on")) return;
  // A new table is shown by then.
  void import("./notifications.js").then(it => it.alertTurn(m, isShownOnBoard(m)));
}

/** @param {RoomView} info */
function onRoomChanged(info) {
  const it = room(info.room);
  it.info = { ...it.info, ...info, seq: Math.max(it.info?.seq ?? 0, info.seq) };
  if (info.room === currentRoom) drawFrame();
}

/** @param {import("./types").OwnPerson} me */
function onIdentityChanged(me) {
  updateName(me.name);
  joinedRooms = me.rooms;
  // Another tab or device has left a room, or its admin has removed the user. An event from before
  // the user has joined may arrive late.
  for (const { name, info } of allRooms())
    if (info && me.seq > info.seq && !joinedRooms.includes(name)) onRoomLeft(name);
  joinedRooms.forEach(preloadRoom);
  drawFrame();
}

/** @param {string} name */
function preloadRoom(name) {
  if (room(name).loaded || loading.has(name)) return;
  loading.add(name);
  loadRoom(name)
    .then(drawFrame, () => {})
    .finally(() => loading.delete(name));
}

/** @param {import("./types").PresenceEvent} data */
function onPresence({ room: name, person, online }) {
  const found = room(name).info?.people.find(it => it.id === person);
  if (found) found.online = online;
  if (name === currentRoom) drawFrame();
}

/** @param {import("./types").TypingEvent} data */
function onTyping({ room: name, person, name: who }) {
  const { typing } = room(name);
  clearTimeout(typing.get(person)?.timer);
  const timer = setTimeout(() => {
    typing.delete(person);
    drawTyping();
  }, 6000);
  typing.set(person, { who, timer });
  drawTyping();
}

function drawTyping() {
  if (!currentRoom) return;
  const names = [...room(currentRoom).typing.values()].map(it => it.who);
  const who = names.slice(0, 3).join(", ");
  setText(byId("typing"), who && t("typing", { name: who }));
}

/** @param {boolean} isConnected */
function showConnection(isConnected) {
  // Shows the page although the identity is not known yet.
  if (!isConnected) byId("app").hidden = false;
  showBanner(isConnected);
}

/** @param {Message} m */
async function dismiss(m) {
  await post(roomPath(m.room, "/dismiss"), { message: m.id }).catch(showError);
  focusComposer();
}

// ---- clicks --------------------------------------------------------------------------------

/** Moves the focus to the input line, and shows the chat if necessary. */
function focusChat() {
  if (!isChatVisible()) showPart("chat");
  composer.focus();
}

/** Moves the focus to the board, or to the games without one. */
function focusBoard() {
  showPart("board");
  if (byId("games").hidden) board.focus();
  else byId("games").focus();
}

function openSide() {
  document.body.classList.add("side-open", "side-moves");
  main.inert = true;
  byId("veil").hidden = false;
  byId("side-open").setAttribute("aria-expanded", "true");
  byId("side-close").focus();
}

/** Closes the sidebar; returns whether it was open. */
function closeSide() {
  const open = document.body.classList.contains("side-open");
  document.body.classList.remove("side-open");
  main.inert = false;
  byId("veil").hidden = true;
  byId("side-open").setAttribute("aria-expanded", "false");
  return open;
}

/** Closes the shown table, so the games of the room are visible. */
function leaveTable() {
  view.closeTable(currentRoom);
  if (parseLocation().table) history.replaceState(null, "", roomLink(currentRoom));
  board.followTable(currentRoom, null);
}

/** @param {string} name */
function onRoomLeft(name) {
  joinedRooms = joinedRooms.filter(it => it !== name);
  forgetRoom(name);
  // Both the answer to leaving a room and its event report it.
  if (name !== currentRoom) return;
  toast(t("left", { name }));
  currentRoom = "";
  const rest = joinedRooms.filter(it => it !== "@");
  // Opening the lobby joins it again.
  goToRoom(rest.includes(HOME) ? HOME : (rest[0] ?? "@"));
}

byId("board-open").addEventListener("click", () => showPart("board"));
byId("games-open").addEventListener("click", () => {
  // A finished game is closed when the user leaves it.
  if (board.shownPhase() !== "playing" && board.shownPhase() !== "lobby") leaveTable();
  showPart("games");
});
byId("chat-open").addEventListener("click", () => {
  showPart(view.shownPart() === "chat" ? "board" : "chat");
});
byId("viewer-open").addEventListener("click", () => {
  const it = board.startedTable();
  if (it) viewer.open(it.room, `tables/${it.table}/replay`).catch(showError);
});
byId("side-open").addEventListener("click", openSide);
byId("side-close").addEventListener("click", closeSide);
byId("veil").addEventListener("click", closeSide);
const loadDialogs = () => import("./dialogs.js").then(it => (dialogsModule = it));
byId("room-new-open").addEventListener("click", () =>
  loadDialogs().then(it => it.openNewRoom(goToRoom)).catch(showError),
);
byId("people-open").addEventListener("click", () =>
  loadDialogs().then(it => it.openPeople(currentRoom, onRoomLeft)).catch(showError),
);
byId("me-open").addEventListener("click", () =>
  loadDialogs().then(it => it.openSettings()).catch(showError),
);
byId("earlier").addEventListener("click", loadEarlier);
byId("to-end").addEventListener("click", () => {
  scrollToEnd();
  focusComposer();
});
window.addEventListener("hashchange", openRoomFromAddress);
// A device that wakes up, or has a connection again, may have missed moves, and the day may have
// changed. Saved settings change the board.
const redrawPage = () => {
  drawMessages(() => false);
  drawFrame();
  if (!document.hidden) void board.refresh();
};
document.addEventListener("visibilitychange", redrawPage);
document.addEventListener("saved", redrawPage);
window.addEventListener("online", redrawPage);

// ---- the start ---------------------------------------------------------------------------

/** Whether the user wants another identity than the remembered one in this tab. */
const asksForName = () =>
  session.getItem("other-name") !== null || new URLSearchParams(location.search).has("new");

/** Looks for a valid token after the server has refused the one in use. */
const checkToken = async () => (await import("./identity.js")).onTokenRefused();

async function startPage() {
  onLanguage(() => {
    if (!currentRoom) return;
    redrawChat();
    void board.refresh();
    void viewer.refresh(null);
    shell.scheduleTableList(drawSide);
  });
  // A new tab continues as the remembered person, unless another name is requested.
  const remembered = rememberedIdentity();
  if (!currentIdentity() && remembered && !asksForName()) setIdentity(remembered, true);
  // The question for a name is loaded beside its texts.
  if (!currentIdentity()) void loadDialogs().catch(() => {});
  await setLanguage(preferredLanguage());
  /** @type {import("./types").OwnPerson | undefined} */
  let me;
  while (!me) {
    if (!currentIdentity()) await (await loadDialogs()).welcome();
    try {
      me = await getWithRetry("/api/me", showConnection);
    } catch {
      showConnection(false);
      await checkToken();
      showConnection(true);
    }
  }
  showConnection(true);
  updateName(me.name);
  joinedRooms = me.rooms;
  byId("app").hidden = false;
  /** @type {(value?: unknown) => void} */
  let startKeys = () => {};
  // Keyboard shortcuts and the Back button are loaded after the first view.
  const keys = new Promise(done => (startKeys = done)).then(async () => {
    const it = await import("./shortcuts.js");
    it.start({ currentRoom: () => currentRoom, focusChat, closeSide, locale: me?.locale });
    (await import("./back-button.js")).start(closeSide);
    return it;
  });
  keys.catch(showError);
  composer.start({
    focusMessages: () => void keys.then(it => it.focusLastMessage()),
    focusBoard,
    onReplies: replies => {
      replies.forEach(board.markHint);
      board.onReplies(replies);
    },
    onOutgoingChanged: (name, isNew) => {
      // The next reply answers the message.
      if (isNew) pressedAt = -Infinity;
      if (name === currentRoom) {
        drawMessages(() => false);
        drawFrame();
        if (atEnd) scrollToEnd();
      }
    },
  });
  if (!local.isKept) void loadDialogs().then(it => it.warnAboutStorage()).catch(() => {});
  board.start({
    onTableChanged: onBoardChanged,
    announce,
    onTableGone: () => {
      toast(t("table_gone"));
      if (!view.linkedTable()) return leaveTable();
      // The own game returns, as if there had been no link.
      view.followLink("");
      history.replaceState(null, "", roomLink(currentRoom));
      showRoomTable();
    },
    onPress: () => {
      answerSheet?.hide();
      notePress();
    },
    tableUrl: code => `${location.origin}/${inviteLink(currentRoom, code)}`,
    onLeave: focusChat,
    onRender: () => {
      byId("viewer-open").hidden = !board.startedTable();
      answerSheet?.onTableChanged();
    },
    openViewer: (address, ask) => viewer.open(currentRoom, address, null, ask).catch(showError),
  });
  const onPress = () => notePress(true);
  viewer.start({ onViewerChanged: onBoardChanged, onOpened: onViewerOpened, onPress });
  if (unsentRequests().length)
    await import("./resend-after-reload.js").then(it => it.resend(board.refresh)).catch(showError);
  onConnectionChange(showConnection);
  followEvents(me.seq, onServerEvent, showConnection);
  await openRoomFromAddress();
  startKeys();
  joinedRooms.forEach(preloadRoom);
  drawFrame();
}

startPage().catch(e => {
  showConnection(false);
  console.error(e);
  setTimeout(() => location.reload(), 3000);
});
