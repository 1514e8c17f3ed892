// The page: which room is shown, what is drawn, what follows from each event.

import {
  signOut,
  followEvents,
  get,
  getWithRetry,
  setIdentity,
  rememberedIdentity,
  newRequestKey,
  onConnectionChange,
  imageUrl,
  post,
  postWithRetry,
  RefusalError,
  roomPath,
  currentIdentity,
  delay,
} from "./api.js";
import * as board from "./board.js";
import * as viewer from "./viewer-loader.js";
import * as composer from "./composer.js";
import * as shell from "./app-shell.js";
import { byId, setText, targetOf, update } from "./dom.js";
import { updateMessage, createMessage, avatar, createElement } from "./messages.js";
import {
  findMessage,
  forgetRoom,
  messagesInOrder,
  isPrivateReply,
  belongsToOwnTable,
  markRead,
  isOwnMessage,
  applyMessage,
  applyMessagePage,
  room,
  roomLink,
  tableLink,
  firstUnreadReply,
  unreadMessages,
} from "./rooms.js";
import { showError, toast } from "./toasts.js";
import * as view from "./view.js";
import { currentLanguage, preferredLanguage, onLanguage, setLanguage, t } from "./words.js";

/** @typedef {import("./types").Message} Message */
/** @typedef {import("./types").RoomPage} RoomPage */
/** @typedef {import("./types").RoomView} RoomView */

const log = byId("log"),
  main = byId("main"),
  list = byId("messages"),
  { HOME } = shell;

/** The room that is shown; none at the very beginning. */
let currentRoom = "";
/** @type {string[]} */
let joinedRooms = [];
let atEnd = true;
const loading = new Set();
/** An element of a message, if it is shown. */
const elementOf = (/** @type {number} */ id) => document.getElementById(`m${id}`);

/** What comes so soon after a press beside the chat belongs there, in ms. */
const REPLY_WINDOW_MS = 8000;
/** How long the chat waits for the board to show what has happened, in ms. */
const BOARD_WAIT_MAX_MS = 6000;
let pressedAt = -Infinity;
/** @type {typeof import("./answer-sheet.js") | null} */
let answerSheet = null;
/** The dialogs, once one of them was opened.
 * @type {typeof import("./dialogs.js") | null} */
let dialogsModule = null;
const notePress = () => void (pressedAt = performance.now());

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
  afterPress: () => {},
  isOnBoard: isShownOnBoard,
  openInViewer,
  onPressAnswered,
  markHint: board.markHint,
};

// ---- rooms -------------------------------------------------------------------------------

