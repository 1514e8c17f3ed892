// The page of a guest who has signed in from another platform: one table, or the list of theirs.
// Who they are is proved by a code in the address, by Telegram's client or by Discord's.

import { get, goBy, newKey, post, readFrom, Refused, wait } from "./api.js";
import * as discord from "./discord.js";
import * as living from "./board.js";
import { refuse, toast } from "./toasts.js";
import { byId, say, target, update } from "./dom.js";
import * as looks from "./looks.js";
import { keyboard, make, write } from "./messages.js";
import { addWords } from "./more-words.js";
import * as telegram from "./telegram.js";
import { firstLanguage, LANGUAGES, setLanguage, t } from "./words.js";

/** @typedef {import("./types").Guest} Guest */
/** @typedef {import("./types").GuestWhisper} GuestWhisper */

/** How often it is asked whether a review is made, and how many ms lie between. */
const REVIEW_ASKED = 40,
  REVIEW_PAUSE = 3000;

/** Where the key of the window is stored. */
const WINDOW = "window";

const SECTIONS = ["table", "waiting", "mine", "notice"];

/** The code of the table that is shown. */
let here = "";
/** Counts the tables that were gone to: what comes late is of an earlier one. */
let turn = 0;
/** Ends the stream of the table that is shown. */
let stream = new AbortController();
let token = "";

// ---- coming in ---------------------------------------------------------------------------

/**
 * Proves who looks; gives what the server says of them.
 * @returns {Promise<Guest>}
 */
async function enter() {
  if (telegram.proof) {
    const asked = { platform: "tg", data: telegram.proof, window: windowKey() };
    return keep(await post("/api/guest", asked));
  }
  if (discord.inside) {
    const data = await discord.authorize();
    const { instance } = discord;
    const me = keep(await post("/api/guest", { platform: "dc", data, instance }));
    if (me.key) await discord.authenticate(me.key).catch(() => {});
    return me;
  }
  const code = new URLSearchParams(location.hash.slice(1)).get("in");
  if (!code) return get("/api/guest");
  // A code is used once, and is nobody's business in the history.
  history.replaceState(null, "", location.pathname + location.search);
  try {
    return await post("/api/guest", { code });
  } catch (e) {
    // The same link pressed again: a guest who is signed in already goes on.
    if (!(e instanceof Refused) || e.status !== 403) throw e;
    return get("/api/guest").catch(() => Promise.reject(e));
  }
}

/** The key of this window: after a reload the server takes the same proof from it once more. */
function windowKey() {
  const fresh = newKey();
  try {
    const key = sessionStorage.getItem(WINDOW) ?? fresh;
    sessionStorage.setItem(WINDOW, key);
    return key;
  } catch {
    // Where nothing can be stored, a reload has to be opened from the chat again.
    return fresh;
  }
}

/** @param {Guest} me */
function keep(me) {
  token = me.token ?? "";
  return me;
}

/** @type {Record<string, string>} */
const WHY = { unknown: "guest_unknown", old: "guest_old", signed_out: "guest_out" };

/** Why one is not let in. Only links can be used up: a refused proof of an app is too old.
 *  @param {Refused} e */
const reason = e => WHY[telegram.proof && e.error === "unknown" ? "old" : e.error];

// ---- what is shown -----------------------------------------------------------------------

/** @param {string} section */
function show(section) {
  for (const it of SECTIONS) byId(it).hidden = it !== section;
  const away = section === "table" || section === "waiting" || section === "notice";
  const back = away && byId("app").dataset.in === "yes";
  byId("back").hidden = !back;
  if (telegram.proof) telegram.showBack(back);
}

/** @param {string} text */
function notice(text) {
  byId("notice-text").textContent = text;
  byId("end").hidden = !telegram.proof && !discord.inside;
  show("notice");
}

/** Closes the window, where it is one of a platform. */
const end = () => (telegram.proof ? telegram.close() : discord.close());

