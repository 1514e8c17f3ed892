// Looking back and learning on the board: a game step by step, its review, a page of a course. It
// takes the place of the live board and is drawn and used in the same way.

import { get, roomPath, self, sendPress } from "./api.js";
import { lay, walk } from "./board.js";
import { reachable, style } from "./dom.js";
import { place } from "./look-parts.js";
import { arrow } from "./marks.js";
import { keyboard, make, write } from "./messages.js";
import { addWords } from "./more-words.js";
import { refuse, toast } from "./toasts.js";
import { Drawn, drawings, upright } from "./picture.js";
import { Replay } from "./replay.js";
import { t } from "./words.js";

/** @typedef {import("./replay.js").Stood} Stood */
/** @typedef {import("./replay.js").Picture} Picture */
/** @typedef {import("./replay.js").Review} Review */
/** @typedef {import("./replay.js").Mark} Mark */
/** @typedef {{ press: string, label: string, tone: string }} Key */
/** @typedef {{ id: number, room: string, look?: string, gone?: boolean, only?: boolean,
 *   author?: { id: string }, spans: import("./types").Span[], buttons: Key[][] }} Message */
/** @typedef {{ label: string, press: string, tone: string, does: () => void }} Button */

/** How long a step is seen to happen, and how long it is looked at then, by its pace, in ms. */
const STEP = 450,
  /** @type {Record<string, number>} */
  REST = { quick: 350, move: 1000, slow: 2000 },
  SPEEDS = [0.5, 1, 2, 4],
  /** What comes so soon after a press comes of it, in ms. */
  SOON = 4000,
  /** So many numbers have room in a line of a phone. */
  LINE = 9;

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {string} id */
const byId = id => /** @type {HTMLElement} */ (document.getElementById(id));
const range = () => /** @type {HTMLInputElement} */ (byId("look-at"));

/** @type {import("./looks.js").Hooks | null} */
let hooks = null;
/** @type {Record<"board" | "hand" | "chart", any>} */
let drawn = { board: null, hand: null, chart: null };

/** What is looked at, if anything is.
 * @type {{ room: string, address: string } | null} */
let open = null;
/** @type {Message | null} */
let card = null;
/** @type {Replay | null} */
let game = null;
/** @type {Review | null} */
let review = null;
/** The moment that is looked at, and how far its better line is followed.
 * @type {{ n: number, line: number | null } | null} */
let moment = null;
let step = 0,
  speed = 1,
  playing = false,
  pressedAt = -Infinity,
  /** How often playing was begun. */
  runs = 0,
  /** The turn in which a review was asked for. */
  awaited = -1,
  /** Changes whenever something else is wanted than what is on its way. */
  turn = 0;
/** @type {HTMLElement | null} */
let before = null;

/** @param {import("./looks.js").Hooks} on */
export async function start(on) {
  hooks = on;
  await style(new URL("./look.css", import.meta.url));
  place();
  for (const name of /** @type {const} */ (["board", "hand", "chart"])) {
    drawn[name] = new Drawn(byId(`look-${name}`));
  }
  byId("look").addEventListener("keydown", keys);
  new ResizeObserver(() => reachable(byId("look-says"))).observe(byId("look-says"));
  byId("look-keys").addEventListener("click", () => (pressedAt = performance.now()), true);
  range().addEventListener("input", () => void go(Number(range().value)));
  /** @type {[string, () => void][]} */
  const does = [
    ["look-first", () => void go(0)],
    ["look-back", () => stepped(-1)],
    ["look-play", play],
    ["look-on", () => stepped(1)],
    ["look-last", () => void go(game?.last ?? 0)],
    ["look-speed", faster],
    ["look-film", () => void pressed(game?.about?.film).catch(refuse)],
    ["look-close", close],
  ];
  for (const [id, it] of does) byId(id).addEventListener("click", it);
  upright.addEventListener("change", () => void refresh(null));
}

export const isOpen = () => open !== null;

/** Whether this message is shown here.
 * @param {import("./types").Message} m */
export const shows = m => card !== null && open?.room === m.room && card.id === m.id;

/** Looks at something: `address` below that of the room; `m` is the message that it came with,
 * `ask` the press that has it made.
 * @param {string} room @param {string} address @param {Message | null} [m] @param {string} [ask] */
