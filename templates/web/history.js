// One's own finished games, the latest first: each can be replayed, reviewed, saved and checked. The
// list takes the place of the games of a room; it is fetched when it is wanted.

import { get, postSurely, Refused, roomPath, sendPress, wait } from "./api.js";
import { all, byId, style, update } from "./dom.js";
import * as looks from "./looks.js";
import { make } from "./messages.js";
import { addWords } from "./more-words.js";
import { hidePanel, isPanel, showPanel } from "./panels.js";
import { room } from "./rooms.js";
import { refuse, toast } from "./toasts.js";
import { currentLanguage, onLanguage, spell, t } from "./words.js";

/** @typedef {import("./types").FinishedGame} FinishedGame */
/** @typedef {import("./types").GamesPage} Page */
/** @typedef {import("./types").GameRecord} GameRecord */
/** @typedef {{ id: string, name: string, room: string }} Opponent */

/** How often it is asked whether a review is made, and how many ms lie between. */
const REVIEW_ASKED = 40,
  REVIEW_PAUSE = 3000;
/** So long a saved file can be fetched by the browser, in ms. */
const SAVING = 60000;

const PARTS = `
  <header>
    <button id="history-close" class="icon" type="button" data-t-label="history_back">←</button>
    <h2 id="history-title" tabindex="-1"></h2>
  </header>
  <div id="history-filter" role="group" data-t-label="history_filter"></div>
  <ul id="history-list" aria-labelledby="history-title"></ul>
  <p id="history-none" class="hint" data-t="history_none" hidden></p>
  <button id="history-more" class="quiet" type="button" data-t="history_more" hidden></button>
`;

/** @type {FinishedGame[]} */
let games = [];
/** Where the next page begins.
 * @type {string | null} */
let next = null;
/** The only game that is listed; all if it is empty. */
let only = "";
/** The games that can be chosen.
 * @type {string[]} */
let codes = [];
/** The only opponent whose games are listed, and the room where they were played.
 * @type {Opponent | null} */
let against = null;
/** Called when the list is left.
 * @type {() => void} */
let leave = () => {};
/** Counts requests and views: what comes late is of an earlier one. */
let turn = 0;

/** @type {Promise<void> | null} */
let placed = null;
/** @type {Promise<unknown> | null} */
let prepared = null;

/**
 * Shows the list.
 * @param {string[]} every the games that can be chosen
 * @param {() => void} back called when the list is left
 * @param {Opponent | null} opponent the only one whose games are listed
 */
export async function open(every, back, opponent = null) {
  if (opponent?.id !== against?.id) only = "";
  [codes, leave, against] = [every, back, opponent];
  placed ??= place().catch(e => {
    placed = null;
    throw e;
  });
  await placed;
  // What is there may be of another opponent.
  byId("history-list").replaceChildren();
  drawTitle();
  showPanel("history");
  byId("history-title").focus();
  await load();
}

const close = () => hidePanel("history");

/** Fetches what cards need. */
export async function prepare() {
  prepared ??= Promise.all([
    style(new URL("./history.css", import.meta.url)),
    addWords("history"),
  ]).catch(e => {
    prepared = null;
    throw e;
  });
  await prepared;
}

/** Puts the list into the page. */
async function place() {
  await prepare();
  const section = make("div");
  section.id = "history";
  section.innerHTML = PARTS;
  byId("games").append(section);
  spell(section);
  onLanguage(() => {
    void addWords("history").then(() => {
      spell(section);
      return isPanel("history") ? load() : undefined;
    }).catch(refuse);
  });
  byId("history-close").addEventListener("click", () => {
    close();
    leave();
  });
  byId("history-more").addEventListener("click", () => void load(next).catch(refuse));
  // Who presses for a new game, or goes to another room, is no longer here.
  byId("games-open").addEventListener("click", close);
  window.addEventListener("hashchange", close);
}

/**
 * Fetches a page of games; without a place to begin at, the first one.
 * @param {string | null} [after]
 */
