// The user's finished games, latest first, in place of the games panel: each can be replayed,
// reviewed, saved and verified. Loaded on first use.

import { get, postWithRetry, RefusalError, roomPath, sendPress, delay } from "./api.js";
import { all, byId, loadStylesheet, update } from "./dom.js";
import * as viewer from "./viewer-loader.js";
import { createElement } from "./messages.js";
import { loadTranslations } from "./lazy-translations.js";
import { goBackOnEscape, hidePanel, isPanel, showPanel } from "./panels.js";
import { room } from "./rooms.js";
import { showError, toast } from "./toasts.js";
import { currentLanguage, onLanguage, translateDom, t } from "./words.js";

/** @typedef {import("./types").ListedGame} ListedGame */
/** @typedef {import("./types").GamesPage} GamesPage */
/** @typedef {import("./types").GameRecordAnswer} GameRecordAnswer */
/** @typedef {{ id: string, name: string, room: string }} Opponent */

/** How often, and at which interval, the page polls for a requested review. */
const REVIEW_POLLS_MAX = 40,
  REVIEW_POLL_MS = 3000;
/** How long the URL of a saved file is valid. */
const DOWNLOAD_URL_MS = 60000;

const TEMPLATE = `
  <header>
    <button id="history-close" class="icon" type="button" data-t-label="history_back">←</button>
    <h2 id="history-title" tabindex="-1"></h2>
  </header>
  <div id="history-filter" role="group" data-t-label="history_filter"></div>
  <ul id="history-list" aria-labelledby="history-title"></ul>
  <p id="history-none" class="hint" data-t="history_none" hidden></p>
  <button id="history-more" class="quiet" type="button" data-t="history_more" hidden></button>
`;

/** The loaded pages: their games, the start of the next page, and the code of the listed game.
 * @type {{ games: ListedGame[], next: string | null, filter: string } | null} */
let shown = null;
/** The code of the requested game; empty for all games. */
let gameFilter = "";
/** The codes of games to filter by.
 * @type {string[]} */
let codes = [];
/** The opponent whose games are listed, and the room of these games.
 * @type {Opponent | null} */
let opponentFilter = null;
/** Called when the list is closed.
 * @type {() => void} */
let onLeave = () => {};
/** Identifies the latest request for a list. Drops responses to superseded requests. */
let listRequest = 0;
/** The same for reviews, which can be opened while a list is loading. */
let reviewRequest = 0;

/** @type {Promise<void> | null} */
let inserted = null;
/** @type {Promise<unknown> | null} */
let resources = null;

/**
 * Shows the list.
 * @param {string[]} every the codes of games to filter by
 * @param {() => void} back called when the list is closed
 * @param {Opponent | null} opponent whose games are listed; null for all
 */
export async function open(every, back, opponent = null) {
  if (opponent?.id !== opponentFilter?.id) gameFilter = "";
  [codes, onLeave, opponentFilter] = [every, back, opponent];
  inserted ??= insertList().catch(e => {
    inserted = null;
    throw e;
  });
  await inserted;
  // Removes games of another opponent.
  shown = null;
  render();
  showPanel("history");
  byId("history-title").focus();
  await fetchPage();
}

const close = () => hidePanel("history");

/** Loads the style and texts of cards. */
export async function loadResources() {
  resources ??= Promise.all([
    loadStylesheet(new URL("./history.css", import.meta.url)),
    loadTranslations("history"),
  ]).catch(e => {
    resources = null;
    throw e;
  });
  await resources;
}

/** Inserts the list into the page. */
async function insertList() {
  await loadResources();
  const section = createElement("div");
  section.id = "history";
  section.innerHTML = TEMPLATE;
  byId("games").append(section);
  translateDom(section);
  onLanguage(() => {
    void loadTranslations("history").then(() => {
      translateDom(section);
      return isPanel("history") ? fetchPage() : undefined;
    }).catch(showError);
  });
  const leave = () => {
    close();
    onLeave();
  };
  byId("history-close").addEventListener("click", leave);
  goBackOnEscape(section, leave);
  byId("history-more").addEventListener("click", () => void fetchPage(shown?.next).catch(showError));
  // Opening the games panel or another room closes the list.
  byId("games-open").addEventListener("click", close);
  window.addEventListener("hashchange", close);
}

/**
 * Fetches a page of games; without a start, the first one.
 * @param {string | null} [after]
 */