export async function look(room, address, m = null, ask = "") {
  const mine = ++turn;
  const fresh = !open;
  const { path, query } = read(address);
  playing = false;
  if (fresh) before = /** @type {HTMLElement | null} */ (document.activeElement);
  const same = game?.room === room && game.table === path[1];
  open = { room, address };
  card = path[0] === "lessons" ? m : null;
  moment = null;
  try {
    if (path[0] === "lessons") {
      game = null;
      review = null;
      await lesson(mine);
    } else {
      if (canAnalyse()) await addWords("analysis");
      if (mine !== turn) return;
      if (!same || !game) {
        [game, review] = [new Replay(room, path[1] ?? "", null, upright.matches), null];
        step = 0;
        await game.fetch(0);
      } else await game.more();
      if (mine !== turn) return;
      const wanted = Number(query.get("step"));
      if (path[2] === "review") {
        await fetchReview(mine, ask, query.has("step") ? wanted : null);
      } else {
        const found = review ?? (await game.review().catch(() => null));
        if (mine !== turn) return;
        review = found;
        appear();
        await go(step);
      }
    }
  } catch (e) {
    if (mine === turn) {
      close();
      refuse(e);
    }
  }
}

/** @param {string} address */
function read(address) {
  const [path = "", query] = address.split("?");
  return { path: path.split("/"), query: new URLSearchParams(query) };
}

/** Lets the view be seen. */
function appear() {
  const is = byId("look");
  const was = !is.hidden;
  is.hidden = false;
  document.body.classList.add("looking");
  is.classList.toggle("with-bar", game !== null);
  is.classList.toggle("with-chart", Boolean(review?.chart));
  if (!was) {
    hooks?.changed();
    if (game) byId("look-play").focus();
  }
}

export function close() {
  if (!open) return;
  turn++;
  playing = false;
  open = card = game = review = moment = null;
  byId("look").hidden = true;
  document.body.classList.remove("looking");
  for (const it of Object.values(drawn)) it.clear();
  hooks?.changed();
  if (before?.isConnected) before.focus();
}

/** A message has come or changed: a page of a course that was asked for is shown here.
 * @param {import("./types").Message} m @param {boolean} fresh */
export function heard(m, fresh) {
  const shown = shows(m);
  if (fresh && m.author?.id === self()?.id) pressedAt = performance.now();
  if (m.gone && shown) return close();
  void made(m.look).catch(refuse);
  const opened = fresh && !m.only && (m.buttons?.length ?? 0) > 0;
  // What was pressed here has led to a table.
  if (card && opened && performance.now() - pressedAt < SOON) return close();
  if (m.look?.startsWith("lessons/") && m.only && (fresh || shown)) {
    void look(m.room, m.look, m).then(() => fresh && hooks?.opened());
  } else if (shown) close();
}

/** Something that was asked for may have been made.
 * @param {string} [address] */
export async function made(address) {
  if (game && !review && address === `tables/${game.table}/review`) await comes();
}

/** Something happened at a table, or its words are to be in another language.
 * @param {string | null} table */
export async function refresh(table) {
  if (!open) return;
  if (table === null) {
    const { room, address } = open;
    const at = step,
      was = moment;
    game = null;
    await look(room, address, card);
    if (!game) return;
    if (!was || !review?.moments[was.n]) return go(at);
    await toMoment(was.n);
    if (was.line) await follow(was.line);
  } else if (game?.table === table) {
    const of = game,
      end = step === of.last;
    await of.more().catch(() => {});
    if (of !== game) return;
    await (end && !moment ? by(1) : bar());
  }
}

// ---- a game step by step -----------------------------------------------------------------

/** Goes to a step at once.
 * @param {number} to */
async function go(to) {
  if (!game) return;
  const mine = ++turn;
  playing = false;
  moment = null;
  const stood = await game.at(Math.min(to, game.last)).catch(refuse);
  if (mine !== turn || !stood) return;
  step = stood.step;
  await show(stood, stood.picture, 0);
}

/** Goes on or back to what is seen next.
 * @param {1 | -1} way
 * @returns {Promise<boolean>} */