function parseLocation() {
  const [address = "", query] = location.hash.replace(/^#\/?/, "").split("?");
  const [path, , table = ""] = address.split("/");
  const params = new URLSearchParams(query ?? "");
  const message = Number(params.get("m")) || null;
  const invite = params.get("i");
  const play = params.get("play");
  let name = HOME;
  try {
    name = decodeURIComponent(path ?? "").toLowerCase() || HOME;
  } catch {
    /* a broken address */
  }
  return { name, table: table.toLowerCase(), message, invite, play };
}

const goToRoom = (/** @type {string} */ name) => {
  location.hash = roomLink(name);
};

async function enterLinkedRoom() {
  const { name, table, message, invite, play } = parseLocation();
  closeSide();
  try {
    if (!joinedRooms.includes(name)) await joinRoom(name, invite);
    else if (!room(name).loaded) await loadRoom(name);
  } catch (e) {
    showError(e);
    if (name !== HOME) goToRoom(HOME);
    return;
  }
  if (parseLocation().name !== name) return;
  view.followLink(table);
  const isNew = currentRoom !== name;
  if (isNew) {
    if (currentRoom) room(currentRoom).scrollTop = atEnd ? null : log.scrollTop;
    currentRoom = name;
    viewer.close();
    composer.enterRoom(name);
  }
  showPart("board");
  showRoomTable();
  if (isNew) {
    answerSheet?.hide();
    redrawChat();
    scrollToEnd();
    // On a touch screen the focus would bring up its keyboard.
    if (!matchMedia("(pointer: coarse)").matches) composer.focus();
  }
  if (play) await joinLinkedTable(play);
  // A board is shown beside the chat; other messages are looked for in the chat.
  const linkedMessage = message === null ? undefined : room(name).messages.get(message);
  if (message !== null && !(linkedMessage && isShownOnBoard(linkedMessage))) {
    showPart("chat");
    void jumpToMessage(message);
  }
}

/**
 * Opens a table in the private chat of a person who has followed a link to it.
 * @param {string} code
 */
async function joinLinkedTable(code) {
  history.replaceState(null, "", "#/@");
  const text = `/private ${code}`;
  await postWithRetry(roomPath("@", "/messages"), { text, key: newRequestKey() }).catch(showError);
}

// ---- the living board --------------------------------------------------------------------

/** Shows the table that is to be seen in this room, or its games. */
function showRoomTable() {
  const before = board.followedTable();
  const table = view.shownTable(currentRoom);
  // What a link led to has given way to a new game of one's own.
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

/** A table has come or gone, or something is looked at in its place: in the chat it is words alone,
 * or a picture again. */
function onBoardChanged() {
  drawPagePart();
  byId("look-open").hidden = !board.startedTable();
  answerSheet?.onTableChanged();
  if (currentRoom) redrawChat();
}

/** What was asked for in the chat is looked at in the place of the board. */
function onViewerOpened() {
  if (viewer.isOpen() && view.shownPart() === "chat") showPart("board");
}

/** Shows the part of the page that is wanted: board, games or chat. */
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

/** Draws the games of the room. The module is fetched when they are first shown. */
async function drawGames() {
  gamesModule ??= import("./games.js").then(async it => {
    await it.start(notePress);
    return it;
  });
  const it = await gamesModule.catch(e => {
    gamesModule = null;
    throw e;
  });
  if (currentRoom && !byId("games").hidden) it.drawGamesPanel(currentRoom);
}

/**
 * Shows a part of the page; where there is space the chat is beside the others.
 * @param {"board" | "games" | "chat"} part
 */
function showPart(part) {
  view.showPart(part);
  if (part === "games") viewer.close();
  drawPagePart();
  if (part !== "chat") return drawFrame();
  // What would lie under the chat is read in it.
  answerSheet?.hideIfCovered();
  const answer = firstUnreadReply(currentRoom);
  scrollToEnd();
  // One that came while the chat was hidden may be far above its end.
  const card = answer && elementOf(answer.id);
  const isAbove = card && card.getBoundingClientRect().top < log.getBoundingClientRect().top;
  if (!isAbove) return;
  atEnd = false;
  drawFrame();
  void jumpToMessage(answer.id);
}

/**
 * A press on a message was answered: a card that only this person sees, and that has led to
 * something all can see, has done its work.
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
  applyRoomPage(await post("/api/rooms", { name, invite }));
  if (!joinedRooms.includes(name)) joinedRooms.push(name);
}

/**
 * @param {string} name
 * @param {number | null} before
 */
async function loadRoom(name, before = null) {
  const query = before ? `?before=${before}&limit=60` : "?limit=60";
  applyRoomPage(await get(roomPath(name, query)), before !== null);
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
  // An event may have arrived before this response: the newer state of both counts.
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
  // What is only drawn again must not be read out again.
  log.setAttribute("aria-busy", "true");
  drawMessages(() => true);
  log.setAttribute("aria-busy", "false");
  log.scrollTop = atEnd ? log.scrollHeight : before;
  lastScrollTop = log.scrollTop;
  drawFrame();
}

/** What the chat shows: the line of a day, a message, or one that is being sent.
 * @typedef {{ key: string, day?: number, m?: import("./types").ShownMessage, more?: boolean,
 *   sent?: import("./types").OutgoingMessage }} ChatEntry */

/**
 * All that the chat shows, in order; what one person says in a row is joined, each day has a line.
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
  return [...said, ...it.outgoing.map(sent => ({ key: `sending ${sent.key}`, sent }))];
}

/**
 * Shows what is new in the chat, and takes away what is gone.
 * @param {(m: import("./types").ShownMessage) => boolean} isChanged whether a message that is
 *   shown is to be drawn again
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
    // A new message is read out; one sentence announces later changes of it instead.
    if (m) setTimeout(() => it.setAttribute("aria-live", "off"), 1000);
    return it;
  };
  // What does not change later is in the language of the page.
  const key = (/** @type {ChatEntry} */ it) => `${currentRoom} ${currentLanguage()} ${it.key}`;
  update(list, chatEntries(), key, create, (it, { m, more, day }) => {
    if (day) setText(it.children[0] ?? it, dayName(day));
    if (!m) return;
    it.classList.toggle("more", Boolean(more));
    if (!created.has(it) && isChanged(m)) updateMessage(it, m, messageActions);
  });
}

