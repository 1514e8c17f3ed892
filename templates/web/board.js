// The living board: the table of a room as its viewer may see it, to be played by touch, by keys
// and by ear. Everything on it comes from the state of the table (README).

import { get, newKey, postSurely, roomPath } from "./api.js";
import { make, keyboard } from "./messages.js";
import { Drawn, drawings, shape } from "./picture.js";
import { refuse, toast } from "./dialogs.js";
import { t } from "./words.js";

const byId = id => document.getElementById(id);
/** How long one step is seen, and how long it is looked at then, in ms. */
const STEP = 600,
  REST = 250,
  /** All that happened at once is seen in so much time at most. */
  ALL = 4000,
  /** What has just appeared under a finger is not meant by it. */
  SLIDING = 250;

const calm = matchMedia("(prefers-reduced-motion: reduce)");

let hooks = null,
  table = null,
  hand = null,
  shown = null,
  chosen = null,
  kept = null,
  page = 0,
  skip = () => {},
  changedAt = 0;
/** @type {{ room: string, table: string } | null} */
let wanted = null;
let asking = false,
  again = false;

/** `on.changed()` is called when a table comes or goes, `on.said(text)` with what happened. */
export function start(on) {
  hooks = on;
  table = new Drawn(byId("table-board"));
  hand = new Drawn(byId("table-hand"));
  byId("table").addEventListener("click", () => skip());
  byId("table").addEventListener("keydown", keys);
}

/** Whether this is the table that is shown. */
export const follows = code => wanted?.table === code;

/** Tables whose game is known to be over. */
const over = new Set();
export const isOver = code => over.has(code);

/** Shows the table of a room, or none. */
export function follow(room, code) {
  if (code === (wanted?.table ?? null) && (!code || room === wanted.room)) return;
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
      if (e.status === 404) follow(wanted?.room, null);
    });
  } while (again);
  asking = false;
}

async function look() {
  const { room, table: code } = wanted;
  const since = shown ? `&since=${shown.moment}` : "";
  const query = `?drawn=1&page=${page}${since}`;
  const state = await get(roomPath(room, `/tables/${encodeURIComponent(code)}${query}`));
  if (wanted?.room !== room || wanted.table !== code) return;
  if (!state.picture) return follow(room, null);
  const { board, hand: held, before } = state.picture;
  await drawings([...new Set([board, held, ...before].flatMap(it => it?.sheets ?? []))]);
  const first = !shown,
    says = state.says.join("\n");
  const old = shown;
  if (old && old.change > state.change) return;
  shown = state;
  if (state.phase !== "playing") over.add(code);
  byId("table").classList.toggle("with-hand", Boolean(held));
  if (old && old.moment === state.moment) {
    fill(state, 0);
  } else {
    touch(null);
    await play(first || calm.matches ? [] : before, state);
  }
  touch(state);
  if (!first && says !== old.says.join("\n")) hooks.said(says);
}

/** Shows what happened, a step after the other, and then how it stands. */
async function play(before, state) {
  byId("table").classList.add("moving");
  let skipped = document.hidden;
  skip = () => {
    skipped = true;
    table.settle();
    hand.settle();
  };
  const all = [...before, state.picture.board];
  const part = Math.min(1, ALL / (all.length * (STEP + REST)));
  const moves = before.length || table.now.length;
  // What has left the hand is on its way to the table.
  if (state.picture.hand && !byId("table-hand").hidden) hand.show(state.picture.hand, 0);
  for (const [n, picture] of all.entries()) {
    const last = n === all.length - 1;
    const ms = skipped || calm.matches || !moves ? 0 : STEP * part;
    if (last) fill(state, ms);
    else if (!skipped) {
      table.show(picture, ms);
      await rest(ms + REST * part, () => skipped);
    }
  }
  if (!skipped && !calm.matches && moves) await rest(STEP * part, () => skipped);
  skip = () => {};
  byId("table").classList.remove("moving");
  changedAt = performance.now();
}

/** Waits, but not for somebody who has skipped. */
function rest(ms, over) {
  const end = performance.now() + ms;
  return new Promise(done => {
    const look = () => (over() || performance.now() >= end ? done() : setTimeout(look, 30));
    look();
  });
}

/** Everything as it stands now. */
function fill(state, ms) {
  const { board, hand: held } = state.picture;
  table.show(board, ms);
  table.svg.setAttribute("aria-label", state.board.join("\n"));
  byId("table-hand").hidden = !held;
  if (held) {
    hand.show(held, ms);
    hand.svg.setAttribute("aria-label", state.hand.join("\n"));
  }
  const { says: lookers } = state.watching;
  byId("table-says").replaceChildren(
    ...(lookers ? [make("p", "lookers", lookers)] : []),
    ...state.says.map(it => make("p", "", it)),
  );
  // Whose turn it is stands last.
  byId("table-says").scrollTop = byId("table-says").scrollHeight;
  buttons(state);
}

