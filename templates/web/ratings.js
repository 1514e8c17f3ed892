// The rating lists of a room and of all chats, and from there the statistics of its people. They
// take the place of the games of a room; they are fetched when they are wanted.

import { get, roomPath, self } from "./api.js";
import { all, byId, first, style, update } from "./dom.js";
import { make } from "./messages.js";
import { addWords } from "./more-words.js";
import { hidePanel, isPanel, showPanel } from "./panels.js";
import { refuse } from "./toasts.js";
import { currentLanguage, onLanguage, spell, t } from "./words.js";

/** @typedef {import("./types").Leaderboard} Leaderboard */
/** @typedef {import("./types").RatedPlace} RatedPlace */
/** @typedef {{ key: string, label: string, on: boolean, does: () => void }} Choice */

const PARTS = `
  <div id="leaderboard">
    <header>
      <button id="ratings-close" class="icon" type="button" data-t-label="ratings_back">←</button>
      <h2 id="ratings-title" tabindex="-1" data-t="ratings"></h2>
      <button id="ratings-me" class="quiet" type="button" data-t="ratings_me"></button>
    </header>
    <div class="filters">
      <div id="ratings-where" class="choices" role="group" data-t-label="ratings_where"></div>
      <div id="ratings-when" class="choices" role="group" data-t-label="ratings_when"></div>
    </div>
    <div id="ratings-lists" class="choices" role="group" data-t-label="ratings_lists"></div>
    <table id="ratings-table" aria-labelledby="ratings-title">
      <thead>
        <tr>
          <th scope="col"><span class="unseen" data-t="ratings_rank"></span></th>
          <th scope="col" class="name" data-t="ratings_name"></th>
          <th scope="col" data-t="ratings_rating"></th>
          <th scope="col">
            <span aria-hidden="true">+</span><span class="unseen" data-t="ratings_won"></span>
          </th>
          <th scope="col">
            <span aria-hidden="true">=</span><span class="unseen" data-t="ratings_drawn"></span>
          </th>
          <th scope="col">
            <span aria-hidden="true">−</span><span class="unseen" data-t="ratings_lost"></span>
          </th>
        </tr>
      </thead>
      <tbody id="ratings-places"></tbody>
    </table>
    <p id="ratings-none" class="hint" role="status" hidden></p>
    <p id="ratings-hint" class="hint" data-t="ratings_hint"></p>
    <button id="ratings-more" class="quiet" type="button" data-t="ratings_more" hidden></button>
  </div>
  <div id="profile" hidden></div>
`;

let here = "",
  /** Whose games count: `room` or `all`. */
  where = "room",
  /** The month whose games count: `now`, `2026-11`, or empty for all time. */
  month = "",
  /** The list that was chosen. */
  list = "";
/** @type {string[]} */
let codes = [];
/** @type {(id: string) => void} */
let challenge = () => {};
/** @type {Leaderboard | null} */
let board = null;
/** @type {RatedPlace[]} */
let places = [];
/** Counts requests: what comes late is of an earlier one. */
let turn = 0;
/** Finds what has opened the statistics: it gets the focus back.
 * @type {() => HTMLElement | null} */
let opener = () => null;

/** @type {Promise<void> | null} */
let placed = null;

/**
 * Shows the lists of a room.
 * @param {string} room
 * @param {string[]} games the games that finished games can be of
 * @param {(id: string) => void} onChallenge chooses a friend for a new game
 */
export async function open(room, games, onChallenge) {
  if (room !== here) [where, month, list] = ["room", "", ""];
  [here, codes, challenge] = [room, games, onChallenge];
  placed ??= place().catch(e => {
    placed = null;
    throw e;
  });
  await placed;
  // What is there may be of another room.
  byId("ratings-places").replaceChildren();
  showLists();
  show();
  byId("ratings-title").focus();
  await load();
}

const show = () => showPanel("ratings");

function hide() {
  if (!isOpen()) return;
  turn++;
  hidePanel("ratings");
}

function close() {
  hide();
  byId("ratings-open").focus();
}

const isOpen = () => isPanel("ratings");
const showsPerson = () => !byId("profile").hidden;

