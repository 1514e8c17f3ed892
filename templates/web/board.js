// The living board: the table of a room as its viewer may see it, to be played by touch, by keys
// and by ear. Everything on it comes from the state of the table (README).

import { get, newKey, postSurely, Refused, roomPath } from "./api.js";
import { all, byId, focused, target } from "./dom.js";
import { make, keyboard } from "./messages.js";
import { Drawn, drawings, shape } from "./picture.js";
import { refuse, toast } from "./dialogs.js";
import { t } from "./words.js";

/** @typedef {import("./types").TableState} TableState */
/** @typedef {import("./types").Picture} Picture */
/** @typedef {import("./types").Action} Action */
/** @typedef {import("./types").Area} Area */
/** @typedef {import("./types").Key} Key */

/** How long one step is seen, and how long it is looked at then, in ms. */
const STEP = 600,
  REST = 250,
  /** All that happened at once is seen in so much time at most. */
  ALL = 4000,
  /** What has just appeared under a finger is not meant by it. */
  SLIDING = 250;

/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {{ changed(there: boolean): void, said(text: string): void }} */
let hooks = { changed: () => {}, said: () => {} };
const table = new Drawn(byId("table-board")),
  hand = new Drawn(byId("table-hand"));
/** @type {TableState | null} */
let shown = null;
/** @type {SVGElement | null} */
let chosen = null;
/** @type {string | null} */
let kept = null;
let page = 0,
  skip = () => {},
  changedAt = 0;
/** @type {{ room: string, table: string } | null} */
let wanted = null;
let asking = false,
  again = false;

/**
 * `on.changed()` is called when a table comes or goes, `on.said(text)` with what happened.
 * @param {typeof hooks} on
 */
export function start(on) {
  hooks = on;
  byId("table").addEventListener("click", () => skip());
  byId("table").addEventListener("keydown", keys);
}

/** Whether this is the table that is shown. */
export const follows = (/** @type {string} */ code) => wanted?.table === code;

/** Tables whose game is known to be over. */
const over = new Set();
export const isOver = (/** @type {string} */ code) => over.has(code);

/**
 * Shows the table of a room, or none.
 * @param {string} room
 * @param {string | null} code
 */
export function follow(room, code) {
  if (code === (wanted?.table ?? null) && (!code || room === wanted?.room)) return;
  wanted = code ? { room, table: code } : null;
  shown = null;
  chosen = null;
  page = 0;
  skip();
  table.clear();
  hand.clear();
  byId("table").hidden = !wanted;
  byId("table-says").replaceChildren();
  byId("table-keys").replaceChildren();
  delete byId("table-keys").dataset.keys;
  hooks.changed(Boolean(wanted));
  if (wanted) void refresh();
}

/** Something happened at the table that is shown, or its words are to be in another language. */
export async function refresh() {
  if (!wanted) return;
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  do {
    again = false;
    await look().catch(e => {
      // A table that cannot be looked at is played in the chat.
      if (e instanceof Refused && e.status === 404 && wanted) follow(wanted.room, null);
    });
  } while (again);
  asking = false;
}

async function look() {
  if (!wanted) return;
  const { room, table: code } = wanted;
  const since = shown ? `&since=${shown.moment}` : "";
  const query = `?drawn=1&page=${page}${since}`;
  /** @type {TableState} */
  const state = await get(roomPath(room, `/tables/${encodeURIComponent(code)}${query}`));
  if (wanted?.room !== room || wanted.table !== code) return;
  if (!state.picture) return follow(room, null);
  const { board, hand: held, before } = state.picture;
  await drawings([...new Set([board, held, ...before].flatMap(it => it?.sheets ?? []))]);
  const says = state.says.join("\n"),
    old = shown;
  if (old && old.change > state.change) return;
  shown = state;
  if (state.phase !== "playing") over.add(code);
  byId("table").classList.toggle("with-hand", Boolean(held));
  if (old && old.moment === state.moment) {
    fill(state, state.picture, 0);
  } else {
    touch(null);
    await play(!old || calm.matches ? [] : before, state, state.picture);
  }
  touch(state);
  if (old && says !== old.says.join("\n")) hooks.said(says);
}

/**
 * Shows what happened, a step after the other, and then how it stands.
 * @param {Picture[]} before
 * @param {TableState} state
 * @param {{ board: Picture, hand: Picture | null }} last
 */