/** @param {number} ms */
function dayName(ms) {
  const date = new Date(ms),
    days = Math.round(
      (new Date().setHours(0, 0, 0, 0) - new Date(ms).setHours(0, 0, 0, 0)) / 86400000,
    );
  if (days === 0) return t("today");
  if (days === 1) return t("yesterday");
  return date.toLocaleDateString(currentLanguage(), { day: "numeric", month: "long" });
}

/** @param {Message} m */
function redrawMessage(m) {
  const old = elementOf(m.id);
  if (m.gone && old?.contains(document.activeElement)) composer.focus();
  drawMessages(it => it === m);
  if (old && !m.gone && m.bot && m.image && !isShownOnBoard(m)) {
    announce(m.only ? m.text : t("board_changed", { text: m.text }));
  }
  drawFrame();
}

/**
 * A message that has not arrived yet.
 * @param {import("./types").OutgoingMessage} sent
 */
function outgoingMessage({ text }) {
  const me = currentIdentity(),
    name = me?.name ?? "";
  const head = createElement(
      "header",
      "",
      createElement("b", "who", name),
      createElement("small", "", t("sending")),
    ),
    body = createElement("div", "body", createElement("div", "text", text));
  const bubble = createElement("div", "bubble", head, body);
  return createElement("article", "message mine sending", avatar(me?.id ?? "", name), bubble);
}

/** What was looked at in the place of the board, as it was then.
 * @type {Set<string>} */
const readInViewer = new Set();

/**
 * Whether a message is read on a board, and not in the chat.
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
  if (!byId("games").hidden) void drawGames().catch(showError);
}

/** @returns {import("./types").PageState} */
const pageState = () => ({ currentRoom, joinedRooms, atEnd });
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
 * Shows a message, fetching earlier ones until it is there.
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
  // A window that changes its size scrolls by itself; that is nobody's wish.
  if (logSize() !== measuredSize) return;
  const end = log.scrollHeight - lastScrollTop - log.clientHeight < 60;
  // Nor is it when what is above grows, as pictures do that arrive.
  if (end === atEnd || !(end || isUp)) return;
  atEnd = end;
  drawFrame();
});

// Pictures arrive and windows change size: a log at its end stays there.
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
  else if (name === "stranger") {
    signOut(true);
    location.reload();
  }
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
  if (isNew && m.image && !m.table) imageUrl(m.image.src).catch(() => {});
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
  // The board shows first what has happened there.
  const shown = Promise.race([board.refresh(), delay(BOARD_WAIT_MAX_MS)]);
  void shown.then(() => {
    const now = findMessage(it, m.id);
    if (now && now.room === currentRoom && now.seq === m.seq)
      drawChangedMessage(now, keepsEnd && atEnd);
  });
}

/**
 * Shows a message that has come or changed.
 * @param {Message} m
 * @param {boolean} stay whether the end of the chat stays in sight
 */
function drawChangedMessage(m, stay) {
  if (room(m.room).olderBoards.has(m.id)) return drawFrame();
  redrawMessage(m);
  drawTyping();
  if (stay) scrollToEnd();
  // A long answer is read from its beginning.
  const card = m.only ? elementOf(m.id) : null;
  if (card && stay && !isShownOnBoard(m) && card.offsetHeight > log.clientHeight)
    card.scrollIntoView();
}

/**
 * Shows an answer over the board, if the press that it answers was made there. A hand is none, also
 * when it is put away at the end of its game.
 * @param {Message} m
 * @param {Message | undefined} old
 */
