// Everything around the messages: the list of rooms, the head, hints, chips, the title.

import { get, self } from "./api.js";
import { byId } from "./dom.js";
import { face, make } from "./messages.js";
import { inOrder, isMyTurn, known, room, roomLink, unread, waiting } from "./rooms.js";
import { t } from "./words.js";

/** @typedef {import("./types").View} View */
/** @typedef {import("./types").OwnTable} OwnTable */

/** Where everybody begins. */
export const HOME = "lobby";

/** What each place shows: every message sets all of it again, mostly to the same.
 * @type {WeakMap<Element, string>} */
const contents = new WeakMap();

/**
 * Puts parts into a place, unless it shows the same already.
 * @param {Element} place
 * @param {unknown} what all that the parts depend on
 * @param {() => (Node | string)[]} parts
 */
function fill(place, what, parts) {
  const now = JSON.stringify(what);
  if (contents.get(place) === now) return;
  contents.set(place, now);
  place.replaceChildren(...parts());
}

/**
 * The same with words alone.
 * @param {Element} place
 * @param {string} text
 */
const fillWords = (place, text) => fill(place, text, () => [text]);

/**
 * Everything around the messages.
 * @param {View} view
 */
export function draw(view) {
  const { here } = view;
  const it = room(here),
    { info } = it,
    shown = inOrder(it);
  if (!info) return;
  fillWords(byId("room-name"), here === "@" ? t("private") : here);
  byId("room-name").classList.toggle("room", here !== "@");
  const note = here === "@" ? t("private_note") : t("people", info.people.length);
  fillWords(byId("room-note"), info.bot ? note : `${note} · ${t("bot_away")}`);
  byId("earlier").hidden = !it.more;
  drawHint(here, shown.length === 0 && !it.sending.length);
  drawFaces(info.people);
  chips(view);
  side(view);
}

/** @param {import("./types").Member[]} all */
function drawFaces(all) {
  const first = [...all].sort((a, b) => Number(b.online) - Number(a.online)).slice(0, 4);
  fill(byId("people-open"), first, () => {
    const faces = first.map(it => {
      const round = face(it.id, it.name);
      round.classList.toggle("here", it.online);
      return round;
    });
    const more = make("span", "more-people");
    more.setAttribute("aria-hidden", "true");
    return [...faces, more];
  });
  byId("people-open").setAttribute(
    "aria-label",
    `${t("people", all.length)}: ${all.map(it => it.name).join(", ")}`,
  );
}

/**
 * @param {string} here
 * @param {boolean} wanted
 */
function drawHint(here, wanted) {
  const hint = byId("hint");
  hint.hidden = !wanted;
  if (!wanted) return;
  const words = t(here === "@" ? "hint_private" : "hint", { help: "/help" });
  hint.replaceChildren(make("h2", "", t("hint_title")), make("p", "", words));
}

/**
 * What leads to the end.
 * @param {View} view
 */
function chips({ here, atEnd }) {
  const count = unread(here);
  byId("to-end").hidden = atEnd;
  fillWords(byId("to-end"), `↓ ${count ? t("new_messages", count) : ""}`);
  byId("to-end").setAttribute("aria-label", t("new_messages", count));
}

/**
 * The list of rooms with what is unread, oneself, and the title of the window.
 * @param {View} view
 */
