// The page of a user signed in from another platform: one table, or the list of their tables. They
// sign in with a code in the URL, or through the client of Telegram or Discord.

import {
  get,
  setTransport,
  newRequestKey,
  post,
  readEventStream,
  RefusalError,
  delay,
  getWithRetry,
  onConnectionChange,
  session,
  timeLimit,
} from "./api.js";
import * as discord from "./discord.js";
import * as board from "./board.js";
import { showConnection, showError, toast } from "./toasts.js";
import { byId, setText, targetOf, update } from "./dom.js";
import * as viewer from "./viewer-loader.js";
import { renderKeyboard, createElement, renderSpans } from "./messages.js";
import { loadTranslations } from "./lazy-translations.js";
import * as telegram from "./telegram.js";
import { preferredLanguage, LANGUAGES, setLanguage, t } from "./words.js";

/** @typedef {import("./types").Guest} Guest */
/** @typedef {import("./types").GuestReplyView} GuestReplyView */

/** How often, and at which interval, the page polls for a requested review. */
const REVIEW_POLLS_MAX = 40,
  REVIEW_POLL_MS = 3000;

/** How often the list of own tables is updated. */
const LIST_POLL_MS = 20000;

/** The shortest and the longest pause before a failed attempt is repeated. */
const PAUSE_MS = 300,
  PAUSE_MAX_MS = 5000,
  /** The longest time of a sign-in or a sign-out. */
  SIGN_IN_MS = 20000;

/** The storage keys of the window key and of the code of a link. */
const WINDOW_KEY = "window",
  CODE_KEY = "in";

const SECTIONS = ["table", "waiting", "mine", "notice"];

/** The code of the table that is shown. */
let currentTable = "";
/** Identifies the current visit to a table. Drops responses to superseded requests. */
let visit = 0;
/** Aborts the event stream of the current table. */
let stream = new AbortController();
let token = "";

// ---- sign-in -----------------------------------------------------------------------------

/**
 * Signs in and returns the user. Tries again while the server cannot be reached, or answers that it
 * cannot do it now.
 * @returns {Promise<Guest>}
 */
async function signIn() {
  const link = new URLSearchParams(location.hash.slice(1)).get(CODE_KEY);
  if (link) {
    // The history does not keep the code; the tab does until it is answered.
    session.setItem(CODE_KEY, link);
    history.replaceState(null, "", location.pathname + location.search);
  }
  const code = session.getItem(CODE_KEY);
  for (let pause = PAUSE_MS; ; pause = Math.min(pause * 2, PAUSE_MAX_MS)) {
    // Discord's codes are valid once.
    const data = discord.isActivity ? await discord.authorize() : "";
    try {
      const me = await presentProof(code, data);
      session.removeItem(CODE_KEY);
      return me;
    } catch (e) {
      const refusal = e instanceof RefusalError ? e : null;
      if (refusal && !refusal.isTransient) {
        session.removeItem(CODE_KEY);
        throw e;
      }
      if (refusal) showNotice(t("failed", { text: refusal.message }));
      else showConnection(false);
      await delay(Math.max(pause, refusal?.waitMs ?? 0));
    }
  }
}

/**
 * Presents what proves who the user is.
 * @param {string | null} code the code of a link
 * @param {string} data what Discord says
 * @returns {Promise<Guest>}
 */
async function presentProof(code, data) {
  const send = (/** @type {import("./types").RequestBody} */ proof) =>
    post("/api/guest", proof, timeLimit(SIGN_IN_MS));
  if (telegram.initData) {
    const asked = { platform: "tg", data: telegram.initData, window: windowKey() };
    return storeToken(await send(asked));
  }
  if (discord.isActivity) {
    const { instanceId: instance } = discord;
    const me = storeToken(await send({ platform: "dc", data, instance }));
    if (me.key) await discord.authenticate(me.key).catch(() => {});
    return me;
  }
  if (!code) return get("/api/guest");
  try {
    return await send({ code, window: windowKey() });
  } catch (e) {
    // A used link: continues if the user is still signed in.
    if (!(e instanceof RefusalError) || e.status !== 403) throw e;
    return get("/api/guest").catch(() => Promise.reject(e));
  }
}

/** The key of this window, with which the server accepts the same sign-in data after a reload.
 * Without storage a reload must be opened from the chat again. */
function windowKey() {
  const key = session.getItem(WINDOW_KEY) ?? newRequestKey();
  session.setItem(WINDOW_KEY, key);
  return key;
}