/** The list of one's own tables. */
async function list() {
  leaveTable();
  const mine = turn;
  /** @type {{ tables: import("./types").OwnTable[] }} */
  const { tables } = await get("/api/guest/tables");
  if (mine !== turn) return;
  byId("none").hidden = tables.length > 0;
  const create = (/** @type {import("./types").OwnTable} */ { table }) => {
    const open = make("button");
    open.type = "button";
    open.addEventListener("click", () => void goTo(table));
    return make("li", "", open);
  };
  update(byId("my-tables"), tables, it => it.table, create, (line, it) => {
    const open = line.children[0];
    if (!open) return;
    open.className = it.your_turn ? "quiet yours" : "quiet";
    say(open, (it.your_turn ? "▶ " : "") + it.says);
  });
  show("mine");
}

function leaveTable() {
  turn += 1;
  stream.abort();
  stream = new AbortController();
  here = "";
  looks.close();
  living.follow("", null);
}

/**
 * Shows a table for as long as nothing else is wanted.
 * @param {string} table
 */
async function goTo(table) {
  leaveTable();
  here = table;
  const mine = turn;
  const now = () => mine === turn;
  const { signal } = stream;
  if (!(await look()) || !now()) return;
  /** @type {number | null} */
  let since = null;
  for (let pause = 300; now(); ) {
    const path = `/api/guest/tables/${encodeURIComponent(table)}/events`;
    /** @type {import("./api.js").See} */
    const see = (_, update) => {
      if (!now()) return;
      pause = 300;
      if (update.name === "stranger") signedOut();
      else if (update.name === "gone") {
        leaveTable();
        notice(t("guest_absent"));
      } else if (update.name === "table" && update.data.change !== since) {
        since = update.data.change;
        void look();
      }
    };
    const opened = () => connected(true);
    await readFrom(since === null ? path : `${path}?since=${since}`, see, opened, signal).catch(e => {
      if (!now()) return;
      if (e instanceof Refused && e.status === 401) signedOut();
      else connected(false);
    });
    if (now()) await wait(pause);
    pause = Math.min(pause * 2, 5000);
  }
}

function signedOut() {
  leaveTable();
  byId("app").dataset.in = "no";
  byId("leave").hidden = true;
  notice(t("guest_out"));
}

/** @param {boolean} yes */
function connected(yes) {
  byId("offline").hidden = yes;
  byId("offline").textContent = yes ? "" : t("offline");
}

/** Brings the table up to date: a board, or before the start words and buttons. */
async function look() {
  const table = here;
  if (!table) return false;
  if (living.follows(table)) {
    await living.refresh();
    looks.refresh(table);
    return true;
  }
  try {
    /** @type {import("./types").TableState} */
    const state = await get(`/api/guest/tables/${encodeURIComponent(table)}`);
    if (table !== here) return false;
    if (state.phase !== "lobby" && state.phase !== "closed") {
      show("table");
      living.follow(table, table);
    } else {
      byId("waiting-says").replaceChildren(...living.lines(state));
      keyboard(byId("waiting-keys"), { id: null, room: table, buttons: state.keys }, acts);
      show("waiting");
    }
    byId("room-name").textContent = table;
    return true;
  } catch (e) {
    if (table !== here) return false;
    const status = e instanceof Refused ? e.status : 0;
    if (status === 401) signedOut();
    else if (status === 404) notice(t("guest_absent"));
    else refuse(e);
    return false;
  }
}

/** In which turn a board was lost already. */
let lost = 0;

/**
 * The board has gone from under us: it is looked again once what there is instead.
 * @param {boolean} there
 */
function changed(there) {
  if (there || !here) return;
  if (lost === turn) return notice(t("guest_absent"));
  lost = turn;
  void look();
}

/**
 * Something is looked back at.
 * @param {string} address
 * @param {string} [ask]
 */
async function lookAt(address, ask) {
  const table = here,
    mine = turn;
  await looks.look(table, address, null, ask);
  // That a review is made no message tells here: it is asked for.
  for (let n = 0; n < REVIEW_ASKED && address.endsWith("/review"); n++) {
    await wait(REVIEW_PAUSE);
    if (mine !== turn || !looks.isOpen()) return;
    await looks.made(address);
  }
}

/** @param {string} text */
function said(text) {
  byId("said").textContent = text;
  if (telegram.proof) telegram.feel(true);
}

// ---- private replies ----------------------------------------------------------------------

