// The page: which room is shown, what is drawn, what follows from each event.

import {
  dropSelf,
  follow,
  get,
  getSurely,
  keepSelf,
  known,
  newKey,
  onReach,
  picture,
  post,
  postSurely,
  Refused,
  roomPath,
  self,
  wait,
} from "./api.js";
import * as living from "./board.js";
import * as looks from "./looks.js";
import * as composer from "./composer.js";
import * as frame from "./frame.js";
import { byId, say, target, update } from "./dom.js";
import { change, draw, face, make } from "./messages.js";
import {
  findMessage,
  forget,
  inOrder,
  isAnswer,
  isOfOwnTable,
  markRead,
  mine,
  put,
  putPage,
  room,
  roomLink,
  tableLink,
  unreadAnswer,
  unreadOnes,
} from "./rooms.js";
import { refuse, toast } from "./toasts.js";
import * as view from "./view.js";
import { currentLanguage, firstLanguage, onLanguage, setLanguage, t } from "./words.js";

/** @typedef {import("./types").Message} Message */
/** @typedef {import("./types").RoomPage} RoomPage */
/** @typedef {import("./types").RoomInfo} RoomInfo */

const log = byId("log"),
  main = byId("main"),
  list = byId("messages"),
  { HOME } = frame;

/** The room that is shown; none at the very beginning. */
let here = "";
/** @type {string[]} */
let joined = [];
let atEnd = true;
const loading = new Set();
/** An element of a message, if it is shown. */
const shown = (/** @type {number} */ id) => document.getElementById(`m${id}`);

/** What comes so soon after a press beside the chat belongs there, in ms. */
const SOON = 8000;
/** How long the chat waits for the board to show what has happened, in ms. */
const BOARD_FIRST = 6000;
let awaitedAt = -Infinity;
/** @type {typeof import("./note.js") | null} */
let notes = null;
/** The dialogs, once one of them was opened.
 * @type {typeof import("./dialogs.js") | null} */
let opened = null;
const awaits = () => void (awaitedAt = performance.now());

const lives = (/** @type {Message} */ m) =>
  Boolean(m.table && m.room === here && living.follows(m.table)) ||
  looks.shows(m) ||
  Boolean(notes?.shows(m));
const look = (/** @type {import("./types").ShownMessage} */ m) =>
  looks.look(m.room, m.look ?? "", m).catch(refuse);
const act = {
  reply: composer.startReply,
  jump,
  dismiss,
  pressed: () => {},
  lives,
  look,
  used,
  marks: living.markHint,
};

// ---- rooms -------------------------------------------------------------------------------

