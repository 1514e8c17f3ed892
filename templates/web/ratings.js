// The rating lists of a room and of all chats, and the profiles of its people, in place of the
// games panel. Loaded on first use.

import { get, roomPath, currentIdentity } from "./api.js";
import { all, byId, first, loadStylesheet, update } from "./dom.js";
import { createElement } from "./messages.js";
import { loadTranslations } from "./lazy-translations.js";
import { goBackOnEscape, hidePanel, isPanel, showPanel } from "./panels.js";
import { showError } from "./toasts.js";
import { currentLanguage, onLanguage, translateDom, t } from "./words.js";

/** @typedef {import("./types").RatingsPage} RatingsPage */
/** @typedef {import("./types").RatedPlace} RatedPlace */
/**
 * @typedef {object} Filter
 * @property {"room" | "all"} where whose games count
 * @property {string} month whose games count: `now`, `2026-11`, or empty for all time
 * @property {string} list the list that was chosen
 */
/** @typedef {{ key: string, label: string, on: boolean, filter: Partial<Filter> }} Choice */

const TEMPLATE = `
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
    <p id="ratings-order" class="hint" hidden></p>
    <p id="ratings-hint" class="hint" data-t="ratings_hint"></p>
    <button id="ratings-more" class="quiet" type="button" data-t="ratings_more" hidden></button>
  </div>
  <div id="profile" hidden></div>
`;

/** @type {Filter} */
const DEFAULT_FILTER = { where: "room", month: "", list: "" };

let currentRoom = "";
/** The requested filter. */
let filter = DEFAULT_FILTER;
/** @type {string[]} */
let codes = [];
/** @type {(id: string) => void} */
let challenge = () => {};
/** The loaded pages and their filter.
 * @type {{ board: RatingsPage, places: RatedPlace[], filter: Filter } | null} */
let shown = null;
/** Identifies the latest request for a list. Drops responses to superseded requests. */
let listRequest = 0;
/** The same for profiles, which can be opened while a list is loading. */
let profileRequest = 0;
/** Finds the element that opened the profile, which gets the focus back.
 * @type {() => HTMLElement | null} */
let findOpener = () => null;

/** @type {Promise<void> | null} */
let inserted = null;

/**
 * Shows the lists of a room.
 * @param {string} room
 * @param {string[]} games the codes of games
 * @param {(id: string) => void} onChallenge selects a friend for a new game
 */
export async function open(room, games, onChallenge) {
  if (room !== currentRoom) filter = DEFAULT_FILTER;
  [currentRoom, codes, challenge] = [room, games, onChallenge];
  inserted ??= insertLists().catch(e => {
    inserted = null;
    throw e;
  });
  await inserted;
  // Removes lists of another room.
  shown = null;
  render();
  showLists();
  showRatingsPanel();
  byId("ratings-title").focus();
  await fetchPage();
}

const showRatingsPanel = () => showPanel("ratings");

function hideRatingsPanel() {
  if (!isOpen()) return;
  profileRequest++;
  hidePanel("ratings");
}

function close() {
  hideRatingsPanel();
  byId("ratings-open").focus();
}

const isOpen = () => isPanel("ratings");
const isProfileShown = () => !byId("profile").hidden;

/** Inserts the lists into the page. */
async function insertLists() {
  await Promise.all([
    loadStylesheet(new URL("./ratings.css", import.meta.url)),
    loadTranslations("ratings"),
  ]);
  const section = createElement("div");
  section.id = "ratings";
  section.innerHTML = TEMPLATE;
  byId("games").append(section);
  translateDom(section);
  onLanguage(() => {
    void loadTranslations("ratings").then(() => {
      translateDom(section);
      // An open profile is closed; it is fetched again when it is opened.
      showLists();
      return isOpen() ? fetchPage() : undefined;
    }).catch(showError);
  });
  byId("ratings-close").addEventListener("click", close);
  byId("ratings-me").addEventListener("click", () => {
    void openProfile(currentIdentity()?.id ?? "", () => byId("ratings-me"));
  });
  byId("ratings-more").addEventListener(
    "click",
    () => void fetchPage(shown?.board.next).catch(showError),
  );
  goBackOnEscape(section, () => (isProfileShown() ? closeProfile() : close()));
  // Opening the games panel or another room closes the lists.
  byId("games-open").addEventListener("click", hideRatingsPanel);
  window.addEventListener("hashchange", hideRatingsPanel);
}