async function play(before, state, last) {
  byId("table").classList.add("moving");
  let skipped = document.hidden;
  skip = () => {
    skipped = true;
    table.settle();
    hand.settle();
  };
  const part = Math.min(1, ALL / ((before.length + 1) * (STEP + REST)));
  const moves = before.length || table.now.length;
  // What has left the hand is on its way to the table.
  if (last.hand && !byId("table-hand").hidden) hand.show(last.hand, 0);
  const ms = () => (skipped || calm.matches || !moves ? 0 : STEP * part);
  for (const picture of before) {
    if (skipped) break;
    table.show(picture, ms());
    await rest(ms() + REST * part, () => skipped);
  }
  fill(state, last, ms());
  if (!skipped && !calm.matches && moves) await rest(STEP * part, () => skipped);
  skip = () => {};
  byId("table").classList.remove("moving");
  changedAt = performance.now();
}

/**
 * Waits, but not for somebody who has skipped.
 * @param {number} ms
 * @param {() => boolean} over
 * @returns {Promise<void>}
 */
function rest(ms, over) {
  const end = performance.now() + ms;
  return new Promise(done => {
    const look = () => (over() || performance.now() >= end ? done() : setTimeout(look, 30));
    look();
  });
}

/**
 * Everything as it stands now.
 * @param {TableState} state
 * @param {{ board: Picture, hand: Picture | null }} picture
 * @param {number} ms
 */
function fill(state, { board, hand: held }, ms) {
  table.show(board, ms);
  table.svg.setAttribute("aria-label", state.board.join("\n"));
  byId("table-hand").hidden = !held;
  if (held) {
    hand.show(held, ms);
    hand.svg.setAttribute("aria-label", state.hand.join("\n"));
  }
  byId("table-says").replaceChildren(...state.says.map(it => make("p", "", it)));
  // Whose turn it is stands last.
  byId("table-says").scrollTop = byId("table-says").scrollHeight;
  buttons(state);
}

// ---- what can be touched -----------------------------------------------------------------

/**
 * Lays what can be done over the picture: each place once, with all that begins there.
 * @param {TableState | null} state
 */
function touch(state) {
  chosen = null;
  const on = state?.picture?.hand ? hand : table;
  const active = focused();
  if (active?.closest(".spots")) kept = active.dataset.label ?? "";
  else if (active !== document.body) kept = null;
  table.over.replaceChildren();
  hand.over.replaceChildren();
  if (!state) return;
  /** @type {Map<string, Placed[]>} */
  const places = new Map();
  for (const action of state.actions) {
    if (!isPlaced(action)) continue;
    const place = action.at.join();
    places.set(place, [...(places.get(place) ?? []), action]);
  }
  on.over.setAttribute("aria-label", t("buttons"));
  for (const actions of places.values()) on.over.append(spot(actions, on));
  const every = all(on.over, "[role=button]");
  every[0]?.setAttribute("tabindex", "0");
  // Whoever plays by keys goes on where they were when their turn comes again.
  if (kept === null || !every.length) return;
  (every.find(it => it.dataset.label === kept) ?? every[0])?.focus();
  kept = null;
}

/** An action that is seen on the picture.
 * @typedef {Action & { at: Area }} Placed */

/**
 * @param {Action} action
 * @returns {action is Placed}
 */
const isPlaced = action => action.at !== undefined;

/**
 * Something to touch, for one action or several that begin at the same place.
 * @param {Placed[]} actions
 * @param {Drawn} on
 */
function spot(actions, on) {
  const [only, ...others] = /** @type {[Placed, ...Placed[]]} */ (actions);
  const g = area(only.at, "spot");
  const label = actions.map(it => it.label).join(", ");
  name(g, label, others.length ? "" : only.press);
  const leads = () => actions.flatMap(it => (it.to ? [area(it.to, "lead")] : []));
  const tell = () => {
    untell(on);
    if (!chosen) on.over.prepend(...leads());
  };
  g.addEventListener("pointerenter", tell);
  g.addEventListener("focus", tell);
  g.addEventListener("pointerleave", () => untell(on));
  g.addEventListener("blur", () => untell(on));
  g.addEventListener("click", () => {
    if (tooSoon()) return;
    if (!others.length) return void act(g, only);
    choose(actions, on, g);
  });
  return g;
}

/**
 * A piece was chosen: now where it goes.
 * @param {Placed[]} actions
 * @param {Drawn} on
 * @param {SVGElement} from
 */
function choose(actions, on, from) {
  unchoose();
  untell(on);
  chosen = from;
  from.classList.add("chosen");
  const goals = actions.map(it => {
    const g = area(it.to ?? it.at, "goal");
    name(g, it.label, it.press);
    g.addEventListener("click", () => void act(g, it));
    return g;
  });
  on.over.append(...goals);
  goals[0]?.setAttribute("tabindex", "0");
  goals[0]?.focus();
}