export function side({ here, joined, atEnd }) {
  const names = [
    "@",
    ...joined
      .filter(it => it !== "@")
      .sort((a, b) => Number(b === HOME) - Number(a === HOME) || a.localeCompare(b)),
  ];
  let waits = 0,
    elsewhere = 0,
    turns = 0;
  const rooms = names.map(name => {
    const count = known(name) ? unread(name) : 0,
      calls = known(name) ? waiting(name) : 0,
      away = name !== here || document.hidden || !atEnd;
    waits += calls;
    if (name !== here) elsewhere += count;
    const turn = away && isMyTurn(name);
    if (turn) turns += 1;
    return { name, current: name === here, turn, count: away ? count : 0, calls: calls > 0 };
  });
  fill(byId("room-list"), [rooms, t("your_turn")], () => rooms.map(entry));
  // One press leads to a room where it is this person's turn.
  const there = names.find(it => it !== here && isMyTurn(it));
  byId("turn-open").hidden = !there;
  byId("turn-open").setAttribute("href", roomLink(there ?? here));
  byId("side-badge").hidden = !elsewhere && !turns;
  fillWords(byId("side-badge"), turns ? "▶" : String(elsewhere));
  const calls = turns ? t("your_turn") : elsewhere ? t("unread", elsewhere) : "";
  byId("side-open").setAttribute("aria-label", [t("rooms"), calls].filter(Boolean).join(": "));
  const me = self();
  fill(byId("me-open"), [me?.id, me?.name], () => [
    face(me?.id ?? "", me?.name ?? ""),
    make("span", "name", me?.name ?? ""),
    make("span", "sign", "⚙"),
  ]);
  const title = here === "@" ? t("private") : here;
  const icon = turns ? "icon-turn.svg" : "icon.svg";
  const link = document.querySelector("link[rel=icon]");
  if (!link?.getAttribute("href")?.endsWith(`/${icon}`)) {
    link?.setAttribute("href", new URL(icon, import.meta.url).pathname);
  }
  const mark = turns ? "▶ " : "";
  document.title = `${mark}${waits ? `(${waits}) ` : ""}${title} · Caravanserai`;
}

/**
 * A room in the list.
 * @param {{ name: string, current: boolean, turn: boolean, count: number, calls: boolean }} room
 */
function entry({ name, current, turn, count, calls }) {
  const link = make("a", current ? "current" : "");
  link.href = roomLink(name);
  const sign = make("span", "sign", name === "@" ? "✉" : "#");
  sign.setAttribute("aria-hidden", "true");
  link.append(sign, make("span", "name", name === "@" ? t("private") : name));
  if (current) link.setAttribute("aria-current", "page");
  if (turn) {
    const mark = make("span", "badge calls", "▶");
    mark.setAttribute("role", "img");
    mark.setAttribute("aria-label", t("your_turn"));
    mark.title = t("your_turn");
    link.append(mark);
  }
  if (count) {
    const badge = make("span", calls ? "badge calls" : "badge", String(count));
    badge.setAttribute("aria-label", t("unread", count));
    link.append(badge);
  }
  return make("li", "", link);
}

// ---- one's own tables, those that wait for their owner first ----

/** So long lies between two requests for the list, in ms: it is never older than this. */
const PAUSE = 1500;
/** A request that failed is made again after so long, in ms. */
const RETRY = 3000;

let timer = 0,
  asked = -Infinity;

/**
 * Something happened at a table: the list is fetched, once for all that happens together.
 * @param {() => void} drawn
 */
export function stir(drawn) {
  if (timer) return;
  timer = setTimeout(() => void fetchList(drawn), Math.max(200, asked + PAUSE - performance.now()));
}

/** @param {() => void} drawn */
async function fetchList(drawn) {
  asked = performance.now();
  timer = 0;
  /** @type {{ tables: OwnTable[] | null }} */
  const { tables } = await get("/api/tables").catch(() => ({ tables: null }));
  if (!tables) {
    asked = performance.now() + RETRY - PAUSE;
    return stir(drawn);
  }
  drawTables(tables);
  drawn();
}

/** @param {OwnTable[]} tables */
function drawTables(tables) {
  const linked = tables.filter(it => it.link);
  byId("own-tables").hidden = linked.length === 0;
  byId("own-tables").replaceChildren(
    ...linked.map(it => {
      const link = make("a", it.your_turn ? "yours" : "", make("span", "name", it.says));
      link.href = it.link ?? "";
      if (it.your_turn) {
        const badge = make("span", "badge calls", "▶");
        badge.setAttribute("role", "img");
        badge.setAttribute("aria-label", t("your_turn"));
        link.prepend(badge);
      }
      return make("li", "", link);
    }),
  );
}
