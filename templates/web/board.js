// The living board: the table of a room as its viewer may see it, to be played by touch, by keys
// and by ear. Everything on it comes from the state of the table (README).

import { getKnown, Refused, roomPath, sendPress } from "./api.js";
import { all, byId, focused, reachable, target, update } from "./dom.js";
import { inParts, make, keyboard, unsent, write } from "./messages.js";
import {
  ARROWS,
  area,
  asks,
  beside,
  Drawn,
  drawings,
  isHeld,
  name,
  tell,
  upright,
} from "./picture.js";
import { copied, refuse, toast } from "./toasts.js";
import { t } from "./words.js";

/** @typedef {import("./types").TableState} TableState */
/** @typedef {import("./types").Picture} Picture */
/** @typedef {import("./types").Action} Action */
/** @typedef {import("./types").Key} Key */

/** How long one step is seen, and how long it is looked at then, in ms. */
const STEP = 600,
  REST = 250,
  /** All that happened at once is seen in so much time at most. */
  ALL = 4000,
  /** The turns of all computers together, between two turns of a person, the same. */
  COMPUTERS = 2300,
  /** What has just appeared under a finger is not meant by it. */
  SLIDING = 250;

/** What is less far apart than this, in units, lies in one line. */
const LINE = 90;

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * @typedef {object} Hooks
 * @property {(there: boolean) => void} changed called when a table comes or goes
 * @property {(text: string) => void} said with what happened
 * @property {() => void} [leave] when the focus is to go from the board to the chat
 * @property {() => void} [shown] when the present state of the table is drawn
 * @property {(address: string, ask?: string) => void} [look] something is to be looked at
 * @property {(whispers: import("./types").Whisper[]) => void} [told] with private replies
 * @property {() => void} [gone] when the table that was wanted cannot be seen
 * @property {() => void} [pressed] when something of the table was pressed
 * @property {(code: string) => string} [link] the address that leads others to a table
 */
/** @type {Hooks} */
let hooks = { changed: () => {}, said: () => {} };
const table = new Drawn(byId("table-board")),
  hand = new Drawn(byId("table-hand"));
/** @type {TableState | null} */
let shown = null;
/** @type {SVGElement | HTMLElement | null} */
let chosen = null;
/**
 * Where the focus was when what can be done went: it comes back there with the next turn.
 * @type {{ label: string, x: number, y: number } | null}
 */
let kept = null;
/** The press that is on its way, and the moment for which it is.
 * @type {{ table: NonNullable<typeof wanted>, moment: number | undefined } | null} */
let sending = null;
/** The press that waits for its second one. */
let armed = "";
/** The hint for the moment that is shown, and its words.
 * @type {{ hint: import("./types").HintedAction, text: string } | null} */
let hinted = null;
let page = 0,
  skip = () => {},
  changedAt = 0;
/** @type {{ room: string, table: string } | null} */
let wanted = null;
/** The looking at the table that is under way.
 * @type {Promise<void> | null} */
let asked = null;
let again = false;

/** @param {Hooks} on */
export function start(on) {
  hooks = on;
  byId("table").addEventListener("click", () => skip());
  byId("table").addEventListener("keydown", e => {
    if (walk(e)) return;
    if (e.key === "Escape") {
      skip();
      hooks.leave?.();
      e.stopPropagation();
    } else if (e.key === "r" && wanted && !(e.ctrlKey || e.metaKey || e.altKey)) {
      hooks.look?.(`tables/${wanted.table}/replay`);
    }
  });
  upright.addEventListener("change", () => void refresh());
  window.addEventListener("resize", () => {
    byId("table-says").style.minHeight = "";
    if (shown) says(shown, true);
  });
  byId("table").addEventListener("focusin", e => {
    const now = target(e);
    if (!now.matches(".spots [role=button]")) return;
    const every = all(byId("table"), ".spots [role=button]");
    every.forEach(it => it.setAttribute("tabindex", it === now ? "0" : "-1"));
  });
}

/** Brings the focus to what can be done here; without it to the table, to be there in time. */
export function focus() {
  const [first] = all(byId("table"), "[role=button][tabindex='0'], .key[tabindex='0']");
  kept ??= { label: "", x: 0, y: 0 };
  (first ?? byId("table")).focus({ preventScroll: true });
}

/**
 * Marks what a hint recommends on the board, and adds its words to those of the table. They stay
 * until a move is made.
 * @param {import("./types").Whisper} whisper
 */