// ---- what can be touched -----------------------------------------------------------------

/** Lays what can be done over the picture: each place once, with all that begins there. */
function touch(state) {
  chosen = null;
  const held = state?.picture.hand;
  const on = held ? hand : table;
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  if (active?.closest(".spots")) kept = active.dataset.label ?? "";
  else if (active !== document.body) kept = null;
  table.over.replaceChildren();
  hand.over.replaceChildren();
  if (!state) return;
  const places = new Map();
  for (const action of state.actions.filter(it => it.at)) {
    const place = action.at.join();
    if (!places.has(place)) places.set(place, []);
    places.get(place).push(action);
  }
  on.over.setAttribute("aria-label", t("buttons"));
  for (const actions of places.values()) on.over.append(spot(actions, on));
  const all = spots(on);
  if (all[0]) all[0].setAttribute("tabindex", "0");
  // Whoever plays by keys goes on where they were when their turn comes again.
  if (kept === null || !all.length) return;
  (all.find(it => it.dataset.label === kept) ?? all[0]).focus();
  kept = null;
}

const spots = on => /** @type {SVGElement[]} */ ([...on.over.querySelectorAll("[role=button]")]);

/** Something to touch, for one action or several that begin at the same place. */
function spot(actions, on) {
  const g = area(actions[0].at, "spot");
  const label = actions.map(it => it.label).join(", ");
  name(g, label, actions.length === 1 ? actions[0].press : "");
  const leads = () => actions.filter(it => it.to).map(it => area(it.to, "lead"));
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
    if (actions.length === 1) return void act(g, actions[0]);
    choose(actions, on, g);
  });
  return g;
}

/** A piece was chosen: now where it goes. */
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
  goals[0].setAttribute("tabindex", "0");
  goals[0].focus();
}

function unchoose() {
  chosen?.classList.remove("chosen");
  chosen = null;
  document.querySelectorAll(".goal").forEach(it => it.remove());
}

const untell = on => on.over.querySelectorAll(".lead").forEach(it => it.remove());
const tooSoon = () =>
  byId("table").classList.contains("moving") || performance.now() - changedAt < SLIDING;

function area([x, y, width, height, turn], kind) {
  const g = shape("g", { class: kind });
  const rect = shape("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 14 });
  if (turn) rect.setAttribute("transform", `rotate(${turn} ${x} ${y})`);
  g.append(rect);
  return g;
}

function name(g, label, press) {
  g.setAttribute("role", "button");
  g.setAttribute("tabindex", "-1");
  g.setAttribute("aria-label", label);
  Object.assign(g.dataset, { label, press });
  const title = shape("title");
  title.textContent = label;
  g.append(title);
}

/** One stop for Tab; arrows go from place to place, Enter does it, Escape takes a choice back. */
function keys(e) {
  const here = e.target.closest?.(".spots [role=button]");
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
  const all = [...here.parentElement.querySelectorAll(chosen ? ".goal" : ".spot")];
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
  if (step) {
    const next = all[(all.indexOf(here) + step + all.length) % all.length];
    all.forEach(it => it.setAttribute("tabindex", it === next ? "0" : "-1"));
    next.focus();
  } else if (e.key === "Enter" || e.key === " ") {
    here.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  } else {
    return;
  }
  e.preventDefault();
  e.stopPropagation();
}

/** Does something. What follows is seen at once, and then what the others answer. */
async function act(where, action) {
  if (where.classList.contains("busy")) return;
  where.classList.add("busy");
  const { room } = wanted;
  try {
    const body = { press: action.press, key: newKey() };
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

/** What can be done and is nowhere on the picture, then what concerns the table. */
function buttons(state) {
  const bare = new Map(state.actions.filter(it => !it.at).map(it => [it.token, it]));
  const key = it => ({ label: it.label, press: it.press, tone: "plain", does: act });
  const rows = state.rows.map(row => row.filter(it => bare.has(it)).map(it => key(bare.get(it))));
  if (bare.size && state.pages > 1) {
    const turn = (sign, by) => ({
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
  const all = [...rows, ...state.keys].filter(row => row.length);
  byId("table").classList.toggle("with-many", all.length > 3);
  const at = byId("table-keys");
  const said = JSON.stringify([all.map(row => row.map(it => [it.label, it.press])), state.page]);
  if (at.dataset.keys === said) return;
  at.dataset.keys = said;
  keyboard(at, { id: null, room: wanted.room, buttons: all }, {});
}