async function by(way) {
  if (!game) return false;
  if (moment?.line !== null && moment) return follow(moment.line + way);
  const mine = ++turn;
  const next = await game.next(step, way).catch(refuse);
  if (mine !== turn || next === undefined || next === step) {
    if (next === step) bar();
    return false;
  }
  const stood = await game.at(next);
  if (mine !== turn || !stood) return false;
  moment = null;
  step = next;
  const ms = way < 0 || calm.matches ? 0 : STEP / speed;
  for (const it of way > 0 && ms ? (stood.picture?.before ?? []) : []) {
    await drawings(it.sheets);
    if (mine !== turn) return false;
    drawn.board.show(it, ms);
    await rest(ms * 1.6, mine);
  }
  if (mine !== turn) return false;
  await show(stood, stood.picture, ms);
  return true;
}

/** A step by hand ends the playing.
 * @param {1 | -1} way */
function stepped(way) {
  playing = false;
  void by(way);
}

/** Plays on, or stops. */
function play() {
  playing = !playing;
  bar();
  if (playing) void run(++runs);
}

/** @param {number} mine */
async function run(mine) {
  if (game && step >= game.last && !moment) {
    await go(0);
    playing = true;
  }
  while (playing && mine === runs && (await by(1))) {
    const pace = game?.stood.get(step)?.pace ?? "move";
    await rest((REST[pace] ?? 1000) / speed, turn);
  }
  if (mine !== runs) return;
  playing = false;
  bar();
}

function faster() {
  speed = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1;
  bar();
}

/** Waits, unless something else is wanted meanwhile.
 * @param {number} ms
 * @param {number} mine */
function rest(ms, mine) {
  const end = performance.now() + ms;
  return new Promise(done => {
    const wait = () =>
      mine !== turn || performance.now() >= end ? done(null) : setTimeout(wait, 30);
    wait();
  });
}

/** Shows a position with its words.
 * @param {Stood | { says: string[], board: string[] }} stood
 * @param {Picture | null} picture @param {number} ms */
async function show(stood, picture, ms) {
  const mine = turn;
  if (picture && !(await draw(picture, stood.board, ms, mine))) return;
  says(it => it.replaceChildren(...stood.says.map(line => make("p", "", line))));
  marks();
  bar();
  buttons();
}

/** Draws what is wanted in this turn, and tells whether it still was when its drawings had come.
 * @param {Picture} picture @param {string[]} words @param {number} ms @param {number} mine */
async function draw({ board, hand }, words, ms, mine) {
  await drawings([...new Set([...board.sheets, ...(hand?.sheets ?? [])])]);
  if (mine !== turn) return false;
  byId("look").style.setProperty("--ratio", String(board.width / board.height));
  drawn.board.show(board, ms);
  drawn.board.svg.setAttribute("aria-label", words.join("\n"));
  drawn.board.over.replaceChildren();
  drawn.hand.over.replaceChildren();
  byId("look-hand").hidden = !hand;
  byId("look").classList.toggle("with-hand", Boolean(hand));
  if (hand) drawn.hand.show(hand, ms);
  return true;
}

/** Says something else from its beginning.
 * @param {(place: HTMLElement) => void} fill */
function says(fill) {
  const place = byId("look-says");
  fill(place);
  place.scrollTop = 0;
  reachable(place);
}

// ---- the review --------------------------------------------------------------------------

/** Shows the review, or has it made.
 * @param {number} mine @param {string} ask @param {number | null} at */
async function fetchReview(mine, ask, at) {
  const found = (await game?.review()) ?? null;
  if (mine !== turn) return;
  review = found;
  appear();
  if (review) return reviewed(at);
  await go(step);
  if (!open) return;
  awaited = turn;
  await pressed(ask);
}

/** Has something made that is then posted in the room.
 * @param {string | null} [press] */
async function pressed(press) {
  if (!press || !open) return;
  const whispers = await sendPress(open.room, { press });
  for (const it of whispers) if (it.brief) toast(it.text, it.passing);
}

/** Shows a review that is ready, if the reader still looks at the page where they asked for it. */
async function comes() {
  const of = game,
    wasUpright = of?.isUpright;
  const found = (await of?.review()) ?? null;
  if (!found || of !== game) return;
  review = found;
  appear();
  if (awaited === turn) return reviewed(null);
  await chart();
  if (wasUpright && of === game) return go(step);
  bar();
  buttons();
}

/** @param {number | null} at */
async function reviewed(at) {
  const of = review;
  await chart();
  if (of !== review) return;
  const all = review?.moments ?? [];
  const n = all.findIndex(it => it.step === at);
  await (all.length ? toMoment(Math.max(n, 0)) : go(0));
}