export function markHint({ hint, text }) {
  if (!hint || !shown || hint.table !== wanted?.table || hint.moment !== shown.moment) return false;
  hinted = { hint, text };
  says(shown);
  touch(shown);
  hooks.said(text);
  return true;
}

/**
 * Plays a sound if sounds are on; else nothing of them is even fetched.
 * @param {import("./signals.js").Sound | undefined} what
 */
function sound(what) {
  if (what && localStorage.getItem("sounds") === "on") {
    void import("./signals.js").then(it => it.sound(what));
  }
}

/** Whether this viewer is to do something. */
const isMine = (/** @type {TableState | null} */ it) =>
  it !== null && it.turn === it.you && it.you !== null;

/** What once took so much room keeps it: a board that changes its size at each move is hard to
 * follow, and is redrawn as a whole. */
function keepRoom() {
  const told = byId("table-says"),
    high = `${told.offsetHeight}px`;
  if (told.style.minHeight !== high) told.style.minHeight = high;
}

/**
 * Lays out the table for what is on it. Room that was kept in another layout is given back.
 * @param {Picture | null} board
 * @param {boolean} hasHand
 */
function layOut(board, hasHand) {
  const place = byId("table"),
    before = place.className;
  place.classList.toggle("with-hand", hasHand);
  place.classList.toggle("square", Boolean(board && !hasHand && board.width < 1.2 * board.height));
  place.classList.toggle("waiting", !board);
  place.style.setProperty("--ratio", String(board ? board.width / board.height : 1));
  byId("table-board").hidden = !board;
  byId("table-hand").hidden = !hasHand;
  if (place.className !== before) byId("table-says").style.minHeight = "";
}

/** Whether this is the table that is shown. */
export const follows = (/** @type {string} */ code) => wanted?.table === code;

/** The table that is shown, if its game has begun. */
export const played = () => (shown && shown.phase !== "lobby" ? wanted : null);

/** The table that is wanted, whether it is drawn yet or not. */
export const followed = () => wanted?.table ?? null;

/** The moment of the game that is shown, and whether this viewer is to act then. */
export const shownMoment = () => shown?.moment ?? null;
export const isOnTurn = () => isMine(shown);

/** The phase of the table that is shown. */
export const shownPhase = () => shown?.phase ?? null;

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
  kept = null;
  hinted = null;
  page = 0;
  showClocks(null);
  showRound(null, null);
  skip();
  table.clear();
  hand.clear();
  byId("table").hidden = !wanted;
  layOut(null, false);
  byId("table-says").replaceChildren();
  byId("table-keys").replaceChildren();
  hooks.changed(Boolean(wanted));
  if (wanted) void refresh();
}

/**
 * Something happened at the table that is shown, or its words are to be in another language. It is
 * done when the board shows it.
 * @returns {Promise<void>}
 */
export function refresh() {
  if (!wanted) return Promise.resolve();
  if (asked) again = true;
  else asked = lookAgain().finally(() => (asked = null));
  return asked;
}

/** Looks at the table until nothing happened meanwhile. */
async function lookAgain() {
  do {
    again = false;
    const mine = wanted;
    await look().catch(e => {
      // A table that cannot be looked at is played in the chat.
      if (e instanceof Refused && e.status === 404 && mine && mine === wanted) {
        follow(mine.room, null);
        hooks.gone?.();
      }
    });
  } while (again);
}

/** After each await another table may be wanted. */
async function look() {
  const mine = wanted;
  if (!mine) return;
  const still = () => mine === wanted;
  const { room, table: code } = mine;
  const since = shown ? `&since=${shown.moment}` : "";
  const shape = upright.matches ? "&upright=1" : "";
  const query = `?drawn=1${shape}&page=${page}${since}`;
  /** @type {TableState} */
  const state = await getKnown(roomPath(room, `/tables/${encodeURIComponent(code)}`), query);
  if (!still()) return;
  if (!state.picture) return waiting(state);
  const { board, hand: held, before } = state.picture;
  await drawings([...new Set([board, held, ...before].flatMap(it => it?.sheets ?? []))]);
  if (!still()) return;
  const says = state.says.join("\n"),
    old = shown;
  if (old && old.change > state.change) return;
  shown = state;
  if (old && old.moment === state.moment) {
    fill(state, state.picture, 0);
  } else {
    touch(null);
    await play(!old || calm.matches ? [] : before, state, state.picture, still);
    if (!still()) return;
  }
  touch(state);
  showClocks(state);
  showRound(old, state);
  hooks.shown?.();
  if (old && state.phase !== "playing" && old.phase === "playing") sound("end");
  else if (old && isMine(state) && !isMine(old)) sound("turn");
  const news = old && says !== old.says.join("\n");
  const told = news ? lines(state).map(it => it.textContent ?? "") : [];
  // New cards are read out for people who cannot see them.
  const cards = old?.picture?.hand?.items.length ?? 0;
  if (held && held.items.length > cards) told.push(...state.hand);
  if (told.length) hooks.said(told.join("\n"));
}