/**
 * Fetches a page of places; without a start, the first one.
 * @param {number | null} [from]
 */
async function fetchPage(from = null) {
  const request = ++listRequest;
  const { where, month, list } = filter;
  const asked = { of: where, month, list, from: from === null ? "" : String(from) };
  const query = new URLSearchParams(Object.entries(asked).filter(it => it[1]));
  // The next page would belong to the previous filter.
  if (from === null) byId("ratings-more").hidden = true;
  /** @type {RatingsPage} */
  let page;
  try {
    page = await get(roomPath(currentRoom, `/ratings?${query}`));
  } catch (e) {
    if (request !== listRequest) return;
    filter = shown?.filter ?? DEFAULT_FILTER;
    render();
    throw e;
  }
  if (request !== listRequest) return;
  const before = from === null ? [] : (shown?.places ?? []);
  shown = { board: page, places: [...before, ...page.places], filter };
  render();
  if (from !== null) nameElementAt(from + 1)?.focus();
}

/** The name element of a place.
 * @param {number} rank */
const nameElementAt = rank => first(byId("ratings-places"), `[data-key="${rank}"] .who`);

// ---- the lists ---------------------------------------------------------------------------

function render() {
  drawChoices();
  const places = shown?.places ?? [];
  update(byId("ratings-places"), places, it => String(it.rank), createRow, updateRow);
  byId("ratings-table").hidden = places.length === 0;
  byId("ratings-hint").hidden = places.length === 0;
  const order = (places.length > 0 && shown?.board.order) || "";
  byId("ratings-order").hidden = !order;
  byId("ratings-order").textContent = order;
  const none = shown && places.length === 0 ? emptyText(shown.filter) : "";
  byId("ratings-none").hidden = !none;
  byId("ratings-none").textContent = none;
  byId("ratings-more").hidden = !shown?.board.next;
}

/** The text instead of a list without places.
 * @param {Filter} filter */
function emptyText({ month }) {
  if (!month) return t("ratings_none");
  return month === "now" ? t("ratings_none_month") : t("ratings_none_past");
}