async function load(after = null) {
  const mine = ++turn;
  const { id = "", room: where = "" } = against ?? {};
  const asked = { game: only, against: id, room: where, after: after ?? "" };
  const query = new URLSearchParams(Object.entries(asked).filter(it => it[1]));
  // The next page of what is shown would not be of what is asked for.
  if (after === null) byId("history-more").hidden = true;
  /** @type {Page} */
  const page = await get(`/api/games?${query}`);
  if (mine !== turn) return;
  games = after === null ? page.games : [...games, ...page.games];
  next = page.next;
  draw();
}

function draw() {
  drawTitle();
  drawFilter();
  drawCards(byId("history-list"), games);
  byId("history-none").hidden = games.length > 0;
  const more = byId("history-more");
  // The focus goes on to the first game that has come.
  if (document.activeElement === more && next === null) byId("history-title").focus();
  more.hidden = next === null;
}

function drawTitle() {
  const title = against ? t("history_with", { name: against.name }) : t("history_title");
  byId("history-title").textContent = title;
}

function drawFilter() {
  const every = ["", ...codes];
  const create = (/** @type {string} */ code) => {
    const it = make("button", "pill");
    it.type = "button";
    it.addEventListener("click", () => {
      only = code;
      drawFilter();
      load().catch(refuse);
    });
    return it;
  };
  update(byId("history-filter"), every, it => it || "all", create, (it, code) => {
    it.textContent = t(code ? `game_${code}` : "history_all");
    it.setAttribute("aria-pressed", String(only === code));
  });
}

/**
 * Shows games as cards; see `prepare`.
 * @param {HTMLElement} list
 * @param {FinishedGame[]} shown
 */
export function drawCards(list, shown) {
  update(list, shown, it => it.table, card, change);
}

/** @param {FinishedGame} game */
function card(game) {
  const actions = make("div", "actions");
  const checks = make("div", "checks");
  checks.setAttribute("role", "status");
  for (const [word, does] of ACTIONS) {
    const it = make("button", "quiet");
    it.type = "button";
    it.dataset.word = word;
    it.addEventListener("click", async () => {
      // A disabled button would lose the focus.
      if (it.ariaBusy) return;
      it.ariaBusy = "true";
      await does(game, checks).catch(refuse);
      it.ariaBusy = null;
    });
    actions.append(it);
  }
  const head = make("p", "head", make("b", "outcome"), make("span", "what"));
  return make("li", "finished", head, make("p", "about"), actions, checks);
}

/**
 * @param {HTMLElement} it
 * @param {FinishedGame} game
 */
function change(it, game) {
  const [outcome, what] = all(it, ".head > *");
  const name = t(`game_${game.game}`);
  const against = t("history_against", { names: game.opponents.join(", ") });
  it.dataset.outcome = game.outcome;
  if (outcome) outcome.textContent = t(`history_${game.outcome}`);
  what?.replaceChildren(make("b", "", name), ` ${against}`);
  all(it, ".about").forEach(about => about.replaceChildren(...told(game)));
  // Of a game that its chat does not keep any longer there is only the result.
  all(it, ".actions").forEach(actions => (actions.hidden = game.removed !== null));
  for (const key of all(it, ".actions button")) {
    const label = t(key.dataset.word ?? "");
    key.textContent = label;
    key.setAttribute("aria-label", `${label}: ${name}, ${against}`);
  }
}

/** When and where it was played, and what it changed.
 * @param {FinishedGame} game */
function told({ ended_ms, room: name, rating, casual, removed }) {
  const at = new Date(ended_ms);
  const when = make("time", "", at.toLocaleString(currentLanguage(), DATE));
  when.dateTime = at.toISOString();
  const where = name === "@" ? t("private") : name === null ? t("history_elsewhere") : `#${name}`;
  const parts = [when, make("span", "", where)];
  if (rating) parts.push(make("span", "rating", rated(rating)));
  if (casual) parts.push(make("span", "", t("history_casual", { reason: casual })));
  if (removed) parts.push(make("span", "", removed));
  return parts.flatMap((it, n) => (n ? [" · ", it] : [it]));
}
/** @type {Intl.DateTimeFormatOptions} */
const DATE = { dateStyle: "medium", timeStyle: "short" };