/**
 * Shows the result of a round that has just ended, and that of no other table.
 * @param {TableState | null} old
 * @param {TableState | null} state
 */
function showRound(old, state) {
  const plays = state?.phase === "playing" ? state : null;
  const { round } = plays ?? {};
  const isNew = old && round && round.number > (old.round?.number ?? 0);
  if (!isNew && !all(byId("table"), "#round").length) return;
  void import("./round.js").then(it => {
    if (!plays) it.hide();
    else if (!isNew) it.goOn(plays.moment);
    else if (plays.table === wanted?.table) it.show(round, plays.moment);
  });
}

/** Whether clocks have been seen here: only then there is something to take away. */
let timed = false;

/**
 * Shows the clocks of a table, or none.
 * @param {TableState | null} state
 */
function showClocks(state) {
  timed ||= Boolean(state?.clock);
  if (timed) void import("./clocks.js").then(it => it.show(state === shown ? state : null));
}

/**
 * A table that waits for players, or was closed before its game began, has no board: its words and
 * buttons are all there is.
 * @param {TableState} state
 */
function waiting(state) {
  if (shown && shown.change > state.change) return;
  const news = shown && shown.says.join() !== state.says.join();
  shown = state;
  touch(null);
  table.clear();
  hand.clear();
  layOut(null, false);
  says(state);
  buttons(state);
  hooks.shown?.();
  if (news) hooks.said(state.says.join("\n"));
}

/**
 * Shows what happened, a step after the other, and then the present state.
 * @param {import("./types").Frame[]} before
 * @param {TableState} state
 * @param {{ board: Picture, hand: Picture | null, sound?: import("./types").Sound }} last
 * @param {() => boolean} still whether this table is still the one to be shown
 */
async function play(before, state, last, still) {
  byId("table").classList.add("moving");
  let skipped = document.hidden;
  skip = () => {
    skipped = true;
    table.settle();
    hand.settle();
  };
  const computers = state.seats.filter(it => it.computer).length;
  const most = computers ? COMPUTERS / computers : ALL;
  const part = Math.min(1, most / ((before.length + 1) * (STEP + REST)));
  const moves = before.length || table.now.length;
  // What has left the hand is on its way to the table.
  if (last.hand && !byId("table-hand").hidden) hand.show(last.hand, 0);
  const ms = () => (skipped || calm.matches || !moves ? 0 : STEP * part);
  for (const picture of before) {
    if (skipped) break;
    table.show(picture, ms());
    sound(picture.sound);
    await rest(ms() + REST * part, () => skipped);
  }
  if (still()) {
    fill(state, last, ms());
    sound(last.sound);
  }
  if (!skipped && !calm.matches && moves) await rest(STEP * part, () => skipped);
  skip = () => {};
  byId("table").classList.remove("moving");
  changedAt = performance.now();
}

/**
 * Waits until the time or the animation is over.
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
 * The lines about the state, with times in the reader's zone.
 * @param {TableState} state
 */
export const lines = ({ says, times }) =>
  says.map(it => {
    const line = make("p");
    write(line, inParts(it, times));
    return line;
  });

/**
 * Shows the present state.
 * @param {TableState} state
 * @param {{ board: Picture, hand: Picture | null }} picture
 * @param {number} ms
 */
function fill(state, { board, hand: held }, ms) {
  // What is said takes room: the board has its size before anything moves on it.
  layOut(board, Boolean(held));
  // The hand is the lower part of the table.
  table.stand(held ? 1 : 0.5);
  hand.stand(0);
  says(state);
  keepRoom();
  buttons(state);
  table.show(board, ms);
  table.svg.setAttribute("aria-label", state.board.join("\n"));
  if (held) {
    hand.show(held, ms);
    hand.svg.setAttribute("aria-label", state.hand.join("\n"));
  }
}

/**
 * What matters stays in sight; the rest can be scrolled.
 * @param {TableState} state
 * @param {boolean} [isResized] whether other lines than before have room
 */