function unchoose() {
  chosen?.classList.remove("chosen");
  chosen = null;
  document.querySelectorAll(".goal").forEach(it => it.remove());
}

const untell = (/** @type {Drawn} */ on) =>
  on.over.querySelectorAll(".lead").forEach(it => it.remove());
const tooSoon = () =>
  byId("table").classList.contains("moving") || performance.now() - changedAt < SLIDING;

/**
 * @param {Area} area
 * @param {string} kind
 */
function area([x, y, width, height, turn], kind) {
  const g = shape("g", { class: kind });
  const rect = shape("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 14 });
  if (turn) rect.setAttribute("transform", `rotate(${turn} ${x} ${y})`);
  g.append(rect);
  return g;
}

/**
 * @param {SVGElement} g
 * @param {string} label
 * @param {string} press
 */
function name(g, label, press) {
  g.setAttribute("role", "button");
  g.setAttribute("tabindex", "-1");
  g.setAttribute("aria-label", label);
  Object.assign(g.dataset, { label, press });
  const title = shape("title");
  title.textContent = label;
  g.append(title);
}

/**
 * One stop for Tab; arrows go from place to place, Enter does it, Escape takes a choice back.
 * @param {KeyboardEvent} e
 */
function keys(e) {
  /** @type {HTMLElement | null} */
  const here = target(e).closest(".spots [role=button]");
  if (e.key === "Escape") {
    skip();
    if (chosen) {
      const from = chosen;
      unchoose();
      from.focus();
      e.stopPropagation();
    }
    return;
  }
  if (!here) return;
  const every = all(byId("table"), chosen ? ".goal" : ".spot");
  const step = STEPS[e.key];
  if (step) {
    const next = every[(every.indexOf(here) + step + every.length) % every.length];
    every.forEach(it => it.setAttribute("tabindex", it === next ? "0" : "-1"));
    next?.focus();
  } else if (e.key === "Enter" || e.key === " ") {
    here.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  } else {
    return;
  }
  e.preventDefault();
  e.stopPropagation();
}

/**
 * Does something. What follows is seen at once, and then what the others answer.
 * @param {Element} where
 * @param {{ press: string }} action
 */
async function act(where, action) {
  if (where.classList.contains("busy")) return;
  if (!wanted) return;
  where.classList.add("busy");
  const { room } = wanted;
  try {
    const body = { press: action.press, key: newKey() };
    /** @type {{ whispers: import("./types").Whisper[] }} */
    const { whispers } = await postSurely(roomPath(room, "/press"), body);
    whispers.filter(it => it.brief && !it.passing).forEach(it => toast(it.text, it.passing));
    await refresh();
  } catch (e) {
    refuse(e);
  } finally {
    where.classList.remove("busy");
  }
}

// ---- buttons -----------------------------------------------------------------------------

/**
 * What can be done and is nowhere on the picture, then what concerns the table.
 * @param {TableState} state
 */
function buttons(state) {
  const bare = new Map(state.actions.filter(it => !it.at).map(it => [it.token, it]));
  /** @returns {Key} */
  const key = (/** @type {Action} */ it) => ({
    label: it.label,
    press: it.press,
    tone: "plain",
    does: act,
  });
  const rows = state.rows.map(row => row.flatMap(it => bare.get(it) ?? []).map(key));
  if (bare.size && state.pages > 1) {
    /** @returns {Key} */
    const turn = (/** @type {string} */ sign, /** @type {number} */ by) => ({
      label: sign,
      press: "",
      tone: "plain",
      does: async () => {
        page = (state.page + by + state.pages) % state.pages;
        await refresh();
      },
    });
    const last = rows.pop() ?? [];
    rows.push(last.length > 3 ? last : [turn("◂", -1), ...last, turn("▸", 1)]);
    if (last.length > 3) rows.push([turn("◂", -1), turn("▸", 1)]);
  }
  const buttons = [...rows, ...state.keys].filter(row => row.length);
  byId("table").classList.toggle("with-many", buttons.length > 3);
  const at = byId("table-keys");
  const labels = buttons.map(row => row.map(it => [it.label, it.press]));
  const said = JSON.stringify([labels, state.page]);
  if (at.dataset.keys === said) return;
  at.dataset.keys = said;
  keyboard(at, { id: null, room: wanted?.room ?? "", buttons }, {});
}
