// The statistics of a person: the user's own of all chats, those of others in a room.

import { get, roomPath } from "./api.js";
import { renderGameCards, loadResources, openReplay } from "./history.js";
import { createElement } from "./messages.js";
import { ratingText } from "./ratings.js";
import { room } from "./rooms.js";
import { showError } from "./toasts.js";
import * as viewer from "./viewer-loader.js";
import { currentLanguage, t } from "./words.js";

/** @typedef {import("./types").PersonStatistics} PersonStatistics */
/** @typedef {import("./types").ListedGame} ListedGame */
/** @typedef {import("./history.js").Opponent} Opponent */
/**
 * Callbacks of the profile.
 * @typedef {object} Navigation
 * @property {() => void} back goes back to the lists
 * @property {(from: HTMLElement, opponent: Opponent | null) => void} games shows finished games
 * @property {(id: string) => void} challenge chooses a friend for a new game
 */

/** The most finished games that are shown. */
const GAMES_MAX = 3;
/** The size of a curve in its own units. */
const [WIDTH, HEIGHT] = [300, 90];

/**
 * Fetches the statistics of a person of a room and creates their elements.
 * @param {string} here
 * @param {string} id
 * @param {Navigation} navigation
 */
export async function createProfile(here, id, navigation) {
  const address = roomPath(here, `/people/${encodeURIComponent(id)}`);
  const [it] = /** @type {[PersonStatistics, void]} */ (
    await Promise.all([get(address), loadResources()])
  );
  const games = await fetchLastGames(here, it, id);
  return [
    createHeader(here, id, it, navigation),
    createElement("p", "hint", it.own ? t("profile_own") : t("profile_room", { room: `#${here}` })),
    ...createRatings(here, it),
    ...createHeadToHead(it),
    ...createLastGames(here, it, id, games, navigation),
    ...createAchievements(it),
  ];
}

/**
 * Fetches the last finished games: the user's own, or those against this person in this room.
 * @param {string} here
 * @param {PersonStatistics} it
 * @param {string} id
 * @returns {Promise<ListedGame[]>}
 */
async function fetchLastGames(here, it, id) {
  if (!it.own && !it.against) return [];
  const query = it.own ? "" : `?${new URLSearchParams({ against: id, room: here })}`;
  return (await get(`/api/games${query}`)).games.slice(0, GAMES_MAX);
}

/**
 * @param {string} label
 * @param {() => void} onClick
 */
function createButton(label, onClick) {
  const it = createElement("button", "quiet", label);
  it.type = "button";
  it.addEventListener("click", onClick);
  return it;
}

/**
 * @param {string} here
 * @param {string} id
 * @param {PersonStatistics} it
 * @param {Navigation} navigation
 */
function createHeader(here, id, it, navigation) {
  const back = createButton("←", navigation.back);
  back.className = "icon";
  back.ariaLabel = back.title = t("profile_back");
  const title = createElement("h2", "", it.name);
  title.id = "profile-title";
  title.tabIndex = -1;
  const isHere = room(here).info?.people.some(it => it.id === id && it.online);
  const canChallenge = !it.own && isHere;
  const onChallenge = () => navigation.challenge(id);
  const challenge = canChallenge ? [createButton(t("profile_challenge"), onChallenge)] : [];
  return createElement("header", "", back, title, ...challenge);
}

/** @param {{ won: number, drawn: number, lost: number }} of */
function createScore({ won, drawn, lost }) {
  const words = t("profile_score", {
    won: String(won),
    drawn: String(drawn),
    lost: String(lost),
  });
  const bar = createElement("span", "bar");
  bar.setAttribute("aria-hidden", "true");
  for (const [kind, count] of Object.entries({ won, drawn, lost })) {
    const part = createElement("i", kind);
    part.style.flexGrow = String(count);
    if (count) bar.append(part);
  }
  return [createElement("p", "", words), bar];
}

/**
 * @param {string} here
 * @param {PersonStatistics} it
 */
function createRatings(here, { own, lists }) {
  if (!lists.length) return [createElement("p", "", t("profile_none"))];
  const cards = lists.map(it => {
    const { name, streak, totals, play, curve } = it;
    const title = createElement("h3", "", name);
    const value = createElement(
      "p",
      "value",
      it.rating === null ? t("profile_unrated") : ratingText(it),
    );
    if (it.rating !== null) value.classList.add("rated");
    /** @type {HTMLElement[]} */
    const parts = [title, value];
    if (it.best !== null)
      parts.push(createElement("p", "", t("profile_best", { rating: String(it.best) })));
    parts.push(...createScore(it));
    const won = streak > 0 ? "profile_won" : "profile_lost";
    const n = String(Math.abs(streak));
    if (Math.abs(streak) > 1) parts.push(createElement("p", "", t(won, { n })));
    if (totals.length) parts.push(createElement("p", "", totals.join(" · ")));
    const lines = [...play, ...it.favourites, ...(it.luck === null ? [] : [it.luck])];
    for (const line of lines) parts.push(createElement("p", "", line));
    if (it.best_win) parts.push(...createBestWin(here, own, name, it.best_win));
    const [from, to] = [curve[0], curve.at(-1)].map(String);
    const words = t("profile_curve", { from: from ?? "", to: to ?? "" });
    if (curve.length) parts.push(createCurve([curve], words));
    return createElement("li", "stat", ...parts);
  });
  return [createElement("ul", "stats", ...cards)];
}