function says(state, isResized) {
  const { says: lookers } = state.watching,
    hint = hintOf(state),
    every = lines(state);
  const main = every.filter((_, n) => state.main.includes(n));
  const rest = [
    ...(lookers ? [make("p", "lookers", lookers)] : []),
    ...every.filter((_, n) => !state.main.includes(n)),
    ...(hint ? [make("p", "hint", hint.text)] : []),
  ];
  const place = byId("table-says");
  update(
    place,
    ["main", "rest"],
    it => it,
    it => make("div", it),
  );
  const [above, below] = /** @type {[HTMLElement, HTMLElement]} */ ([...place.children]);
  tellLines(above, main);
  // While the words stay the same, their reader scrolls as they like: a lobby is read from its
  // beginning, a game from its last move.
  if (tellLines(below, rest) || isResized) {
    below.scrollTop = state.phase === "playing" ? below.scrollHeight : 0;
  }
  reachable(below);
}

/**
 * Lets a place say these lines, and tells whether it said something else before.
 * @param {HTMLElement} place
 * @param {HTMLElement[]} lines
 */
function tellLines(place, lines) {
  const before = place.textContent;
  update(
    place,
    lines.map((line, n) => ({ line, key: `${n} ${line.className} ${line.textContent}` })),
    it => it.key,
    it => it.line,
  );
  return place.textContent !== before;
}

// ---- what can be touched -----------------------------------------------------------------

/**
 * Lays what can be done over the picture: each place once, with all that begins there.
 * @param {TableState | null} state
 */
function touch(state) {
  chosen = null;
  tell(null);
  const on = state?.picture?.hand ? hand : table;
  const active = focused();
  if (active?.closest(".spots")) stay(active);
  table.over.replaceChildren();
  hand.over.replaceChildren();
  if (!state) return;
  lay(on, state.actions, act);
  const action = state.actions.find(it => it.token === hintOf(state)?.hint.token);
  if (hinted) void marks().then(it => it.hint(on, on === hand, shown === state ? action : null));
  if (armed) arm(state, on);
  goOn(state);
}

/**
 * The hint for this moment, if one was given.
 * @param {TableState} state
 */
const hintOf = state =>
  state.phase === "playing" && hinted?.hint.moment === state.moment ? hinted : null;

/**
 * Something that can be touched, and what is said of it.
 * @typedef {object} Touch
 * @property {string} label
 * @property {string} press
 * @property {import("./types").Area | null} [at]
 * @property {import("./types").Area | null} [also]
 * @property {import("./types").Area | null} [to]
 * @property {boolean} [takes]
 * @property {string} [would]
 */

/**
 * Lays what can be done over a picture: each place once, with all that begins there.
 * @template {Touch} T
 * @param {Drawn} on
 * @param {T[]} actions
 * @param {(where: Element, action: T) => void} does
 */
export function lay(on, actions, does) {
  unchoose();
  on.over.setAttribute("aria-label", t("buttons"));
  on.over.replaceChildren(...inOrder(placesOf(actions), on).map(it => spot(it, on, does)));
  all(on.over, "[role=button]")[0]?.setAttribute("tabindex", "0");
}

/**
 * What begins at one place is together.
 * @template {Touch} T
 * @param {T[]} actions
 */
function placesOf(actions) {
  /** @type {Map<string, (T & Placed)[]>} */
  const places = new Map();
  for (const action of actions) {
    const at = action.at ?? action.also;
    if (!at) continue;
    const here = places.get(at.join()) ?? [];
    places.set(at.join(), [...here, { ...action, at }]);
  }
  return places;
}

/**
 * What has the focus is going: the table has it until there is something to do again.
 * @param {HTMLElement} active
 */
function stay(active) {
  kept = placed(active);
  byId("table").focus({ preventScroll: true });
}

/** @param {HTMLElement} it */
function placed(it) {
  const { left, top, width, height } = it.getBoundingClientRect();
  return { label: it.dataset.label ?? "", x: left + width / 2, y: top + height / 2 };
}

/**
 * Puts the focus back where a player who uses keys was in their last turn.
 * @param {TableState} state
 */
function goOn(state) {
  if (kept === null || focused() !== byId("table") || !isMine(state)) return;
  const was = kept,
    every = all(byId("table"), ".spot, .goal, #table-keys .key");
  const far = (/** @type {HTMLElement} */ it) => {
    const { label, x, y } = placed(it);
    return label === was.label ? 0 : Math.hypot(x - was.x, y - was.y);
  };
  every.sort((a, b) => far(a) - far(b))[0]?.focus({ preventScroll: true });
  kept = null;
}