function drawChoices() {
  const isHere = currentRoom !== "@";
  const { where, month } = filter;
  byId("ratings-where").hidden = !isHere;
  renderChoices(byId("ratings-where"), [
    { key: "room", label: t("ratings_room"), on: where === "room", filter: { where: "room" } },
    { key: "all", label: t("ratings_all"), on: where === "all", filter: { where: "all" } },
  ]);
  const board = shown?.board;
  const { shown: current = "", earlier, later } = board?.months ?? {};
  const turnTo = (/** @type {string} */ code, /** @type {string} */ label) => ({
    key: code,
    label,
    on: false,
    filter: { month: code === thisMonth() ? "now" : code },
  });
  renderChoices(byId("ratings-when"), [
    { key: "ever", label: t("ratings_ever"), on: month === "", filter: { month: "" } },
    { key: "now", label: t("ratings_month"), on: month === "now", filter: { month: "now" } },
    ...(earlier ? [turnTo(earlier, `‹ ${monthName(earlier)}`)] : []),
    ...(current && month !== "now" ? [{ ...turnTo(current, monthName(current)), on: true }] : []),
    ...(later ? [turnTo(later, `${monthName(later)} ›`)] : []),
  ]);
  const lists = board?.lists ?? [];
  byId("ratings-lists").hidden = lists.length < 2;
  renderChoices(
    byId("ratings-lists"),
    lists.map(({ code, name }) => ({
      key: code,
      label: name,
      on: board?.list === code,
      filter: { list: code },
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
 * Renders a group of toggle buttons.
 * @param {HTMLElement} group
 * @param {Choice[]} every
 */
function renderChoices(group, every) {
  const create = (/** @type {Choice} */ { key }) => {
    const it = createElement("button", "pill");
    it.type = "button";
    it.addEventListener("click", () => {
      filter = { ...filter, ...choicesByGroup.get(group)?.find(it => it.key === key)?.filter };
      profileRequest++;
      fetchPage().then(() => keepFocus(group), showError);
    });
    return it;
  };
  choicesByGroup.set(group, every);
  update(group, every, it => it.key, create, (it, { label, on }) => {
    it.textContent = label;
    it.setAttribute("aria-pressed", String(on));
  });
}
/** The current choices of each group.
 * @type {Map<HTMLElement, Choice[]>} */
const choicesByGroup = new Map();

/** Focuses the pressed button if the focused one was removed.
 * @param {HTMLElement} group */
function keepFocus(group) {
  if (document.activeElement === document.body) first(group, "[aria-pressed=true]")?.focus();
}

/** @param {RatedPlace} place */
function createRow({ rank }) {
  const name = createElement("th", "name");
  name.scope = "row";
  const numbers = ["rating", "won", "drawn", "lost"].map(it => createElement("td", it));
  return createElement("tr", "", createElement("td", "rank", String(rank)), name, ...numbers);
}

/**
 * @param {HTMLElement} it
 * @param {RatedPlace} place
 */
function updateRow(it, place) {
  it.classList.toggle("own", place.own);
  const [name] = all(it, ".name");
  name?.replaceChildren(
    createName(place),
    ...(place.own ? [" ", createElement("small", "", t("you"))] : []),
  );
  const numbers = [ratingText(place), place.won, place.drawn, place.lost];
  all(it, "td:not(.rank)").forEach((cell, n) => (cell.textContent = String(numbers[n])));
}

/** Creates the name of a person; a button if their profile is visible in this room.
 * @param {RatedPlace} place */
function createName({ name, person: id, rank }) {
  const it = createElement(id ? "button" : "span", "who", name);
  if (it instanceof HTMLButtonElement) {
    it.type = "button";
    it.addEventListener("click", () => void openProfile(id ?? "", () => nameElementAt(rank)));
  } else {
    it.tabIndex = -1;
  }
  return it;
}

/** Formats a rating; a provisional one has a question mark.
 * @param {{ rating: number | null, provisional: boolean }} of */
export const ratingText = ({ rating, provisional }) => `${rating}${provisional ? "?" : ""}`;

// ---- people ------------------------------------------------------------------------------

function showLists() {
  profileRequest++;
  byId("profile").hidden = true;
  byId("profile").replaceChildren();
  byId("leaderboard").hidden = false;
}

/**
 * Opens the profile of a person of this room.
 * @param {string} id
 * @param {() => HTMLElement | null} from finds the element that opened it
 */
async function openProfile(id, from) {
  const request = ++profileRequest;
  try {
    const profile = await import("./profile.js");
    const parts = await profile.createProfile(currentRoom, id, {
      back: closeProfile,
      games: openGames,
      challenge: challengePerson,
    });
    if (request !== profileRequest) return;
    findOpener = from;
    byId("leaderboard").hidden = true;
    byId("profile").hidden = false;
    byId("profile").replaceChildren(...parts);
    byId("games").scrollTop = 0;
    byId("profile-title").focus();
  } catch (e) {
    if (request === profileRequest) showError(e);
  }
}

function closeProfile() {
  showLists();
  (findOpener() ?? byId("ratings-title")).focus();
  // Retries a list that failed meanwhile.
  if (!shown) void fetchPage().catch(showError);
}

/**
 * Opens the finished games: all, or those against one opponent.
 * @param {HTMLElement} from
 * @param {import("./history.js").Opponent | null} opponent
 */
async function openGames(from, opponent) {
  try {
    const history = await import("./history.js");
    hideRatingsPanel();
    const back = () => {
      showRatingsPanel();
      from.focus();
    };
    await history.open(codes, back, opponent);
  } catch (e) {
    showError(e);
  }
}

/** @param {string} id */
function challengePerson(id) {
  hideRatingsPanel();
  challenge(id);
}