/** @param {Guest} me */
function storeToken(me) {
  token = me.token ?? "";
  return me;
}

/** @type {Record<string, string>} */
const REASON_KEYS = { unknown: "guest_unknown", old: "guest_old", signed_out: "guest_out" };

/** The text key of a refused sign-in. Refused data of an app is too old; only links can be used up.
 *  @param {RefusalError} e */
const reasonKey = e => REASON_KEYS[telegram.initData && e.error === "unknown" ? "old" : e.error];

// ---- sections ----------------------------------------------------------------------------

/** @param {string} section */
function showSection(section) {
  for (const it of SECTIONS) byId(it).hidden = it !== section;
  const away = section === "table" || section === "waiting" || section === "notice";
  const back = away && byId("app").dataset.in === "yes";
  byId("back").hidden = !back;
  if (telegram.initData) telegram.showBack(back);
}

/** @param {string} text */
function showNotice(text) {
  byId("notice-text").textContent = text;
  byId("end").hidden = !telegram.initData && !discord.isActivity;
  showSection("notice");
}

/** Closes the window of the platform's client. */
const closeWindow = () => (telegram.initData ? telegram.close() : discord.close());

/** Shows the list of own tables, and updates it until the user opens a table. */
async function showTableList() {
  leaveTable();
  const started = visit;
  while (started === visit) {
    /** @type {{ tables: import("./types").OwnTable[] } | null} */
    const answer = await getWithRetry("/api/guest/tables", showConnection).catch(e => {
      if (!(e instanceof RefusalError) || e.status !== 401) throw e;
      if (started === visit) signedOut();
      return null;
    });
    if (!answer || started !== visit) return;
    showConnection(true);
    renderTableList(answer.tables);
    showSection("mine");
    // A page that the user does not see is updated when they return.
    do await delay(LIST_POLL_MS);
    while (document.hidden);
  }
}

/** @param {import("./types").OwnTable[]} tables */
function renderTableList(tables) {
  byId("none").hidden = tables.length > 0;
  const create = (/** @type {import("./types").OwnTable} */ { table }) => {
    const open = createElement("button");
    open.type = "button";
    open.addEventListener("click", () => void openTable(table));
    return createElement("li", "", open);
  };
  update(byId("my-tables"), tables, it => it.table, create, (line, it) => {
    const open = line.children[0];
    if (!open) return;
    open.className = it.your_turn ? "quiet yours" : "quiet";
    setText(open, (it.your_turn ? "▶ " : "") + it.says);
  });
}

function leaveTable() {
  visit += 1;
  stream.abort();
  stream = new AbortController();
  currentTable = "";
  viewer.close();
  board.followTable("", null);
  clearCard();
}

/**
 * Shows a table and follows its events until the user leaves it.
 * @param {string} table
 */
async function openTable(table) {
  leaveTable();
  currentTable = table;
  const started = visit;
  const isCurrent = () => started === visit;
  const { signal } = stream;
  await refreshUntilShown();
  /** The newest change that the page shows: a new stream tells all later ones.
   * @type {number | null} */
  let since = null;
  for (let pause = PAUSE_MS; isCurrent(); ) {
    const path = `/api/guest/tables/${encodeURIComponent(table)}/events`;
    /** @type {import("./api.js").OnEvent} */
    const onEvent = (_, update) => {
      if (!isCurrent()) return;
      pause = PAUSE_MS;
      if (update.name === "stranger") signedOut();
      else if (update.name === "gone") {
        leaveTable();
        showNotice(t("guest_absent"));
      } else if (update.name === "table" && update.data.change !== since) {
        const { change } = update.data;
        void refreshUntilShown().then(() => (since = change));
      }
    };
    const onOpen = () => showConnection(true);
    await readEventStream(
      since === null ? path : `${path}?since=${since}`,
      onEvent,
      onOpen,
      signal,
    ).catch(e => {
      if (!isCurrent()) return;
      if (e instanceof RefusalError && e.status === 401) signedOut();
      else showConnection(false);
    });
    if (isCurrent()) await delay(pause);
    pause = Math.min(pause * 2, PAUSE_MAX_MS);
  }
}

function signedOut() {
  leaveTable();
  byId("app").dataset.in = "no";
  byId("leave").hidden = true;
  showNotice(t("guest_out"));
}

/** Updates the table; tries again until the page shows its newest state, or the user leaves it. */
async function refreshUntilShown() {
  const started = visit;
  for (let pause = PAUSE_MS; started === visit; pause = Math.min(pause * 2, PAUSE_MAX_MS)) {
    if (await refreshTable()) return;
    await delay(pause);
  }
}