async function fetchPage(after = null) {
  const request = ++listRequest;
  const { id = "", room: where = "" } = opponentFilter ?? {};
  const asked = { game: gameFilter, against: id, room: where, after: after ?? "" };
  const query = new URLSearchParams(Object.entries(asked).filter(it => it[1]));
  // The next page would belong to the previous filter.
  if (after === null) byId("history-more").hidden = true;
  /** @type {GamesPage} */
  let page;
  try {
    page = await get(`/api/games?${query}`);
  } catch (e) {
    if (request !== listRequest) return;
    gameFilter = shown?.filter ?? "";
    render();
    throw e;
  }
  if (request !== listRequest) return;
  const before = after === null ? [] : (shown?.games ?? []);
  shown = { games: [...before, ...page.games], next: page.next, filter: gameFilter };
  render();
}

function render() {
  drawTitle();
  drawFilter();
  renderGameCards(byId("history-list"), shown?.games ?? []);
  byId("history-none").hidden = !shown || shown.games.length > 0;
  const more = byId("history-more"),
    isLast = !shown?.next;
  // Keeps the focus when the button disappears.
  if (document.activeElement === more && isLast) byId("history-title").focus();
  more.hidden = isLast;
}

function drawTitle() {
  const title = opponentFilter
    ? t("history_with", { name: opponentFilter.name })
    : t("history_title");
  byId("history-title").textContent = title;
}

function drawFilter() {
  const every = ["", ...codes];
  const create = (/** @type {string} */ code) => {
    const it = createElement("button", "pill");
    it.type = "button";
    it.addEventListener("click", () => {
      gameFilter = code;
      drawFilter();
      fetchPage().catch(showError);
    });
    return it;
  };
  update(byId("history-filter"), every, it => it || "all", create, (it, code) => {
    it.textContent = t(code ? `game_${code}` : "history_all");
    it.setAttribute("aria-pressed", String(gameFilter === code));
  });
}

/**
 * Renders games as cards; requires `loadResources`.
 * @param {HTMLElement} list
 * @param {ListedGame[]} shown
 */
export function renderGameCards(list, shown) {
  update(list, shown, it => it.table, createCard, updateCard);
}

/** @param {ListedGame} game */
function createCard(game) {
  const actions = createElement("div", "actions");
  const checks = createElement("div", "checks");
  checks.setAttribute("role", "status");
  for (const [word, action] of ACTIONS) {
    const it = createElement("button", "quiet");
    it.type = "button";
    it.dataset.word = word;
    it.addEventListener("click", async () => {
      // A disabled button would lose the focus.
      if (it.ariaBusy) return;
      it.ariaBusy = "true";
      await action(game, checks).catch(showError);
      it.ariaBusy = null;
    });
    actions.append(it);
  }
  const head = createElement(
    "p",
    "head",
    createElement("b", "outcome"),
    createElement("span", "what"),
  );
  return createElement("li", "finished", head, createElement("p", "about"), actions, checks);
}

/**
 * @param {HTMLElement} it
 * @param {ListedGame} game
 */
function updateCard(it, game) {
  const [outcome, what] = all(it, ".head > *");
  const name = t(`game_${game.game}`);
  const against = t("history_against", { names: game.opponents.join(", ") });
  it.dataset.outcome = game.outcome;
  if (outcome) outcome.textContent = t(`history_${game.outcome}`);
  what?.replaceChildren(createElement("b", "", name), ` ${against}`);
  all(it, ".about").forEach(about => about.replaceChildren(...cardDetails(game)));
  // A game whose record was deleted has only its result.
  all(it, ".actions").forEach(actions => (actions.hidden = game.removed !== null));
  for (const key of all(it, ".actions button")) {
    const label = t(key.dataset.word ?? "");
    key.textContent = label;
    key.setAttribute("aria-label", `${label}: ${name}, ${against}`);
  }
}

/** When and where the game was played, and its rating change.
 * @param {ListedGame} game */
function cardDetails({ ended_ms, room: name, rating, casual, removed }) {
  const at = new Date(ended_ms);
  const when = createElement("time", "", at.toLocaleString(currentLanguage(), DATE));
  when.dateTime = at.toISOString();
  const where = name === "@" ? t("private") : name === null ? t("history_elsewhere") : `#${name}`;
  const parts = [when, createElement("span", "", where)];
  if (rating) parts.push(createElement("span", "rating", ratingChangeText(rating)));
  if (casual) parts.push(createElement("span", "", t("history_casual", { reason: casual })));
  if (removed) parts.push(createElement("span", "", removed));
  return parts.flatMap((it, n) => (n ? [" · ", it] : [it]));
}
/** @type {Intl.DateTimeFormatOptions} */
const DATE = { dateStyle: "medium", timeStyle: "short" };