/** The chart, on which the moments can be touched. */
async function chart() {
  const of = review;
  if (!of?.chart) return;
  await drawings(of.chart.sheets);
  if (of !== review) return;
  drawn.chart.show(of.chart, 0);
  drawn.chart.svg.setAttribute("aria-label", of.words.join("\n"));
  const actions = of.moments.map((it, n) => ({
    at: it.badge,
    label: `${n + 1}. ${it.says[0]}`,
    press: "",
    n,
  }));
  const touched = (/** @type {Element} */ _, /** @type {{ n: number }} */ it) => toMoment(it.n);
  lay(drawn.chart, actions, touched);
}

/** Shows a moment: the position before the move, with what was played and what was better.
 * @param {number} n */
async function toMoment(n) {
  const it = review?.moments[n];
  if (!it) return;
  turn++;
  playing = false;
  moment = { n, line: null };
  step = it.step;
  await show(it, it.picture, 0);
}

/** Shows what came of the move that was played.
 * @param {number} n */
async function played(n) {
  await toMoment(n);
  await by(1);
}

/** The position so many steps into the better line.
 * @param {number} n */
async function follow(n) {
  const it = moment && review?.moments[moment.n];
  if (!moment || !it || n > it.line.length) return false;
  if (n <= 0) {
    await toMoment(moment.n);
    return true;
  }
  turn++;
  moment = { n: moment.n, line: n };
  const stood = it.line[n - 1];
  /** @type {Picture | null} */
  let picture = null;
  for (const one of it.line.slice(0, n)) picture = one.picture ?? picture;
  if (!stood) return false;
  await show(stood, picture, calm.matches ? 0 : STEP / speed);
  return true;
}

/** What was played and what would have been better, on the board itself. */
function marks() {
  const it = moment?.line === null ? review?.moments[moment.n] : null;
  if (!it) return;
  const on = it.picture.hand ? drawn.hand : drawn.board;
  for (const [kind, sign, mark] of /** @type {[string, string, Mark | null][]} */ ([
    ["played", "✗", it.played],
    ["better", "✓", it.better],
  ])) {
    if (mark) on.over.append(arrow(kind, sign, mark, Boolean(it.picture.hand)));
  }
}

// ---- a page of a course ------------------------------------------------------------------

/** @param {number} mine */
async function lesson(mine) {
  const m = card;
  if (!open || !m) return;
  const shape = upright.matches ? `${open.address.includes("?") ? "&" : "?"}upright=1` : "";
  /** @type {import("./types").Lesson} */
  const told = await get(roomPath(open.room, `/${open.address}${shape}`));
  if (mine !== turn) return;
  appear();
  const page = `${told.game} ${told.page}`;
  const still = byId("look-board").dataset.page !== page || calm.matches;
  if (!(await draw(told.picture, told.board, still ? 0 : STEP * 1.6, mine))) return;
  // Words, spots and buttons change with the board: a finger never meets those of another page.
  byId("look-board").dataset.page = page;
  says(it => write(it, m.spans));
  const keys = m.buttons.flat();
  const actions = told.spots.flatMap(it => {
    const key = keys.find(key => key.press.endsWith(`.${it.token}`));
    return key ? [{ ...it, label: key.label, press: key.press }] : [];
  });
  lay(drawn.board, actions, answer);
  bar();
  buttons();
}

/** An answer, or a move to try, was touched on the board.
 * @param {Element} _ @param {{ press: string }} key */
function answer(_, key) {
  const all = /** @type {HTMLElement[]} */ ([...byId("look-keys").querySelectorAll(".key")]);
  all.find(it => it.dataset.press === key.press)?.click();
}

// ---- buttons and keys --------------------------------------------------------------------

/** The bar below: where one is, and whether it plays. */
function bar() {
  if (!game) return;
  const { last } = game;
  const it = range();
  it.max = String(last);
  it.value = String(step);
  const number = game.stood.get(step)?.number;
  const said = t("look_step", { n: String(step), all: String(last) });
  it.setAttribute("aria-valuetext", number ? `${said} (${number})` : said);
  byId("look-count").textContent = `${step} / ${last}`;
  byId("look-play").textContent = playing ? "⏸" : "▶";
  byId("look-play").setAttribute("aria-label", t(playing ? "look_pause" : "look_play"));
  byId("look-speed").textContent = `×${speed}`;
  byId("look-speed").setAttribute("aria-label", `${t("look_speed")} ×${speed}`);
  byId("look-film").hidden = !game.about?.film;
  const ticks = (review?.moments ?? []).map(({ step }) => {
    const tick = make("i");
    tick.style.insetInlineStart = `${(100 * step) / Math.max(last, 1)}%`;
    return tick;
  });
  byId("look-ticks").replaceChildren(...ticks);
}

