// The statistics of a person: one's own of all chats, those of others in a room.

import { get, roomPath } from "./api.js";
import { drawCards, prepare } from "./history.js";
import { make } from "./messages.js";
import { rating } from "./ratings.js";
import { room } from "./rooms.js";
import { currentLanguage, t } from "./words.js";

/** @typedef {import("./types").PersonStatistics} PersonStatistics */
/** @typedef {import("./types").FinishedGame} FinishedGame */
/** @typedef {import("./history.js").Opponent} Opponent */
/**
 * What can be done from here.
 * @typedef {object} Ways
 * @property {() => void} back goes back to the lists
 * @property {(from: HTMLElement, opponent: Opponent | null) => void} games shows finished games
 * @property {(id: string) => void} challenge chooses a friend for a new game
 */

/** The most finished games that are shown. */
const GAMES = 3;
/** The size of a curve in its own units. */
const [WIDTH, HEIGHT] = [300, 90];

/**
 * Fetches the statistics of a person of a room, and gives their elements.
 * @param {string} here
 * @param {string} id
 * @param {Ways} ways
 */
export async function draw(here, id, ways) {
  const address = roomPath(here, `/people/${encodeURIComponent(id)}`);
  const [it] = /** @type {[PersonStatistics, void]} */ (
    await Promise.all([get(address), prepare()])
  );
  const games = await lastGames(here, it, id);
  return [
    head(here, id, it, ways),
    make("p", "hint", it.own ? t("profile_own") : t("profile_room", { room: `#${here}` })),
    ...lists(it),
    ...against(it),
    ...last(here, it, id, games, ways),
    ...achievements(it),
  ];
}

/**
 * The last finished games: one's own, or those against this person in this room.
 * @param {string} here
 * @param {PersonStatistics} it
 * @param {string} id
 * @returns {Promise<FinishedGame[]>}
 */
async function lastGames(here, it, id) {
  if (!it.own && !it.against) return [];
  const query = it.own ? "" : `?${new URLSearchParams({ against: id, room: here })}`;
  return (await get(`/api/games${query}`)).games.slice(0, GAMES);
}

/**
 * @param {string} label
 * @param {() => void} does
 */
function button(label, does) {
  const it = make("button", "quiet", label);
  it.type = "button";
  it.addEventListener("click", does);
  return it;
}

/**
 * @param {string} here
 * @param {string} id
 * @param {PersonStatistics} it
 * @param {Ways} ways
 */
function head(here, id, it, ways) {
  const back = button("←", ways.back);
  back.className = "icon";
  back.ariaLabel = back.title = t("profile_back");
  const title = make("h2", "", it.name);
  title.id = "profile-title";
  title.tabIndex = -1;
  const isHere = room(here).info?.people.some(it => it.id === id && it.online);
  const asks = () => ways.challenge(id);
  const challenge = it.own || !isHere ? [] : [button(t("profile_challenge"), asks)];
  return make("header", "", back, title, ...challenge);
}

/** @param {{ won: number, drawn: number, lost: number }} of */
function score({ won, drawn, lost }) {
  const words = t("profile_score", {
    won: String(won),
    drawn: String(drawn),
    lost: String(lost),
  });
  const bar = make("span", "bar");
  bar.setAttribute("aria-hidden", "true");
  for (const [kind, count] of Object.entries({ won, drawn, lost })) {
    const part = make("i", kind);
    part.style.flexGrow = String(count);
    if (count) bar.append(part);
  }
  return [make("p", "", words), bar];
}

