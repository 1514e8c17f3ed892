// The page: which room is shown, what is drawn, what follows from each event.

import {
  dropSelf,
  follow,
  get,
  getSurely,
  newKey,
  picture,
  post,
  postSurely,
  Refused,
  roomPath,
  self,
} from "./api.js";
import * as living from "./board.js";
import * as looks from "./looks.js";
import * as composer from "./composer.js";
import * as frame from "./frame.js";
import * as keys from "./keys.js";
import { byId, first } from "./dom.js";
import { languages, mine as aboutMe, newRoom, people, refuse, toast, welcome } from "./dialogs.js";
import { change, draw, face, make } from "./messages.js";
import { board, forget, inOrder, markRead, mine, put, room, unread } from "./rooms.js";
import { stir } from "./tables.js";
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
let atEnd = true,
  boardSeen = true;
const loading = new Set();
/** An element of a message, if it is shown. */
const shown = (/** @type {number} */ id) => document.getElementById(`m${id}`);

const lives = (/** @type {Message} */ m) =>
  Boolean(m.table && m.room === here && living.follows(m.table)) || looks.shows(m);
const look = (/** @type {Message} */ m) => looks.look(m.room, m.look ?? "", m).catch(refuse);
const act = { reply: composer.startReply, jump, dismiss, pressed: () => {}, lives, look };

// ---- rooms -------------------------------------------------------------------------------

function wanted() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
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
  return { name, message, invite, play };
}

const goTo = (/** @type {string} */ name) => {
  location.hash = `#/${encodeURIComponent(name).replace("%40", "@")}`;
};