/** @param {NonNullable<FinishedGame["rating"]>} rating */
function rated({ before, after, provisional }) {
  const by = after - before;
  const change = by < 0 ? `−${-by}` : `+${by}`;
  return t("history_rated", { change, rating: `${after}${provisional ? "?" : ""}` });
}

// ---- what can be done --------------------------------------------------------------------

/** @type {[string, (game: FinishedGame, checks: HTMLElement) => Promise<void>][]} */
const ACTIONS = [
  ["history_replay", replay],
  ["history_review", review],
  ["history_record", save],
  ["history_verify", verify],
];

/** The private chat begins when it is first used: there games of all rooms can be looked at. */
async function enterPrivate() {
  if (!room("@").loaded) await postSurely("/api/rooms", { name: "@", invite: null });
}

/** @param {FinishedGame} game */
async function replay({ table }) {
  await enterPrivate();
  await looks.look("@", `tables/${table}/replay`);
}

/** Shows the review, or has it made and shows it then. Of a game without one the bot says why.
 * @param {FinishedGame} game */
async function review({ table, review }) {
  const mine = ++turn;
  await enterPrivate();
  const address = `tables/${table}/review`;
  const exists = await get(roomPath("@", `/${address}`)).then(
    () => true,
    e => !(e instanceof Refused && e.status === 404),
  );
  if (!exists) {
    const whispers = await sendPress("@", { press: review });
    return whispers.forEach(it => toast(it.text, it.passing));
  }
  await looks.look("@", address, null, review);
  void made(address, mine).catch(refuse);
}

/** No message in this room says that a review is made: it is asked for.
 * @param {string} address
 * @param {number} mine */
async function made(address, mine) {
  for (let n = 0; n < REVIEW_ASKED; n++) {
    await wait(REVIEW_PAUSE);
    if (mine !== turn || !looks.isOpen()) return;
    await looks.made(address);
  }
}

/** @param {FinishedGame} game
 * @returns {Promise<GameRecord>} */
const record = game => get(`/api/games/${encodeURIComponent(game.table)}/record`);

/** @param {FinishedGame} game */
async function save(game) {
  const { name, text } = await record(game);
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SAVING);
}

/** Checks what can be checked here, and says what was checked and what was not.
 * @param {FinishedGame} game
 * @param {HTMLElement} place */
async function verify(game, place) {
  const checks = await import("./verify.js");
  if (!checks.canCheck()) {
    place.replaceChildren(line("open", t("history_insecure")));
    return;
  }
  const it = await checks.check((await record(game)).text);
  const { hash } = it;
  const lines = [
    it.seed
      ? line("yes", t("history_seed", { hash }))
      : line("no", t("history_seed_bad", { hash })),
  ];
  if (it.promise === true) lines.push(line("yes", t("history_promise")));
  if (it.promise === false) lines.push(line("no", t("history_promise_bad")));
  if (it.late) lines.push(line("open", t("history_late")));
  if (it.lot === true) lines.push(line("yes", t("history_lot")));
  if (it.lot === false) lines.push(line("no", t("history_lot_bad")));
  if (it.lot === "open") lines.push(line("open", t("history_lot_open")));
  if (it.chance) lines.push(line("open", t("history_chance", { n: String(it.chance) })));
  place.replaceChildren(...lines);
}

/** A line of a check: what agrees, what does not, what is open.
 * @param {"yes" | "no" | "open"} kind @param {string} text */
function line(kind, text) {
  const sign = make("span", "sign", { yes: "✓", no: "✗", open: "–" }[kind]);
  sign.setAttribute("aria-hidden", "true");
  return make("p", kind, sign, make("span", "", text));
}
