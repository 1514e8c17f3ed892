// Everything around the messages: the list of rooms, the head, hints, chips, the title.

import { get, self } from "./api.js";
import { byId, say, update } from "./dom.js";
import { face, make } from "./messages.js";
import { inOrder, isMyTurn, known, room, roomLink, unread, waiting } from "./rooms.js";
import { t } from "./words.js";

/** @typedef {import("./types").View} View */
/** @typedef {import("./types").OwnTable} OwnTable */

/** Where everybody begins. */
export const HOME = "lobby";

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
  say(byId("room-name"), here === "@" ? t("private") : here);
  byId("room-name").classList.toggle("room", here !== "@");
  const note = here === "@" ? t("private_note") : t("people", info.people.length);
  say(byId("room-note"), info.bot ? note : `${note} · ${t("bot_away")}`);
  byId("earlier").hidden = !it.more;
  drawHint(here, shown.length === 0 && !it.sending.length);
  drawFaces(info.people);
  chips(view);
  side(view);
}

/** @param {import("./types").Member[]} all */
function drawFaces(all) {
  const first = [...all].sort((a, b) => Number(b.online) - Number(a.online)).slice(0, 4);
  const round = (/** @type {typeof first[0]} */ it) => face(it.id, it.name);
  update(byId("people-open"), first, it => `${it.id} ${it.name}`, round, (it, { online }) =>
    it.classList.toggle("here", online),
  );
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
  byId("hint").hidden = !wanted;
  if (!wanted) return;
  const words = t(here === "@" ? "hint_private" : "hint", { help: "/help" });
  /** @type {["h2" | "p", string][]} */
  const parts = [
    ["h2", t("hint_title")],
    ["p", words],
  ];
  update(
    byId("hint"),
    parts,
    ([tag]) => tag,
    ([tag]) => make(tag),
    (it, [, text]) => say(it, text),
  );
}

/**
 * What leads to the end.
 * @param {View} view
 */
function chips({ here, atEnd }) {
  const count = unread(here);
  byId("to-end").hidden = atEnd;
  say(byId("to-end"), `↓ ${count ? t("new_messages", count) : ""}`);
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
  update(byId("room-list"), rooms, it => it.name, entry, changeEntry);
  // One press leads to a room where it is this person's turn.
  const there = names.find(it => it !== here && isMyTurn(it));
  byId("turn-open").hidden = !there;
  byId("turn-open").setAttribute("href", roomLink(there ?? here));
  byId("side-badge").hidden = !elsewhere && !turns;
  say(byId("side-badge"), turns ? "▶" : String(elsewhere));
  const calls = turns ? t("your_turn") : elsewhere ? t("unread", elsewhere) : "";
  byId("side-open").setAttribute("aria-label", [t("rooms"), calls].filter(Boolean).join(": "));
  const me = self();
  const named = me ? [me] : [];
  update(
    byId("me-open"),
    named,
    it => `${it.id} ${it.name}`,
    it => face(it.id, it.name),
  );
  say(byId("me-name"), me?.name ?? "");
  const title = here === "@" ? t("private") : here;
  const icon = turns ? "icon-turn.svg" : "icon.svg";
  const link = document.querySelector("link[rel=icon]");
  if (!link?.getAttribute("href")?.endsWith(`/${icon}`)) {
    link?.setAttribute("href", new URL(icon, import.meta.url).pathname);
  }
  const mark = turns ? "▶ " : "";
  document.title = `${mark}${waits ? `(${waits}) ` : ""}${title} · Caravanserai`;
}

/** What is in a line of a list, by its name: its class, its words, and what those mean.
 * @typedef {{ part: string, look: string, text: string, label?: string }} Piece */

const entry = () => make("li", "", make("a"));

/**
 * Fills a line of a list.
 * @param {HTMLElement} line
 * @param {string} href
 * @param {Piece[]} pieces
 */
function changeLine(line, href, pieces) {
  const link = /** @type {HTMLAnchorElement} */ (line.firstElementChild);
  if (link.getAttribute("href") !== href) link.href = href;
  update(
    link,
    pieces,
    it => it.part,
    () => make("span"),
    (it, { look, text, label }) => {
      it.className = look;
      say(it, text);
      // A sign that has no meaning of its own is not read out.
      if (label === "") it.setAttribute("aria-hidden", "true");
      if (!label) return;
      it.setAttribute("role", "img");
      it.setAttribute("aria-label", label);
      it.title = label;
    },
  );
  return link;
}

/** @returns {Piece} */
const turnBadge = () => ({ part: "turn", look: "badge calls", text: "▶", label: t("your_turn") });

/**
 * A room in the list.
 * @param {HTMLElement} line
 * @param {{ name: string, current: boolean, turn: boolean, count: number, calls: boolean }} room
 */
function changeEntry(line, { name, current, turn, count, calls }) {
  const isPrivate = name === "@",
    look = calls ? "badge calls" : "badge",
    label = t("unread", count);
  const link = changeLine(line, roomLink(name), [
    { part: "sign", look: "sign", text: isPrivate ? "✉" : "#", label: "" },
    { part: "name", look: "name", text: isPrivate ? t("private") : name },
    ...(turn ? [turnBadge()] : []),
    ...(count ? [{ part: "count", look, text: String(count), label }] : []),
  ]);
  link.className = current ? "current" : "";
  if (current) link.setAttribute("aria-current", "page");
  else link.removeAttribute("aria-current");
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
  update(byId("own-tables"), linked, it => it.table, entry, (line, it) => {
    const link = changeLine(line, it.link ?? "", [
      ...(it.your_turn ? [turnBadge()] : []),
      { part: "name", look: "name", text: it.says },
    ]);
    link.className = it.your_turn ? "yours" : "";
  });
}