/**
 * Answers that stay lie on a card; the next one takes its place.
 * @param {import("./types").Whisper[]} whispers
 */
function told(whispers) {
  const lasting = /** @type {GuestWhisper[]} */ (whispers).filter(it => !it.brief);
  const card = byId("card");
  const [first] = lasting;
  // A button of the card that asks for a second press needs the card.
  if (!first) return void (whispers.some(it => it.again) || card.close());
  write(byId("card-text"), lasting.flatMap((it, n) => [...gap(n), ...it.spans]));
  picture(first.image);
  file(lasting.find(it => it.file)?.file ?? null);
  const buttons = lasting.flatMap(it => it.buttons).filter(row => row.length);
  keyboard(byId("card-keys"), { id: null, room: here, buttons }, acts);
  if (!card.open) card.showModal();
}

const acts = { told };

/** @returns {import("./types").Span[]} */
const gap = (/** @type {number} */ n) => (n ? [{ kind: "plain", text: "\n\n" }] : []);

/**
 * @param {string} base64
 * @param {string} type
 */
function blob(base64, type) {
  const bytes = Uint8Array.from(atob(base64), it => it.charCodeAt(0));
  return URL.createObjectURL(new Blob([bytes], { type }));
}

/** @param {GuestWhisper["image"]} image */
function picture(image) {
  const it = byId("card-image");
  if (it.src) URL.revokeObjectURL(it.src);
  it.hidden = !image;
  if (!image) return it.removeAttribute("src");
  it.src = blob(image.png, "image/png");
  it.alt = image.alt;
}

/** @param {GuestWhisper["file"]} it */
function file(it) {
  const link = byId("card-file");
  link.hidden = !it;
  if (!it) return;
  link.href = blob(it.bytes, "application/octet-stream");
  link.download = it.name;
  link.textContent = t("file", { name: it.name });
}

// ---- the start ---------------------------------------------------------------------------

function back() {
  const card = byId("card");
  if (card.open) return card.close();
  if (looks.isOpen()) return looks.close();
  if (byId("app").dataset.in === "yes") void list().catch(refuse);
}

/** Speaks another language from now on.
 * @param {string} language */
async function speak(language) {
  // The page is spelled with all its words, or it would show their keys.
  await addWords("guest", language);
  await setLanguage(language);
}

async function begin() {
  goBy({
    prefix: discord.prefix,
    token: () => token,
    room: (table, rest) =>
      rest.startsWith("/tables/")
        ? `/api/guest${rest}`
        : `/api/guest/tables/${encodeURIComponent(table)}${rest}`,
  });
  await speak(firstLanguage());
  notice(t("guest_opening"));
  if (telegram.proof) telegram.start(back);
  // A press is felt at once, whatever comes of it.
  document.addEventListener("click", e => {
    const pressed = target(e).closest(".spot, .goal, .key");
    if (telegram.proof && pressed) telegram.feel(false);
  });
  byId("end").addEventListener("click", end);
  byId("card-close").addEventListener("click", () => byId("card").close());
  byId("back").addEventListener("click", back);
  byId("leave").addEventListener("click", async () => {
    await post("/api/guest/out", {}).catch(refuse);
    signedOut();
  });
  // Another link in the same tab.
  window.addEventListener("hashchange", () => {
    if (location.hash.startsWith("#in=")) location.reload();
  });
  let me;
  try {
    me = await enter();
  } catch (e) {
    const why = e instanceof Refused ? reason(e) : null;
    return notice(why ? t(why) : t("failed", { text: e instanceof Error ? e.message : String(e) }));
  }
  if (me.lang in LANGUAGES) await speak(me.lang);
  byId("app").dataset.in = "yes";
  byId("room-note").textContent = me.name;
  byId("leave").hidden = false;
  living.start({
    changed,
    said,
    told,
    look: (address, ask) => void lookAt(address, ask).catch(refuse),
  });
  looks.start({ changed: () => {}, opened: () => {}, pressed: () => {} });
  const table = me.table ?? new URLSearchParams(location.search).get("table");
  await (table ? goTo(table.toLowerCase()) : list());
}

begin().catch(e => {
  console.error(e);
  toast(e.message);
});