async function enter() {
  const { name, message, invite, play } = wanted();
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
  if (here !== name) {
    if (here) room(here).scroll = atEnd ? null : log.scrollTop;
    here = name;
    looks.close();
    composer.enter(name);
    drawer(false);
    followTable();
    drawAll();
    toEnd();
    // On a touch screen the focus would bring up its keyboard.
    if (!matchMedia("(pointer: coarse)").matches) composer.focus();
  }
  if (play) await playLinked(play);
  // A board is shown beside the chat; other messages are looked for in the chat.
  const meant = message === null ? undefined : room(name).messages.get(message);
  if (message !== null && !(meant && lives(meant))) {
    drawer(true);
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

/** The board of this room is played beside the chat, until something new is opened after it. */
function followTable() {
  const now = board(here);
  const isNewer = (/** @type {Message} */ m) =>
    now && m.id > now.id && m.bot && !m.only && !m.image && m.buttons.length;
  const past = now?.table && living.isOver(now.table) && inOrder(room(here)).some(isNewer);
  living.follow(here, past ? null : (now?.table ?? null));
}

/** A table has come or gone, or something is looked at in its place: in the chat it is words alone,
 * or a picture again. */
function tableChanged() {
  const there = looks.isOpen() || !byId("table").hidden;
  document.body.classList.toggle("has-table", there);
  byId("chat-open").hidden = !there;
  byId("look-open").hidden = !living.played();
  if (!there || looks.isOpen()) drawer(false);
  if (here) drawAll();
}

/**
 * Where the window is small the chat is a drawer.
 * @param {boolean} open
 */
function drawer(open) {
  document.body.classList.toggle("chat-open", open);
  byId("chat-open").setAttribute("aria-expanded", String(open));
  if (open) toEnd();
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
  page.messages.forEach(put);
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
  const it = room(here);
  // What is only drawn again must not be read out again.
  log.setAttribute("aria-busy", "true");
  list.replaceChildren();
  /** @type {Message | undefined} */
  let last;
  for (const m of inOrder(it)) {
    place(draw(m, act), m, last);
    last = m;
  }
  log.setAttribute("aria-busy", "false");
  drawSending();
  drawFrame();
}

/**
 * Appends a message; what one person says in a row is joined, a new day gets a line.
 * @param {HTMLElement} element
 * @param {Message} m
 * @param {Message | undefined} last
 */
function place(element, m, last) {
  const day = new Date(m.time).toDateString();
  if (!last || new Date(last.time).toDateString() !== day) list.append(dayLine(m.time));
  else if (
    last.author?.id === m.author?.id &&
    m.time - last.time < 300000 &&
    !m.only &&
    !last.only
  ) {
    element.classList.add("more");
  }
  list.append(element);
  // A new message is read out; later changes of it are told in one sentence instead.
  setTimeout(() => element.setAttribute("aria-live", "off"), 1000);
  watch(element, m);
}

/** @param {number} ms */
function dayLine(ms) {
  const date = new Date(ms),
    days = Math.round(
      (new Date().setHours(0, 0, 0, 0) - new Date(ms).setHours(0, 0, 0, 0)) / 86400000,
    );
  const name =
    days === 0
      ? t("today")
      : days === 1
        ? t("yesterday")
        : date.toLocaleDateString(currentLanguage(), { day: "numeric", month: "long" });
  return make("p", "day", make("span", "", name));
}

/** @param {Message} m */
function drawMessage(m) {
  const old = shown(m.id);
  if (m.gone) {
    if (old?.contains(document.activeElement)) composer.focus();
    old?.remove();
  } else if (old) {
    change(old, m, act);
    // A table becomes a board when someone joins.
    watch(old, m);
    if (m.bot && m.image && !lives(m)) {
      announce(m.only ? m.text : t("board_changed", { text: m.text }));
    }
  } else {
    const order = inOrder(room(here)),
      n = order.indexOf(m);
    if (n === order.length - 1) place(draw(m, act), m, order[n - 1]);
    else return drawAll();
  }
  drawSending();
  drawFrame();
}

function drawSending() {
  list.querySelectorAll(".sending").forEach(it => it.remove());
  const me = self();
  if (!me) return;
  for (const m of room(here).sending) {
    const it = make("article", "message mine sending", face(me.id, me.name));
    it.append(
      make(
        "div",
        "bubble",
        make("header", "", make("b", "who", me.name), make("small", "", t("sending"))),
        make("div", "body", make("div", "text", m.text)),
      ),
    );
    list.append(it);
  }
}

/** Everything around the messages. */
function drawFrame() {
  if (!here) return;
  if (!document.hidden && atEnd && chatIsSeen()) markRead(here);
  const count = chatIsSeen() ? 0 : unread(here);
  byId("chat-badge").hidden = !count;
  byId("chat-badge").textContent = String(count);
  const open = count ? `${t("chat")}: ${t("unread", count)}` : t("chat");
  byId("chat-open").setAttribute("aria-label", open);
  frame.draw(view());
}

const view = () => ({ here, joined, atEnd, boardSeen });
const drawSide = () => {
  if (here) frame.side(view());
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

const sight = new IntersectionObserver(
  seen => {
    const now = board(here);
    for (const it of seen)
      if (now && it.target.id === `m${now.id}`) boardSeen = it.intersectionRatio >= 0.45;
    if (here) frame.chips(view());
  },
  { root: log, threshold: [0, 0.25, 0.45, 0.7] },
);

/**
 * @param {HTMLElement} element
 * @param {Message} m
 */
function watch(element, m) {
  if (!m.bot || !m.image) return;
  sight.disconnect();
  boardSeen = true;
  const now = board(here);
  const seen = now && (now.id === m.id ? element : shown(now.id));
  if (seen) sight.observe(seen);
}

const size = () => `${log.clientWidth} ${log.clientHeight}`;
let fitted = "";

log.addEventListener("scroll", () => {
  // A window that changes its size scrolls by itself; that is nobody's wish.
  if (size() !== fitted) return;
  const end = log.scrollHeight - log.scrollTop - log.clientHeight < 60;
  if (end === atEnd) return;
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
    stir(false, drawSide);
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
  const old = room(m.room).messages.get(m.id),
    fresh = !old;
  if (!put(m)) return;
  if (m.waits_for === self()?.id && old?.waits_for !== m.waits_for) call(m);
  if (m.bot && (!old || old.waits_for !== m.waits_for)) stir(m.room === here, drawSide);
  const it = room(m.room);
  if (m.author) it.typing.delete(m.author.id);
  if (fresh && m.image && !m.table) picture(m.image.src).catch(() => {});
  composer.settle(m.room);
  if (m.room !== here) return frame.side(view());
  const stay = atEnd || (fresh && (mine(m) || m.only));
  followTable();
  looks.heard(m, fresh || old.look !== m.look);
  if (m.table && lives(m)) {
    void living.refresh();
    void looks.refresh(m.table);
  }
  else if (m.only && !m.gone && !m.look?.startsWith("lessons/")) drawer(true);
  drawMessage(m);
  drawTyping();
  if (stay) toEnd();
  // A long answer is read from its beginning.
  const card = m.only ? shown(m.id) : null;
  if (card && stay && !lives(m) && card.offsetHeight > log.clientHeight) card.scrollIntoView();
}

/**
 * It is this person's turn, and the board is not before their eyes.
 * @param {Message} m
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
  if (here && !joined.includes(here) && here !== HOME) {
    forget(here);
    here = "";
    goTo(HOME);
  }
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
  byId("typing").textContent = names.length
    ? t("typing", { name: names.slice(0, 3).join(", ") })
    : "";
}

/** @param {boolean} yes */
function connected(yes) {
  // The page may be there before anybody could be asked who this is.
  if (!yes) byId("app").hidden = false;
  byId("offline").hidden = yes;
  byId("offline").textContent = yes ? "" : t("offline");
}

/** @param {Message} m */
async function dismiss(m) {
  await post(roomPath(m.room, "/dismiss"), { message: m.id }).catch(refuse);
  composer.focus();
}

// ---- clicks --------------------------------------------------------------------------------

/** From the board to the line, where that may have to be brought out first. */
function toChat() {
  if (!chatIsSeen()) drawer(true);
  composer.focus();
}

/** From the empty line to the board, if there is one. */
function toBoard() {
  if (!document.body.classList.contains("has-table")) return;
  drawer(false);
  living.focus();
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

byId("chat-open").addEventListener("click", () => {
  drawer(!document.body.classList.contains("chat-open"));
  drawFrame();
});
byId("look-open").addEventListener("click", () => {
  const it = living.played();
  if (it) looks.look(it.room, `tables/${it.table}/replay`).catch(refuse);
});
byId("side-open").addEventListener("click", openSide);
byId("side-close").addEventListener("click", closeSide);
byId("veil").addEventListener("click", closeSide);
byId("room-new-open").addEventListener("click", () => newRoom(goTo));
byId("people-open").addEventListener("click", () => people(here, left));
byId("me-open").addEventListener("click", aboutMe);
byId("mine").addEventListener("saved", () => drawFrame());
byId("earlier").addEventListener("click", earlier);
byId("to-end").addEventListener("click", () => {
  toEnd();
  composer.focus();
});
byId("to-board").addEventListener("click", () => {
  const now = board(here);
  if (!now) return;
  void jump(now.id);
  const drawn = shown(now.id);
  if (drawn) first(drawn, ".key[tabindex='0']")?.focus({ preventScroll: true });
});
window.addEventListener("hashchange", enter);
document.addEventListener("visibilitychange", () => drawFrame());

// ---- the start ---------------------------------------------------------------------------

async function begin() {
  onLanguage(languages);
  onLanguage(() => {
    if (!here) return;
    drawAll();
    void living.refresh();
    void looks.refresh(null);
  });
  await setLanguage(firstLanguage());
  if (!self()) await welcome();
  /** @type {import("./types").Me} */
  let me;
  try {
    me = await getSurely("/api/me", connected);
  } catch (e) {
    if (!(e instanceof Refused && e.status === 401)) throw e;
    const name = self()?.name;
    dropSelf(true);
    await welcome(name);
    me = await getSurely("/api/me", connected);
  }
  connected(true);
  joined = me.rooms;
  byId("app").hidden = false;
  composer.start({
    up: keys.intoMessages,
    away: toBoard,
    sending: name => {
      if (name === here) {
        drawSending();
        drawFrame();
        if (atEnd) toEnd();
      }
    },
  });
  keys.start({ here: () => here, toChat, closeSide });
  living.start({
    changed: tableChanged,
    said: announce,
    leave: toChat,
    shown: () => (byId("look-open").hidden = !living.played()),
    look: (address, ask) => looks.look(here, address, null, ask).catch(refuse),
  });
  looks.start({ changed: tableChanged, pressed: () => {} });
  follow(me.seq, on, connected);
  await enter();
  joined.forEach(preload);
  drawFrame();
}

begin().catch(e => {
  connected(false);
  console.error(e);
  setTimeout(() => location.reload(), 3000);
});