function wanted() {
  const [address = "", query] = location.hash.replace(/^#\/?/, "").split("?");
  const [path, , table = ""] = address.split("/");
  const asked = new URLSearchParams(query ?? "");
  const message = Number(asked.get("m")) || null;
  const invite = asked.get("i");
  const play = asked.get("play");
  let name = HOME;
  try {
    name = decodeURIComponent(path ?? "").toLowerCase() || HOME;
  } catch {
    /* a broken address */
  }
  return { name, table: table.toLowerCase(), message, invite, play };
}

const goTo = (/** @type {string} */ name) => {
  location.hash = roomLink(name);
};

async function enter() {
  const { name, table, message, invite, play } = wanted();
  closeSide();
  try {
    if (!joined.includes(name)) await join(name, invite);
    else if (!room(name).loaded) await load(name);
  } catch (e) {
    refuse(e);
    if (name !== HOME) goTo(HOME);
    return;
  }
  if (wanted().name !== name) return;
  view.followLink(table);
  const isNew = here !== name;
  if (isNew) {
    if (here) room(here).scroll = atEnd ? null : log.scrollTop;
    here = name;
    looks.close();
    composer.enter(name);
  }
  showPart("board");
  followTable();
  if (isNew) {
    notes?.hide();
    drawAll();
    toEnd();
    // On a touch screen the focus would bring up its keyboard.
    if (!matchMedia("(pointer: coarse)").matches) composer.focus();
  }
  if (play) await playLinked(play);
  // A board is shown beside the chat; other messages are looked for in the chat.
  const meant = message === null ? undefined : room(name).messages.get(message);
  if (message !== null && !(meant && lives(meant))) {
    showPart("chat");
    void jump(message);
  }
}

/**
 * Opens a table in the private chat of a person who has followed a link to it.
 * @param {string} code
 */
async function playLinked(code) {
  history.replaceState(null, "", "#/@");
  const text = `/private ${code}`;
  await postSurely(roomPath("@", "/messages"), { text, key: newKey() }).catch(refuse);
}

// ---- the living board --------------------------------------------------------------------

/** Shows the table that is to be seen in this room, or its games. */
function followTable() {
  const before = living.followed();
  const table = view.shownTable(here);
  // What a link led to has given way to a new game of one's own.
  const linked = view.linkedTable();
  if (wanted().table && wanted().table !== linked) {
    history.replaceState(null, "", linked ? tableLink(here, linked) : roomLink(here));
  }
  if (table && table !== before) {
    looks.close();
    view.showPart("board");
  }
  living.follow(here, table);
  drawParts();
}

/** A table has come or gone, or something is looked at in its place: in the chat it is words alone,
 * or a picture again. */
function tableChanged() {
  drawParts();
  byId("look-open").hidden = !living.played();
  notes?.settle();
  if (here) drawAll();
}

/** What was asked for in the chat is looked at in the place of the board. */
function toLook() {
  if (looks.isOpen() && view.shownPart() === "chat") showPart("board");
}

/** Shows the part of the page that is wanted: board, games or chat. */
function drawParts() {
  const looking = looks.isOpen(),
    playing = !byId("table").hidden,
    part = view.shownPart();
  const inGames = !looking && (part === "games" || !playing);
  document.body.classList.toggle("has-table", Boolean(here));
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
  if (inGames) void drawGames().catch(refuse);
}

/** @type {Promise<typeof import("./games.js")> | null} */
let games = null;

/** Draws the games of the room. The module is fetched when they are first shown. */
async function drawGames() {
  games ??= import("./games.js").then(async it => {
    await it.start(awaits);
    return it;
  });
  const it = await games.catch(e => {
    games = null;
    throw e;
  });
  if (here && !byId("games").hidden) it.draw(here);
}

/**
 * Shows a part of the page; where there is space the chat is beside the others.
 * @param {"board" | "games" | "chat"} part
 */
function showPart(part) {
  view.showPart(part);
  if (part === "games") looks.close();
  drawParts();
  if (part !== "chat") return drawFrame();
  // What would lie under the chat is read in it.
  notes?.giveWay();
  const answer = unreadAnswer(here);
  toEnd();
  // One that came while the chat was hidden may be far above its end.
  const card = answer && shown(answer.id);
  const isAbove = card && card.getBoundingClientRect().top < log.getBoundingClientRect().top;
  if (!isAbove) return;
  atEnd = false;
  drawFrame();
  void jump(answer.id);
}

/**
 * A press on a message was answered: a card that only this person sees, and that has led to
 * something all can see, has done its work.
 * @param {{ id: number | null, room: string }} m
 * @param {import("./types").Whisper[]} whispers
 */
function used({ id, room: name }, whispers) {
  const card = id === null ? undefined : room(name).messages.get(id);
  if (card?.only && !card.table && !card.look && !whispers.length) void dismiss(card);
}

const chatIsSeen = () => byId("chat").offsetParent !== null;

/**
 * @param {string} name
 * @param {string | null} invite
 */
async function join(name, invite) {
  take(await post("/api/rooms", { name, invite }));
  if (!joined.includes(name)) joined.push(name);
}

/**
 * @param {string} name
 * @param {number | null} before
 */
async function load(name, before = null) {
  const query = before ? `?before=${before}&limit=60` : "?limit=60";
  take(await get(roomPath(name, query)), before !== null);
}

/**
 * @param {RoomPage} page
 * @param {boolean} older
 */
function take(page, older = false) {
  const it = room(page.room);
  putPage(page.room, page.messages, page.more);
  page.boards?.forEach(put);
  it.more = page.more;
  if (older) return;
  // An event may have arrived before this response: the newer state of both counts.
  if (!it.info || page.seq >= it.info.seq) it.info = page;
  it.loaded = true;
}

async function earlier() {
  const where = here;
  const first = inOrder(room(where))[0];
  const height = log.scrollHeight - log.scrollTop;
  await load(where, first?.id ?? null).catch(refuse);
  if (where !== here) return;
  drawAll();
  log.scrollTop = log.scrollHeight - height;
}

// ---- drawing -----------------------------------------------------------------------------

function drawAll() {
  const before = log.scrollTop;
  // What is only drawn again must not be read out again.
  log.setAttribute("aria-busy", "true");
  drawMessages(() => true);
  log.setAttribute("aria-busy", "false");
  log.scrollTop = atEnd ? log.scrollHeight : before;
  top = log.scrollTop;
  drawFrame();
}

/** What the chat shows: the line of a day, a message, or one that is being sent.
 * @typedef {{ key: string, day?: number, m?: import("./types").ShownMessage, more?: boolean,
 *   sent?: import("./types").Sending }} Entry */

/**
 * All that the chat shows, in order; what one person says in a row is joined, each day has a line.
 * @returns {Entry[]}
 */
function entries() {
  const it = room(here);
  /** @type {Message | undefined} */
  let last;
  const said = inOrder(it).flatMap(m => {
    const day = new Date(m.time).toDateString(),
      isSameDay = last && new Date(last.time).toDateString() === day,
      isOfBoth = last?.author?.id === m.author?.id && !m.only && !last?.only,
      more = Boolean(isSameDay && isOfBoth && m.time - (last?.time ?? 0) < 300000);
    last = m;
    /** @type {Entry[]} */
    const lines = isSameDay ? [] : [{ key: `day ${day}`, day: m.time }];
    return [...lines, { key: String(m.id), m, more }];
  });
  return [...said, ...it.sending.map(sent => ({ key: `sending ${sent.key}`, sent }))];
}

/**
 * Shows what is new in the chat, and takes away what is gone.
 * @param {(m: import("./types").ShownMessage) => boolean} isChanged whether a message that is
 *   shown is to be drawn again
 */
function drawMessages(isChanged) {
  /** @type {Set<HTMLElement>} */
  const fresh = new Set();
  const create = (/** @type {Entry} */ { m, sent }) => {
    const it = m ? draw(m, act) : sent ? sendingOne(sent) : make("p", "day", make("span"));
    fresh.add(it);
    // A new message is read out; one sentence announces later changes of it instead.
    if (m) setTimeout(() => it.setAttribute("aria-live", "off"), 1000);
    return it;
  };
  // What does not change later is in the language of the page.
  const key = (/** @type {Entry} */ it) => `${here} ${currentLanguage()} ${it.key}`;
  update(list, entries(), key, create, (it, { m, more, day }) => {
    if (day) say(it.children[0] ?? it, dayName(day));
    if (!m) return;
    it.classList.toggle("more", Boolean(more));
    if (!fresh.has(it) && isChanged(m)) change(it, m, act);
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
function drawMessage(m) {
  const old = shown(m.id);
  if (m.gone && old?.contains(document.activeElement)) composer.focus();
  drawMessages(it => it === m);
  if (old && !m.gone && m.bot && m.image && !lives(m)) {
    announce(m.only ? m.text : t("board_changed", { text: m.text }));
  }
  drawFrame();
}

/**
 * A message that has not arrived yet.
 * @param {import("./types").Sending} sent
 */
function sendingOne({ text }) {
  const me = self(),
    name = me?.name ?? "";
  const head = make("header", "", make("b", "who", name), make("small", "", t("sending"))),
    body = make("div", "body", make("div", "text", text));
  const bubble = make("div", "bubble", head, body);
  return make("article", "message mine sending", face(me?.id ?? "", name), bubble);
}

/** What was looked at in the place of the board, as it was then.
 * @type {Set<string>} */
const lookedAt = new Set();

/**
 * Whether a message is read on a board, and not in the chat.
 * @param {import("./types").ShownMessage} m
 */
function isReadOnBoard(m) {
  const key = `${m.room} ${m.id} ${m.seq}`;
  if (looks.shows(m)) lookedAt.add(key);
  return lives(m) || isOfOwnTable(m) || lookedAt.has(key);
}

/** Everything around the messages. */
function drawFrame() {
  if (!here) return;
  if (!document.hidden && atEnd && chatIsSeen()) markRead(here);
  const waiting = unreadOnes(here).filter(m => !isReadOnBoard(m)),
    count = chatIsSeen() ? 0 : waiting.length,
    isForMe = count > 0 && waiting.some(isAnswer);
  byId("chat-badge").hidden = !count;
  say(byId("chat-badge"), isForMe ? `◉ ${count}` : String(count));
  const open = [count && t("unread", count), isForMe && t("only_you")].filter(Boolean).join(", ");
  byId("chat-open").setAttribute("aria-label", open ? `${t("chat")}: ${open}` : t("chat"));
  frame.draw(seen());
  opened?.refreshPeople();
  if (!byId("games").hidden) void drawGames().catch(refuse);
}

const seen = () => ({ here, joined, atEnd });
const drawSide = () => {
  if (here) frame.side(seen());
};

/** @param {string} text */
function announce(text) {
  byId("said").textContent = text;
}

// ---- scrolling ---------------------------------------------------------------------------

function toEnd() {
  atEnd = true;
  log.scrollTop = log.scrollHeight;
  drawFrame();
}

/**
 * Shows a message, fetching earlier ones until it is there.
 * @param {number} id
 */
async function jump(id) {
  const where = here;
  const isEarlier = () => id < (inOrder(room(where))[0]?.id ?? 0);
  while (!shown(id) && room(where).more && isEarlier()) {
    const count = room(where).messages.size;
    await earlier();
    if (here !== where || room(where).messages.size === count) return;
  }
  const it = shown(id);
  if (!it) return toast(t("gone"));
  it.scrollIntoView({ block: "center" });
  it.classList.remove("found");
  void it.offsetWidth;
  it.classList.add("found");
  it.focus({ preventScroll: true });
}

const size = () => `${log.clientWidth} ${log.clientHeight}`;
let fitted = "",
  top = 0;

log.addEventListener("scroll", () => {
  const isUp = log.scrollTop < top;
  top = log.scrollTop;
  // A window that changes its size scrolls by itself; that is nobody's wish.
  if (size() !== fitted) return;
  const end = log.scrollHeight - top - log.clientHeight < 60;
  // Nor is it when what is above grows, as pictures do that arrive.
  if (end === atEnd || !(end || isUp)) return;
  atEnd = end;
  drawFrame();
});

// Pictures arrive and windows change size: a log at its end stays there.
const stick = new ResizeObserver(() => {
  fitted = size();
  if (atEnd) log.scrollTop = log.scrollHeight;
});
stick.observe(list, { box: "border-box" });
stick.observe(log);

// ---- events ------------------------------------------------------------------------------

/** @param {import("./types").Update} update */
function on({ name, data }) {
  if (name === "message") heard(data);
  else if (name === "room") roomChanged(data);
  else if (name === "me") meChanged(data);
  else if (name === "busy") busy(data);
  else if (name === "presence") present(data);
  else if (name === "ready") {
    frame.stir(drawSide);
    void living.refresh();
    void import("./offline.js").then(it => it.connected());
  } else if (name === "reset") location.reload();
  else if (name === "stranger") {
    dropSelf(true);
    location.reload();
  }
}

/** @param {Message} m */
function heard(m) {
  const it = room(m.room),
    old = findMessage(it, m.id),
    fresh = !old;
  if (!put(m)) return;
  if (!m.gone && m.waits_for === self()?.id && old?.waits_for !== m.waits_for) call(m);
  if (m.bot && !m.only && m.table) frame.stir(drawSide);
  if (m.author) it.typing.delete(m.author.id);
  if (fresh && m.image && !m.table) picture(m.image.src).catch(() => {});
  composer.settle(m.room);
  const hasChanged = m.only && !m.table && old && old.text !== m.text && !looks.shows(m);
  if (hasChanged && (m.room !== here || !chatIsSeen())) it.changed.add(m.id);
  if (m.room !== here) return frame.side(seen());
  const stay = atEnd || (fresh && (mine(m) || m.only));
  followTable();
  looks.heard(m, fresh || old?.look !== m.look);
  const isOnBoard = Boolean(m.table && lives(m));
  if (isOnBoard) void looks.refresh(m.table ?? null);
  note(m, old);
  if (!isOnBoard) return drawHeard(m, stay);
  // The board shows first what has happened there.
  const shown = Promise.race([living.refresh(), wait(BOARD_FIRST)]);
  void shown.then(() => {
    const now = findMessage(it, m.id);
    if (now && now.room === here && now.seq === m.seq) drawHeard(now, stay && atEnd);
  });
}

/**
 * Shows a message that has come or changed.
 * @param {Message} m
 * @param {boolean} stay whether the end of the chat stays in sight
 */
function drawHeard(m, stay) {
  if (room(m.room).older.has(m.id)) return drawFrame();
  drawMessage(m);
  drawTyping();
  if (stay) toEnd();
  // A long answer is read from its beginning.
  const card = m.only ? shown(m.id) : null;
  if (card && stay && !lives(m) && card.offsetHeight > log.clientHeight) card.scrollIntoView();
}

/**
 * Shows an answer over the board, if the press that it answers was made there. A hand is none, also
 * when it is put away at the end of its game.
 * @param {Message} m
 * @param {Message | undefined} old
 */
function note(m, old) {
  if (notes?.shows(m)) return notes.show(m);
  const isAwaited = performance.now() - awaitedAt < SOON;
  const isFresh = !m.gone && isAnswer(m) && !old?.table && !m.look;
  if (!isFresh || !(isAwaited || (!old && !chatIsSeen()))) return;
  if (notes) return notes.show(m);
  import("./note.js").then(it => {
    if (!notes) it.start({ ...act, begins: awaits }, drawAgain);
    notes = it;
    if (m.room === here) it.show(m);
    drawMessage(m);
  }, refuse);
}

/** @param {Message} m */
function drawAgain(m) {
  if (m.room !== here) return;
  drawMessages(it => it.id === m.id);
  drawFrame();
}

/**
 * It is this person's turn, and the board is not before their eyes.
 * @param {import("./types").ShownMessage} m
 */
function call(m) {
  if (m.room === here && !document.hidden) return;
  if (!["sounds", "notices"].some(it => localStorage.getItem(it) === "on")) return;
  const says = m.text.trim().split("\n").at(-1) ?? "";
  void import("./signals.js").then(signals => {
    // What is before one's eyes sounds by itself.
    if (m.room !== here || !lives(m)) signals.sound("turn");
    return signals.called(m.room, says);
  });
}

/** @param {RoomInfo} info */
function roomChanged(info) {
  const it = room(info.room);
  it.info = { ...it.info, ...info, seq: Math.max(it.info?.seq ?? 0, info.seq) };
  if (info.room === here) drawFrame();
}

/** @param {import("./types").Me} me */
function meChanged(me) {
  joined = me.rooms;
  // Another device has left the room, or its admin has removed this person.
  if (here && !joined.includes(here) && here !== HOME) left(here);
  for (const name of joined) preload(name);
  drawFrame();
}

/** @param {string} name */
function preload(name) {
  if (room(name).loaded || loading.has(name)) return;
  loading.add(name);
  load(name)
    .then(drawFrame, () => {})
    .finally(() => loading.delete(name));
}

/** @param {import("./types").Presence} data */
function present({ room: name, person, online }) {
  const found = room(name).info?.people.find(it => it.id === person);
  if (found) found.online = online;
  if (name === here) drawFrame();
}

/** @param {import("./types").Busy} data */
function busy({ room: name, person, name: who }) {
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
  if (!here) return;
  const names = [...room(here).typing.values()].map(it => it.who);
  const who = names.slice(0, 3).join(", ");
  say(byId("typing"), who && t("typing", { name: who }));
}

/** @param {boolean} yes */
function connected(yes) {
  // The page may be there before anybody could be asked who this is.
  if (!yes) byId("app").hidden = false;
  // What waits to be sent is listed there, too.
  if (byId("offline").hidden !== yes) byId("offline").textContent = yes ? "" : t("offline");
  byId("offline").hidden = yes;
}

/** @param {Message} m */
async function dismiss(m) {
  await post(roomPath(m.room, "/dismiss"), { message: m.id }).catch(refuse);
  composer.focus();
}

// ---- clicks --------------------------------------------------------------------------------

/** From the board to the line, where that may have to be brought out first. */
function toChat() {
  if (!chatIsSeen()) showPart("chat");
  composer.focus();
}

/** From the empty line to the board, if there is one. */
function toBoard() {
  showPart("board");
  if (byId("games").hidden) living.focus();
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
  view.putAway(here);
  if (wanted().table) history.replaceState(null, "", roomLink(here));
  living.follow(here, null);
}

/** @param {string} name */
function left(name) {
  joined = joined.filter(it => it !== name);
  forget(name);
  toast(t("left", { name }));
  here = "";
  const rest = joined.filter(it => it !== "@");
  // Opening the lobby joins it again.
  goTo(rest.includes(HOME) ? HOME : (rest[0] ?? "@"));
}

byId("board-open").addEventListener("click", () => showPart("board"));
byId("games-open").addEventListener("click", () => {
  // A game that is over has been seen.
  if (living.shownPhase() !== "playing" && living.shownPhase() !== "lobby") leaveTable();
  showPart("games");
});
byId("chat-open").addEventListener("click", () => {
  showPart(view.shownPart() === "chat" ? "board" : "chat");
});
byId("games").addEventListener("click", e => {
  // The link of the table that is shown already changes no address.
  const link = target(e).closest("a.open");
  if (link?.getAttribute("href") === location.hash) void enter();
});
byId("look-open").addEventListener("click", () => {
  const it = living.played();
  if (it) looks.look(it.room, `tables/${it.table}/replay`).catch(refuse);
});
byId("side-open").addEventListener("click", openSide);
byId("side-close").addEventListener("click", closeSide);
byId("veil").addEventListener("click", closeSide);
const dialogs = () => import("./dialogs.js").then(it => (opened = it));
byId("room-new-open").addEventListener("click", () =>
  dialogs().then(it => it.newRoom(goTo), refuse),
);
byId("people-open").addEventListener("click", () =>
  dialogs().then(it => it.people(here, left), refuse),
);
byId("me-open").addEventListener("click", () => dialogs().then(it => it.mine(), refuse));
byId("mine").addEventListener("saved", () => {
  drawFrame();
  void living.refresh();
});
byId("earlier").addEventListener("click", earlier);
byId("to-end").addEventListener("click", () => {
  toEnd();
  composer.focus();
});
window.addEventListener("hashchange", enter);
document.addEventListener("visibilitychange", () => drawFrame());

// ---- the start ---------------------------------------------------------------------------

/** Whether this tab asks for another name than the remembered one. */
const asksName = () =>
  sessionStorage.getItem("other-name") !== null || new URLSearchParams(location.search).has("new");

async function begin() {
  onLanguage(() => {
    if (!here) return;
    drawAll();
    void living.refresh();
    void looks.refresh(null);
  });
  await setLanguage(firstLanguage());
  // A new tab continues as the remembered person, unless another name is requested.
  const remembered = known();
  if (!self() && remembered && !asksName()) keepSelf(remembered, true);
  if (!self()) await (await dialogs()).welcome();
  /** @type {import("./types").Me} */
  let me;
  try {
    me = await getSurely("/api/me", connected);
  } catch (e) {
    if (!(e instanceof Refused && e.status === 401)) throw e;
    const name = self()?.name;
    dropSelf(true);
    await (await dialogs()).welcome(name);
    me = await getSurely("/api/me", connected);
  }
  connected(true);
  joined = me.rooms;
  byId("app").hidden = false;
  /** @type {() => void} */
  let startKeys = () => {};
  // Nobody presses a key before they see something.
  const keys = new Promise(done => (startKeys = () => done(undefined))).then(async () => {
    const it = await import("./keys.js");
    it.start({ here: () => here, toChat, closeSide });
    return it;
  });
  keys.catch(refuse);
  composer.start({
    up: () => void keys.then(it => it.intoMessages()),
    away: toBoard,
    told: whispers => whispers.forEach(living.markHint),
    sending: name => {
      if (name === here) {
        drawMessages(() => false);
        drawFrame();
        if (atEnd) toEnd();
      }
    },
  });
  living.start({
    changed: tableChanged,
    said: announce,
    gone: () => {
      toast(t("table_gone"));
      leaveTable();
    },
    pressed: () => {
      notes?.close();
      awaits();
    },
    link: code => `${location.origin}/${tableLink(here, code)}`,
    leave: toChat,
    shown: () => {
      byId("look-open").hidden = !living.played();
      notes?.settle();
    },
    look: (address, ask) => looks.look(here, address, null, ask).catch(refuse),
  });
  looks.start({ changed: tableChanged, opened: toLook, pressed: () => {} });
  onReach(connected);
  follow(me.seq, on, connected);
  await enter();
  startKeys();
  joined.forEach(preload);
  drawFrame();
}

begin().catch(e => {
  connected(false);
  console.error(e);
  setTimeout(() => location.reload(), 3000);
});