/** What can be done besides stepping. */
function buttons() {
  const at = byId("look-keys");
  /** @type {Button[][]} */
  const rows = [];
  if (card) {
    keyboard(at, card, { pressed: () => hooks?.pressed() });
    return;
  }
  /** @param {string} label @param {boolean} on @param {() => void} does @returns {Button} */
  const key = (label, on, does) => ({ label, press: label, tone: on ? "good" : "plain", does });
  const it = moment && review?.moments[moment.n];
  if (it && moment) {
    const { n, line } = moment;
    const here = [
      key(t("look_position"), line === null, () => void toMoment(n)),
      key(`✗ ${t("look_played")}`, false, () => void played(n)),
    ];
    const better = key(`✓ ${t("look_better")}`, line !== null, () => void follow(1));
    if (it.line.length) here.push(better);
    rows.push(here);
  }
  const count = review?.moments.length ?? 0;
  if (review && count > (it ? 1 : 0)) {
    const all = review.moments.map((_, n) =>
      key(String(n + 1), n === moment?.n, () => void toMoment(n)),
    );
    // On a phone more numbers have no room in a line.
    const most = upright.matches ? LINE : all.length;
    for (let from = 0; from < all.length; from += most) rows.push(all.slice(from, from + most));
  }
  const about = game?.about;
  const position = moment === null ? game?.stood.get(step)?.position : null;
  if (about && position && canAnalyse()) {
    const from = { game: about.game, options: about.options, position };
    rows.push([key(t("analysis_from"), false, () => void analyse(from).catch(refuse))]);
  }
  if (about && about.hand !== null) {
    rows.push(about.seats.map(({ name }, n) => key(name, n === about.below, () => void from(n))));
  }
  keyboard(at, { id: null, room: open?.room ?? "", buttons: rows }, {});
}

/** Whether this page has the board for analysis. */
const canAnalyse = () => document.getElementById("games-open") !== null;

/** Analyses a position: that board takes the place of the games of the room.
 * @param {import("./types").AnalysisRoot} from */
async function analyse(from) {
  byId("games-open").click();
  await (await import("./analysis.js")).open(from);
}

/** Looks from the side of another seat, with its hand where that may be seen.
 * @param {number} seat */
async function from(seat) {
  if (!game) return;
  const mine = ++turn;
  const other = new Replay(game.room, game.table, seat, game.isUpright);
  await other.fetch(Math.max(0, step - 5)).catch(refuse);
  if (mine !== turn || !other.about) return;
  game = other;
  await go(step);
}

/** The next moment of the review in this direction.
 * @param {1 | -1} way */
function jump(way) {
  const all = review?.moments ?? [];
  const sorted = all.map((it, n) => ({ at: it.step, n })).sort((a, b) => a.at - b.at);
  const on = sorted.filter(it => (way > 0 ? it.at > step : it.at < step));
  const next = way > 0 ? on[0] : on.at(-1);
  if (next) void toMoment(next.n);
}

/** Arrows step, the space bar plays, Escape ends it; on the chart and on a page of a course arrows
 * go from place to place.
 * @param {KeyboardEvent} e */
function keys(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || walk(e)) return;
  const inKeys = /** @type {HTMLElement} */ (e.target).closest(".keys");
  /** @type {Record<string, () => void>} */
  const all = game
    ? {
        ArrowRight: () => stepped(1),
        ArrowLeft: () => stepped(-1),
        Home: () => void go(0),
        End: () => void go(game?.last ?? 0),
        PageDown: () => jump(1),
        PageUp: () => jump(-1),
        "+": faster,
        p: play,
      }
    : {};
  const isKey = /** @type {HTMLElement} */ (e.target).closest("button, [role=button]");
  if (e.key === " " && game && !isKey) all[" "] = play;
  all.Escape = close;
  const does = inKeys && /^Arrow|Home|End/.test(e.key) ? undefined : all[e.key];
  if (!does) return;
  e.preventDefault();
  e.stopPropagation();
  does();
}