function showAnswer(m, old) {
  if (answerSheet?.isMessageShown(m)) return answerSheet.show(m);
  const isAwaited = performance.now() - pressedAt < REPLY_WINDOW_MS;
  const isNewReply = !m.gone && isPrivateReply(m) && !old?.table && !m.look;
  if (!isNewReply || !(isAwaited || (!old && !isChatVisible()))) return;
  if (answerSheet) return answerSheet.show(m);
  import("./answer-sheet.js").then(it => {
    if (!answerSheet) it.start({ ...messageActions, beforePress: notePress }, onReturnedToChat);
    answerSheet = it;
    if (m.room === currentRoom) it.show(m);
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
 * It is this person's turn, and the board is not before their eyes.
 * @param {import("./types").ShownMessage} m
 */
function alertTurn(m) {
  if (m.room === currentRoom && !document.hidden) return;
  if (!["sounds", "notices"].some(it => localStorage.getItem(it) === "on")) return;
  const turnText = m.text.trim().split("\n").at(-1) ?? "";
  void import("./notifications.js").then(signals => {
    // What is before one's eyes sounds by itself.
    if (m.room !== currentRoom || !isShownOnBoard(m)) signals.playSound("turn");
    return signals.notifyTurn(m.room, turnText);
  });
}

/** @param {RoomView} info */
function onRoomChanged(info) {
  const it = room(info.room);
  it.info = { ...it.info, ...info, seq: Math.max(it.info?.seq ?? 0, info.seq) };
  if (info.room === currentRoom) drawFrame();
}

/** @param {import("./types").OwnPerson} me */
function onIdentityChanged(me) {
  joinedRooms = me.rooms;
  // Another device has left the room, or its admin has removed this person.
  if (currentRoom && !joinedRooms.includes(currentRoom) && currentRoom !== HOME)
    onRoomLeft(currentRoom);
  for (const name of joinedRooms) preloadRoom(name);
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
  // The page may be there before anybody could be asked who this is.
  if (!isConnected) byId("app").hidden = false;
  // What waits to be sent is listed there, too.
  if (byId("offline").hidden !== isConnected)
    byId("offline").textContent = isConnected ? "" : t("offline");
  byId("offline").hidden = isConnected;
}

/** @param {Message} m */
async function dismiss(m) {
  await post(roomPath(m.room, "/dismiss"), { message: m.id }).catch(showError);
  composer.focus();
}

// ---- clicks --------------------------------------------------------------------------------

/** From the board to the line, where that may have to be brought out first. */
function focusChat() {
  if (!isChatVisible()) showPart("chat");
  composer.focus();
}

/** From the empty line to the board, if there is one. */
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

/** Tells whether it was open. */
function closeSide() {
  const open = document.body.classList.contains("side-open");
  document.body.classList.remove("side-open");
  main.inert = false;
  byId("veil").hidden = true;
  byId("side-open").setAttribute("aria-expanded", "false");
  return open;
}

/** Goes from the table that is shown to the games of the room. */
function leaveTable() {
  view.closeTable(currentRoom);
  if (parseLocation().table) history.replaceState(null, "", roomLink(currentRoom));
  board.followTable(currentRoom, null);
}

/** @param {string} name */
function onRoomLeft(name) {
  joinedRooms = joinedRooms.filter(it => it !== name);
  forgetRoom(name);
  toast(t("left", { name }));
  currentRoom = "";
  const rest = joinedRooms.filter(it => it !== "@");
  // Opening the lobby joins it again.
  goToRoom(rest.includes(HOME) ? HOME : (rest[0] ?? "@"));
}

byId("board-open").addEventListener("click", () => showPart("board"));
byId("games-open").addEventListener("click", () => {
  // A game that is over has been seen.
  if (board.shownPhase() !== "playing" && board.shownPhase() !== "lobby") leaveTable();
  showPart("games");
});
byId("chat-open").addEventListener("click", () => {
  showPart(view.shownPart() === "chat" ? "board" : "chat");
});
byId("games").addEventListener("click", e => {
  // The link of the table that is shown already changes no address.
  const link = targetOf(e).closest("a.open");
  if (link?.getAttribute("href") === location.hash) void enterLinkedRoom();
});
byId("look-open").addEventListener("click", () => {
  const it = board.startedTable();
  if (it) viewer.open(it.room, `tables/${it.table}/replay`).catch(showError);
});
byId("side-open").addEventListener("click", openSide);
byId("side-close").addEventListener("click", closeSide);
byId("veil").addEventListener("click", closeSide);
const loadDialogs = () => import("./dialogs.js").then(it => (dialogsModule = it));
byId("room-new-open").addEventListener("click", () =>
  loadDialogs().then(it => it.openNewRoom(goToRoom), showError),
);
byId("people-open").addEventListener("click", () =>
  loadDialogs().then(it => it.openPeople(currentRoom, onRoomLeft), showError),
);
byId("me-open").addEventListener("click", () =>
  loadDialogs().then(it => it.openSettings(), showError),
);
byId("mine").addEventListener("saved", () => {
  drawFrame();
  void board.refresh();
});
byId("earlier").addEventListener("click", loadEarlier);
byId("to-end").addEventListener("click", () => {
  scrollToEnd();
  composer.focus();
});
window.addEventListener("hashchange", enterLinkedRoom);
document.addEventListener("visibilitychange", () => drawFrame());

// ---- the start ---------------------------------------------------------------------------

/** Whether this tab asks for another name than the remembered one. */
const asksForName = () =>
  sessionStorage.getItem("other-name") !== null || new URLSearchParams(location.search).has("new");

async function startPage() {
  onLanguage(() => {
    if (!currentRoom) return;
    redrawChat();
    void board.refresh();
    void viewer.refresh(null);
  });
  await setLanguage(preferredLanguage());
  // A new tab continues as the remembered person, unless another name is requested.
  const remembered = rememberedIdentity();
  if (!currentIdentity() && remembered && !asksForName()) setIdentity(remembered, true);
  if (!currentIdentity()) await (await loadDialogs()).welcome();
  /** @type {import("./types").OwnPerson} */
  let me;
  try {
    me = await getWithRetry("/api/me", showConnection);
  } catch (e) {
    if (!(e instanceof RefusalError && e.status === 401)) throw e;
    const name = currentIdentity()?.name;
    signOut(true);
    await (await loadDialogs()).welcome(name);
    me = await getWithRetry("/api/me", showConnection);
  }
  showConnection(true);
  joinedRooms = me.rooms;
  byId("app").hidden = false;
  /** @type {() => void} */
  let startKeys = () => {};
  // Nobody presses a key before they see something.
  const keys = new Promise(done => (startKeys = () => done(undefined))).then(async () => {
    const it = await import("./shortcuts.js");
    it.start({ currentRoom: () => currentRoom, focusChat: focusChat, closeSide });
    return it;
  });
  keys.catch(showError);
  composer.start({
    focusMessages: () => void keys.then(it => it.focusLastMessage()),
    focusBoard: focusBoard,
    onReplies: whispers => whispers.forEach(board.markHint),
    onOutgoingChanged: name => {
      if (name === currentRoom) {
        drawMessages(() => false);
        drawFrame();
        if (atEnd) scrollToEnd();
      }
    },
  });
  board.start({
    onTableChanged: onBoardChanged,
    announce: announce,
    onTableGone: () => {
      toast(t("table_gone"));
      leaveTable();
    },
    onPress: () => {
      answerSheet?.close();
      notePress();
    },
    tableUrl: code => `${location.origin}/${tableLink(currentRoom, code)}`,
    onLeave: focusChat,
    onRender: () => {
      byId("look-open").hidden = !board.startedTable();
      answerSheet?.onTableChanged();
    },
    openViewer: (address, ask) => viewer.open(currentRoom, address, null, ask).catch(showError),
  });
  viewer.start({ onViewerChanged: onBoardChanged, onOpened: onViewerOpened, onPress: () => {} });
  onConnectionChange(showConnection);
  followEvents(me.seq, onServerEvent, showConnection);
  await enterLinkedRoom();
  startKeys();
  joinedRooms.forEach(preloadRoom);
  drawFrame();
}

startPage().catch(e => {
  showConnection(false);
  console.error(e);
  setTimeout(() => location.reload(), 3000);
});