/**
 * Of what was pressed once and is to be pressed again the rest is out of the way.
 * @param {TableState} state
 * @param {Drawn} on
 */
function arm(state, on) {
  const places = placesOf(state.actions);
  if (!state.twice || !state.actions.some(it => it.press === armed)) armed = "";
  const here = [...places.values()].find(all => all.some(it => it.press === armed));
  if (!here) return;
  const [from] = all(on.over, ".spot").slice(inOrder(places, on).indexOf(here));
  if (!from) return;
  if (here.length > 1) choose(here, on, from, act);
  const again = all(on.over, "[role=button]").find(it => it.dataset.press === armed);
  again?.classList.add("armed");
  again?.setAttribute("tabindex", "0");
  again?.focus({ preventScroll: true });
}

/**
 * Places as people read: line after line; of a hand from the left to the right.
 * @template {Placed} T
 * @param {Map<string, T[]>} places
 * @param {Drawn} on
 */
function inOrder(places, on) {
  const line = (/** @type {Placed} */ it) => (on === hand ? 0 : Math.round(it.at[1] / LINE));
  const firsts = [...places.values()].flatMap(all =>
    all.slice(0, 1).map(first => ({ first, all })),
  );
  firsts.sort((a, b) => line(a.first) - line(b.first) || a.first.at[0] - b.first.at[0]);
  return firsts.map(it => it.all);
}

/** Something that is seen on the picture.
 * @typedef {Touch & { at: import("./types").Area }} Placed */

/**
 * Something to touch, for one action or several that begin at the same place.
 * @template {Placed} T
 * @param {T[]} actions
 * @param {Drawn} on
 * @param {(where: Element, action: T) => void} does
 */
function spot(actions, on, does) {
  const [only, ...others] = /** @type {[T, ...T[]]} */ (actions);
  const g = area(only.at, "spot");
  const label = actions.map(it => it.label).join(", ");
  name(g, label, others.length ? "" : only.press, others.length ? "" : only.would);
  const leads = () =>
    actions.flatMap(it => (it.to ? [area(it.to, it.takes ? "lead takes" : "lead")] : []));
  const show = () => {
    if (chosen) return;
    untell(on);
    on.over.prepend(...leads());
    tell(g);
  };
  asks(g, show, () => untell(on));
  g.addEventListener("click", e => {
    if (tooSoon(e) || isHeld(g)) return;
    if (!others.length) return void does(g, only);
    if (chosen === g) unchoose();
    else choose(actions, on, g, does);
  });
  return g;
}

/**
 * A piece was chosen: now where it goes.
 * @template {Placed} T
 * @param {T[]} actions
 * @param {Drawn} on
 * @param {SVGElement | HTMLElement} from
 * @param {(where: Element, action: T) => void} does
 */