/**
 * The best win of a person, and its replay if the game is still kept.
 * @param {string} here
 * @param {boolean} own whether it is the user's own game
 * @param {string} list the name of the list
 * @param {NonNullable<PersonStatistics["lists"][number]["best_win"]>} win
 */
function createBestWin(here, own, list, { says, table }) {
  const line = createElement("p", "", says);
  if (table === null) return [line];
  const open = () => (own ? openReplay({ table }) : viewer.open(here, `tables/${table}/replay`));
  const label = t("history_replay");
  const button = createButton(label, () => void open().catch(showError));
  button.ariaLabel = `${label}: ${list}, ${says}`;
  return [line, button];
}

/** @param {PersonStatistics} it */
function createHeadToHead({ name, against }) {
  if (!against) return [];
  /** @type {HTMLElement[]} */
  const parts = [createElement("h3", "", t("profile_against", { name })), ...createScore(against)];
  const lines = [0, 1].map(n => against.curve.map(it => it[n] ?? 0));
  const words = t("profile_against_curve", { name });
  if (against.curve.length) parts.push(createCurve(lines, words));
  if (against.searched) parts.push(createElement("p", "", against.searched));
  return [createElement("section", "stat", ...parts)];
}

/**
 * @param {string} here
 * @param {PersonStatistics} it
 * @param {string} id
 * @param {ListedGame[]} games
 * @param {Navigation} navigation
 */
function createLastGames(here, { own, name }, id, games, navigation) {
  if (!games.length) return [];
  const cards = createElement("ul", "cards-of-games");
  renderGameCards(cards, games);
  const label = own ? t("profile_all") : t("history_with", { name });
  const every = createButton(label, () =>
    navigation.games(every, own ? null : { id, name, room: here }),
  );
  return [createElement("section", "", createElement("h3", "", t("profile_last")), cards, every)];
}

/** @param {PersonStatistics} it */
function createAchievements({ achievements }) {
  if (!achievements?.length) return [];
  const reached = achievements.filter(it => it.at_ms !== null).length;
  const count = t("profile_reached", { n: String(reached), all: String(achievements.length) });
  const items = achievements.map(({ game, name, rule, at_ms }) => {
    const sign = createElement("span", "sign", at_ms === null ? "○" : "✓");
    sign.setAttribute("aria-hidden", "true");
    const details = [t(`game_${game}`), rule];
    if (at_ms !== null) details.push(new Date(at_ms).toLocaleDateString(currentLanguage(), DAY));
    const small = createElement("small", "", details.join(" · "));
    const text = createElement("span", "", createElement("b", "", name), " ", small);
    return createElement("li", at_ms === null ? "open" : "reached", sign, text);
  });
  const title = createElement(
    "h3",
    "",
    t("profile_achieved"),
    " ",
    createElement("small", "", count),
  );
  return [createElement("section", "", title, createElement("ul", "achieved", ...items))];
}
/** @type {Intl.DateTimeFormatOptions} */
const DAY = { dateStyle: "medium" };

/**
 * Creates a chart of lines over the same games.
 * @param {number[][]} lines each has two values or more
 * @param {string} words the caption
 */
function createCurve(lines, words) {
  const values = lines.flat();
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const svg = createSvg("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  lines.forEach((line, n) => {
    const x = (/** @type {number} */ at) => (at / (line.length - 1)) * WIDTH;
    const y = (/** @type {number} */ value) =>
      HEIGHT - ((value - low) / Math.max(high - low, 1)) * HEIGHT;
    const points = line.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
    svg.append(createSvg("polyline", { points: points.join(" "), class: `line-${n}` }));
  });
  const ends = [high, low].map(it => createElement("span", "", String(it)));
  const scale = createElement("span", "scale", ...ends);
  scale.setAttribute("aria-hidden", "true");
  const chart = createElement("div", "chart", scale);
  chart.append(svg);
  return createElement("figure", "curve", chart, createElement("figcaption", "hint", words));
}

/**
 * @param {"svg" | "polyline"} name
 * @param {Record<string, string>} attributes
 */
function createSvg(name, attributes) {
  const it = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) it.setAttribute(key, value);
  return it;
}