/** Updates the table: a board, or text and buttons before the start. Returns whether the page shows
 * the newest state. */
async function refreshTable() {
  const table = currentTable;
  if (!table) return false;
  if (board.isFollowing(table)) {
    const isShown = await board.refresh();
    viewer.refresh(table);
    return isShown;
  }
  try {
    /** @type {import("./types").TableStateView} */
    const state = await get(`/api/guest/tables/${encodeURIComponent(table)}`);
    if (table !== currentTable) return false;
    // A newer answer has shown the board.
    if (board.isFollowing(table)) return board.refresh();
    if (state.phase !== "lobby" && state.phase !== "closed") {
      showSection("table");
      board.followTable(table, table);
    } else {
      renderWaiting(state);
      showSection("waiting");
      void showSeats(state).catch(showError);
    }
    byId("room-name").textContent = table;
    showConnection(true);
    return true;
  } catch (e) {
    if (table !== currentTable) return false;
    const status = e instanceof RefusalError ? e.status : 0;
    if (status === 401) signedOut();
    else if (status !== 404) showConnection(false);
    else {
      leaveTable();
      showNotice(t("guest_absent"));
    }
    return false;
  }
}

/**
 * Renders the text and the buttons of a lobby without what is at its seats.
 * @param {import("./types").TableStateView} state
 */
function renderWaiting(state) {
  const atSeats = board.areSeatsShown() ? state.lobby?.seat_lines ?? [] : [],
    lines = board.stateLines(state).filter((_, n) => !atSeats.includes(n));
  byId("waiting-text").replaceChildren(...lines);
  const buttons = board.tableKeys(state);
  renderKeyboard(byId("waiting-keys"), { id: null, room: state.table, buttons }, messageActions);
}

/**
 * Shows the seats of a lobby.
 * @param {import("./types").TableStateView} state
 */
async function showSeats(state) {
  const started = visit,
    lobby = await import("./lobby.js");
  await lobby.load();
  const place = byId("waiting"),
    own = { room: state.table, actions: messageActions };
  if (started !== visit) return;
  lobby.show(place, state, own);
  renderWaiting(state);
}

/** The visit in which the board was already lost once. */
let lostInVisit = 0;

/**
 * Refreshes the table once after its board was removed.
 * @param {boolean} there
 */
function onBoardChanged(there) {
  if (there || !currentTable) return;
  if (lostInVisit === visit) {
    leaveTable();
    return showNotice(t("guest_absent"));
  }
  lostInVisit = visit;
  void refreshTable();
}

/**
 * Opens the viewer.
 * @param {string} address
 * @param {string} [ask]
 */
async function openViewer(address, ask) {
  const table = currentTable,
    started = visit;
  await viewer.open(table, address, null, ask);
  // No message reports a finished review here, so it is polled.
  for (let n = 0; n < REVIEW_POLLS_MAX && address.endsWith("/review"); n++) {
    await delay(REVIEW_POLL_MS);
    if (started !== visit || !viewer.isOpen()) return;
    await viewer.onReviewReady(address);
  }
}

/** @param {string} text */
function announce(text) {
  byId("said").textContent = text;
  if (telegram.initData) telegram.vibrate(true);
}

// ---- private replies ----------------------------------------------------------------------

/**
 * Shows lasting private replies on a card, which replaces the previous one.
 * @param {import("./types").PrivateReply[]} replies
 * @param {string} [room] the table of the press
 */
function showReplies(replies, room) {
  // The person has left the table or signed out before the answer came.
  if (!currentTable || room !== currentTable) return;
  const lasting = /** @type {GuestReplyView[]} */ (replies).filter(it => !it.brief);
  const card = byId("card");
  const [first] = lasting;
  // A button of the card that awaits confirmation keeps the card open.
  if (!first) return void (replies.some(it => it.again) || card.close());
  renderSpans(byId("card-text"), lasting.flatMap((it, n) => [...separator(n), ...it.spans]));
  showImage(first.image);
  showFile(lasting.find(it => it.file)?.file ?? null);
  const buttons = lasting.flatMap(it => it.buttons).filter(row => row.length);
  renderKeyboard(byId("card-keys"), { id: null, room: currentTable, buttons }, messageActions);
  if (!card.open) card.showModal();
}