function choose(actions, on, from, does) {
  unchoose();
  untell(on);
  chosen = from;
  from.classList.add("chosen");
  const goals = actions.map(it => {
    const g = area(it.to ?? it.at, it.takes ? "goal takes" : "goal");
    name(g, it.label, it.press, it.would);
    const hide = () => tell(null);
    asks(g, () => tell(g), hide);
    g.addEventListener("click", () => {
      if (!isHeld(g)) does(g, it);
    });
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

const untell = (/** @type {Drawn} */ on) => {
  on.over.querySelectorAll(".lead").forEach(it => it.remove());
  tell(null);
};
/** Keys go to what has the focus, whenever it has come. */
const tooSoon = (/** @type {MouseEvent} */ e) =>
  byId("table").classList.contains("moving") ||
  (e.detail > 0 && performance.now() - changedAt < SLIDING);

/**
 * One stop for Tab; arrows go from place to place, Enter does it, Escape takes a choice back.
 * Whether the key was meant for that.
 * @param {KeyboardEvent} e
 */
export function walk(e) {
  /** @type {HTMLElement | null} */
  const here = target(e).closest(".spots [role=button]");
  if (e.key === "Escape" && chosen) {
    const from = chosen;
    skip();
    unchoose();
    from.focus();
    e.stopPropagation();
    return true;
  }
  const places = here?.closest(".spots");
  if (!here || !places) return false;
  const arrow = ARROWS[e.key];
  if (arrow) {
    const next = beside(here, all(places, chosen ? ".goal" : ".spot"), arrow);
    next?.focus();
  } else if (e.repeat) {
    // A key that is held down is one wish.
  } else if (e.key === "Enter" || e.key === " ") {
    here.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  } else {
    return false;
  }
  e.preventDefault();
  e.stopPropagation();
  return true;
}

/**
 * Does something. What follows is seen at once, and then what the others answer.
 * @param {Element} where
 * @param {{ press: string, label: string }} action
 */
async function act(where, action) {
  if (!wanted || where.classList.contains("busy")) return;
  // Of one moment, what was pressed first counts; it may wait for a connection.
  if (sending?.table === wanted && sending.moment === shown?.moment) {
    if (all(byId("table"), ".late").length) toast(t("still_sending"));
    return;
  }
  where.classList.add("busy");
  hooks.pressed?.();
  const mine = wanted,
    { room } = mine,
    sent = { table: mine, moment: shown?.moment };
  sending = sent;
  try {
    const miss = () => unsent(where, action.label);
    const whispers = await sendPress(room, { press: action.press }, miss);
    whispers.filter(it => it.brief && !it.passing).forEach(it => toast(it.text, it.passing));
    if (mine !== wanted) return;
    armed = armed !== action.press ? action.press : "";
    await refresh();
    if (mine === wanted && shown?.moment !== sent.moment) armed = "";
  } catch (e) {
    refuse(e);
  } finally {
    where.classList.remove("busy", "late");
    if (sending === sent) sending = null;
  }
}

/** The moves that are shown before they are made.
 * @type {NonNullable<Action["paths"]>} */
let previewed = [];

/** What is drawn above the board is fetched when it is needed. */
const marks = () => import("./marks.js");

/**
 * Shows on the board which moves an action would make, or no longer.
 * @param {Action} action
 * @param {boolean} isShown
 */
function preview({ paths = [] }, isShown) {
  untell(table);
  previewed = isShown && !byId("table").classList.contains("moving") ? paths : [];
  if (previewed.length) void marks().then(it => previewed === paths && it.preview(table, paths));
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
    // What moves several pieces is said in words, and shown before it is done.
    label: (it.paths && it.would) || it.label,
    press: it.press,
    tone: "plain",
    does: act,
    ...(it.paths && { previews: (/** @type {boolean} */ isShown) => preview(it, isShown) }),
  });
  const rows = state.rows.map(row => row.flatMap(it => bare.get(it) ?? []).map(key));
  // What is all there is to do has a word, too, and not only its place on the board.
  const [only, ...more] = state.actions;
  if (only?.at && !more.length && !state.hand.length) rows.unshift([{ ...key(only), tone: "good" }]);
  if (bare.size && state.pages > 1) {
    /** @returns {Key} */
    const turn = (/** @type {string} */ sign, /** @type {number} */ by) => ({
      label: sign,
      press: "",
      tone: "turn",
      does: async () => {
        page = (state.page + by + state.pages) % state.pages;
        await refresh();
      },
    });
    const last = rows.pop() ?? [];
    // Beside many buttons, or words, there is no room for these.
    const isFull = last.length > 3 || state.actions.some(it => it.paths);
    rows.push(isFull ? last : [turn("◂", -1), ...last, turn("▸", 1)]);
    if (isFull) rows.push([turn("◂", -1), turn("▸", 1)]);
  }
  // What can be looked at on the board itself need not be posted first.
  const looks = (/** @type {Key} */ it) =>
    it.look ? { ...it, does: () => hooks.look?.(it.look ?? "", it.press) } : it;
  const others = state.keys.map(row => row.map(looks));
  const link = state.phase === "lobby" && wanted ? hooks.link?.(wanted.table) : undefined;
  /** @type {Key[]} */
  const share = link
    ? [{ label: t("table_link"), press: "", tone: "plain", does: () => copied(link) }]
    : [];
  const buttons = [...rows, ...others, share].filter(row => row.length);
  byId("table").classList.toggle("with-many", buttons.length > 3);
  const at = byId("table-keys");
  const active = focused();
  const was = active && at.contains(active) ? placed(active) : null;
  const acts = { told: hooks.told, begins: hooks.pressed, marks: markHint };
  keyboard(at, { id: null, room: wanted?.room ?? "", buttons }, acts);
  if (was && !at.contains(focused())) kept = was;
  // The focus was on a button that is gone.
  if (kept !== null && focused() === document.body) byId("table").focus({ preventScroll: true });
}