/** Puts the lists into the page. */
async function place() {
  await Promise.all([style(new URL("./ratings.css", import.meta.url)), addWords("ratings")]);
  const section = make("div");
  section.id = "ratings";
  section.innerHTML = PARTS;
  byId("games").append(section);
  spell(section);
  onLanguage(() => {
    void addWords("ratings").then(() => {
      spell(section);
      // Statistics are fetched again when they are opened again.
      if (showsPerson()) showLists();
      return isOpen() ? load() : undefined;
    }).catch(refuse);
  });
  byId("ratings-close").addEventListener("click", close);
  byId("ratings-me").addEventListener("click", () => {
    void openPerson(self()?.id ?? "", () => byId("ratings-me"));
  });
  byId("ratings-more").addEventListener("click", () => void load(board?.next).catch(refuse));
  section.addEventListener("keydown", e => {
    if (e.key !== "Escape" || e.defaultPrevented) return;
    e.preventDefault();
    e.stopPropagation();
    if (showsPerson()) closePerson();
    else close();
  });
  // Who presses for a new game, or goes to another room, is no longer here.
  byId("games-open").addEventListener("click", hide);
  window.addEventListener("hashchange", hide);
}

/**
 * Fetches a page of places; without a place to begin at, the first one.
 * @param {number | null} [from]
 */
async function load(from = null) {
  const mine = ++turn;
  const asked = { of: where, month, list, from: from === null ? "" : String(from) };
  const query = new URLSearchParams(Object.entries(asked).filter(it => it[1]));
  /** @type {Leaderboard} */
  const page = await get(roomPath(here, `/ratings?${query}`));
  if (mine !== turn) return;
  board = page;
  places = from === null ? page.places : [...places, ...page.places];
  draw();
  if (from !== null) row(from + 1)?.focus();
}

/** The element with the name at a place.
 * @param {number} rank */
const row = rank => first(byId("ratings-places"), `[data-key="${rank}"] .who`);

// ---- the lists ---------------------------------------------------------------------------

function draw() {
  drawChoices();
  update(byId("ratings-places"), places, it => String(it.rank), placeRow, changeRow);
  const isEmpty = places.length === 0;
  byId("ratings-table").hidden = isEmpty;
  byId("ratings-hint").hidden = isEmpty;
  byId("ratings-none").hidden = !isEmpty;
  byId("ratings-none").textContent = isEmpty ? t("ratings_none") : "";
  byId("ratings-more").hidden = !board?.next;
}

function drawChoices() {
  const isHere = here !== "@";
  byId("ratings-where").hidden = !isHere;
  choices(byId("ratings-where"), [
    { key: "room", label: t("ratings_room"), on: where === "room", does: () => (where = "room") },
    { key: "all", label: t("ratings_all"), on: where === "all", does: () => (where = "all") },
  ]);
  const { shown = "", earlier, later } = board?.months ?? {};
  const turnTo = (/** @type {string} */ code, /** @type {string} */ label) => ({
    key: code,
    label,
    on: false,
    does: () => (month = code === thisMonth() ? "now" : code),
  });
  choices(byId("ratings-when"), [
    { key: "ever", label: t("ratings_ever"), on: month === "", does: () => (month = "") },
    { key: "now", label: t("ratings_month"), on: month === "now", does: () => (month = "now") },
    ...(earlier ? [turnTo(earlier, `‹ ${monthName(earlier)}`)] : []),
    ...(shown && month !== "now" ? [{ ...turnTo(shown, monthName(shown)), on: true }] : []),
    ...(later ? [turnTo(later, `${monthName(later)} ›`)] : []),
  ]);
  const lists = board?.lists ?? [];
  byId("ratings-lists").hidden = lists.length < 2;
  choices(
    byId("ratings-lists"),
    lists.map(({ code, name }) => ({
      key: code,
      label: name,
      on: board?.list === code,
      does: () => (list = code),
    })),
  );
}

/** This month, as the server counts it. */
const thisMonth = () => new Date().toISOString().slice(0, 7);

/** The name of a month such as `2026-11`.
 * @param {string} code */