/** Closes the card and removes the reply, which the next person at this device must not read. */
function clearCard() {
  byId("card").close();
  for (const it of [byId("card-text"), byId("card-keys")]) it.replaceChildren();
  showImage(null);
  showFile(null);
}

/** @type {Partial<import("./types").MessageActions>} */
const messageActions = { onReplies: showReplies };

/** @returns {import("./types").SpanView[]} */
const separator = (/** @type {number} */ n) => (n ? [{ kind: "plain", text: "\n\n" }] : []);

/**
 * @param {string} base64
 * @param {string} type
 */
function blobUrl(base64, type) {
  const bytes = Uint8Array.from(atob(base64), it => it.charCodeAt(0));
  return URL.createObjectURL(new Blob([bytes], { type }));
}

/** @param {GuestReplyView["image"]} image */
function showImage(image) {
  const it = byId("card-image");
  if (it.src) URL.revokeObjectURL(it.src);
  it.hidden = !image;
  if (!image) return it.removeAttribute("src");
  it.src = blobUrl(image.png, "image/png");
  it.alt = image.alt;
}

/** @param {GuestReplyView["file"]} it */
function showFile(it) {
  const link = byId("card-file");
  if (link.href) URL.revokeObjectURL(link.href);
  link.hidden = !it;
  if (!it) return link.removeAttribute("href");
  link.href = blobUrl(it.bytes, "application/octet-stream");
  link.download = it.name;
  link.textContent = t("file", { name: it.name });
}

// ---- the start ---------------------------------------------------------------------------

function goBack() {
  const card = byId("card");
  if (card.open) return card.close();
  if (viewer.isOpen()) return viewer.close();
  if (byId("app").dataset.in === "yes") void showTableList().catch(showError);
}

/** Switches the language.
 * @param {string} language */
async function changeLanguage(language) {
  // Loads all texts first, otherwise the page would show keys.
  await loadTranslations("guest", language);
  await setLanguage(language);
}

async function startPage() {
  setTransport({
    prefix: discord.prefix,
    token: () => token,
    room: (table, rest) =>
      rest.startsWith("/tables/")
        ? `/api/guest${rest}`
        : `/api/guest/tables/${encodeURIComponent(table)}${rest}`,
  });
  await changeLanguage(preferredLanguage());
  showNotice(t("guest_opening"));
  if (telegram.initData) telegram.start(goBack);
  // Vibrates on every press.
  document.addEventListener("click", e => {
    const pressed = targetOf(e).closest(".spot, .goal, .key");
    if (telegram.initData && pressed) telegram.vibrate(false);
  });
  byId("end").addEventListener("click", closeWindow);
  byId("card-close").addEventListener("click", () => byId("card").close());
  byId("back").addEventListener("click", goBack);
  byId("leave").addEventListener("click", async () => {
    try {
      await post("/api/guest/out", {}, timeLimit(SIGN_IN_MS));
    } catch (e) {
      // The cookie is still valid: the next person at this device would see the tables.
      if (!(e instanceof RefusalError) || e.status !== 401) return showError(e);
    }
    signedOut();
  });
  // A device that wakes up, or has a connection again, may have missed moves.
  const wake = () => {
    if (document.hidden) return;
    if (currentTable) void refreshUntilShown();
    else if (!byId("mine").hidden) void showTableList().catch(showError);
  };
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", wake);
  // Another link in the same tab.
  window.addEventListener("hashchange", () => {
    if (location.hash.startsWith("#in=")) location.reload();
  });
  let me;
  try {
    me = await signIn();
  } catch (e) {
    const why = e instanceof RefusalError ? reasonKey(e) : null;
    return showNotice(
      why ? t(why) : t("failed", { text: e instanceof Error ? e.message : String(e) }),
    );
  }
  showConnection(true);
  if (me.lang in LANGUAGES) await changeLanguage(me.lang);
  byId("app").dataset.in = "yes";
  byId("room-note").textContent = me.name;
  byId("leave").hidden = false;
  onConnectionChange(showConnection);
  board.start({
    onTableChanged: onBoardChanged,
    announce,
    onReplies: showReplies,
    openViewer: (address, ask) => void openViewer(address, ask).catch(showError),
  });
  viewer.start({ onViewerChanged: () => {}, onOpened: () => {}, onPress: () => {} });
  void import("./fit-text.js").then(it => it.start(), () => {});
  const table = me.table ?? new URLSearchParams(location.search).get("table");
  await (table ? openTable(table.toLowerCase()) : showTableList());
}

startPage().catch(e => {
  console.error(e);
  toast(e.message);
});