/** @param {PersonStatistics} it */
function lists({ lists }) {
  if (!lists.length) return [make("p", "", t("profile_none"))];
  const cards = lists.map(it => {
    const { name, streak, totals, play, curve } = it;
    const title = make("h3", "", name);
    const value = make("p", "value", it.rating === null ? t("profile_unrated") : rating(it));
    if (it.rating !== null) value.classList.add("rated");
    /** @type {HTMLElement[]} */
    const parts = [title, value];
    if (it.best !== null) parts.push(make("p", "", t("profile_best", { rating: String(it.best) })));
    parts.push(...score(it));
    const won = streak > 0 ? "profile_won" : "profile_lost";
    const n = String(Math.abs(streak));
    if (Math.abs(streak) > 1) parts.push(make("p", "", t(won, { n })));
    if (totals.length) parts.push(make("p", "", totals.join(" · ")));
    for (const line of play) parts.push(make("p", "", line));
    const [from, to] = [curve[0], curve.at(-1)].map(String);
    const words = t("profile_curve", { from: from ?? "", to: to ?? "" });
    if (curve.length) parts.push(drawn([curve], words));
    return make("li", "stat", ...parts);
  });
  return [make("ul", "stats", ...cards)];
}

/** @param {PersonStatistics} it */
function against({ name, against }) {
  if (!against) return [];
  /** @type {HTMLElement[]} */
  const parts = [make("h3", "", t("profile_against", { name })), ...score(against)];
  const lines = [0, 1].map(n => against.curve.map(it => it[n] ?? 0));
  const words = t("profile_against_curve", { name });
  if (against.curve.length) parts.push(drawn(lines, words));
  return [make("section", "stat", ...parts)];
}

/**
 * @param {string} here
 * @param {PersonStatistics} it
 * @param {string} id
 * @param {FinishedGame[]} games
 * @param {Ways} ways
 */
function last(here, { own, name }, id, games, ways) {
  if (!games.length) return [];
  const cards = make("ul", "cards-of-games");
  drawCards(cards, games);
  const label = own ? t("profile_all") : t("history_with", { name });
  const every = button(label, () => ways.games(every, own ? null : { id, name, room: here }));
  return [make("section", "", make("h3", "", t("profile_last")), cards, every)];
}

/** @param {PersonStatistics} it */
function achievements({ achievements }) {
  if (!achievements?.length) return [];
  const reached = achievements.filter(it => it.at_ms !== null).length;
  const count = t("profile_reached", { n: String(reached), all: String(achievements.length) });
  const items = achievements.map(({ game, name, rule, at_ms }) => {
    const sign = make("span", "sign", at_ms === null ? "○" : "✓");
    sign.setAttribute("aria-hidden", "true");
    const details = [t(`game_${game}`), rule];
    if (at_ms !== null) details.push(new Date(at_ms).toLocaleDateString(currentLanguage(), DAY));
    const small = make("small", "", details.join(" · "));
    const text = make("span", "", make("b", "", name), " ", small);
    return make("li", at_ms === null ? "open" : "reached", sign, text);
  });
  const title = make("h3", "", t("profile_achieved"), " ", make("small", "", count));
  return [make("section", "", title, make("ul", "achieved", ...items))];
}
/** @type {Intl.DateTimeFormatOptions} */
const DAY = { dateStyle: "medium" };

/**
 * Lines over the same games, the first one in the colour of the page.
 * @param {number[][]} lines each has two values or more
 * @param {string} words what they show
 */
function drawn(lines, words) {
  const values = lines.flat();
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const svg = element("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  lines.forEach((line, n) => {
    const x = (/** @type {number} */ at) => (at / (line.length - 1)) * WIDTH;
    const y = (/** @type {number} */ value) =>
      HEIGHT - ((value - low) / Math.max(high - low, 1)) * HEIGHT;
    const points = line.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
    svg.append(element("polyline", { points: points.join(" "), class: `line-${n}` }));
  });
  const ends = [high, low].map(it => make("span", "", String(it)));
  const scale = make("span", "scale", ...ends);
  scale.setAttribute("aria-hidden", "true");
  const chart = make("div", "chart", scale);
  chart.append(svg);
  return make("figure", "curve", chart, make("figcaption", "hint", words));
}

/**
 * @param {"svg" | "polyline"} name
 * @param {Record<string, string>} attributes
 */
function element(name, attributes) {
  const it = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) it.setAttribute(key, value);
  return it;
}