/** @param {NonNullable<ListedGame["rating"]>} rating */
function ratingChangeText({ before, after, provisional }) {
  const by = after - before;
  const change = by < 0 ? `−${-by}` : `+${by}`;
  return t("history_rated", { change, rating: `${after}${provisional ? "?" : ""}` });
}

// ---- actions -----------------------------------------------------------------------------

/** @type {[string, (game: ListedGame, checks: HTMLElement) => Promise<void>][]} */
const ACTIONS = [
  ["history_replay", openReplay],
  ["history_review", openReview],
  ["history_record", saveRecord],
  ["history_verify", verifyRecord],
];

/** Joins the private chat, where games of all rooms can be viewed. */
async function joinPrivateRoom() {
  if (!room("@").loaded) await postWithRetry("/api/rooms", { name: "@", invite: null });
}

/**
 * Opens the replay of one of the user's games.
 * @param {{ table: string }} game
 */
export async function openReplay({ table }) {
  await joinPrivateRoom();
  await viewer.open("@", `tables/${table}/replay`);
}

/** Shows the review, or requests it first. Without a review the bot says why.
 * @param {ListedGame} game */
async function openReview({ table, review }) {
  const request = ++reviewRequest;
  await joinPrivateRoom();
  const address = `tables/${table}/review`;
  const exists = await get(roomPath("@", `/${address}`)).then(
    () => true,
    e => !(e instanceof RefusalError && e.status === 404),
  );
  if (!exists) {
    const replies = await sendPress("@", { press: review });
    return replies.forEach(it => toast(it.text, it.passing));
  }
  await viewer.open("@", address, null, review);
  void pollReview(address, request).catch(showError);
}

/** Polls for a review, since no message in this room reports it.
 * @param {string} address
 * @param {number} request */
async function pollReview(address, request) {
  for (let n = 0; n < REVIEW_POLLS_MAX; n++) {
    await delay(REVIEW_POLL_MS);
    if (request !== reviewRequest || !viewer.isOpen()) return;
    await viewer.onReviewReady(address);
  }
}

/** @param {ListedGame} game
 * @returns {Promise<GameRecordAnswer>} */
const fetchRecord = game => get(`/api/games/${encodeURIComponent(game.table)}/record`);

/** @param {ListedGame} game */
async function saveRecord(game) {
  const { name, text } = await fetchRecord(game);
  const link = createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), DOWNLOAD_URL_MS);
}

/** Verifies the record and lists what was checked and what was not.
 * @param {ListedGame} game
 * @param {HTMLElement} place */
async function verifyRecord(game, place) {
  const checks = await import("./verify.js");
  if (!checks.canCheck()) {
    place.replaceChildren(checkLine("open", t("history_insecure")));
    return;
  }
  const it = await checks.check((await fetchRecord(game)).text);
  const { hash } = it;
  const lines = [
    it.seed
      ? checkLine("yes", t("history_seed", { hash }))
      : checkLine("no", t("history_seed_bad", { hash })),
  ];
  if (it.promise === true) lines.push(checkLine("yes", t("history_promise")));
  if (it.promise === false) lines.push(checkLine("no", t("history_promise_bad")));
  if (it.late) lines.push(checkLine("open", t("history_late")));
  if (it.lot === true) lines.push(checkLine("yes", t("history_lot")));
  if (it.lot === false) lines.push(checkLine("no", t("history_lot_bad")));
  if (it.lot === "open") lines.push(checkLine("open", t("history_lot_open")));
  const n = String(it.chance);
  if (it.wrong === "open") {
    if (it.chance) lines.push(checkLine("open", t("history_chance", { n })));
  } else if (it.wrong !== null) {
    lines.push(checkLine("no", t("history_chance_bad", { line: it.wrong })));
  } else if (it.chance) lines.push(checkLine("yes", t("history_chance_yes", { n })));
  lines.push(checkLine("open", t("history_moves")));
  // What is wrong comes first.
  const isWrong = (/** @type {HTMLElement} */ line) => Number(line.className === "no");
  place.replaceChildren(...lines.sort((a, b) => isWrong(b) - isWrong(a)));
}

/** A line of the verification: confirmed, refuted or unchecked.
 * @param {"yes" | "no" | "open"} kind @param {string} text */
function checkLine(kind, text) {
  const sign = createElement("span", "sign", { yes: "✓", no: "✗", open: "–" }[kind]);
  sign.setAttribute("aria-hidden", "true");
  return createElement("p", kind, sign, createElement("span", "", text));
}