function monthName(code) {
  const day = new Date(`${code}-01T00:00:00Z`);
  return day.toLocaleDateString(currentLanguage(), MONTH);
}
/** @type {Intl.DateTimeFormatOptions} */
const MONTH = { year: "numeric", month: "long", timeZone: "UTC" };

/**
 * Draws a group of buttons of which one is pressed.
 * @param {HTMLElement} group
 * @param {Choice[]} every
 */
function choices(group, every) {
  const create = (/** @type {Choice} */ { key }) => {
    const it = make("button", "pill");
    it.type = "button";
    it.addEventListener("click", () => {
      chosen.get(group)?.find(it => it.key === key)?.does();
      load().then(() => keepFocus(group), refuse);
    });
    return it;
  };
  chosen.set(group, every);
  update(group, every, it => it.key, create, (it, { label, on }) => {
    it.textContent = label;
    it.setAttribute("aria-pressed", String(on));
  });
}
/** What the buttons of each group do now.
 * @type {Map<HTMLElement, Choice[]>} */
const chosen = new Map();

/** A button that is no longer there leaves the focus to the one that is pressed.
 * @param {HTMLElement} group */
function keepFocus(group) {
  if (document.activeElement === document.body) first(group, "[aria-pressed=true]")?.focus();
}

/** @param {RatedPlace} place */
function placeRow({ rank }) {
  const name = make("th", "name");
  name.scope = "row";
  const numbers = ["rating", "won", "drawn", "lost"].map(it => make("td", it));
  return make("tr", "", make("td", "rank", String(rank)), name, ...numbers);
}

/**
 * @param {HTMLElement} it
 * @param {RatedPlace} place
 */
function changeRow(it, place) {
  it.classList.toggle("own", place.own);
  const [name] = all(it, ".name");
  name?.replaceChildren(person(place), ...(place.own ? [" ", make("small", "", t("you"))] : []));
  const numbers = [rating(place), place.won, place.drawn, place.lost];
  all(it, "td:not(.rank)").forEach((cell, n) => (cell.textContent = String(numbers[n])));
}

/** The name of a person; a button if their statistics are shown in this room.
 * @param {RatedPlace} place */
function person({ name, person: id, rank }) {
  const it = make(id ? "button" : "span", "who", name);
  if (it instanceof HTMLButtonElement) {
    it.type = "button";
    it.addEventListener("click", () => void openPerson(id ?? "", () => row(rank)));
  } else {
    it.tabIndex = -1;
  }
  return it;
}

/** A rating as people read it: an uncertain one has a question mark.
 * @param {{ rating: number | null, provisional: boolean }} of */
export const rating = ({ rating, provisional }) => `${rating}${provisional ? "?" : ""}`;

// ---- people ------------------------------------------------------------------------------

function showLists() {
  byId("profile").hidden = true;
  byId("profile").replaceChildren();
  byId("leaderboard").hidden = false;
}

/**
 * Shows the statistics of a person of this room.
 * @param {string} id
 * @param {() => HTMLElement | null} from finds what has opened them
 */
async function openPerson(id, from) {
  const mine = ++turn;
  try {
    const profile = await import("./profile.js");
    const shown = await profile.draw(here, id, { back: closePerson, games, challenge: asks });
    if (mine !== turn) return;
    opener = from;
    byId("leaderboard").hidden = true;
    byId("profile").hidden = false;
    byId("profile").replaceChildren(...shown);
    byId("games").scrollTop = 0;
    byId("profile-title").focus();
  } catch (e) {
    if (mine === turn) refuse(e);
  }
}

function closePerson() {
  showLists();
  (opener() ?? byId("ratings-title")).focus();
}

/**
 * Shows the finished games: all, or those against one opponent.
 * @param {HTMLElement} from
 * @param {import("./history.js").Opponent | null} opponent
 */
async function games(from, opponent) {
  try {
    const history = await import("./history.js");
    hide();
    const back = () => {
      show();
      from.focus();
    };
    await history.open(codes, back, opponent);
  } catch (e) {
    refuse(e);
  }
}

/** @param {string} id */
function asks(id) {
  hide();
  challenge(id);
}
